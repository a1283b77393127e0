"""The gate as a cycle asks it: each text is checked once, and its verdict becomes a step of the designer's ladder."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ..admission import together
from ..bulk import Checkers
from ..errors import SandboxError
from ..fingerprints import fingerprint
from ..memory import SqliteMemory
from ..types import EnvSource, Finding, Neighbour, Report, Severity, Verdict
from .evidence import Design

STEPS = {
    "static": Design.STATIC,
    "load": Design.LOAD,
    "contract": Design.LOAD,
    "determinism": Design.BEHAVIOUR,
    "robustness": Design.BEHAVIOUR,
}
"""Step of the ladder by the first part of a rule's name; all other rules are about worth."""

MOST_KEPT = 20_000
"""Reports that are kept, so that the same text costs nothing again."""


def design_of(report: Report) -> tuple[Design, str, str]:
    """Step of the ladder, the rule that stood in the way and why; of several the one that ran first.

    >>> design_of(Report("", (Finding("static.import", Severity.ERROR, "no sockets"),)))
    (<Design.STATIC: 'static'>, 'static.import', 'no sockets')
    """
    if report.verdict is Verdict.ADMIT:
        return Design.ADMITTED, "", ""
    wanted = Severity.ERROR if report.verdict is Verdict.REFUSE else Severity.UNDECIDED
    found = next(finding for finding in report.findings if finding.severity is wanted)
    if wanted is Severity.UNDECIDED:
        return Design.UNDECIDED, found.rule, found.message
    return STEPS.get(found.rule.partition(".")[0], Design.WORTH), found.rule, found.message


class Gatekeeper:
    """Checks sources of a run.

    Args:
        checkers: processes that check.
        memory: what duplicates are measured against; ``None`` to leave them be.
    """

    def __init__(self, checkers: Checkers, memory: SqliteMemory | None) -> None:
        self._checkers, self._memory = checkers, memory
        self._kept: dict[tuple[str, str, str], Report] = {}
        self._until = 0
        self._here: dict[str, tuple[str, str]] = {}

    def begin(self, until: int) -> None:
        """A cycle begins: sources of the memory count up to number ``until``, and earlier ones of the cycle."""
        self._until = until
        self._here = {}

    def claim(self, source: EnvSource, key: str) -> None:
        """Say that reply ``key`` holds this source; of several with the same code the one that says so first has it."""
        self._here.setdefault(fingerprint(source.text), (key, source.sha256))

    async def check(self, source: EnvSource, key: str) -> Report:
        """The gate's report on the source of reply ``key``.

        Raises:
            SandboxError: when this machine cannot check; tried twice.
        """
        if self._memory is None:
            name = (source.sha256, source.contract, source.hint)
            if name not in self._kept:
                if len(self._kept) >= MOST_KEPT:
                    self._kept.clear()
                self._kept[name] = await self._checked(source, ())
            return self._kept[name]
        known = await asyncio.to_thread(self._known, self._memory, source, key)
        return await self._checked(source, known)

    async def _checked(self, source: EnvSource, known: Sequence[Neighbour]) -> Report:
        for last in (False, True):
            try:
                report = await asyncio.wrap_future(self._checkers.submit(source, known))
            except SandboxError:
                if last:
                    raise
                continue
            if last or not _failed_itself(report):
                return report
        raise AssertionError("unreachable")

    def _known(self, memory: SqliteMemory, source: EnvSource, key: str) -> tuple[Neighbour, ...]:
        first, sha256 = self._here.get(fingerprint(source.text), (key, ""))
        exact = [Neighbour(sha256, 1.0, f"reply {first}")] if first != key else []
        near = memory.neighbours(source, until=self._until)
        before = memory.reports(source.sha256) if source.sha256 not in {one.sha256 for one in near} else ()
        if before and before[-1].verdict is Verdict.ADMIT:
            exact.append(Neighbour(source.sha256, 1.0, f"source {source.sha256[:12]}"))
        return together(exact, near)


def _failed_itself(report: Report) -> bool:
    """Whether nothing but the check's own trouble stands in the way."""
    open_: list[Finding] = [one for one in report.findings if one.severity is Severity.UNDECIDED]
    return report.verdict is Verdict.UNDECIDED and all(one.rule.startswith("gate.") for one in open_)
