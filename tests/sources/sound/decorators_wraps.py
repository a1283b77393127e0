"""functools.wraps decorators, decorators with arguments, lru_cache, total_ordering."""
import functools
import random
import re


def counted(method):
    @functools.wraps(method)
    def wrapper(self, *args, **kwargs):
        self.turn_count += 1
        return method(self, *args, **kwargs)
    return wrapper


def clamp(low, high):
    def decorate(function):
        @functools.wraps(function)
        def inner(*args, **kwargs):
            return max(low, min(high, function(*args, **kwargs)))
        return inner
    return decorate


@functools.lru_cache(maxsize=None)
def partitions(total, largest):
    if total == 0:
        return 1
    return sum(partitions(total - part, part) for part in range(1, min(total, largest) + 1))


@functools.total_ordering
class Size:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        return self.n == other.n

    def __lt__(self, other):
        return self.n < other.n


class PartitionEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.turn_count = 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        a, b = Size(rng.randint(14, 32)), Size(rng.randint(4, 13))
        self.total, self.part = max(a, b).n, min(a, b).n
        self.shift = rng.randint(1, 99)
        self.turn_count = 0
        return (
            f"In how many ways can {self.total} identical coins be split into piles of at most {self.part} coins, when "
            f"the order of piles does not matter? Add {self.shift} to the number. \\boxed{{number}}"
        ), {}

    @clamp(0.0, 1.0)
    def _score(self, right):
        return 5.0 if right else -5.0

    @counted
    def step(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", action)
        right = bool(m) and int(m.group(1)) == partitions(self.total, self.part) + self.shift
        return str(right), self._score(right), right, not right and self.turn_count >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{partitions(self.total, self.part) + self.shift}}}"]
