"""What people type, in the form a contract reads; and tools as people read them, who read signatures and no schemas."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from . import readings
from .schema_calls import call, functions, parameters

MOST_TOOLS = 100
MOST_ARGUMENTS = 50
MOST_CHOICES = 200
"""Of hostile schemas no more is read than a person could look at."""

WHOLE = "integer"
_KINDS = ("string", WHOLE, "number", "boolean", "array", "object")


@dataclasses.dataclass(frozen=True)
class Argument:
    """One argument of a tool. All its texts are hostile."""

    name: str
    kind: str
    """``string``, ``integer``, ``number``, ``boolean``, ``array`` or ``object``; else empty."""
    required: bool
    choices: tuple[str, ...] = ()
    """What it may be, as text, where the schema enumerates it."""
    about: str = ""

    @property
    def signature(self) -> str:
        """``count?: integer`` or ``day: Monday|Tuesday``."""
        told = "|".join(self.choices) or self.kind
        return f"{self.name}{'' if self.required else '?'}{f': {told}' if told else ''}"


@dataclasses.dataclass(frozen=True)
class Tool:
    """One tool that an environment offers."""

    name: str
    about: str
    arguments: tuple[Argument, ...]
    values: tuple[tuple[object, ...], ...] = dataclasses.field(default=(), repr=False)
    """The enumerated values behind the choices of each argument, in order."""

    @property
    def signature(self) -> str:
        """``look(place: string, closely?: boolean)``."""
        return f"{self.name}({', '.join(argument.signature for argument in self.arguments)})"


def tools_in(info: Mapping[str, object]) -> tuple[Tool, ...]:
    """The tools that an info offers; whatever is no schema of one is left out.

    >>> schema = {"properties": {"day": {"enum": ["Monday", "Tuesday"]}, "n": {"type": "integer"}}, "required": ["day"]}
    >>> [tool.signature for tool in tools_in({"tools": [{"function": {"name": "sales", "parameters": schema}}]})]
    ['sales(day: Monday|Tuesday, n?: integer)']
    """
    return tuple(_tool(function) for function in functions(info.get("tools"))[:MOST_TOOLS])


def _tool(function: dict[str, Any]) -> Tool:
    properties, required = parameters(function)
    arguments, values = [], []
    for name, spec in list(properties.items())[:MOST_ARGUMENTS]:
        spec = spec if isinstance(spec, dict) else {}
        kind, enumerated, about = spec.get("type"), spec.get("enum"), spec.get("description")
        kind = next((k for k in kind if k != "null"), "") if isinstance(kind, list) else kind
        choices = tuple(enumerated[:MOST_CHOICES]) if isinstance(enumerated, list) else ()
        values.append(choices)
        arguments.append(
            Argument(
                str(name),
                kind if isinstance(kind, str) and kind in _KINDS else "",
                name in required,
                tuple(value if isinstance(value, str) else json.dumps(value) for value in choices),
                about if isinstance(about, str) else "",
            )
        )
    about = function.get("description")
    return Tool(function["name"], about if isinstance(about, str) else "", tuple(arguments), tuple(values))


def called(tool: Tool, given: Mapping[str, str]) -> str:
    """The call of a tool with arguments that somebody typed into a form; empty optional ones are left out.

    Args:
        tool: the tool.
        given: text by name of argument.

    Raises:
        ValueError: a text is not of the argument's kind, or a required number is missing; says which.

    >>> called(Tool("take", "", (Argument("count", "integer", True),)), {"count": " 3 "})
    '<tool_call>{"name": "take", "arguments": {"count": 3}}</tool_call>'
    """
    arguments: dict[str, object] = {}
    for number, argument in enumerate(tool.arguments):
        text = given.get(argument.name, "")
        if not text.strip() and not (argument.required and argument.kind in ("string", "")):
            if argument.required:
                raise ValueError(f"{argument.name} is required: {_wanted(argument)}")
            continue
        if text in argument.choices and number < len(tool.values):
            arguments[argument.name] = tool.values[number][argument.choices.index(text)]
        else:
            arguments[argument.name] = _value(argument, text)
    return call(tool.name, arguments)


def _value(argument: Argument, text: str) -> object:
    """A typed text as what the schema asks for. Without a kind it is JSON if it reads so, else the text itself."""
    if argument.kind == "string":
        return text
    try:
        value = json.loads(text.strip(), parse_constant=_no_number)
    except (ValueError, RecursionError):
        if argument.kind == "":
            return text
        raise ValueError(f"{argument.name} is {text[:80]!r}: {_wanted(argument)}") from None
    kinds: dict[str, tuple[type, ...]] = {
        WHOLE: (int,), "number": (int, float), "boolean": (bool,), "array": (list,), "object": (dict,)
    }  # fmt: skip
    wanted = kinds.get(argument.kind)
    strange = isinstance(value, float) and not math.isfinite(value)  # 1e999
    if strange or (
        wanted is not None and (not isinstance(value, wanted) or (type(value) is bool and bool not in wanted))
    ):
        raise ValueError(f"{argument.name} is {text[:80]!r}: {_wanted(argument)}")
    return value


def _no_number(name: str) -> object:
    raise ValueError(f"{name} is no number of JSON")


def _wanted(argument: Argument) -> str:
    told = {
        WHOLE: "type a whole number, such as 3",
        "number": "type a number, such as 2.5",
        "boolean": "type true or false",
        "array": 'type a list as JSON, such as ["a", "b"]',
        "object": 'type an object as JSON, such as {"a": 1}',
    }
    return told.get(argument.kind, "type something")


def dressed(reply: str, contract: str, info: Mapping[str, object]) -> str:
    r"""What a person typed, in the form the contract reads; tags and boxes stay as they are.

    Args:
        reply: a bare answer or command; or, for tools, ``name(key="value")`` or a call as JSON.
        contract: of the environment.
        info: of its reset, with its tools.

    >>> dressed("42", "answer", {}), dressed(r"\boxed{42}", "answer", {})
    ('\\boxed{42}', '\\boxed{42}')
    """
    text = reply.strip()
    if not text or "\\boxed{" in reply or "<tool_call>" in reply or "<answer>" in reply:
        return reply
    if contract != "tools":
        return f"\\boxed{{{text}}}"
    if text.startswith("{"):
        return f"<tool_call>{text}</tool_call>"
    tools = info.get("tools")
    calls = readings.written_calls(text, tools if isinstance(tools, Sequence) and not isinstance(tools, str) else [])
    return "\n".join(calls) or reply
