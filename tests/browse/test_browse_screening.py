"""Hostile text becomes text: escaped, visible, cut."""

from __future__ import annotations

import re
import unicodedata

import pytest

pytest.importorskip("starlette", reason="needs the extra [browse]")

from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from spade_envs.browse.highlighting import LONGEST_LINE, MOST_LINES, lines, solution
from spade_envs.browse.screening import escapes, screened
from spade_envs.types import Finding, Severity

TAGS = re.compile(r'<span class="(?:escape|cut|co|st|nu|kw|df|bu)">|</span>|<a href="[^"<>]*">show all</a>')


def visible(markup: Markup) -> str:
    """What a reader sees: our own tags taken away, nothing else may be one."""
    bare = TAGS.sub("", str(markup))
    assert "<" not in bare and ">" not in bare and '"' not in bare, bare
    return str(Markup(bare).unescape())


def acts(text: str) -> list[str]:
    """Characters that a page or a terminal would act on, or not show."""
    return [
        one for one in text if one not in "\n\t" and unicodedata.category(one) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
    ]


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", "\"><img src=x onerror='x'>", "&lt;b&gt;", "</textarea><svg/onload=x>"]
)
def test_markup_is_shown_as_it_is(text: str) -> None:
    assert visible(screened(text)) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\u202eb\u2066", "a\\u202eb\\u2066"),
        ("a\u200bb\ufeff", "a\\u200bb\\ufeff"),
        ("a\rb\x00", "a\\rb\\x00"),
        ("a\ud800", "a\\ud800"),
        ("pay\u200dpal", "pay\\u200dpal"),
        ("x\u3164y", "x\\u3164y"),
        ("\U000e0041", "\\U000e0041"),
        ("a\u00a0b\u3000c", "a b c"),
        ("👩\u200d🚀 é ü 漢 שלום\n\t", "👩\u200d🚀 é ü 漢 שלום\n\t"),
    ],
)
def test_what_acts_or_hides_is_visible(text: str, shown: str) -> None:
    assert visible(screened(text)) == shown
    assert escapes(text) == shown


def test_marks_do_not_pile_up() -> None:
    text = "a" + "\u0301" * 50
    assert visible(screened(text)) == "a" + "\u0301" * 3 + "\\u0301" * 47


def test_long_text_is_cut_and_counted() -> None:
    shown = screened("x" * 1_000_000, limit=100, whole='/a"b')
    assert visible(shown) == "x" * 100 + "… 999,900 more characters "
    assert '"/a&#34;b"' in shown
    assert escapes("x" * 1_000_000, limit=10) == "x" * 10 + "…"
    assert visible(screened("x" * 100, limit=100)) == "x" * 100


def test_a_text_of_nothing_but_escapes_takes_time_by_its_length() -> None:
    shown = escapes("\u200b" * 1_000_000)  # by the square of it this would take longer than a test may
    assert shown == "\\u200b" * 1_000_000


@given(st.text(st.characters(), max_size=60))
def test_any_text(text: str) -> None:
    shown = visible(screened(text, limit=None))
    assert not [one for one in acts(shown) if one != "\u200d"]
    assert shown == escapes(text)


# -- sources -----------------------------------------------------------------------------------------------------------


@given(st.text(st.sampled_from("a'\"#\\\n\r\t {}()<>&:0\u202e\x0c\x85\u2028f"), max_size=80))
def test_a_source_keeps_its_lines(text: str) -> None:
    expected = re.split("\r\n|\r|\n", text)
    if not expected[-1]:
        expected.pop()
    found = lines(text)
    assert [one.number for one in found.lines] == list(range(1, len(expected) + 1))
    assert [visible(one.code) for one in found.lines] == [escapes(one) for one in expected]


def test_findings_stand_beside_their_lines() -> None:
    notes = [Finding("a.b", Severity.ERROR, "x", at) for at in (2, None, 0, -1, 3, 2)]
    found = lines("x = 1\ny = 2\n", notes)
    assert [len(one.findings) for one in found.lines] == [0, 2]
    assert len(found.loose) == 4 and found.noted and not found.cut


def test_a_letter_costs_no_element() -> None:
    (line,) = lines("@" * LONGEST_LINE).lines
    assert str(line.code).count("<span") <= 1 and visible(line.code) == "@" * LONGEST_LINE


def test_huge_sources_are_cut() -> None:
    many = lines("x\n" * (MOST_LINES + 5))
    assert len(many.lines) == MOST_LINES and many.cut
    wide = lines("y" * 1_000_000 + "\nz")
    assert len(wide.lines) == 2 and wide.cut and len(wide.lines[0].code) < LONGEST_LINE + 200
    assert visible(wide.lines[0].code).endswith(f"… {1_000_000 - LONGEST_LINE:,} more characters")
    assert len(lines(("z" * LONGEST_LINE + "\n") * 1000).lines) < 200


def test_the_solution_is_found_by_its_indentation() -> None:
    body = ["class A:", "  def step(self):", "    solution = 1", "", "  def solution(self):", "    x = [", "    ]", ""]
    text = "\n".join([*body, "    return x", "", "  def hint(self): ..."])
    assert solution(text) == (5, 9)
    assert solution("def solution(): pass") is None
    assert solution("class A:\n\tasync def solution(self):\n\t\tpass") == (2, 3)
