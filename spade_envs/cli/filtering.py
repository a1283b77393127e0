"""Flags that say which sources, as ``list``, ``search`` and ``stats`` share them."""

from __future__ import annotations

import dataclasses
from typing import Annotated

from cyclopts import Parameter

from ..memory.records import Filters

LAST_STEP = 2**63 - 1


@dataclasses.dataclass(frozen=True)
class FilterFlags:
    """Which sources are looked at."""

    skill: str = ""
    """Only this skill."""
    contract: str = ""
    """Only this contract."""
    verdict: str = ""
    """Only this verdict: admit, refuse, undecided or unchecked."""
    rule: str = ""
    """Only what this rule did not let pass, e.g. feasibility.witness."""
    band: str = ""
    """Only this band of the last probe, or unprobed."""
    regret: Annotated[str, Parameter(allow_leading_hyphen=True)] = ""
    """Only regrets from LO to HI, as LO:HI; either may be left out."""
    model: str = ""
    """Only what this model or person made."""
    pool: str = ""
    """Only what was imported from this pool."""
    run: str = ""
    """Only what this run wrote."""
    scale: str = ""
    """Only what models of this size wrote, e.g. 30B."""
    steps: str = ""
    """Only what was written at steps A to B, as A:B; either may be left out."""

    def needs_memory(self) -> bool:
        """Whether a shelf alone cannot tell."""
        return dataclasses.replace(self, skill="", contract="") != ANY

    def filters(self, text: str = "") -> Filters:
        """What the memory is asked.

        Raises:
            ValueError: a range that is none, or a verdict that does not exist.
        """
        steps = _range("--steps", self.steps, 0, LAST_STEP) if self.steps else None
        return Filters(
            text=text,
            skill=self.skill,
            contract=self.contract,
            verdict=self.verdict,
            rule=self.rule,
            band=self.band,
            made_by=self.model,
            pool=self.pool,
            run=self.run,
            scale=self.scale,
            regret=_range("--regret", self.regret, -1.0, 1.0) if self.regret else None,
            steps=None if steps is None else (int(steps[0]), int(steps[1])),
        )


def _range(flag: str, text: str, least: float, most: float) -> tuple[float, float]:
    """Both ends of ``LO:HI``; those that are left out are ``least`` and ``most``."""
    low, found, high = text.partition(":")
    number = int if flag == "--steps" else float
    try:
        ends = (number(low) if low.strip() else least, number(high) if high.strip() else most)
        fine = bool(found) and all(abs(end) <= LAST_STEP for end in ends)  # which a NaN is not
    except ValueError:
        fine = False
    if not fine:
        form = "A:B with whole numbers, such as 100:200" if flag == "--steps" else "LO:HI, such as 0.1:0.8"
        raise ValueError(f"{flag} is {form}, or with one end left out, not {text[:80]!r}")
    return ends


ANY = FilterFlags()
"""Flags that let all pass."""
