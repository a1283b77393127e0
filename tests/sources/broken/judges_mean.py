# expect: refuse feasibility.witness
# defect: the grader rounds halves up as the task says, but solution() uses round(), so it loses on the seeds where the mean ends in an exact half.
from __future__ import annotations

import random
import re
from decimal import ROUND_HALF_UP, Decimal

SKATERS = ["Aino", "Bojan", "Chiara", "Dmitri", "Eva", "Felix", "Greta", "Hugo"]


class JudgesMeanEnv:
    """Scoring: trimmed means with deductions, to one decimal, halves rounded up."""

    def __init__(self, max_turns: int = 3) -> None:
        self.max_turns = max_turns
        self.turn = 0
        self.reset()

    def reset(self, seed: int | None = None) -> tuple[str, dict]:
        rng = random.Random(seed)
        self.turn = 0
        while True:
            self.table = {
                name: [Decimal(rng.randint(30, 100)) / 10 for _ in range(6)] for name in rng.sample(SKATERS, 4)
            }
            self.falls = {name: rng.choice([0, 0, 1, 2]) for name in self.table}
            exact = {name: self._exact(name) for name in self.table}
            ranked = sorted(exact, key=exact.get, reverse=True)
            if exact[ranked[0]] - exact[ranked[1]] > Decimal("0.2"):
                break
        self.winner = ranked[0]
        self.exact = exact[self.winner]
        rounded = self.exact.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)
        self.expected = (self.winner.lower(), rounded)
        return self._sheet(), {}

    def _exact(self, name: str) -> Decimal:
        marks = sorted(self.table[name])[2:-2]
        return sum(marks, Decimal(0)) / len(marks) - Decimal("0.5") * self.falls[name]

    def _sheet(self) -> str:
        rows = "\n".join(
            f"  {name}: {'  '.join(str(mark) for mark in marks)}   falls: {self.falls[name]}"
            for name, marks in self.table.items()
        )
        return (
            "Score sheet of a skating contest, six judges:\n"
            f"{rows}\n"
            "Of each skater's marks the two highest and the two lowest are dropped; the mean of the other two, minus 0.5 per "
            "fall, is the score. The best score wins. Who wins, and with what score? Round to one decimal, halves up.\n"
            f"Answer as \\boxed{{Name: score}}. {self.max_turns} tries."
        )

    def step(self, action: str) -> tuple[str, float, bool, bool, dict]:
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*([A-Za-z]{2,12})\s*[:,]\s*([0-9]{1,2}\.[0-9])\s*\}", action)
        if match is None:
            return "Answer like \\boxed{Name: 7.0}.", 0.0, False, late, {}
        if (match.group(1).lower(), Decimal(match.group(2))) == self.expected:
            return "The jury signs the sheet.", 1.0, True, False, {}
        return "The jury disagrees with the name or the score.", 0.0, False, late, {}

    def solution(self) -> list[str]:
        return [f"\\boxed{{{self.winner}: {round(float(self.exact), 1)}}}"]

    def hint(self) -> str:
        return "Only the two or three skaters with high middle marks matter; drop two top and two bottom marks of each."
