import random
import re

import gymnasium as gym


class _Task:
    def __init__(self, rng):
        self.rng = rng
        self.text, self.answer = self.make()

    def make(self):
        raise AttributeError("variants define make")


class _Digits(_Task):
    def make(self):
        n, base = self.rng.randint(10 ** 5, 10 ** 6), self.rng.choice([7, 9, 11, 13])
        total, m = 0, n
        while m:
            total, m = total + (m % base) ** 2, m // base
        return f"Write {n} in base {base} and add up the squares of its digits.", total


class _Collatz(_Task):
    def make(self):
        n = self.rng.randint(200, 999)
        m, top, steps = n, n, 0
        while m != 1:
            m = 3 * m + 1 if m % 2 else m // 2
            top, steps = max(top, m), steps + 1
        return (f"Start at {n}; halve even numbers, replace odd m by 3m + 1, until 1 is reached. Multiply the number of "
                "steps by the largest number met."), steps * top


class _Josephus(_Task):
    def make(self):
        n, k = self.rng.randint(60, 180), self.rng.randint(3, 9)
        ring, i, removed = list(range(1, n + 1)), 0, []
        while len(ring) > 2:
            i = (i + k - 1) % len(ring)
            removed.append(ring.pop(i))
        return (f"{n} people stand in a ring, numbered from 1; every {k}th leaves, counting from person 1 and on from each gap, until two are "
                "left. What is the product of their two numbers?"), ring[0] * ring[1]


class MixedArithmeticEnv(gym.Env):
    """Three families of simulation tasks behind one interface."""

    VARIANTS = (_Digits, _Collatz, _Josephus)

    def __init__(self, max_turns=3):
        super().__init__()
        self.max_turns = max_turns
        self.reset()

    def reset(self, *, seed=None, options=None):
        rng = random.Random(seed)
        self.task = rng.choice(self.VARIANTS)(rng)
        self.count = 0
        return f"{self.task.text}\nAnswer: \\boxed{{integer}}. {self.max_turns} tries.", {
            "variant": type(self.task).__name__.strip("_").lower()}

    def step(self, action):
        self.count += 1
        m = re.fullmatch(r"\s*\\boxed\{\s*([0-9]{1,15})\s*\}\s*", action)
        if m and int(m.group(1)) == self.task.answer:
            return "Yes.", 1.0, True, False, {}
        return "No." if m else "An integer in a box, please.", 0.0, False, self.count >= self.max_turns, {}

    def render(self):
        return self.task.text

    def solution(self):
        return [f"\\boxed{{{self.task.answer}}}"]


if __name__ == "__main__":
    env = MixedArithmeticEnv()
    print(env.reset(seed=1)[0])
