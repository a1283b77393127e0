"""Near-duplicates in a run: compared with what was there before it, and with what it admits, in the order of slots."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from judging import Judged, go, of
from running import Place, in_memory, on_shelf
from scripted import LIMITS, good
from test_designer_stops import Stopped, Stopping

from spade_envs.designer import Decision, DesignResult
from spade_envs.designer import log as log_module
from spade_envs.memory import SqliteMemory
from spade_envs.memory.upkeep import sign
from spade_envs.shelf import Shelf
from spade_envs.types import EnvSource, Report

STRICT = replace(LIMITS, near_may_pass=False)


def decisions(result: DesignResult) -> list[tuple[str, str, str]]:
    """Decision, rule and id of every slot."""
    return [(end.decision.value, end.rule, end.env_id) for end in result.ends]


def remember(place: Place, *texts: str) -> list[str]:
    """Sources that the memory knows as admitted before a run."""
    place.folder.mkdir(parents=True, exist_ok=True)
    sources = [EnvSource(text) for text in texts]
    with SqliteMemory(place.memory) as memory:
        memory.add_many((source, Report(source.sha256)) for source in sources)
        sign(memory)
    return [source.sha256 for source in sources]


def test_the_gate_is_told_what_was_near_before_the_run_and_nothing_later(tmp_path: Path) -> None:
    place, checkers = Place(tmp_path), Judged()
    (known,) = remember(place, good(77))
    result = go(of("good", "good", hints=False), place, checkers, concurrency=1)
    assert [end.decision for end in result.ends] == [Decision.ADMITTED] * 2
    assert [[one.sha256 for one in near] for _, near in checkers.seen] == [[known], [known]]
    cards = [place.shelf.read_card(entry.name) for entry in place.shelf.entries()]
    first = cards[0].sha256
    assert [[one.sha256 for one in card.neighbours] for card in cards] == [[known], [known, first]]
    assert cards[1].neighbours[1].name == "lab/env-0001"
    assert place.lines("header")[0]["remembered"] == 1


def test_a_run_that_goes_on_compares_with_what_it_compared_with(tmp_path: Path) -> None:
    place, checkers = Place(tmp_path), Judged()
    with pytest.MonkeyPatch.context() as patch:
        stopping = Stopping(4, "before")
        patch.setattr(log_module.Log, "add", lambda log, line: stopping.add(log, line))
        with pytest.raises(Stopped):
            go(of("good", "good", hints=False), place, checkers, concurrency=1)
    remember(place, good(88))
    go(of("good", "good", hints=False), place, checkers, concurrency=1)
    assert checkers.seen and all(near == () for _, near in checkers.seen)


def test_strict_runs_admit_the_first_of_near_duplicates(tmp_path: Path) -> None:
    ends = decisions(go(of("no code ever", "good", "good", "good", limits=STRICT, hints=False), Place(tmp_path)))
    duplicate = ("duplicate", "duplicates.near", "lab/env-0001")
    assert ends[1:] == [("admitted", "", "lab/env-0001"), duplicate, duplicate]
    assert len(on_shelf(Place(tmp_path))) == 1


@pytest.mark.parametrize("how", ["before", "after"])
def test_a_strict_run_goes_on_from_wherever_it_stopped(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(place: Place) -> DesignResult:
        return go(of("good", "good", limits=STRICT, hints=False), place, Judged(), concurrency=1)

    undisturbed = Place(tmp_path / "undisturbed")
    ends = decisions(run(undisturbed))
    assert [end[1] for end in ends] == ["", "duplicates.near"]
    for at in range(1, 30):
        place, stopping = Place(tmp_path / str(at)), Stopping(at, how)
        with monkeypatch.context() as patch:
            patch.setattr(log_module.Log, "add", lambda log, line, s=stopping: s.add(log, line))
            patch.setattr(Shelf, "add", lambda shelf, source, card, s=stopping: s.put(shelf, source, card))
            try:
                run(place)
                break
            except Stopped:
                pass
        assert decisions(run(place)) == ends
        assert (on_shelf(place), in_memory(place)) == (on_shelf(undisturbed), in_memory(undisturbed))
    assert 5 < at < 29, "every moment was tried"
