"""Mixins with cooperative super()."""
import random
import re


class TurnMixin:
    def __init__(self, *args, max_turns=30, **kwargs):
        super().__init__(*args, **kwargs)
        self.max_turns = max_turns
        self.turn_count = 0

    def tick(self):
        self.turn_count += 1
        return self.turn_count >= self.max_turns


class BoxMixin:
    pattern = re.compile(r"\\boxed\{([^{}]+)\}")

    def unbox(self, text):
        found = self.pattern.search(text)
        return found.group(1).strip().lower() if found else ""


class JugsEnv(TurnMixin, BoxMixin):
    """Measure an amount with three jugs."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        while True:
            self.size = sorted(rng.sample(range(4, 24), 3))
            reach = self._search()
            deep = sorted(state for state, path in reach.items() if len(path) >= 5)
            if deep:
                break
        goal = rng.choice(deep)
        self.plan, self.target, self.jugs = reach[goal], goal, (0, 0, 0)
        sizes = ", ".join(f"{n}: {s} l" for n, s in zip("abc", self.size))
        return (
            f"Three empty jugs ({sizes}). Reach exactly a={goal[0]}, b={goal[1]}, c={goal[2]}, then \\boxed{{stop}} "
            "(only one attempt). Commands: \\boxed{fill a}, \\boxed{empty a}, \\boxed{pour a b}."
        ), {}

    def _moves(self, jugs):
        for i, name in enumerate("abc"):
            yield f"fill {name}", tuple(self.size[k] if k == i else v for k, v in enumerate(jugs))
            yield f"empty {name}", tuple(0 if k == i else v for k, v in enumerate(jugs))
            for j, other in enumerate("abc"):
                if i != j:
                    amount = min(jugs[i], self.size[j] - jugs[j])
                    after = list(jugs)
                    after[i] -= amount
                    after[j] += amount
                    yield f"pour {name} {other}", tuple(after)

    def _search(self):
        paths, queue = {(0, 0, 0): []}, [(0, 0, 0)]
        for state in queue:
            if len(paths) > 150:
                break
            for command, after in self._moves(state):
                if after not in paths:
                    paths[after] = paths[state] + [command]
                    queue.append(after)
        return paths

    def step(self, action):
        late = self.tick()
        command = self.unbox(action)
        if command == "stop":
            won = self.jugs == self.target
            return ("Exactly!" if won else "Those are not the amounts."), float(won), True, False, {}
        moves = dict(self._moves(self.jugs))
        if command not in moves:
            return "Unknown command.", 0.0, False, late, {}
        self.jugs = moves[command]
        return f"a={self.jugs[0]}, b={self.jugs[1]}, c={self.jugs[2]}", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{c}}}" for c in self.plan + ["stop"]]
