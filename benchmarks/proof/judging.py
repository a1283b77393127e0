"""What the gate says of one source, how well it says it, and what the baseline says."""

from __future__ import annotations

import dataclasses
import time

from spade_envs import shows_again, validate
from spade_envs.types import EnvSource, Severity

from .baseline import smoke
from .mutants import Mutant
from .oracles import Exhibit


@dataclasses.dataclass(frozen=True)
class Judged:
    """One source of the benchmark and its verdict."""

    kind: str
    """``good``, ``variant`` (a mutant that nothing shows to be broken), ``mutant`` or ``rare``."""
    name: str
    """Name of the good source, or of the one it was made from."""
    operator: str
    """Operator that made it; empty for good sources."""
    exhibit: Exhibit | None
    """What shows that it is broken."""
    verdict: str
    """``admit``, ``refuse`` or ``undecided``."""
    errors: tuple[str, ...]
    """Rules with a finding that refuses or leaves undecided."""
    warnings: tuple[str, ...]
    """Rules with a warning."""
    messages: tuple[str, ...]
    """What the findings say, errors first."""
    seconds: float
    """Wall seconds of the check, start-up included."""
    stages: dict[str, float]
    """The same by stage."""
    length: int | None
    """Actions of the shortest reproduction of an error; ``None`` when there is none."""
    reproduced: int
    """Reproductions that show their fault again in new processes."""
    not_reproduced: tuple[str, ...]
    """Rules of those that do not."""
    smoke: bool
    """Whether the reference's smoke test accepts it."""
    contract: str = ""
    """Its contract, as the gate sees it; empty when it did not get that far."""
    sha256: str = ""
    """Digest of its text."""

    def caught(self, rules: tuple[str, ...]) -> bool:
        """Whether it was refused, or, where a warning is what is due, refused or warned of."""
        due = [rule.removeprefix("warn ") for rule in rules if rule.startswith("warn ")]
        return self.verdict == "refuse" or any(rule in self.warnings for rule in due)

    def right(self, rules: tuple[str, ...]) -> bool:
        """Whether it was caught by one of the rules that may."""
        due = [rule.removeprefix("warn ") for rule in rules if rule.startswith("warn ")]
        return any(rule in self.errors for rule in (*rules, *due)) or any(rule in self.warnings for rule in due)


def judge(text: str, kind: str, name: str, mutant: Mutant | None = None) -> Judged:
    """Check one source, replay every reproduction of its findings, and ask the baseline."""
    source = EnvSource(text)
    begun = time.perf_counter()
    report = validate(source)
    seconds = time.perf_counter() - begun
    errors = [finding for finding in report.findings if finding.severity is not Severity.WARNING]
    shown = [(finding, shows_again(source, finding)) for finding in report.findings if finding.repro is not None]
    lengths = [len(finding.repro.actions) for finding in errors if finding.repro is not None]
    return Judged(
        kind=kind,
        name=name,
        operator=mutant.operator if mutant else "",
        exhibit=mutant.exhibit if mutant else None,
        verdict=report.verdict.value,
        errors=tuple(dict.fromkeys(finding.rule for finding in errors)),
        warnings=tuple(
            dict.fromkeys(finding.rule for finding in report.findings if finding.severity is Severity.WARNING)
        ),
        messages=tuple(f"{finding.rule}: {finding.message}"[:300] for finding in errors),
        seconds=round(seconds, 3),
        stages={stage: round(spent, 4) for stage, spent in report.seconds.items()},
        length=min(lengths, default=None),
        reproduced=sum(again is True for _, again in shown),
        not_reproduced=tuple(finding.rule for finding, again in shown if again is False),
        smoke=smoke(text),
        contract=report.contract,
        sha256=source.sha256,
    )


FACTS = ("robustness.", "contract.", "load.", "feasibility.witness", "tools.criterion_raises")
"""Beginnings of rules whose counterexamples are facts: an exception, a broken contract, a solution that loses."""


def judge_mutant(mutant: Mutant, origin: str) -> Judged:
    """As :func:`judge`, of a mutant of the source ``origin``.

    A variant is rare rather than sound when the gate's own counterexample shows a fact that its origin does not show.
    """
    kind = "variant" if mutant.exhibit is None else "rare" if mutant.rare else "mutant"
    judged = judge(mutant.text, kind, mutant.origin, mutant)
    if kind == "variant" and judged.verdict == "refuse" and _proved(mutant.text, origin):
        return dataclasses.replace(judged, kind="rare")
    return judged


def _proved(text: str, origin: str) -> bool:
    for finding in validate(EnvSource(text)).findings:
        if finding.severity is Severity.ERROR and finding.rule.startswith(FACTS) and finding.repro is not None:
            return shows_again(text, finding) is True and shows_again(origin, finding) is False
    return False
