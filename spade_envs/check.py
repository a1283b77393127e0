"""One run of the gate over one source: stages in order, what each rule found, and the report.

An exception of ours and a mandatory rule that the budget did not reach are *undecided*, never an acceptance.
"""

from __future__ import annotations

import importlib.metadata
import platform
import time
from collections.abc import Iterable, Sequence

from .errors import SandboxError
from .menus import offers_all
from .rules import GateRule
from .sandbox.source import parse
from .trial import Trial
from .types import Fault, Finding, Report, Rule, Severity, WitnessTry
from .validators.floor import floor_of
from .version import __version__


class Check:
    """One run of the gate over the source of a trial, which it closes."""

    def __init__(self, trial: Trial, stages: Sequence[tuple[str, Sequence[Rule]]]) -> None:
        self.trial = trial
        self.source = trial.source
        self.limits = trial.limits
        self.stages = stages
        self.findings: list[Finding] = []
        self.seconds: dict[str, float] = {}
        self.reached: set[str] = set()
        self.isolation = trial.options.require

    @property
    def names(self) -> list[str]:
        """Every rule of this run."""
        return [rule.name for _, stage_rules in self.stages for rule in stage_rules]

    def run(self) -> Report:
        """Run the stages until one refuses."""
        try:
            begun = time.monotonic()
            ready = self._prepare()
            self.seconds["start"] = time.monotonic() - begun
            for stage, stage_rules in self.stages if ready else ():
                if stage == "static" and not self.trial.options.language:
                    continue  # the language layer is off on purpose: let the source run, and see what stops it
                if not self._run_stage(stage, stage_rules):
                    break
            return self._report()
        except SandboxError:
            raise
        except Exception as error:  # a fault of ours must not become an acceptance, nor end a run over many files
            self._undecided(
                "gate.error", f"The check failed itself ({type(error).__name__}: {error}); please report it."
            )
            return Report(self.source.sha256, tuple(self.findings), tuple(self.names), isolation=self.isolation)
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
            core = not isinstance(rule, GateRule) or rule.core
            spent = self.trial.budget.left() <= 0
            if stage != "static" and (spent or self._hopeless()):
                if core and spent:
                    self._undecided(
                        "gate.budget", f"The budget of {self.limits.budget_seconds:g} s ended before {rule.name}."
                    )
                    stop = True
                if core:
                    break
                continue
            found = self._run_rule(rule)
            self.findings += found
            self.reached.add(rule.name)
            if rule.name == "static.syntax" and found:
                stop = True
                break
            if core and stage != "static" and self.trial.budget.left() <= 0:
                # It may have seen less than it should.
                self._undecided(
                    "gate.budget", f"The budget of {self.limits.budget_seconds:g} s ended during {rule.name}."
                )
                stop = True
                break
        self.seconds[stage] = time.monotonic() - begun
        return not stop and not self._blocked()

    def _blocked(self) -> bool:
        return any(finding.severity is not Severity.WARNING for finding in self.findings)

    def _hopeless(self) -> bool:
        """Refused already, by a fault that costs a time limit or a worker whenever it is met again."""
        return self.trial.costly and any(finding.severity is Severity.ERROR for finding in self.findings)

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
        not_reached = tuple(name for name in self.names if name not in self.reached)
        if self.trial.exploration.complete is False:
            not_reached += ("robustness.exploration",)
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
            floor=self._floor(),
            menu=self._menu(attempts),
        )

    def _floor(self) -> float | None:
        """Measured where it matters: on what may be admitted."""
        if "exploits.floor" not in self.reached or self._blocked():
            return None
        return round(floor_of(self.trial), 4)

    def _menu(self, attempts: Sequence[WitnessTry]) -> bool:
        """Whether the witness could have picked every action from a menu, by the episodes that were played already."""
        if self._blocked() or not attempts or self.trial.contract == "answer":
            return False  # a free answer is on no menu, whatever else the texts may mark
        shown = self.trial.shown_tools
        return all(a.won and a.episode is not None and offers_all(a.episode, shown(a.seed)) for a in attempts)


def versions() -> dict[str, str]:
    """Versions that a report depends on."""
    names = ("gymnasium", "RestrictedPython", "numpy")
    return {"spade-envs": __version__, "python": platform.python_version()} | {name: _version(name) for name in names}


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "unknown"
