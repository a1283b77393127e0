"""Readings of a prose solution: the action lists that an author's ``solution()`` text may mean.

Released sources write solutions as a bare answer, as commands one per line or joined by arrows, or as prose with tool
calls in it. Each reading is a guess that a replay confirms or not; nothing here is trusted.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from .actions import between, boxed, last_boxed

MOST_READINGS = 16
MOST_ACTIONS = 500

_BOXED = re.compile(r"\\boxed\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}")
_TAGS = re.compile(r"</?(?:tool_call|answer)>")
# Every repetition is bounded: the text is hostile, and backtracking over long runs of spaces would be quadratic.
_SAID = re.compile(
    r"\b(?:final answer|answer|submit|gives|equals)\b[ *_`]{0,6}(?:is|:|=|\()?[ *_`$'\"]{0,6}"
    r"([^\n'\")]{1,400})",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?(?:/\d+)?")
_LABEL = re.compile(r"^[A-Za-z][\w ]{0,40}:\s{1,4}")
_TRIM = " .*_`$'\"!"
_NUMBERING = re.compile(r"^\s*(?:[-*\u2022]|\(?\d+[.):]|\**(?:[Ss]tep|[Tt]urn|[Mm]ove)\s*\d+\s*[:.-]\**)\s*")
_SEPARATORS = ("\n", ";", "->", "→", " | ", ", and then ", ", then ", " then ", ",", " ")
_PLACEHOLDER = re.compile(r"<[^<>{}]+>|\[[^\[\]{}]+\]|\b[A-Z][A-Z_]+\b|\.\.\.|\bN\b|\bX\b")


def of_list(actions: Sequence[str], *, tools: bool) -> Iterator[tuple[str, ...]]:
    """Readings of a list: as it stands, then with bare answers boxed.

    >>> list(of_list(["open"], tools=False))
    [('open',), ('\\\\boxed{open}',)]
    """
    yield tuple(actions)
    if not tools:
        wrapped = tuple(boxed(action) for action in actions)
        if wrapped != tuple(actions):
            yield wrapped
            if 1 < len(actions) <= 50:
                # The list may be the answer itself.
                for joined in (", ".join(actions), ",".join(actions), " ".join(actions), f"[{', '.join(actions)}]"):
                    yield (boxed(joined),)


def is_plain(text: str) -> bool:
    """Whether a text can be meant in one way only: a word with a digit, one box, or calls and an answer in their tags.

    >>> is_plain("42"), is_plain("\\\\boxed{a, b}"), is_plain("pull A, then B")
    (True, True, False)
    """
    bare = text.strip()
    content = last_boxed(bare)
    if content is not None and bare == boxed(content):
        return True
    if "<tool_call>" in bare or "<answer>" in bare:
        tagged = [*between(bare, "<tool_call>", "</tool_call>"), *between(bare, "<answer>", "</answer>")]
        return sum(map(len, tagged)) + len("".join(_TAGS.findall(bare))) == len(bare) - bare.count("\n")
    return bool(re.search(r"\d", bare)) and not re.search(r"[\s,;|>]", bare)


def of_text(
    text: str, *, observation: str, source: str, tools: Sequence[dict[str, Any]], expected: str | None
) -> list[tuple[str, ...]]:
    """Readings of a text, likeliest first, without repeats, at most :data:`MOST_READINGS`.

    Args:
        text: what ``solution()`` returned.
        observation: first observation of the episode, which may show templates such as ``\\boxed{guess WORD}``.
        source: the source, which may too.
        tools: OpenAI tool schemas; with any, the text is read as tool calls.
        expected: ``_expected_answer`` of a tools environment, for texts that leave the final answer out.
    """
    found = _tool_readings(text, tools, expected) if tools else _boxed_readings(text, observation, source)
    unique = dict.fromkeys(reading[:MOST_ACTIONS] for reading in found if reading)
    return list(unique)[:MOST_READINGS]


# -- boxed commands --------------------------------------------------------------------------------------------


def _boxed_readings(text: str, observation: str, source: str) -> Iterator[tuple[str, ...]]:
    inside = _BOXED.findall(text)
    if inside:
        yield tuple(boxed(content) for content in inside)
        yield (boxed(inside[-1]),)
    stripped = text.strip()
    listed = _literal_list(stripped)
    if listed:
        yield from of_list(listed, tools=False)
    if "\n" not in stripped:
        yield (boxed(stripped),)
    labelled = _LABEL.sub("", stripped)
    if labelled != stripped:
        for separator in _SEPARATORS[:8]:
            if len(commands := _commands(labelled, separator)) > 1:
                yield tuple(boxed(command) for command in commands)
        yield (boxed(labelled),)
    templates = [t for t in dict.fromkeys(_BOXED.findall(observation) + _BOXED.findall(source)) if len(t) < 80]
    for template in templates:
        if (filled := _fill(template, stripped)) is not None:
            yield (boxed(filled),)
    for said in _SAID.findall(text)[-1:]:
        yield (boxed(said.strip(_TRIM)),)
    for number in _NUMBER.findall(text)[-1:]:
        yield (boxed(number.strip(",")),)
    for separator in _SEPARATORS:
        commands = _commands(stripped, separator)
        if len(commands) > 1:
            yield tuple(boxed(command) for command in commands)
            for template in templates[:4]:
                filled_all = [_fill(template, command) for command in commands]
                if all(filled_all):
                    yield tuple(boxed(command or "") for command in filled_all)
    yield (stripped,)


def _literal_list(text: str) -> list[str]:
    """Actions of a text that is a list in JSON or Python notation, or an object with such a list."""
    if not text.startswith(("[", "(", "{")) or len(text) > 20_000:
        return []
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return []
    if isinstance(value, dict):
        value = next((part for part in value.values() if isinstance(part, (list, tuple))), [])
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else []


def _commands(text: str, separator: str) -> list[str]:
    parts = [_NUMBERING.sub("", part).strip().strip("`'\" .") for part in text.split(separator)]
    return [part for part in parts if part and len(part) <= 400]


def _fill(template: str, value: str) -> str | None:
    """Put a value where the template has a placeholder: ``guess WORD`` and ``crane`` give ``guess crane``."""
    holes = list(_PLACEHOLDER.finditer(template))
    if not holes or "\n" in value or len(value) > 400:
        return None
    words = [value] if len(holes) == 1 else value.replace(",", " ").split()
    if len(words) != len(holes):
        return None
    pieces, at = [], 0
    for hole, word in zip(holes, words, strict=True):
        pieces += [template[at : hole.start()], word]
        at = hole.end()
    return "".join([*pieces, template[at:]])


# -- tool calls ------------------------------------------------------------------------------------------------


def _tool_readings(text: str, tools: Sequence[dict[str, Any]], expected: str | None) -> Iterator[tuple[str, ...]]:
    final = _final_answer(text, expected)
    tagged = _tagged(text)
    if tagged:
        yield tagged if tagged[-1].startswith("<answer>") else (*tagged, final)
    calls = tuple(written_calls(text, tools))
    if calls:
        yield (*calls, final)
        if expected is not None:
            yield (*calls, f"<answer>{expected}</answer>")
        yield (*calls, "<answer>done</answer>")
    if not tagged and not calls:
        yield (final,)
        yield (f"<answer>{text.strip()}</answer>",)


def _tagged(text: str) -> tuple[str, ...]:
    """Whole ``<tool_call>`` and ``<answer>`` elements, in order, in one pass."""
    found, opened = [], None
    for tag in _TAGS.finditer(text):
        if not tag.group().startswith("</"):
            opened = opened or tag
        elif opened is not None and tag.group()[2:] == opened.group()[1:]:
            found.append(text[opened.start() : tag.end()])
            opened = None
    return tuple(found[:MOST_ACTIONS])


def _final_answer(text: str, expected: str | None) -> str:
    answers = [tagged for tagged in _tagged(text) if tagged.startswith("<answer>")]
    if answers:
        return answers[-1]
    said = _SAID.findall(text)
    if said:
        return f"<answer>{said[-1].strip(_TRIM)}</answer>"
    return f"<answer>{'done' if expected is None else expected}</answer>"


def written_calls(text: str, tools: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Calls written as ``name(arg=value, ...)`` of tools that exist, in order."""
    schemas: dict[str, dict[str, Any]] = {}
    for tool in tools:
        function = tool.get("function") if isinstance(tool, dict) else None
        if isinstance(function, dict) and isinstance(function.get("name"), str):
            schemas[function["name"]] = function
    if not schemas:
        return
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, sorted(schemas, key=len, reverse=True))) + r")\s*\(")
    at = 0
    for _ in range(MOST_ACTIONS):
        match = pattern.search(text, at)
        if match is None:
            return
        end = _closing(text, match.end())
        at = match.end()
        if end is None:
            continue
        arguments = _arguments(text[match.end() : end], schemas[match.group(1)])
        if arguments is not None:
            call = {"name": match.group(1), "arguments": arguments}
            yield f"<tool_call>{json.dumps(call, ensure_ascii=False)}</tool_call>"
            at = end


def _closing(text: str, start: int) -> int | None:
    level, quote = 1, ""
    for at in range(start, min(len(text), start + 1000)):
        letter = text[at]
        if quote:
            if letter == quote and text[at - 1] != "\\":
                quote = ""
        elif letter in "'\"":
            quote = letter
        elif letter in "([{":
            level += 1
        elif letter in ")]}":
            level -= 1
            if level == 0:
                return at
    return None


def _arguments(written: str, function: dict[str, Any]) -> dict[str, Any] | None:
    """Arguments of a written call: literals, bare words as text, positional ones by the schema's order."""
    if len(written) > 2000:
        return None
    try:
        call = ast.parse(f"f({written})", mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(call, ast.Call):
        return None
    parameters = function.get("parameters")
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    names = list(properties) if isinstance(properties, dict) else []
    arguments: dict[str, Any] = {}
    try:
        for name, value in zip(names, call.args, strict=False):
            arguments[name] = _literal(value)
        for keyword in call.keywords:
            if keyword.arg is not None:
                arguments[keyword.arg] = _literal(keyword.value)
    except (ValueError, TypeError, RecursionError):
        return None
    return arguments if len(call.args) <= len(names) else None


def _literal(node: ast.expr) -> Any:
    if isinstance(node, ast.Name):
        return {"true": True, "false": False, "null": None}.get(node.id, node.id)
    value = ast.literal_eval(node)
    json.dumps(value, allow_nan=False)
    return value
