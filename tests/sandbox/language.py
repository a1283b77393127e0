"""The language layer by itself, in the process of the tests: compile as a worker does, run in a namespace."""

from __future__ import annotations

from types import CodeType
from typing import Any

from spade_envs.sandbox import facades
from spade_envs.sandbox.namespace import Namespace
from spade_envs.sandbox.policy import compile_source
from spade_envs.sandbox.source import Problem


def compiled(text: str) -> tuple[CodeType | None, list[Problem]]:
    """Code, or what forbids it."""
    code, _, problems = compile_source(text, nesting=120, library_private=facades.private_names())
    return code, problems


def run(text: str, space: Namespace | None = None, **given: Any) -> dict[str, Any]:
    """The globals of a source after its body has run, in a namespace of its own unless one is given."""
    code, problems = compiled(text)
    assert code is not None, problems
    space = space or Namespace(1000)
    space.globals.update(given)
    space.run(code)
    return space.globals
