"""The client against a real vLLM server on this machine's processor. ``make test-vllm`` installs it and runs this."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from real_server import MARKS, serve, using
from tiny_model import logprobs_of, make_adapter, make_checkpoint, with_adapter

from spade_envs.client import (
    ChatRequest,
    Client,
    Form,
    Kind,
    Message,
    Reason,
    RequestFailed,
    Sampling,
    Structure,
    TokensRequest,
    Tool,
)

pytestmark = MARKS

PROMPT = (71, 72, 73, 74)
HELLO = (Message("user", "hello"),)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model."""
    folder = tmp_path_factory.mktemp("model")
    make_checkpoint(folder)
    return folder


@pytest.fixture(scope="module")
def url(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Base URL of vLLM."""
    with serve(checkpoint, "tiny", tmp_path_factory.mktemp("log") / "vllm.log") as url:
        yield url


def continued(**options: Any) -> TokensRequest:
    """A short completion."""
    asked = {"max_tokens": 16, "seed": 11, "ignore_eos": True, **options}
    return TokensRequest(prompt=PROMPT, sampling=Sampling(**asked))


def test_it_is_known_for_what_it_is(url: str) -> None:
    able = using(url, lambda client: asyncio.sleep(0, client.capabilities))
    assert able.kind is Kind.VLLM and able.version and able.tokenize
    assert able.context_of("tiny") == 1024 and able.logprobs_mode == "processed_logprobs"
    assert able.lacks() == ()


@pytest.mark.parametrize("temperature", [1.0, 0.5])
def test_tokens_in_and_out_with_the_models_own_probabilities(url: str, checkpoint: Path, temperature: float) -> None:
    from transformers import AutoModelForCausalLM

    answer = using(url, lambda client: client.complete(continued(n=4, temperature=temperature)))
    assert answer.prompt_token_ids == PROMPT and answer.usage.completion_tokens == 64
    assert len({reply.token_ids for reply in answer.replies}) > 1
    again = using(url, lambda client: client.complete(continued(n=4, temperature=temperature)))
    assert [reply.token_ids for reply in again.replies] == [reply.token_ids for reply in answer.replies]
    if temperature == 1.0:
        model = AutoModelForCausalLM.from_pretrained(checkpoint)
        for reply in answer.replies:
            own = logprobs_of(model, PROMPT, reply.token_ids)
            assert reply.logprobs == pytest.approx(own, abs=1e-4)


def test_a_chat_and_its_tokens(url: str) -> None:
    async def do(client: Client) -> None:
        request = ChatRequest(messages=HELLO, sampling=Sampling(max_tokens=8, seed=1), logprobs=True, token_ids=True)
        answer, count = await client.chat(request), await client.count(request)
        [reply] = answer.replies
        assert len(reply.token_ids) == len(reply.logprobs) <= 8
        assert (count.tokens, count.counted_by) == (answer.usage.prompt_tokens, "server")
        assert len(answer.prompt_token_ids) == count.tokens

    using(url, do)


SCHEMA = {"type": "object", "properties": {"at": {"enum": ["door", "well"]}}, "required": ["at"]}
SCHEMA["additionalProperties"] = False


@pytest.mark.parametrize("form", [Form.JSON, Form.CHOICE, Form.REGEX])
def test_replies_keep_to_a_structure(url: str, form: Form) -> None:
    value: Any = {Form.JSON: SCHEMA, Form.CHOICE: ("left", "right"), Form.REGEX: "[a-c]{5}"}[form]
    sampling = Sampling(max_tokens=64, seed=1, stop_token_ids=())
    request = ChatRequest(messages=HELLO, sampling=sampling, structure=Structure(form, value))
    answer = using(url, lambda client: client.chat(request))
    if form is Form.JSON and answer.replies[0].finish_reason == "stop":
        assert json.loads(answer.text)["at"] in ("door", "well")
    elif form is Form.JSON:
        assert answer.text.lstrip().startswith("{")
    elif form is Form.CHOICE:
        assert answer.text in ("left", "right")
    else:
        assert re.fullmatch("[a-c]{5}", answer.text)


def test_a_tool_is_called(url: str) -> None:
    tool = Tool("look", "Look somewhere.", {"type": "object", "properties": {}, "additionalProperties": False})
    # Hot, so that a random model ends its numbers and texts: calls that are cut off are none.
    sampling = Sampling(max_tokens=400, seed=3, n=16, temperature=2.0, frequency_penalty=2.0)
    request = ChatRequest(messages=HELLO, sampling=sampling, tools=(tool,), tool_choice="required")
    replies = using(url, lambda client: client.chat(request)).replies
    calls = [call for reply in replies for call in reply.tool_calls]
    assert calls and {call.name for call in calls} == {"look"}, [reply.text for reply in replies]
    assert all(json.loads(call.arguments) is not None for call in calls)


def test_adapters_are_swapped(url: str, checkpoint: Path, tmp_path: Path) -> None:
    folders = {f"pol-v{seed}": tmp_path / f"v{seed}" for seed in (1, 2)}
    for seed, folder in enumerate(folders.values(), 1):
        make_adapter(checkpoint, folder, seed)

    async def do(client: Client) -> None:
        base = await client.complete(continued())
        for name, folder in folders.items():
            await client.load_adapter(name, folder)
            request = TokensRequest(prompt=PROMPT, sampling=continued().sampling, model=name)
            [reply] = (await client.complete(request)).replies
            assert reply.token_ids != base.replies[0].token_ids
            own = logprobs_of(with_adapter(checkpoint, folder), PROMPT, reply.token_ids)
            assert reply.logprobs == pytest.approx(own, abs=1e-4), "the adapter's weights, not others"
        with pytest.raises(RequestFailed, match="has a model 'pol-v1' already"):
            await client.load_adapter("pol-v1", folders["pol-v2"])
        await client.unload_adapter("pol-v1")
        with pytest.raises(RequestFailed, match=r"has no model 'pol-v1'; it has: tiny, pol-v2") as caught:
            await client.complete(TokensRequest(prompt=PROMPT, model="pol-v1"))
        assert caught.value.reason is Reason.MODEL
        with pytest.raises(RequestFailed, match="has not loaded 'pol-v3'"):
            await client.load_adapter("pol-v3", tmp_path / "nowhere")
        await client.unload_adapter("pol-v2")
        assert [model.name for model in client.capabilities.models] == ["tiny"]

    using(url, do)


def test_a_prompt_that_is_too_long(url: str) -> None:
    async def do(client: Client) -> None:
        with pytest.raises(RequestFailed) as caught:
            await client.chat(ChatRequest(messages=(Message("user", "x" * 2000),)))
        assert caught.value.reason is Reason.CONTEXT, str(caught.value)

    using(url, do)


def test_many_at_once(url: str) -> None:
    async def do(client: Client) -> None:
        requests = [continued(seed=seed) for seed in range(64)]
        found = [one async for one in client.many(requests)]
        assert not [one.error for one in found if one.error]
        assert client.counters().completion_tokens == 64 * 16

    using(url, do)
