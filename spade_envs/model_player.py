"""The player that is a model: it reads observations as messages of a chat, and what it answers is played.

Its failures are no exceptions. A reply that was cut off, a context that is full, a server that is gone: each ends the
episode with a :class:`~spade_envs.types.StopReason`, which says whose doing it was.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Mapping, Sequence
from typing import Any

from .actions import LONGEST_REPLY, strip_think
from .client import Answer, ChatRequest, Client, Message, Reason, Reply, RequestFailed, Sampling, Tool, ToolCall
from .seeds import derive_seed
from .types import Stop, StopReason

LEAST_ROOM = 64
"""Tokens that must be left for a reply; with fewer the context is full. The reference's number."""

AROUND = 16
"""Tokens that a chat template may put around one message, counted generously."""

FILTERED = "content_filter"
"""Why a reply ends that the server held back: no doing of the model's."""

LATER = "(answered together with the last call)"
"""Result of a call that is not the last of its reply: an environment answers all calls in one observation."""

STOPS = {
    Reason.CONTEXT: StopReason.CONTEXT_FULL,
    Reason.DEADLINE: StopReason.DEADLINE,
    Reason.BUDGET: StopReason.CANCELLED,
    Reason.SERVER: StopReason.SERVER_ERROR,
    Reason.REPLY: StopReason.SERVER_ERROR,
    Reason.REQUEST: StopReason.SERVER_ERROR,
    Reason.MODEL: StopReason.SERVER_ERROR,
}
"""What ends an episode when a request has no answer."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class Agent:
    """How a model plays: the same for every episode that is to be compared.

    Raises:
        ValueError: for values out of range.
    """

    sampling: Sampling = dataclasses.field(default_factory=Sampling)
    """``n`` must be 1; its seed is replaced, so that every turn of every episode has one of its own."""
    model: str | None = None
    """Name of the model or adapter; ``None`` for the client's."""
    tools: str = "text"
    """``text``: tools stand in the first observation and calls in the reply, which works everywhere. ``native``: both
    travel in the fields that servers have for them (vLLM needs ``--enable-auto-tool-choice``)."""
    episode_seconds: float = 1800.0
    """Time that all replies of one episode may take. An environment's own time is bounded by the box, and does not
    count: else a slow one could choose which of its outcomes are missing."""
    template_options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """As in :class:`~spade_envs.client.ChatRequest`."""

    def __post_init__(self) -> None:
        if self.sampling.n != 1:
            raise ValueError(f"a player takes one reply per turn: sampling.n must be 1, not {self.sampling.n}")
        if self.tools not in ("text", "native"):
            raise ValueError(f"tools must be 'text' or 'native', not {self.tools!r}")
        if not self.episode_seconds > 0:
            raise ValueError(f"episode_seconds must be above 0, not {self.episode_seconds}")


class ModelPlayer:
    """Plays one episode at a time by chat: an :class:`~spade_envs.types.AsyncPlayer`.

    What it said is kept in the chat without its think text (:func:`~spade_envs.actions.strip_think`, the rule by which
    actions are read too); the whole reply is what the episode records.

    Args:
        client: an open client.
        agent: how it plays.
        system: text of the system message; none is sent when it is empty.
        seed: decides the sampling seed of every turn.
        name: for the record; the model's by default.
    """

    def __init__(self, client: Client, agent: Agent, *, system: str = "", seed: int = 0, name: str = "") -> None:
        self.client, self.agent, self.system, self.seed = client, agent, system, seed
        self.name = name or agent.model or client.model or "model"
        self.messages: list[Message] = []
        """The chat so far."""
        self.answers: list[Answer] = []
        """What the server answered, in the order of the turns; with token ids where it tells them."""
        self._tools: tuple[Tool, ...] = ()
        self._pending: tuple[ToolCall, ...] = ()
        self._known = 0
        """Tokens of the chat up to the last reply, at most, where the server counts; else 0."""
        self._counted = 0
        """Messages that are counted in it."""
        self._left = self._end = 0.0

    def begin(self, observation: str, info: Mapping[str, object]) -> None:
        """Forget the last episode."""
        self.messages = [Message("system", self.system)] if self.system else []
        self.answers = []
        self._tools = tools_of(info) if self.agent.tools == "native" else ()
        self._pending = ()
        self._known = self._counted = 0
        self._left = self.agent.episode_seconds

    async def act(self, observation: str) -> str | Stop:
        """Ask the model for its next reply."""
        self._hear(observation)
        if self._left <= 0:
            return Stop(StopReason.DEADLINE, f"its replies took longer than {self.agent.episode_seconds:g} s")
        clock = asyncio.get_running_loop().time
        self._end = clock() + self._left
        try:
            return await self._reply()
        finally:
            self._left = self._end - clock()

    # -- inside ------------------------------------------------------------------------------------------------

    async def _reply(self) -> str | Stop:
        """What comes of asking."""
        try:
            room = await self._room()
            if room is not None and room < LEAST_ROOM:
                return Stop(StopReason.CONTEXT_FULL, f"{room} tokens are left for a reply, fewer than {LEAST_ROOM}")
            answer, room = await self._answer(room)
        except RequestFailed as error:
            return Stop(STOPS[error.reason], str(error))
        self.answers.append(answer)
        if answer.replies[0].finish_reason == FILTERED:
            return Stop(StopReason.SERVER_ERROR, "the server held the reply back (content_filter)")
        return self._say(answer.replies[0], answer, room)

    def _hear(self, observation: str) -> None:
        """Add what the environment says: as an answer to tool calls where there were any."""
        if not self._pending:
            self.messages.append(Message("user", observation))
            return
        last = len(self._pending) - 1
        for at, call in enumerate(self._pending):
            self.messages.append(Message("tool", observation if at == last else LATER, tool_call_id=call.id))

    async def _answer(self, room: int | None) -> tuple[Answer, int | None]:
        """The model's reply, and how many tokens it was given room for, where that is known.

        A refused context may mean that prompt and ``max_tokens`` together are too much for a server that does not tell
        how long its context is: less is asked for, before the context counts as full.
        """
        while True:
            left = self._end - asyncio.get_running_loop().time()
            try:
                return await self.client.chat(self._request(room, left)), room
            except RequestFailed as error:
                most = self.agent.sampling.max_tokens
                asked = most if room is None else min(room, most)
                if error.reason is not Reason.CONTEXT or asked <= LEAST_ROOM or left <= 0:
                    raise
                room = max(LEAST_ROOM, asked // 2)

    def _say(self, reply: Reply, answer: Answer, room: int | None) -> str | Stop:
        """Take a reply into the chat; what is to be played of it."""
        raw = _raw(reply)[-LONGEST_REPLY:]
        if reply.finish_reason == "length":
            if room is not None and room < self.agent.sampling.max_tokens:
                return Stop(StopReason.CONTEXT_FULL, f"the reply filled the {room} tokens that were left", raw)
            most = self.agent.sampling.max_tokens
            return Stop(StopReason.NO_EOS, f"the reply did not end within {most} tokens", raw)
        turn = len(self.answers)
        self._pending = tuple(
            ToolCall(f"call-{turn}-{at}", call.name, _sendable(call.arguments))
            for at, call in enumerate(reply.tool_calls)
        )
        self.messages.append(Message("assistant", strip_think(reply.text[-LONGEST_REPLY:]), tool_calls=self._pending))
        if answer.usage is not None:
            self._known = answer.usage.prompt_tokens + answer.usage.completion_tokens
            self._counted = len(self.messages)
        return raw

    def _request(self, room: int | None, left: float) -> ChatRequest:
        sampling = self.agent.sampling
        most = sampling.max_tokens if room is None else min(sampling.max_tokens, room)
        return ChatRequest(
            messages=tuple(self.messages),
            sampling=dataclasses.replace(
                sampling,
                max_tokens=most,
                min_tokens=min(sampling.min_tokens, most),
                seed=derive_seed(self.seed, "turn", len(self.answers)),
            ),
            model=self.agent.model,
            tools=self._tools,
            deadline_seconds=max(1e-3, min(left, self.client.settings.deadline_seconds)),
            template_options=self.agent.template_options,
        )

    async def _room(self) -> int | None:
        """Tokens that are left for a reply; ``None`` where the server does not tell how long its context is."""
        context = self.client.capabilities.context_of(self.agent.model or self.client.model or "")
        if context is None:
            return None
        # A token holds at least one byte, so most turns need no counting.
        most = self._known + sum(_bytes(message) + AROUND for message in self.messages[self._counted :])
        if self._counted == 0:
            most += sum(len(json.dumps(tool.parameters)) + len(tool.description) + AROUND for tool in self._tools)
        if most + self.agent.sampling.max_tokens <= context:
            return context - most
        left = self._end - asyncio.get_running_loop().time()
        count = await self.client.count(self._request(None, left))
        return max(0, context - count.tokens)


def tools_of(info: Mapping[str, object]) -> tuple[Tool, ...]:
    """Tools as an environment shows them in ``info["tools"]`` at reset; what is no tool is left out."""
    found: list[Tool] = []
    tools = info.get("tools")
    for tool in tools if isinstance(tools, Sequence) and not isinstance(tools, str) else ():
        function = tool.get("function") if isinstance(tool, Mapping) else None
        if isinstance(function, Mapping) and isinstance(function.get("name"), str):
            parameters = function.get("parameters")
            schema = parameters if isinstance(parameters, Mapping) else {"type": "object", "properties": {}}
            found.append(Tool(function["name"], str(function.get("description") or ""), schema))
    return tuple(found)


def _raw(reply: Reply) -> str:
    """A reply as one text: think text that the server has separated, what was said, and calls as the reader reads."""
    parts = [f"<think>\n{reply.reasoning}\n</think>\n"] if reply.reasoning else []
    parts.append(reply.text)
    if reply.tool_calls and reply.text.rfind("<think>") > reply.text.rfind("</think>"):
        parts.append("</think>")  # what the server read as calls is no think text
    for call in reply.tool_calls:
        body = _json({"name": call.name, "arguments": _arguments(call.arguments)})
        if body is None:
            body = json.dumps({"name": call.name, "arguments": call.arguments}, ensure_ascii=False)
        # Tags in an argument would end the call, or all before them.
        parts.append(f"\n<tool_call>{body.replace('<', ESCAPED)}</tool_call>")
    return "".join(parts)


ESCAPED = "\\u003c"
"""A less-than sign in JSON text."""


def _arguments(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text  # which an environment complains about


def _json(value: object) -> str | None:
    """Strict JSON; ``None`` for what is none, such as NaN, or nested too deeply."""
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return None


def _sendable(arguments: str) -> str:
    """Arguments as they may be sent back: servers fail at a chat whose calls hold anything but a JSON object."""
    value = _arguments(arguments)
    return arguments if isinstance(value, dict) and _json(value) is not None else json.dumps({"unread": arguments})


def _bytes(message: Message) -> int:
    calls = sum(len(call.name) + len(call.arguments.encode("utf-8", "replace")) for call in message.tool_calls)
    return len(message.content.encode("utf-8", "replace")) + calls
