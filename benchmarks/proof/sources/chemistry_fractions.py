# Style: type-annotated, fractions.Fraction arithmetic, several tries, list solution.
from __future__ import annotations

import random
import re
from fractions import Fraction

# Atomic masses, rounded so that every intermediate stays an exact fraction.
MASSES: dict[str, Fraction] = {
    "H": Fraction(1),
    "C": Fraction(12),
    "N": Fraction(14),
    "O": Fraction(16),
    "Na": Fraction(23),
    "Mg": Fraction(24),
    "Al": Fraction(27),
    "P": Fraction(31),
    "S": Fraction(32),
    "Cl": Fraction(71, 2),
    "K": Fraction(39),
    "Ca": Fraction(40),
    "Fe": Fraction(56),
}

# (reactants, products): coefficient and composition
Side = list[tuple[int, str]]
REACTIONS: list[tuple[Side, Side]] = [
    ([(4, "Fe"), (3, "O2")], [(2, "Fe2O3")]),
    ([(1, "N2"), (3, "H2")], [(2, "NH3")]),
    ([(2, "Al"), (3, "Cl2")], [(2, "AlCl3")]),
    ([(1, "C3H8"), (5, "O2")], [(3, "CO2"), (4, "H2O")]),
    ([(2, "Na"), (1, "Cl2")], [(2, "NaCl")]),
    ([(1, "P4"), (5, "O2")], [(2, "P2O5")]),
    ([(2, "C2H6"), (7, "O2")], [(4, "CO2"), (6, "H2O")]),
    ([(3, "Mg"), (1, "N2")], [(1, "Mg3N2")]),
]


def molar_mass(formula: str) -> Fraction:
    total = Fraction(0)
    for symbol, count in re.findall(r"([A-Z][a-z]?)(\d*)", formula):
        total += MASSES[symbol] * int(count or 1)
    return total


class LimitingReagentEnv:
    """Find the mass of one product when one of the two reactants runs out."""

    def __init__(self, max_turns: int = 4) -> None:
        self.max_turns: int = max_turns
        self.turn: int = 0
        self.answer: Fraction = Fraction(0)
        self.reset()

    def reset(self, seed: int | None = None) -> tuple[str, dict]:
        rng = random.Random(seed)
        self.turn = 0
        reactants, products = rng.choice(REACTIONS)
        grams = [rng.randint(11, 240) for _ in reactants]
        percent = rng.randrange(55, 96)
        coefficient, product = rng.choice(products)
        extent = min(Fraction(g) / (molar_mass(f) * c) for g, (c, f) in zip(grams, reactants))
        self.answer = extent * coefficient * molar_mass(product) * Fraction(percent, 100)
        left = " + ".join(f"{c if c > 1 else ''}{f}" for c, f in reactants)
        right = " + ".join(f"{c if c > 1 else ''}{f}" for c, f in products)
        table = ", ".join(f"{k} = {float(v):g}" for k, v in MASSES.items())
        lines = [
            f"Reaction: {left} -> {right}",
            "A vessel is loaded with " + " and ".join(f"{g} g of {f}" for g, (_, f) in zip(grams, reactants)) + ".",
            f"The yield is {percent} % of the theoretical one.",
            f"Atomic masses (g/mol): {table}.",
            f"How many grams of {product} are obtained? Answer exactly, as a reduced fraction or an integer:",
            "\\boxed{p/q} or \\boxed{n}.",
            f"You have {self.max_turns} tries.",
        ]
        return "\n".join(lines), {"reaction": f"{left} -> {right}"}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict]:
        self.turn += 1
        last = self.turn >= self.max_turns
        match = re.fullmatch(r"\s*\\boxed\{\s*(-?[0-9]{1,40})\s*(?:/\s*([0-9]{1,40}))?\s*\}\s*", action)
        if match is None:
            return "I need a fraction such as \\boxed{7/3}, or an integer.", 0.0, False, last, {}
        numerator, denominator = int(match.group(1)), int(match.group(2) or 1)
        if denominator == 0:
            return "A denominator of zero has no meaning.", 0.0, False, last, {}
        if Fraction(numerator, denominator) == self.answer:
            return "Correct, that is the mass obtained.", 1.0, True, False, {"tries": self.turn}
        return f"Not the mass obtained. Tries left: {self.max_turns - self.turn}.", 0.0, False, last, {}

    def solution(self) -> list[str]:
        return [f"\\boxed{{{self.answer.numerator}/{self.answer.denominator}}}"]

    def hint(self) -> str:
        return (
            "Turn both masses into moles, divide each by its coefficient; the smaller quotient limits the reaction. "
            "Scale by the product's coefficient and molar mass, then apply the yield."
        )
