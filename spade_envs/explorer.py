"""The explorer: a process that draws action lists and shrinks, with Hypothesis, the ones that show a fault.

Started by file path, because Hypothesis reseeds ``random`` for the whole process it runs in. It runs nothing of an
environment: it proposes, the check plays the proposal in the box and answers whether it shows a fault. One JSON value
per line on standard input and output: a task comes in; ``{"try": [[seed, actions], ...]}`` goes out and ``{"bad": bool,
"stop": bool}`` comes back, again and again: whether one of the lists, the last that was played, shows a fault, and
whether to stop; ``{"done": true}`` ends the task.

The mixture is drawn by a plain generator, which is quick and spreads widely. Where that finds a fault, or is to draw
nothing, Hypothesis draws it too, and shrinks what it finds.
"""

from __future__ import annotations

import contextlib
import json
import random
import sys
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar

import hypothesis
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException

T = TypeVar("T")

HOSTILE = (
    "", " ", "?", "0", "-1", "1", "-0.5", "999999999", "1e999", "nan", "inf", "1/0", "1,2", "1 2 3", "[]", "{}",
    "None", "null", "true", "zzz", "a b c d e f", ",", ";", ":", "=", "->", "()", "(1, 2)", "[1, 2, 3]", '{"a": 1}',
    "\u00b2", "\u0663", "9" * 60, "9" * 4400, "x" * 300, "(" * 1500, "\u202e\u05e9\u05dc\u05d5\u05dd", "\U0001f600",
    "%s %d {0}", "../..", "A1", "Z99", "1-2", "1.5.2", "help", "quit", "undo", "all", "99 99", "0 0", "-900",
)  # fmt: skip
"""Arguments and answers that graders forget."""
RAW = (
    "", "I do not know.", "\\boxed{", "\\boxed{}", "\\boxed{\\boxed{1}}", "{}", "<answer></answer>",
    "<tool_call>not json</tool_call>", '<tool_call>{"name": "x"}</tool_call>', "<tool_call>[1]</tool_call>",
)  # fmt: skip
"""Whole replies in no format or another contract's."""
WRONG_VALUES: tuple[Any, ...] = (None, [], {}, "", -1, 0, 10**12, 1.5, "zzz", True)
CALLS = ("call",) * 8 + ("known",) * 3 + ("answer", "raw")
TEXTS = ("verb",) * 5 + ("known",) * 4 + ("two", "bare", "hostile", "seen", "raw")


class Stop(BaseException):
    """The check has seen enough. No Exception, so that Hypothesis lets it through."""


class Draws(Protocol):
    """Where choices come from."""

    def pick(self, options: Sequence[T]) -> T:
        """One of several."""

    def number(self, low: int, high: int) -> int:
        """A whole number, both ends included."""


class RandomDraws:
    """Choices of a plain generator."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def pick(self, options: Sequence[T]) -> T:
        """One of several."""
        return self._random.choice(options)

    def number(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return self._random.randint(low, high)


class HypothesisDraws:
    """Choices that Hypothesis records, and shrinks towards the first option and the lowest number."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self._draw = draw

    def pick(self, options: Sequence[T]) -> T:
        """One of several."""
        chosen: T = self._draw(st.sampled_from(options))
        return chosen

    def number(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return int(self._draw(st.integers(low, high)))


def _dict(value: Any, key: str) -> dict[str, Any]:
    """The dict under a key, or an empty one."""
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


def _bound(spec: dict[str, Any], key: str, otherwise: int) -> int:
    return int(spec[key]) if type(spec.get(key)) in (int, float) and abs(spec[key]) < 10**9 else otherwise


def value_of(draws: Draws, spec: Any, seen: Sequence[str], depth: int = 3) -> Any:
    """A value for one argument: by enumeration, type and bounds, from what was seen, now and then a hostile one."""
    spec = spec if isinstance(spec, dict) else {}
    if isinstance(spec.get("enum"), list) and spec["enum"]:
        return draws.pick(spec["enum"])
    kind = spec.get("type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if kind == "boolean":
        return draws.pick((True, False))
    if kind in ("integer", "number"):
        low = _bound(spec, "minimum", -3)
        number = draws.number(low, max(low, _bound(spec, "maximum", 1000 if draws.number(0, 3) == 0 else 12)))
        return number + 0.5 if kind == "number" and draws.number(0, 3) == 0 else number
    if kind == "array" and depth:
        return [value_of(draws, spec.get("items"), seen, depth - 1) for _ in range(draws.number(0, 3))]
    if kind == "object" and depth:
        return {name: value_of(draws, part, seen, depth - 1) for name, part in _dict(spec, "properties").items()}
    return draws.pick(seen) if seen and draws.number(0, 4) else draws.pick(HOSTILE)


def call_of(draws: Draws, tool: Any, seen: Sequence[str]) -> str:
    """A call of one tool: a fitting one, or one that leaves arguments out or has values of other types."""
    function = _dict(tool, "function")
    schema = _dict(function, "parameters")
    properties = _dict(schema, "properties")
    required = schema["required"] if isinstance(schema.get("required"), list) else []
    strict = draws.number(0, 4) > 0
    arguments = {}
    for name, spec in properties.items():
        if (strict and name in required) or draws.number(0, 1):
            wrong = not strict and draws.number(0, 1)
            arguments[name] = draws.pick(WRONG_VALUES) if wrong else value_of(draws, spec, seen)
    body = json.dumps({"name": function.get("name"), "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>{body}</tool_call>"


def call_text(draws: Draws, task: dict[str, Any]) -> str:
    """An action of the tools contract: a call made up or of the witness, an answer, a raw reply."""
    kind = draws.pick(CALLS)
    if kind == "call" and task["tools"]:
        return call_of(draws, draws.pick(task["tools"]), task["seen"])
    if kind == "known" and task["known"]:
        return str(draws.pick(task["known"]))
    if kind == "raw":
        return draws.pick(RAW)
    return f"<answer>{draws.pick([*task['seen'], *HOSTILE, 'done'])}</answer>"


def boxed_text(draws: Draws, task: dict[str, Any]) -> str:
    """An action of the boxed contracts: a command named, its verb with another argument, a hostile answer."""
    kind = draws.pick(TEXTS)
    if kind == "raw":
        return draws.pick(RAW)
    if kind == "known" and task["known"]:
        return str(draws.pick(task["known"]))
    inside = draws.pick(HOSTILE)
    if kind in ("verb", "two", "bare") and task["verbs"]:
        count = {"verb": 1, "two": 2, "bare": 0}[kind]
        inside = " ".join([draws.pick(task["verbs"]), *(argument_of(draws, task) for _ in range(count))])
    elif kind == "seen" and task["seen"]:
        inside = draws.pick(task["seen"])
    return f"\\boxed{{{inside}}}"


def argument_of(draws: Draws, task: dict[str, Any]) -> str:
    """An argument of a command: something seen, a small number, something hostile."""
    kind = draws.number(0, 4)
    if kind < 2 and task["seen"]:
        return str(draws.pick(task["seen"]))
    return str(draws.number(-2, 30)) if kind < 4 else draws.pick(HOSTILE)


def list_of(draws: Draws, task: dict[str, Any]) -> tuple[int, list[str]]:
    """A seed and actions: a part of the winning list, other actions, perhaps repeated, perhaps the rest of it."""
    action = call_text if task["tools"] else boxed_text
    seed = draws.pick(list(task["witness"]))
    winning = task["witness"][seed]
    kept = draws.number(0, len(winning))
    middle = [action(draws, task) for _ in range(draws.number(1, 9))]
    repeated = draws.pick((1, 1, 1, 2, 4, 20))
    rest = winning[kept:] if draws.number(0, 1) else []
    return int(seed), [*winning[:kept], *middle[:-1], *middle[-1:] * repeated, *rest]


def explore(task: dict[str, Any], ask: Callable[[list[tuple[int, list[str]]]], dict[str, bool]]) -> None:
    """Draw lists until they are used up or the check says stop; after a bad one Hypothesis looks for a shorter one."""
    task["known"] = [*task["commands"], *(action for actions in task["witness"].values() for action in actions)]

    @st.composite
    def lists(draw: Callable[[st.SearchStrategy[Any]], Any]) -> tuple[int, list[str]]:
        return list_of(HypothesisDraws(draw), task)

    @hypothesis.seed(task["seed"])
    @hypothesis.settings(
        max_examples=task["examples"],
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        report_multiple_bugs=False,
    )
    @hypothesis.given(lists())
    def shows_no_fault(pair: tuple[int, list[str]]) -> None:
        assert not tried(*pair)

    def tried(seed: int, actions: list[str]) -> bool:
        return judged(ask([(seed, actions)]))

    def judged(answer: dict[str, bool]) -> bool:
        if answer["stop"]:
            raise Stop
        return answer["bad"]

    # What they raise in the end tells nothing new: the check keeps what it has seen.
    with contextlib.suppress(Stop, AssertionError, HypothesisException):
        draws = RandomDraws(task["seed"])
        plain = [list_of(draws, task) for _ in range(task["drawn"])]
        if not plain or judged(ask(plain)):
            shows_no_fault()


def main() -> None:
    """Serve tasks until standard input ends."""
    read, out = sys.stdin, sys.stdout
    sys.stdout = sys.stderr  # nothing that Hypothesis prints may reach the check

    def say(value: object) -> None:
        out.write(json.dumps(value) + "\n")
        out.flush()

    def ask(lists: list[tuple[int, list[str]]]) -> dict[str, bool]:
        say({"try": lists})
        line = read.readline()
        if not line:
            raise SystemExit
        answer: dict[str, bool] = json.loads(line)
        return answer

    for line in iter(read.readline, ""):
        explore(json.loads(line), ask)
        say({"done": True})


if __name__ == "__main__":
    main()
