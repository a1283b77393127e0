"""Outlines: within the budget, Python still, and bodies whole or not at all."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st

from spade_envs.memory import outline as module
from spade_envs.memory.outline import outlined, source_counter
from spade_envs.types import EnvSource

COUNT = source_counter("bytes")
SOURCES = [
    *sorted((ROOT / "spade_envs" / "generated").glob("*/env.py")),
    *sorted((ROOT / "tests" / "sources").glob("*/*.py")),
    *sorted((ROOT / "spade_envs" / "sandbox").glob("*.py")),
]

ENV = '''"""Weighing.

Coins differ.
"""
import random

WORDS = ["WWW"]


class ScalesEnv:
    """One coin is light.

    More on it.
    """

    LIMIT = 3  # turns

    def __init__(self, max_turns=3):
        self.max_turns = max_turns  # first

    @staticmethod
    def _weigh(
        left: list[int],  # the left pan
        right: list[int] = [1, 2],
    ) -> int:
        """Which side is lighter?

        Long story.
        """

        @property
        def inner():
            return "III"

        return inner

    def reset(self, seed=None):
        # A comment that stays with its body.
        self.light = random.Random(seed).randrange(9)
        return "Nine coins.", {}

    async def other(self): return "OOO"

    def step(self, action):
        won = action == str(self.light)
        return "So.", float(won), won, False, {}

    def solution(self):
        return [str(self.light)]
'''
ENV = ENV.replace("WWW", "w" * 300).replace("III", "i" * 300).replace("OOO", "o" * 300)


def text_of(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def functions(text: str) -> Iterator[tuple[str, ast.AST]]:
    """Methods and functions that no function holds, with the names of their classes."""

    def within(prefix: str, body: list[ast.stmt]) -> Iterator[tuple[str, ast.AST]]:
        for one in body:
            if isinstance(one, ast.ClassDef):
                yield from within(f"{prefix}{one.name}.", one.body)
            elif isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{prefix}{one.name}", one

    return within("", ast.parse(text).body)


def is_cut(body: list[ast.stmt]) -> bool:
    return ast.unparse(ast.Module(body[-1:], [])) == "..."


def test_a_source_that_fits_is_whole() -> None:
    assert outlined(EnvSource(ENV), COUNT(ENV), COUNT) == ENV
    assert outlined(EnvSource("not python ("), 100, COUNT) == "not python ("
    assert outlined(EnvSource("not python ("), 3, COUNT) is None
    assert outlined(EnvSource(""), 1, COUNT) == ""


def test_what_the_task_is_is_kept_first() -> None:
    kept = {}
    for tokens in range(COUNT(ENV)):
        found = outlined(EnvSource(ENV), tokens, COUNT)
        if found is not None:
            kept[tokens] = {name.partition(".")[2] for name, node in functions(found) if not is_cut(node.body)}  # type: ignore[attr-defined]
    assert set(kept) == set(range(min(kept), COUNT(ENV))) and min(kept) < 200, "more room never shows less"
    assert kept[min(kept)] == set()
    wanted = set()
    for name in ("step", "reset", "solution", "__init__"):
        wanted.add(name)
        first = next(tokens for tokens in kept if wanted <= kept[tokens])
        assert all(wanted <= kept[tokens] for tokens in kept if tokens >= first), f"{wanted} come before all others"
    assert kept[first] == wanted, "and helpers come last"


def test_an_outline_reads_like_its_source() -> None:
    least, more = (outlined(EnvSource(ENV), tokens, COUNT) for tokens in (184, 300))
    assert least is not None and more is not None
    assert '    """One coin is light."""\n\n    LIMIT = 3  # turns\n' in least and "More on it" not in least
    assert '"""Weighing."""\nimport random\n\nWORDS = ...\n' in least
    assert "        right: list[int] = [1, 2],\n    ) -> int:\n" in least
    assert '        """Which side is lighter?"""\n        ...\n\n    def reset(self, seed=None):\n' in least
    assert "    async def other(self): ...\n" in least and "@staticmethod" in least and "inner" not in least
    assert "One coin is light.\n\n    More on it" in more and "Long story" not in more and "www" not in more


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_bodies_are_whole_or_left_out(path: Path) -> None:
    text = text_of(path)
    for tokens in (60, 250, 700, 1500):
        found = outlined(EnvSource(text), tokens, COUNT)
        if found is None or found == text:
            continue
        assert COUNT(found) <= tokens and parses(found)
        before = dict(functions(text.removeprefix("\ufeff")))
        after = dict(functions(found))
        assert list(after) == list(before)
        for name, node in after.items():
            same = ast.dump(node) == ast.dump(before[name])
            assert same or is_cut(node.body), f"{name} is neither whole nor left out"  # type: ignore[attr-defined]
            assert ast.dump(node.args) == ast.dump(before[name].args), "signatures stay"  # type: ignore[attr-defined]


LAYOUTS = {
    "crlf": ENV.replace("\n", "\r\n"),
    "cr": ENV.replace("\n", "\r"),
    "tabs": ENV.replace("    ", "\t"),
    "bom": "\ufeff" + ENV,
    "wide letters": ENV.replace("coin", "\U0001f600é"),
    "semicolons": "class AEnv: x = 1; y = 2\ndef f(): 'doc'; a = 1; return a; # end\n" + "# long\n" * 300,
    "at in a comment": f"def f():\n    @(  # @\n        g)\n    def h(): pass\n    return {'9' * 900}\n",
    "continued": "def f(): \\\n    return " + "1 + \\\n    " * 200 + "1\n",
    "quotes": 'def f():\n    "Say \\"\\"\\" and \\\\"\n' + "    x = 1\n" * 200,
    "brackets": "X = (\n" + "    1,\n" * 200 + ")\nY = (\n    'a'\n" + "    'b'\n" * 200 + ")\n",
    "nested classes": "".join(f"{'    ' * at}class C{at}:\n" for at in range(90)) + "    " * 90 + "x = 1\n",
    "decorated class": "@f(\n    1)\nclass A(B, metaclass=C):\n    def step(self):\n" + "        x = 1\n" * 200,
    "conditions": "if True:\n" + "    def f(): return 1\n" * 200 + "else:\n    pass\n",
}


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("tokens", [5, 50, 150, 300])
def test_every_layout_gives_python(name: str, tokens: int) -> None:
    found = outlined(EnvSource(LAYOUTS[name]), tokens, COUNT)
    assert found is None or (COUNT(found) <= tokens and parses(found.removeprefix("\ufeff")))


@pytest.mark.parametrize("name", sorted(set(LAYOUTS) - {"nested classes", "semicolons", "at in a comment"}))
def test_every_layout_can_be_outlined(name: str) -> None:
    found = outlined(EnvSource(LAYOUTS[name]), COUNT(LAYOUTS[name]) - 30, COUNT)
    assert found is not None and "..." in found


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.text(max_size=400), st.integers(1, 60))
def test_any_text_is_whole_or_nothing_unless_it_parses(text: str, tokens: int) -> None:
    found = outlined(EnvSource(text), tokens, COUNT)
    if found is not None and found != text:
        assert parses(found) and COUNT(found) <= tokens


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, len(ENV)), st.integers(0, len(ENV)), st.integers(40, 400))
def test_damaged_sources_are_no_outlines(start: int, end: int, tokens: int) -> None:
    text = ENV[: min(start, end)] + ENV[max(start, end) :]
    found = outlined(EnvSource(text), tokens, COUNT)
    assert found is None or found == text or parses(found)


HOSTILE = {
    "long": "x = 1\n" * 100_000,
    "deep": "(" * 50_000,
    "deep sum": "x = " + "1+" * 60_000 + "1",
    "minus": "-" * 100_000 + "1",
    "many functions": "".join(f"def f{at}(): return {at}\n" for at in range(5_000)),
    "many long bodies": "".join(f"def f{at}():\n    return '{'x' * 50}'\n" for at in range(1_500)),
    "one letter": "a" * 120_000,
    "null": "x = 1\n\0" + "y = 2\n" * 300,
    "surrogate": "x = '\ud800'\n" * 300,
    "indent": "".join(" " * at + "if 1:\n" for at in range(400)),
    "huge docstring": f"def f():\n    '''{'d' * 100_000}'''\n",
    "digits": "x = " + "9" * 100_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_take_bounded_work(name: str) -> None:
    counted = 0

    def count(text: str) -> int:
        nonlocal counted
        counted += 1
        assert len(text) <= 50 * 16, "nothing is counted that cannot fit"
        return COUNT(text)

    found = outlined(EnvSource(HOSTILE[name]), 50, count)
    assert found is None or parses(found)
    assert counted <= module.MOST_TRIES + len(module.KEPT_FIRST) + 2


def test_no_more_parts_are_tried_than_allowed() -> None:
    text = "".join(f"def f{at}():\n    return 'xxxxxxxxxxxxxxx'\n" for at in range(400))
    counted = 0

    def count(text: str) -> int:
        nonlocal counted
        counted += 1
        return COUNT(text)

    found = outlined(EnvSource(text), 3000, count)
    assert found is not None and counted <= module.MOST_TRIES + 2


def test_where_no_encoding_is_at_hand_three_bytes_are_a_token() -> None:
    assert [COUNT(text) for text in ("", "a", "abc", "abcd", "é\ud800")] == [0, 1, 1, 2, 1]
