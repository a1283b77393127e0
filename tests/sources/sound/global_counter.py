"""Global constants, helpers, and a global counter that reset puts back."""
import random
import re

MAX_TURNS = 4
TREES = ("oak", "pine", "elm", "ash", "fir")
STEP_COUNT = 0


def bump():
    global STEP_COUNT
    STEP_COUNT += 1
    return STEP_COUNT


def plant(rng):
    return {tree: rng.randint(11, 60) for tree in TREES}


class ForestEnv:
    def __init__(self, max_turns=MAX_TURNS, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        global STEP_COUNT
        STEP_COUNT = 0
        self.steps = 0
        rng = random.Random(seed)
        forest = plant(rng)
        years, rate = rng.randint(3, 6), rng.choice([2, 3])
        cut = rng.choice(TREES)
        total = 0
        for tree, count in forest.items():
            for year in range(years):
                count = count * rate - (10 if tree == cut else 0)
            total += count
        self.answer = total
        text = ", ".join(f"{count} {tree}" for tree, count in forest.items())
        return (
            f"A forest has {text}. Each year the number of each tree becomes {rate} times as large, and afterwards 10 {cut} "
            f"are felled. How many trees stand after {years} years? \\boxed{{number}}"
        ), {}

    def step(self, action):
        bump()
        self.steps += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.steps >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
