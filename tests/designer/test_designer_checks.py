"""Checks and hints of a run: what fails itself is tried again, what tells is left out, nothing is there twice."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from judging import Judged, go, of, said
from running import SETTINGS, Place, in_memory, on_shelf, served
from scripted import HINT, Said, good

from spade_envs.admission import card_of
from spade_envs.client import Client
from spade_envs.designer import Decision, DesignResult, design
from spade_envs.errors import SandboxError
from spade_envs.memory import SqliteMemory
from spade_envs.types import EnvSource, Report, Severity

# -- checks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["gate.error", "gate.budget"])
def test_a_check_that_failed_itself_is_made_once_more(rule: str, tmp_path: Path) -> None:
    checkers = Judged()
    fine = checkers.judge

    def once(source: EnvSource) -> Report:
        return said(source, rule, Severity.UNDECIDED) if len(checkers.seen) == 1 else fine(source)

    checkers.judge = once
    (end,) = go(of("good", hints=False), Place(tmp_path), checkers).ends
    assert end.decision is Decision.ADMITTED and len(checkers.seen) == 2 and end.replies == 1


def test_a_check_that_keeps_failing_admits_nothing(tmp_path: Path) -> None:
    checkers = Judged(lambda source: said(source, "gate.error", Severity.UNDECIDED))
    (end,) = go(of("mended"), Place(tmp_path), checkers).ends
    assert (end.decision, end.rule, end.replies) == (Decision.UNDECIDED, "gate.error", 1)
    assert len(checkers.seen) == 2 and not on_shelf(Place(tmp_path))


def test_too_slow_a_source_goes_back_to_its_designer(tmp_path: Path) -> None:
    checkers = Judged()
    fine = checkers.judge
    slow = EnvSource(good(0)).sha256
    checkers.judge = lambda source: (
        fine(source) if source.sha256 == slow else said(source, "gate.budget", Severity.UNDECIDED)
    )
    (end,) = go(of("mended", hints=False), Place(tmp_path), checkers).ends
    assert end.repaired and len(checkers.seen) == 3


def test_a_machine_that_cannot_check_stops_the_run(tmp_path: Path) -> None:
    def cannot(source: EnvSource) -> Report:
        raise SandboxError("no seccomp here")

    with pytest.raises(SandboxError, match="no seccomp here"):
        go(of("good", "good"), Place(tmp_path), Judged(cannot))
    assert not on_shelf(Place(tmp_path)) and Place(tmp_path).lines("reply")


def test_a_box_that_fails_later_fails_its_slot_alone(tmp_path: Path) -> None:
    checkers = Judged()
    fine, bad = checkers.judge, EnvSource(good(1)).sha256

    def judge(source: EnvSource) -> Report:
        if source.sha256 == bad:
            raise SandboxError("out of processes")
        return fine(source)

    checkers.judge = judge
    ends = go(of("good", "good", "good"), Place(tmp_path), checkers, concurrency=1).ends
    assert [end.decision for end in ends] == [Decision.ADMITTED, Decision.FAILED, Decision.ADMITTED]
    assert ends[1].rule == "gate.sandbox"


def test_the_gate_is_told_what_was_there_before_and_nothing_else(tmp_path: Path) -> None:
    place, checkers = Place(tmp_path), Judged()
    text = good(1).replace("import base64, random", "import base64, random  # a comment")
    source = EnvSource(text, "optimization", "answer")
    place.shelf.add(source, card_of(source, checkers.judge(source)))
    ends = go(of("good", "good", "twin"), place, checkers).ends
    known = {source.sha256: [one.name for one in known] for source, known in checkers.seen}
    assert known == {EnvSource(good(0)).sha256: [], EnvSource(good(1)).sha256: ["lab/env-0001"]}
    # The script's gate admits everything, and still nothing is there twice.
    assert [end.decision for end in ends] == [Decision.ADMITTED, Decision.DUPLICATE, Decision.DUPLICATE]
    assert ends[1].env_id == ends[2].env_id == "lab/env-0001"


def test_a_text_of_the_shelf_keeps_its_id(tmp_path: Path) -> None:
    place, checkers = Place(tmp_path), Judged()
    source = EnvSource(good(0), "optimization", "answer")
    place.shelf.add(source, card_of(source, checkers.judge(source)))
    (end,) = go(of("good"), place, checkers).ends
    assert (end.decision, end.env_id, checkers.seen) == (Decision.DUPLICATE, "lab/env-0001", [])


# -- hints -------------------------------------------------------------------------------------------------------


def test_a_hint_that_tells_is_written_again(tmp_path: Path) -> None:
    place, checkers = Place(tmp_path), Judged()
    fine = checkers.judge

    def judge(source: EnvSource) -> Report:
        hinted = [one for one, _ in checkers.seen if one.hint]
        return said(source, "leak.hint", message="It tells 42.") if len(hinted) == 1 else fine(source)

    checkers.judge = judge
    scripted = of("good")
    (end,) = go(scripted, place, checkers).ends
    assert (end.decision, end.hint, scripted.hints) == (Decision.ADMITTED, "written", 2)
    assert "It tells 42." in scripted.standin.log[-1]["messages"][-1]["content"]
    assert on_shelf(place)[0][4] == HINT


def test_hints_that_always_tell_are_left_out(tmp_path: Path) -> None:
    place, checkers = Place(tmp_path), Judged()
    fine = checkers.judge
    checkers.judge = lambda source: said(source, "leak.hint", message="It tells.") if source.hint else fine(source)
    scripted = of("good")
    (end,) = go(scripted, place, checkers).ends
    assert end.decision is Decision.ADMITTED and end.hint.startswith("none: 3 were refused") and scripted.hints == 3
    assert on_shelf(place)[0][4] == "" and in_memory(place)[0][0][4] == ""
    shelf = place.shelf
    assert shelf.read_card("env-0001").report.findings == (), "the report is of what is there"


def test_an_authors_own_hint_stays(tmp_path: Path) -> None:
    place, scripted = Place(tmp_path), of("good")
    text = good(0) + "    def hint(self):\n        return 'Six bits each.'\n"
    scripted.reply = lambda slot, turn: Said(f"```\n{text}```")  # type: ignore[method-assign]
    (end,) = go(scripted, place).ends
    assert (end.hint, scripted.hints, on_shelf(place)[0][4]) == ("author", 0, "")


def test_no_hints_where_none_are_wanted(tmp_path: Path) -> None:
    checkers, scripted = Judged(), of("good", hints=False)
    (end,) = go(scripted, Place(tmp_path), checkers).ends
    assert (end.hint, scripted.hints, len(checkers.seen)) == ("none", 0, 1)


def test_another_model_may_write_the_hints(tmp_path: Path) -> None:
    place, scripted, agent = Place(tmp_path), of("good"), of("good")

    async def both(url: str, agent_url: str) -> DesignResult:
        async with Client(url, settings=SETTINGS) as client, Client(agent_url, settings=SETTINGS) as writer:
            with SqliteMemory(place.memory) as memory:
                return await design(
                    scripted.plan, client, agent=writer, shelf=place.shelf, memory=memory, checkers=Judged()
                )

    agent.standin.models = [{"id": "writer"}]
    with served(scripted) as url, served(agent) as agent_url:
        result = asyncio.run(both(url, agent_url))
    assert result.plan.agent_model == "writer" and (scripted.hints, agent.hints) == (0, 1)
    assert result.log.parent.name == "runs" and result.log.exists()
