"""What each setting means, in words, read from the dataclasses: for help, comments in files and tables."""

from __future__ import annotations

import ast
import dataclasses
import functools
import inspect
from collections.abc import Iterator, Mapping

from . import config
from .config import Config


def sections() -> dict[str, type]:
    """The sections of a configuration by name, in order.

    >>> list(sections())
    ['run', 'design', 'play', 'train', 'engine']
    """
    whole = Config()
    return {field.name: type(getattr(whole, field.name)) for field in dataclasses.fields(Config)}


def settings() -> Iterator[tuple[str, str]]:
    """Section and name of every setting, in order."""
    for section, kind in sections().items():
        for field in dataclasses.fields(kind):
            yield section, field.name


@functools.cache
def descriptions() -> Mapping[str, str]:
    """Sentence by ``section.field``; of a section by its name. Empty where the source is not at hand.

    >>> descriptions()["run.keep"]
    'Checkpoints kept.'
    """
    try:
        tree = ast.parse(inspect.getsource(config))
    except (OSError, SyntaxError):
        return {}
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    found = {}
    for section, kind in sections().items():
        node = classes[kind.__name__]
        about = _plain((ast.get_docstring(node) or "").partition(": ")[2])
        found[section] = about[:1].upper() + about[1:]
        found |= {f"{section}.{field}": text for field, text in _documented(node)}
    return found


def _documented(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Fields of a class with the text below each."""
    for field, below in zip(node.body, node.body[1:], strict=False):
        if not (
            isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(below, ast.Expr)
        ):
            continue
        if isinstance(below.value, ast.Constant) and isinstance(below.value.value, str):
            yield field.target.id, _plain(below.value.value)


def _plain(text: str) -> str:
    return " ".join(text.replace("``", "").split())
