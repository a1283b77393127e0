"""The gate fails closed, and its counterexamples are short: what is decided when something goes wrong on the way."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spade_envs.admission import Check, admit, check_options, rules, validate
from spade_envs.errors import SandboxError, SourceError
from spade_envs.rules import EXAMPLE, Complaint, GateRule, rule
from spade_envs.shelf import Shelf
from spade_envs.shrink import shrink
from spade_envs.sources import read_source
from spade_envs.trial import Trial
from spade_envs.types import EnvSource, Episode, Finding, Limits, Repro, Severity, StopReason, Turn, Verdict

LIMITS = Limits(witness_seeds=3, play_seeds=1, replay_seeds=1)


def extra(stage: str, check: Callable[[Any], Iterator[Complaint]], severity: Severity = Severity.ERROR) -> GateRule:
    return rule("test.extra", stage, severity)(check)


def failing(error: Exception) -> Callable[[Any], Iterator[Complaint]]:
    def check(ctx: Any) -> Iterator[Complaint]:
        raise error
        yield

    return check


def complain(ctx: Any) -> Iterator[Complaint]:
    yield Complaint("no", 7)


# -- failing closed --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stage", ["static", "load", "property"])
@pytest.mark.parametrize(
    ("error", "says"),
    [(KeyError("x"), "failed itself (KeyError: 'x')"), (SandboxError("gone"), "box failed during this rule: gone")],
)
def test_a_rule_that_fails_leaves_it_undecided(stage: str, error: Exception, says: str) -> None:
    report = validate(EXAMPLE, limits=LIMITS, extra=[extra(stage, failing(error))])
    assert report.verdict is Verdict.UNDECIDED
    (finding,) = report.findings
    assert (finding.rule, finding.severity) == ("test.extra", Severity.UNDECIDED) and says in finding.message


@pytest.mark.parametrize(
    ("severity", "verdict", "goes_on"),
    [
        (Severity.ERROR, Verdict.REFUSE, False),
        (Severity.UNDECIDED, Verdict.UNDECIDED, False),
        (Severity.WARNING, Verdict.ADMIT, True),
    ],
)
def test_a_stage_with_more_than_warnings_is_the_last(severity: Severity, verdict: Verdict, goes_on: bool) -> None:
    report = validate(EXAMPLE, limits=LIMITS, extra=[extra("static", complain, severity)])
    assert report.verdict is verdict and report.findings == (Finding("test.extra", severity, "no", 7),)
    assert ("load.error" in report.not_reached) == ("feasibility.witness" in report.not_reached) == (not goes_on)
    assert ("load" in report.seconds) == goes_on


@pytest.mark.parametrize("stage", ["load", "property"])
def test_a_budget_that_ends_within_the_last_rule_decides_nothing(stage: str) -> None:
    def spend(ctx: Any) -> Iterator[Complaint]:
        ctx.budget._end = 0.0
        yield from ()

    report = validate(EXAMPLE, limits=LIMITS, extra=[extra(stage, spend)])
    assert report.verdict is Verdict.UNDECIDED
    assert [finding.rule for finding in report.findings] == ["gate.budget"]


def test_a_budget_that_ends_between_rules_decides_nothing() -> None:
    report = validate(EXAMPLE, limits=dataclasses.replace(LIMITS, budget_seconds=1e-6))
    assert report.verdict is Verdict.UNDECIDED and "load.error" in report.not_reached
    assert [finding.rule for finding in report.findings] == ["gate.budget"]


@pytest.mark.parametrize(("core", "verdict"), [(True, Verdict.UNDECIDED), (False, Verdict.ADMIT)])
def test_only_the_core_must_be_reached(core: bool, verdict: Verdict) -> None:
    @rule("house.spends", "property", Severity.ERROR, core=False)
    def spends(ctx: Any) -> Iterator[Complaint]:
        ctx.budget._end = 0.0
        yield from ()

    @rule("house.late", "property", Severity.ERROR, core=core)
    def late(ctx: Any) -> Iterator[Complaint]:
        yield Complaint("This rule ran.")

    report = validate(EXAMPLE, limits=LIMITS, extra=[spends, late])
    assert report.verdict is verdict and "house.late" in report.not_reached
    assert [finding.rule for finding in report.findings] == ["gate.budget"] * core


def test_the_floor_of_what_may_be_admitted_is_told() -> None:
    assert validate(EXAMPLE, limits=LIMITS).floor == 0.0
    assert validate(EXAMPLE.replace("won = action", "won = True or action"), limits=LIMITS).floor is None


def test_an_error_in_the_gate_itself_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Check, "_report", lambda self: 1 / 0)
    report = validate(EXAMPLE, limits=LIMITS)
    assert report.verdict is Verdict.UNDECIDED and report.not_reached == tuple(rules())


@pytest.mark.parametrize(
    ("text", "says"),
    [("# " + "x" * 200, "202 bytes; at most 100"), ("#" + "é" * 50, "101 bytes"), ("#\ud800", "lone surrogates")],
)
def test_texts_that_are_not_even_looked_at(text: str, says: str) -> None:
    report = validate(text, limits=Limits(source_bytes=100))
    (finding,) = report.findings
    assert report.verdict is Verdict.REFUSE and finding.rule == "static.syntax" and says in finding.message
    assert "static.class" in report.not_reached


def test_a_file_that_changes_while_it_is_read_is_no_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "env.py"
    path.write_text(EXAMPLE)
    real = Path.read_bytes

    def read(self: Path) -> bytes:
        data = real(self)
        self.write_text(EXAMPLE + "# more\n")
        return data

    monkeypatch.setattr(Path, "read_bytes", read)
    with pytest.raises(SourceError, match="changed while it was read"):
        read_source(path)


def test_a_rule_must_name_a_stage() -> None:
    with pytest.raises(ValueError, match="stages are static, load, property"):
        validate(EXAMPLE, extra=[extra("later", complain)])


# -- what a report says ----------------------------------------------------------------------------------------


def test_the_run_seed_and_the_text_give_the_seeds() -> None:
    made = [Trial(_source("a"), LIMITS, run, check_options()) for run in (0, 1)]
    seeds = [trial.seeds for trial in made]
    assert not set(seeds[0]) & set(made[0].more_seeds)
    assert seeds[0] != seeds[1] and len(seeds[0]) == LIMITS.witness_seeds


def _source(tag: str) -> EnvSource:
    return EnvSource(f"# {tag}\n{EXAMPLE}")


def test_instances_are_counted_by_what_they_show() -> None:
    fixed = EXAMPLE.replace("What is {self.a} + {self.b}?", "Add the numbers.")
    assert validate(fixed, limits=LIMITS).instances == 1
    assert validate(EXAMPLE, limits=LIMITS).instances == 3


def test_a_text_is_admitted_once(tmp_path: Path) -> None:
    shelf = Shelf.create(tmp_path / "lab", "lab", 1)
    refused = admit(EXAMPLE, shelf, limits=LIMITS, extra=[extra("static", complain)])
    assert refused.card is None and refused.env_id == "" and shelf.entries() == ()
    first, again = admit(EXAMPLE, shelf, limits=LIMITS), admit(EXAMPLE, shelf, limits=LIMITS)
    assert (first.known, first.env_id) == (False, "lab/env-0001")
    assert (again.known, again.env_id, again.card) == (True, "lab/env-0001", first.card)
    assert len(shelf.entries()) == 1


# -- shorter counterexamples -----------------------------------------------------------------------------------


class Context:
    """Plays an environment that stops at the action ``stop`` and remembers how often it was asked."""

    def __init__(self, replays: int = 1000, left: float = 1.0, stop: str = "") -> None:
        self.limits = Limits(shrink_replays=replays)
        self.budget = self
        self.asked = 0
        self._left = left
        self._stop = stop

    def left(self) -> float:
        return self._left

    def play(self, seed: int, actions: tuple[str, ...]) -> Episode:
        self.asked += 1
        played = actions[: actions.index(self._stop) + 1] if self._stop in actions else actions
        return episode(played, seed)


def episode(actions: Any, seed: int = 5) -> Episode:
    turns = tuple(Turn(action, action, "", 0.0) for action in actions)
    return Episode("x", seed, "p", "", turns, False, True, StopReason.PLAYER_STOPPED)


@pytest.mark.parametrize(
    ("needed", "actions"),
    [("", "abcdefgh"), ("a", "abcdefgh"), ("h", "abcdefgh"), ("ah", "abcdefgh"), ("adg", "abcdefg"), ("bc", "abcd"),
     ("ace", "abcdef"), ("a", "a"), ("", "a"), ("aa", "aaaa"), ("", "")],
)  # fmt: skip
def test_what_is_not_needed_is_dropped(needed: str, actions: str) -> None:
    def same(played: Episode) -> bool:
        rest = iter(played.actions)
        return all(any(letter == found for found in rest) for letter in needed)

    context = Context()
    assert shrink(context, episode(actions), same) == Repro(5, tuple(needed))  # type: ignore[arg-type]
    assert context.asked <= 40


@pytest.mark.parametrize(("replays", "left", "asked"), [(0, 1.0, 0), (3, 1.0, 3), (100, 0.0, 0)])
def test_it_stops_with_its_means_and_keeps_what_it_has(replays: int, left: float, asked: int) -> None:
    context = Context(replays, left)
    repro = shrink(context, episode("abcdefgh"), lambda played: "h" in played.actions)  # type: ignore[arg-type]
    assert context.asked == asked and repro.actions[-1] == "h" and repro.seed == 5


def test_what_is_played_counts_and_not_what_was_asked() -> None:
    repro = shrink(Context(stop="c"), episode("abcdef"), lambda played: "c" in played.actions)  # type: ignore[arg-type]
    assert repro.actions == ("c",)
