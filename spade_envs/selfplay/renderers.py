"""From words to tokens and back: chat templates of Hugging Face tokenizers, and single characters for tiny models.

A sequence is what a server would have seen, had it been asked with messages; but what the policy drew stays as it drew
it. Needs no PyTorch: a tokenizer is given.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .failures import ConfigError
from .tasks import Said

_REPLIES = ("Q7first", "Q8other words, and more of them\n\nthan one line")
_THOUGHT = "<think>\nQ9because\n</think>\n\nQ9answer"
_USERS = ("U1one", "U2two and more")
_BREAK = "\ue000"
"""Stands for text of special tokens while a template is rendered; no language uses it."""


class ChatRenderer:
    """Renders by the chat template of a tokenizer.

    What stands between two turns is whatever the template writes there, whoever said what before. A template that
    writes earlier turns anew (leaves out what the policy thought, adds an empty thought, moves the system message)
    would show the policy another sequence than the one it is trained on, and is refused unless ``history`` is ``keep``.

    Text in messages that looks like a special token is tokenized as text: an environment cannot speak for the policy.

    Args:
        tokenizer: of ``transformers``, with a chat template.
        options: what the template may be told, such as ``{"enable_thinking": False}``.
        history: ``refuse``, or ``keep``: earlier turns stay as they were drawn, thoughts included, which the model may
            not be used to.

    Raises:
        ConfigError: when the template cannot be used.
    """

    def __init__(self, tokenizer: Any, options: Mapping[str, Any] | None = None, history: str = "refuse") -> None:
        if history not in ("refuse", "keep"):
            raise ConfigError(f"history is 'refuse' or 'keep', not {history!r}")
        self._tokenizer = tokenizer
        self._options = dict(options or {})
        template = getattr(tokenizer, "chat_template", None)
        if not isinstance(template, str) or not template:
            raise ConfigError("the tokenizer has no chat template; use the instruct version of the model, or set one")
        if "strftime_now" in template and "date_string" not in self._options:
            raise ConfigError(
                "the chat template writes today's date, and nothing could be repeated; give options with a "
                "date_string, such as '26 Jul 2024'"
            )
        added = {str(token) for token in tokenizer.added_tokens_decoder.values() if token.special}
        special = sorted({*tokenizer.all_special_tokens, *added, _BREAK}, key=len, reverse=True)
        self._special = re.compile("|".join(map(re.escape, special)))
        self._takes_system = self._has_system()
        self._end = self._end_text()
        self._check_between()
        if history == "refuse":
            self._check_history()
        end = self._encode(self._end)
        if len(end) != 1:
            raise ConfigError(f"a turn ends with {self._end!r}, which is {len(end)} tokens; one is needed")
        eos = {tokenizer.eos_token_id} - {None}
        self._ends = frozenset({*end, *eos})
        self._own_end = end[0]
        self._padding = int(tokenizer.pad_token_id if tokenizer.pad_token_id is not None else end[0])

    @property
    def ends(self) -> frozenset[int]:
        """What ends a turn in the template, and the tokenizer's end of sequence."""
        return self._ends

    @property
    def padding(self) -> int:
        """The tokenizer's padding, or an end where it has none."""
        return self._padding

    def opening(self, system: str, user: str) -> tuple[int, ...]:
        """Tokens up to the first reply; a template without system messages gets it at the start of the user's."""
        return self._encode(self._render(self._messages(system, user)))

    def following(self, user: str) -> tuple[int, ...]:
        """Tokens between the end of a turn and the next."""
        messages = [*self._messages("", _USERS[0]), _said("assistant", _REPLIES[0]), _said("user", user)]
        return self._encode(self._after(self._render(messages), _REPLIES[0])[len(self._end) :])

    def reply(self, text: str) -> tuple[int, ...]:
        """Tokens of a reply with its end, for supervised examples only."""
        return (*self._encode(text, split=True), self._own_end)

    def text(self, tokens: Sequence[int]) -> str:
        """What was said; special tokens within it show as text."""
        said = list(tokens[:-1] if tokens and tokens[-1] in self._ends else tokens)
        return str(self._tokenizer.decode(said, skip_special_tokens=False, clean_up_tokenization_spaces=False))

    # -- templates ---------------------------------------------------------------------------------------------

    def _messages(self, system: str, user: str) -> list[dict[str, str]]:
        if not system:
            return [_said("user", user)]
        if not self._takes_system:
            return [_said("user", f"{system}\n\n{user}")]
        return [_said("system", system), _said("user", user)]

    def _render(self, messages: list[dict[str, str]]) -> str:
        """Text of messages and the beginning of a reply; special tokens' text in messages is marked by ``_BREAK``."""
        quoted = [
            one if one["role"] == "assistant" else _said(one["role"], self._special.sub(_hide, one["content"]))
            for one in messages
        ]
        try:
            text = self._tokenizer.apply_chat_template(
                quoted, tokenize=False, add_generation_prompt=True, **self._options
            )
        except Exception as error:
            # A template is a program of someone else's: it raises what it likes.
            raise ConfigError(f"the chat template refuses {[one['role'] for one in messages]}: {error}") from None
        return str(text)

    def _encode(self, text: str, split: bool = False) -> tuple[int, ...]:
        found: list[int] = []
        for at, part in enumerate(text.split(_BREAK)):
            # Every second part is text of messages that looks like a special token.
            plain = _show(part) if at % 2 else part
            if plain:
                given = {"add_special_tokens": False, "split_special_tokens": split or at % 2 == 1}
                found += self._tokenizer(plain, **given)["input_ids"]
        return tuple(found)

    def _after(self, text: str, reply: str) -> str:
        """What follows the reply."""
        _, found, after = text.partition(reply)
        if not found:
            raise ConfigError(f"the chat template does not show the reply {reply!r} as it is; use another template")
        return after

    # -- checks, once ------------------------------------------------------------------------------------------

    def _has_system(self) -> bool:
        try:
            return "S1system" in self._render([_said("system", "S1system"), _said("user", _USERS[0])])
        except ConfigError:
            return False

    def _end_text(self) -> str:
        """From the end of a reply to the end of the special token that ends it."""
        turns = [_said("user", _USERS[0]), _said("assistant", _REPLIES[0]), _said("user", _USERS[1])]
        after = self._after(self._render(turns), _REPLIES[0])
        found = self._special.search(after)
        if found is None or after[: found.start()].strip() or found.start() > after.find(_USERS[1]) >= 0:
            raise ConfigError(
                f"the chat template ends a turn with {after[:40]!r}, which is no special token; the policy could not "
                "end its turn: use another template, or add the token to the tokenizer's special tokens"
            )
        return after[: found.end()]

    def _check_between(self) -> None:
        """What stands between turns must not depend on what was said, nor on how often."""
        seen = set()
        for system in ("", "S1system"):
            for replies in (_REPLIES[:1], _REPLIES[1:], _REPLIES, _REPLIES[::-1]):
                messages = self._messages(system, _USERS[0])
                for reply in replies:
                    messages += [_said("assistant", reply), _said("user", _USERS[1])]
                seen.add(self._after(self._render(messages), replies[-1]))
        if len(seen) > 1:
            first, other, *_ = sorted(seen)
            raise ConfigError(
                f"between two turns the chat template writes now {first[:80]!r}, now {other[:80]!r}; a sequence that "
                "is only appended to cannot follow it: use another template"
            )

    def _check_history(self) -> None:
        for reply in (*_REPLIES, _THOUGHT):
            for system in ("", "S1system"):
                opening = self._messages(system, _USERS[0])
                before = self._render(opening)
                later = self._render([*opening, _said("assistant", reply), _said("user", _USERS[1])])
                if not later.startswith(before + reply):
                    raise ConfigError(_rewritten(before, reply, later))


class CharRenderer:
    """One token per character, for models that are made for one task.

    A turn of the policy ends with a token of its own, and what is said to it with another; characters that are not in
    the alphabet are read as one unknown token.

    Args:
        alphabet: all characters, each once, in any order; the order decides the tokens.

    Raises:
        ConfigError: when a character comes twice.

    >>> chars = CharRenderer("01 ?")
    >>> chars.opening("", "1 0?"), chars.text((5, 1))
    ((5, 6, 4, 7, 2), '1')
    """

    padding = 0
    ends = frozenset({1})
    _SPEAK, _UNKNOWN = 2, 3

    def __init__(self, alphabet: str) -> None:
        if len(set(alphabet)) != len(alphabet) or not alphabet:
            twice = sorted({char for char in alphabet if alphabet.count(char) > 1})
            raise ConfigError(f"an alphabet holds at least one character and each once; twice here: {twice}")
        self.alphabet = alphabet
        self._tokens = {char: at for at, char in enumerate(alphabet, 4)}

    @property
    def vocabulary(self) -> int:
        """Number of tokens."""
        return 4 + len(self.alphabet)

    def opening(self, system: str, user: str) -> tuple[int, ...]:
        """The system message and an end, if there is one; the user's; and the token after which the policy speaks."""
        return (*(self.reply(system) if system else ()), *self.following(user))

    def following(self, user: str) -> tuple[int, ...]:
        """The user's message and the token after which the policy speaks."""
        return (*self._read(user), self._SPEAK)

    def reply(self, text: str) -> tuple[int, ...]:
        """Tokens of a reply with its end, for supervised examples."""
        return (*self._read(text), *self.ends)

    def text(self, tokens: Sequence[int]) -> str:
        """What was said; tokens that are no character show as U+FFFD."""
        said = tokens[:-1] if tokens and tokens[-1] in self.ends else tokens
        return "".join(self.alphabet[token - 4] if token >= 4 else "\ufffd" for token in said)

    def _read(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokens.get(char, self._UNKNOWN) for char in text)


@dataclass(frozen=True)
class Example:
    """A sequence to imitate."""

    token_ids: tuple[int, ...]
    loss_mask: tuple[int, ...]
    """1 for tokens of replies. Same length as ``token_ids``."""


def example(renderer: ChatRenderer | CharRenderer, said: Said, talk: Sequence[str]) -> Example:
    """A supervised example of what is said first, then replies and observations in turn, a reply last.

    Raises:
        ValueError: when ``talk`` does not end with a reply.

    >>> chars = CharRenderer("ab")
    >>> example(chars, Said("", "a"), ("b",))
    Example(token_ids=(4, 2, 5, 1), loss_mask=(0, 0, 1, 1))
    """
    if len(talk) % 2 == 0:
        raise ValueError(f"an example ends with a reply; this one has {len(talk)} replies and observations")
    tokens = list(renderer.opening(said.system, said.user))
    mask = [0] * len(tokens)
    for at, text in enumerate(talk):
        more = renderer.following(text) if at % 2 else renderer.reply(text)
        tokens += more
        mask += [1 - at % 2] * len(more)
    return Example(tuple(tokens), tuple(mask))


def _said(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def _hide(found: re.Match[str]) -> str:
    """Text of a special token as no template and no tokenizer would take for one."""
    return _BREAK + found.group().encode("utf-8").hex() + _BREAK


def _show(hidden: str) -> str:
    return bytes.fromhex(hidden).decode("utf-8")


def _rewritten(before: str, reply: str, later: str) -> str:
    whole = before + reply
    at = next((at for at, (a, b) in enumerate(zip(whole, later, strict=False)) if a != b), min(len(whole), len(later)))
    start = max(0, at - 20)
    return (
        f"the chat template writes earlier turns anew: {whole[start : at + 40]!r} became {later[start : at + 40]!r}. "
        "Choose: another template or template option, under which earlier turns stay as they were; or history='keep', "
        "which leaves what the policy thought in the sequence"
    )
