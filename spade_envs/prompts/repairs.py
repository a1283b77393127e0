"""Findings sent back to the designer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..types import EnvSource, Finding, Severity
from .fences import fenced, harmless
from .texts import prompt

MOST_FINDINGS = 12
"""Findings that are told; errors come first."""
MOST_ACTIONS = 12
"""Actions of a reproduction that are told."""
LONGEST_LINE = 300
"""Characters of a source line or an action that are told."""
LONGEST_MESSAGE = 1500

_ORDER = (Severity.ERROR, Severity.UNDECIDED, Severity.WARNING)


def repair_text(problem: str, findings: Sequence[Finding], source: EnvSource | None) -> str:
    """The user message that sends findings back, and asks for the whole corrected source.

    Args:
        problem: what happened, in a sentence of ours, such as "The check refused it."
        findings: of the gate; untrusted, since they quote the source and what it printed.
        source: what was found fault with; ``None`` where the reply held none.
    """
    parts = [prompt("repair").fill(problem=one_line(problem))]
    if findings:
        told = "\n\n".join(_told(findings, source))
        parts.append(prompt("repair-findings").fill(findings=fenced(told, "list of findings")))
    if source is not None:
        parts.append(prompt("repair-source").fill(source=fenced(source.text, "source")))
    parts.append(prompt("repair-end").fill())
    return "\n\n".join(parts)


def finding_text(finding: Finding) -> str:
    """A finding in a line, without its place; untrusted, since it quotes the source.

    >>> finding_text(Finding("load.error", Severity.ERROR, "It raises KeyError."))
    'error load.error: It raises KeyError.'
    """
    return f"{finding.severity.value} {finding.rule}: {_cut(finding.message, LONGEST_MESSAGE)}"


def one_line(text: str) -> str:
    """A sentence on one line, made harmless and not too long.

    >>> one_line(" It\\nended. ")
    'It ended.'
    """
    return _cut(" ".join(harmless(text).split()), LONGEST_MESSAGE)


def _told(findings: Sequence[Finding], source: EnvSource | None) -> Iterator[str]:
    lines = source.text.splitlines() if source is not None else []
    ordered = sorted(findings, key=lambda finding: _ORDER.index(finding.severity))
    for number, finding in enumerate(ordered[:MOST_FINDINGS], 1):
        text = [f"{number}. {finding_text(finding)}"]
        if finding.line is not None and 1 <= finding.line <= len(lines):
            text.append(f"   line {finding.line}: {_cut(lines[finding.line - 1].strip(), LONGEST_LINE)}")
        if finding.repro is not None:
            text.append(f"   shown by reset(seed={finding.repro.seed}), then the actions {_actions(finding)}")
        yield "\n".join(text)
    if len(ordered) > MOST_FINDINGS:
        yield f"({len(ordered) - MOST_FINDINGS} more findings, not told here)"


def _actions(finding: Finding) -> str:
    actions = finding.repro.actions if finding.repro is not None else ()
    shown = ", ".join(_cut(repr(action), LONGEST_LINE) for action in actions[:MOST_ACTIONS])
    more = f", and {len(actions) - MOST_ACTIONS} more" if len(actions) > MOST_ACTIONS else ""
    return f"[{shown}]{more}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} ... ({len(text) - most} more characters)"
