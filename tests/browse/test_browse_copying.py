"""Episodes to take along: what is copied says what happened, and holds nothing but literals of what others wrote."""

from __future__ import annotations

import ast
import dataclasses
import json
from pathlib import Path

import pytest

from spade_envs.browse.copying import as_json, as_test
from spade_envs.types import Episode, StopReason, Turn

HOSTILE = "\"\"\"\nimport os\nos.abort()\n'''{0}\\\u202e\x1b"
EPISODE = Episode(
    env_id="spade/env-0001",
    seed=7,
    player="human",
    observation=HOSTILE,
    turns=(Turn(HOSTILE, HOSTILE, HOSTILE, 1.0),),
    terminated=True,
    truncated=False,
    stop_reason=StopReason.TERMINATED,
)


def test_json_says_it_all_in_ascii() -> None:
    text = as_json(EPISODE)
    assert text.isascii() and json.loads(text)["turns"][0]["reply"] == HOSTILE
    assert json.loads(text)["success"] is True and json.loads(text)["outcome"] == 1.0


@pytest.mark.parametrize("env_id", ["spade/env-0001", f"lab/{HOSTILE}", "sha256:0123456789ab"])
def test_a_copied_test_holds_literals_only(env_id: str) -> None:
    text = as_test(dataclasses.replace(EPISODE, env_id=env_id), "ab" * 32, memory=Path(f"/tmp/{HOSTILE}"))
    tree = ast.parse(text)
    assert text.isascii() and "\x1b" not in text
    assert [node.name for node in tree.body if isinstance(node, ast.FunctionDef)] == ["test_it_plays_the_same_again"]
    imported = [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    assert set(imported) <= {"gymnasium", "pytest", "spade_envs"}
    assert HOSTILE in [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]


def test_the_hint_is_asked_for_again() -> None:
    assert "hint=True" in as_test(dataclasses.replace(EPISODE, hinted=True), "ab" * 32)
    assert "hint=True" not in as_test(EPISODE, "ab" * 32)


def test_an_episode_without_turns_is_a_test_too() -> None:
    text = as_test(dataclasses.replace(EPISODE, turns=(), terminated=False, truncated=True), "ab" * 32)
    assert ast.parse(text) and "turns[-1]" not in text
