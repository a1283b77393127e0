"""Bounded search for a winning action list, on deep copies of an instance.

Breadth first over what the environment itself names: commands in observations, tool calls built from schemas, earlier
outputs and scalars of the state. It looks into the state, as no player can, because it asks whether the environment
*can* be won, not whether somebody would. What it finds is confirmed by a fresh replay elsewhere.
"""

from __future__ import annotations

import copy
import itertools
import json
import re
import time
from collections import deque
from typing import Any

from .answers import Broke
from .instance import Instance

MOST_BRANCHES = 60
MOST_VALUES = 40
MOST_TURNS = 40
WINNING = 1.0 - 1e-6

_BOXED = re.compile(r"\\boxed\{([^{}]{1,80})\}")
_QUOTED = re.compile(r"[`'\"]([^`'\"\n]{1,40})[`'\"]")
_UPPER = re.compile(r"\b[A-Z][A-Z_]{1,15}\b")
_BULLET = re.compile(r"^\s*(?:[-*\u2022]|\d+[.)])\s*([A-Za-z_][\w ]{0,30})", re.MULTILINE)
_LISTED = re.compile(r"(?:commands?|actions?|moves?|options?)[^:\n]{0,40}:\s*([^\n]{1,200})", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z0-9_][\w-]*")
_PLACEHOLDER = re.compile(r"^(?:<[^<>]*>|\[[^\[\]]*\]|[A-Z_]{1,12}|your[_ ].*|answer|command|action|\.\.\.)$")


def find(instance: Instance, seed: int, *, seconds: float, nodes: int) -> list[str]:
    """A winning action list for ``seed``, or an empty list.

    Args:
        instance: any instance of the source; the search works on twins of it.
        seed: episode to solve.
        seconds: wall time to spend.
        nodes: states to visit at most.
    """
    deadline = time.monotonic() + seconds
    root = instance.twin()
    start = root.reset(seed)
    for action in _guesses(root, start):
        if _wins_alone(instance, seed, action):
            return [action]
    seen = {_signature(root, start["observation"])}
    queue: deque[tuple[Any, str, list[str], float, str]] = deque()
    queue.append((root.env, start["observation"], [], 0.0, start["observation"]))
    visited = 0
    while queue and visited < nodes and time.monotonic() < deadline:
        env, observation, path, earned, transcript = queue.popleft()
        if len(path) >= MOST_TURNS:
            continue
        for action in _branches(root, env, start, observation, transcript):
            visited += 1
            if visited >= nodes or time.monotonic() >= deadline:
                break
            state = copy.deepcopy(env)
            root.env = state
            try:
                result = root.step(action, [])
            except (Broke, Exception):  # a branch that breaks is no way to win
                continue
            total = earned + result["reward"]
            if result["terminated"]:
                if result["reward"] >= WINNING or total >= WINNING:
                    return [*path, action]
                continue
            mark = _signature(root, result["observation"])
            if not result["truncated"] and mark not in seen:
                seen.add(mark)
                text = (transcript + "\n" + result["observation"])[-20_000:]
                queue.append((state, result["observation"], [*path, action], total, text))
    return []


def _wins_alone(instance: Instance, seed: int, action: str) -> bool:
    twin = instance.twin()
    twin.reset(seed)
    try:
        result = twin.step(action, [])
    except (Broke, Exception):
        return False
    return bool(result["terminated"] and result["reward"] >= WINNING)


def _scalars(value: Any, depth: int = 3) -> list[Any]:
    """Numbers and short texts inside a state, in order, at most :data:`MOST_VALUES`."""
    found: list[Any] = []
    stack: list[tuple[Any, int]] = [(value, depth)]
    while stack and len(found) < MOST_VALUES:
        item, level = stack.pop(0)
        if type(item) in (int, float) or (type(item) is str and 0 < len(item) <= 60):
            if item not in found:
                found.append(item)
        elif level > 0 and type(item) is dict:
            stack.extend((part, level - 1) for pair in itertools.islice(item.items(), 40) for part in pair)
        elif level > 0 and type(item) in (list, tuple, set, frozenset):
            stack.extend((part, level - 1) for part in itertools.islice(item, 40))
    return found


def _state(env: Any) -> dict[str, Any]:
    values = getattr(env, "__dict__", {})
    return dict(values) if type(values) is dict else {}


def _guesses(root: Instance, start: dict[str, Any]) -> list[str]:
    """One-action wins worth trying: every scalar of the state as the answer."""
    form = "<answer>{}</answer>" if start["tools"] else "\\boxed{{{}}}"
    return [form.format(value) for value in _scalars(_state(root.env)) if "\n" not in str(value)]


def _signature(root: Instance, observation: str) -> str:
    return f"{observation}\0{_scalars(_state(root.env))!r}"


def _branches(root: Instance, env: Any, start: dict[str, Any], observation: str, transcript: str) -> list[str]:
    if start["tools"]:
        return _calls(env, start["tools"], transcript)[:MOST_BRANCHES]
    return _commands(start["observation"], observation)[:MOST_BRANCHES]


def _commands(task: str, observation: str) -> list[str]:
    """Boxed commands named by the texts, plain and with one argument seen in them."""
    text = task + "\n" + observation
    verbs: dict[str, None] = {}
    for match in (*_BOXED.findall(text), *_QUOTED.findall(text), *_BULLET.findall(text), *_UPPER.findall(text)):
        verbs.setdefault(match.strip())
    for listed in _LISTED.findall(text):
        verbs.update(dict.fromkeys(part.strip(" .`'\"") for part in re.split(r"[,;/|]| or ", listed)))
    tokens = [token for token in dict.fromkeys(_TOKEN.findall(observation)) if len(token) <= 20][:20]
    actions: dict[str, None] = {}
    for verb in list(verbs)[:30]:
        words = verb.split()
        if not words or len(words) > 4:
            continue
        holes = [i for i, word in enumerate(words) if i and _PLACEHOLDER.match(word)]
        if not holes:
            actions.setdefault(f"\\boxed{{{verb}}}")
        for token in tokens if holes or len(words) == 1 else []:
            filled = [token if i in holes else word for i, word in enumerate(words)] if holes else [verb, token]
            actions.setdefault(f"\\boxed{{{' '.join(filled)}}}")
    return list(actions)


def _calls(env: Any, tools: list[Any], transcript: str) -> list[str]:
    """Answers, then tool calls whose arguments come from enums, texts seen and the state."""
    expected = getattr(env, "_expected_answer", None)
    actions = ["<answer>done</answer>"] if expected is None else [f"<answer>{expected}</answer>"]
    state = _scalars(_state(env).get("_state", {}))
    for tool in tools:
        function = tool.get("function", {}) if isinstance(tool, dict) else {}
        schema = function.get("parameters") or {}
        properties = schema.get("properties") or {}
        choices = [_values(name, spec, state) for name, spec in properties.items()]
        for combination in itertools.islice(itertools.product(*choices), 30):
            arguments = dict(zip(properties, combination, strict=True))
            call = {"name": function.get("name"), "arguments": arguments}
            actions.append(f"<tool_call>{json.dumps(call)}</tool_call>")
    return actions


def _values(name: str, spec: Any, state: list[Any]) -> list[Any]:
    spec = spec if isinstance(spec, dict) else {}
    if isinstance(spec.get("enum"), list):
        return list(spec["enum"][:8])
    kind = spec.get("type")
    if kind == "boolean":
        return [True, False]
    if kind in ("integer", "number"):
        return [value for value in state if type(value) in (int, float)][:8] or [1]
    return [value for value in state if type(value) is str][:8] or ["x"]
