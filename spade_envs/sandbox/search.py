"""Bounded search for a winning action list, on deep copies of an instance.

Breadth first over what the environment itself names: commands in observations, tool calls built from schemas, earlier
outputs and scalars of the state. It looks into the state, as no player can, because it asks whether the environment
*can* be won, not whether somebody would. What it finds is confirmed by a fresh replay elsewhere.
"""

from __future__ import annotations

import copy
import itertools
import json
import time
from collections import deque
from typing import Any

from .answers import Broke
from .instance import Instance
from .mentions import commands, scalars

MOST_BRANCHES = 60
MOST_TURNS = 40
WINNING = 1.0 - 1e-6


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


def _state(env: Any) -> dict[str, Any]:
    values = getattr(env, "__dict__", {})
    return dict(values) if type(values) is dict else {}


def _guesses(root: Instance, start: dict[str, Any]) -> list[str]:
    """One-action wins worth trying: every scalar of the state as the answer."""
    form = "<answer>{}</answer>" if start["tools"] else "\\boxed{{{}}}"
    return [form.format(value) for value in scalars(_state(root.env)) if "\n" not in str(value)]


def _signature(root: Instance, observation: str) -> str:
    return f"{observation}\0{scalars(_state(root.env))!r}"


def _branches(root: Instance, env: Any, start: dict[str, Any], observation: str, transcript: str) -> list[str]:
    if start["tools"]:
        return _calls(env, start["tools"], transcript)[:MOST_BRANCHES]
    return commands(start["observation"], observation)[:MOST_BRANCHES]


def _calls(env: Any, tools: list[Any], transcript: str) -> list[str]:
    """Answers, then tool calls whose arguments come from enums, texts seen and the state."""
    expected = getattr(env, "_expected_answer", None)
    actions = ["<answer>done</answer>"] if expected is None else [f"<answer>{expected}</answer>"]
    state = scalars(_state(env).get("_state", {}))
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
