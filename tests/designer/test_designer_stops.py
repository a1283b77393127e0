"""A run that stops at any point of its writing goes on to the same end, for every point there is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from judging import Judged, said
from running import Place, in_memory, on_shelf, run, served
from scripted import Scripted, plan_of

from spade_envs.designer import DesignResult
from spade_envs.designer import log as log_module
from spade_envs.designer.lines import Line, line_bytes
from spade_envs.shelf import Shelf
from spade_envs.types import Card, EnvSource, Neighbour, Report

KINDS = ["mended", "twin", "refused"]


class Stopped(BaseException):
    """As if the process were killed: nothing more is written after it."""


class Stopping:
    """Stops at the ``at``-th moment: a line that is being written, or an environment that goes on the shelf."""

    def __init__(self, at: int, how: str) -> None:
        self.at, self.how, self.moments = at, how, 0

    def moment(self) -> bool:
        """Whether it is now; after it, everything stops."""
        self.moments += 1
        if self.moments > self.at:
            raise Stopped
        return self.moments == self.at

    def add(self, log: log_module.Log, line: Line) -> None:
        """Instead of ``Log.add``."""
        now = self.moment()
        if now and self.how == "torn":
            with open(log.path, "ab") as stream:
                stream.write(line_bytes(line)[:-9])
        if now and self.how != "after":
            raise Stopped
        ADD_LINE(log, line)
        if now:
            raise Stopped

    def put(self, shelf: Shelf, source: EnvSource, card: Card) -> Card:
        """Instead of ``Shelf.add``."""
        now = self.moment()
        if now and self.how != "after":
            raise Stopped
        card = ADD_SOURCE(shelf, source, card)
        if now:
            raise Stopped
        return card


ADD_LINE, ADD_SOURCE = log_module.Log.add, Shelf.add


class Strict(Judged):
    """Refuses broken sources, and what it is told is there already."""

    def report(self, source: EnvSource, known: tuple[Neighbour, ...]) -> Report:
        """What it says."""
        if known:
            return said(source, "duplicates.exact")
        good = 'return ["\\\\boxed{" + self.answer' in source.text
        return Judged().judge(source) if good else said(source, "feasibility.witness")


@pytest.fixture
def scripted() -> Iterator[tuple[Scripted, str]]:
    """A served script."""
    script = Scripted(plan_of(len(KINDS)), KINDS)
    with served(script) as url:
        yield script, url


def go(served: tuple[Scripted, str], place: Place) -> DesignResult:
    """A run, one slot after the other."""
    script, url = served
    return asyncio.run(run(script.plan, url, place, checkers=Strict(), concurrency=1))


@pytest.mark.parametrize("how", ["before", "torn", "after"])
def test_a_run_goes_on_from_wherever_it_stopped(
    how: str, scripted: tuple[Scripted, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed = Place(tmp_path / "undisturbed")
    ends = go(scripted, undisturbed).ends
    script, _ = scripted
    assert [end.decision for end in ends] == [script.expected(slot) for slot in range(len(KINDS))]
    for at in range(1, 100):
        place = Place(tmp_path / str(at))
        stopping = Stopping(at, how)
        with monkeypatch.context() as patch:
            patch.setattr(log_module.Log, "add", lambda log, line, s=stopping: s.add(log, line))
            patch.setattr(Shelf, "add", lambda shelf, source, card, s=stopping: s.put(shelf, source, card))
            try:
                go(scripted, place)
                break
            except Stopped:
                pass
        known = {(line["slot"], line["turn"]) for line in place.lines("reply")}
        asked = len(script.asked)
        assert go(scripted, place).ends == ends
        assert not known & set(script.asked[asked:])
        assert on_shelf(place) == on_shelf(undisturbed)
        assert in_memory(place) == in_memory(undisturbed)
    assert 20 < at < 99, "every moment was tried"
