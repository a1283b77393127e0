"""The task of compact specifications: prompts, hostile replies, examples that win, held-out environments."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spade_envs import validate
from spade_envs.memory.records import Drawn, Negative, Positive
from spade_envs.reproduction import reproduce
from spade_envs.selfplay.families import SIZE
from spade_envs.selfplay.families.examples import examples, play
from spade_envs.selfplay.families.notation import ALPHABET, CONTRACT, NEW, RULES, drawn, parse, spec_of
from spade_envs.selfplay.specs import SpecTask
from spade_envs.selfplay.tasks import Refused, Slot, Unread
from spade_envs.types import EnvSource, Limits

TASK = SpecTask()
SLOT = Slot(number=0, cycle=3, skill="pattern-recognition", contract="", seed=17)


def source(text: str) -> EnvSource:
    spec = parse(text)
    assert spec is not None
    return spec.source()


def shown(positives: str = "", negatives: str = "") -> Drawn:
    return Drawn(
        tuple(Positive(source(text), "") for text in positives.split()),
        tuple(Negative(source(text), "", None, "") for text in negatives.split()),
        0,
    )


# -- prompts and replies -----------------------------------------------------------------------------------------------


def test_prompts_show_specifications_of_the_memory() -> None:
    assert TASK.prompt(SLOT, shown("rA14 bB12", "zC14")).user == "D+rA14+bB12-zA14?"
    assert TASK.prompt(SLOT, shown()).user == "D?"


def test_sources_from_elsewhere_are_not_shown() -> None:
    strange = EnvSource("# spec rA14\nimport os\n")
    assert spec_of(strange) == ""
    assert TASK.prompt(SLOT, Drawn((Positive(strange, ""),), (), 0)).user == "D?"


def test_repairs_show_what_was_refused() -> None:
    refused = [Refused("wA14", source("wA14"), None, None), Refused("?", None, None, Unread("reply.no_source", "no"))]
    assert TASK.repair(SLOT, shown("rA14"), refused).user == "D+rA14-wA14?"


def test_replies_become_sources() -> None:
    read = TASK.read(SLOT, "rA14", ended=True)
    assert isinstance(read, EnvSource)
    assert (read.skill, read.contract, read.hint, spec_of(read)) == (SLOT.skill, CONTRACT, "+3", "rA14")


def test_equal_specifications_are_equal_sources() -> None:
    assert source("eC24").sha256 == source("eA14").sha256 != source("eA12").sha256
    assert source("rA14") == source("rA14")


HOSTILE = ["", "rA1", "rA143", "rT14", "qA13", "rA03", "rA19", " rA14", "rA14\n", "ra13", "r\u0410" + "13", "rA1\u0663"]


@pytest.mark.parametrize("reply", [*HOSTILE, "import os", "rA14" * 10**5, "\x00\ud800\u202e", "```python\nrA14\n```"])
def test_hostile_replies_are_unread(reply: str) -> None:
    read = TASK.read(SLOT, reply, ended=True)
    assert isinstance(read, Unread) and read.rule == "reply.no_source" and len(read.problem) < 1000


def test_replies_that_were_cut_off_are_unread() -> None:
    read = TASK.read(SLOT, "rA14", ended=False)
    assert isinstance(read, Unread) and read.rule == "reply.cut"


@given(st.text(max_size=6))
def test_any_text_is_read_or_not(reply: str) -> None:
    read = TASK.read(SLOT, reply, ended=True)
    assert isinstance(read, Unread) == (parse(reply) is None)


def test_the_uniform_designer_writes_what_can_be_read() -> None:
    texts = [TASK.uniform(Slot(0, 0, "", "", seed)) or "" for seed in range(400)]
    assert all(parse(text) for text in texts)
    assert {text[1] for text in texts} == set(RULES)
    assert TASK.uniform(SLOT) == TASK.uniform(SLOT)


def test_hints_are_not_asked_for() -> None:
    assert TASK.hint_prompt(source("rA14"), CONTRACT, ()) is None
    assert isinstance(TASK.hint("+3", ended=True), Unread)
    assert TASK.agent_system(CONTRACT) == ""


# -- held-out environments ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("held", TASK.held_out(), ids=lambda held: held.name)
def test_held_out_environments_pass_the_gate(held: object) -> None:
    report = validate(held.source, limits=Limits.selfplay())  # type: ignore[attr-defined]
    assert report.verdict == "admit", report.findings


def test_no_designer_can_write_what_is_held_out() -> None:
    assert not any(spec_of(held.source) or held.source.hint for held in TASK.held_out())


# -- examples ----------------------------------------------------------------------------------------------------------


def test_examples_follow_from_the_seed() -> None:
    assert TASK.warm_up(3, 20) == TASK.warm_up(3, 30)[:20] != TASK.warm_up(4, 20)


def test_examples_take_turns_and_use_the_alphabet() -> None:
    for said, talk in examples(0, 300):
        assert len(talk) % 2 == 1 and not said.system
        assert set(said.user).union(*talk) <= set(ALPHABET)
        assert max(map(len, [said.user, *talk])) <= 24


def test_designs_among_the_examples_can_be_read() -> None:
    designs = [(said.user, talk) for said, talk in examples(1, 400) if said.user.startswith("D")]
    assert 80 < len(designs) < 160
    assert all(len(talk) == 1 and parse(talk[0]) for _, talk in designs)
    copied = [talk[0] in user for user, talk in designs if "+" in user]
    assert 0.1 < sum(copied) / len(copied) < 0.5


def test_replies_with_a_hint_win_in_the_box() -> None:
    rng = random.Random(2)
    for _ in range(12):
        (shape, seed), (said, talk) = play(rng, hinted=True)
        episode = reproduce(EnvSource(shape.source("any"), contract=CONTRACT), seed, talk[::2])
        assert said.user == f"{episode.observation}\n\nHINT: {shape.hint()}"
        assert [turn.observation for turn in episode.turns[:-1]] == list(talk[1::2])
        assert episode.success


def test_examples_do_not_teach_the_rules() -> None:
    """Without a hint, first replies agree with the rule no more often than by chance, and with a hint neither."""
    for hinted in (False, True):
        rng, right, asked = random.Random(8), 0, 0
        for _ in range(3000):
            _, (said, talk) = play(rng, hinted=hinted)
            if said.user[0] in "rbl" and said.user[1] in NEW:
                rule = NEW[said.user[1]]
                asked += 1
                right += int(talk[0]) == (rule.factor * int(said.user[2]) + rule.summand) % SIZE
        # A hint never leaves a digit as it is, so it has three results.
        assert asked > 400 and 0.2 < right / asked < 0.4


def test_drawing_is_even() -> None:
    rng = random.Random(0)
    assert {drawn(rng)[0] for _ in range(200)} == set("rblgeczwn")
