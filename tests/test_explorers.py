"""Explorer processes: what they propose, how they shrink, and what becomes of them."""

from __future__ import annotations

import itertools
import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spade_envs import explorers
from spade_envs.explorer import HOSTILE, RAW
from spade_envs.explorers import Explorer, close_idle, give_back, lease, leased
from spade_envs.schema_calls import calls_of

DIG = "\\boxed{dig 0}"
LEVEL, TIMES = {"enum": ["low", "high"]}, {"type": "integer", "minimum": 2, "maximum": 9}
SET = {
    "type": "function",
    "function": {
        "name": "set",
        "parameters": {"type": "object", "properties": {"level": LEVEL, "times": TIMES}, "required": ["level"]},
    },
}
Proposals = list[tuple[int, list[str]]]
Play = Callable[[int, list[str]], tuple[bool, bool]]


def task(**changes: Any) -> dict[str, Any]:
    """A task; none of its lists are drawn without Hypothesis unless ``drawn`` says so."""
    fixed: dict[str, Any] = {
        "seed": 7,
        "examples": 60,
        "drawn": 0,
        "witness": {"5": ["\\boxed{go}", "\\boxed{dig here}"], "6": []},
    }
    return {**fixed, "commands": ["\\boxed{go}"], "verbs": ["dig"], "seen": ["here"], "tools": [], **changes}


def called(properties: dict[str, Any]) -> dict[str, Any]:
    """A tool without a name."""
    return {"function": {"parameters": {"properties": properties}}}


def explore(explorer: Explorer, bad: Callable[[list[str]], bool] = lambda actions: False, **changes: Any) -> Proposals:
    """Everything it proposes for a task; ``bad`` says which lists show a fault."""
    found: Proposals = []

    def play(seed: int, actions: list[str]) -> tuple[bool, bool]:
        found.append((seed, actions))
        return bad(actions), False

    explorer.run(task(**changes), play)
    return found


@pytest.fixture(scope="module")
def shared() -> Iterator[Explorer]:
    """One process for the tests that leave it whole."""
    explorer = Explorer()
    yield explorer
    explorer.close()


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Explorer]]:
    """A list of idle explorers of this test's own; they are ended after it."""
    mine: list[Explorer] = []
    monkeypatch.setattr(explorers, "_idle", mine)
    yield mine
    close_idle()


# -- proposals -------------------------------------------------------------------------------------------------


def test_a_planted_fault_is_found_and_shrunk(shared: Explorer) -> None:
    found = explore(shared, lambda actions: DIG in actions, examples=300)
    shown = [actions for _, actions in found if DIG in actions]
    assert len(shown) > 1, "found once, and never shrunk"
    assert min(shown, key=len) == [DIG]


def test_a_fault_of_two_actions_is_shrunk_to_them(shared: Explorer) -> None:
    def bad(actions: list[str]) -> bool:
        after = actions[actions.index("\\boxed{go}") :] if "\\boxed{go}" in actions else []
        return any(action.startswith("\\boxed{dig") for action in after)

    shown = [actions for _, actions in explore(shared, bad, examples=300) if bad(actions)]
    assert min(map(len, shown)) == 2


def test_a_fault_of_a_tool_is_found_and_shrunk(shared: Explorer) -> None:
    def bad(actions: list[str]) -> bool:
        return any("level" not in call["arguments"] for action in actions for call in calls_of(action))

    witness = {"5": ['<tool_call>{"name": "set", "arguments": {"level": "low"}}</tool_call>', "<answer>done</answer>"]}
    found = explore(shared, bad, tools=[SET], witness=witness, examples=300)
    assert min((actions for _, actions in found if bad(actions)), key=len) == [
        '<tool_call>{"name": "set", "arguments": {}}</tool_call>'
    ]


@pytest.mark.parametrize("counts", [{"examples": 400}, {"examples": 1, "drawn": 400}])
def test_proposals_are_made_of_what_is_known(shared: Explorer, counts: dict[str, int]) -> None:
    found = explore(shared, **counts)
    said = {action for _, actions in found for action in actions}
    assert {seed for seed, _ in found} == {5, 6}
    assert {"\\boxed{go}", "\\boxed{dig}", "\\boxed{dig here}", "\\boxed{here}"} <= said
    assert said & set(RAW) and said & {f"\\boxed{{{text}}}" for text in HOSTILE}


def test_winning_lists_are_interrupted_and_actions_repeated(shared: Explorer) -> None:
    winning = [f"\\boxed{{{letter}}}" for letter in "abcdef"]
    lists = [actions for _, actions in explore(shared, witness={"5": winning}, drawn=200, examples=1)]

    def interrupted(actions: list[str]) -> bool:
        return any(
            len(actions) > 6 and actions[:at] == winning[:at] and actions[at - 6 :] == winning[at:] for at in (2, 3, 4)
        )

    assert any(map(interrupted, lists))
    assert any(actions != winning and actions[:4] == winning[:4] and actions[-2:] != winning[4:] for actions in lists)
    assert max(len(list(run)) for actions in lists for _, run in itertools.groupby(actions)) >= 10


def test_proposed_calls_fit_the_schema_mostly(shared: Explorer) -> None:
    found = explore(shared, tools=[SET, {"odd": 1}, None], witness={"5": []}, examples=100, drawn=200)
    calls = [call["arguments"] for _, actions in found for action in actions for call in calls_of(action)]
    calls = [arguments for arguments in calls if arguments]
    fit = [c for c in calls if c.get("level") in ("low", "high") and c.get("times", 2) in range(2, 10)]
    assert len(calls) * 0.6 < len(fit) < len(calls)
    whole = [c for c in calls if "level" in c]
    assert len(calls) * 0.8 < len(whole) < len(calls), "required, and left out now and then"
    assert any(c["level"] not in ("low", "high") for c in whole), "of another type now and then"
    assert any(action.startswith("<answer>") for _, actions in found for action in actions)


@pytest.mark.parametrize(
    "changes",
    [
        {"commands": [], "verbs": [], "seen": [], "witness": {"1": []}},
        {"tools": [None, 7, {}, {"function": {"name": {}, "parameters": {"properties": {"a": 3}, "required": 3}}}]},
        {"tools": [called({"n": {"type": "integer", "minimum": 9, "maximum": 1}})]},
        {"tools": [called({"n": {"type": [], "enum": []}})], "seen": []},
    ],
)
def test_little_to_go_by_and_odd_schemas_still_give_proposals(shared: Explorer, changes: dict[str, Any]) -> None:
    assert len(explore(shared, **changes)) > 10


@pytest.mark.parametrize("drawn", [0, 50])
def test_the_same_task_gives_the_same_proposals(shared: Explorer, drawn: int) -> None:
    fresh = Explorer()
    try:
        first = explore(fresh, drawn=drawn)
        assert first == explore(fresh, drawn=drawn) == explore(shared, drawn=drawn)
        bad = DIG.__eq__
        assert explore(fresh, lambda actions: any(map(bad, actions))) == explore(shared, lambda actions: DIG in actions)
        assert explore(fresh, drawn=drawn, seed=8)[:40] != first[:40]
    finally:
        fresh.close()


def test_counts_are_limits(shared: Explorer) -> None:
    assert len(explore(shared, examples=5)) <= 5 < len(explore(shared, examples=40)) <= 40
    assert len(explore(shared, examples=5, drawn=30)) == 30, "Hypothesis draws where there is something to shrink"


def test_what_was_drawn_without_hypothesis_ends_with_a_fault(shared: Explorer) -> None:
    turns = iter(range(10**6))
    found = explore(shared, lambda actions: next(turns) == 2, examples=1, drawn=50)
    assert 3 <= len(found) < 10


@pytest.mark.parametrize("drawn", [0, 9])
@pytest.mark.parametrize("bad", [False, True])
def test_stop_is_honoured_at_once(shared: Explorer, bad: bool, drawn: int) -> None:
    asked = []

    def play(seed: int, actions: list[str]) -> tuple[bool, bool]:
        asked.append(actions)
        return bad and len(asked) == 3, len(asked) == 3

    shared.run(task(drawn=drawn), play)
    assert len(asked) == 3
    assert len(explore(shared)) > 10, "the next task begins afresh"


def test_faults_that_come_and_go_do_no_harm(shared: Explorer) -> None:
    turns = iter(range(10**6))
    assert explore(shared, lambda actions: next(turns) % 3 == 2)
    assert len(explore(shared)) > 10


def test_strange_text_goes_there_and_comes_back(shared: Explorer) -> None:
    strange = '\ud800 \u2028 \0 \U0001f600 \r\n "}'
    found = explore(shared, witness={"5": [strange, strange]}, commands=[strange], verbs=[], examples=100)
    assert any(strange in actions for _, actions in found)


def test_the_callers_random_state_is_its_own(shared: Explorer) -> None:
    random.seed(5)
    before = random.getstate()
    fresh = Explorer()
    try:
        explore(fresh, examples=5)
    finally:
        fresh.close()
    assert random.getstate() == before


def test_nothing_is_left_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with leased(Explorer()) as explorer:
        explore(explorer, lambda actions: DIG in actions)
    assert list(tmp_path.iterdir()) == []


# -- processes -------------------------------------------------------------------------------------------------


def test_an_explorer_given_back_is_used_again(idle: list[Explorer]) -> None:
    first = lease()
    other = lease()
    assert first is not other and idle == []
    give_back(first)
    assert idle == [first] and first.alive
    assert lease() is first and idle == []
    assert len(explore(first, examples=5)) > 1
    give_back(first)
    give_back(other)
    assert {lease(), lease()} == {first, other}
    give_back(first)
    give_back(other)


def test_a_dead_one_is_not_used_again(idle: list[Explorer]) -> None:
    dead, killed = lease(), lease()
    dead.close()
    give_back(dead)
    assert idle == [] and not dead.alive
    give_back(killed)
    killed._process.kill()
    killed._process.wait()
    fresh = lease()
    assert fresh is not killed and fresh.alive
    give_back(fresh)


def test_no_more_than_a_few_are_kept(idle: list[Explorer], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explorers, "_MOST_IDLE", 1)
    one, other = lease(), lease()
    give_back(one)
    give_back(other)
    assert idle == [one] and not other.alive
    close_idle()
    assert idle == [] and not one.alive


def test_after_an_error_it_is_ended_and_else_kept(idle: list[Explorer]) -> None:
    with leased(lease()) as kept:
        assert idle == []
    assert idle == [kept] and kept.alive
    with pytest.raises(KeyboardInterrupt), leased(lease()) as ended:
        assert ended is kept
        raise KeyboardInterrupt
    assert idle == [] and not ended.alive


def test_a_killed_process_is_an_error(idle: list[Explorer]) -> None:
    before = lease()
    os.kill(before._process.pid, signal.SIGKILL)
    before._process.wait()
    with pytest.raises(OSError), leased(before):
        explore(before)

    amid = lease()

    def play(seed: int, actions: list[str]) -> tuple[bool, bool]:
        amid._process.kill()
        amid._process.wait()
        return False, False

    with pytest.raises(OSError), leased(amid):
        amid.run(task(), play)
    assert idle == []


@pytest.mark.parametrize("said", ["hello", "[1]", '"done"', "3", '{"try":', ""])
def test_nonsense_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    script = tmp_path / "nonsense.py"
    script.write_text(f"print({said!r}, flush=True)\ninput()\ninput()\n")
    monkeypatch.setattr(explorers, "_EXPLORER", script)
    explorer = Explorer()
    try:
        with pytest.raises(OSError):
            explore(explorer)
    finally:
        explorer.close()


def test_another_process_leaves_it_alone(idle: list[Explorer]) -> None:
    """As in a forked child, which holds copies of the parent's explorers."""
    explorer = lease()
    explorer.owner += 1
    assert not explorer.alive
    explorer.close()
    give_back(explorer)
    assert idle == [] and explorer._process.poll() is None
    explorer.owner -= 1
    assert explorer.alive and len(explore(explorer, examples=5)) > 1
    give_back(explorer)


def test_it_ends_when_nobody_asks_any_more() -> None:
    explorer = Explorer()
    explore(explorer, examples=5)
    assert explorer._process.stdin is not None
    explorer._process.stdin.close()
    assert explorer._process.wait(30) == 0
    explorer.close()


def test_an_abandoned_task_ends_it_too() -> None:
    explorer = Explorer()
    explorer._say(task())
    assert "try" in explorer._hear()
    assert explorer._process.stdin is not None and explorer._process.stdout is not None
    explorer._process.stdin.close()
    explorer._process.stdout.close()
    explorer._process.wait(30)
    explorer.close()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("stuck", [False, True])
def test_closing_does_not_wait_for_a_task(stuck: bool) -> None:
    explorer = Explorer()
    explorer._say(task(examples=10**6))
    if stuck:
        os.kill(explorer._process.pid, signal.SIGSTOP)
    begun = time.monotonic()
    explorer.close()
    explorer.close()
    assert time.monotonic() - begun < 10.0 and not explorer.alive
