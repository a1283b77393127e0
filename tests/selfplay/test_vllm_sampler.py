"""Asking vLLM for tokens."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from number_servers import Servers, done

from spade_envs.client import Answer, Kind, Reason, Reply, RequestFailed, TokensRequest
from spade_envs.selfplay.failures import ConfigError
from spade_envs.selfplay.sampling import Draw, Drawn
from spade_envs.selfplay.vllm_sampler import VllmServer
from spade_envs.types import Stop, StopReason

DRAW = Draw("a", (1, 2, 3), 5, 8, 0.7, 0.9, 4)


def drawn_by(servers: Servers, draw: Draw = DRAW, **options: Any) -> Drawn | Stop:
    sampler = VllmServer(servers, ends=frozenset({99, 98}), **options)  # type: ignore[arg-type]
    [found] = done(sampler.draw(draw))
    assert isinstance(found, Drawn | Stop)
    return found


def test_a_draw_is_asked_for_as_it_is() -> None:
    servers = Servers()
    found = drawn_by(servers)
    [request] = servers.asked
    sampling = request.sampling
    assert request.prompt == (1, 2, 3) and request.model == "base" and request.logprobs and request.token_ids
    assert (sampling.temperature, sampling.top_p, sampling.top_k, sampling.seed) == (0.7, 0.9, 4, 5)
    assert (sampling.max_tokens, sampling.stop_token_ids) == (8, (98, 99))
    assert isinstance(found, Drawn) and len(found.tokens) == len(found.logprobs) == 8
    assert not found.ended and found.policy_version == 0


def reply_of(servers: Servers, tokens: tuple[int, ...], finish: str) -> Drawn | Stop:
    async def complete(request: TokensRequest) -> Answer:
        reply = Reply(text="", finish_reason=finish, token_ids=tokens, logprobs=(1e-7,) * len(tokens))
        return Answer(replies=(reply,), usage=None, model="base")

    servers.complete = complete  # type: ignore[method-assign]
    return drawn_by(servers)


@pytest.mark.parametrize(
    ("tokens", "finish", "ended"),
    [((5, 99), "stop", True), ((5, 99), "length", True), ((5, 6), "length", False), ((7,), "stop", True)],
)
def test_a_turn_ends_with_an_end(tokens: tuple[int, ...], finish: str, ended: bool) -> None:
    found = reply_of(Servers(), tokens, finish)
    assert isinstance(found, Drawn) and found.ended == ended and max(found.logprobs) == 0.0


def test_what_a_server_does_wrong_is_a_stop() -> None:
    assert isinstance(reply_of(Servers(), (), "stop"), Stop)
    servers = Servers()
    servers.answers_as = "pol-v0"
    wrong = drawn_by(servers)
    assert isinstance(wrong, Stop) and "answered as 'pol-v0'" in wrong.detail
    servers.refuses = RequestFailed("time was up", Reason.DEADLINE)
    late = drawn_by(servers)
    assert isinstance(late, Stop) and late.reason is StopReason.DEADLINE


def test_the_context_bounds_a_draw() -> None:
    servers = Servers()
    found = drawn_by(servers, Draw("a", (1,) * 95, 5, 8, 1.0))
    assert isinstance(found, Drawn) and servers.asked[0].sampling.max_tokens == 5
    full = drawn_by(servers, Draw("a", (1,) * 20, 5, 8, 1.0), context=20)
    assert isinstance(full, Stop) and full.reason is StopReason.CONTEXT_FULL


@pytest.mark.parametrize("mode", ["raw_logprobs", None])
def test_probabilities_of_another_temperature_are_refused(mode: str | None) -> None:
    servers = Servers()
    servers.mode = mode
    assert isinstance(drawn_by(servers, Draw("a", (1,), 5, 8, 1.0)), Drawn)
    for draw in (DRAW, Draw("a", (1,), 5, 8, 0.6), Draw("a", (1,), 5, 8, 1.0, 0.9), Draw("a", (1,), 5, 8, 1.0, 1.0, 3)):
        with pytest.raises(ConfigError, match="processed_logprobs"):
            drawn_by(servers, draw)
    if mode is None:
        assert isinstance(drawn_by(servers, trusted=True), Drawn)


def test_only_vllm_is_asked() -> None:
    servers = Servers()
    other = dataclasses.replace(servers.capabilities, kind=Kind.SGLANG)
    with pytest.raises(ConfigError, match="needs vLLM"):
        VllmServer(type("Other", (), {"capabilities": other, "model": "base"})(), ends=frozenset())
