"""The gate: which rules run, in which order, and what an admission writes.

Rules fail closed. A finding of severity error refuses; an exception of ours, a box that cannot be had in the middle of
a check, or a mandatory rule that the budget did not reach is *undecided*, never an acceptance.
"""

from __future__ import annotations

import dataclasses
import datetime
import importlib.metadata
import platform
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from .errors import SandboxError
from .memory import SqliteMemory
from .rules import GateRule
from .sandbox.host import BoxOptions
from .sandbox.source import parse
from .shelf import Shelf
from .sources import read_source
from .trial import Trial
from .types import Card, EnvSource, Fault, Finding, Isolation, Limits, Report, Rule, Severity, Verdict
from .validators import contract, determinism, feasibility, imports, load, restricted, robustness, syntax
from .version import __version__

STAGES: tuple[tuple[str, tuple[GateRule, ...]], ...] = (
    ("static", (syntax.syntax, syntax.one_class, syntax.stub, imports.imports, restricted.restricted)),
    ("load", (load.error, load.timeout, load.memory, load.output)),
    (
        "property",
        (
            contract.reset,
            contract.step,
            contract.reward,
            contract.flags,
            contract.observation,
            contract.info,
            contract.turns,
            robustness.raises,
            robustness.hangs,
            determinism.replay,
            feasibility.witness,
            feasibility.no_witness,
            feasibility.budget,
            feasibility.underivable,
        ),
    ),
)
"""The order of the gate, cheap to dear. A stage with errors is the last one that runs."""


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
    return Check(_as_source(source), limits or Limits(), run_seed, extra, options or check_options()).run()


def check_options(require: Isolation = Isolation.SECCOMP) -> BoxOptions:
    """The box of a check."""
    # A check's workers are short-lived: a limit on their processor time hurts no innocent.
    return BoxOptions(require=require, cpu_seconds=120)


def _as_source(source: EnvSource | str | Path) -> EnvSource:
    if isinstance(source, EnvSource):
        return source
    return read_source(source) if isinstance(source, Path) else EnvSource(source)


class Check:
    """One run of the gate over one source."""

    def __init__(
        self, source: EnvSource, limits: Limits, run_seed: int, extra: Sequence[Rule], options: BoxOptions
    ) -> None:
        stages = [stage for stage, _ in STAGES]
        for rule in extra:
            if rule.stage not in stages:
                raise ValueError(
                    f"the rule {rule.name!r} names the stage {rule.stage!r}; stages are {', '.join(stages)}"
                )
        self.source = source
        self.limits = limits
        self.trial = Trial(source, limits, run_seed, options)
        self.extra = extra
        self.findings: list[Finding] = []
        self.seconds: dict[str, float] = {}
        self.reached: set[str] = set()
        self.isolation = options.require

    def run(self) -> Report:
        """Run the stages until one refuses."""
        try:
            begun = time.monotonic()
            ready = self._prepare()
            self.seconds["start"] = time.monotonic() - begun
            for stage, stage_rules in STAGES if ready else ():
                if stage == "static" and not self.trial.options.language:
                    continue  # the language layer is off on purpose: let the source run, and see what stops it
                own = tuple(rule for rule in self.extra if rule.stage == stage)
                if not self._run_stage(stage, (*stage_rules, *own)):
                    break
            return self._report()
        except SandboxError:
            raise
        except Exception as error:  # a fault of ours must not become an acceptance, nor end a run over many files
            self._undecided(
                "gate.error", f"The check failed itself ({type(error).__name__}: {error}); please report it."
            )
            return Report(self.source.sha256, tuple(self.findings), tuple(rules()), isolation=self.isolation)
        finally:
            self.trial.close()

    def _prepare(self) -> bool:
        """Compile in the box. False when the source cannot even be looked at."""
        text = self.source.text
        size = len(text.encode("utf-8", "surrogatepass"))
        if size > self.limits.source_bytes:
            self._add("static.syntax", f"The source has {size} bytes; at most {self.limits.source_bytes} are allowed.")
        elif not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            self._add("static.syntax", "The source contains lone surrogates, which no UTF-8 file can hold.")
        if self.findings:
            return False
        compiled = self.trial.start()
        self.isolation = self.trial.pool.isolation(self.source)
        if isinstance(compiled, Fault):
            self._add("static.syntax", f"The source cannot be parsed: the parser {compiled.message}.")
            return False
        syntax_problem = any(kind == "syntax" for kind, _, _ in compiled.problems)
        if not syntax_problem:
            tree, problem = parse(text, nesting=self.limits.nesting)
            if tree is None:
                # It parsed in the box and not here: ours to explain, so nothing is decided.
                message = f"The source parsed in the box but not outside: {problem.message if problem else ''}."
                self.findings.append(Finding("gate.error", Severity.UNDECIDED, message))
                return False
            self.trial.tree = tree
            if not compiled.problems:
                self.trial.start_replays()
        return True

    def _add(self, rule: str, message: str) -> None:
        self.findings.append(Finding(rule, Severity.ERROR, message))
        self.reached.add(rule)

    def _run_stage(self, stage: str, stage_rules: Iterable[Rule]) -> bool:
        """Run a stage's rules; whether the next stage may run."""
        begun = time.monotonic()
        stop = False
        for rule in stage_rules:
            if self.trial.budget.left() <= 0 and stage != "static":
                self._undecided(
                    "gate.budget", f"The budget of {self.limits.budget_seconds:g} s ended before {rule.name}."
                )
                stop = True
                break
            found = self._run_rule(rule)
            self.findings += found
            self.reached.add(rule.name)
            if rule.name == "static.syntax" and found:
                stop = True
                break
        if not stop and stage != "static" and self.trial.budget.left() <= 0:
            # The last rule may have seen less than it should.
            self._undecided(
                "gate.budget", f"The budget of {self.limits.budget_seconds:g} s ended during {stage} rules."
            )
            stop = True
        self.seconds[stage] = time.monotonic() - begun
        blocked = any(finding.severity is not Severity.WARNING for finding in self.findings)
        return not stop and not blocked

    def _run_rule(self, rule: Rule) -> list[Finding]:
        try:
            return list(rule(self.trial))
        except SandboxError as error:
            return [Finding(rule.name, Severity.UNDECIDED, f"The box failed during this rule: {error}. Check again.")]
        except Exception as error:  # a fault of ours must not become an acceptance
            message = f"This rule failed itself ({type(error).__name__}: {error}); please report it with the source."
            return [Finding(rule.name, Severity.UNDECIDED, message)]

    def _undecided(self, rule: str, message: str) -> None:
        self.findings.append(Finding(rule, Severity.UNDECIDED, message))

    def _report(self) -> Report:
        every = [*rules(), *(rule.name for rule in self.extra)]
        not_reached = tuple(name for name in every if name not in self.reached)
        attempts = self.trial.attempts() if "feasibility.witness" in self.reached else ()
        won = next((attempt for attempt in attempts if attempt.won), None)
        episodes = [attempt.episode for attempt in attempts if attempt.episode is not None]
        return Report(
            source_sha256=self.source.sha256,
            findings=tuple(self.findings),
            not_reached=not_reached,
            seconds={stage: round(seconds, 4) for stage, seconds in self.seconds.items()},
            isolation=self.isolation,
            versions=versions(),
            contract=self.trial.contract if won is not None else self.source.contract,
            witness_kind=won.kind if won is not None else "",
            max_turns=self.trial.max_turns if "feasibility.witness" in self.reached else 0,
            instances=len({episode.observation for episode in episodes}),
        )


def versions() -> dict[str, str]:
    """Versions that a report depends on."""
    names = ("gymnasium", "RestrictedPython", "numpy")
    return {"spade-envs": __version__, "python": platform.python_version()} | {name: _version(name) for name in names}


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"


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
) -> Admission:
    """Check a source, and put it on a shelf if the verdict is to admit.

    Args:
        source: as in :func:`validate`.
        shelf: where to put it, a shelf or its folder; the user's own shelf by default.
        limits, run_seed, extra, options: as in :func:`validate`.
        memory: where to remember the source and its report, refused ones too; not remembered by default.

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
    for place in [target, *(search_path() if shelf is None else [])]:
        known = place.find(taken.sha256)
        if known is not None:
            card = place.read_card(known.name)
            return Admission(card.report, card, True, known.env_id)
    report = validate(taken, limits=limits, run_seed=run_seed, extra=extra, options=options)
    if memory is not None:
        memory.add_source(taken)
        memory.add_report(report)
    if report.verdict is not Verdict.ADMIT:
        return Admission(report, None)
    card = target.add(taken, _card(taken, report))
    return Admission(report, card, False, f"{target.namespace}/{card.name}")


def _card(source: EnvSource, report: Report) -> Card:
    return Card(
        name="env-0000",  # the shelf gives the number
        sha256=source.sha256,
        skill=source.skill,
        contract=report.contract,
        hint=source.hint,
        max_turns=report.max_turns,
        menu=False,
        witness_kind=report.witness_kind,
        instances=report.instances,
        floor=None,
        parent=source.parent,
        document=source.document,
        made_by=source.made_by,
        report=report,
        made=datetime.datetime.now(datetime.UTC).date().isoformat(),
    )
