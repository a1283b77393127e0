"""What an oracle is given and what it gives."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from spade_envs.actions import boxed

from ..specimens import Known, Specimen


@dataclasses.dataclass(frozen=True)
class Exhibit:
    """One violated property, and what shows it."""

    name: str
    """Name of the property: one of :data:`benchmarks.proof.oracles.ORACLES`."""
    seed: int
    actions: tuple[str, ...]
    rate: float
    """Share of the tries that showed it; for faults, the share of varied winning plays."""


@dataclasses.dataclass(frozen=True)
class Case:
    """A mutant beside what is known of its original."""

    original: Known
    original_text: str
    mutant: Specimen

    @property
    def seeds(self) -> tuple[int, ...]:
        """Seeds that are looked at."""
        return self.original.seeds

    def submit(self, answer: str) -> str:
        """An answer as this contract is sent one."""
        return f"<answer>{answer}</answer>" if self.original.contract == "tools" else boxed(answer)


Oracle = Callable[[Case], Exhibit | None]
Shown = tuple[int, Sequence[str]]
"""A seed and the actions that showed something."""


def shortest(name: str, shown: Sequence[Shown], tries: int) -> Exhibit | None:
    """The shortest of those that show a property."""
    if not shown:
        return None
    seed, actions = min(shown, key=lambda item: (len(item[1]), sum(map(len, item[1]))))
    return Exhibit(name, seed, tuple(actions), len(shown) / tries)
