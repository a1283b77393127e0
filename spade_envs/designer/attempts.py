"""One reply of a designer: the source in it, or what is wrong with the reply; and the conversation that mends it.

A conversation never grows: it is the task, the last source, and what the gate said about it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..actions import clean, strip_think
from ..errors import SourceError
from ..prompts import Messages, repair_text
from ..sandbox.source import parse
from ..types import EnvSource, Finding, Origin, Report, Severity, Verdict
from .lines import ReplyLine, Said
from .slots import Slot

LONGEST_REPLY = 512 * 1024
"""Characters of a reply that are read: four times the longest source. A longer one holds no source."""
LONGEST_QUOTE = 2000
"""Characters of a reply without a source that the model is shown again."""
LONGEST_SHOWN = 128 * 1024
"""Characters of a source that the model is shown again whole; the gate takes none above."""
LONGEST_LINE = 200
"""Characters of a source line that a finding quotes."""


@dataclass(frozen=True)
class Attempt:
    """A reply, and what the gate said about its source."""

    source: EnvSource | None
    rule: str = ""
    """``reply.*`` when there is no source to check."""
    problem: str = ""
    """In a sentence, when there is no source to check."""
    report: Report | None = None

    @property
    def verdict(self) -> Verdict:
        """The gate's; without a source it is to refuse."""
        return Verdict.REFUSE if self.report is None else self.report.verdict

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings that stand in the way."""
        found = self.report.findings if self.report is not None else ()
        return tuple(finding for finding in found if finding.severity is not Severity.WARNING)


def read_reply(text: str, finish_reason: str, characters: int) -> tuple[str, str, str]:
    """Text of the source in a reply, or ``reply.*`` and the problem.

    Args:
        text: of the reply, up to :data:`LONGEST_REPLY` characters.
        finish_reason: as the server tells it.
        characters: of the whole reply.

    >>> read_reply("```python\\nx = 1\\n```", "stop", 20)
    ('x = 1\\n', '', '')
    >>> read_reply("```python\\nx = 1\\n```", "length", 20)[1]
    'reply.cut'
    """
    if characters > LONGEST_REPLY:
        return "", "reply.long", f"The reply has {characters} characters; at most {LONGEST_REPLY} are read."
    if finish_reason == "length":
        return "", "reply.cut", "The reply was cut off at the most tokens it may have; think and write less."
    if not strip_think(text).strip():
        return "", "reply.empty", "The reply is empty."
    try:
        source = EnvSource.from_reply(text)
    except SourceError as error:
        return "", "reply.no_source", f"No source can be taken from the reply: {error}."
    if not source.text.strip():
        return "", "reply.empty", "The code block of the reply is empty."
    return source.text, "", ""


def attempt_of(
    line: ReplyLine, slot: Slot, document: str, made_by: str, origin: Origin, earlier: Sequence[Attempt]
) -> Attempt:
    """What a reply amounts to, before the gate has seen it.

    Args:
        line: the reply.
        slot: what was asked for.
        document: sha256 of the document.
        made_by: the designer.
        origin: the run, and the number within it.
        earlier: attempts of this slot before; the last source among them is the parent.
    """
    text, rule, problem = read_reply(line.text, line.finish_reason, line.characters)
    if rule == "reply.empty" and line.reasoning:
        problem += " There was think text only: think less, or allow longer replies."
    if problem:
        return Attempt(None, rule, problem)
    source = EnvSource(text, slot.skill, slot.contract, document=document, made_by=made_by, origin=origin)
    known = [one.source for one in earlier if one.source is not None]
    if any(source.sha256 == one.sha256 for one in known):
        problem = "The reply holds the same source as before, unchanged; what was found must be mended."
        return Attempt(None, "reply.repeated", problem)
    return Attempt(replace(source, parent=known[-1].sha256 if known else ""))


def first_messages(task: Messages) -> tuple[Said, ...]:
    """What begins a conversation."""
    return (Said("system", task.system), Said("user", task.user))


def repair_messages(attempts: Sequence[Attempt], reply: str) -> tuple[Said, ...]:
    """What is added to the first messages to have the last of these attempts mended.

    Args:
        attempts: of this slot so far; at least one.
        reply: text of the last reply.
    """
    last = attempts[-1]
    checked = next((one for one in reversed(attempts) if one.source is not None), None)
    if checked is None or checked.source is None:
        # Templates of some models want messages of user and assistant in turn.
        shown = clean(strip_think(reply)).strip()[:LONGEST_QUOTE] or "(no answer)"
        return (Said("assistant", shown), Said("user", repair_text(last.problem, (), None)))
    problem = last.problem or _PROBLEMS[checked.verdict]
    # The source stands in the assistant's message: told twice it would cost twice.
    text = checked.source.text
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    told = [_with_line(finding, text) for finding in checked.findings]
    whole = len(text) <= LONGEST_SHOWN
    shown = f"{fence}python\n{text.rstrip() if whole else text[:LONGEST_QUOTE] + '...'}\n{fence}"
    return (Said("assistant", shown), Said("user", repair_text(problem, told, None)))


_PROBLEMS = {
    Verdict.REFUSE: "The check refused the environment.",
    Verdict.UNDECIDED: "The check could not decide, so the environment is not admitted.",
    Verdict.ADMIT: "",
}


def _with_line(finding: Finding, text: str) -> Finding:
    """A finding that quotes the line it is about."""
    lines = text.splitlines()
    if finding.line is None or not 1 <= finding.line <= len(lines):
        return finding
    quoted = lines[finding.line - 1].strip()[:LONGEST_LINE]
    return replace(finding, message=f"{finding.message} Line {finding.line}: {quoted}")


def has_hint(text: str) -> bool:
    """Whether a class of the source has a ``hint`` of its author's.

    >>> has_hint("class Env:\\n    def hint(self):\\n        return ''"), has_hint("hint = 1")
    (True, False)
    """
    tree, _ = parse(text, nesting=200)
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)] if tree is not None else []
    return any(isinstance(part, ast.FunctionDef) and part.name == "hint" for one in classes for part in one.body)
