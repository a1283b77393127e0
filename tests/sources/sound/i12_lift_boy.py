import itertools
import random
import re

import gymnasium as gym
from gymnasium import spaces


class LiftBoyEnv(gym.Env):
    """Lift with room for one guest and a fixed amount of current; the cheapest order of rides is needed."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, max_turns=24):
        super().__init__()
        self.observation_space = spaces.Text(max_length=4096)
        self.action_space = spaces.Text(max_length=256)
        self.max_turns = max_turns
        self.reset()

    def _cost(self, order):
        at, total = self.start, 0
        for name in order:
            a, b = self.guests[name]
            total += abs(a - at) + abs(b - a)
            at = b
        return total

    def reset(self, *, seed=None, options=None):
        rng = random.Random(seed)
        while True:
            names = rng.sample(["Mrs Ash", "Mr Birch", "Dr Cedar", "Miss Elm", "Lord Fir", "Lady Hazel"], 5)
            self.start = rng.randint(1, 12)
            self.guests = {n: tuple(rng.sample(range(1, 16), 2)) for n in names}
            costs = sorted((self._cost(o), o) for o in itertools.permutations(names))
            if costs[4][0] > costs[0][0] + 1:
                break
        self.order = costs[0][1]
        self.current = costs[0][0] + 1
        self.floor, self.riding, self.waiting, self.turn = self.start, None, dict(self.guests), 0
        lines = "\n".join(f"- {n} waits on floor {a} for floor {b}" for n, (a, b) in self.guests.items())
        return (
            f"Five guests ring for the lift, which holds one guest and now stands at floor {self.start}:\n{lines}\n"
            f"The battery lasts for {self.current} floors of travel. Commands: \\boxed{{floor 7}}, \\boxed{{board Mrs Ash}}, \\boxed{{leave}} "
            "(the guest gets out, only at the floor wished). Bring everybody home before the lift stops."
        ), {"battery": self.current}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(floor|board|leave)\b([^{}]*)\}", action, re.I)
        verb, rest = (m.group(1).lower(), m.group(2).strip()) if m else ("", "")
        text = "Nothing happens."
        if verb == "floor" and re.fullmatch("[0-9]{1,2}", rest) and 1 <= int(rest) <= 15:
            away = abs(int(rest) - self.floor)
            if away > self.current:
                return "The lift stops between two floors; the battery is empty.", 0.0, True, False, {"battery": 0}
            self.current -= away
            self.floor = int(rest)
            text = "The lift moves."
        elif verb == "board" and self.riding is None:
            name = next((n for n in self.waiting if n.lower() == rest.lower()), None)
            if name and self.waiting[name][0] == self.floor:
                self.riding = name
                text = f"{name} gets in."
            else:
                text = "No such guest is waiting here."
        elif verb == "leave" and self.riding and self.guests[self.riding][1] == self.floor:
            text = f"{self.riding} says thank you."
            del self.waiting[self.riding]
            self.riding = None
            if not self.waiting:
                return text + " That was the last guest.", 1.0, True, False, {"battery": self.current}
        text += f" Floor {self.floor}, battery {self.current}, inside: {self.riding or 'nobody'}, to serve: {', '.join(self.waiting)}."
        return text, 0.0, False, late, {"battery": self.current}

    def solution(self):
        out, at = [], self.start
        for name in self.order:
            a, b = self.guests[name]
            out += [f"\\boxed{{floor {a}}}"] if a != at else []
            out += [f"\\boxed{{board {name}}}", f"\\boxed{{floor {b}}}", "\\boxed{leave}"]
            at = b
        return out
