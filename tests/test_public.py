"""What others rely on: the public names, a cheap import that never fails, and JSON both ways."""

from __future__ import annotations

import dataclasses
import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import spade_envs
from spade_envs import types
from spade_envs.codec import from_json, to_json

HEAVY = (
    "openai",
    "hypothesis",
    "jsonschema",
    "RestrictedPython",
    "torch",
    "tiktoken",
    "rich",
    "cyclopts",
    "aiohttp",
    "pyarrow",
    "zstandard",
    "starlette",
    "jinja2",
)
"""What an import of the package must not load."""

WORDS = [
    word for name in types.__all__ if isinstance(word := getattr(types, name), type) and dataclasses.is_dataclass(word)
]
"""Every dataclass of ``spade_envs.types``."""


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env={**os.environ, **environment}
    )


# -- names -----------------------------------------------------------------------------------------------------


def test_public_names_are_pinned() -> None:
    assert spade_envs.__all__ == [
        "Card",
        "Client",
        "EnvSource",
        "Episode",
        "Memory",
        "Probe",
        "Report",
        "Verdict",
        "__version__",
        "admit",
        "register",
        "reproduce",
        "shows_again",
        "validate",
        "validate_many",
    ]


def test_public_names_are_sorted_and_there() -> None:
    assert spade_envs.__all__ == sorted(spade_envs.__all__)
    for name in spade_envs.__all__:
        assert getattr(spade_envs, name) is not None
        assert name in dir(spade_envs)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        spade_envs.nothing  # noqa: B018


def test_a_star_import_gives_the_public_names() -> None:
    done = python("from spade_envs import *\nprint(validate.__module__, Memory.__name__, __version__)")
    assert done.stdout.split() == ["spade_envs.admission", "SqliteMemory", spade_envs.__version__], done.stderr


def test_the_version_is_the_one_of_the_package() -> None:
    assert importlib.metadata.version("spade-envs") == spade_envs.__version__


# -- import ----------------------------------------------------------------------------------------------------


def test_the_import_is_lazy() -> None:
    code = f"import sys, spade_envs\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    done = python(code)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


def test_making_an_environment_needs_no_command_line() -> None:
    code = f"""
import sys, gymnasium
env = gymnasium.make("spade_envs:spade/env-0001")
env.reset(seed=1)
env.close()
print([name for name in {HEAVY!r} if name in sys.modules and name != "jsonschema"])
"""
    done = python(code)
    assert done.stdout.strip() == "[]", done.stdout + done.stderr


BROKEN = {
    "nowhere": None,
    "no shelf": {},
    "not JSON": {"shelf.json": "{"},
    "wrong keys": {"shelf.json": '{"namespace": "lab"}'},
    "our namespace": {"shelf.json": '{"namespace": "spade", "first": 1, "next": 1}'},
    "a broken card": {
        "shelf.json": '{"namespace": "lab", "first": 1, "next": 2}',
        "env-0001/card.json": "no JSON at all",
    },
    "a broken index": {"shelf.json": '{"namespace": "lab", "first": 1, "next": 2}', "index.json": "[[[["},
    "a folder for a header": {"shelf.json/file": ""},
}
"""Shelves that are none, and the files in them."""


@pytest.mark.parametrize("name", BROKEN)
def test_the_import_survives_a_broken_shelf(name: str, tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    for path, text in (BROKEN[name] or {}).items():
        (shelf / path).parent.mkdir(parents=True, exist_ok=True)
        (shelf / path).write_text(text, "utf-8")
    if BROKEN[name] == {}:
        shelf.mkdir()
    code = "import gymnasium, spade_envs\nprint('spade/env-0001' in gymnasium.registry)"
    done = python(code, SPADE_ENVS_PATH=str(shelf))
    assert (done.returncode, done.stdout.strip()) == (0, "True"), done.stderr
    assert ("UserWarning" in done.stderr) == (name != "a broken index"), done.stderr


# -- JSON ------------------------------------------------------------------------------------------------------

# NaN equals nothing, and a report with one is an error elsewhere.
st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))


def test_the_words_are_dataclasses_that_do_not_change() -> None:
    assert {"Card", "EnvSource", "Episode", "Finding", "Probe", "Report", "Trajectory"} <= {w.__name__ for w in WORDS}
    for word in WORDS:
        assert word.__dataclass_params__.frozen, f"{word.__name__} is not frozen"


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.__name__)
def test_json_both_ways(word: type[Any]) -> None:
    @settings(max_examples=25, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.from_type(word))
    def both_ways(value: Any) -> None:
        text = json.dumps(to_json(value), allow_nan=False)
        assert from_json(word, json.loads(text)) == value

    both_ways()


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.__name__)
def test_json_is_read_strictly(word: type[Any]) -> None:
    with pytest.raises(ValueError, match="unknown key 'surprise'; allowed: "):
        from_json(word, {"surprise": 1})
    with pytest.raises(ValueError, match=f"{word.__name__}: expected an object, found list"):
        from_json(word, [])
