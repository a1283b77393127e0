"""What an episode was worth, what players do, and how the adapter and the ids treat what is odd."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import pytest

from spade_envs.admission import admit
from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.episodes import ENV_FAULTS, FAULT_STOPS
from spade_envs.players import JUNK, Echo, Idle, Junk, Scripted
from spade_envs.registry import load
from spade_envs.rollout import Rollout, play
from spade_envs.rules import EXAMPLE
from spade_envs.shelf import Shelf
from spade_envs.specs import spec_of
from spade_envs.types import EnvSource, Episode, Fault, FaultKind, Isolation, Limits, StopReason, Turn

LIMITS = Limits(load_seconds=2.0, reset_seconds=1.0, step_seconds=0.5, grace_seconds=0.5)


def episode(*rewards: float, reason: StopReason = StopReason.TERMINATED) -> Episode:
    turns = tuple(Turn("a", "a", "o", reward) for reward in rewards)
    ended = reason is StopReason.TERMINATED
    return Episode("x", 1, "p", "o", turns, ended, not ended, reason)


@pytest.mark.parametrize(
    ("rewards", "success", "outcome"),
    [
        ((1.0,), True, 1.0),
        ((0.0, 1.0), True, 1.0),
        ((0.25, 0.25, 0.5), True, 1.0),
        ((0.1,) * 10, True, 1.0),
        ((1.0 - 1e-7,), True, 1.0),
        ((0.999,), False, 0.999),
        ((1.0, -1.0), False, -1.0),
        ((0.5, 0.0), False, 0.0),
        ((0.5, -0.25), False, -0.25),
        ((), False, 0.0),
    ],
)
def test_what_a_terminated_episode_is_worth(rewards: tuple[float, ...], success: bool, outcome: float) -> None:
    ended = episode(*rewards)
    assert (ended.success, ended.outcome) == (success, outcome)


@pytest.mark.parametrize("reason", [reason for reason in StopReason if reason is not StopReason.TERMINATED])
def test_other_ends_are_worth_nothing_or_missing(reason: StopReason) -> None:
    agent = {StopReason.TURN_LIMIT, StopReason.PLAYER_STOPPED, StopReason.CONTEXT_FULL, StopReason.NO_EOS}
    ended = episode(1.0, reason=reason)
    assert not ended.success and ended.outcome == (0.0 if reason in agent else None)


def test_faults_by_kind() -> None:
    costly = {FaultKind.HUNG, FaultKind.MEMORY, FaultKind.DIED, FaultKind.LIED}
    assert {kind for kind in FaultKind if Fault(kind, "step", "").costly} == costly
    assert set(FAULT_STOPS) == set(FaultKind) and set(FAULT_STOPS.values()) - {StopReason.CANCELLED} == ENV_FAULTS


# -- players ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("player", [Scripted(["a", "b"]), Idle(3), Echo(3), Junk(4, 9)], ids=lambda p: p.name)
def test_a_player_does_the_same_in_every_episode(player: Any) -> None:
    lists = []
    for _ in range(2):
        player.begin("first", {})
        lists.append([*iter(lambda: player.act("see {x}"), None)])
        assert player.act("more") is None
    assert lists[0] == lists[1] and len(lists[0]) == {"scripted": 2, "idle": 3, "echo": 3, "junk": 9}[player.name]
    assert {"echo": "\\boxed{see (x)}", "idle": "", "scripted": "a"}.get(player.name, lists[0][0]) == lists[0][0]
    assert player.name != "junk" or set(lists[0]) <= set(JUNK)


def test_junk_differs_by_seed() -> None:
    drawn = []
    for seed in (1, 2):
        player = Junk(seed)
        player.begin("", {})
        drawn.append([player.act("") for _ in range(20)])
    assert drawn[0] != drawn[1]


# -- the adapter -----------------------------------------------------------------------------------------------


def made(text: str, **settings: Any) -> SpadeEnv:
    return SpadeEnv(EnvSource(text), EnvSettings(**settings), limits=LIMITS)


def test_rewards_that_add_up_to_one_are_a_success() -> None:
    text = EXAMPLE.replace("float(won), won, not won and self.tries >= 3", "0.5, self.tries == 2, False")
    env = made(text)
    env.reset(seed=1)
    assert env.step("x")[4] == {}
    assert env.step("x")[1:] == (0.5, True, False, {"stop_reason": "terminated", "success": True})
    env.reset(seed=1)
    env.step("x")
    env.reset(seed=1)
    assert env.step("x")[1:4] == (0.5, False, False), "an earlier episode's rewards do not count"
    env.close()


@pytest.mark.parametrize(
    ("own", "settings", "limit"),
    [(7, {}, 7), (7, {"max_turns": 3}, 3), (7, {"max_turns": 9}, 7), (7, {"cap_turns": 2}, 2), (0, {}, 100),
     (0, {"max_turns": 4}, 4), (-3, {}, 100)],
)  # fmt: skip
def test_the_lowest_turn_limit_counts(own: int, settings: dict[str, int], limit: int) -> None:
    env = made(EXAMPLE.replace("self.tries = 0", f"self.tries, self.max_turns = 0, {own}"), **settings)
    env.reset(seed=1)
    assert env.max_turns == limit
    env.close()


@pytest.mark.parametrize("hint", ["return 7", "raise KeyError", "return 'x' * 70_000"])
def test_an_episode_without_its_hint_is_none_of_the_hinted_arm(hint: str) -> None:
    env = made(f"{EXAMPLE}\n    def hint(self):\n        {hint}\n", hinted=True)
    text, info = env.reset(seed=1)
    assert "could not give its hint" in text and info["stop_reason"] in ("env_contract", "env_raised")
    assert env.step("x")[3]
    ended = play(env, Scripted(["x"]), 1)
    assert ended.outcome is None and ended.turns == () and ended.hinted
    env.close()


def test_a_caller_may_interrupt_or_leave() -> None:
    env = made(EXAMPLE)
    asked = iter([None, StopReason.DEADLINE])
    cut = play(env, Idle(9), 1, interrupt=lambda: next(asked))
    assert (len(cut.turns), cut.stop_reason, cut.outcome) == (1, StopReason.DEADLINE, None)
    rollout = Rollout(env, 1, player="p")
    rollout.begin()
    assert rollout.episode().stop_reason is StopReason.CANCELLED
    rollout.stop(StopReason.SERVER_ERROR)
    rollout.stop(StopReason.DEADLINE)
    assert rollout.stop_reason is StopReason.SERVER_ERROR
    env.close()


# -- ids -------------------------------------------------------------------------------------------------------


@pytest.fixture
def lab(tmp_path: Path) -> Shelf:
    shelf = Shelf.create(tmp_path / "lab", "lab", 1)
    admit(EXAMPLE, shelf, limits=Limits(witness_seeds=2, play_seeds=1, replay_seeds=1))
    return shelf


@pytest.mark.parametrize(
    ("asked", "required"),
    [({}, "seccomp"), ({"isolation": "kernel"}, "kernel"), ({"isolation": "process"}, "process")],
)
def test_only_bundled_environments_run_below_the_default(lab: Shelf, asked: dict[str, str], required: str) -> None:
    entry = lab.get("env-0001")
    kwargs = spec_of(entry, off_path=True).kwargs
    env = load(**kwargs, **asked)
    assert env.pool.options.require == Isolation(required)
    bundled = load("env-0001", **asked)
    assert bundled.pool.options.require == Isolation("process" if not asked else required)


def test_a_hint_that_is_not_there_is_an_error_at_once(lab: Shelf) -> None:
    spec = spec_of(lab.get("env-0001"), off_path=True)
    with pytest.raises(ValueError, match="lab/env-0001 has no hint"):
        gymnasium.make(spec, hint=True)


@pytest.mark.parametrize(("asked", "limit"), [(None, None), (2, 2), (50, 3)])
def test_a_turn_limit_is_handed_on_but_never_raised(lab: Shelf, asked: int | None, limit: int | None) -> None:
    text = EXAMPLE.replace("self.tries = 0", "self.tries, self.max_turns = 0, 3")
    admit(text, lab, limits=Limits(witness_seeds=2, play_seeds=1, replay_seeds=1))
    env = load(**spec_of(lab.get("env-0002"), off_path=True).kwargs, max_turns=asked)
    assert env.settings.cap_turns == limit and env.settings.max_turns == 3
