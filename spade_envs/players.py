"""Players: whatever picks actions in a rollout."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from .actions import boxed

JUNK = (
    "\\boxed{1}",
    "\\boxed{test}",
    "I am not sure what to do here.",
    "\\boxed{}",
    "",
    "\\boxed{zzz qqq}",
    "<answer>xyzzy</answer>",
    '<tool_call>{"name": "no_such_tool", "arguments": {}}</tool_call>',
    "<tool_call>not json</tool_call>",
    "\\boxed{-7}",
    "{}",
    "\\boxed{A B C D E F}",
    "\\boxed{\\boxed{1}}",
    "\\boxed{" + "9" * 40 + "}",
    "\\boxed{" + "long " * 1600 + "}",
    "\\boxed{\u202e\u05e9\u05dc\u05d5\u05dd \u00e9\u2713}",
    '<tool_call>{"name": null, "arguments": [1]}</tool_call>',
    '<tool_call>{"name": {}, "arguments": {"x": 1}}</tool_call>',
)
"""Replies that mean nothing anywhere, in the formats of all contracts."""


class Scripted:
    """Plays a fixed list of replies, then stops."""

    def __init__(self, replies: Sequence[str], name: str = "scripted") -> None:
        self.name = name
        self.replies = tuple(replies)
        self._next = 0

    def begin(self, observation: str, info: Mapping[str, object]) -> None:
        """Start from the first reply."""
        self._next = 0

    def act(self, observation: str) -> str | None:
        """The next reply of the list."""
        if self._next >= len(self.replies):
            return None
        self._next += 1
        return self.replies[self._next - 1]


class Idle:
    """Says nothing, up to ``turns`` times."""

    def __init__(self, turns: int = 200, reply: str = "", name: str = "idle") -> None:
        self.name = name
        self.turns = turns
        self.reply = reply
        self._left = turns

    def begin(self, observation: str, info: Mapping[str, object]) -> None:
        """Start over."""
        self._left = self.turns

    def act(self, observation: str) -> str | None:
        """The same reply every time."""
        self._left -= 1
        return self.reply if self._left >= 0 else None


class Echo(Idle):
    """Answers every observation with itself, boxed."""

    def __init__(self, turns: int = 200) -> None:
        super().__init__(turns, name="echo")

    def act(self, observation: str) -> str | None:
        """The observation, boxed."""
        self._left -= 1
        return boxed(observation.replace("{", "(").replace("}", ")")) if self._left >= 0 else None


class Junk(Idle):
    """Draws meaningless replies in all formats, with a seed of its own."""

    def __init__(self, seed: int, turns: int = 200) -> None:
        super().__init__(turns, name="junk")
        self.seed = seed
        self._random = random.Random(seed)

    def begin(self, observation: str, info: Mapping[str, object]) -> None:
        """Start over with the same draws."""
        super().begin(observation, info)
        self._random = random.Random(self.seed)

    def act(self, observation: str) -> str | None:
        """One of :data:`JUNK`."""
        self._left -= 1
        return self._random.choice(JUNK) if self._left >= 0 else None
