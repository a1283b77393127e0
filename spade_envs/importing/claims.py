"""What a pool tells about a source: read from JSON objects that may be anything, and never believed.

The same reader serves entries of manifests, rows and our own export, whose keys are different names for one thing.
"""

from __future__ import annotations

import dataclasses
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..contract import CONTRACTS, SKILLS
from ..origins import Origin
from ..types import EnvSource
from .problems import Problem, ProblemKind

LONGEST_NAME = 512
"""Characters of a name: a model, a run, a recipe. What is longer is cut."""
LONGEST_LABEL = 128
"""Characters of a skill, a scale, a difficulty."""
LONGEST_PATH = 2048
LONGEST_HINT = 16384
"""Characters of a hint. A longer one is left out, since half a hint is another hint."""
LAST_STEP = 2**53
"""What JSON can hold exactly everywhere."""

_NAMES = {
    "made_by": ("made_by", "model"),
    "document": ("document", "corpus_doc_id"),
    "run": ("run", "source_run", "wandb_run_name"),
    "scale": ("scale", "model_scale"),
    "recipe": ("recipe",),
    "difficulty": ("difficulty",),
}
"""Fields of one line, and the keys that they go by; the first that is there counts."""
_SHORT = ("scale", "difficulty")
_OF_ORIGIN = ("run", "scale", "recipe", "difficulty")
MEASURED = (
    "n_plays",
    "mean_reward",
    "solve_rate",
    "win_rate",
    "actor_win_rate",
    "regret",
    "reward_joined",
    "has_hint",
)
"""Keys of what a pool says was measured."""
STEMS = ("original_file_name", "file_name", "filename")
"""Keys of file names that tell more (:func:`claims_of_name`)."""
KEYS = (
    *(key for keys in _NAMES.values() for key in keys),
    *("skill", "contract", "hint", "parent", "sha256", "byte_count", "step"),
    *MEASURED,
    *STEMS,
)
"""Every key that is read, apart from ``origin``, which holds an object."""
_JSON = {
    str: "a text",
    bool: "a flag",
    int: "a number",
    float: "a number",
    list: "an array",
    dict: "an object",
    type(None): "nothing",
}
_UNKNOWN = {"unknown", "none", "null", "other"}
_SHA256 = re.compile(r"[0-9a-f]{64}", re.ASCII)
_STEM = re.compile(r"[a-z]+_([0-9]{1,9})_[0-9]{1,9}_([a-z0-9_-]+)", re.ASCII | re.IGNORECASE)


@dataclasses.dataclass(frozen=True)
class Claims:
    """What is told about one source; empty where nothing is."""

    skill: str = ""
    contract: str = ""
    hint: str = ""
    parent: str = ""
    document: str = ""
    made_by: str = ""
    sha256: str = ""
    """Of the text, in UTF-8."""
    size: int | None = None
    """Bytes of the text, in UTF-8."""
    origin: Origin = dataclasses.field(default=Origin())

    def over(self, other: Claims) -> Claims:
        """These, and those of ``other`` where these are empty."""
        values = {name: getattr(self, name) or getattr(other, name) for name in _PLAIN}
        size = other.size if self.size is None else self.size
        return Claims(**values, size=size, origin=_over(self.origin, other.origin))

    def source(self, text: str, pool: str, place: str) -> EnvSource:
        """A source of the pool called ``pool``. One that was exported keeps the pool that it came from first."""
        origin = _over(self.origin, Origin(pool=pool, path=one_line(place, LONGEST_PATH)))
        return EnvSource(
            text, self.skill, self.contract, self.hint, self.parent, self.document, self.made_by, origin=origin
        )


_PLAIN = tuple(field.name for field in dataclasses.fields(Claims) if field.name not in ("size", "origin"))


def _over(mine: Origin, other: Origin) -> Origin:
    names = [field.name for field in dataclasses.fields(Origin) if field.name not in ("pool", "path", "step")]
    # A place belongs to its pool: the two go together.
    pool, path = (mine.pool, mine.path) if mine.pool else (other.pool, other.path)
    step = other.step if mine.step is None else mine.step
    return Origin(pool, path, step=step, **{name: getattr(mine, name) or getattr(other, name) for name in names})


def claims_in(value: Mapping[str, Any], place: str) -> tuple[Claims, tuple[Problem, ...]]:
    """What an object tells, and which fields of it are wrong and were left out.

    >>> claims, problems = claims_in({"skill": "Logical Deduction", "step": 12, "model_scale": 30}, "manifest.json")
    >>> claims.skill, claims.origin.step, [problem.message for problem in problems]
    ('logical-deduction', 12, ["'model_scale' holds a number; a text is read"])
    """
    reader = _Reader(value, place)
    lines = {
        name: reader.line(keys, LONGEST_LABEL if name in _SHORT else LONGEST_NAME) for name, keys in _NAMES.items()
    }
    origin = Origin(
        step=reader.whole("step", LAST_STEP),
        claimed=reader.measured(),
        **{name: lines[name] for name in _OF_ORIGIN},
    )
    claims = Claims(
        skill=skill_in(reader.line(("skill",), LONGEST_LABEL)),
        contract=reader.one_of("contract", CONTRACTS),
        hint=reader.hint(),
        parent=reader.digest("parent"),
        document=lines["document"],
        made_by=lines["made_by"],
        sha256=reader.digest("sha256"),
        size=reader.whole("byte_count", LAST_STEP),
        origin=_over(reader.origin(), origin),
    )
    for key in STEMS:
        if isinstance(value.get(key), str):
            claims = claims.over(claims_of_name(value[key]))
    return claims, tuple(reader.problems)


def claims_of_name(name: str) -> Claims:
    """What a file's name tells: ``game_00012_003_logical-deduction.py`` was written in step 12 for that skill.

    >>> claims_of_name("games/gen_0001/game_00012_003_logical_deduction.py").origin.step
    12
    """
    match = _STEM.fullmatch(name.rpartition("/")[2].removesuffix(".py"))
    skill = skill_in(match[2]) if match else ""
    if match is None or skill not in SKILLS:
        return Claims()
    return Claims(skill=skill, origin=Origin(step=int(match[1])))


def skill_in(text: str) -> str:
    """A skill as we write it; one that we do not know stays, in the same manner of writing.

    >>> skill_in("Multi-Step Workflows"), skill_in("causal_inference"), skill_in("unknown")
    ('multi-step-workflows', 'causal-inference', '')
    """
    slug = re.sub(r"[\s_-]+", "-", text.strip().lower()).strip("-")
    return "" if slug in _UNKNOWN else slug


def one_line(text: str, most: int) -> str:
    """Text of strangers as one short line: no control characters, no half of a surrogate pair, cut at ``most``."""
    plain = "".join(" " if not letter.isprintable() else letter for letter in text[: 4 * most])
    return " ".join(plain.split())[:most]


class _Reader:
    """Reads fields of one object; what is wrong is noted and left out."""

    def __init__(self, value: Mapping[str, Any], place: str) -> None:
        self._value, self._place = value, place
        self.problems: list[Problem] = []

    def line(self, keys: Sequence[str], most: int) -> str:
        """The first of ``keys`` that holds something, as one line."""
        for key, found in self._given(keys):
            if isinstance(found, str):
                return one_line(found, most)
            self._wrong(key, f"holds {described(found)}; a text is read")
        return ""

    def whole(self, key: str, most: int) -> int | None:
        """A whole number from 0 to ``most``."""
        for _, found in self._given((key,)):
            if isinstance(found, float) and found.is_integer():
                found = int(found)  # tables hold whole numbers as floats where some are missing
            if type(found) is int and 0 <= found <= most:
                return found
            self._wrong(key, f"holds {_short(found)}; a whole number from 0 to {most} is read")
        return None

    def one_of(self, key: str, allowed: Sequence[str]) -> str:
        """One of some words."""
        for _, found in self._given((key,)):
            if isinstance(found, str) and found in allowed:
                return found
            self._wrong(key, f"holds {_short(found)}; allowed: {', '.join(allowed)}")
        return ""

    def digest(self, key: str) -> str:
        """A SHA-256, in hexadecimal digits."""
        for _, found in self._given((key,)):
            if isinstance(found, str) and _SHA256.fullmatch(found.lower()):
                return found.lower()
            self._wrong(key, f"holds {_short(found)}; 64 hexadecimal digits are read")
        return ""

    def hint(self) -> str:
        """The hint, whole."""
        for key, found in self._given(("hint",)):
            if not isinstance(found, str):
                self._wrong(key, f"holds {described(found)}; a text is read")
            elif len(found) > LONGEST_HINT or any("\ud800" <= letter <= "\udfff" for letter in found):
                self._wrong(key, f"has {len(found)} characters, or is no UTF-8; at most {LONGEST_HINT} are read")
            else:
                return found
        return ""

    def measured(self) -> str:
        """What is said to be measured, as a JSON object; empty when nothing is."""
        kept: dict[str, int | float | bool] = {}
        for key in MEASURED:
            for _, found in self._given((key,)):
                if not isinstance(found, (int, float)) or not math.isfinite(found) or abs(found) > LAST_STEP:
                    self._wrong(key, f"holds {_short(found)}; a number is read")
                else:
                    kept[key] = found
        return json.dumps(kept) if kept else ""

    def origin(self) -> Origin:
        """The object that our own export writes."""
        for key, found in self._given(("origin",)):
            if not isinstance(found, dict):
                self._wrong(key, f"holds {described(found)}; an object is read")
                continue
            inner = _Reader(found, self._place)
            made = Origin(
                pool=inner.line(("pool",), LONGEST_NAME),
                path=inner.line(("path",), LONGEST_PATH),
                run=inner.line(("run",), LONGEST_NAME),
                step=inner.whole("step", LAST_STEP),
                scale=inner.line(("scale",), LONGEST_LABEL),
                recipe=inner.line(("recipe",), LONGEST_NAME),
                difficulty=inner.line(("difficulty",), LONGEST_LABEL),
                claimed=inner.line(("claimed",), LONGEST_PATH),
            )
            self.problems += inner.problems
            return made
        return Origin()

    def _given(self, keys: Sequence[str]) -> Iterator[tuple[str, Any]]:
        for key in keys:
            found = self._value.get(key)
            if found is not None and found != "":
                yield key, found

    def _wrong(self, key: str, message: str) -> None:
        self.problems.append(Problem(ProblemKind.FIELD, self._place, f"{key!r} {message}"))


def _short(value: object) -> str:
    if isinstance(value, str):
        return repr(one_line(value, 60))
    if isinstance(value, (bool, float)):
        return repr(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**20 else "a huge number"
    return described(value)


def described(value: object) -> str:
    """What kind of JSON value this is.

    >>> described(3), described([]), described(None)
    ('a number', 'an array', 'nothing')
    """
    return _JSON.get(type(value), "something else")
