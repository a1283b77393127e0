"""A table of lambdas and functions that make functions."""
import random
import re

OPS = {
    "double": lambda n: 2 * n,
    "square the last digit and add it": lambda n: n + (n % 10) ** 2,
    "reverse the digits": lambda n: int(str(abs(n))[::-1]),
    "add the digit sum": lambda n: n + sum(int(d) for d in str(abs(n))),
    "subtract seven": (lambda step: lambda n: n - step)(7),
    "triple and add one": lambda n, f=3: f * n + 1,
}


def compose(*functions):
    def run(value):
        for function in functions:
            value = function(value)
        return value
    return run


def checker(expected):
    return lambda text: text.strip().lstrip("+") == str(expected)


class PipelineEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        names = [rng.choice(sorted(OPS)) for _ in range(6)]
        start = rng.randint(40, 99)
        self.expected = compose(*(OPS[name] for name in names))(start)
        self.right = checker(self.expected)
        self.n = 0
        chain = "; ".join(names)
        return f"Start with {start} and do in this order: {chain}. Which number results? \\boxed{{number}}", {}

    def step(self, action):
        self.n += 1
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        won = bool(m) and self.right(m.group(1))
        return ("Yes" if won else "No"), 1.0 if won else 0.0, won, (not won) and self.n >= self.max_turns, {}

    def solution(self):
        return ["\\boxed{" + str(self.expected) + "}"]
