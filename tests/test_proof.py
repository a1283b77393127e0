"""The benchmark of the gate: does it count right, do its mutants break what they say, does it spare what is good?"""

from __future__ import annotations

import ast
import dataclasses
import random
import sys
from pathlib import Path

import pytest
from checkout import ROOT

sys.path.insert(0, str(ROOT))

from rich.console import Console

from benchmarks import bench_gate
from benchmarks.proof import run as runs
from benchmarks.proof.baseline import smoke
from benchmarks.proof.generator import generate
from benchmarks.proof.good import good_sources
from benchmarks.proof.judging import Judged, judge
from benchmarks.proof.mutants import Mutant, changed, exhibit_of, mutants_of
from benchmarks.proof.operators import OPERATORS
from benchmarks.proof.oracles import ASKED, MINOR, ORACLES, Case, Exhibit
from benchmarks.proof.scores import Scores
from benchmarks.proof.specimens import Specimen, known
from spade_envs.admission import rules

GOOD = {good.name: good for good in good_sources(0, 18)}
FINANCE, TILES, FLIGHTS = "written/finance_decimal", "written/shunting_namedtuple", "written/flights_tools_multiturn"


# -- the good set ----------------------------------------------------------------------------------------------


def test_the_good_set_is_large_and_varied() -> None:
    every = good_sources(0)
    assert len(every) >= 120 and len({good.text for good in every}) == len(every)
    assert sum(good.name.startswith("generated/") for good in every) >= 60
    assert sum(good.name.startswith("written/") for good in every) >= 40


def test_generated_sources_depend_on_the_seed_alone() -> None:
    assert generate(3, 20) == generate(3, 20)
    assert generate(3, 40)[:20] == generate(3, 20), "a longer run begins with the shorter one"
    assert not {one.text for one in generate(3, 20)} & {one.text for one in generate(4, 20)}
    assert {one.contract for one in generate(3, 20)} == {"answer", "interactive", "tools"}


@pytest.mark.parametrize("name", [FINANCE, TILES, FLIGHTS])
def test_no_oracle_holds_of_a_good_source(name: str) -> None:
    text = GOOD[name].text
    with Specimen(text) as specimen:
        case = Case(known(text), text, specimen)
        held = [oracle for oracle, holds in ORACLES.items() if holds(case) is not None]
    assert not held


@pytest.mark.parametrize(
    "text", ["class AEnv:\n def reset(self, seed=None): return 'x', {}\n def step(self, a): return 1\n"]
)
def test_what_is_not_won_is_no_good_source(text: str) -> None:
    with pytest.raises(ValueError, match="does not win"):
        known(text)


# -- operators -------------------------------------------------------------------------------------------------


def test_operators_name_rules_and_oracles_that_there_are() -> None:
    assert len(OPERATORS) >= 40
    for operator in OPERATORS.values():
        named = {rule.removeprefix("warn ") for rule in operator.rules}
        assert named <= set(rules()), (operator.name, named - set(rules()))
        assert set(operator.shows) <= set(ORACLES), operator.name
        assert set(operator.contracts) <= {"answer", "interactive", "tools"}, operator.name
    assert set(ASKED) | set(MINOR) <= set(ORACLES)


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_changes_some_good_source(name: str) -> None:
    operator = OPERATORS[name]
    made: list[str] = []
    for good in list(GOOD.values())[::3]:
        if len(made) == 2:
            break
        text = changed(operator, good.text, random.Random(1))
        if text is not None:
            made.append(text)
            assert text == changed(operator, good.text, random.Random(1)), "its draws alone decide"
            ast.parse(text)
            assert text != ast.unparse(ast.parse(good.text)) + "\n"
    assert made


@pytest.mark.parametrize(
    ("name", "origin", "shown"),
    [
        ("always won", FINANCE, "mindless win"),
        ("grader looks inside", FINANCE, "lax grader"),
        ("grader looks at the first letter", FINANCE, "crumb wins"),
        ("answer in the first text", FINANCE, "tells first"),
        ("answer in the feedback", FINANCE, "tells after"),
        ("answer in the hint", FINANCE, "tells by hint"),
        ("seed ignored", FINANCE, "same for every seed"),
        ("bank of three", FINANCE, "constant wins"),
        ("never won", FINANCE, "own solution loses"),
        ("raises when repeated", TILES, "fails"),
        ("remembers the last episode", TILES, "differs"),
        ("order of a set", TILES, "differs by hash seed"),
        ("nothing answers", TILES, "deaf"),
        ("every turn pays", TILES, "pays twice"),
        ("turn limit dropped", TILES, "runs on"),
        ("done is always right", FLIGHTS, "free reward"),
        ("criterion true at reset", FLIGHTS, "true before its turn"),
        ("schema of no known type", FLIGHTS, "bad schema"),
        ("ids are hidden", FLIGHTS, "unseen id"),
        ("chat tokens in the text", TILES, "chat tokens"),
        ("empty first text", TILES, "empty first text"),
    ],
)
def test_an_oracle_shows_what_an_operator_breaks(name: str, origin: str, shown: str) -> None:
    original = GOOD[origin].text
    text = changed(OPERATORS[name], original, random.Random(2))
    assert text is not None
    exhibit = exhibit_of(OPERATORS[name], original, text)
    assert exhibit is not None and exhibit.name == shown and exhibit.rate > 0.02


@pytest.mark.parametrize("name", ["wall clock", "unseeded generator"])
def test_what_the_box_mends_is_a_sound_variant(name: str) -> None:
    original = GOOD[FINANCE].text
    text = changed(OPERATORS[name], original, random.Random(2))
    assert text is not None and exhibit_of(OPERATORS[name], original, text) is None


def test_mutants_are_the_same_in_every_run_and_of_the_right_contract() -> None:
    good = [
        dataclasses.replace(GOOD[name], contract=known(GOOD[name].text).contract) for name in (FINANCE, TILES, FLIGHTS)
    ]
    first = list(mutants_of(OPERATORS["answer in the feedback"], good, 5, 2))
    assert first == list(mutants_of(OPERATORS["answer in the feedback"], good, 5, 2))
    assert [mutant.origin for mutant in first] == [FINANCE]


# -- judging ---------------------------------------------------------------------------------------------------


def test_the_smoke_test_sees_what_it_looks_at_and_no_more() -> None:
    good = GOOD[FINANCE].text
    assert smoke(good)
    assert not smoke(good.replace("def step(self, action", "def step(self, unused, action"))
    for name, spared in (("always won", True), ("flags that are no bool", False), ("reward above 1", True)):
        text = changed(OPERATORS[name], good, random.Random(1))
        assert text is not None and smoke(text) is spared, name


def test_a_judged_source_says_what_the_gate_said() -> None:
    text = changed(OPERATORS["always won"], GOOD[FINANCE].text, random.Random(1))
    assert text is not None
    mutant = Mutant("always won", FINANCE, text, Exhibit("mindless win", 1, ("x",), 1.0))
    judged = judge(text, "mutant", FINANCE, mutant)
    assert judged.verdict == "refuse" and "exploits.floor" in judged.errors and judged.smoke
    assert judged.reproduced > 0 and not judged.not_reproduced and judged.length == 1
    good = judge(GOOD[FINANCE].text, "good", FINANCE)
    assert (good.verdict, good.errors, good.contract, good.length) == ("admit", (), "answer", None)


def judged(kind: str, operator: str = "", **changes: object) -> Judged:
    """A judged source that was refused by ``exploits.floor``, or admitted when it is good."""
    fine = kind in ("good", "variant")
    one = Judged(
        kind, "x", operator, None, "admit" if fine else "refuse", () if fine else ("exploits.floor",), (), (), 1.0,
        {"property": 0.5}, None, 0, (), True,
    )  # fmt: skip
    return dataclasses.replace(one, **changes)  # type: ignore[arg-type]


def test_scores_count() -> None:
    every = [
        judged("good"),
        judged("good", verdict="undecided", smoke=False),
        judged("mutant", "always won"),
        judged("mutant", "always won", verdict="undecided", errors=("gate.budget",)),
        judged("mutant", "always won", errors=("leak.info",), smoke=False),
        judged("mutant", "order of a set", verdict="admit", errors=(), warnings=("determinism.replay",)),
        judged("mutant", "order of a set", verdict="admit", errors=()),
        judged("variant", "wall clock"),
        judged("variant", "wall clock", verdict="refuse", messages=("no",)),
        judged("rare", "always won", verdict="admit"),
    ]
    scores = Scores(every, 2)
    won, order, clock = scores.operators
    assert (won.mutants, won.caught, won.right, won.undecided, won.smoke, won.recall) == (3, 2, 1, 1, 1, 2 / 3)
    assert (order.mutants, order.caught, order.right) == (2, 1, 1)
    assert (clock.mutants, clock.recall, clock.variants, clock.spared) == (0, None, 2, 1)
    assert scores.recall == 3 / 5 and scores.smoke_recall == 1 / 5
    assert len(scores.missed()) == 2 and len(scores.refused()) == 2 and len(scores.rare) == 1
    floors = {"recall": 0.6, "worst operator": 0.6, "good admitted": 0.5}
    assert scores.below(floors) == ["recall of 'order of a set' 50%, at least 60%"]
    assert len(scores.below({"recall": 0.7, "worst operator": 0.7, "good admitted": 0.6})) == 4
    assert Scores([judged("good", verdict="refuse")], 1).below(floors)[-1].startswith("x is good and was refused")
    lost = Scores([judged("good", reproduced=1, not_reproduced=("exploits.floor",))], 1)
    assert lost.below(floors) == ["1 of 2 reproductions do not show their fault again"]


# -- a run -----------------------------------------------------------------------------------------------------

PLAN = runs.Plan(("always won",), 1, 0, True)


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs.Plan, "good", lambda plan: [GOOD[FINANCE], GOOD[TILES]])
    quiet = Console(quiet=True)
    first = runs.run(PLAN, tmp_path / "out", 1, quiet)
    assert [one.kind for one in first] == ["good", "good", "mutant"]
    results = tmp_path / "out" / "results.jsonl"
    lines = results.read_text().splitlines(keepends=True)
    results.write_text("".join(lines[:2]) + lines[2][:40])  # killed in the middle of a line
    again = runs.run(PLAN, tmp_path / "out", 1, quiet)
    assert [(one.name, one.verdict, one.sha256) for one in again] == [
        (one.name, one.verdict, one.sha256) for one in first
    ]
    assert again[0].seconds == first[0].seconds, "what was there is not done again"
    assert (tmp_path / "out" / "mutants" / "always_won" / "00.py").read_text().startswith("# always won; from ")
    with pytest.raises(FileExistsError, match="another plan or of other code"):
        runs.run(dataclasses.replace(PLAN, seed=1), tmp_path / "out", 1, quiet)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="--out"):
        runs.run(PLAN, tmp_path, 1, Console(quiet=True))
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--only", "no such*"], "no operator matches"),
        (["--mutants", "0"], "1 or more"),
        (["--jobs", "0"], "1 or more"),
    ],
)
def test_wrong_wishes_are_told(argv: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench_gate.main(argv) == 2
    assert said in capsys.readouterr().err
