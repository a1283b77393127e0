"""What a model answered, read from JSON that may be hostile: types and counts are checked, nothing is believed."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any, NoReturn

from .failures import Reason, RequestFailed, quoted
from .requests import ToolCall, clean

MOST_TOOL_CALLS = 128
"""Tool calls of one reply that are read; a model that goes on and on has more."""


class Unfinished(Exception):
    """The server gave up on a reply half-way; asking again helps."""


@dataclass(frozen=True)
class Usage:
    """Tokens of one request, as the server counts them."""

    prompt_tokens: int
    completion_tokens: int
    """Over all ``n`` replies."""


@dataclass(frozen=True, kw_only=True)
class Reply:
    """One of the ``n`` replies. What a server does not tell is ``None``."""

    text: str
    """What cannot be UTF-8 (lone surrogates) is replaced by question marks."""
    finish_reason: str
    """``stop``, ``length``, ``tool_calls``, or another word of the server's."""
    reasoning: str | None = None
    """What the model thought, where the server separates it from ``text``."""
    token_ids: tuple[int, ...] | None = None
    """The tokens drawn, an end of sequence included; at most ``max_tokens``."""
    logprobs: tuple[float, ...] | None = None
    """Natural logarithm of the probability of each token; as long as ``token_ids``."""
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Answer:
    """All ``n`` replies to a request, in the server's order. Equality leaves out how it came about."""

    replies: tuple[Reply, ...]
    usage: Usage | None
    """``None`` where the server does not count."""
    model: str
    """What the server says it is."""
    prompt_token_ids: tuple[int, ...] | None = None
    """The prompt as the server read it."""
    server: str = field(default="", compare=False)
    """Base URL that answered."""
    attempts: int = field(default=1, compare=False)
    seconds: float = field(default=0.0, compare=False)
    """From the first attempt to the answer."""

    @property
    def text(self) -> str:
        """Text of the first reply."""
        return self.replies[0].text


@dataclass(frozen=True, kw_only=True)
class Expected:
    """What an answer must hold to be one."""

    n: int
    max_tokens: int
    prompt: tuple[int, ...] | None
    """The tokens sent, for a completion; ``None`` for a chat."""
    logprobs: bool
    token_ids: bool
    ids_in_logprobs: bool = False
    """Whether this kind of server writes token ids only beside log probabilities."""


def parse(data: bytes) -> dict[str, Any]:
    """The JSON object in the body of a reply.

    Raises:
        RequestFailed: when it is empty, cut off, no JSON, no object, or holds NaN or an infinity.
    """
    if not data.strip():
        raise _bad("the reply is empty")
    try:
        value = json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        start = quoted(data[:200].decode("utf-8", "replace"))
        raise _bad(f"the reply is no whole JSON ({quoted(str(error))}); it begins with {start!r}") from None
    if not isinstance(value, dict):
        raise _bad(f"the reply is a JSON {type(value).__name__}, not an object")
    return value


def read_answer(data: bytes, expected: Expected) -> Answer:
    """The answer in the body of a chat or a completion.

    Raises:
        Unfinished: when the server gave up on it.
        RequestFailed: when it is not an answer to what was asked.
    """
    body = parse(data)
    choices = _list(body, "choices")
    if len(choices) != expected.n:
        found = f"asked for {expected.n} replies, found {len(choices)}"
        raise _bad(f"{found}; this server may not know n: send requests with n=1" if choices else found)
    by_index: dict[int, dict[str, Any]] = {}
    for choice in choices:
        if not isinstance(choice, dict):
            raise _bad("a choice is no object")
        by_index[_count(choice, "index")] = choice
    if sorted(by_index) != list(range(expected.n)):
        raise _bad(f"choices have the indexes {sorted(by_index)}")
    ordered = [by_index[at] for at in range(expected.n)]
    replies = tuple(_reply(choice, expected) for choice in ordered)
    model = body.get("model", "")
    return Answer(
        replies=replies,
        usage=_usage(body, replies),
        model=clean(model)[:200] if isinstance(model, str) else "",
        prompt_token_ids=_prompt(body, ordered[0], expected),
    )


def _reply(choice: dict[str, Any], expected: Expected) -> Reply:
    finish = choice.get("finish_reason")
    if finish in ("abort", "error"):
        raise Unfinished(f"the server gave up on a reply (finish_reason {finish})")
    if not isinstance(finish, str) or not finish:
        raise _bad("a choice has no finish_reason: the reply was cut off")
    chat = expected.prompt is None
    message = _object(choice, "message") if chat else choice
    ids, logprobs = _tokens(choice, expected)
    return Reply(
        text=_text(message, "content" if chat else "text") or "",
        finish_reason=clean(finish)[:64],
        reasoning=_text(message, "reasoning") or _text(message, "reasoning_content"),
        token_ids=ids,
        logprobs=logprobs,
        tool_calls=_tool_calls(message) if chat else (),
    )


def _tokens(choice: dict[str, Any], expected: Expected) -> tuple[tuple[int, ...] | None, tuple[float, ...] | None]:
    ids = _ids(choice, "token_ids")
    logprobs: tuple[float, ...] | None = None
    told = choice.get("logprobs")
    if told is not None and not isinstance(told, dict):
        raise _bad("logprobs is no object")
    if told is not None and (expected.logprobs or expected.ids_in_logprobs):
        content = told.get("content")
        if isinstance(content, list):
            logprobs = tuple(_logprob(one.get("logprob") if isinstance(one, dict) else None) for one in content)
            if ids is None and expected.ids_in_logprobs:
                ids = tuple(_id(one.get("id")) for one in content)
        elif isinstance(told.get("token_logprobs"), list):
            logprobs = tuple(_logprob(one) for one in told["token_logprobs"])
    if expected.logprobs and logprobs is None:
        raise _bad("it was asked for log probabilities and has none; this server may not know them: leave logprobs out")
    if expected.token_ids and ids is None:
        raise _bad("it was asked for token ids and has none; set token_ids=False where text is enough")
    if ids is not None and logprobs is not None and len(ids) != len(logprobs):
        raise _bad(f"it has {len(ids)} token ids and {len(logprobs)} log probabilities")
    length = max(len(ids or ()), len(logprobs or ()))
    if length > expected.max_tokens:
        raise _bad(f"it has {length} tokens where max_tokens is {expected.max_tokens}")
    return ids, logprobs if expected.logprobs else None


def _prompt(body: dict[str, Any], choice: dict[str, Any], expected: Expected) -> tuple[int, ...] | None:
    ids = _ids(choice, "prompt_token_ids")
    if ids is None:
        ids = _ids(body, "prompt_token_ids")
    if ids is not None and expected.prompt is not None and ids != expected.prompt:
        raise _bad("the server read another prompt than the one that was sent; something between us changes requests")
    return ids if ids is not None else expected.prompt


def _usage(body: dict[str, Any], replies: tuple[Reply, ...]) -> Usage | None:
    usage = body.get("usage")
    if usage is None:
        return None
    if not isinstance(usage, dict):
        raise _bad("usage is no object")
    drawn = 0 if usage.get("completion_tokens") is None else _count(usage, "completion_tokens")
    # A server that counts less than it shows would stretch every budget.
    return Usage(_count(usage, "prompt_tokens"), max(drawn, sum(len(reply.token_ids or ()) for reply in replies)))


def _tool_calls(message: dict[str, Any]) -> tuple[ToolCall, ...]:
    calls = message.get("tool_calls")
    if calls is None:
        return ()
    if not isinstance(calls, list):
        raise _bad("tool_calls is no list")
    found = []
    for call in calls[:MOST_TOOL_CALLS]:
        if not isinstance(call, dict):
            raise _bad("a tool call is no object")
        function = _object(call, "function")
        name, arguments = _text(function, "name"), _text(function, "arguments")
        if not name:
            raise _bad("a tool call names no tool")
        found.append(ToolCall(_text(call, "id") or "", name, arguments or ""))
    return tuple(found)


# -- single values ---------------------------------------------------------------------------------------------


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _bad(what: str) -> RequestFailed:
    return RequestFailed(what, Reason.REPLY)


def _text(holder: dict[str, Any], name: str) -> str | None:
    value = holder.get(name)
    if value is not None and not isinstance(value, str):
        raise _bad(f"{name} is no text but {type(value).__name__}")
    return None if value is None else clean(value)


def _list(holder: dict[str, Any], name: str) -> list[Any]:
    value = holder.get(name)
    if not isinstance(value, list):
        raise _bad(f"it has no list {name!r}")
    return value


def _object(holder: dict[str, Any], name: str) -> dict[str, Any]:
    value = holder.get(name)
    if not isinstance(value, dict):
        raise _bad(f"it has no object {name!r}")
    return value


def _count(holder: dict[str, Any], name: str) -> int:
    value = holder.get(name)
    if type(value) is not int or not 0 <= value < 2**53:
        raise _bad(f"{name} is no count")
    return value


def _ids(holder: dict[str, Any], name: str) -> tuple[int, ...] | None:
    value = holder.get(name)
    if value is None:
        return None
    if not isinstance(value, list):
        raise _bad(f"{name} is no list")
    return tuple(_id(one) for one in value)


def _id(value: object) -> int:
    if type(value) is not int or not 0 <= value < 2**31:
        raise _bad("a token id is no integer from 0 on")
    return value


def _logprob(value: object) -> float:
    # Rounding may carry the logarithm of a certain token a little above 0.
    if type(value) not in (int, float) or not math.isfinite(value) or value > 1e-3:  # type: ignore[arg-type, operator]
        raise _bad("a log probability is no number of at most 0")
    return float(value)  # type: ignore[arg-type]
