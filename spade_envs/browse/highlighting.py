"""A source as lines of markup, with what the gate found beside the lines."""

from __future__ import annotations

import dataclasses
import itertools
import operator
import re
from collections.abc import Iterable, Iterator

from markupsafe import Markup
from pygments.lexers.python import PythonLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType

from ..types import Finding
from .screening import screened

MOST_LINES = 4_000
MOST_LETTERS = 300_000
LONGEST_LINE = 2_000

_CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "co"),
    (String, "st"),
    (Number, "nu"),
    (Keyword, "kw"),
    (Operator.Word, "kw"),
    (Name.Function, "df"),
    (Name.Class, "df"),
    (Name.Decorator, "df"),
    (Name.Builtin, "bu"),
)
_NEWLINE = re.compile(r"\r\n|\r|\n")  # what Python counts as the end of a line, unlike str.splitlines
_SPAN = Markup('<span class="{}">{}</span>')
_SOLUTION = re.compile(r"([ \t]+)(?:async[ \t]+)?def[ \t]+solution\b")


@dataclasses.dataclass(frozen=True)
class Line:
    """One line of a source."""

    number: int
    code: Markup
    findings: tuple[Finding, ...] = ()


@dataclasses.dataclass(frozen=True)
class Lines:
    """A source as it is shown."""

    lines: tuple[Line, ...]
    loose: tuple[Finding, ...]
    """Findings of no line that is shown."""
    cut: bool
    """Whether the source goes on, or a line of it does."""

    @property
    def noted(self) -> bool:
        """Whether there is anything beside the lines."""
        return any(line.findings for line in self.lines)


def lines(text: str, findings: Iterable[Finding] = ()) -> Lines:
    """``text`` line by line; what is long is cut."""
    all_ = _NEWLINE.split(text)
    if all_ and not all_[-1]:
        all_.pop()
    kept, letters = [], 0
    for one in all_[:MOST_LINES]:
        letters += min(len(one), LONGEST_LINE) + 1
        if letters > MOST_LETTERS:
            break
        kept.append(one[:LONGEST_LINE])
    by_line: dict[int, list[Finding]] = {}
    for finding in findings:
        number = finding.line if finding.line is not None and 0 < finding.line <= len(kept) else 0
        by_line.setdefault(number, []).append(finding)
    made = [
        Line(number, code + _rest(all_[number - 1]), tuple(by_line.get(number, ())))
        for number, code in enumerate(_coloured(kept), 1)
    ]
    cut = len(kept) < len(all_) or any(len(one) > LONGEST_LINE for one in all_[: len(kept)])
    return Lines(tuple(made), tuple(by_line.get(0, ())), cut)


def _rest(line: str) -> Markup:
    more = len(line) - LONGEST_LINE
    return Markup('<span class="cut">… {} more characters</span>').format(f"{more:,}") if more > 0 else Markup("")


def _coloured(kept: list[str]) -> Iterator[Markup]:
    """Markup of each line."""
    line: list[Markup] = []
    given = 0
    for name, value in _runs("\n".join(kept)):
        for number, part in enumerate(value.split("\n")):
            if number:
                yield Markup("").join(line)
                line, given = [], given + 1
            if part:
                shown = screened(part, limit=None)
                line.append(_SPAN.format(name, shown) if name else shown)
    if given < len(kept):
        yield Markup("").join(line)


def _runs(text: str) -> Iterator[tuple[str, str]]:
    """Text in pieces of one class each. A token of one letter must not cost an element of its own."""
    classes = _Classes()
    tokens = ((classes[kind], value) for kind, value in PythonLexer(stripnl=False, ensurenl=False).get_tokens(text))
    for name, run in itertools.groupby(tokens, key=operator.itemgetter(0)):
        yield name, "".join(value for _, value in run)


class _Classes(dict[_TokenType, str]):
    """Class of every kind of token, looked up once."""

    def __missing__(self, kind: _TokenType) -> str:
        name = self[kind] = next((name for parent, name in _CLASSES if kind in parent), "")
        return name


def solution(text: str) -> tuple[int, int] | None:
    """First and last line of the method ``solution``, told by its indentation; ``None`` where there is none.

    >>> solution("class A:\\n    def solution(self):\\n        return []\\n\\n    x = 1\\n")
    (2, 3)
    """
    all_ = _NEWLINE.split(text)
    for first, line in enumerate(all_, 1):
        found = _SOLUTION.match(line)
        if found is None:
            continue
        last = first
        for number, later in enumerate(all_[first:], first + 1):
            if not later.strip():
                continue
            if len(later) - len(later.lstrip()) <= len(found.group(1)):
                break
            last = number
        return first, last
    return None
