import itertools
import random
import re

SINGERS = ["Amara", "Benno", "Chloe", "Dmitri", "Esra", "Farid", "Greta", "Hugo", "Ines", "Jarek"]


class ChoirSeatingEnv:
    """Seven singers stand in a row. Clues fix one order; the agent names it from left to right."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self._last_guess = None
        self.reset()

    # every clue is (text, predicate on the position map)
    def _clue_pool(self, names, order, rng):
        pos = {n: i for i, n in enumerate(order)}
        pool = []
        for a, b in itertools.permutations(names, 2):
            gap = pos[b] - pos[a]
            if gap > 0:
                pool.append((f"{a} stands somewhere to the left of {b}.", lambda p, a=a, b=b: p[a] < p[b]))
            if abs(gap) == 1 and a < b:
                pool.append((f"{a} and {b} are neighbours.", lambda p, a=a, b=b: abs(p[a] - p[b]) == 1))
            if abs(gap) > 2 and a < b:
                k = abs(gap) - 1
                pool.append((f"Exactly {k} people stand between {a} and {b}.",
                             lambda p, a=a, b=b, k=k: abs(p[a] - p[b]) == k + 1))
        for a in names:
            if pos[a] not in (0, len(names) - 1):
                pool.append((f"{a} is not at either end.", lambda p, a=a: p[a] not in (0, 6)))
        rng.shuffle(pool)
        return pool

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.names = sorted(rng.sample(SINGERS, 7))
        self.order = rng.sample(self.names, 7)
        models = [{n: i for i, n in enumerate(p)} for p in itertools.permutations(self.names)]
        self.clues = []
        for text, test in self._clue_pool(self.names, self.order, rng):
            left = [m for m in models if test(m)]
            if len(left) < len(models):
                self.clues.append((text, test))
                models = left
            if len(models) == 1:
                break
        assert len(models) == 1
        self.tries = 0
        body = "\n".join(f"({i}) {text}" for i, (text, _) in enumerate(self.clues, 1))
        return (f"Seven singers stand in a row: {', '.join(self.names)}.\n{body}\n"
                "In which order do they stand, from left to right? Answer as \\boxed{first, second, ..., seventh}.")

    def step(self, action):
        self.tries += 1
        out = self.tries >= self.max_turns
        info = {"tries_left": self.max_turns - self.tries}
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        guess = [w.capitalize() for w in re.split(r"[^A-Za-z]+", m.group(1)) if w] if m else []
        if sorted(guess) != self.names:
            return "Name each of the seven singers once.", 0.0, False, out, info
        if guess == self.order:
            return "Yes, that is the row.", 1.0, True, False, info
        place = {n: i for i, n in enumerate(guess)}
        broken = [i for i, (_, test) in enumerate(self.clues, 1) if not test(place)]
        return f"Clues that do not hold in your row: {broken}", 0.0, False, out, info

    def solution(self):
        return "\\boxed{" + ", ".join(self.order) + "}"
