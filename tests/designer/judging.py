"""Runs with a gate that says what a test wants it to."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any

from running import Place, run, served
from scripted import Scripted, plan_of

from spade_envs.bulk import Checkers
from spade_envs.designer import DesignResult
from spade_envs.errors import SandboxError
from spade_envs.types import EnvSource, Finding, Neighbour, Report, Severity

Judge = Callable[[EnvSource], Report]


class Judged(Checkers):
    """Checkers that say what a function says, and remember what they were asked."""

    def __init__(self, judge: Judge | None = None) -> None:
        self.judge: Judge = judge or (lambda source: Report(source.sha256, contract="answer", max_turns=4, instances=6))
        self.seen: list[tuple[EnvSource, Sequence[Neighbour]]] = []

    def report(self, source: EnvSource, known: tuple[Neighbour, ...]) -> Report:
        """What it says."""
        return self.judge(source)

    def submit(self, source: EnvSource, known: Sequence[Neighbour] = ()) -> Future[Report]:
        """The report, at once."""
        self.seen.append((source, known))
        future: Future[Report] = Future()
        try:
            future.set_result(self.report(source, tuple(known)))
        except SandboxError as error:
            future.set_exception(error)
        return future


def said(source: EnvSource, rule: str, severity: Severity = Severity.ERROR, message: str = "No.") -> Report:
    """A report with one finding."""
    return Report(source.sha256, (Finding(rule, severity, message),), contract="answer", max_turns=4, instances=6)


def go(scripted: Scripted, place: Place, checkers: Checkers | None = None, **options: Any) -> DesignResult:
    """A run against a served script."""
    with served(scripted) as url:
        return asyncio.run(run(scripted.plan, url, place, checkers=checkers or Judged(), **options))


def of(*kinds: str, **changes: Any) -> Scripted:
    """A script of these slots."""
    return Scripted(plan_of(len(kinds), **changes), list(kinds))
