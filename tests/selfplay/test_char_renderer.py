"""Single characters to tokens and back, and examples to imitate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spade_envs.selfplay.failures import ConfigError
from spade_envs.selfplay.renderers import CharRenderer, Example, example
from spade_envs.selfplay.tasks import Said

CHARS = CharRenderer("abc?")


def test_tokens_are_what_the_alphabet_says() -> None:
    assert CHARS.vocabulary == 8 and CHARS.padding == 0 and CHARS.ends == {1}
    assert CHARS.opening("", "a?") == (4, 7, 2)
    assert CHARS.opening("b", "a?") == (5, 1, 4, 7, 2)
    assert CHARS.following("c") == (6, 2)
    assert CHARS.reply("ab") == (4, 5, 1)


def test_a_turn_is_told_without_its_end() -> None:
    assert CHARS.text((4, 5, 1)) == "ab" and CHARS.text((4, 5)) == "ab" and CHARS.text(()) == ""


@given(st.text(alphabet="abc?"))
def test_a_reply_reads_as_it_was_written(text: str) -> None:
    assert CHARS.text(CHARS.reply(text)) == text


def test_other_characters_are_one_unknown_token_and_show() -> None:
    assert CHARS.following("aé日") == (4, 3, 3, 2)
    assert CHARS.text((4, 0, 2, 3, 1, 1)) == "a\ufffd\ufffd\ufffd\ufffd"


@pytest.mark.parametrize("alphabet", ["", "abca"])
def test_an_alphabet_holds_each_character_once(alphabet: str) -> None:
    with pytest.raises(ConfigError, match="each once"):
        CharRenderer(alphabet)


def test_only_replies_are_imitated() -> None:
    made = example(CHARS, Said("", "a"), ("b", "c", "a?"))
    assert made == Example((4, 2, 5, 1, 6, 2, 4, 7, 1), (0, 0, 1, 1, 0, 0, 1, 1, 1))
    with pytest.raises(ValueError, match="ends with a reply"):
        example(CHARS, Said("", "a"), ("b", "c"))
