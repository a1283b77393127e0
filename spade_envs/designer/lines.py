"""The lines of a log, as frozen dataclasses; each is written as one JSON object with its ``kind``.

Read with checks: a log may be damaged, or come from a stranger.
"""

from __future__ import annotations

import enum
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..codec import from_json, to_json
from ..types import Finding, Report
from .plan import DesignPlan

FORMAT = "spade-envs design 2"
"""First word of a log; another version has another number."""


@dataclass(frozen=True)
class Identity:
    """What makes a run this run: where all of it is the same, it is gone on with."""

    plan: DesignPlan
    shelf: str
    """Folder of the shelf."""
    corpus: str
    """Fingerprint of the corpus; empty without one."""
    prompts: dict[str, str]
    """sha256 of every prompt that is used, by name."""


@dataclass(frozen=True)
class Grounds:
    """What one slot is built on."""

    document: str = ""
    """sha256 of its document; empty without one."""
    name: str = ""
    """Where the document came from."""
    seeds: tuple[str, ...] = ()
    """sha256 of the memory's environments that are shown to learn from."""
    negatives: tuple[str, ...] = ()
    """sha256 of those that are shown since they failed."""


@dataclass(frozen=True)
class Remembered:
    """An environment of the memory, as it is shown."""

    sha256: str
    """Of the whole source."""
    text: str
    """All of it, or an outline."""
    why: str = ""
    """Why it failed, in a sentence; empty for one to learn from."""
    finding: Finding | None = None
    """What the gate found."""


@dataclass(frozen=True)
class Header:
    """The first line."""

    format: str
    identity: Identity
    version: str
    """Of the package that began it."""
    next: int
    """First number of the shelf that was free: what lies below was there before."""
    grounds: tuple[Grounds, ...]
    """By slot."""
    seeds: tuple[Remembered, ...]
    """The memory's environments to learn from, each once: the memory grows."""
    negatives: tuple[Remembered, ...] = ()
    """Those that failed, each once."""
    remembered: int = 0
    """Number of the memory's newest source: only those up to it are near neighbours of what the run makes."""


@dataclass(frozen=True)
class Said:
    """A message to the designer."""

    role: str
    content: str


@dataclass(frozen=True)
class ReplyLine:
    """What the designer answered, written as soon as it came."""

    slot: int
    turn: int
    """0 for the first reply, 1 for the first repair."""
    messages: tuple[Said, ...]
    """What was added to the conversation for this turn."""
    text: str
    """Cut to ``attempts.LONGEST_REPLY`` characters."""
    characters: int
    """Of the whole text."""
    finish_reason: str
    reasoning: str = ""
    """What the model thought, where its server tells it apart; cut alike."""
    prompt_tokens: int = 0
    """0 where the server does not count."""
    completion_tokens: int = 0
    model: str = ""
    """What the server says it is."""
    seconds: float = 0.0
    sha256: str = ""
    """Of the source taken from it; empty when there is none."""
    problem: str = ""
    """Why no source was taken."""


@dataclass(frozen=True)
class ReportLine:
    """What the gate said about the source of a turn."""

    slot: int
    turn: int
    hint: int
    """Which hint the source was checked with, from 0; -1 without one."""
    report: Report


@dataclass(frozen=True)
class HintLine:
    """A hint that was written, or why there is none."""

    slot: int
    number: int
    """From 0."""
    hint: str
    problem: str = ""


@dataclass(frozen=True)
class IntentLine:
    """Written before anything of a slot goes to the memory and the shelf."""

    slot: int
    sha256: str
    """Of the source that is to be admitted; empty for none."""


class Decision(enum.StrEnum):
    """How a slot ended."""

    ADMITTED = "admitted"
    REFUSED = "refused"
    """The last reply held no source, or the gate refused it."""
    UNDECIDED = "undecided"
    DUPLICATE = "duplicate"
    """Its code is on a shelf already."""
    FAILED = "failed"
    """Nothing was decided: no reply came, or time was up. The same run tries it again."""


@dataclass(frozen=True)
class EndLine:
    """How a slot ended. One that failed is tried again by the next run of the same plan."""

    slot: int
    decision: Decision
    env_id: str = ""
    """Of what was admitted, or of what was there already."""
    sha256: str = ""
    """Of the last source."""
    rule: str = ""
    """First rule that stood in the way, or ``reply.*`` where there was no source."""
    why: str = ""
    """In a sentence; it may quote what a model wrote."""
    hint: str = ""
    """``author``, ``written``, ``none``, or why none was written."""


Line = Header | ReplyLine | ReportLine | HintLine | IntentLine | EndLine

_KINDS: Mapping[str, type] = {
    "header": Header,
    "reply": ReplyLine,
    "report": ReportLine,
    "hint": HintLine,
    "intent": IntentLine,
    "end": EndLine,
}
_NAMES = {kind: name for name, kind in _KINDS.items()}


@dataclass
class Told:
    """What a log says about one slot, in order."""

    replies: list[ReplyLine] = field(default_factory=list)
    reports: list[ReportLine] = field(default_factory=list)
    hints: list[HintLine] = field(default_factory=list)
    intent: IntentLine | None = None
    end: EndLine | None = None


def line_bytes(line: Line) -> bytes:
    """A line with its newline; ASCII, so that no text of a model is other than it was.

    Raises:
        ValueError: for a NaN.

    >>> line_bytes(IntentLine(0, ""))
    b'{"kind": "intent", "slot": 0, "sha256": ""}\\n'
    """
    value = {"kind": _NAMES[type(line)], **to_json(line)}
    return json.dumps(value, allow_nan=False).encode("ascii") + b"\n"


def read_line(data: bytes) -> Line:
    """The line that :func:`line_bytes` wrote.

    Raises:
        ValueError: when it is none; the message says what is wrong with it.
    """
    try:
        value = json.loads(data)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError(f"it is a JSON {type(value).__name__}, not an object")
    kind = value.pop("kind", None)
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"its kind is {str(kind)[:40]!r}; allowed: {', '.join(_KINDS)}")
    if kind == "header" and value.get("format") != FORMAT:
        # Another version may write other fields: the number is what tells.
        raise ValueError(
            f"its format is {str(value.get('format'))[:40]!r}, and this version goes on with {FORMAT!r} only; finish "
            "the run with the version that began it"
        )
    line: Line = from_json(_KINDS[kind], value, kind)
    return line
