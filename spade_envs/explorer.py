"""The explorer: a process that draws action lists with Hypothesis and shrinks the ones that show a fault.

Started by file path, because Hypothesis reseeds ``random`` for the whole process it runs in. It runs nothing of an
environment: it proposes, the check plays the proposal in the box and answers whether it shows a fault. One JSON value
per line on standard input and output: a task comes in; ``{"try": [seed, actions]}`` goes out and ``{"bad": bool,
"stop": bool}`` comes back, again and again; ``{"done": true}`` ends the task.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from typing import Any

import hypothesis
from hypothesis import strategies as st
from hypothesis.errors import HypothesisException

HOSTILE = (
    "", " ", "?", "0", "-1", "1", "-0.5", "999999999999", "1e999", "nan", "inf", "1/0", "1,2", "1 2 3", "[]", "{}",
    "None", "null", "true", "zzz", "a b c d e f", ",", ";", ":", "=", "->", "()", "(1, 2)", "[1, 2, 3]", '{"a": 1}',
    "\u00b2", "\u0663", "9" * 60, "x" * 300, "\u202e\u05e9\u05dc\u05d5\u05dd", "\U0001f600", "%s %d {0}", "../..",
    "\\boxed{1}", "<answer>1</answer>", "A1", "Z99", "1-2", "1.5.2", "help", "quit", "undo", "all",
)  # fmt: skip
"""Arguments and answers that graders forget."""
RAW = (
    "", "I do not know.", "\\boxed{", "\\boxed{}", "\\boxed{\\boxed{1}}", "{}", "<answer></answer>",
    "<tool_call>not json</tool_call>", '<tool_call>{"name": "x"}</tool_call>', "<tool_call>[1]</tool_call>",
)  # fmt: skip
"""Whole replies in no format or another contract's."""
LONGEST = 30
WRONG_VALUES: tuple[Any, ...] = (None, [], {}, "", -1, 0, 10**12, 1.5, "zzz", True)


class Stop(BaseException):
    """The check has seen enough. No Exception, so that Hypothesis lets it through."""


def boxed(text: str) -> str:
    """An action of the boxed contracts."""
    return f"\\boxed{{{text}}}"


def values_of(spec: Any, seen: list[str], depth: int = 3) -> st.SearchStrategy[Any]:
    """Values for one argument: by enumeration, type and bounds, from what was seen, and now and then a wrong one."""
    spec = spec if isinstance(spec, dict) else {}
    if isinstance(spec.get("enum"), list) and spec["enum"]:
        return st.sampled_from(spec["enum"])
    kind = spec.get("type")
    kind = kind[0] if isinstance(kind, list) and kind else kind
    if kind == "boolean":
        return st.booleans()
    if kind in ("integer", "number"):
        low, high = (spec.get(key) if type(spec.get(key)) in (int, float) else None for key in ("minimum", "maximum"))
        least = -3 if low is None else int(low)
        bounded = st.integers(least, max(least, int(high) if high is not None else 1000))
        return bounded if kind == "integer" else bounded | bounded.map(lambda n: n + 0.5)
    if kind == "array" and depth:
        return st.lists(values_of(spec.get("items"), seen, depth - 1), max_size=3)
    if kind == "object" and depth:
        inner = _dict(spec, "properties")
        return st.fixed_dictionaries({name: values_of(part, seen, depth - 1) for name, part in inner.items()})
    return st.sampled_from([*seen, *HOSTILE]) if seen else st.sampled_from(HOSTILE)


def _dict(value: Any, key: str) -> dict[str, Any]:
    """The dict under a key, or an empty one."""
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


def calls_of(tool: Any, seen: list[str]) -> st.SearchStrategy[str]:
    """Calls of one tool: fitting ones, ones that leave an argument out, ones with a value of another type."""
    function = _dict(tool, "function")
    schema = _dict(function, "parameters")
    properties = _dict(schema, "properties")
    required = schema["required"] if isinstance(schema.get("required"), list) else []
    fitting = {name: values_of(spec, seen) for name, spec in properties.items()}
    must = {name: values for name, values in fitting.items() if name in required}
    may = {name: values for name, values in fitting.items() if name not in required}
    wrong = {name: values | st.sampled_from(WRONG_VALUES) for name, values in fitting.items()}
    full = st.fixed_dictionaries(must, optional=may)
    arguments = full | full | full | st.fixed_dictionaries({}, optional=wrong)
    return arguments.map(lambda found: _call(function.get("name"), found))


def _call(name: Any, arguments: dict[str, Any]) -> str:
    return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments}, ensure_ascii=False)}</tool_call>"


def texts_of(task: dict[str, Any]) -> st.SearchStrategy[str]:
    """Actions of boxed contracts: commands named, their verbs with other arguments, hostile answers, raw replies."""
    seen = list(task["seen"]) or ["x"]
    known = [*task["commands"], *(action for actions in task["witness"].values() for action in actions)]
    parts: list[st.SearchStrategy[str]] = [st.sampled_from(HOSTILE).map(boxed), st.sampled_from(RAW)]
    if known:
        parts += [st.sampled_from(known)] * 3
    if task["verbs"]:
        argument = st.sampled_from(seen) | st.sampled_from(HOSTILE) | st.integers(-2, 12).map(str)
        verb = st.sampled_from(task["verbs"])
        parts += [st.tuples(verb, argument).map(lambda pair: boxed(" ".join(pair).strip()))] * 3
        parts.append(st.tuples(verb, argument, argument).map(lambda words: boxed(" ".join(words).strip())))
        parts.append(verb.map(boxed))
    parts.append(st.sampled_from(seen).map(boxed))
    return st.one_of(parts)


def tool_texts_of(task: dict[str, Any]) -> st.SearchStrategy[str]:
    """Actions of the tools contract: calls built from the schema, the witness's own, answers, raw replies."""
    seen = list(task["seen"])
    known = [action for actions in task["witness"].values() for action in actions]
    parts: list[st.SearchStrategy[str]] = []
    for tool in task["tools"]:
        parts += [calls_of(tool, seen)] * (3 if len(task["tools"]) < 8 else 1)
    answer = st.sampled_from([*seen, *HOSTILE]).map(lambda text: f"<answer>{text}</answer>")
    parts += [answer, st.sampled_from(RAW)]
    if known:
        parts += [st.sampled_from(known)] * 2
    return st.one_of(parts)


def lists_of(task: dict[str, Any]) -> st.SearchStrategy[tuple[int, list[str]]]:
    """Seeds with action lists: a part of the winning list, changed, with other actions and repetitions after it."""
    action = tool_texts_of(task) if task["tools"] else texts_of(task)
    seeds = [int(seed) for seed in task["witness"]]

    @st.composite
    def drawn(draw: Callable[[st.SearchStrategy[Any]], Any]) -> tuple[int, list[str]]:
        seed = draw(st.sampled_from(seeds))
        winning = task["witness"][str(seed)]
        kept = draw(st.integers(0, max(0, len(winning) - 1))) if winning else 0
        middle = draw(st.lists(action, max_size=8))
        repeated = draw(st.sampled_from((1, 1, 1, 3, 12)))
        rest = winning[kept:] if draw(st.booleans()) else []
        if middle and repeated > 1:
            middle = [*middle[:-1], *middle[-1:] * repeated]
        return seed, [*winning[:kept], *middle[:LONGEST], *rest]

    return drawn()


def explore(task: dict[str, Any], ask: Callable[[int, list[str]], dict[str, bool]]) -> None:
    """Draw lists until the examples are used up or the check says stop; a bad one is shrunk."""

    @hypothesis.seed(task["seed"])
    @hypothesis.settings(
        max_examples=task["examples"],
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        report_multiple_bugs=False,
    )
    @hypothesis.given(lists_of(task))
    def shows_no_fault(pair: tuple[int, list[str]]) -> None:
        answer = ask(*pair)
        if answer["stop"]:
            raise Stop
        assert not answer["bad"]

    # What it raises in the end tells nothing new: the check keeps what it has seen.
    with contextlib.suppress(Stop, AssertionError, HypothesisException):
        shows_no_fault()


def main() -> None:
    """Serve tasks until standard input ends."""
    read, out = sys.stdin, sys.stdout
    sys.stdout = sys.stderr  # nothing that Hypothesis prints may reach the check

    def say(value: object) -> None:
        out.write(json.dumps(value) + "\n")
        out.flush()

    def ask(seed: int, actions: list[str]) -> dict[str, bool]:
        say({"try": [seed, actions]})
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
