"""One source on trial: seeds, episodes, the witness, and playing again, each with the real box behind it."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from spade_envs.env import SEEDS
from spade_envs.players import Echo, Idle, Junk
from spade_envs.replays import HASH_SEED_WAY, REPLAY_WAYS
from spade_envs.rules import EXAMPLE
from spade_envs.sandbox.host import BoxOptions
from spade_envs.trial import Trial, derive_seeds
from spade_envs.types import EnvSource, FaultKind, Limits, StopReason

LIMITS = Limits(load_seconds=2.0, reset_seconds=0.5, step_seconds=0.5, grace_seconds=0.3, witness_seeds=6)
Make = Callable[..., Trial]


@pytest.fixture
def trial() -> Iterator[Make]:
    """Makes trials of texts, and ends their workers."""
    made: list[Trial] = []

    def make(text: str, *, language: bool = True, contract: str = "", **limits: Any) -> Trial:
        source = EnvSource(text, contract=contract)
        made.append(Trial(source, dataclasses.replace(LIMITS, **limits), 0, BoxOptions(language=language)))
        return made[-1]

    yield make
    for one in made:
        one.close()


def env(step: str, *, reset: str = 'return "go", {}', head: str = "", more: str = "") -> str:
    parts = ((head, 0), ("class TryEnv:", 0), ("def reset(self, seed=None):", 4), (reset, 8))
    parts += (("def step(self, action):", 4), (step, 8), (more, 4))
    return "\n".join(textwrap.indent(textwrap.dedent(text), " " * by) for text, by in parts)


@dataclasses.dataclass
class Left:
    """A budget with so much left, whatever the time."""

    seconds: float

    def left(self) -> float:
        return self.seconds


ENDLESS = env("return 'on', 0.0, False, False, {}")
WALK = """\
self.n += action == "\\\\boxed{go}"
won = self.n == 4
return str(self.n), float(won), won, False, {}
"""


def solution(body: str) -> str:
    return f"def solution(self):\n    {body}"


# -- seeds and episodes ----------------------------------------------------------------------------------------


def test_seeds_depend_on_the_source_and_the_run() -> None:
    base = derive_seeds("ab", 0, 20)
    assert len(set(base)) == 20 and all(0 <= seed < SEEDS for seed in base)
    assert derive_seeds("ab", 0, 5) == base[:5]
    assert not set(base) & set(derive_seeds("ab", 1, 20)) and not set(base) & set(derive_seeds("ac", 0, 20))


def test_the_same_request_is_played_once_and_different_ones_are_not_mixed_up(trial: Make) -> None:
    on = trial(env("return action, 0.0, False, False, {}"))
    requests: list[Any] = [("a",), ("a", "b"), (), Idle(), Idle(3), Echo(), Junk(1)]
    episodes = [on.play(7, request) for request in requests]
    assert all(on.play(7, request) is episode for request, episode in zip(requests, episodes, strict=True))
    assert len({id(episode) for episode in episodes}) == len(requests)
    assert [len(episode.turns) for episode in episodes[:5]] == [1, 2, 0, 100, 3]
    assert on.play(8, ("a",)) is not episodes[0]


def test_an_episode_ends_with_the_budget(trial: Make) -> None:
    on = trial(ENDLESS)
    on.budget = Left(0.0)  # type: ignore[assignment]
    episode = on.play(1, ("a",))
    assert (episode.stop_reason, episode.turns, episode.outcome) == (StopReason.DEADLINE, (), None)


def test_weak_players_get_a_share_of_it(trial: Make) -> None:
    on = trial(env("sum(range(50_000))\nreturn 'on', 0.0, False, False, {}"), budget_seconds=0.4)
    on.budget = Left(100.0)  # type: ignore[assignment]
    idle, scripted = on.play(1, Idle()), on.play(1, ("",) * 100)
    assert idle.stop_reason is StopReason.PLAYER_STOPPED and len(idle.turns) < 100
    assert scripted.stop_reason is StopReason.TURN_LIMIT and len(scripted.turns) == 100


def test_a_costly_fault_is_met_once(trial: Make) -> None:
    on = trial(env("while True: pass"))
    (episode,) = on.plays()
    assert episode.error is not None and episode.error.kind is FaultKind.HUNG


def test_weak_players_and_the_witness_are_looked_at(trial: Make) -> None:
    on = trial(EXAMPLE, play_seeds=2)
    played = on.plays()
    assert {"idle", "echo", "junk"} <= {episode.player for episode in played}
    assert {episode.seed for episode in played if episode.player == "idle"} == set(on.seeds[:2])
    assert {episode.seed for episode in played if episode.success} == set(on.seeds)


@pytest.mark.parametrize(
    ("hint", "kind"),
    [("return 'look left'", None), ("return 7", FaultKind.BROKE), ("raise KeyError", FaultKind.RAISED)],
)
def test_hints_that_fail(trial: Make, hint: str, kind: FaultKind | None) -> None:
    on = trial(env("return 'on', 0.0, True, False, {}", more=f"def hint(self):\n    {hint}"))
    failed = on.hint_fault()
    assert (None if failed is None else (failed[0], failed[1].kind)) == (kind and (on.seeds[0], kind))
    assert trial(ENDLESS).hint_fault() is None


# -- the witness -----------------------------------------------------------------------------------------------


def test_a_list_is_played_on_every_seed(trial: Make) -> None:
    on = trial(EXAMPLE)
    attempts = on.attempts()
    assert [attempt.seed for attempt in attempts] == list(on.seeds)
    assert all(attempt.won and attempt.kind == "list" and attempt.planned == 1 for attempt in attempts)
    assert on.witness(on.seeds[2]) == attempts[2].episode.actions  # type: ignore[union-attr]


def test_of_readings_that_lose_the_likeliest_is_told(trial: Make) -> None:
    on = trial(env("return 'no', 0.0, False, False, {}", more=solution("return 'go in; go out'")))
    attempt = on.attempt(on.seeds[0])
    assert not attempt.won and attempt.kind == "text" and attempt.planned == 1
    assert attempt.episode is not None and attempt.episode.actions == ("\\boxed{go in; go out}",)
    assert on.witness(on.seeds[0]) == ()


def test_the_reading_that_won_is_tried_first_from_then_on(trial: Make) -> None:
    text = env(WALK, reset="self.n = 0\nreturn 'go', {}", more=solution("return 'go; go; go; go'"))
    on = trial(text)
    assert on.attempt(on.seeds[0]).won
    before = len(on._episodes)
    assert on.attempt(on.seeds[1]).won and len(on._episodes) == before + 1


@pytest.mark.parametrize("body", ["while True: pass", "raise KeyError('x')", "return [None]"])
def test_a_solution_that_fails_is_told_and_if_costly_not_asked_again(trial: Make, body: str) -> None:
    on = trial(env("return 'no', 0.0, False, False, {}", more=solution(body)))
    attempts = on.attempts()
    assert all(attempt.fault is not None and attempt.fault.phase == "solution" for attempt in attempts)
    costly = "while" in body
    assert (len(attempts) == 1) == costly
    assert on.attempt(on.seeds[-1]).fault == attempts[0].fault or not costly


def test_three_losses_that_took_long_are_enough(trial: Make) -> None:
    on = trial(env("return 'no', 0.0, True, False, {}", more=solution("return ['x']")))
    assert len(on.attempts()) == 6
    on.budget = Left(0.7 * on.limits.budget_seconds)  # type: ignore[assignment]
    assert len(on.attempts()) == 3
    won = trial(EXAMPLE)
    won.budget = Left(1.0)  # type: ignore[assignment]
    assert len(won.attempts()) == 6


GENERATOR = """\
def solution(self):
    for i in range({turns}):
        seen = yield "\\\\boxed{{go}}"
        assert seen == str(i + 1)
"""


@pytest.mark.parametrize(("turns", "limit", "won", "planned"), [(4, 9, True, 4), (9, 3, False, 4), (2, 9, False, 2)])
def test_a_generator_is_sent_what_happens(trial: Make, turns: int, limit: int, won: bool, planned: int) -> None:
    text = env(
        WALK, reset=f"self.n, self.max_turns = 0, {limit}\nreturn 'go', {{}}", more=GENERATOR.format(turns=turns)
    )
    attempt = trial(text).attempt(1)
    assert (attempt.won, attempt.kind, attempt.planned, attempt.fault) == (won, "generator", planned, None)
    assert attempt.episode is not None and (attempt.planned > len(attempt.episode.turns)) == (limit == 3)


def test_a_generator_ends_with_the_budget(trial: Make) -> None:
    on = trial(env(WALK, reset="self.n = 0\nreturn 'go', {}", more=GENERATOR.format(turns=9)))
    on.budget = Left(0.0)  # type: ignore[assignment]
    attempt = on.attempt(1)
    assert attempt.episode is not None and attempt.episode.stop_reason is StopReason.DEADLINE


def test_without_a_solution_a_win_is_searched(trial: Make) -> None:
    on = trial(env(WALK, reset="self.n = 0\nreturn 'Moves: go, stay.', {}"), search_seconds=2.0, replay_seeds=2)
    attempts = on.attempts()
    assert [(attempt.kind, attempt.won, attempt.seed) for attempt in attempts] == [
        ("search", True, seed) for seed in on.seeds[:2]
    ]
    assert on.witness(on.seeds[0]) == ("\\boxed{go}",) * 4
    assert trial(ENDLESS, search_seconds=0.2).attempts()[0].kind == "none"


SPOILT = EXAMPLE.replace("won = action", "won = self.tries == 1 and action")
ONE_TRY = EXAMPLE.replace("self.tries >= 3", "True")
TOOLS = """\
class DeskEnv(ToolUseBaseEnv):
    def reset(self, seed=None):
        self._expected_answer = "7"
        return "What is 3 + 4?", {}
    def solution(self):
        return ["<answer>7</answer>"]
"""


@pytest.mark.parametrize(
    ("text", "declared", "contract"),
    [
        (EXAMPLE, "", "answer"),
        (ONE_TRY, "", "answer"),
        (SPOILT, "", "interactive"),
        (
            env(WALK, reset="self.n = 0\nreturn 'go', {}", more=solution("return ['\\\\boxed{go}'] * 4")),
            "",
            "interactive",
        ),
        (ENDLESS, "", "interactive"),
        (TOOLS, "", "tools"),
        (EXAMPLE, "interactive", "interactive"),
        (EXAMPLE, "tools", "tools"),
    ],
)
def test_the_contract_is_declared_or_seen(trial: Make, text: str, declared: str, contract: str) -> None:
    assert trial(text, contract=declared, search_seconds=0.2).contract == contract


# -- playing again ---------------------------------------------------------------------------------------------

KEPT = env(
    "self.seen.append(1)\nreturn str(len(self.seen)), 0.0, False, False, {}",
    head="",
    more="def __init__(self):\n    self.seen = []",
)
RESETS = KEPT.replace('return "go", {}', "self.seen.append(2)\n        return 'go', {}").replace(
    "self.seen.append(1)", "pass"
)
SHARED = env(
    "import sys\nreturn str(sys.latest), 0.0, False, False, {}", reset="import sys\nsys.latest = seed\nreturn 'go', {}"
)
COUNTED = env(
    "import sys\nsys.count += 1\nreturn str(sys.count), 0.0, False, False, {}",
    reset="import sys\nsys.count = 0\nreturn 'go', {}",
)
PROCESS = env("import os\nreturn str(os.getpid()), 0.0, False, False, {}")
INSTANCES = env(
    "return str(self.mine), 0.0, False, False, {}",
    more="def __init__(self):\n    import sys\n    sys.made = self.mine = getattr(sys, 'made', 0) + 1",
)
HASHED = env("return str({*'abcdefgh'}), 0.0, False, False, {}")
AGAIN, OTHER, SEVERAL, FRESH, BESIDE, NEW = REPLAY_WAYS


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        (f"import random\n{EXAMPLE}", set()),
        (KEPT, {AGAIN, OTHER}),
        (RESETS, {AGAIN, OTHER, SEVERAL}),
        (SHARED, {BESIDE}),
        (COUNTED, {BESIDE}),
        (PROCESS, {NEW, HASH_SEED_WAY}),
        (INSTANCES, {AGAIN, OTHER, SEVERAL, FRESH, BESIDE}),
        (HASHED, {HASH_SEED_WAY}),
    ],
    ids=["sound", "kept", "resets", "shared", "counted", "process", "instances", "hashed"],
)
def test_each_way_of_playing_again_shows_what_it_is_for(trial: Make, text: str, ways: set[str]) -> None:
    on = trial(text, language=False)
    seed, actions = on.seeds[0], ("a", "b", "c")
    base = on.play(seed, actions)
    assert base.error is None, base.error
    different = {way for way in (*REPLAY_WAYS, HASH_SEED_WAY) if on.replay(seed, actions, way).turns != base.turns}
    assert different == ways


def test_another_seed_is_another(trial: Make) -> None:
    on = trial(EXAMPLE, witness_seeds=1)
    other = on.replays._other
    assert other(on.seeds[0]) != on.seeds[0] and other(5) == on.seeds[0]
