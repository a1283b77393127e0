"""What a designer is shown from the memory: sources to learn from and some that failed, and a record of each draw."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..seeds import derive_seed
from ..types import EnvSource, Finding, Severity
from . import rows
from .candidates import candidates_of
from .choosing import STRATEGIES, TOO_EASY, Candidate, Chosen, choose
from .outline import outlined
from .packing import hash_in, hash_out, storable
from .records import Drawn, Negative, Positive

if TYPE_CHECKING:
    from .remembering import SqliteMemory

RECENT = 32
"""Draws for the same skill that a new one should differ from."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What is to be drawn. The same memory and the same of this give the same.

    Raises:
        ValueError: for an unknown strategy, or a number out of range.
    """

    skill: str = ""
    """Skill of the environment to be written; empty for any."""
    contract: str = ""
    """Its contract; empty for any."""
    positives: int = 2
    """Sources to learn from, at most."""
    negatives: int = 1
    """Sources that failed, at most."""
    strategy: str = "balanced"
    """One of :data:`choosing.STRATEGIES`."""
    seed: int = 0
    """Decides what is left to chance."""
    tokens: int = 5000
    """Most tokens of each source: a longer one is outlined, or passed over."""
    run: str = ""
    """Name of the run that asks, for the record."""
    slot: int | None = None
    """Its slot, for the record."""

    def __post_init__(self) -> None:
        if self.strategy not in STRATEGIES:
            raise ValueError(f"there is no strategy {self.strategy[:80]!r}; allowed: {', '.join(STRATEGIES)}")
        for name, least in (("positives", 0), ("negatives", 0), ("tokens", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} is {getattr(self, name)}; allowed: {least} and more")


@dataclass(frozen=True)
class Showing:
    """One time that a source was shown to a designer."""

    draw: int
    """Number of the draw in the memory."""
    role: str
    """``positive`` or ``negative``."""
    strategy: str
    seed: int
    run: str
    slot: int | None
    seen: int
    """Seconds since 1970."""


def draw(memory: SqliteMemory, wanted: Wanted, *, keep: bool = True) -> Drawn:
    """What one slot is shown, as :func:`draw_all`."""
    (drawn,) = draw_all(memory, (wanted,), keep=keep)
    return drawn


def draw_all(memory: SqliteMemory, wanted: Iterable[Wanted], *, keep: bool = True) -> tuple[Drawn, ...]:
    """What the slots of a run are shown, one after the other: each differs from those before where it can.

    Args:
        memory: what is drawn from.
        wanted: for each slot.
        keep: whether the draws are recorded; without, the memory stays as it is.

    Raises:
        StoreError: when the memory cannot be read, or not written where it has to be.
    """
    table = _Table(memory)
    asked = tuple(wanted)
    chosen = [table.choose(one) for one in asked]
    numbers = _recorded(memory, asked, chosen) if keep else [0] * len(asked)
    return tuple(
        Drawn(
            tuple(table.positive(candidate, one.tokens) for candidate in found.positives),
            tuple(table.negative(candidate, one.tokens) for candidate in found.negatives),
            number,
        )
        for one, found, number in zip(asked, chosen, numbers, strict=True)
    )


def record(memory: SqliteMemory, wanted: Wanted, positives: Sequence[str], negatives: Sequence[str]) -> None:
    """Record a draw that was made with ``keep=False``; once for each slot of a run.

    Args:
        memory: what was drawn from.
        wanted: what was wanted, with its ``run`` and ``slot``.
        positives, negatives: sha256 of what was shown; what the memory does not know is left out.

    Raises:
        StoreError: when the memory cannot be written.
    """
    execute = memory.db.execute
    about = (storable(wanted.skill), storable(wanted.run), wanted.slot)
    with memory.db.writing():
        there = execute("SELECT 1 FROM draws WHERE skill = ? AND run = ? AND slot IS ?", about)
        if there.fetchone():
            return
        number = _begun(execute, wanted)
        shown = [(sha256, "positive") for sha256 in positives] + [(sha256, "negative") for sha256 in negatives]
        for place, (sha256, role) in enumerate(shown):
            sql = "INSERT INTO drawn SELECT ?, ?, id, ? FROM sources WHERE sha256 = ?"
            execute(sql, (number, place, role, hash_in(sha256)))


def draws_of(memory: SqliteMemory, sha256: str) -> tuple[Showing, ...]:
    """Each time that a source was shown, oldest first.

    Raises:
        StoreError: when the memory cannot be read.
    """
    sql = """SELECT draw, role, strategy, seed, run, slot, draws.seen FROM drawn JOIN draws ON draws.id = draw
        WHERE source = (SELECT id FROM sources WHERE sha256 = ?) ORDER BY draw, place"""
    return tuple(Showing(*row) for row in memory.db.run(sql, hash_in(sha256)))


class _Table:
    """What was read for one call of :func:`draw_all`; slots of one skill and contract share it."""

    def __init__(self, memory: SqliteMemory) -> None:
        self._memory = memory
        self._pools: dict[tuple[object, ...], tuple[Candidate, ...]] = {}
        self._recent: dict[str, deque[tuple[str, ...]]] = {}
        self._sources: dict[int, EnvSource] = {}
        self._texts: dict[tuple[int, int], str | None] = {}
        self._failed: dict[int, tuple[str, Finding | None]] = {}

    def choose(self, wanted: Wanted) -> Chosen:
        recent = self._recent_of(wanted.skill)
        found = choose(
            self._pool(wanted),
            wanted.strategy,
            positives=wanted.positives,
            negatives=wanted.negatives,
            seed=derive_seed(wanted.seed, "choose", wanted.strategy, wanted.skill, wanted.contract),
            shown=Counter(sha256 for draw in recent for sha256 in draw),
            fits=self._fits(wanted.tokens),
        )
        recent.append(tuple(one.sha256 for one in (*found.positives, *found.negatives)))
        return found

    def positive(self, candidate: Candidate, tokens: int) -> Positive:
        return Positive(self._source(candidate), self._text(candidate, tokens) or "")

    def negative(self, candidate: Candidate, tokens: int) -> Negative:
        if candidate.id not in self._failed:
            self._failed[candidate.id] = _failure(self._memory, candidate)
        why, finding = self._failed[candidate.id]
        return Negative(self._source(candidate), why, finding, self._text(candidate, tokens) or "")

    def _fits(self, tokens: int) -> Callable[[Candidate], bool]:
        return lambda candidate: bool((self._text(candidate, tokens) or "").strip())

    def _text(self, candidate: Candidate, tokens: int) -> str | None:
        key = (candidate.id, tokens)
        if key not in self._texts:
            self._texts[key] = outlined(self._source(candidate), tokens)
        return self._texts[key]

    def _source(self, candidate: Candidate) -> EnvSource:
        if candidate.id not in self._sources:
            self._sources[candidate.id] = rows.source_of(self._memory.db, candidate.id)
        return self._sources[candidate.id]

    def _pool(self, wanted: Wanted) -> tuple[Candidate, ...]:
        key = (wanted.strategy, wanted.skill, wanted.contract, wanted.positives, wanted.negatives)
        if key not in self._pools:
            self._pools[key] = candidates_of(
                self._memory.db,
                wanted.strategy,
                wanted.skill,
                wanted.contract,
                positives=wanted.positives,
                negatives=wanted.negatives,
                seed=derive_seed(wanted.seed, "candidates"),
            )
        return self._pools[key]

    def _recent_of(self, skill: str) -> deque[tuple[str, ...]]:
        if skill not in self._recent:
            sql = """SELECT draw, sha256 FROM (SELECT id FROM draws WHERE skill = ? ORDER BY id DESC LIMIT ?) AS last
                JOIN drawn ON draw = last.id JOIN sources ON sources.id = source ORDER BY draw, place"""
            found: dict[int, list[str]] = {}
            for draw, sha256 in self._memory.db.run(sql, storable(skill), RECENT):
                found.setdefault(draw, []).append(hash_out(sha256))
            self._recent[skill] = deque(map(tuple, found.values()), RECENT)
        return self._recent[skill]


def _failure(memory: SqliteMemory, candidate: Candidate) -> tuple[str, Finding | None]:
    """Why a candidate is one that failed, in a sentence of ours, and what the gate found."""
    if candidate.refused:
        reports = memory.reports(candidate.sha256)
        findings = reports[-1].findings if reports else ()
        finding = next((one for one in findings if one.severity is Severity.ERROR), None)
        return ("The check refused it." if finding is None else f"The check refused it by {finding.rule}."), finding
    plain = candidate.plain or 0.0
    if candidate.band == "trivial" or plain > TOO_EASY:
        return f"It was too easy: without any hint, play came to {plain:.0%} of what can be reached.", None
    if candidate.band == "unreachable":
        return "It was out of reach: nobody won it, with a hint or without.", None
    return f"It was too hard: without a hint, play came to {plain:.0%} of what can be reached.", None


def _recorded(memory: SqliteMemory, asked: Sequence[Wanted], chosen: Sequence[Chosen]) -> list[int]:
    """Numbers of the draws, now that all of them are in the memory, or none where that fails."""
    numbers = []
    execute = memory.db.execute
    with memory.db.writing():
        for one, found in zip(asked, chosen, strict=True):
            number = _begun(execute, one)
            shown = [(candidate, "positive") for candidate in found.positives]
            shown += [(candidate, "negative") for candidate in found.negatives]
            for place, (candidate, role) in enumerate(shown):
                execute("INSERT INTO drawn VALUES (?, ?, ?, ?)", (number, place, candidate.id, role))
            numbers.append(number)
    return numbers


def _begun(execute: Callable[..., Any], one: Wanted) -> int:
    """Number of a new draw."""
    about = (one.strategy, storable(one.skill), storable(one.contract), one.seed, storable(one.run), one.slot)
    sql = "INSERT INTO draws (strategy, skill, contract, seed, run, slot) VALUES (?, ?, ?, ?, ?, ?) RETURNING id"
    ((number,),) = execute(sql, about).fetchall()
    return int(number)
