from __future__ import annotations

import enum
import itertools
import random
import re
from dataclasses import dataclass, field


class Kind(enum.Enum):
    KNIGHT = "K"
    KNAVE = "N"


@dataclass(frozen=True)
class Statement:
    speaker: int
    first: int
    second: int
    form: str

    def holds(self, kinds) -> bool:
        a, b = kinds[self.first] is Kind.KNIGHT, kinds[self.second] is Kind.KNIGHT
        return {"same": a == b, "differ": a != b, "either": a or b, "neither": not a and not b}[self.form]

    def text(self, names) -> str:
        a, b = names[self.first], names[self.second]
        return {
            "same": f"{a} and {b} are of the same kind",
            "differ": f"{a} and {b} are of different kinds",
            "either": f"{a} or {b} is a knight, or both are",
            "neither": f"neither {a} nor {b} is a knight",
        }[self.form]


@dataclass
class Island:
    kinds: tuple
    statements: list = field(default_factory=list)


class KnightsKnavesEnv:
    NAMES = ["Avo", "Bel", "Cid", "Dov", "Eri", "Fay", "Gus", "Hal"]

    def __init__(self, max_turns: int = 2):
        self.max_turns = max_turns
        self.island = None
        self.reset()

    def reset(self, seed: int | None = None):
        rng = random.Random(seed)
        self.turn = 0
        while True:
            kinds = tuple(rng.choice(list(Kind)) for _ in self.NAMES)
            statements = []
            for speaker in range(8):
                for _ in range(200):
                    first, second = rng.sample([i for i in range(8) if i != speaker], 2)
                    s = Statement(speaker, first, second, rng.choice(["same", "differ", "either", "neither"]))
                    if s.holds(kinds) == (kinds[speaker] is Kind.KNIGHT):
                        statements.append(s)
                        break
            fits = [w for w in itertools.product(list(Kind), repeat=8)
                    if all(s.holds(w) == (w[s.speaker] is Kind.KNIGHT) for s in statements)]
            if len(fits) == 1 and len(statements) == 8:
                break
        self.island = Island(kinds, statements)
        said = "\n".join(f'{self.NAMES[s.speaker]}: "{s.text(self.NAMES)}."' for s in statements)
        return (
            "Knights (K) always tell the truth, knaves (N) never do.\n" + said
            + f"\nWho is what? Eight letters in the order {' '.join(self.NAMES)}, like \\boxed{{KNNKKNKN}} (the form only)."
        ), {}

    def step(self, action: str):
        self.turn += 1
        cut = self.turn >= self.max_turns
        m = re.fullmatch(r"\\boxed\{([KNkn ,]+)\}", action)
        letters = re.sub("[ ,]", "", m.group(1)).upper() if m else ""
        if len(letters) != 8:
            return "Eight letters K or N.", 0.0, False, cut, {}
        if letters == "".join(k.value for k in self.island.kinds):
            return "Consistent, and the only way.", 1.0, True, False, {}
        world = tuple(Kind(c) for c in letters)
        for s in self.island.statements:
            if s.holds(world) != (world[s.speaker] is Kind.KNIGHT):
                return f"Under your reading, what {self.NAMES[s.speaker]} says does not fit {self.NAMES[s.speaker]}'s kind.", 0.0, False, cut, {}
        return "Not so.", 0.0, False, cut, {}

    def solution(self):
        return ["\\boxed{" + "".join(k.value for k in self.island.kinds) + "}"]
