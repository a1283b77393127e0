"""The log: whole lines, one process, the same run; and a clear word about every file that is none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from judging import Judged, said
from running import Place, on_shelf, run, served
from scripted import Scripted, plan_of

from spade_envs.designer import Decision, DesignPlan, DesignResult
from spade_envs.designer.lines import FORMAT, Header, Identity, IntentLine, ReplyLine, line_bytes, read_line
from spade_envs.designer.log import Log, default_log, differences
from spade_envs.errors import StoreError


def go(place: Place, plan: DesignPlan | None = None) -> DesignResult:
    """A run of two good slots."""
    scripted = Scripted(plan or plan_of(2), ["good"] * 2)
    with served(scripted) as url:
        return asyncio.run(run(scripted.plan, url, place, checkers=Judged(), concurrency=1))


def rewrite(place: Place, change: Callable[[list[dict[str, Any]]], object]) -> None:
    """Change the lines of a log as a person with an editor would."""
    lines = place.lines()
    change(lines)
    place.log.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_a_finished_run_asks_nothing_and_tells_the_same(tmp_path: Path) -> None:
    place = Place(tmp_path)
    first = go(place)
    again = go(place)
    assert (first.asked, again.asked) == (2, 0) and again.ends == first.ends
    assert place.log.read_bytes().count(b"\n") == 1 + 2 * 6  # reply, report, hint, report, intent, end


@pytest.mark.parametrize("keep", [0.2, 0.5, 0.8])
def test_a_torn_last_line_is_left_out_and_cut_off(keep: float, tmp_path: Path) -> None:
    place = Place(tmp_path)
    go(place)
    whole = place.log.read_bytes()
    lines = whole.splitlines(keepends=True)
    torn = lines[-1][: int(len(lines[-1]) * keep)]
    place.log.write_bytes(b"".join(lines[:-1]) + torn)
    assert go(place).count(Decision.ADMITTED) == 2
    again = place.log.read_bytes().splitlines(keepends=True)
    assert again[: len(lines) - 1] == lines[:-1] and len(again) == len(lines)
    assert len(on_shelf(place)) == 2


def test_an_intent_without_an_end_looks_on_the_shelf(tmp_path: Path) -> None:
    place = Place(tmp_path)
    go(place)
    rewrite(place, lambda lines: lines.pop())
    result = go(place)
    assert [end.env_id for end in result.ends] == ["lab/env-0001", "lab/env-0002"]
    assert result.count(Decision.ADMITTED) == 2
    assert place.shelf.next == 3 and result.asked == 0


def test_two_processes_do_not_run_one_log(tmp_path: Path) -> None:
    place = Place(tmp_path)
    with Log(place.log), pytest.raises(StoreError, match="another process runs"):
        go(place)
    assert go(place).count(Decision.ADMITTED) == 2


def test_another_plan_is_refused_by_name(tmp_path: Path) -> None:
    place = Place(tmp_path)
    go(place)
    other = plan_of(2, repairs=1, difficulty="hard")
    with pytest.raises(StoreError, match=r"repairs is 2 in the log and 1 now.*name another --log") as caught:
        go(place, other)
    assert "difficulty is medium in the log and hard now" in str(caught.value)
    assert "the prompt difficulty-hard is not there in the log" in str(caught.value)


def test_differences_name_fields_of_sampling_and_limits() -> None:
    a, b = (Identity(plan_of(2, **changes), "s", "", {}) for changes in ({}, {"sampling": plan_of(1).sampling}))
    assert differences(a, b) == []
    c = Identity(DesignPlan(count=2), "elsewhere", "", {})
    found = differences(a, c)
    assert "sampling.max_tokens is 4000 in the log and 16384 now" in found
    assert "limits.witness_seeds is 6 in the log and 20 now" in found
    assert "the shelf is s in the log and elsewhere now" in found


def test_the_default_log_is_found_again_by_the_same_run(data_home: Path) -> None:
    one, other = Identity(plan_of(2), "s", "", {}), Identity(plan_of(2, seed=1), "s", "", {})
    assert default_log(one) == default_log(one) != default_log(other)
    assert default_log(one).parent == data_home / "runs" and len(default_log(one).stem) == 12


DAMAGE: dict[str, tuple[Callable[[list[dict[str, Any]]], object], int, str]] = {
    "no kind": (lambda lines: lines[1].pop("kind"), 2, "its kind is 'None'"),
    "an unknown kind": (lambda lines: lines[1].update(kind="joke"), 2, "its kind is 'joke'"),
    "a second header": (lambda lines: lines.insert(1, lines[0]), 2, "a second header"),
    "no header": (lambda lines: lines.pop(0), 1, "a log begins with a header"),
    "another version": (lambda lines: lines[0].update(format="spade-envs design 9"), 1, "its format is 'spade-envs d"),
    "an older version": (
        lambda lines: lines[0].update(format="spade-envs design 1", seeds=[{"skill": "optimization"}]),
        1,
        "'spade-envs design 1', and this version goes on with 'spade-envs design 2' only; finish the run",
    ),
    "an unknown field": (lambda lines: lines[1].update(extra=1), 2, "unknown key 'extra'"),
    "a missing field": (lambda lines: lines[1].pop("text"), 2, "missing key 'text'"),
    "a wrong type": (lambda lines: lines[1].update(slot="0"), 2, "expected int, found str"),
    "a slot too many": (lambda lines: lines[1].update(slot=7), 2, "slot 7 is not in range"),
    "a turn out of order": (lambda lines: lines[1].update(turn=1), 2, "turn 1 of slot 0 is out of order"),
    "a report on another": (lambda lines: lines[2]["report"].update(source_sha256="0" * 64), 3, "is about another"),
    "a report too early": (lambda lines: lines[2].update(turn=1), 3, "which is not there"),
    "a verdict of its own": (lambda lines: lines[2]["report"].update(verdict="admit"), 3, "unknown key 'verdict'"),
    "a hint out of order": (lambda lines: lines[3].update(number=2), 4, "hint 2 of slot 0 is out of order"),
    "an intent on another": (lambda lines: lines[5].update(sha256="0" * 64), 6, "has no source"),
    "a decision of its own": (lambda lines: lines[6].update(decision="fine"), 7, "'fine' is not one of"),
    "a second end": (lambda lines: lines.insert(7, lines[6]), 8, "has ended before"),
    "a plan that makes no sense": (lambda lines: lines[0]["identity"]["plan"].update(count=0), 1, "count must be"),
    "bad sampling": (lambda lines: lines[0]["identity"]["plan"]["sampling"].update(top_p=2), 1, "top_p must be"),
    "grounds of others": (lambda lines: lines[0].update(grounds=[]), 1, "does not fit its own plan"),
    "a lost seed": (lambda lines: lines[0]["grounds"][0].update(seeds=["ab"]), 1, "lacks an environment"),
    "a lost negative": (lambda lines: lines[0]["grounds"][0].update(negatives=["ab"]), 1, "lacks an environment"),
}
"""What is changed in a log, the line that is wrong then, and what is said."""


@pytest.mark.parametrize("name", DAMAGE)
def test_a_damaged_log_names_the_line(name: str, tmp_path: Path) -> None:
    place = Place(tmp_path)
    go(place)
    change, number, message = DAMAGE[name]
    rewrite(place, change)
    before = place.log.read_bytes()
    with pytest.raises(StoreError) as caught:
        go(place)
    assert f"line {number} of" in str(caught.value) and message in str(caught.value), str(caught.value)
    assert place.log.read_bytes() == before, "and nothing is touched"


@pytest.mark.parametrize(
    "data", [b"", b"my notes", b"my notes\n", b"\x00\xff\n", b"[1]\n", b"[" * 100_000 + b"\n", b"9" * 9999 + b"\n"]
)
def test_a_file_that_is_no_log_is_left_alone(data: bytes, tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.log.write_bytes(data)
    with pytest.raises(StoreError, match=r"log\.jsonl is (there already and is )?no l"):
        go(place)
    assert place.log.read_bytes() == data


def test_a_pipe_is_no_log(tmp_path: Path) -> None:
    import os

    os.mkfifo(tmp_path / "log.jsonl")
    with pytest.raises(StoreError, match="no regular file"):
        Log(tmp_path / "log.jsonl")


def test_a_reply_that_was_edited_is_found_out(tmp_path: Path) -> None:
    place = Place(tmp_path)
    go(place)

    def edit(lines: list[dict[str, Any]]) -> None:
        del lines[6:]
        lines[1]["text"] = lines[1]["text"].replace("hexadecimal", "heXadecimal")

    rewrite(place, edit)
    with pytest.raises(StoreError, match="holds another source than it says"):
        go(place)


def test_a_log_that_claims_a_report_admits_nothing(tmp_path: Path) -> None:
    place, asked = Place(tmp_path), Judged(lambda source: said(source, "leak.state"))

    def refused() -> DesignResult:
        scripted = Scripted(plan_of(1, repairs=0), ["good"])
        with served(scripted) as url:
            return asyncio.run(run(scripted.plan, url, place, checkers=asked))

    def forge(lines: list[dict[str, Any]]) -> None:
        del lines[3:]  # as if the process had been killed after the report
        lines[2]["report"]["findings"] = []

    first = refused()
    rewrite(place, forge)
    again = refused()
    assert again.ends == first.ends and again.ends[0].decision is Decision.REFUSED
    assert len(asked.seen) == 2 and again.asked == 0 and not place.shelf.entries()


def test_a_log_that_claims_an_environment_is_found_out(tmp_path: Path) -> None:
    place = Place(tmp_path)
    go(place)
    rewrite(place, lambda lines: lines[-1].update(env_id="lab/env-0077"))
    with pytest.raises(StoreError, match=r"slot 1 was admitted as 'lab/env-0077', which is not on"):
        go(place)


def test_lines_come_back_as_they_were() -> None:
    header = Header(FORMAT, Identity(plan_of(1), "s", "c", {"design": "00"}), "1", 7, (), ())
    reply = ReplyLine(0, 0, (), "\x00\ud800\u202e\n", 4, "stop")
    for line in (header, reply, IntentLine(3, "ab")):
        assert read_line(line_bytes(line)) == line
        assert line_bytes(line).count(b"\n") == 1
