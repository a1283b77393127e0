"""The example environment of each contract that a designer is shown: sound designer replies of the demo.

They come with the package and are admitted by the gate; the longer environments of the bundled shelf would take more
of a prompt than all the rest of it.
"""

from __future__ import annotations

import ast
import functools
from importlib import resources

from ..types import EnvSource

REPLIES = {
    "answer": "03-sound-interleaved.md",
    "interactive": "05-sound-lift.md",
    "tools": "08-sound-rehearsal.md",
}
"""File of the reply, by contract."""

_LEFT_OUT = ("hint", "close")
"""Methods that a designer is not to write: a hint is written by others."""


@functools.cache
def example(contract: str) -> str:
    """Source of the example for a contract, without the methods that a designer is not to write."""
    folder = resources.files("spade_envs").joinpath("demo").joinpath("replies")
    return without(EnvSource.from_reply(folder.joinpath(REPLIES[contract]).read_text("utf-8")).text, _LEFT_OUT)


def without(source: str, methods: tuple[str, ...]) -> str:
    """Source without some methods of its classes, and without the blank lines before them.

    >>> without("class A:\\n    x = 1\\n\\n    def hint(self):\\n        return ''\\n", ("hint",))
    'class A:\\n    x = 1\\n'
    """
    lines = source.splitlines(keepends=True)
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name in methods and node.col_offset:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
            while first and not lines[first - 1].strip():
                first -= 1
            # Lines are emptied and not deleted, so that the numbers of others still hold.
            lines[first : node.end_lineno] = [""] * ((node.end_lineno or 0) - first)
    return "".join(lines)
