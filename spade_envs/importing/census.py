"""What a pool holds: how many of its sources are admitted, refused by which rule, undecided; per skill, model and step.

The same census comes from a run while it goes on, and from the memory at any later time.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import TYPE_CHECKING

from ..types import Verdict

if TYPE_CHECKING:
    from ..memory import SqliteMemory

UNCHECKED = "unchecked"
"""In place of a verdict, where there is no report."""
MOST_STEPS = 12
"""Buckets of training steps at most."""
MOST_VALUES = 60
"""Skills and models that a census tells apart; the rest is counted together under :data:`OTHERS`."""
OTHERS = "(others)"


@dataclasses.dataclass(frozen=True)
class Tally:
    """Sources of one kind, by verdict."""

    value: str
    """What they have in common: a skill, a model; empty where it is not known."""
    admitted: int = 0
    refused: int = 0
    undecided: int = 0
    unchecked: int = 0

    @property
    def sources(self) -> int:
        """All of them."""
        return self.admitted + self.refused + self.undecided + self.unchecked


@dataclasses.dataclass(frozen=True)
class Steps:
    """Sources of consecutive training steps."""

    first: int
    last: int
    """Belongs to it."""
    tally: Tally


@dataclasses.dataclass(frozen=True)
class Blamed:
    """How many sources a rule stopped: the first one in a report that did not let it pass."""

    rule: str
    refused: int
    undecided: int


@dataclasses.dataclass(frozen=True)
class Trouble:
    """Problems of one kind in a pool: what could not be read as a source."""

    kind: str
    count: int


@dataclasses.dataclass(frozen=True)
class Census:
    """Counts over one pool. Each source is counted once in every field."""

    pool: str
    """Name of the pool."""
    total: Tally
    shelved: int
    """Of them, those that are on a shelf."""
    rules: tuple[Blamed, ...]
    """Most frequent first."""
    skills: tuple[Tally, ...]
    """By name; unknown last."""
    models: tuple[Tally, ...]
    """By who wrote it and the size of that model, e.g. ``some-model, 30B``; unknown last."""
    steps: tuple[Steps, ...]
    """In order, at most :data:`MOST_STEPS`; empty ones are left out, and sources without a step too."""
    problems: tuple[Trouble, ...] = ()
    """Most frequent first. Only a run knows them: what is no source is not remembered."""


_FIELDS = {
    Verdict.ADMIT.value: "admitted",
    Verdict.REFUSE.value: "refused",
    Verdict.UNDECIDED.value: "undecided",
    UNCHECKED: "unchecked",
}


class Counting:
    """Counts sources one by one; :meth:`census` tells what came together so far.

    >>> counting = Counting("my-pool")
    >>> counting.add("admit", skill="logical-deduction", step=0)
    >>> counting.add("refuse", skill="logical-deduction", rule="static.import", step=7)
    >>> counting.census().total.sources, counting.census().rules[0].rule
    (2, 'static.import')
    """

    def __init__(self, pool: str) -> None:
        self.pool = pool
        self.shelved = 0
        self._total: Counter[str] = Counter()
        self._rules: Counter[tuple[str, str]] = Counter()
        self._skills: Counter[tuple[str, str]] = Counter()
        self._models: Counter[tuple[str, str]] = Counter()
        self._steps: Counter[tuple[int, str]] = Counter()
        self._problems: Counter[str] = Counter()

    def add(
        self,
        verdict: str,
        *,
        rule: str = "",
        skill: str = "",
        made_by: str = "",
        scale: str = "",
        step: int | None = None,
        shelved: bool = False,
        times: int = 1,
    ) -> None:
        """Count a source, or several that are alike.

        Args:
            verdict: ``admit``, ``refuse``, ``undecided`` or :data:`UNCHECKED`.
            rule: first rule that did not let it pass.
            skill, made_by, scale, step: as in ``EnvSource`` and ``Origin``.
            shelved: whether it is on a shelf.
            times: how many.
        """
        self._total[verdict] += times
        self._skills[skill, verdict] += times
        self._models[", ".join(part for part in (made_by, scale) if part), verdict] += times
        if rule:
            self._rules[rule, verdict] += times
        if step is not None:
            self._steps[step, verdict] += times
        self.shelved += times if shelved else 0

    def problem(self, kind: str, times: int = 1) -> None:
        """Count what could not be read as a source."""
        self._problems[kind] += times

    def census(self) -> Census:
        """The counts so far."""
        rules = {rule for rule, _ in self._rules}
        blamed = [
            Blamed(rule, self._rules[rule, Verdict.REFUSE.value], self._rules[rule, Verdict.UNDECIDED.value])
            for rule in rules
        ]
        troubles = sorted(self._problems.items(), key=lambda one: (-one[1], one[0]))
        return Census(
            pool=self.pool,
            total=_tally("", self._total),
            shelved=self.shelved,
            rules=tuple(sorted(blamed, key=lambda one: (-one.refused - one.undecided, one.rule))),
            skills=_tallies(self._skills),
            models=_tallies(self._models),
            steps=_buckets(self._steps),
            problems=tuple(Trouble(kind, count) for kind, count in troubles),
        )


def census(memory: SqliteMemory, pool: str) -> Census:
    """The census of a pool as the memory knows it, by the last report on each source.

    A source that the memory knew already when the pool was imported counts where it was first seen.

    Raises:
        StoreError: the memory cannot be read.
    """
    counting = Counting(pool)
    rows = memory.db.run(
        "SELECT verdict, rule, skill, made_by, scale, step, env_id <> '', count(*) FROM sources WHERE pool = ? "
        "GROUP BY 1, 2, 3, 4, 5, 6, 7",
        pool,
    )
    for verdict, rule, skill, made_by, scale, step, shelved, times in rows:
        counting.add(
            verdict,
            rule=rule,
            skill=skill,
            made_by=made_by,
            scale=scale,
            step=step,
            shelved=bool(shelved),
            times=times,
        )
    return counting.census()


def pools(memory: SqliteMemory) -> tuple[str, ...]:
    """Names of all pools that sources in the memory came from, sorted. Raises :class:`StoreError`."""
    rows = memory.db.run("SELECT DISTINCT pool FROM sources WHERE pool <> '' ORDER BY pool")
    return tuple(str(row[0]) for row in rows)


def bucket_width(span: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50, ... with which ``span`` steps make at most :data:`MOST_STEPS` buckets.

    >>> bucket_width(12), bucket_width(13), bucket_width(397)
    (1, 2, 50)
    """
    width = 1
    while True:
        for factor in (1, 2, 5):
            # One more, since the first bucket begins at a multiple of the width.
            if -(-span // (width * factor)) + (1 if width * factor > 1 else 0) <= MOST_STEPS:
                return width * factor
        width *= 10


def _tally(value: str, verdicts: Counter[str]) -> Tally:
    counts: Counter[str] = Counter()
    for verdict, count in verdicts.items():
        counts[_FIELDS.get(verdict, "unchecked")] += count
    return Tally(value, **counts)


def _tallies(counts: Counter[tuple[str, str]]) -> tuple[Tally, ...]:
    by_value: dict[str, Counter[str]] = {}
    for (value, verdict), count in counts.items():
        by_value.setdefault(value, Counter())[verdict] += count
    # A hostile pool may name a skill for every source.
    frequent = sorted(by_value, key=lambda value: (-by_value[value].total(), value))
    for value in frequent[MOST_VALUES:]:
        by_value.setdefault(OTHERS, Counter()).update(by_value.pop(value))
    order = sorted(by_value, key=lambda value: (value == "", value == OTHERS, value))
    return tuple(_tally(value, by_value[value]) for value in order)


def _buckets(counts: Counter[tuple[int, str]]) -> tuple[Steps, ...]:
    if not counts:
        return ()
    steps = [step for step, _ in counts]
    width = bucket_width(max(steps) - min(steps) + 1)
    buckets: dict[int, Counter[str]] = {}
    for (step, verdict), count in counts.items():
        buckets.setdefault(step // width, Counter())[verdict] += count
    found = []
    for number, verdicts in sorted(buckets.items()):
        first, last = number * width, number * width + width - 1
        found.append(Steps(first, last, _tally(str(first) if width == 1 else f"{first} to {last}", verdicts)))
    return tuple(found)
