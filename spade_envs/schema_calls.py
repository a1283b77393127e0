"""Tool calls made from a schema alone, as somebody would who tries things out."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

from .actions import between

_IDS = re.compile(r"(?<![\w.:#/@-])(?=[\w.:#/@-]{0,40}\d)[A-Za-z][\w.:#/@-]{2,40}")
_WORDS = re.compile(r"(?<![\w'-])[A-Za-z][\w'-]{2,24}")
_NUMBERS = re.compile(r"(?<!\d)-?\d{1,15}(?:\.\d{1,15})?(?!\d)")
MOST_SEEN = 40


def call(name: object, arguments: dict[str, Any]) -> str:
    """One tool call as text.

    >>> call("look", {})
    '<tool_call>{"name": "look", "arguments": {}}</tool_call>'
    """
    body = json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>{body}</tool_call>"


class Seen:
    """Texts and numbers that a player has seen so far and may use as arguments; the latest ones are kept."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.ids: list[str] = []
        """Those of the texts that hold a digit."""
        self.numbers: list[float] = []

    def add(self, text: str) -> None:
        """Take note of an observation."""
        ids = list(dict.fromkeys(_IDS.findall(text)))
        words = list(dict.fromkeys(_WORDS.findall(text)))
        self.ids = list(dict.fromkeys([*ids, *self.ids]))[: 3 * MOST_SEEN]
        self.texts = list(dict.fromkeys([*ids[:MOST_SEEN], *words[-MOST_SEEN:], *self.texts]))[: 3 * MOST_SEEN]
        numbers = [float(number) for number in _NUMBERS.findall(text)[:MOST_SEEN]]
        self.numbers = list(dict.fromkeys([*numbers, *self.numbers]))[:MOST_SEEN]


def functions(tools: object) -> list[dict[str, Any]]:
    """The functions of OpenAI tool schemas; whatever is no such schema is left out."""
    found = []
    for tool in tools if isinstance(tools, (list, tuple)) else ():
        function = tool.get("function") if isinstance(tool, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            found.append(function)
    return found


def parameters(function: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Properties and required names of a function's schema; empty ones where they are no such things."""
    schema = function.get("parameters")
    properties = schema.get("properties") if isinstance(schema, dict) else None
    required = schema.get("required") if isinstance(schema, dict) else None
    names = [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    return properties if isinstance(properties, dict) else {}, names


def random_call(function: dict[str, Any], seen: Seen, rng: random.Random) -> str:
    """A call with arguments drawn by type, enumeration and bounds, and from what was seen."""
    properties, required = parameters(function)
    chosen = [name for name in properties if name in required or rng.random() < 0.5]
    return call(function["name"], {name: draw(properties[name], seen, rng) for name in chosen})


def draw(spec: object, seen: Seen, rng: random.Random, depth: int = 3) -> Any:
    """A value that fits the schema of one argument."""
    spec = spec if isinstance(spec, dict) else {}
    enumerated = spec.get("enum")
    if isinstance(enumerated, list) and enumerated:
        return rng.choice(enumerated)
    kind = spec.get("type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if kind == "boolean":
        return rng.random() < 0.5
    if kind in ("integer", "number"):
        return _number(spec, seen, rng, whole=kind == "integer")
    if kind == "array" and depth:
        return [draw(spec.get("items"), seen, rng, depth - 1) for _ in range(rng.randint(1, 3))]
    if kind == "object" and depth:
        properties = spec.get("properties")
        inner = properties if isinstance(properties, dict) else {}
        return {name: draw(part, seen, rng, depth - 1) for name, part in inner.items()}
    if seen.ids and rng.random() < 0.5:
        return rng.choice(seen.ids)
    return rng.choice(seen.texts) if seen.texts and rng.random() < 0.9 else "x"


def _number(spec: dict[str, Any], seen: Seen, rng: random.Random, *, whole: bool) -> float:
    low, high = (spec.get(key) for key in ("minimum", "maximum"))
    least, most = _bound(low, math.ceil if whole else float), _bound(high, math.floor if whole else float)
    if seen.numbers and rng.random() < 0.6:
        value = rng.choice(seen.numbers)
    else:
        value = float(rng.randint(0, 10))
    if least is not None:
        value = max(value, least)
    if most is not None:
        value = min(value, most)
    return int(value) if whole or value == int(value) else value


def _bound(value: object, rounded: Callable[[float], float]) -> float | None:
    fits = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e15
    return float(rounded(value)) if fits and isinstance(value, (int, float)) else None


def calls_of(action: str) -> Sequence[dict[str, Any]]:
    """The tool calls in an action, as name and arguments; unreadable ones are left out."""
    found = []
    for body in between(action, "<tool_call>", "</tool_call>"):
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            continue
        if isinstance(data, dict) and isinstance(data.get("name"), str):
            arguments = data.get("arguments")
            found.append({"name": data["name"], "arguments": arguments if isinstance(arguments, dict) else {}})
    return found
