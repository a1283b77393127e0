"""Hostile text on its way to a terminal."""

from __future__ import annotations

import io
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from spade_envs.cli.screen import verdict_line
from spade_envs.terminal import shown, tame
from spade_envs.types import Report

HOSTILE = [
    "\x1b[31mred\x1b[0m",
    "\x1b]8;;http://evil\x07click\x1b]8;;\x07",
    "\x9b31m",
    "a\rb",
    "safe\u202eevil\u202c",
    "\u2066isolate\u2069",
    "\ud800",
    "\u200b\u200f\ufeff",
    "\x07\x08\x7f\x00",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_acts_on_the_terminal(text: str) -> None:
    out = tame(text)
    assert all(letter.isprintable() for letter in out)
    assert out != text


@given(st.text(st.characters(exclude_categories=[])))
def test_any_text_becomes_harmless(text: str) -> None:
    out = tame(text)
    assert not any(unicodedata.category(letter) in ("Cc", "Cs", "Co") for letter in out if letter not in "\n\t")
    assert not any(unicodedata.bidirectional(letter) in ("RLO", "LRO", "RLE", "LRE", "PDF") for letter in out)
    assert tame(out) == out
    out.encode("utf-8")


@given(st.text(st.characters(categories=["L", "N", "P", "S"]), max_size=50))
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert tame(text) == text


def test_markup_is_not_read_and_length_is_limited() -> None:
    out = io.StringIO()
    Console(file=out, force_terminal=True, color_system="truecolor").print(shown("[red]x[/red] [link=a]y[/link]"))
    assert out.getvalue() == "[red]x[/red] [link=a]y[/link]\n"
    assert tame("a" * 100, limit=10) == "a" * 10 + " … (90 more characters)"


def test_a_verdict_tames_what_a_report_says_of_itself() -> None:
    report = Report("ab" * 32, contract="\x1b[2Janswer", witness_kind="\u202elist\x07" + "x" * 1000)
    line = verdict_line(report, "name\x1b[31m").plain
    assert line.isprintable() and "\\x1b[2Janswer" in line and len(line) < 260
