"""Truncation: never above the bound, never inside a character, at the best boundary, what is cut counted."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from spade_envs.corpus import Corpus, token_counter, truncated, truncation

SETTINGS = settings(derandomize=True, database=None, deadline=None, max_examples=300)
BYTES = token_counter("bytes")

PIECES = st.sampled_from(
    (
        *(
            "a",
            "é",
            "e\u0301\u0327",
            "漢",
            "。",
            ". ",
            "! ",
            "\n\n",
            "\r\n",
            "\r\n\r\n",
            " ",
            "\ufe0f",
            "\u0600",
            "\u0301",
        ),
        *("\U0001f469\u200d\U0001f467", "🇩🇪", "🇫🇷", "🇩", "한", "\u1112\u1161\u11ab", " \u0301"),
        *("\ud83d\ude00", "\ud83d", "word ", "Sentence. ", '"Said." '),
    )
)
TEXTS = st.lists(PIECES, max_size=60).map("".join)


def words(text: str) -> int:
    return len(text.split())


def uneven(text: str) -> int:
    """A counter that does not grow with the text, as byte-pair encodings may not."""
    return len(text) + 3 * (len(text) % 7 == 1)


@SETTINGS
@given(TEXTS, st.integers(1, 200), st.sampled_from([BYTES, words, len, uneven]))
def test_what_is_kept_fits_and_is_a_beginning(text: str, tokens: int, count: object) -> None:
    cut = truncated(text, tokens, count)  # type: ignore[arg-type]
    assert text.startswith(cut.text)
    assert cut.tokens == count(cut.text) <= tokens  # type: ignore[operator]
    assert cut.cut == len(text) - len(cut.text)
    assert (cut.boundary == "whole") == (cut.text == text) or not cut.text.strip() or cut.text == text.rstrip()


@SETTINGS
@given(TEXTS, st.integers(1, 60))
def test_no_character_is_cut_in_two(text: str, tokens: int) -> None:
    cut = truncated(text, tokens, len)
    # White space before the cut is not kept, so the cut lies anywhere in the white space that follows.
    ends = {match.end() for match in regex.finditer(r"\X", text)} | {0}
    rest = text[len(cut.text) :]
    space = len(rest) - len(rest.lstrip())
    assert ends & set(range(len(cut.text), len(cut.text) + space + 1))
    joined = len(cut.text)
    assert not (
        0 < joined < len(text) and "\ud800" <= text[joined - 1] <= "\udbff" and "\udc00" <= text[joined] <= "\udfff"
    )


@pytest.mark.parametrize(
    ("text", "tokens", "kept", "boundary"),
    [
        ("One two.", 8, "One two.", "whole"),
        ("One.\n\nTwo is here.", 7, "One.", "paragraph"),
        ("One.\r\n \r\nTwo is here.", 7, "One.", "paragraph"),
        ("One. Two is here. Three", 18, "One. Two is here.", "sentence"),
        ('He said "No." She left.', 15, 'He said "No."', "sentence"),
        ("It costs 3.50 a piece", 12, "It costs", "word"),
        ("A.\n\nA long paragraph without end", 20, "A.\n\nA long paragraph", "word"),
        ("漢字。漢字漢字", 5, "漢字。", "sentence"),
        ("漢。\u0301漢字漢字", 4, "漢。\u0301漢", "character"),
        ("abcdefghij", 4, "abcd", "character"),
        ("👩‍👩‍👧👩‍👩‍👧", 7, "👩‍👩‍👧", "character"),
        ("🇩🇪🇫🇷", 3, "🇩🇪", "character"),
        ("xe\u0301", 2, "x", "character"),
        ("\ud83d\ude00\ud83d\ude00", 3, "\ud83d\ude00", "character"),
        ("👩‍👩‍👧", 3, "", "nothing"),
        ("   \n x", 2, "", "nothing"),
    ],
)
def test_where_it_is_cut(text: str, tokens: int, kept: str, boundary: str) -> None:
    cut = truncated(text, tokens, len)
    assert (cut.text, cut.boundary, cut.characters) == (kept, boundary, len(text))


def test_most_of_what_fits_is_kept() -> None:
    for document in Corpus.open():
        cut = truncated(document, 100, words)
        assert 50 <= cut.tokens <= 100 and cut.boundary in ("paragraph", "sentence")
        assert truncated(document, 10_000, words).text == document.text


def test_what_is_kept_is_counted_itself() -> None:
    """A beginning may have more tokens than a longer one."""
    cut = truncated("One. Two. Three four.", 12, lambda text: 99 if text == "One. Two." else len(text))
    assert (cut.text, cut.tokens) == ("One.", 4)


def test_a_hostile_text_is_not_counted_whole() -> None:
    counted = []

    def count(text: str) -> int:
        counted.append(len(text))
        return len(text) // 4

    cut = truncated("x" * 10_000_000, 100, count)
    assert max(counted) <= 1600 and len(counted) < 20
    assert 384 <= len(cut.text) <= 403 and cut.cut == 10_000_000 - len(cut.text)


def test_tokens_where_no_encoding_is_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    token_counter.cache_clear()
    try:
        assert token_counter()("Zürich") == 7
        assert truncated("Zürich ist", 8).text == "Zürich"
    finally:
        token_counter.cache_clear()
    monkeypatch.setattr(truncation, "encoding", lambda name: Halves())
    assert token_counter.__wrapped__("cl100k_base")("abcd\ud800") == 2


class Halves:
    """An encoding of two characters a token."""

    def encode_ordinary(self, text: str) -> list[int]:
        text.encode("utf-8")
        return [0] * (len(text) // 2)


def test_a_bound_below_one_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        truncated("text", 0)
