"""The one action reader: from a model's raw reply to what an environment is given.

It takes up to 1 MiB, drops think text, removes control characters and lone surrogates, and hands on at most 8 KiB: the
*last* balanced ``\\boxed{...}``, or every ``<tool_call>`` in order, or an ``<answer>``, or else the stripped text.
"""

from __future__ import annotations

import dataclasses
import functools
import json
import re
import unicodedata
from collections.abc import Iterator

from .errors import SourceError

LONGEST_REPLY = 1024 * 1024
"""Characters of a reply that are read at all; of a longer one, the end counts."""
LONGEST_ACTION = 8 * 1024
"""UTF-8 bytes of an action that an environment is given."""

_FUNCTION = re.compile(r"<function=([^>\s]{1,200})>(.*?)</function>", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([^>\s]{1,200})>(.*?)</parameter>", re.DOTALL)
_FENCE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n`]*$")
_BOXED = "\\boxed{"
_BRACE = re.compile(r"[{}]")


@dataclasses.dataclass(frozen=True)
class Action:
    """What was read from a reply."""

    text: str
    """What ``step`` is given."""
    calls: tuple[str, ...] = ()
    """The tool calls in it, each as ``<tool_call>{...}</tool_call>``."""


def strip_think(text: str) -> str:
    """Drop think text: paired tags, text before a lone closing tag, text after a lone opening tag.

    >>> strip_think("<think>maybe 3</think> It is 4.")
    ' It is 4.'
    >>> strip_think("maybe 3</think>4"), strip_think("4<think>or 5")
    ('4', '4')
    """
    kept, at = [], 0
    while (start := text.find("<think>", at)) >= 0 and (end := text.find("</think>", start)) >= 0:
        kept.append(text[at:start])
        at = end + len("</think>")
    rest = ("".join(kept) + text[at:]).rpartition("</think>")[2]
    return rest.partition("<think>")[0]


def clean(text: str) -> str:
    """Drop lone surrogates, NUL and control characters other than tab and newline.

    >>> clean("a\\x00b\\x1b[31mc\\r\\n")
    'ab[31mc\\n'
    """
    if text.isprintable():
        return text
    kept = (c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs"))
    return "".join(kept)


def last_boxed(text: str) -> str | None:
    """Content of the last ``\\boxed{...}`` whose braces balance, or ``None``.

    >>> last_boxed(r"\\boxed{1} then \\boxed{\\frac{1}{2}}")
    '\\\\frac{1}{2}'
    """
    # One pass that matches braces: many unbalanced boxes must not make a reply slow to read.
    opened: list[int] = []
    best: tuple[int, int] | None = None
    for brace in _BRACE.finditer(text, max(0, text.find(_BOXED))) if _BOXED in text else ():
        if brace.group() == "{":
            opened.append(brace.start())
        elif opened:
            start = opened.pop()
            if text.endswith("\\boxed", max(0, start - 6), start) and (best is None or start > best[0]):
                best = (start, brace.start())
    return None if best is None else text[best[0] + 1 : best[1]]


def read(reply: str, contract: str) -> Action:
    """Read the action of a raw reply.

    Args:
        reply: the player's text, unchanged.
        contract: ``answer``, ``interactive`` or ``tools``; tool calls and answers are read only in ``tools``.

    >>> read("I go north. \\\\boxed{north}", "interactive").text
    '\\\\boxed{north}'
    >>> read('<tool_call>{"name": "look"}</tool_call>', "tools").calls
    ('<tool_call>{"name": "look"}</tool_call>',)
    """
    # Weak players and trained ones say the same short things again and again.
    return _remembered(reply, contract) if len(reply) < 500 else _read(reply, contract)


def _read(reply: str, contract: str) -> Action:
    text = clean(strip_think(reply[-LONGEST_REPLY:]))
    if contract == "tools":
        return _read_tools(text)
    content = last_boxed(text)
    if content is None:
        return Action(_capped(text.strip()))
    return Action(_wrapped(_BOXED, content.strip(), "}"))


_remembered = functools.lru_cache(maxsize=4096)(_read)


def _read_tools(text: str) -> Action:
    calls: list[str] = []
    size = 0
    for body in between(text, "<tool_call>", "</tool_call>"):
        size += len(body)
        if size > LONGEST_ACTION:
            break
        call = f"<tool_call>{_as_json(body.strip())}</tool_call>"
        calls.append(call)
        if len("\n".join(calls).encode("utf-8")) > LONGEST_ACTION:
            calls.pop()
            break
    if calls:
        return Action("\n".join(calls), tuple(calls))
    answer = None
    for body in between(text, "<answer>", "</answer>"):
        answer = body
    if answer is not None:
        return Action(_wrapped("<answer>", answer.strip(), "</answer>"))
    return Action(_capped(text.strip()))


def between(text: str, opening: str, closing: str) -> Iterator[str]:
    """What stands between pairs of tags, in order, in one pass."""
    at = 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start)) >= 0:
        yield text[start + len(opening) : end]
        at = end + len(closing)


def _as_json(body: str) -> str:
    """A call in the XML function style of some chat templates, as JSON; JSON stays as it is."""
    match = _FUNCTION.search(body)
    if body.startswith("{") or match is None:
        return body
    arguments = {name: _literal(value.strip()) for name, value in _PARAMETER.findall(match.group(2))}
    try:
        call = json.dumps({"name": match.group(1), "arguments": arguments}, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return body
    return clean(call)  # an escape in the JSON may have brought a lone surrogate back


def _literal(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _wrapped(opening: str, content: str, closing: str) -> str:
    """Tags around a content cut so that the whole fits; a cut content loses its braces, so that tags stay balanced."""
    room = LONGEST_ACTION - len(opening) - len(closing)
    cut = _capped(content, room)
    if cut != content:
        cut = cut.replace("{", "").replace("}", "")
    return f"{opening}{cut}{closing}"


def _capped(text: str, limit: int = LONGEST_ACTION) -> str:
    data = text.encode("utf-8")
    return text if len(data) <= limit else data[:limit].decode("utf-8", "ignore")


def boxed(answer: str) -> str:
    """Wrap an answer as ``\\boxed{answer}`` unless it already holds one."""
    return answer if last_boxed(answer) is not None else f"{_BOXED}{answer}}}"


def last_code_block(reply: str) -> str:
    """The last complete fenced code block outside think text; Python blocks are preferred over unlabelled ones.

    Raises:
        SourceError: when there is none.
    """
    lines = _after_think(reply.splitlines(keepends=True))
    python, plain, open_fence = _blocks(lines)
    if python or plain:
        return (python or plain)[-1]
    if open_fence:
        raise SourceError("the reply ends inside a code block: its closing fence is missing; ask for it again")
    raise SourceError("the reply holds no fenced code block; expected ```python ... ``` around the source")


def _after_think(lines: list[str]) -> list[str]:
    """Lines after the reasoning. A tag counts where it opens or closes a line: sources may contain it in a string."""
    last = -1
    for number, line in enumerate(lines):
        if line.strip().endswith("</think>") or line.strip().startswith("</think>"):
            last = number
    if last >= 0:
        rest = lines[last].rpartition("</think>")[2]
        return [rest, *lines[last + 1 :]]
    if any(line.strip().startswith("<think>") for line in lines):
        raise SourceError("the reply ends inside its think text and holds no source; allow it more tokens")
    return lines


def _blocks(lines: list[str]) -> tuple[list[str], list[str], bool]:
    python: list[str] = []
    plain: list[str] = []
    fence, label = "", ""
    body: list[str] = []
    for line in lines:
        match = _FENCE.match(line.rstrip("\r\n"))
        if not fence:
            if match:
                fence, label, body = match.group(1), match.group(2).lower(), []
        elif match and not match.group(2) and match.group(1)[0] == fence[0] and len(match.group(1)) >= len(fence):
            target = python if label in ("python", "py", "python3") else plain if not label else []
            target.append("".join(body))
            fence = ""
        else:
            body.append(line)
    return python, plain, bool(fence)
