"""The player that is a model: what it is shown, what is played of its replies, and how its failures end an episode."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from standin import StandIn, drop, raw, saying, status, until

from spade_envs.asynchronous import AsyncEnvs
from spade_envs.client import Answer, ChatRequest, Client, Sampling, Settings
from spade_envs.model_player import LATER, Agent, ModelPlayer, tools_of
from spade_envs.rollouts import Assignment, play_many, play_one
from spade_envs.settings import EnvSettings
from spade_envs.types import EnvSource, Episode, Limits, Stop, StopReason

PLAIN = Agent()
FAST = Settings(backoff_seconds=0.0, attempts=2, deadline_seconds=30.0)
SUM = EnvSource(
    """
import random
class SumEnv:
    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.a, self.b, self.turn = rng.randint(10, 99), rng.randint(10, 99), 0
        return f"What is {self.a} + {self.b}?", {}
    def step(self, action):
        self.turn += 1
        won = action == "\\\\boxed{%d}" % (self.a + self.b)
        return ("Right." if won else f"Wrong, try {self.turn}."), float(won), won, self.turn >= self.max_turns, {}
    def hint(self):
        return "Add the two numbers."
"""
)
TOOLS = EnvSource(
    """
class ShopEnv(ToolUseBaseEnv):
    def reset(self, seed=None):
        self._state, self._expected_answer, self.turn_count = {"n": 0}, "2", 0
        self._tools = {"add": {"description": "Adds.", "parameters": {"type": "object",
            "properties": {"by": {"type": "integer"}}, "required": ["by"]}}}
        return "Add one twice, and tell what there is.", {}
    def tool_add(self, by):
        self._state["n"] += by
        return str(self._state["n"])
"""
)


def added(messages: list[dict[str, Any]], body: dict[str, Any]) -> str:
    """Right at the second try."""
    asked, *more = [message["content"] for message in messages if message["role"] == "user"]
    total = sum(int(word.rstrip("?")) for word in asked.split() if word.rstrip("?").isdigit())
    return f"It is \\boxed{{{total if more else 0}}}"


@contextlib.asynccontextmanager
async def playing(standin: StandIn, **settings: Any) -> AsyncIterator[tuple[Client, AsyncEnvs]]:
    """An open client of the server, and a place for environments."""
    async with standin.serve() as url, Client(url, settings=Settings(**{**vars(FAST), **settings})) as client:
        with AsyncEnvs(limits=Limits(step_seconds=5.0)) as envs:
            yield client, envs


def played(standin: StandIn, *, source: EnvSource = SUM, agent: Agent = PLAIN, **settings: Any) -> Episode:
    """One episode of a model on that server."""

    async def main() -> Episode:
        async with playing(standin) as (client, envs):
            player = ModelPlayer(client, agent, system="You add.", seed=5)
            return await play_one(envs, Assignment(source, EnvSettings(**settings), 7, player, "lab/env-0001"))

    return asyncio.run(main())


def model(say: Callable[[list[dict[str, Any]], dict[str, Any]], str | dict[str, Any]], context: int = 8000) -> StandIn:
    """A server whose model says what ``say`` returns."""
    standin = StandIn(models=[{"id": "tiny", "max_model_len": context}])
    standin.always = saying(standin, say)
    return standin


def test_an_episode_of_several_turns_is_one_chat() -> None:
    standin = model(added)
    episode = played(standin, contract="answer")
    assert episode.success and episode.outcome == 1.0 and len(episode.turns) == 2
    assert (episode.player, episode.env_id) == ("tiny", "lab/env-0001")
    first, second = (body["messages"] for body in standin.log)
    assert [message["role"] for message in second] == ["system", "user", "assistant", "user"]
    assert second[:2] == first and second[0]["content"] == "You add." and second[1]["content"] == episode.observation
    assert second[3]["content"] == "Wrong, try 1."


def test_every_turn_has_a_sampling_seed_of_its_own_and_the_same_one_again() -> None:
    logs = [model(added), model(added)]
    for standin in logs:
        played(standin, contract="answer", agent=Agent(sampling=Sampling(temperature=0.5, max_tokens=99)))
    seeds = [[body["seed"] for body in standin.log] for standin in logs]
    assert seeds[0] == seeds[1] and len(set(seeds[0])) == 2
    assert {(body["temperature"], body["max_tokens"]) for body in logs[0].log} == {(0.5, 99)}


def test_think_text_is_recorded_but_neither_played_nor_said_again() -> None:
    def say(messages: list[dict[str, Any]], body: dict[str, Any]) -> str:
        return "<think>\\boxed{1} perhaps</think>" + added(messages, body)

    standin = model(say)
    episode = played(standin, contract="answer")
    assert episode.success and "<think>" in episode.turns[0].reply and episode.turns[0].action == "\\boxed{0}"
    assert standin.log[1]["messages"][2]["content"] == "It is \\boxed{0}"


def test_think_text_that_the_server_separates_is_recorded_too() -> None:
    standin = model(lambda messages, body: {"message": {"content": added(messages, body), "reasoning_content": "hm"}})
    episode = played(standin, contract="answer")
    assert episode.turns[0].reply == "<think>\nhm\n</think>\nIt is \\boxed{0}" and episode.success


def test_a_reply_that_was_cut_off_ends_the_episode_and_is_not_played() -> None:
    standin = model(lambda messages, body: {"message": {"content": "It is \\boxed{1"}, "finish_reason": "length"})
    episode = played(standin, contract="answer", agent=Agent(sampling=Sampling(max_tokens=100)))
    assert (episode.stop_reason, episode.outcome, episode.turns) == (StopReason.NO_EOS, 0.0, ())
    assert episode.cut == "It is \\boxed{1" and "100 tokens" in episode.detail


def test_a_full_context_is_seen_before_it_is_asked_for() -> None:
    # The stand-in counts a token for each character, and 10 for the template: 43 are left at the second turn.
    standin = model(lambda messages, body: "x" * 60 + " \\boxed{0}", context=160)
    episode = played(standin, contract="answer", agent=Agent(sampling=Sampling(max_tokens=400)))
    assert (episode.stop_reason, episode.outcome, len(episode.turns)) == (StopReason.CONTEXT_FULL, 0.0, 1)
    assert "tokens are left" in episode.detail and len(standin.log) == 1
    assert standin.log[0]["max_tokens"] == 160 - standin_count(standin.log[0])


def standin_count(body: dict[str, Any]) -> int:
    """As the stand-in counts."""
    return sum(len(message["content"]) for message in body["messages"]) + 10


def test_a_reply_that_fills_the_context_is_no_lack_of_an_end() -> None:
    standin = model(lambda messages, body: {"message": {"content": "so"}, "finish_reason": "length"}, context=220)
    episode = played(standin, contract="answer", agent=Agent(sampling=Sampling(max_tokens=400)))
    assert (episode.stop_reason, episode.cut) == (StopReason.CONTEXT_FULL, "so")


def test_tokens_are_counted_only_near_the_end_of_the_context() -> None:
    standin = model(added, context=100_000)
    played(standin, contract="answer")
    assert standin.paths.count("/tokenize") == 1  # asked whether it counts, when it was found


@pytest.mark.parametrize(
    ("misbehaviour", "reason"),
    [
        (status(503), StopReason.SERVER_ERROR),
        (drop, StopReason.SERVER_ERROR),
        (raw(b"<html>"), StopReason.SERVER_ERROR),
        (status(400, "This model's maximum context length is 8000 tokens."), StopReason.CONTEXT_FULL),
        (until(asyncio.Event(), drop), StopReason.DEADLINE),
    ],
)
def test_a_server_that_fails_ends_the_episode(misbehaviour: Any, reason: StopReason) -> None:
    standin = model(added)
    good = standin.always
    assert good is not None
    standin.script = [good]
    standin.always = misbehaviour
    agent = Agent(episode_seconds=1.0 if reason is StopReason.DEADLINE else 60.0)
    episode = played(standin, contract="answer", agent=agent)
    assert episode.stop_reason is reason and episode.detail and len(episode.turns) == 1
    assert episode.outcome == (0.0 if reason is StopReason.CONTEXT_FULL else None)


def test_the_time_of_all_replies_of_an_episode_is_bounded_and_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float | None] = []

    async def main() -> list[Any]:
        standin = model(added)
        async with playing(standin) as (client, _):
            loop, passed = asyncio.get_running_loop(), 0.0
            now, chat = loop.time, client.chat
            monkeypatch.setattr(loop, "time", lambda: now() + passed)

            async def slow(request: ChatRequest) -> Answer:
                nonlocal passed
                asked.append(request.deadline_seconds)
                answer = await chat(request)
                passed += 600.0  # without a wait
                return answer

            monkeypatch.setattr(client, "chat", slow)
            player = ModelPlayer(client, Agent(episode_seconds=1000.0))
            player.begin("What is 1 + 2?", {})
            said = []
            for _ in range(3):
                said.append(await player.act("What is 1 + 2?"))
                passed += 5000.0  # of the environment
            return said

    first, second, third = asyncio.run(main())
    assert isinstance(first, str) and isinstance(second, str)
    assert isinstance(third, Stop) and third.reason is StopReason.DEADLINE and "1000 s" in third.detail
    assert asked[0] == FAST.deadline_seconds and len(asked) == 2


def test_tools_stand_in_the_first_observation_and_calls_in_the_reply() -> None:
    call = '<tool_call>{"name": "add", "arguments": {"by": 1}}</tool_call>'
    standin = model(lambda messages, body: f"{call}\n{call}" if len(messages) == 2 else "<answer>2</answer>")
    episode = played(standin, source=TOOLS, contract="tools", tools="text")
    assert episode.success, episode
    assert '"name": "add"' in standin.log[0]["messages"][1]["content"] and "tools" not in standin.log[0]


def test_tools_may_travel_in_fields_of_their_own() -> None:
    calls = [{"id": "same", "function": {"name": "add", "arguments": '{"by": 1}'}}] * 2

    def say(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | dict[str, Any]:
        if len(messages) > 2:
            return "<answer>2</answer>"
        return {"message": {"content": "", "tool_calls": calls}, "finish_reason": "tool_calls"}

    standin = model(say)
    episode = played(standin, source=TOOLS, contract="tools", agent=Agent(tools="native"))
    assert episode.success, episode
    assert [tool["function"]["name"] for tool in standin.log[0]["tools"]] == ["add"]
    said, one, other = standin.log[1]["messages"][2:]
    assert [call["id"] for call in said["tool_calls"]] == [one["tool_call_id"], other["tool_call_id"]]
    assert one["tool_call_id"] != other["tool_call_id"]
    assert one["content"] == LATER and "2" in other["content"]


def test_what_is_no_tool_is_left_out() -> None:
    tools = [None, {"function": {"name": 3}}, {"function": {"name": "go", "parameters": []}}]
    assert [tool.name for tool in tools_of({"tools": tools})] == ["go"]
    assert tools_of({"tools": "text"}) == () == tools_of({})


def test_values_out_of_range_are_refused() -> None:
    for options in ({"sampling": Sampling(n=2)}, {"tools": "both"}, {"episode_seconds": 0.0}):
        with pytest.raises(ValueError):
            Agent(**options)  # type: ignore[arg-type]


async def listed(ended: AsyncIterator[tuple[int, Episode]]) -> list[tuple[int, Episode]]:
    """All of them."""
    return [one async for one in ended]


# -- many ------------------------------------------------------------------------------------------------------


def test_many_episodes_are_those_of_single_ones_whatever_becomes_of_others() -> None:
    def say(messages: list[dict[str, Any]], body: dict[str, Any]) -> str:
        # What it says depends on the request alone.
        right = added(messages * 2, body)
        return right if body["seed"] % 5 == 0 or (body["seed"] % 5 == 1 and len(messages) > 3) else "no idea"

    def assignments(client: Client, count: int) -> list[Assignment]:
        settings = EnvSettings(contract="answer")
        players = [ModelPlayer(client, Agent(), system="You add.", seed=at) for at in range(count)]
        return [Assignment(SUM, settings, at, player) for at, player in enumerate(players)]

    async def together() -> list[Episode]:
        async with playing(model(say)) as (client, envs):
            found = {at: one async for at, one in play_many(envs, assignments(client, 40), concurrency=16)}
        return [found[at] for at in range(40)]

    async def alone() -> list[Episode]:
        async with playing(model(say)) as (client, envs):
            return [await play_one(envs, one) for one in assignments(client, 40)]

    first = asyncio.run(together())
    assert first == asyncio.run(alone())
    assert {episode.outcome for episode in first} == {0.0, 1.0} and {len(one.turns) for one in first} >= {1, 4}


def test_no_more_episodes_are_played_at_a_time_than_allowed() -> None:
    async def main() -> int:
        standin, five = model(lambda messages, body: "\\boxed{0}"), asyncio.Event()
        assert standin.always is not None
        standin.script = [until(five, standin.always)] * 5
        async with playing(standin) as (client, envs):
            todo = (
                Assignment(SUM, EnvSettings(contract="answer"), at, ModelPlayer(client, Agent())) for at in range(30)
            )
            ended = asyncio.ensure_future(listed(play_many(envs, todo, concurrency=5)))
            while standin.in_flight < 5:
                await asyncio.sleep(0)
            five.set()
            assert len(await ended) == 30
        return standin.most

    assert asyncio.run(main()) == 5


def test_leaving_early_cancels_the_rest() -> None:
    async def main() -> None:
        standin = model(added)
        async with playing(standin) as (client, envs):
            settings, stuck = EnvSettings(contract="answer"), until(asyncio.Event(), drop)
            todo = [Assignment(SUM, settings, at, ModelPlayer(client, Agent())) for at in range(9)]
            assert standin.always is not None
            standin.script = [standin.always, standin.always]
            standin.always = stuck
            async with contextlib.aclosing(play_many(envs, todo[:1])) as ended:
                async for _, episode in ended:
                    assert episode.success
            async with contextlib.aclosing(play_many(envs, todo, concurrency=9)) as ended:
                waiting = asyncio.ensure_future(anext(ended))
                while standin.in_flight < 9:
                    await asyncio.sleep(0)
                waiting.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await waiting
            while standin.in_flight:
                await asyncio.sleep(0)
            assert client.counters().in_flight == 0

    asyncio.run(main())


def test_an_iterable_that_fails_is_heard_of() -> None:
    def todo(client: Client) -> Any:
        yield Assignment(SUM, EnvSettings(contract="answer"), 1, ModelPlayer(client, Agent()))
        raise KeyError("broken")

    async def main() -> None:
        async with playing(model(added)) as (client, envs):
            async for _ in play_many(envs, todo(client), concurrency=1):
                pass

    with pytest.raises(KeyError):
        asyncio.run(main())


def test_a_hint_of_the_author_is_waited_for_beside_others() -> None:
    async def main() -> list[Episode]:
        async with playing(model(added)) as (client, envs):
            settings = EnvSettings(contract="answer", hinted=True)
            todo = [Assignment(SUM, settings, at, ModelPlayer(client, Agent())) for at in range(20)]
            return [episode async for _, episode in play_many(envs, todo)]

    episodes = asyncio.run(main())
    assert all(episode.hinted and episode.observation.endswith("HINT: Add the two numbers.") for episode in episodes)


def test_a_call_with_arguments_that_are_no_json_is_the_environments_to_answer() -> None:
    broken = {"id": "a", "function": {"name": "add", "arguments": "{by"}}

    def say(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | dict[str, Any]:
        if len(messages) > 2:
            return "<answer>9</answer>"
        return {"message": {"content": None, "tool_calls": [broken]}, "finish_reason": "tool_calls"}

    episode = played(model(say), source=TOOLS, contract="tools", agent=Agent(tools="native"))
    assert json.dumps("{by") in episode.turns[0].reply and episode.stop_reason is not StopReason.ENV_RAISED
