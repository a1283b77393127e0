"""Elevator simulation; a decorator defined in the class body counts and validates."""
import random
import re
from functools import wraps


class ElevatorEnv:
    """Deliver both passengers."""

    def _action(func):
        """Register func as a player action."""
        func._is_action = True
        @wraps(func)
        def wrapper(self, *args):
            self._log.append((self._turn, func.__name__[4:], args))
            return func(self, *args)
        wrapper._is_action = True
        return wrapper

    def __init__(self, max_turns=25, floors=8, **kwargs):
        self.max_turns = max_turns
        self.floors = floors
        self._actions = {n[4:]: getattr(self, n) for n in dir(self) if n.startswith("_do_")}
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self._turn, self._log, self._aboard = 0, [], set()
        fs = rng.sample(range(1, self.floors + 1), 5)
        self._floor = fs[0]
        self._people = {"Ann": [fs[1], fs[2]], "Ben": [fs[3], fs[4]]}
        return self._show("Welcome."), {}

    def _show(self, msg):
        who = "; ".join(f"{n} {'aboard' if n in self._aboard else f'on {p[0]}'} wants {p[1]}" for n, p in self._people.items())
        return f"{msg} Lift on {self._floor} of {self.floors}. {who}. \\boxed{{goto N}}, \\boxed{{load NAME}}, \\boxed{{drop NAME}}"

    @_action
    def _do_goto(self, arg):
        if not re.fullmatch("[0-9]{1,2}", arg) or not 1 <= int(arg) <= self.floors:
            return "No such floor."
        self._floor = int(arg)
        return f"Now on {arg}."

    @_action
    def _do_load(self, arg):
        p = self._people.get(arg.title())
        if p is None or p[0] != self._floor:
            return "Nobody of that name here."
        self._aboard.add(arg.title())
        return "Loaded."

    @_action
    def _do_drop(self, arg):
        name = arg.title()
        if name not in self._aboard:
            return "Not aboard."
        self._aboard.discard(name)
        self._people[name][0] = self._floor
        return "Dropped."

    def step(self, action):
        self._turn += 1
        tr = self._turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(\w{1,10})\s+(\w{1,10})\s*\}", action)
        if not m or m.group(1).lower() not in self._actions:
            return self._show("I did not get that."), 0.0, False, tr, {}
        msg = self._actions[m.group(1).lower()](m.group(2).lower())
        won = not self._aboard and all(a == b for a, b in self._people.values())
        return self._show(msg), 1.0 if won else 0.0, won, tr and not won, {"log": len(self._log)}

    def solution(self):
        cmds = []
        for n, (a, b) in self._people.items():
            cmds += [f"goto {a}", f"load {n}", f"goto {b}", f"drop {n}"]
        return "\n".join(f"{i}. {c}" for i, c in enumerate(cmds, 1))
