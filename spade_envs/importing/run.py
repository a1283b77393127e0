"""An import: candidates of a pool checked, several at a time, then remembered and admitted in their order.

What a run has decided is in the memory, so that the same command goes on where it stopped: a source with a report of
this version is not checked again. A kill loses at most what is in flight, and whatever is done twice changes nothing.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import Protocol

from ..admission import card_of
from ..bulk import AHEAD, Checkers
from ..cards import card_bytes
from ..errors import StoreError, UnknownEnv
from ..shelf import Shelf
from ..types import EnvSource, Isolation, Limits, Memory, Report, Severity, Verdict
from ..version import __version__
from .census import UNCHECKED, Census, Counting
from .pools import Candidate, Pool
from .problems import Problem, ProblemKind, Refused
from .shelved import Shelved


class ImportMemory(Memory, Protocol):
    """A memory that also tells what it holds."""

    def source(self, sha256: str) -> EnvSource | None:
        """A source as it was first seen."""

    def reports(self, sha256: str) -> Sequence[Report]:
        """Every report on a source, oldest first."""

    def shelve(self, sha256: str, env_id: str) -> None:
        """Tell which gymnasium id a source has."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ImportPlan:
    """How a pool is imported."""

    skill: str = ""
    """Only candidates of this skill."""
    limit: int = 0
    """Only so many candidates, the first ones; 0 for all."""
    recheck: bool = False
    """Check everything, whatever is remembered."""
    undecided: bool = False
    """Check those again that were undecided."""
    isolation: Isolation = Isolation.SECCOMP
    """Least isolation that a remembered report must have been made under."""
    limits: Limits = dataclasses.field(default_factory=Limits)
    """Those that the checkers use."""

    def __post_init__(self) -> None:
        if self.limit < 0:
            raise ValueError(f"limit is {self.limit}; allowed: 0 (all) and more")


@dataclasses.dataclass(frozen=True)
class Judged:
    """What became of a candidate."""

    candidate: Candidate
    report: Report
    env_id: str
    """Gymnasium id; empty when it is on no shelf."""
    known: bool
    """Whether it was not checked, since its report was there already."""

    @property
    def rule(self) -> str:
        """First rule that did not let it pass; empty when it passed."""
        return stopped_by(self.report)


def stopped_by(report: Report) -> str:
    """The first rule that did not let a source pass: of an error, where there is one, else of what is undecided."""
    for severity in (Severity.ERROR, Severity.UNDECIDED):
        found = next((finding.rule for finding in report.findings if finding.severity is severity), "")
        if found:
            return found
    return ""


_Answer = Future[Report] | Report
_Waiting = tuple[Candidate, _Answer] | Problem


class PoolImport:
    """One run over a pool: iterate over it once, for what became of every candidate, and for problems, in order.

    Args:
        pool: what is imported.
        memory: where every candidate and its report go.
        checkers: processes that check, made with ``plan.limits``; see :class:`spade_envs.bulk.Checkers`.
        shelf: where admitted ones go; ``None`` for nowhere.
        others: further shelves whose environments are not admitted again.
        plan: which candidates, and what is checked again.

    Iterating raises :class:`StoreError` when memory or shelf cannot be used, and :class:`SandboxError` when this
    machine cannot check sources. What was told before is kept.
    """

    def __init__(
        self,
        pool: Pool,
        memory: ImportMemory,
        checkers: Checkers,
        *,
        shelf: Shelf | None = None,
        others: Sequence[Shelf] = (),
        plan: ImportPlan | None = None,
    ) -> None:
        self.plan = plan or ImportPlan()
        self._pool, self._memory, self._checkers, self._shelf = pool, memory, checkers, shelf
        shelves = ([shelf] if shelf is not None else []) + list(others)
        self._shelved = Shelved(shelves, self.plan.limits.source_bytes)
        self._counting = Counting(pool.name)

    def census(self) -> Census:
        """Counts of what was told so far."""
        return self._counting.census()

    def __iter__(self) -> Iterator[Judged | Problem]:
        """Work, and tell what became of each."""
        waiting: collections.deque[_Waiting] = collections.deque()
        for item in selected(self._pool, self.plan):
            waiting.append(item if isinstance(item, Problem) else (item, self._answer(item.source)))
            if len(waiting) >= AHEAD * self._checkers.jobs:
                yield self._ended(waiting.popleft())
        while waiting:
            yield self._ended(waiting.popleft())

    def _answer(self, source: EnvSource) -> _Answer:
        """The report that is remembered, or one to come."""
        if not self.plan.recheck and (remembered := self._remembered(source)) is not None:
            return remembered
        return self._checkers.submit(source, self._shelved.neighbours(source))

    def _remembered(self, source: EnvSource) -> Report | None:
        """The last report on a source, where it still holds."""
        there = self._shelved.place(source.sha256)
        if there is not None:
            shelf, name = there
            with contextlib.suppress(StoreError, UnknownEnv):  # a card of strangers may be broken
                return shelf.read_card(name).report
        known = self._memory.source(source.sha256)
        if known is None or known.hint != source.hint or source.contract not in ("", known.contract):
            return None  # its hint is judged with it, and a declared contract decides how it is played
        report = next(iter(reversed(self._memory.reports(source.sha256))), None)
        if report is None or report.versions.get("spade-envs") != __version__:
            return None
        if report.isolation.rank < self.plan.isolation.rank:
            return None
        return None if self.plan.undecided and report.verdict is Verdict.UNDECIDED else report

    def _ended(self, waiting: _Waiting) -> Judged | Problem:
        if isinstance(waiting, Problem):
            self._counting.problem(waiting.kind.value, waiting.count)
            return waiting
        candidate, answer = waiting
        known = isinstance(answer, Report)
        report = answer if isinstance(answer, Report) else answer.result()
        try:
            judged = self._kept(candidate, report, known=known)
        except Refused as refused:
            count(self._counting, candidate, Judged(candidate, report, "", known))
            return self._ended(refused.at(candidate.place))
        count(self._counting, candidate, judged)
        return judged

    def _kept(self, candidate: Candidate, report: Report, *, known: bool) -> Judged:
        """Remember and shelve, in this order: what is on a shelf is in the memory too.

        Raises:
            Refused: it has no card.
        """
        source = candidate.source
        if report.verdict is Verdict.ADMIT and not self._shelved.env_id(source.sha256):
            same = self._shelved.neighbours(source)
            if same:
                # One that was checked at the same time came first.
                report, known = self._checkers.submit(source, same).result(), False
        self._memory.add_source(source)
        if not known or not self._memory.reports(source.sha256):
            self._memory.add_report(report)
        env_id = self._shelved.env_id(source.sha256)
        if report.verdict is Verdict.ADMIT:
            if not env_id and self._shelf is not None:
                env_id = self._put(self._shelf, source, report)
            self._shelved.note(source, env_id, candidate.place)
        if env_id:
            self._memory.shelve(source.sha256, env_id)
        return Judged(candidate, report, env_id, known)

    def _put(self, shelf: Shelf, source: EnvSource, report: Report) -> str:
        card = card_of(source, report)
        try:
            card_bytes(card)
        except StoreError as error:
            # Not a fault of the shelf, which would end the run: it would end at this source whenever it is run.
            raise Refused(ProblemKind.NO_CARD, str(error)) from None
        return f"{shelf.namespace}/{shelf.add(source, card).name}"


def selected(pool: Pool, plan: ImportPlan) -> Iterator[Candidate | Problem]:
    """Candidates that a plan wants, and the problems met on the way to them."""
    left = plan.limit
    for item in pool:
        if isinstance(item, Problem):
            yield item
        elif not plan.skill or item.source.skill == plan.skill:
            yield item
            left -= 1
            if left == 0:
                return


def count(counting: Counting, candidate: Candidate, judged: Judged | None) -> None:
    """Count a candidate, judged or not."""
    source = candidate.source
    counting.add(
        UNCHECKED if judged is None else judged.report.verdict.value,
        rule="" if judged is None else judged.rule,
        skill=source.skill,
        made_by=source.made_by,
        scale=source.origin.scale,
        step=source.origin.step,
        shelved=judged is not None and bool(judged.env_id),
    )


def census_of(pool: Pool, plan: ImportPlan | None = None) -> Census:
    """What a pool holds, without checking anything.

    Raises:
        StoreError: it cannot be read.
    """
    counting = Counting(pool.name)
    for item in selected(pool, plan or ImportPlan()):
        if isinstance(item, Problem):
            counting.problem(item.kind.value, item.count)
        else:
            count(counting, item, None)
    return counting.census()
