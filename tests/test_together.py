"""Turns sent together are the turns sent one by one: the same episode, and every fault and end at its own turn."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence
from typing import Any

import gymnasium
import pytest

from spade_envs.actions import Action
from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.players import Echo, Idle, Junk, Scripted
from spade_envs.rollout import Rollout, play, run
from spade_envs.sandbox.host import BoxOptions, Worker
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import Blind, EnvSource, Episode, FaultKind, Limits, Player, StopReason
from spade_envs.weak import Experience, weak_player

LIMITS = Limits(step_seconds=0.5, grace_seconds=0.5, max_turns=7)
PLAIN = BoxOptions(language=False)
TOGETHER = (1, 3, 32)


def source(step: str, *, reset: str = "pass", more: str = "", ends: str = "False, False, {}") -> str:
    """An environment that counts turns in ``n``, pays 0.05 for each, and shows what it was given."""
    last = f"return f'{{action}} {{self.n}} {{self.rng.random()}}', 0.05, {ends}"
    lines = [f"self.n, self.rng = 0, random.Random(seed)\n{reset}\nreturn 'go', {{}}", f"self.n += 1\n{step}\n{last}"]
    first, second = (textwrap.indent(text, " " * 8) for text in lines)
    head = "import random\nclass TryEnv:\n    def reset(self, seed=None):\n"
    return f"{head}{first}\n    def step(self, action):\n{second}\n{textwrap.indent(more, ' ' * 4)}"


def call(name: str, **arguments: object) -> str:
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"


BIN = """
class BinEnv(ToolUseBaseEnv):
    def reset(self, seed=None):
        self.max_turns, self._state, self._expected_answer = 9, {"log": []}, "done"
        text = {"type": "object", "properties": {"bin": {"type": "string"}}, "required": ["bin"]}
        self._tools = {"empty": {"parameters": text}, "wash": {"parameters": text}}
        self._user_messages = ["Empty B-1.", "Wash B-1."]
        self._message_criteria = [lambda state: "empty B-1" in state["log"], lambda state: "wash B-1" in state["log"]]
        return self._user_messages[0], {}
    def tool_empty(self, bin):
        self._state["log"].append("empty " + bin)
        return "emptied " + str(len(self._state["log"]))
    def tool_wash(self, bin):
        self._state["log"].append("wash " + bin)
        return "washed " + str(len(self._state["log"]))
"""
OFFER = "def get_tools(self):\n    return [{'type': 'function', 'function': {'name': 'ring', 'parameters': {}}}]\n"
HINT = "def hint(self):\n    return str(self.rng.random())\n"
OWN = source("if '<tool_call>' not in action: return 'call', 0.0, False, False, {}", more=OFFER)
EXECUTES = OFFER + "def execute_tool(self, name, arguments):\n    self.n += 10\n    return f'{name} {self.n}'\n"
READS_ALL = source("import re\ncalls = re.findall('<tool_call>(.*?)</tool_call>', action)", more=OFFER)
RINGS = ["hm", call("ring"), call("ring", a=1) + " and " + call("ring", a=2) + call("ring"), "<tool_call>7</tool_call>"]
SAID = ["\\boxed{a}", "<think>\\boxed{b}</think> say \\boxed{c}", "d <think> \\boxed{e}", "", "f</think>g"]
CALLS = [
    "What now?",
    f"<think>{call('wash', bin='B-1')}</think>{call('empty', bin='B-2')}{call('empty', bin='B-1')}",
    call("empty", bin=3),
    "<answer>done</answer>",
    "<function=wash> no call " + call("wash", bin="B-1"),
    "<answer>done</answer>",
]
WON = "won = action == '\\\\boxed{c}'"
WORLDS: dict[str, tuple[str, Sequence[str], dict[str, Any], StopReason, int]] = {
    "answer": (source(WON, ends="won, False, {'n': self.n}"), SAID, {}, StopReason.TERMINATED, 2),
    "interactive": (source("pass", ends="False, self.n == 5, {'seed': 1}"), SAID * 3, {}, StopReason.TURN_LIMIT, 5),
    "stopped": (source("pass"), SAID, {"contract": "interactive"}, StopReason.PLAYER_STOPPED, 5),
    "tools": (BIN, [*CALLS, "late"], {}, StopReason.TERMINATED, 6),
    "tools as text": (BIN, CALLS[:5], {"tools": "text"}, StopReason.PLAYER_STOPPED, 5),
    "several calls": (OWN, [*RINGS, "hm"], {}, StopReason.PLAYER_STOPPED, 5),
    "calls read together": (READS_ALL, [*RINGS, "hm"], {}, StopReason.PLAYER_STOPPED, 5),
    "execute_tool": (source("pass", more=EXECUTES), [*RINGS, "hm"], {}, StopReason.PLAYER_STOPPED, 5),
    "four values": (source("pass", ends="self.n == 4, {}"), SAID, {}, StopReason.TERMINATED, 4),
    "four, cut": (source("pass", ends="True, {'TimeLimit.truncated': True}"), SAID, {}, StopReason.TURN_LIMIT, 1),
    "no max_turns": (source("pass"), SAID * 3, {}, StopReason.TURN_LIMIT, 7),
    "own max_turns": (source("pass", reset="self.max_turns = 4"), SAID, {}, StopReason.TURN_LIMIT, 4),
    "max_turns": (source("pass"), SAID, {"max_turns": 2}, StopReason.TURN_LIMIT, 2),
    "cap_turns": (source("pass", reset="self.max_turns = 6"), SAID, {"cap_turns": 1}, StopReason.TURN_LIMIT, 1),
    "hinted": (source("pass", more=HINT), SAID, {"hinted": True}, StopReason.PLAYER_STOPPED, 5),
    "broken reset": (source("pass", reset="1 / 0"), SAID, {}, StopReason.ENV_RAISED, 0),
}  # fmt: skip
"""Source, replies, settings; how the episode ends, and after how many turns."""


def told(env: SpadeEnv, replies: Sequence[str], together: int, seed: int = 3) -> tuple[Any, ...]:
    """Everything that an episode tells."""
    rollout = Rollout(env, seed, player="p")
    episode = run(rollout, Scripted(replies), together=together)
    return episode, rollout.infos, env.history, env.action, env.stop_reason, env.max_turns, rollout.observation


def made(text: str, options: BoxOptions | None = None, **settings: Any) -> SpadeEnv:
    return SpadeEnv(EnvSource(text), EnvSettings(**settings), limits=LIMITS, options=options)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What every message asks of a worker."""
    names: list[str] = []
    exchange = Worker._exchange

    def note(self: Worker, message: dict[str, Any], phase: str, seconds: float) -> Any:
        names.append(message["op"])
        return exchange(self, message, phase, seconds)

    monkeypatch.setattr(Worker, "_exchange", note)
    return names


# -- episodes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("world", WORLDS)
def test_an_episode_is_the_same_however_turns_are_sent(world: str) -> None:
    text, replies, settings, reason, turns = WORLDS[world]
    env = made(text, **settings)
    single = told(env, replies, 1)
    episode, infos = single[:2]
    assert (episode.stop_reason, len(episode.turns), len(infos)) == (reason, turns, turns + 1), episode
    for together in TOGETHER[1:]:
        assert told(env, replies, together) == single
        assert told(env, replies, together, 4) != single or turns == 0, "another seed is another episode"
    env.close()


def test_turns_go_in_as_few_messages_as_may_be(asked: list[str]) -> None:
    env = made(source("pass"))
    messages = {1: ["step"] * 7, 2: ["turns"] * 3 + ["turns"], 3: ["turns"] * 3, 6: ["turns", "turns"], 32: ["turns"]}
    for together, wanted in messages.items():
        asked.clear()
        play(env, Scripted(["a"] * 9), 1, together=together)
        assert [name for name in asked if name in ("step", "turns")] == wanted
    asked.clear()
    play(env, Scripted(["a"] * 4), 1, together=3)
    assert asked[-2:] == ["turns", "step"], "one turn alone goes as one"
    play(env, Echo(), 1, together=32)
    assert asked[-7:] == ["step"] * 7, "a player that looks is shown every turn"
    env.close()


@pytest.mark.parametrize(
    "answer", ["'x' * 60_000, 0.0, False, False, {}", "'', 0.0, False, False, {'a': ['x' * 6000] * 10}"]
)
def test_a_batch_that_tells_much_is_cut_and_goes_on(answer: str, asked: list[str]) -> None:
    env = made(source(f"return {answer}"), max_turns=12)
    single = told(env, ["a"] * 12, 1)
    asked.clear()
    assert told(env, ["a"] * 12, 32) == single and len(single[0].turns) == 12
    assert [name for name in asked if name == "turns"] == ["turns"] * 3
    env.close()


def test_a_batch_that_takes_long_is_cut_and_goes_on(asked: list[str]) -> None:
    # Whoever swallows its time limit has taken that long.
    env = made(source("try:\n    while self.n != 2: pass\nexcept BaseException: pass"), PLAIN)
    episode = play(env, Scripted(["a", "b", "c"]), 1, together=3)
    assert [turn.observation[:3] for turn in episode.turns] == ["a 1", "b 2", "c 3"] and episode.error is None
    assert asked[3:] == ["turns", "turns"]
    env.close()


ENDS = {"terminated": "self.n == 3, False, {}", "truncated": "False, self.n == 3, {}", "cut": "False, False, {}"}


@pytest.mark.parametrize("ends", ENDS)
def test_nothing_is_played_after_the_end(ends: str) -> None:
    text = source("self.total += 1", reset="return str(self.total), {}", more="total = 0\n", ends=ENDS[ends])
    env = made(text, max_turns=3)
    assert len(play(env, Scripted(["a"] * 9), 1, together=32).turns) == 3
    assert play(env, Scripted(()), 1).observation == "3", "turns that the instance has played"
    env.close()


def test_several_steps_are_what_each_of_them_returns() -> None:
    env = made(source("pass", ends="self.n == 4, False, {}"))
    env.reset(seed=3)
    single = [env.step(reply) for reply in SAID]
    env.reset(seed=3)
    assert [*env.step_many(SAID[:1]), *env.step_many(SAID[1:])] == single[:4]
    assert env.history == [Action("\\boxed{a}"), Action("\\boxed{c}"), Action("d"), Action("")]
    assert env.step_many(SAID) == single[4:], "the episode is over"
    env.close()
    with pytest.raises(gymnasium.error.ResetNeeded):
        made(source("pass")).step_many(["a", "b"])


def test_the_caller_is_asked_before_every_message() -> None:
    env = made(source("pass"))
    asked = iter([None, StopReason.DEADLINE])
    cut = play(env, Scripted(["a"] * 6), 1, interrupt=lambda: next(asked), together=2)
    assert (len(cut.turns), cut.stop_reason) == (2, StopReason.DEADLINE)
    env.close()


# -- faults ----------------------------------------------------------------------------------------------------

DIES = "__import__('os')._exit(3)"
LIES = """
import os
for fd in range(3, 64):
    try:
        os.write(fd, bytes([0, 0, 0, 10]) + b'{"n":null}')
    except OSError:
        pass
"""
FAULTS = {
    "raises": ("1 / 0", FaultKind.RAISED, None),
    "broken": ("return 'x', float('nan'), False, False, {}", FaultKind.BROKE, None),
    "no text": ("return 7, 0.0, True, False, {}", FaultKind.BROKE, None),
    "hangs": ("while True: pass", FaultKind.HUNG, None),
    "hangs in C": ("sum(range(10**15))", FaultKind.HUNG, None),
    "memory": ("self.n = 'x' * 10**10", FaultKind.MEMORY, None),
    "dies": (DIES, FaultKind.DIED, PLAIN),
    "lies": (LIES, FaultKind.LIED, PLAIN),
}


def failing(body: str, turn: int, reset: str = "pass") -> str:
    return source(f"if self.n == {turn}:\n{textwrap.indent(body, '    ')}", reset=reset)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_at_its_own_turn(fault: str) -> None:
    body, kind, options = FAULTS[fault]
    env = made(failing(body, 5), options)
    single = told(env, SAID * 2, 1)
    episode = single[0]
    assert episode.error is not None and (episode.error.kind, len(episode.turns)) == (kind, 5)
    for together in TOGETHER[2:] if fault == "hangs in C" else TOGETHER[1:]:
        assert told(env, SAID * 2, together) == single
    assert play(env, Scripted(SAID[:4]), 3, together=32).turns == episode.turns[:4], "the next episode is untouched"
    env.close()


@pytest.mark.parametrize("turn", [1, 3, 4, 6])
def test_a_worker_may_die_at_any_place_of_a_batch(turn: int) -> None:
    env = made(failing(DIES, turn), PLAIN)
    single = told(env, SAID * 2, 1)
    assert single[0].error.kind is FaultKind.DIED and len(single[0].turns) == turn
    assert [told(env, SAID * 2, together) == single for together in TOGETHER[1:]] == [True, True]
    env.close()


def test_an_answer_beyond_a_frame_is_a_fault_of_its_turn() -> None:
    text = failing("return 'x', 0.0, False, False, {'a': ['x' * 8000] * 1100}", 5)
    env = SpadeEnv(EnvSource(text), limits=Limits())
    for together in TOGETHER:
        episode = play(env, Scripted(SAID * 2), 3, together=together)
        assert episode.error is not None and "a frame of" in episode.error.message
        assert (episode.error.kind, len(episode.turns)) == (FaultKind.BROKE, 5)
    env.close()


def test_an_instance_without_its_worker_begins_in_another() -> None:
    env = made(source("pass"))
    first = play(env, Scripted(SAID), 3, together=3)
    assert env.boxed is not None
    env.boxed.worker._process.kill()
    env.boxed.worker._process.wait(5)
    rollout = Rollout(env, 3, player="scripted")
    assert run(rollout, Scripted(SAID), together=3).error is not None, "its reset fails"
    assert play(env, Scripted(SAID), 3, together=3).turns == first.turns
    env.close()


def test_a_death_from_outside_ends_an_episode_where_it_is() -> None:
    """As with single turns: nobody knows what the lost instance would have done."""
    env = made(source("pass"))
    whole = play(env, Scripted(SAID), 3).turns
    rollout = Rollout(env, 3, player="p")
    rollout.begin()
    rollout.feed_many(SAID[:2])
    assert env.boxed is not None
    env.boxed.worker._process.kill()
    rollout.feed_many(SAID[2:])
    assert tuple(rollout.turns[:2]) == whole[:2] and rollout.stop_reason is StopReason.ENV_MEMORY
    assert env.history[-1].text == rollout.turns[-1].action
    env.close()


# -- what has to stay a fault, or an error ----------------------------------------------------------------------------


def test_a_hint_that_counts_is_asked_again() -> None:
    more = "def hint(self):\n    self.hinted = True\n    return 'h'\n"
    step = f"if self.n == 5: {DIES}\nreturn str(self.hinted), 0.0, False, False, {{}}"
    env = made(source(step, reset="self.hinted = False", more=more), PLAIN, hinted=True)
    together, single = (told(env, SAID * 2, number) for number in (3, 1))
    env.close()
    assert together == single


def test_a_worn_instance_that_ends_its_worker_is_a_fault() -> None:
    step = f"if self.n == 2 and self.resets == 3: {DIES}"
    env = made(source(step, reset="self.resets += 1", more="resets = 0\n"), PLAIN)
    reasons = [play(env, Scripted(SAID), 3, together=3).stop_reason for _ in range(3)]
    env.close()
    assert reasons == [StopReason.PLAYER_STOPPED, StopReason.PLAYER_STOPPED, StopReason.ENV_RAISED]


def test_a_pool_that_is_closed_stays_closed() -> None:
    pool = WorkerPool(LIMITS)
    rollout = Rollout(SpadeEnv(EnvSource(source("pass")), pool=pool, limits=LIMITS), 3, player="p")
    rollout.begin()
    pool.close()
    rollout.feed_many(SAID)
    alive = len(pool.workers)
    pool.close()
    assert (alive, rollout.episode().stop_reason, len(rollout.turns)) == (0, StopReason.CANCELLED, 1)


def test_several_steps_need_a_reset_too() -> None:
    env = made(source("pass"))
    env.preload()
    try:
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.step_many(["a", "b"])
    finally:
        env.close()


def test_replies_beyond_a_frame_are_played_too() -> None:
    env = made(source("pass"), max_turns=5000)
    try:
        assert len(play(env, Scripted(["x" * 8000] * 1100), 1, together=1100).turns) == 1100
    finally:
        env.close()


# -- players that do not look ----------------------------------------------------------------------------------

EXPERIENCE = Experience("answer", {9: "Ann or Bo?"}, {9: "Ann", 8: "Bo", 7: "12", 3: "Cy"})
GUESSING = ("visible candidate", "small number", "other answer")
WEAK = ("idle", "junk", "constants", "constant yes", "every option", *GUESSING)
BLIND: dict[str, Player] = {
    **{name: weak_player(name, 3, EXPERIENCE) for name in WEAK},
    "scripted": Scripted(["a", "b", "", "a"] * 9),
    "idle, 3": Idle(3, "hm"),
    "junk, 40": Junk(5, 40),
}
LOOKING = ("echo", "first command", "random command", "random call")
FIRST = "Who is it: Ann, Bo, Cy or Dee? 12 of 7 say so. Commands: go, wait."


def acted(player: Player) -> list[str]:
    """Its replies, whatever it sees."""
    player.begin(FIRST, {})
    replies: list[str] = []
    while (reply := player.act(f"Say \\boxed{{{len(replies)}}}, Eve.")) is not None:
        replies.append(reply)
    return replies


@pytest.mark.parametrize("most", [1, 3, 32])
@pytest.mark.parametrize("player", BLIND.values(), ids=BLIND)
def test_what_is_said_ahead_is_what_would_be_said(player: Player, most: int) -> None:
    replies = acted(player)
    assert isinstance(player, Blind) and len(replies) > 1
    for _ in range(2):
        player.begin(FIRST, {})
        said: list[str] = []
        while ahead := player.ahead(most):
            assert len(ahead) == min(most, len(replies) - len(said)), "as many as there are"
            said += ahead
        assert said == replies and player.act("more") is None and not player.ahead(most)
    player.begin(FIRST, {})
    mixed = [*player.ahead(2), player.act("x"), *player.ahead(most)]
    assert mixed == replies[: len(mixed)]


@pytest.mark.parametrize("name", LOOKING)
def test_whoever_looks_says_nothing_ahead(name: str) -> None:
    player = weak_player(name, 3, EXPERIENCE)
    replies = acted(player)
    player.begin(FIRST, {})
    assert isinstance(player, Blind) and list(player.ahead(32)) == []
    assert replies[0] == player.act("Say \\boxed{0}, Eve."), "and loses nothing by being asked"


@pytest.mark.parametrize("name", [*WEAK, *LOOKING])
def test_a_weak_player_plays_the_same_episode_together(name: str) -> None:
    env = made(source("pass", ends="False, False, {}"), max_turns=60)

    def episode(together: int) -> Episode:
        return play(env, weak_player(name, 3, EXPERIENCE), 3, together=together)

    assert episode(32) == episode(1)
    env.close()
