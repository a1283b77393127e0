"""The gate: which rules run, in which order, and what an admission writes.

Rules fail closed. A finding of severity error refuses; an exception of ours, a box that cannot be had in the middle of
a check, or a mandatory rule that the budget did not reach is *undecided*, never an acceptance.
"""

from __future__ import annotations

import dataclasses
import datetime
from collections.abc import Callable, Sequence
from pathlib import Path

from .check import Check
from .fingerprints import fingerprint
from .memory import SqliteMemory
from .rules import GateRule
from .sandbox.host import BoxOptions
from .shelf import Shelf
from .sources import read_source
from .trial import Trial
from .types import Card, EnvSource, Isolation, Limits, Neighbour, Report, Rule, Verdict
from .validators import (
    contract,
    criteria,
    determinism,
    duplicates,
    exploits,
    feasibility,
    floor,
    hints,
    imports,
    interactive,
    leaks,
    load,
    restricted,
    robustness,
    syntax,
    tool_play,
    tools,
)

STAGES: tuple[tuple[str, tuple[GateRule, ...]], ...] = (
    (
        "static",
        (
            syntax.syntax,
            syntax.one_class,
            syntax.stub,
            imports.imports,
            restricted.restricted,
            duplicates.exact,
            duplicates.near,
        ),
    ),
    ("load", (load.error, load.timeout, load.memory, load.output)),
    (
        "property",
        (
            determinism.replay,
            contract.reset,
            contract.step,
            contract.reward,
            contract.flags,
            contract.observation,
            contract.info,
            contract.turns,
            robustness.raises,
            robustness.hangs,
            feasibility.witness,
            feasibility.no_witness,
            feasibility.budget,
            feasibility.retry,
            feasibility.underivable,
            determinism.seed,
            floor.blind,
            floor.floor,
            leaks.observation,
            leaks.feedback,
            leaks.info,
            leaks.schema,
            hints.hint,
            tools.schema,
            tools.broken,
            criteria.free,
            criteria.raises,
            criteria.order,
            criteria.stuck,
            interactive.static,
            determinism.worn,
            exploits.constant,
            exploits.farming,
            tool_play.unstable,
            tool_play.trap,
            tool_play.shortcut,
            interactive.one_shot,
        ),
    ),
)
"""The order of the gate, cheap to dear. A stage with errors is the last one that runs."""


CARD_NEIGHBOURS = 5
"""Neighbours that a card keeps."""


def rules() -> dict[str, GateRule]:
    """Every rule by name, in the order in which they run."""
    return {rule.name: rule for _, stage in STAGES for rule in stage}


def validate(
    source: EnvSource | str | Path,
    *,
    limits: Limits | None = None,
    run_seed: int = 0,
    extra: Sequence[Rule] = (),
    options: BoxOptions | None = None,
) -> Report:
    """Check one source in the box.

    Args:
        source: a source, its text, or the path of its file.
        limits: thresholds; ``Limits()`` by default.
        run_seed: with the source's hash it decides every seed of the check.
        extra: further rules, run at the end of the stage each names (``static``, ``load`` or ``property``).
        options: how to build the box; the default demands isolation ``seccomp``.

    Returns:
        The report; its verdict is computed from its findings.

    Raises:
        SandboxError: this machine cannot isolate as required; nothing was run.
        SourceError, OSError: the path cannot be read as a source.
        ValueError: a rule of ``extra`` names no stage of the gate.

    >>> validate("x = 1").verdict.value
    'refuse'
    """
    return _check(_as_source(source), limits or Limits(), run_seed, extra, options or check_options())


def validate_beside(
    source: EnvSource, known: Sequence[Neighbour], *, limits: Limits, run_seed: int, options: BoxOptions
) -> Report:
    """As :func:`validate`, for a source like which others are known already."""
    return _check(source, limits, run_seed, (), options, known)


def _check(
    source: EnvSource,
    limits: Limits,
    run_seed: int,
    extra: Sequence[Rule],
    options: BoxOptions,
    known: Sequence[Neighbour] = (),
) -> Report:
    named = [stage for stage, _ in STAGES]
    for rule in extra:
        if rule.stage not in named:
            raise ValueError(f"the rule {rule.name!r} names the stage {rule.stage!r}; stages are {', '.join(named)}")
    stages = [
        (stage, (*stage_rules, *(rule for rule in extra if rule.stage == stage))) for stage, stage_rules in STAGES
    ]
    trial = Trial(source, limits, run_seed, options)
    trial.known = known
    return Check(trial, stages).run()


def check_options(require: Isolation = Isolation.SECCOMP) -> BoxOptions:
    """The box of a check."""
    # A check's workers are short-lived: a limit on their processor time hurts no innocent.
    return BoxOptions(require=require, cpu_seconds=120)


def _as_source(source: EnvSource | str | Path) -> EnvSource:
    if isinstance(source, EnvSource):
        return source
    return read_source(source) if isinstance(source, Path) else EnvSource(source)


@dataclasses.dataclass(frozen=True)
class Admission:
    """What became of a source that was to be admitted."""

    report: Report
    card: Card | None
    """The card on the shelf; ``None`` when the verdict was not to admit."""
    known: bool = False
    """Whether the same text was on the shelf already."""
    env_id: str = ""


def admit(
    source: EnvSource | str | Path,
    shelf: Shelf | Path | str | None = None,
    *,
    limits: Limits | None = None,
    run_seed: int = 0,
    extra: Sequence[Rule] = (),
    options: BoxOptions | None = None,
    memory: SqliteMemory | None = None,
    check: Callable[[EnvSource, Sequence[Neighbour]], Report] | None = None,
    near: Callable[[EnvSource], Sequence[Neighbour]] | None = None,
) -> Admission:
    """Check a source, and put it on a shelf if the verdict is to admit.

    Args:
        source: as in :func:`validate`.
        shelf: where to put it, a shelf or its folder; the user's own shelf by default.
        limits, run_seed, extra, options: as in :func:`validate`.
        check: what checks the source, given known ones like it; by default it is done here and now, with the arguments
            above. See :class:`spade_envs.bulk.Checkers`.
        memory: where to remember the source and its report, refused ones too; not remembered by default.
        near: what looks up sources with nearly the same code; by default ``memory``, where there is one.

    Returns:
        The report, and the card when it was admitted or known already.

    Raises:
        StoreError: the shelf or the memory cannot be written; nothing half-written is left.
        SandboxError, SourceError, OSError: as in :func:`validate`.
    """
    from .store import search_path, user_shelf

    taken = _as_source(source)
    target = user_shelf() if shelf is None else Shelf(shelf) if isinstance(shelf, (str, Path)) else shelf
    # On the way to the user's own shelf, a text that any shelf of the search path holds keeps its id.
    places = [target, *(search_path() if shelf is None else [])]
    for place in places:
        known = place.find(taken.sha256)
        if known is not None:
            card = place.read_card(known.name)
            return Admission(card.report, card, True, known.env_id)
    same = [entry for place in places for entry in place.same_code(fingerprint(taken.text))]
    exact = [Neighbour(entry.sha256, 1.0, entry.env_id) for entry in same]
    look_up = near or (memory.neighbours if memory is not None else None)
    neighbours = together(exact, look_up(taken) if look_up is not None else ())
    if check is not None:
        report = check(taken, neighbours)
    else:
        report = _check(taken, limits or Limits(), run_seed, extra, options or check_options(), neighbours)
    if memory is not None:
        memory.add_source(taken)
        memory.add_report(report)
    if report.verdict is not Verdict.ADMIT:
        return Admission(report, None)
    card = target.add(taken, card_of(taken, report, neighbours))
    env_id = f"{target.namespace}/{card.name}"
    if memory is not None and shelf is None:  # an id of another shelf may mean nothing without its folder
        memory.shelve(taken.sha256, env_id)
    return Admission(report, card, False, env_id)


def together(exact: Sequence[Neighbour], near: Sequence[Neighbour]) -> tuple[Neighbour, ...]:
    """Sources with the same code, then those with nearly the same, each once, the most similar first."""
    same = {one.sha256 for one in exact}
    others = sorted((one for one in near if one.sha256 not in same), key=lambda one: -one.similarity)
    return (*exact, *{one.sha256: one for one in others}.values())


def card_of(source: EnvSource, report: Report, neighbours: Sequence[Neighbour] = ()) -> Card:
    """The card of a source that was checked beside its neighbours, the nearest first, still without a number."""
    return Card(
        name="env-0000",  # the shelf gives the number
        sha256=source.sha256,
        skill=source.skill,
        contract=report.contract,
        hint=source.hint,
        max_turns=report.max_turns,
        menu=report.menu,
        witness_kind=report.witness_kind,
        instances=report.instances,
        floor=report.floor,
        parent=source.parent,
        document=source.document,
        made_by=source.made_by,
        report=report,
        made=datetime.datetime.now(datetime.UTC).date().isoformat(),
        fingerprint=fingerprint(source.text),
        neighbours=tuple(neighbours[:CARD_NEIGHBOURS]),
        origin=source.origin,
    )
