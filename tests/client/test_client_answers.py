"""What the client sends and what it makes of what comes back, with servers of every kind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from standin import StandIn, cut, drop, endless, json_of, raw, status

from spade_envs.client import (
    Answer,
    ChatRequest,
    Client,
    Form,
    Kind,
    Message,
    Reason,
    RequestFailed,
    Sampling,
    Settings,
    Structure,
    TokensRequest,
    Tool,
    ToolCall,
)
from spade_envs.client.replies import parse

FAST = Settings(backoff_seconds=0.0, deadline_seconds=60.0, reply_bytes=100_000)
CHAT = ChatRequest(messages=(Message("user", "hello"),), sampling=Sampling(seed=1, max_tokens=8))
TOKENS = TokensRequest(prompt=(5, 6, 7), sampling=Sampling(seed=1, max_tokens=8))


def using(standin: StandIn, do: Callable[[Client], Awaitable[Any]], **options: Any) -> Any:
    """Serve the stand-in, open a client, and do something with it."""

    async def run() -> Any:
        async with standin.serve() as url, Client(url, **{"settings": FAST, **options}) as client:
            return await do(client)

    return asyncio.run(run())


def failure(standin: StandIn, request: ChatRequest | TokensRequest, **options: Any) -> RequestFailed:
    """The error of a request that must fail."""

    async def do(client: Client) -> RequestFailed:
        ask = client.chat if isinstance(request, ChatRequest) else client.complete
        with pytest.raises(RequestFailed) as caught:
            await ask(request)
        assert client.counters().failed == 1
        assert client.counters().in_flight == 0
        return caught.value

    return using(standin, do, **options)


# -- what is sent ----------------------------------------------------------------------------------------------


def test_every_sampling_parameter_is_sent() -> None:
    standin = StandIn()
    answer: Answer = using(standin, lambda client: client.complete(TOKENS))
    sent = standin.log[0]
    assert sent["prompt"] == [5, 6, 7] and sent["model"] == "tiny" and sent["return_token_ids"] is True
    neutral = {"temperature": 1.0, "top_p": 1.0, "top_k": 0, "min_p": 0.0, "repetition_penalty": 1.0, "min_tokens": 0}
    more = {"presence_penalty": 0.0, "frequency_penalty": 0.0, "max_tokens": 8, "n": 1, "seed": 1, "ignore_eos": False}
    for name, value in {**neutral, **more, "stop_token_ids": [], "logprobs": 0}.items():
        assert sent[name] == value, name
    [reply] = answer.replies
    assert reply.token_ids is not None and len(reply.token_ids) == 4
    assert reply.logprobs == tuple(-0.01 * one for one in reply.token_ids)
    assert answer.prompt_token_ids == (5, 6, 7) and answer.usage is not None
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (3, 4)


def test_many_replies_keep_their_order() -> None:
    standin = StandIn()

    async def backwards(request: Any, body: dict[str, Any]) -> Any:
        answer = standin.answer_to(body)
        answer["choices"].reverse()
        return json_of(answer)

    standin.script = [backwards]
    request = TokensRequest(prompt=(1,), sampling=Sampling(seed=3, n=4))

    async def both(client: Client) -> tuple[Answer, Answer]:
        return await client.complete(request), await client.complete(request)

    first, second = using(standin, both)
    assert first == second
    assert len({reply.token_ids for reply in first.replies}) == 4


def test_a_chat_with_tools_and_thoughts() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "door"}'}}
    message = {"role": "assistant", "content": None, "reasoning": "hm", "tool_calls": [call]}
    standin = StandIn()

    async def calls(request: Any, body: dict[str, Any]) -> Any:
        return standin.good(body, message=message, finish_reason="tool_calls")

    standin.script = [calls]
    request = ChatRequest(
        messages=(Message("user", "look"),),
        tools=(Tool("look", "Look.", {"type": "object"}),),
        tool_choice="look",
        template_options={"enable_thinking": True},
    )
    [reply] = using(standin, lambda client: client.chat(request)).replies
    assert (reply.text, reply.reasoning, reply.finish_reason) == ("", "hm", "tool_calls")
    assert reply.tool_calls == (ToolCall("c1", "look", '{"at": "door"}'),)
    sent = standin.log[0]
    assert sent["tool_choice"] == {"type": "function", "function": {"name": "look"}}
    assert sent["tools"][0]["function"] == {"name": "look", "description": "Look.", "parameters": {"type": "object"}}
    assert sent["chat_template_kwargs"] == {"enable_thinking": True}
    using(standin, lambda client: client.chat(replace(request, tools=(Tool("look", "", {}, strict=True),))))
    assert standin.log[1]["tools"][0]["function"]["strict"] is True


def test_a_chat_on_llama_cpp_has_token_ids_and_log_probabilities() -> None:
    request = replace(CHAT, logprobs=True, token_ids=True)
    [reply] = using(StandIn(kind="llamacpp"), lambda client: client.chat(request)).replies
    assert len(reply.token_ids) == len(reply.logprobs) == 4


STRUCTURES = {
    ("vllm", Form.JSON): {"structured_outputs": {"json": {"type": "object"}}},
    ("vllm", Form.CHOICE): {"structured_outputs": {"choice": ["a", "b"]}},
    ("vllm", Form.REGEX): {"structured_outputs": {"regex": "x"}},
    ("sglang", Form.REGEX): {"regex": "x"},
    ("sglang", Form.GRAMMAR): {"ebnf": "x"},
    ("llamacpp", Form.GRAMMAR): {"grammar": "x"},
    ("bare", Form.JSON): {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": {"type": "object"}, "strict": True},
        }
    },
    ("bare", Form.REGEX): None,
    ("llamacpp", Form.CHOICE): None,
}
"""Kind of server and form to what is sent; ``None`` where it must be refused."""


@pytest.mark.parametrize(("kind", "form"), STRUCTURES)
def test_structures_are_written_as_each_server_reads_them(kind: str, form: Form) -> None:
    value: Any = {Form.JSON: {"type": "object"}, Form.CHOICE: ("a", "b")}.get(form, "x")
    request = ChatRequest(messages=CHAT.messages, structure=Structure(form, value))
    standin, wanted = StandIn(kind=kind), STRUCTURES[kind, form]
    if wanted is None:
        error = failure(standin, request)
        assert f"a structure of form {form}" in str(error) and "Its limits: " in str(error) and not standin.log
    else:
        using(standin, lambda client: client.chat(request))
        assert wanted.items() <= standin.log[0].items()


@pytest.mark.parametrize("kind", [kind.value for kind in Kind])
def test_capabilities_and_what_a_lesser_server_lacks(kind: str) -> None:
    standin = StandIn(kind=kind)
    able = using(standin, lambda client: asyncio.sleep(0, client.capabilities))
    assert able.kind.value == kind and able.context_of("tiny") == 100
    assert able.tokenize == (kind != "bare") and able.version == ("0.33.0" if kind == "vllm" else None)
    assert bool(able.lacks()) == (kind in ("llamacpp", "bare"))
    if kind == "bare":
        error = failure(standin, TOKENS)
        assert error.reason is Reason.REQUEST and "token_ids=False" in str(error)
        error = failure(standin, ChatRequest(messages=CHAT.messages, sampling=Sampling(top_k=5)))
        assert "does not take top_k" in str(error)
        using(standin, lambda client: client.chat(CHAT))
        assert not {"top_k", "min_p", "return_token_ids", "ignore_eos"} & set(standin.log[-1])
    else:
        reply = using(standin, lambda client: client.complete(TOKENS)).replies[0]
        assert len(reply.token_ids) == len(reply.logprobs) == 4
        assert standin.log[-1]["top_k"] == (-1 if kind == "sglang" else 0)


def test_misspelt_fields_are_refused() -> None:
    with pytest.raises(RequestFailed, match="no sampling field 'max_token'; did you mean 'max_tokens'"):
        Sampling.of({"max_token": 5})
    with pytest.raises(TypeError):
        ChatRequest(messages=CHAT.messages, guided_choice=["a"])  # type: ignore[call-arg]
    with pytest.raises(RequestFailed, match="no role 'users'; did you mean 'user'"):
        Message("users", "hello")
    with pytest.raises(RequestFailed, match="no tool choice 'lok'"):
        ChatRequest(messages=CHAT.messages, tools=(Tool("look", "", {}),), tool_choice="lok")


@pytest.mark.parametrize(
    "values",
    [
        {"temperature": -1},
        {"temperature": float("nan")},
        {"temperature": True},
        {"top_p": 0},
        {"top_k": -1},
        {"max_tokens": 0},
        {"max_tokens": 5.0},
        {"min_tokens": 2000},
        {"seed": -1},
        {"n": 0},
        {"stop": "x"},
        {"stop": ("",)},
        {"stop_token_ids": [1.5]},
        {"ignore_eos": 1},
    ],
    ids=str,
)
def test_wrong_values_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(RequestFailed) as caught:
        Sampling.of(values)
    assert next(iter(values)) in str(caught.value) and caught.value.reason is Reason.REQUEST


# -- what comes back -------------------------------------------------------------------------------------------

GOOD: dict[str, Any] = {"index": 0, "finish_reason": "stop", "token_ids": [1], "text": "a"}
GOOD["logprobs"] = {"token_logprobs": [-0.5]}

NO_ANSWERS = {
    "empty": (b"", "the reply is empty"),
    "cut off": (b'{"choices": [{"ind', "no whole JSON"),
    "no JSON": (b"<html>Bad gateway</html>", "begins with '<html>"),
    "a list": (b"[]", "a JSON list"),
    "deep": (b"[" * 50_000, "no whole JSON"),
    "not UTF-8": (b'{"a": "\xff\xfe"}', "no whole JSON"),
    "NaN": (b'{"choices": NaN}', "NaN is no JSON"),
    "no choices": (b"{}", "no list 'choices'"),
    "none of the choices": (b'{"choices": []}', "asked for 1 replies, found 0"),
    "a choice of text": (b'{"choices": ["a"]}', "a choice is no object"),
}
NO_ANSWERS |= {
    name: (json.dumps({"choices": [GOOD | changes]}).encode(), message)
    for name, changes, message in [
        ("another index", {"index": 1}, "indexes [1]"),
        ("index of another type", {"index": True}, "index is no count"),
        ("no end", {"finish_reason": None}, "cut off"),
        ("text of numbers", {"text": 5}, "text is no text"),
        ("ids of text", {"token_ids": ["1"]}, "no integer"),
        ("ids below 0", {"token_ids": [-1]}, "no integer"),
        ("no ids", {"token_ids": None}, "asked for token ids"),
        ("no log probabilities", {"logprobs": None}, "asked for log probabilities"),
        ("too few of them", {"token_ids": [1, 2]}, "2 token ids and 1 log"),
        ("positive ones", {"logprobs": {"token_logprobs": [0.5]}}, "at most 0"),
        ("null ones", {"logprobs": {"token_logprobs": [None]}}, "at most 0"),
        ("too many tokens", {"token_ids": [1] * 9, "logprobs": {"token_logprobs": [-1] * 9}}, "9 tokens where"),
        ("another prompt", {"prompt_token_ids": [5, 6]}, "another prompt"),
    ]
}


@pytest.mark.parametrize("name", NO_ANSWERS)
def test_what_is_no_answer_is_an_error(name: str) -> None:
    data, message = NO_ANSWERS[name]
    standin = StandIn(script=[raw(data)])
    error = failure(standin, TOKENS)
    assert error.reason is Reason.REPLY and message in str(error), str(error)
    assert str(error).startswith("http://127.0.0.1:")
    assert len(standin.log) == 1, "a reply that is no answer is no reason to ask again"


def test_strange_text_becomes_text() -> None:
    body = {"choices": [GOOD | {"text": "a\ud800b"}], "usage": {"prompt_tokens": 3}}
    data = json.dumps(body).encode()  # an escape, which JSON allows
    answer = using(StandIn(script=[raw(data)]), lambda client: client.complete(TOKENS))
    assert answer.text == "a?b" and answer.usage.completion_tokens == 1


def test_replies_without_an_end_are_cut_off() -> None:
    for kind in (endless(), endless(b"x"), raw(b" " * 200_000)):
        error = failure(StandIn(script=[kind]), TOKENS)
        assert "larger than 100000 bytes" in str(error) and error.reason is Reason.SERVER


def test_a_compressed_flood_is_not_read() -> None:
    import gzip

    flood = raw(gzip.compress(b" " * 10_000_000), **{"Content-Encoding": "gzip"})
    assert "larger than 100000 bytes" in str(failure(StandIn(script=[flood]), TOKENS))
    strange = raw(b"abc", **{"Content-Encoding": "br"})
    assert "compressed as br" in str(failure(StandIn(script=[strange]), TOKENS))


@pytest.mark.parametrize("code", [408, 409, 429, 500, 502, 503, 504])
def test_what_may_pass_is_asked_again(code: int) -> None:
    standin = StandIn(script=[status(code), drop, cut])

    async def do(client: Client) -> None:
        answer = await client.complete(TOKENS)
        assert answer.attempts == 4
        counters = client.counters()
        assert (counters.answered, counters.failed, counters.retries) == (1, 0, 3)
        assert (counters.prompt_tokens, counters.completion_tokens) == (3, 4), "tokens count once"

    using(standin, do)
    assert len(standin.log) == 4 and len(standin.answered) == 1
    assert all(body == standin.log[0] for body in standin.log), "the same request, the same seed"


def test_a_reply_that_the_server_gave_up_on_is_asked_again() -> None:
    standin = StandIn()

    async def abort(request: Any, body: dict[str, Any]) -> Any:
        return standin.good(body, finish_reason="abort")

    standin.script = [abort]
    assert using(standin, lambda client: client.complete(TOKENS)).attempts == 2


@pytest.mark.parametrize("code", [400, 404, 413, 422, 302])
def test_a_refusal_is_not_asked_again(code: int) -> None:
    standin = StandIn(script=[status(code, "no such thing", Location="http://127.0.0.1:1/")])
    error = failure(standin, TOKENS)
    assert len(standin.log) == 1 and error.reason is Reason.REQUEST
    assert ("redirects" if code == 302 else f"(status {code}): no such thing") in str(error)


def test_a_prompt_that_is_too_long() -> None:
    standin = StandIn(always=status(400, "This model's maximum context length is 100 tokens. However"))
    error = failure(standin, CHAT)
    assert error.reason is Reason.CONTEXT and "shorten the prompt" in str(error) and len(standin.log) == 1
    error = failure(standin, TokensRequest(prompt=(1,) * 100))
    assert error.reason is Reason.CONTEXT and "100 tokens" in str(error) and len(standin.log) == 1, "nothing was sent"


def test_a_wrong_model_lists_what_there_is() -> None:
    standin = StandIn(models=[{"id": "tiny"}, {"id": "small"}])
    with pytest.raises(RequestFailed, match="has no model 'tinny'; it has: tiny, small") as caught:
        using(standin, lambda client: client.chat(CHAT), model="tinny")
    assert caught.value.reason is Reason.MODEL
    with pytest.raises(RequestFailed, match="has tiny, small; name one of them"):
        using(standin, lambda client: client.chat(CHAT))
    error = failure(standin, ChatRequest(messages=CHAT.messages, model="pol-v3"), model="tiny")
    assert error.reason is Reason.MODEL and "it has: tiny, small" in str(error)


def test_what_is_no_json_is_not_sent() -> None:
    standin = StandIn()
    for options in ({"a": float("nan")}, {"a": "\ud800"}, {"a": object()}):
        error = failure(standin, ChatRequest(messages=CHAT.messages, template_options=options))
        assert "cannot be written as JSON" in str(error) and error.reason is Reason.REQUEST
    assert not standin.log


def test_parse_takes_objects_only() -> None:
    assert parse(b' {"a": 1}') == {"a": 1}
