"""Fingerprints: the same for the same code, however it is written down."""

from __future__ import annotations

import re

import pytest

from spade_envs.fingerprints import NESTING, fingerprint
from spade_envs.rules import EXAMPLE

BASE = '''\
import random

class AEnv:
    """An environment."""

    size = 3

    def reset(self, seed=None):
        """Begin."""
        self.n = random.Random(seed).randint(1, 9)
        return "go", {}

    def step(self, action):
        won = action == str(self.n)
        return "on", float(won), won, False, {}
'''

SAME = {
    "comments": BASE.replace("size = 3", "size = 3  # three\n    # and no more"),
    "the first line": "# -*- coding: utf-8 -*-\n#!/bin/sh\n" + BASE,
    "another docstring": BASE.replace("An environment.", "Something\n    else."),
    "no docstring": BASE.replace('        """Begin."""\n', ""),
    "a module docstring": '"""What this is."""\n' + BASE,
    "annotations": BASE.replace("seed=None)", "seed: int | None = None) -> tuple[str, dict]").replace(
        "self, action", "self, action: str"
    ),
    "an annotated value": BASE.replace("won =", "won: bool ="),
    "blank lines": BASE.replace("\n", "\n\n"),
    "indentation": re.sub(r"^( +)", lambda m: m.group(1) * 2, BASE, flags=re.MULTILINE),
    "brackets": BASE.replace("action == str(self.n)", "(\n            (action) == str((self.n))\n        )"),
    "line breaks": BASE.replace("\n", "\r\n"),
    "quotes": BASE.replace('"go"', "'g' 'o'"),
    "numbers": BASE.replace("size = 3", "size = 0x3"),
    "a byte order mark": "\ufeff" + BASE,
    "a command line": BASE + "\ndef main():\n    print(AEnv())\n\nif __name__ == '__main__':\n    main()\n",
}
OTHER = {
    "a name": BASE.replace("won", "right"),
    "the class": BASE.replace("AEnv", "BEnv"),
    "a constant": BASE.replace("size = 3", "size = 4"),
    "its type": BASE.replace("size = 3", "size = 3.0"),
    "a text": BASE.replace('"go"', '"Go"'),
    "an operator": BASE.replace("==", "!="),
    "a default": BASE.replace("seed=None", "seed=0"),
    "order": BASE.replace('"on", float(won), won', 'float(won), "on", won'),
    "a statement": BASE.replace("    size = 3\n", ""),
    "a decorator": BASE.replace("    def step", "    @staticmethod\n    def step"),
    "a text that is no docstring": BASE.replace("        won = action", '        won = "x"\n        won = action'),
    "an import": BASE.replace("import random", "import random, math"),
    "a field of a class": BASE.replace("size = 3", "size: int = 3"),
    "an annotation alone": BASE.replace("size = 3", "size: int"),
    "nothing": "",
}


@pytest.mark.parametrize("change", SAME)
def test_layout_and_words_for_people_do_not_matter(change: str) -> None:
    assert SAME[change] != BASE and fingerprint(SAME[change]) == fingerprint(BASE)


@pytest.mark.parametrize("change", OTHER)
def test_what_runs_does(change: str) -> None:
    assert OTHER[change] != BASE and fingerprint(OTHER[change]) != fingerprint(BASE)


def test_all_others_differ_among_themselves() -> None:
    found = [fingerprint(text) for text in (*OTHER.values(), BASE, EXAMPLE)]
    assert len(set(found)) == len(found)
    assert all(re.fullmatch(r"[0-9a-f]{64}", one) for one in found)


def test_async_functions_and_nested_ones_are_read_too() -> None:
    plain = "async def f(a, *b, c=1, **d):\n    def g(x): return x\n    return g(a)\n"
    wordy = (
        "async def f(a: int, *b: str, c: int = 1, **d: 'x') -> None:\n    'doc'\n"
        "    def g(x: int) -> int:\n        'doc'\n        return x\n    return g(a)\n"
    )
    assert fingerprint(plain) == fingerprint(wordy) != ""


@pytest.mark.parametrize(
    "text",
    [
        "def f(:",
        "x = = 1",
        "x = 1\0",
        "\ud800",
        "x = '\ud800'",
        "return = 1",
        "    x = 1",
        "x = " + "(" * 5000 + ")" * 5000,
        "x = " + "-" * 100_000 + "1",
        "x" + ".a" * 50_000,
        "x = " + "1 + " * 50_000 + "1",
        "x = " + "[" * 150 + "]" * 150 + "[",
        "x = " + "9" * 5000,
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_what_does_not_parse_or_lies_too_deep_has_none(text: str) -> None:
    assert fingerprint(text) == ""


def test_the_deepest_that_is_allowed_has_one() -> None:
    """Module, statement and constant are levels too."""
    most = NESTING - 3
    while fingerprint(f"x = {'-' * (most + 1)}1"):
        most += 1
    assert NESTING - 4 <= most <= NESTING and fingerprint(f"x = {'-' * most}1")
    assert fingerprint(f"x = {'-' * most}1") != fingerprint(f"x = {'-' * (most - 1)}1")
