"""Players: whatever picks actions in a rollout."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence

from .actions import boxed, last_boxed

WRONG = "\\boxed{zzz qqq}"
"""An answer that is wrong anywhere, in the form that is right in two of the contracts."""

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
    "\\boxed{" + "(" * 1500 + "}",
    "\\boxed{\u202e\u05e9\u05dc\u05d5\u05dd \u00e9\u2713}",
    '<tool_call>{"name": null, "arguments": [1]}</tool_call>',
    '<tool_call>{"name": {}, "arguments": {"x": 1}}</tool_call>',
)
"""Replies that mean nothing anywhere, in the formats of all contracts."""


SAME = 4
"""Times that an observation follows the same reply before a stubborn player stops looking."""


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

    def ahead(self, most: int) -> Sequence[str]:
        """The next replies of the list."""
        replies = self.replies[self._next : self._next + most]
        self._next += len(replies)
        return replies


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

    def ahead(self, most: int) -> Sequence[str]:
        """The next replies, which nothing seen changes."""
        replies: list[str] = []
        while len(replies) < most and (reply := self.act("")) is not None:
            replies.append(reply)
        return replies


class Stubborn(Idle):
    """A player whose reply depends on what it sees, and who stops looking once that has stayed the same for a while."""

    def begin(self, observation: str, info: Mapping[str, object]) -> None:
        """Start over."""
        super().begin(observation, info)
        self._seen, self._times, self._said = observation, 0, ""

    def note(self, observation: str, said: str) -> str:
        """Remember what was seen and what is said to it."""
        self._times = self._times + 1 if (observation, said) == (self._seen, self._said) else 0
        self._seen, self._said = observation, said
        return said

    def ahead(self, most: int) -> Sequence[str]:
        """The same reply again and again, once it was given to the same observation :data:`SAME` times in a row."""
        if self._times < SAME:
            return ()
        count = max(0, min(most, self._left))
        self._left -= count
        return [self._said] * count


class Echo(Stubborn):
    """Answers every observation with itself, boxed."""

    def __init__(self, turns: int = 30) -> None:
        super().__init__(turns, name="echo")

    def act(self, observation: str) -> str | None:
        """The observation, boxed."""
        self._left -= 1
        if self._left < 0:
            return None
        return self.note(observation, boxed(observation.replace("{", "(").replace("}", ")")))


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


_NAMED = re.compile(r"\\boxed\{([^{}\n]{1,80})\}|[`'\"]([^`'\"\n]{1,60})[`'\"]|\b([A-Z][A-Z_]{2,15})\b")
_ARGUMENTS = ("", " zzz", " zzz qqq", " 3.5", " -1", " 0", " \u00b2", " 99 99", " 999999999", " nan", " 1e999", " 1/0")


def pokes(observation: str, tools: Sequence[object], seed: int) -> list[str]:
    """Pokes at whatever an environment names: its commands with no, wrong and too many arguments, its tools likewise.

    Most faults of graders lie there: ``verb, target = command.split()`` holds until somebody says just ``go``.
    """
    replies = _tool_pokes(tools) if tools else _command_pokes(observation)
    random.Random(seed).shuffle(replies)
    return replies


def _command_pokes(observation: str) -> list[str]:
    named = ["".join(groups).strip() for groups in _NAMED.findall(observation)]
    verbs = [text.split()[0] for text in dict.fromkeys(named) if text]
    made = [boxed(f"{verb}{argument}") for verb in dict.fromkeys(verbs[:15]) for argument in _ARGUMENTS]
    return list(dict.fromkeys([*made, *map(boxed, named[:15]), *(boxed(text.strip()) for text in _ARGUMENTS if text)]))


_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_ITEMS = re.compile(r"(\s{0,8}(?:->|[,;|/:\s])\s{0,8})")


def changed(action: str) -> list[str]:
    """A right action gone wrong: other numbers in it, pieces left out, doubled or glued together.

    >>> changed("\\\\boxed{3/4}")[:3]
    ['\\\\boxed{0/4}', '\\\\boxed{3/0}', '\\\\boxed{-1/4}']
    """
    inside = last_boxed(action)
    if not inside or len(inside) > 1000:
        return []
    made = []
    numbers = list(_NUMBER.finditer(inside))
    for value in ("0", "-1", "99999", "x", ""):
        for number in dict.fromkeys((*numbers[:1], *numbers[-1:])):
            made.append(inside[: number.start()] + value + inside[number.end() :])
    pieces = _ITEMS.split(inside)
    if len(pieces) > 1:
        made += ["".join(pieces[:-2]), "".join(pieces[2:]), "".join(pieces[::2]), "".join([*pieces, *pieces[-2:]])]
        made += ["".join([*pieces[:-1], *pieces[:1]]), pieces[0], inside + pieces[1].rstrip()]
    made += [inside[:-1], inside.swapcase(), f" {inside}  ", f"{inside} zzz", f"({inside})", inside * 2]
    return [boxed(text) for text in dict.fromkeys(made) if text != inside]


def _tool_pokes(tools: Sequence[object]) -> list[str]:
    made = []
    for tool in tools[:12]:
        function = tool.get("function") if isinstance(tool, dict) else None
        if not isinstance(function, dict):
            continue
        schema = function.get("parameters")
        properties = schema.get("properties") if isinstance(schema, dict) else None
        names = list(properties) if isinstance(properties, dict) else []
        several: list[dict[str, object]] = [{}, {"zzz": 1}]
        fillings: tuple[object, ...] = ("zzz", 7, None, [])
        several += [dict.fromkeys(names, value) for value in fillings]
        calls = [json.dumps({"name": function.get("name"), "arguments": arguments}) for arguments in several]
        made += [f"<tool_call>{call}</tool_call>" for call in calls]
        made.append("".join(f"<tool_call>{call}</tool_call>" for call in calls[:2]))
    return [*made, "<answer></answer>", "<answer>zzz</answer>", "<answer>3.5</answer>"]
