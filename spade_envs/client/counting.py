"""Tokens before they are spent: counted by the server where it can, else by tiktoken offline, else as bytes."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..encodings import encoding
from .capabilities import Kind
from .dialects import message_body, tool_body
from .failures import Reason, RequestFailed
from .replies import Usage, parse
from .requests import ChatRequest, TokensRequest, clean
from .wires import Call, encode

if TYPE_CHECKING:
    import tiktoken

    from .servers import Channel

ENCODING = "cl100k_base"
"""What counts where the server does not."""
_PER_MESSAGE = 8
"""Tokens allowed for what a chat template writes around a message, where the template is not known."""
_STRIDE = 2000
"""Characters encoded at once: an encoder may take very long over a long hostile text."""


@dataclass(frozen=True)
class Count:
    """Tokens of a prompt."""

    tokens: int
    counted_by: str
    """``server``; ``ids`` for a prompt of token ids; else ``cl100k_base``, an estimate, or ``bytes``, a bound."""


async def count_prompt(channel: Channel, request: ChatRequest | TokensRequest, model: str, seconds: float) -> Count:
    """Tokens that the prompt of a request has.

    Raises:
        RequestFailed: when the server should count and does not.
    """
    if isinstance(request, TokensRequest):
        return Count(len(request.prompt), "ids")
    if channel.capabilities.tokenize and channel.capabilities.kind is Kind.VLLM:
        body: dict[str, Any] = {"model": model, "messages": [message_body(one) for one in request.messages]}
        body["add_generation_prompt"] = True
        if request.tools:
            body["tools"] = [tool_body(request, at) for at in range(len(request.tools))]
        if request.template_options:
            body["chat_template_kwargs"] = dict(request.template_options)
        return Count((await channel.exchange(Call("root:/tokenize", body), _counted, seconds)).value, "server")
    # Other servers count plain text only: the template around it is allowed for.
    text = "\n".join([encode(message_body(one)) if one.tool_calls else clean(one.content) for one in request.messages])
    text += "".join(encode(tool_body(request, at)) for at in range(len(request.tools)))
    around = _PER_MESSAGE * (len(request.messages) + 1)
    if channel.capabilities.tokenize:
        llama = channel.capabilities.kind is Kind.LLAMACPP
        plain: dict[str, Any] = {"content": text} if llama else {"model": model, "prompt": text}
        counted = await channel.exchange(Call("root:/tokenize", plain), _counted, seconds)
        return Count(counted.value + around, "server")
    tokens, by = count_text(text)
    return Count(tokens + around, by)


def count_text(text: str) -> tuple[int, str]:
    """Tokens of a text without a server, and what counted them.

    >>> tokens, by = count_text("one two")
    >>> (tokens, by) in ((7, "bytes"), (2, "cl100k_base"))
    True
    """
    encoder = _encoder()
    if encoder is None:
        return len(text.encode("utf-8", "replace")), "bytes"
    parts = (text[at : at + _STRIDE] for at in range(0, len(text), _STRIDE))
    return sum(len(encoder.encode_ordinary(part)) for part in parts), ENCODING


@functools.cache
def _encoder() -> tiktoken.Encoding | None:
    return encoding(ENCODING)


def _counted(data: bytes) -> int:
    body: Mapping[str, Any] = parse(data)
    count, tokens = body.get("count"), body.get("tokens")
    if type(count) is int and count >= 0:
        return count
    if isinstance(tokens, list):
        return len(tokens)
    raise RequestFailed("the server should count tokens and told no number", Reason.REPLY)


class Budget:
    """Tokens that may be spent: what requests in flight may still use is set aside.

    Args:
        request_tokens: most for one request.
        total_tokens: most for all together.
    """

    def __init__(self, request_tokens: int | None, total_tokens: int | None) -> None:
        self.request_tokens, self.total_tokens = request_tokens, total_tokens
        self.spent = 0
        """Tokens of answered requests."""
        self.set_aside = 0
        """Tokens that requests in flight may use."""
        self._settled = asyncio.Event()

    @property
    def limited(self) -> bool:
        """Whether there is anything to keep to."""
        return self.request_tokens is not None or self.total_tokens is not None

    async def reserve(self, count: Count, generated: int) -> int:
        """Set tokens aside for a request; how many.

        Requests in flight seldom use all that is set aside for them: where that alone stands in the way, it waits.

        Raises:
            RequestFailed: when a budget would be exceeded.
        """
        need = count.tokens + generated
        parts = f"{count.tokens} tokens of prompt (counted by {count.counted_by}) and up to {generated} generated"
        if self.request_tokens is not None and need > self.request_tokens:
            advice = "shorten the prompt, or lower max_tokens or n"
            text = f"{parts} exceed request_tokens, which is {self.request_tokens}; {advice}"
            raise RequestFailed(text, Reason.BUDGET)
        while self.total_tokens is not None and self.spent + self.set_aside + need > self.total_tokens:
            if self.spent + need > self.total_tokens:
                left = self.total_tokens - self.spent
                text = f"{parts} exceed what is left of total_tokens: {left} of {self.total_tokens}"
                raise RequestFailed(f"{text}; stop here, or raise it", Reason.BUDGET)
            self._settled.clear()
            await self._settled.wait()
        self.set_aside += need
        return need

    def settle(self, reserved: int, usage: Usage | None, *, answered: bool) -> None:
        """Give back what was not used; an answer of a server that does not count costs all that was set aside."""
        self.set_aside -= reserved
        self._settled.set()
        if answered:
            self.spent += reserved if usage is None else usage.prompt_tokens + usage.completion_tokens
