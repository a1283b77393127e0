# Generator solution() (reads each observation), itertools.permutations, terse style
import random
import re
from itertools import permutations


def score(code, guess):
    hits = sum(a == b for a, b in zip(code, guess))
    return hits, len(set(code) & set(guess)) - hits


class SafeCrackerEnv:
    N, SYMBOLS = 5, "12345678"

    def __init__(self, max_turns=12):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        self.code = "".join(random.Random(seed).sample(self.SYMBOLS, self.N))
        self.turn = 0
        self.history = []
        return (
            f"A safe opens with {self.N} different digits out of {self.SYMBOLS}. After each try you hear clicks (right digit "
            f"in the right place) and hums (right digit, wrong place). Try like \\boxed{{12345}}. {self.max_turns} tries."
        ), {}

    @property
    def late(self):
        return self.turn >= self.max_turns

    def step(self, action):
        self.turn += 1
        m = re.fullmatch(r"\\boxed\{\s*([1-8]{%d})\s*\}" % self.N, action)
        if not m or len(set(m[1])) < self.N:
            return (
                f"The dial takes {self.N} different digits from 1 to 8, as in \\boxed{{12345}}.",
                0.0,
                False,
                self.late,
                {},
            )
        hits, near = score(self.code, m[1])
        self.history.append((m[1], hits, near))
        if hits == self.N:
            return "The safe swings open.", 1.0, True, False, {"tries": self.turn}
        log = "\n".join(f"{g}: {h} clicks, {n} hums" for g, h, n in self.history)
        return log, 0.0, False, self.late, {"tries": self.turn}

    def solution(self):
        pool = ["".join(p) for p in permutations(self.SYMBOLS, self.N)]
        while pool:
            guess = pool[len(pool) // 2]
            seen = yield f"\\boxed{{{guess}}}"
            last = re.findall(r"(\d+): (\d) clicks, (\d) hums", seen or "")
            if last:
                _, h, n = last[-1]
                pool = [c for c in pool if c != guess and score(c, guess) == (int(h), int(n))]

    def hint(self):
        return "Only try codes that would have produced every answer heard so far."

    def render(self):
        for guess, hits, near in self.history:
            print(guess, "#" * hits + "o" * near)

    def close(self):
        self.history = []


if __name__ == "__main__":
    env = SafeCrackerEnv()
    print(env.reset(seed=11)[0])
