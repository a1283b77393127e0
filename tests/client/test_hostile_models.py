"""Models and servers that misbehave: what goes back to the server, what is played, and whose doing an end is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from standin import StandIn, saying, status
from test_model_player import TOOLS, added, model, played, playing, standin_count

from spade_envs.client import Sampling
from spade_envs.model_player import Agent, ModelPlayer
from spade_envs.types import Stop, StopReason


def calling(arguments: str, name: str = "add", text: str = "") -> StandIn:
    """A model that makes one call, then answers."""
    call = {"id": "1", "function": {"name": name, "arguments": arguments}}

    def say(messages: list[dict[str, Any]], body: dict[str, Any]) -> str | dict[str, Any]:
        if len(messages) > 2:
            return "<answer>2</answer>"
        return {"message": {"content": text, "tool_calls": [call]}, "finish_reason": "tool_calls"}

    return model(say)


@pytest.mark.parametrize("arguments", ['{"by": 1', "[1]", '{"by": NaN}', "", "[" * 2000 + "]" * 2000])
def test_calls_go_back_to_the_server_as_json_objects_whatever_the_model_wrote(arguments: str) -> None:
    standin = calling(arguments)
    episode = played(standin, source=TOOLS, contract="tools", agent=Agent(tools="native"))
    assert (
        episode.stop_reason is StopReason.TERMINATED and "Error: the arguments of add" in episode.turns[0].observation
    )
    (call,) = standin.log[1]["messages"][2]["tool_calls"]
    assert json.loads(call["function"]["arguments"]) == {"unread": arguments}


@pytest.mark.parametrize(
    ("arguments", "text", "observed"),
    [
        ('{"by": 1}', "<think> so", "1"),
        ('{"by": "</think>"}', "", "must be of type integer"),
        ('{"by": "</tool_call>"}', "", "must be of type integer"),
        ('{"by": "<think>"}', "", "must be of type integer"),
    ],
)
def test_no_tag_comes_between_a_call_and_its_tool(arguments: str, text: str, observed: str) -> None:
    standin = calling(arguments, text=text)
    episode = played(standin, source=TOOLS, contract="tools", agent=Agent(tools="native"))
    assert observed in episode.turns[0].observation
    assert standin.log[1]["messages"][2]["tool_calls"][0]["function"]["arguments"] == arguments


def test_calls_without_end_are_the_models_doing_and_no_missing_outcome() -> None:
    call = {"id": "1", "function": {"name": "add", "arguments": '{"by": 1}'}}
    standin = model(lambda messages, body: {"message": {"content": "", "tool_calls": [call] * 1000}}, context=10**6)
    episode = played(standin, source=TOOLS, contract="tools", agent=Agent(tools="native"))
    assert episode.outcome == 0.0 and episode.turns[0].action.count("<tool_call>") == 128


def test_a_reply_that_the_server_held_back_is_missing_and_not_played() -> None:
    standin = model(lambda messages, body: {"message": {"content": ""}, "finish_reason": "content_filter"})
    episode = played(standin, contract="answer")
    assert (episode.stop_reason, episode.outcome, episode.turns) == (StopReason.SERVER_ERROR, None, ())


def narrow(say: Callable[..., Any], context: int) -> StandIn:
    """A server that does not tell how long its context is, and refuses what does not fit."""
    standin = StandIn(kind="bare", models=[{"id": "tiny"}])
    alive = saying(standin, say)

    async def answer(request: Any, body: dict[str, Any]) -> Any:
        need = standin_count(body) + body["max_tokens"]
        refused = status(400, f"This model's maximum context length is {context} tokens; you requested {need}.")
        return await (alive if need <= context else refused)(request, body)

    standin.always = answer
    return standin


def test_a_context_that_is_not_told_is_found_by_asking_for_less() -> None:
    standin = narrow(added, 1500)
    episode = played(standin, contract="answer", agent=Agent(sampling=Sampling(max_tokens=1500)))
    assert episode.success and [body["max_tokens"] for body in standin.answered] == [750, 750]


def test_a_context_without_room_for_64_tokens_is_full() -> None:
    standin = narrow(added, 90)
    episode = played(standin, contract="answer", agent=Agent(sampling=Sampling(max_tokens=1500)))
    assert (episode.stop_reason, episode.outcome, episode.turns) == (StopReason.CONTEXT_FULL, 0.0, ())
    assert standin.log[-1]["max_tokens"] == 64 and "maximum context" in episode.detail


def test_the_time_that_an_environment_takes_is_not_the_models() -> None:
    async def main() -> list[str | Stop]:
        async with playing(model(lambda messages, body: "\\boxed{0}")) as (client, _):
            player, loop = ModelPlayer(client, Agent(episode_seconds=100.0)), asyncio.get_running_loop()
            player.begin("What is 1 + 1?", {})
            said, clock = [await player.act("What is 1 + 1?")], loop.time
            loop.time = lambda: clock() + 1000.0  # type: ignore[method-assign]
            said.append(await player.act("Wrong."))
            return said

    assert asyncio.run(main()) == ["\\boxed{0}"] * 2
