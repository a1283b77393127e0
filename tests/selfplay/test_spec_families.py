"""Families of compact environments: what they ask, how they answer, and that the gate thinks of them as meant."""

from __future__ import annotations

import pytest

from spade_envs import validate
from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.players import Scripted
from spade_envs.reproduction import play_witness, reproduce
from spade_envs.rollout import play
from spade_envs.selfplay.families import FAMILIES, RULED, SIZE, Rule, Shape
from spade_envs.selfplay.families.notation import CONTRACT, KNOWN, NEW, RULES, Spec, parse
from spade_envs.types import EnvSource, Limits

ADDS, TAKES = Rule("A", 1, 3), Rule("B", -1, 1)


def shape(family: str, items: int = 3, *rules: Rule, depth: int = 1) -> Shape:
    return Shape(family, rules or ((ADDS,) if family in RULED else ()), depth, items)


def said(one: Shape, *replies: str, seed: int = 5) -> list[str]:
    """Observations of an episode, the first one too."""
    env = one.env()
    return [env.reset(seed)[0], *(env.step(reply)[0] for reply in replies)]


@pytest.mark.parametrize("text", ["rA12", "bE14", "lZ22", "gC12", "eA14", "cA12", "zA14"])
def test_the_gate_admits(text: str) -> None:
    spec = parse(text)
    assert spec is not None
    report = validate(spec.source(), limits=Limits.selfplay())
    assert report.verdict == "admit", report.findings


@pytest.mark.parametrize(("text", "rule"), [("wA12", "exploits"), ("nA14", "feasibility.witness")])
def test_the_gate_refuses(text: str, rule: str) -> None:
    spec = parse(text)
    assert spec is not None
    report = validate(spec.source(), limits=Limits.selfplay())
    assert report.verdict == "refuse"
    assert any(finding.rule.startswith(rule) for finding in report.findings), report.findings


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_what_runs_in_the_box_is_what_runs_here(family: str) -> None:
    one = shape(family)
    replies = ["3", "x", "5", "\\boxed{2}", "2", "0", "1", "6", "3"]
    source = EnvSource(one.source("any"), contract=CONTRACT)
    there = reproduce(source, 11, replies)
    env = one.env()
    assert there.observation == env.reset(11)[0]
    for turn in there.turns:
        observation, reward, ended, late, _ = env.step(turn.action)
        assert (observation, reward) == (turn.observation, turn.reward)
    assert ended and there.terminated and not late


@pytest.mark.parametrize("family", sorted(RULED))
def test_solutions_win_with_several_rules(family: str) -> None:
    source = EnvSource(shape(family, 3, ADDS, TAKES).source("any"), contract=CONTRACT)
    assert all(play_witness(source, seed).success for seed in range(3))


@pytest.mark.parametrize("rule", RULES.values(), ids=list(RULES))
def test_hints_tell_what_rules_do(rule: Rule) -> None:
    hint = shape("r", 1, rule).hint()
    sign, number = hint[0], int(hint[1])
    for digit in range(SIZE):
        env = shape("r", 1, rule).env()
        env.digits[0] = digit
        assert int(env.wanted()) == ((digit + number) if sign == "+" else (number - digit)) % SIZE
        assert int(env.wanted()) != digit, "a rule that changes nothing is known to whoever can copy"


def test_new_rules_do_what_some_known_rule_does() -> None:
    known, new = ({(rule.factor, rule.summand) for rule in rules.values()} for rules in (KNOWN, NEW))
    assert known == new and not NEW.keys() & KNOWN.keys()


def test_a_hint_of_several_rules_names_each() -> None:
    assert shape("r", 1, ADDS, TAKES).hint() == "A+3B-1"
    assert shape("z").hint() == "."


def test_rules_are_applied_as_often_as_asked() -> None:
    once, twice = shape("r").env(), shape("r", depth=2).env()
    for env in (once, twice):
        env.reset(1)
        env.digits[0] = 2
    assert (once.ask(), once.wanted()) == ("A2?", "1")
    assert (twice.ask(), twice.wanted()) == ("AA2?", "0")


def test_the_digit_of_the_question_before_is_asked_for() -> None:
    env = shape("b", 3).env()
    env.reset(0)
    env.digits = [1, 2, 3]
    assert [env.step(reply)[:2] for reply in ("0", "0", "2")] == [("+A2?", 0.0), ("+A3?", 0.0), ("-", 2 / 3)]


def test_cells_are_opened_before_they_are_told() -> None:
    env = shape("l", 1).env()
    env.reset(3)
    env.digits[0], env.cells = 2, [[3, 2, 1, 0]]
    assert env.step("1")[:3] == ("=2", 0.0, False)
    assert env.step("2")[:3] == ("+", 1.0, True)


def test_a_cell_that_is_not_there_is_empty() -> None:
    assert said(shape("l"), "nine")[1] == "=."


def test_guesses_are_told_their_side_once() -> None:
    env = shape("g", 2).env()
    env.reset(0)
    env.digits = [3, 3]
    assert [env.step(reply)[0] for reply in ("1", "2", "3", "1")] == [">", "+A3?", "<", "-"]


def test_a_coin_pays_for_everything_or_nothing() -> None:
    scores = set()
    for seed in range(20):
        env = shape("c", 3).env()
        env.reset(seed)
        *_, last = [env.step(str(reply)) for reply in (*env.digits[:2], 1)]
        scores.add(last[1])
    assert scores == {0.0, 1.0}


def test_an_episode_ends_at_the_turn_limit() -> None:
    spec = Spec("r", "A", 1, 5)
    env = SpadeEnv(spec.source(), EnvSettings(CONTRACT))
    try:
        episode = play(env, Scripted(["1"] * 9, "any"), 4)
    finally:
        env.close()
    assert (len(episode.turns), episode.truncated, episode.outcome) == (4, True, 0.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"family": "q"},
        {"family": "r"},
        {"family": "e", "rules": (ADDS,)},
        {"family": "e", "items": 0},
        {"family": "e", "depth": 100},
    ],
)
def test_shapes_that_make_no_sense(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"allowed|do not go together|1 to 99"):
        Shape(**wrong)  # type: ignore[arg-type]
