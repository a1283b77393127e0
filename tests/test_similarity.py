"""Signatures: what counts as the same code, how well its share is estimated, and that no text can hurt."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_fingerprints import BASE, SAME

from spade_envs import similarity as module
from spade_envs.rules import EXAMPLE
from spade_envs.similarity import BYTES, FORMAT, LONGEST, bands, signature, similarity

SOUND = Path(__file__).parent / "sources" / "sound"
TEXTS = [path.read_text("utf-8") for path in sorted(SOUND.glob("[ait]*.py"))[:60]]

RENAMED = {
    "names": EXAMPLE.replace("self.a", "self.first").replace("rng", "chance").replace("won", "right"),
    "the class": EXAMPLE.replace("AddEnv", "SumOfTwoEnv"),
    "numbers": EXAMPLE.replace("1000", "27").replace("9999", "0x7f").replace(">= 3", ">= 12"),
    "texts": EXAMPLE.replace("What is", "Add for me").replace('"Right."', "'Yes, it\\'s true.'").replace("three", "4"),
    "a text in pieces": EXAMPLE.replace('"Right."', '"Ri" \'gh\' """t"""\n            f"."'),
    "comments": EXAMPLE.replace("\n\n", "\n    # what follows # matters\n\n"),
    "docstrings": EXAMPLE.replace("seed=None):", "seed=None):  # so\n        '''Begin: \"now\".'''"),
    "brackets and commas": EXAMPLE.replace("return [", "return [(").replace("]\n", "),]\n"),
    "layout": EXAMPLE.replace("\n    ", "\n\n\t").replace(" = ", "="),
}
OTHER = {
    "an operator": EXAMPLE.replace("self.a + self.b", "self.a * self.b"),
    "a method that is called": EXAMPLE.replace(".randint", ".uniform"),
    "a function of Python": EXAMPLE.replace("float(won)", "int(won)"),
    "a word of Python": EXAMPLE.replace("not won and", "not won or"),
    "order": EXAMPLE.replace("self.tries += 1\n", "").replace(
        '        return "R', '        self.tries += 1\n        return "R'
    ),
}


@pytest.mark.parametrize("change", RENAMED)
def test_names_texts_numbers_and_layout_do_not_matter(change: str) -> None:
    assert RENAMED[change] != EXAMPLE and signature(RENAMED[change]) == signature(EXAMPLE)


@pytest.mark.parametrize("change", OTHER)
def test_what_is_done_does(change: str) -> None:
    assert OTHER[change] != EXAMPLE and 0.2 < similarity(signature(OTHER[change]), signature(EXAMPLE)) < 1


@pytest.mark.parametrize("change", sorted(set(SAME) - {"a command line", "annotations", "an annotated value"}))
def test_the_same_code_has_the_same_signature(change: str) -> None:
    assert similarity(signature(SAME[change]), signature(BASE)) == 1


def test_other_environments_are_other_code() -> None:
    signatures = [signature(text) for text in TEXTS]
    alike = [similarity(a, b) for i, a in enumerate(signatures) for b in signatures[:i]]
    assert sum(alike) / len(alike) < 0.15
    assert sum(value >= 0.8 for value in alike) <= 2  # two pairs are variants of each other


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(TEXTS), st.sampled_from(["x_", "the", "ö"]), st.integers(1, 10**6), st.text("ab cd", max_size=30)
)
def test_a_renamed_copy_with_other_numbers_and_comments_is_near(text: str, prefix: str, more: int, words: str) -> None:
    class Other(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.Name:
            return ast.Name(prefix + node.id, node.ctx) if node.id in stored else node

        def visit_Constant(self, node: ast.Constant) -> ast.Constant:
            return ast.Constant(node.value + more) if type(node.value) is int and node.value > 0 else node

    tree = ast.parse(text)
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    copy = ast.unparse(Other().visit(tree)).replace("\n", f"  # {words}\n")
    assert similarity(signature(copy), signature(text)) >= 0.8
    assert set(bands(signature(copy))) & set(bands(signature(text)))


def test_similarity_is_the_share_of_shingles_in_common() -> None:
    """Methods that are called are told apart, so that the shingles of a long row of them are known."""
    rows = [f"x.call{i}()\n" for i in range(600)]
    for shared in (0, 300, 450, 540):
        a, b = "".join(rows[:600]), "".join(rows[:shared]) + "".join(f"x.other{i}()\n" for i in range(600 - shared))
        jaccard = shared / (1200 - shared)
        assert similarity(signature(a), signature(b)) == pytest.approx(jaccard, abs=0.13)


def test_the_numbers_never_change() -> None:
    """Signatures are kept in files: other numbers need another ``FORMAT``."""
    assert signature(EXAMPLE)[:9].hex() == "01bd7f613c227e3a0e"
    assert bands(signature(EXAMPLE))[:2] == (1958209096263091263, 415423537973932624)


def test_a_signature_says_its_format_and_is_compared_with_no_other() -> None:
    mine = signature(EXAMPLE)
    assert len(mine) == BYTES == 257 and mine[0] == FORMAT
    foreign = bytes([FORMAT + 1]) + mine[1:]
    assert similarity(mine, mine) == 1 and similarity(mine, foreign) == similarity(foreign, foreign) == 0
    assert similarity(mine, b"") == similarity(mine, mine[:-1]) == 0
    assert bands(foreign) == bands(b"") == ()


def test_keys_fit_into_a_database_and_belong_to_their_place() -> None:
    found = bands(bytes([FORMAT]) + b"\0" * (BYTES - 1))
    assert len(set(found)) == len(found) == module.BANDS
    assert all(0 <= key < 2**63 for key in found)


@pytest.mark.parametrize("text", ["", "  \n", "# only\n", "(,)", "'''a docstring'''\n", " \\\n;"])
def test_what_holds_no_code_has_none(text: str) -> None:
    assert signature(text) == b""


def test_a_long_text_has_none() -> None:
    assert signature("x = 1\n" * (LONGEST // 6)) and signature("x" * (LONGEST + 1)) == b""


@pytest.mark.parametrize(
    "text",
    [
        " " * LONGEST,
        (" " * 1000 + "(") * (LONGEST // 1001),
        '"""\\' * (LONGEST // 4),
        '"""\\"""\\' * (LONGEST // 8),
        "'''\\\n\"\"\"" * (LONGEST // 9),
        "'" * LONGEST,
        "\\" * LONGEST,
        ":" + "\n" * (LONGEST - 1),
        (":#" + "a" * 5000 + "\n") * (LONGEST // 5003),
        "a" * (LONGEST - 1) + '"',
        "".join(f".a{i}" for i in range(30_000)),
        "self" * (LONGEST // 4),
        "\0\ud800²٣" * 1000,
    ],
    ids=lambda text: ascii(text[:8]),
)
def test_hostile_texts_take_no_longer_than_others(text: str) -> None:
    """The time limit of the tests is the bound: what scans a text for each of its letters takes minutes."""
    assert len(signature(text)) in (0, BYTES)


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("ab1.:#'\"\\\n\t (),=rf\0\ud800²"), max_size=60))
def test_any_text_is_read(text: str) -> None:
    made = signature(text)
    assert made == signature(text) and len(made) in (0, BYTES)
    if made:
        assert signature(text + "\n# more") == made or re.search("[\"'\\\\:]", text)
