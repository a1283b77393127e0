"""heapq, bisect, itertools, fractions, decimal, statistics."""
import bisect
import heapq
import itertools
import random
import re
import statistics
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction


class MixedStatsEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        data = [rng.randint(10, 99) for _ in range(9)]
        mean = Fraction(sum(data), len(data))
        ordered = sorted(data)
        rank = bisect.bisect_left(ordered, mean)
        top = heapq.nlargest(3, data)
        gaps = [b - a for a, b in itertools.pairwise(ordered)]
        raw = Decimal(mean.numerator) / Decimal(mean.denominator)
        self.rounded = raw.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)
        self.answer = f"{statistics.median(data)};{self.rounded};{sum(top)};{max(gaps)};{rank}"
        self.turn = 0
        return (
            f"Data: {', '.join(map(str, data))}\nGive five values separated by semicolons: the median; the mean rounded to "
            "one decimal (half up); the sum of the three greatest; the greatest gap between neighbours after sorting; how "
            "many values lie below the mean. Format: \\boxed{50;48.3;250;20;4}"
        ), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        if m and re.sub(r"\s", "", m.group(1)) == self.answer:
            return "All five are right.", 1.0, True, False, {}
        return "At least one value is wrong.", 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
