"""The class name does not end in Env; other helper classes surround it."""
import random
import re


class Fence:
    def __init__(self, posts, gap):
        self.posts, self.gap = posts, gap

    def length(self):
        return (self.posts - 1) * self.gap


class FencePuzzle:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.sides = [Fence(rng.randint(5, 30), rng.randint(2, 6)) for _ in range(3)]
        self.turn = 0
        parts = ", ".join(f"{f.posts} posts {f.gap} m apart" for f in self.sides)
        return f"Three straight fences: {parts}. Total length in metres? \\boxed{{number}}", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,6})\s*m?\s*\}", action)
        if m and int(m.group(1)) == sum(f.length() for f in self.sides):
            return "Correct", 1.0, True, False, {}
        return "No. Mind that gaps are fewer than posts.", 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{sum(f.length() for f in self.sides)}}}"]


class Unused:
    pass
