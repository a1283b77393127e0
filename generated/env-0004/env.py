"""Fence raffle: count the fences that keep all the rules, and give an exact probability."""

import random
import re
from collections import Counter, defaultdict
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Callable, NamedTuple

PANELS = [
    "bamboo", "bark", "brick", "cane", "cedar", "copper", "glass", "hazel", "heather", "hemp",
    "larch", "mesh", "pine", "poplar", "reed", "rush", "slate", "straw", "tin", "willow",
]


class Clause(NamedTuple):
    """A sentence about a fence; whether it holds depends on how many panels of the fence are hits."""

    text: str
    hit: Callable
    """From the panel to the left (or ``None``), the panel, and the metres where it begins and ends."""
    tally: Callable
    """The number of hits, cut down to what has to be remembered of it."""
    holds: Callable


def capped(most):
    """A tally that counts to one more than ``most``."""
    return lambda hits: min(hits, most + 1)


class FenceRaffleEnv:
    """Trains counting by recurrence, conditional probability and exact fractions.

    A fence of a given length is put together from panels of four kinds. Three rules, drawn from nine forms, say which
    fences are allowed; one of the allowed fences is drawn by lot, and the agent gives the probability that a fourth
    sentence is true of it. Listing the fences takes far too long: the agent has to choose what to remember at each
    metre (last panel, a count, a parity), set up the recurrence twice, and add without a slip. Instances in which a
    rule could be ignored without changing the answer are thrown away, so every rule has to be worked in.
    """

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.finished = True  # nothing to play before the first reset

    # ---------------------------------------------------------------- instances

    def _lengths(self):
        """Fence lengths for which the number of fences, before any rule, is neither tiny nor huge."""
        ways = [1]
        while ways[-1] < 5000:
            ways.append(sum(ways[-size] for size in self.size.values() if size <= len(ways)))
        return [metre for metre, count in enumerate(ways) if 500 <= count <= 3000]

    def _clauses(self, rng):
        """Four different sentences."""
        x, y, z, w = rng.sample(list(self.size), 4)
        few, some = rng.randint(2, 3), rng.randint(2, 3)
        post, pipe, spot = rng.sample(range(3, self.length - 2), 3)
        forms = [
            Clause(
                f"no {y} panel stands directly to the right of any {x} panel",
                lambda left, panel, begin, end: (left, panel) == (x, y), capped(0), lambda hits: hits == 0,
            ),
            Clause(
                f"no two {z} panels stand side by side",
                lambda left, panel, begin, end: left == panel == z, capped(0), lambda hits: hits == 0,
            ),
            Clause(
                f"there are at most {few} {w} panels",
                lambda left, panel, begin, end: panel == w, capped(few), lambda hits: hits <= few,
            ),
            Clause(
                f"there are exactly {some} {z} panels",
                lambda left, panel, begin, end: panel == z, capped(some), lambda hits: hits == some,
            ),
            Clause(
                f"the number of {x} panels is even (zero counts as even)",
                lambda left, panel, begin, end: panel == x, lambda hits: hits % 2, lambda hits: hits == 0,
            ),
            Clause(
                "the number of all panels together is odd",
                lambda left, panel, begin, end: True, lambda hits: hits % 2, lambda hits: hits == 1,
            ),
            Clause(
                f"a post stands exactly {post} m from the left end",
                lambda left, panel, begin, end: end == post, capped(0), lambda hits: hits == 1,
            ),
            Clause(
                f"no post stands exactly {pipe} m from the left end",
                lambda left, panel, begin, end: end == pipe, capped(0), lambda hits: hits == 0,
            ),
            Clause(
                f"the spot {spot}.5 m from the left end belongs to a {w} panel",
                lambda left, panel, begin, end: panel == w and begin <= spot < end, capped(0), lambda hits: hits == 1,
            ),
        ]
        return rng.sample(forms, 4)

    def _count(self, clauses):
        """How many fences there are for each pattern of truths: a dict from four truths to a number."""

        @lru_cache(maxsize=None)
        def add(tallies, hits):
            return tuple(clause.tally(tally + hit) for clause, tally, hit in zip(clauses, tallies, hits))

        # Beginnings of fences by where they end, their last panel, and the tallies of the clauses.
        ending = [defaultdict(Counter) for _ in range(self.length + 1)]
        ending[0][None] = Counter({(0, 0, 0, 0): 1})
        for begin in range(self.length):
            for left, beginnings in ending[begin].items():
                for panel, size in self.size.items():
                    end = begin + size
                    if end <= self.length:
                        hits = tuple(clause.hit(left, panel, begin, end) for clause in clauses)
                        target = ending[end][panel]
                        for tallies, number in beginnings.items():
                            target[add(tallies, hits)] += number
        fences = Counter()
        for beginnings in ending[self.length].values():
            for tallies, number in beginnings.items():
                fences[tuple(clause.holds(tally) for clause, tally in zip(clauses, tallies))] += number
        return fences

    def _draw(self, rng):
        """Fill in one candidate; returns whether one of its four sentences makes a good question."""
        self.size = dict(zip(rng.sample(PANELS, 4), rng.sample(range(2, 8), 4)))
        self.length = rng.choice(self._lengths())
        clauses = self._clauses(rng)
        fences = self._count(clauses)

        def chance(asked, rules):
            allowed = [truths for truths in fences if all(truths[rule] for rule in rules)]
            good = sum(fences[truths] for truths in allowed if truths[asked])
            return Fraction(good, sum(fences[truths] for truths in allowed) or 1)

        for asked in range(4):
            rules = [rule for rule in range(4) if rule != asked]
            self.question, self.conditions = clauses[asked].text, [clauses[rule].text for rule in rules]
            self.chance = chance(asked, rules)
            ignoring = [chance(asked, pair) for pair in combinations(rules, 2)]
            if self.chance.denominator > 60 and 0.1 < self.chance < 0.9 and self.chance not in ignoring:
                return True
        return False

    def reset(self, seed=None):
        rng = random.Random(seed)
        while not self._draw(rng):
            pass
        self.turn = 0
        self.finished = False
        return self._describe(), {}

    # ---------------------------------------------------------------- text

    def _describe(self):
        sizes = "\n".join(f"- {kind}: {size} m long" for kind, size in self.size.items())
        rules = "\n".join(f"{number}. {text}" for number, text in enumerate(self.conditions, 1))
        return (
            f"A garden fence exactly {self.length} m long is built from left to right out of whole panels. "
            f"There is plenty of each of the four kinds:\n{sizes}\n"
            "Posts stand at both ends of the fence and wherever two panels meet, and nowhere else. "
            "Two fences are different if they differ anywhere when read from left to right; a fence and its mirror "
            "image count as two unless they read the same. A kind of panel may be missing altogether.\n\n"
            f"A fence is allowed if all of this is true:\n{rules}\n\n"
            "Every allowed fence is written on one raffle ticket, and one ticket is drawn, each with the same chance. "
            f"What is the probability that, in the fence drawn, {self.question}?\n\n"
            "Answer with an exact fraction of two whole numbers, such as \\boxed{1/2} (only the format is meant); it "
            f"need not be in lowest terms. You have {self.max_turns} tries."
        )

    @staticmethod
    def _read(action):
        """The fraction in the last box, or ``None``."""
        plain = re.sub(r"\\[dt]?frac\s*\{\s*([0-9]{1,12})\s*\}\s*\{\s*([0-9]{1,12})\s*\}", r"\1/\2", action)
        boxes = re.findall(r"\\boxed\{([^{}]*)\}", plain)
        match = re.fullmatch(r"\s*([0-9]{1,12})\s*/\s*([0-9]{1,12})\s*", boxes[-1]) if boxes else None
        return Fraction(int(match.group(1)), int(match.group(2))) if match and int(match.group(2)) else None

    # ---------------------------------------------------------------- play

    def step(self, action):
        if self.finished:
            return "The episode is over.", 0.0, True, False, {}
        self.turn += 1
        out_of_tries = self.turn >= self.max_turns
        left = f" Tries left: {max(0, self.max_turns - self.turn)}."
        given = self._read(str(action))
        if given is None:
            return "Give an exact fraction in a box, as in \\boxed{p/q}." + left, 0.0, False, out_of_tries, {}
        if given == self.chance:
            self.finished = True
            return "Correct, that is the exact probability.", 1.0, True, False, {}
        verdict = "too large" if given > self.chance else "too small"
        return f"Not the exact probability: your fraction is {verdict}." + left, 0.0, False, out_of_tries, {}

    def solution(self):
        """The share of fulfilled tickets among the allowed fences, found by going through all of them."""
        return [f"\\boxed{{{self.chance.numerator}/{self.chance.denominator}}}"]

    def hint(self):
        return (
            "Do not list fences. Go along the fence metre by metre and keep, for each metre where a post can stand, "
            "how many beginnings end there, split by just what the rules need: the kind of the last panel if something "
            "is said about neighbours, a count or a parity if something is said about numbers. A fixed post cuts the "
            "fence into two parts; for a forbidden post set that entry to zero. Do it once for all allowed fences, and "
            "once more with the asked sentence as a further rule; the second number over the first is the answer, in "
            "one box."
        )

    def close(self):
        pass
