"""Whole runs against a scripted designer: what is good ends up on the shelf, the same each time, whatever is killed."""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

import pytest
import running
from running import INJECTION, Place, in_log, in_memory, on_shelf, run, served
from scripted import BAD_KINDS, HINT, MENDED_KINDS, Scripted, broken, good, kinds_of, plan_of, unproven

from spade_envs.designer import Decision, DesignResult
from spade_envs.types import EnvSource


def scripted_of(count: int) -> Scripted:
    """A script of so many slots."""
    return Scripted(plan_of(count), kinds_of(count))


def straight(scripted: Scripted, place: Place) -> DesignResult:
    """A run that nothing disturbs."""
    with served(scripted) as url:
        return asyncio.run(run(scripted.plan, url, place))


def exactly_the_good(scripted: Scripted, place: Place) -> DesignResult:
    """A run that nothing disturbs, at whose end exactly the good ones are on the shelf."""
    result = straight(scripted, place)
    slots = range(scripted.plan.count)
    assert [end.decision for end in result.ends] == [scripted.expected(slot) for slot in slots]
    admitted = [slot for slot in slots if scripted.expected(slot) is Decision.ADMITTED]
    assert [entry[1] for entry in on_shelf(place)] == [good(slot) for slot in admitted]
    assert [result.ends[slot].env_id for slot in admitted] == [f"lab/env-{n:04}" for n in range(1, len(admitted) + 1)]
    assert all(end.hint == "written" for end in result.ends if end.decision is Decision.ADMITTED)
    return result


def test_exactly_the_good_ones_are_admitted_and_twice_the_same(tmp_path: Path) -> None:
    first, second = Place(tmp_path / "first"), Place(tmp_path / "second")
    scripted, again = scripted_of(24), scripted_of(24)
    result = exactly_the_good(scripted, first)
    assert straight(again, second).ends == result.ends
    assert on_shelf(second) == on_shelf(first)
    assert in_memory(second) == in_memory(first)
    assert in_log(second) == in_log(first)
    assert sorted(again.asked) == sorted(scripted.asked), "and nothing else was asked"


def test_every_kind_of_slot_occurs() -> None:
    kinds = set(kinds_of(200))
    assert {*MENDED_KINDS, *BAD_KINDS, "good", "drafted", "twin"} == kinds


def of_kinds(*kinds: str) -> Scripted:
    """A script of these slots."""
    return Scripted(plan_of(len(kinds)), list(kinds))


def test_repaired_sources_name_their_parent_and_where_they_come_from(tmp_path: Path) -> None:
    place = Place(tmp_path)
    scripted = of_kinds("mended", "no code", "proven late", "mended late", "drafted")
    assert all(end.decision is Decision.ADMITTED for end in straight(scripted, place).ends)
    parents = [EnvSource(broken(0)).sha256, "", EnvSource(unproven(2)).sha256, EnvSource(broken(3)).sha256, ""]
    header = place.lines("header")[0]
    for slot, (entry, parent) in enumerate(zip(on_shelf(place), parents, strict=True)):
        _, text, skill, contract, hint, found, document, made_by, *_ = entry
        assert (text, found, hint, made_by, contract) == (good(slot), parent, HINT, "tiny", "answer")
        assert document == header["grounds"][slot]["document"]
        assert skill == scripted.plan.skill_of(slot)
    assert len({line["document"] for line in header["grounds"]}) == 3


def test_what_was_refused_is_remembered_too(tmp_path: Path) -> None:
    place = Place(tmp_path)
    straight(of_kinds("refused", "mended"), place)
    sources, reports = in_memory(place)
    assert [source[1] for source in sources] == [*(broken(0, turn) for turn in range(3)), broken(1), good(1)]
    # What was admitted was checked twice: without its hint, and with it.
    assert [verdict for _, verdict, _ in reports] == ["refuse"] * 4 + ["admit"] * 2
    assert sources[-1][4] == HINT


def test_findings_are_sent_back_with_the_source_alone(tmp_path: Path) -> None:
    place = Place(tmp_path)
    scripted = of_kinds("mended late", "no code", "syntax")
    straight(scripted, place)
    by_seed = {body["seed"]: body["messages"] for body in scripted.standin.log}
    asked = {turn: by_seed[seed] for seed, turn in scripted._turns.items() if seed in by_seed}
    third = asked[0, 2]
    assert [message["role"] for message in third] == ["system", "user", "assistant", "user"]
    assert third[:2] == asked[0, 0], "the conversation does not grow"
    assert third[2]["content"] == f"```python\n{broken(0).rstrip()}\n```"
    assert "feasibility.witness" in third[3]["content"] and "no fenced code block" in third[3]["content"]
    told = asked[1, 1]
    assert told[2]["content"] == "I would rather not." and "no fenced code block" in told[3]["content"]
    assert "Line 1: def (:" in asked[2, 1][3]["content"]


def test_documents_are_data(tmp_path: Path) -> None:
    scripted = of_kinds(*["good"] * 3)
    straight(scripted, Place(tmp_path))
    prompts = [body["messages"][1]["content"] for body in scripted.standin.log if len(body["messages"]) > 1]
    hostile = [text for text in prompts if "delete everything" in text]
    assert len(hostile) == 1
    assert "<|im_end|>" not in hostile[0] and "\u202e" not in hostile[0] and "<|im_end|>" in INJECTION
    assert "````document" in hostile[0], "its own fence does not end ours"


# -- killed ------------------------------------------------------------------------------------------------------


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("count", "kills", "most"), [(10, 5, 12), pytest.param(200, 10, 90, marks=pytest.mark.slow)])
def test_a_run_that_is_killed_goes_on(count: int, kills: int, most: int, tmp_path: Path) -> None:
    undisturbed, place = Place(tmp_path / "undisturbed"), Place(tmp_path / "killed")
    exactly_the_good(scripted_of(count), undisturbed)
    scripted, draw = scripted_of(count), random.Random(count)
    place.corpus  # noqa: B018  # made once, before processes look for it
    with served(scripted) as url:
        for kill in range(kills):
            how = ("after", "torn", "before")[kill % 3]
            code = child(url, place, count, scripted, str(draw.randint(1, most)), how)
            assert code in (-9, 0), "killed, or finished before that"
            assert kill or code == -9
        assert child(url, place, count, scripted) == 0
        assert on_shelf(place) == on_shelf(undisturbed)
        assert in_memory(place) == in_memory(undisturbed)
        before = len(scripted.standin.log)
        assert child(url, place, count, scripted) == 0
        assert len(scripted.standin.log) == before, "a finished run asks nothing"


def child(url: str, place: Place, count: int, scripted: Scripted, *kill: str) -> int:
    """Run a process to its end, which asks for nothing that is in the log; its exit code."""
    known = {(line["slot"], line["turn"]) for line in place.lines("reply")}
    asked = len(scripted.asked)

    async def wait() -> int:
        command = [sys.executable, running.__file__, url, str(place.folder), str(count), *kill]
        return await (await asyncio.create_subprocess_exec(*command)).wait()

    code = asyncio.run(wait())
    assert not known & set(scripted.asked[asked:])
    return code
