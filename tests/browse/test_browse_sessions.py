"""Episodes played in the page, without the page: places, idleness, faults, and what hostile sources say."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from spade_envs.browse.sessions import (
    KEPT,
    LONGEST_TYPED,
    BusyError,
    FullError,
    NoEpisodeError,
    PlayError,
    PlaySessions,
    Start,
)
from spade_envs.env import EnvSettings
from spade_envs.errors import SandboxError
from spade_envs.sandbox.host import BoxOptions
from spade_envs.shelf import Shelf
from spade_envs.store import bundled_path
from spade_envs.types import EnvSource, FaultKind, Isolation, StopReason

GUESS = EnvSource("""
class GuessEnv:
    def __init__(self, max_turns=5, **kwargs):
        self.max_turns = max_turns

    def reset(self, seed=None):
        self.turns = 0
        self.wanted = str((seed or 0) % 7)
        return "Say the digit.", {}

    def step(self, action):
        self.turns += 1
        won = self.wanted in action
        return ("Right." if won else "Wrong."), 1.0 if won else 0.0, won, self.turns >= self.max_turns, {}

    def hint(self):
        return "It is " + self.wanted

    def solution(self):
        return ["\\\\boxed{" + self.wanted + "}"]
""")


class Clock:
    """Seconds that grow when they are told to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(clock: Clock) -> Iterator[PlaySessions]:
    made = PlaySessions(most=2, clock=clock)
    yield made
    made.close()


def source_of(body: str) -> EnvSource:
    return EnvSource(
        "class AnEnv:\n"
        "    def __init__(self, max_turns=5, **kwargs):\n        self.max_turns = max_turns\n"
        "    def reset(self, seed=None):\n        return 'Begin.', {}\n"
        f"    def step(self, action):\n        {body}\n"
    )


def test_a_bare_answer_wins_and_the_process_is_given_back(sessions: PlaySessions) -> None:
    begun = sessions.start(Start(GUESS, seed=9, env_id="lab/guess"))
    assert begun.living and begun.episode.observation == "Say the digit." and begun.max_turns == 5
    assert sessions.act(begun.key, "5").episode.turns[-1].observation == "Wrong."
    won = sessions.act(begun.key, "2")
    assert not won.living and won.episode.success and won.episode.env_id == "lab/guess"
    assert won.episode.actions == ("\\boxed{5}", "\\boxed{2}") and won.episode.player == "human"
    assert not sessions._sessions[begun.key].env.pool.workers
    assert sessions.act(begun.key, "2").episode == won.episode


def test_the_hint_is_shown_when_it_is_asked_for(sessions: PlaySessions) -> None:
    plain = sessions.start(Start(GUESS, seed=9))
    hinted = sessions.start(Start(GUESS, seed=9, settings=EnvSettings(hinted=True)))
    assert "HINT" not in plain.episode.observation
    assert hinted.episode.observation.endswith("\n\nHINT: It is 2") and hinted.episode.hinted


def test_the_authors_solution_is_played_step_by_step(sessions: PlaySessions) -> None:
    begun = sessions.start(Start(GUESS, seed=4, witness=True))
    assert begun.planned == ("\\boxed{4}",) and begun.living and not begun.episode.turns
    won = sessions.step(begun.key, turn=0)
    assert won.episode.success and won.planned == () and won.episode.player == "witness"


def test_a_bundled_solution_is_played_to_its_end(sessions: PlaySessions) -> None:
    source = Shelf(bundled_path()).read_source("env-0003")
    begun = sessions.start(Start(source, seed=3, witness=True))
    assert {tool.name for tool in begun.tools} and len(begun.planned) > 2
    assert sessions.step(begun.key, whole=True).episode.success


def test_without_a_solution_the_episode_says_so(sessions: PlaySessions) -> None:
    done = sessions.start(Start(source_of("return 'No.', 0.0, False, False, {}"), seed=0, witness=True))
    assert not done.living and done.episode.stop_reason is StopReason.PLAYER_STOPPED
    assert "neither the author's solution" in done.episode.detail


def test_a_reply_that_is_sent_twice_counts_once(sessions: PlaySessions) -> None:
    key = sessions.start(Start(GUESS, seed=9)).key
    sessions.act(key, "5", turn=0)
    again = sessions.act(key, "5", turn=0)
    assert len(again.episode.turns) == 1
    assert len(sessions.act(key, "6", turn=1).episode.turns) == 2


def test_no_more_than_so_many_live(sessions: PlaySessions) -> None:
    first, _ = (sessions.start(Start(GUESS, seed=seed)) for seed in (1, 2))
    with pytest.raises(FullError, match="2 episodes are being played"):
        sessions.start(Start(GUESS, seed=3))
    assert sessions.end(first.key).episode.stop_reason is StopReason.PLAYER_STOPPED
    assert sessions.start(Start(GUESS, seed=3)).living
    assert [one.start.seed for one in sessions.all()] == [3, 2, 1]


def test_places_are_taken_before_processes_start(sessions: PlaySessions, monkeypatch: pytest.MonkeyPatch) -> None:
    started, go_on = threading.Event(), threading.Event()

    def slow(source: EnvSource, seed: int, *, options: BoxOptions | None = None) -> tuple[str, ...]:
        started.set()
        assert go_on.wait(60)
        return ("\\boxed{1}",)

    monkeypatch.setattr("spade_envs.browse.sessions.witness_actions", slow)
    sessions.start(Start(GUESS, seed=1))
    thread = threading.Thread(target=lambda: sessions.start(Start(GUESS, seed=1, witness=True)))
    thread.start()
    try:
        assert started.wait(60)
        with pytest.raises(FullError):
            sessions.start(Start(GUESS, seed=2))
        assert len(sessions.all()) == 1
    finally:
        go_on.set()
        thread.join(60)
    assert len(sessions.all()) == 2


def test_idle_episodes_are_ended(sessions: PlaySessions, clock: Clock) -> None:
    idle, busy = (sessions.start(Start(GUESS, seed=seed)) for seed in (1, 2))
    clock.now += 400
    sessions.act(busy.key, "0")
    clock.now += 300
    assert sessions.reap() == 1 and sessions.reap() == 0
    ended = sessions.look(idle.key)
    assert ended.episode.stop_reason is StopReason.CANCELLED and "10 minutes" in ended.episode.detail
    assert sessions.look(busy.key).living
    assert not sessions._sessions[idle.key].env.pool.workers


def test_what_is_being_played_is_not_idle(sessions: PlaySessions, clock: Clock) -> None:
    begun = sessions.start(Start(GUESS, seed=1))
    with sessions._sessions[begun.key].lock:
        clock.now += 5000
        assert sessions.reap() == 0
        with pytest.raises(BusyError):
            sessions.act(begun.key, "1")
    assert sessions.reap() == 1


def test_only_some_that_are_over_are_kept(clock: Clock) -> None:
    sessions = PlaySessions(clock=clock)
    first = sessions.start(Start(GUESS, seed=1))
    kept = sessions._sessions[first.key]
    sessions.end(first.key)
    for number in range(KEPT):
        sessions._sessions[f"more{number}"] = kept
    newest = sessions.start(Start(GUESS, seed=2))
    assert len(sessions._sessions) == KEPT + 1 and newest.key in sessions._sessions
    with pytest.raises(NoEpisodeError):
        sessions.look(first.key)
    sessions.close()


@pytest.mark.parametrize(
    ("body", "reason", "kind"),
    [
        ("raise ValueError('no <b>bold</b> \\x1b[31m')", StopReason.ENV_RAISED, FaultKind.RAISED),
        ("while True: pass", StopReason.ENV_HUNG, FaultKind.HUNG),
        ("return 'x'", StopReason.ENV_CONTRACT, FaultKind.BROKE),
    ],
)
def test_a_fault_ends_the_episode(sessions: PlaySessions, body: str, reason: StopReason, kind: FaultKind) -> None:
    begun = sessions.start(Start(source_of(body), seed=0))
    ended = sessions.act(begun.key, "go")
    assert not ended.living and ended.episode.stop_reason is reason
    assert ended.episode.error is not None and ended.episode.error.kind is kind
    assert sessions.start(Start(GUESS, seed=1)).living


@pytest.mark.parametrize("text", ["import os\nclass AnEnv: pass\n", "def broken(:\n", "x = 1\n"])
def test_a_refused_source_is_an_episode_that_is_over(sessions: PlaySessions, text: str) -> None:
    ended = sessions.start(Start(EnvSource(text), seed=0))
    assert not ended.living and ended.episode.error is not None and not ended.episode.turns
    assert ended.episode.observation.startswith("The environment could not be reset")


def test_what_an_environment_says_is_kept_as_it_is(sessions: PlaySessions) -> None:
    said = "<script>alert(1)</script>\x1b[31m\u202e" + "x" * 60_000
    begun = sessions.start(Start(source_of(f"return {said!r}, 0.0, False, False, {{}}"), seed=0))
    assert sessions.act(begun.key, "go").episode.turns[0].observation == said


def test_a_reply_may_not_be_endless(sessions: PlaySessions) -> None:
    key = sessions.start(Start(GUESS, seed=1)).key
    with pytest.raises(ValueError, match="shorten it"):
        sessions.act(key, "x" * (LONGEST_TYPED + 1))
    assert sessions.look(key).living


def test_a_box_that_cannot_be_built_takes_no_place(clock: Clock) -> None:
    # No machine has more than this asks for when a layer is left out.
    options = BoxOptions(require=Isolation.KERNEL, seccomp=False)
    sessions = PlaySessions(most=1, clock=clock, options=options)
    for _ in range(2):
        with pytest.raises(SandboxError):
            sessions.start(Start(GUESS, seed=1))
    assert sessions.all() == ()
    sessions.close()


def test_closing_ends_every_process(sessions: PlaySessions) -> None:
    begun = sessions.start(Start(GUESS, seed=1))
    (worker,) = sessions._sessions[begun.key].env.pool.workers
    sessions.close()
    assert worker.dead is not None
    assert not sessions.look(begun.key).living
    with pytest.raises(PlayError, match="closing"):
        sessions.start(Start(GUESS, seed=1))


def test_a_seed_is_taken_modulo(sessions: PlaySessions) -> None:
    assert sessions.start(Start(GUESS, seed=2**31 + 3)).episode.seed == 3
