# expect: warn contract.turns
# defect: step() never truncates, so an episode that is not won goes on past max_turns for ever
import random
import re


class SnailGardenEnv:
    """Steer a snail over a torus of beds to the lettuce; some beds are salted."""

    N = 6

    def __init__(self, max_turns=30):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.steps = 0
        while True:
            cells = [(x, y) for x in range(self.N) for y in range(self.N)]
            self.snail, self.lettuce = rng.sample(cells, 2)
            self.salt = set(rng.sample([c for c in cells if c not in (self.snail, self.lettuce)], 12))
            self.path = self._path()
            if self.path and len(self.path) >= 4:
                break
        return (
            f"A garden of {self.N} by {self.N} beds (x and y from 0) wraps at all edges. The snail sits at {self.snail}, the lettuce at {self.lettuce}. "
            f"Salted beds, deadly: {', '.join(map(str, sorted(self.salt)))}.\n"
            f"Commands: \\boxed{{left}}, \\boxed{{right}} (x), \\boxed{{up}}, \\boxed{{down}} (y grows downwards). {self.max_turns} moves at most."
        )

    def _neighbours(self, cell):
        x, y = cell
        n = self.N
        return {"left": ((x - 1) % n, y), "right": ((x + 1) % n, y), "up": (x, (y - 1) % n), "down": (x, (y + 1) % n)}

    def _path(self):
        queue, seen = [(self.snail, [])], {self.snail}
        for cell, words in queue:
            if cell == self.lettuce:
                return words
            for word, other in self._neighbours(cell).items():
                if other not in self.salt and other not in seen:
                    seen.add(other)
                    queue.append((other, words + [word]))
        return None

    def step(self, action):
        self.steps += 1
        m = re.search(r"\\boxed\{\s*(left|right|up|down)\s*\}", action)
        if m is None:
            return "The snail pulls in its horns.", 0.0, False, False, {}
        self.snail = self._neighbours(self.snail)[m.group(1)]
        if self.snail in self.salt:
            return "Salt!", 0.0, True, False, {}
        if self.snail == self.lettuce:
            return "Lettuce!", 1.0, True, False, {}
        return f"The snail is at {self.snail} after {self.steps} moves.", 0.0, False, False, {}

    def solution(self):
        return [f"\\boxed{{{w}}}" for w in self.path]
