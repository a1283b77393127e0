"""Numeric views: what libraries that cannot read text need to train on text environments.

:class:`ActionMenu` makes actions numbers; :class:`BytesObservation`, :class:`HashedNgrams` and :class:`TokenIds` make
observations arrays. They compose in any order (of several views of observations the outermost counts), and each keeps
the text in ``info["text"]``. They keep the seeds, rewards and flags of the environment as they are.
"""

from __future__ import annotations

import operator
from abc import abstractmethod
from typing import Any, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from .encodings import ENCODINGS, find_encoding
from .menus import SIZE, menu

MASKED = "\\boxed{zzz qqq}"
"""What a masked number plays: an answer that is wrong anywhere."""

_CHARACTERS_PER_TOKEN = 16
"""Characters that are encoded for each token wanted; encoding a hostile text whole may take very long."""

_FNV_OFFSET, _FNV_PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)

_Step: TypeAlias = tuple[Any, float, bool, bool, dict[str, Any]]


def _text_of(observation: object, info: dict[str, Any]) -> str:
    text = observation if isinstance(observation, str) else info.get("text")
    if not isinstance(text, str):
        found = type(observation).__name__
        raise TypeError(f"a view needs observations that are text, or another view of them; this one is {found}")
    return text


def _at_least(name: str, value: int, least: int) -> int:
    if operator.index(value) < least:
        raise ValueError(f"{name} must be at least {least}, not {value}")
    return int(value)


class ActionMenu(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Actions by number: each plays that entry of the menu which the texts offer at the moment (:mod:`.menus`).

    ``action_space`` is ``Discrete(size)``. At reset and step ``info`` holds ``menu``, a tuple of 1 to ``size`` texts,
    and ``action_mask``, ``np.int8`` of shape ``(size,)``: 1 for the numbers that play an entry. Another number plays
    :data:`MASKED`, which costs a turn; ``info["masked"]`` tells after each step whether that happened. After a reset
    that failed, :data:`MASKED` is the menu: no mask is ever empty.

    Args:
        env: an environment with text for actions, such as ``gymnasium.make("spade/env-0002")``.
        size: numbers to choose from, at least 2.

    Raises:
        ValueError: here or at the first ``reset``, when the environment offers no menu; or for a wrong ``size``.

    >>> import spade_envs
    >>> env = ActionMenu(gymnasium.make("spade/env-0002"), size=32)
    >>> observation, info = env.reset(seed=1)
    >>> info["menu"][2], int(info["action_mask"].sum())
    ('\\\\boxed{SEAL}', 17)
    >>> env.close()
    """

    def __init__(self, env: gymnasium.Env[Any, str], size: int = SIZE) -> None:
        RecordConstructorArgs.__init__(self, size=size)
        gymnasium.Wrapper.__init__(self, env)
        self.size = _at_least("size", size, 2)
        self.action_space = spaces.Discrete(self.size)
        self._task = ""
        self._tools: object = ()
        self._menu: tuple[str, ...] = ()
        if getattr(env.unwrapped, "contract", "") == "answer":
            raise self._no_menu()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; as :meth:`SpadeEnv.reset`, with ``menu``, ``action_mask`` and ``text`` in info."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._task, self._tools = _text_of(observation, info), info.get("tools", ())
        if "stop_reason" not in info and not menu(self._task, self._task, self._tools, self.size):
            raise self._no_menu()
        return observation, self._told(self._task, info)

    def step(self, action: np.int64 | int) -> _Step:
        """Play an entry of the menu.

        Raises:
            ValueError: when ``action`` is not in ``range(size)``.
        """
        number = operator.index(action)
        if not 0 <= number < self.size:
            raise ValueError(f"the action must be in range({self.size}), not {number}")
        masked = number >= len(self._menu)
        observation, reward, terminated, truncated, info = self.env.step(MASKED if masked else self._menu[number])
        info = self._told(_text_of(observation, info), info)
        return observation, float(reward), terminated, truncated, {**info, "masked": masked}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which numbers play an entry now, of shape ``(size,)``: the method that ``sb3_contrib`` asks for."""
        return np.arange(self.size) < len(self._menu)

    def _told(self, text: str, info: dict[str, Any]) -> dict[str, Any]:
        self._menu = menu(self._task, text, self._tools, self.size) or (MASKED,)
        return {**info, "text": text, "menu": self._menu, "action_mask": self.action_masks().astype(np.int8)}

    def _no_menu(self) -> ValueError:
        spec = self.env.spec
        return ValueError(
            f"{spec.id if spec is not None else self.env} offers no menu: it takes free answers. Environments that can "
            "be won by a menu have an id that ends in -menu in gymnasium.registry; play this one with text."
        )


class TextView(gymnasium.Wrapper[NDArray[Any], Any, Any, Any], RecordConstructorArgs):
    """Observations as arrays; what the views below have in common. ``info["text"]`` keeps the text."""

    @abstractmethod
    def view(self, text: str) -> NDArray[Any]:
        """A text as an array in ``observation_space``; a new one each time."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; as the wrapped environment's, with ``text`` in info."""
        observation, info = self.env.reset(seed=seed, options=options)
        text = _text_of(observation, info)
        return self.view(text), {**info, "text": text}

    def step(self, action: Any) -> _Step:
        """One turn; as the wrapped environment's, with ``text`` in info."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        text = _text_of(observation, info)
        return self.view(text), float(reward), terminated, truncated, {**info, "text": text}


class BytesObservation(TextView):
    """Observations as UTF-8 bytes, ``uint8`` of shape ``(length,)``, zero padded at the end.

    Args:
        env: an environment with text for observations.
        length: bytes kept.
        keep: which part of a longer text: its ``end``, where environments tell what has changed and how things stand,
            or its ``start``, where they tell the task.

    Raises:
        ValueError: for another ``keep``, or a ``length`` below 1.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], length: int = 1024, keep: str = "end") -> None:
        RecordConstructorArgs.__init__(self, length=length, keep=keep)
        gymnasium.Wrapper.__init__(self, env)
        self.length, self.keep = _at_least("length", length, 1), _end(keep)
        self.observation_space = spaces.Box(0, 255, (self.length,), np.uint8)

    def view(self, text: str) -> NDArray[np.uint8]:
        """The bytes of a text; a lone surrogate is a question mark."""
        return _padded(np.frombuffer(text.encode("utf-8", "replace"), np.uint8), self.length, self.keep, 0)


class HashedNgrams(TextView):
    """Observations as counts of byte n-grams in ``size`` hashed bins: ``float32`` of shape ``(size,)``, of length 1.

    The hash is FNV-1a, so that the same text gives the same array on every machine. A text without n-grams gives zeros.

    Args:
        env: an environment with text for observations.
        size: bins.
        n: shortest and longest n-gram, in UTF-8 bytes.

    Raises:
        ValueError: for a ``size`` below 1, or when ``n`` is no range of lengths from 1 on.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], size: int = 1024, n: tuple[int, int] = (3, 5)) -> None:
        RecordConstructorArgs.__init__(self, size=size, n=list(n))  # a list, since JSON knows no tuples
        gymnasium.Wrapper.__init__(self, env)
        self.size = _at_least("size", size, 1)
        self.shortest, self.longest = n
        if not 1 <= self.shortest <= self.longest:
            raise ValueError(f"n must be the shortest and the longest n-gram, such as (3, 5), not {n}")
        self.observation_space = spaces.Box(0.0, 1.0, (self.size,), np.float32)

    def view(self, text: str) -> NDArray[np.float32]:
        """The normalised counts of a text."""
        data = np.frombuffer(text.encode("utf-8", "replace"), np.uint8).astype(np.uint64)
        counts = np.zeros(self.size)
        for n in range(self.shortest, min(self.longest, len(data)) + 1):
            hashed = np.full(len(data) - n + 1, _FNV_OFFSET)
            for at in range(n):
                hashed = (hashed ^ data[at : len(data) - n + 1 + at]) * _FNV_PRIME
            # The low bits alone know little of the first bytes.
            bins = ((hashed ^ (hashed >> np.uint64(32))) % np.uint64(self.size)).astype(np.int64)
            counts += np.bincount(bins, minlength=self.size)
        length = float(np.linalg.norm(counts))
        # Rounding must not carry a lone bin above 1.
        return np.minimum(counts / length if length else counts, 1.0).astype(np.float32)


class TokenIds(TextView):
    """Observations as token ids, ``int64`` of shape ``(length,)``, padded at the end with the id ``padding``.

    Nothing is downloaded unless ``download`` says so: where the file of the encoding is not in tiktoken's cache, the
    tokens are the bytes of the text. ``tokens`` and ``info["tokens"]`` say which: the encoding's name, or ``bytes``.

    Args:
        env: an environment with text for observations.
        length: tokens kept.
        encoding: ``cl100k_base``, ``o200k_base``, ``p50k_base`` or ``r50k_base``, or ``bytes``.
        keep: which part of a longer text, as for :class:`BytesObservation`.
        download: whether tiktoken may fetch the file.

    Raises:
        ValueError: for another ``encoding`` or ``keep``, or a ``length`` below 1.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        length: int = 256,
        encoding: str = "cl100k_base",
        keep: str = "end",
        download: bool = False,
    ) -> None:
        RecordConstructorArgs.__init__(self, length=length, encoding=encoding, keep=keep, download=download)
        gymnasium.Wrapper.__init__(self, env)
        if encoding not in (*ENCODINGS, "bytes"):
            raise ValueError(f"encoding must be one of {', '.join(ENCODINGS)} or bytes, not {encoding!r}")
        self.length, self.keep = _at_least("length", length, 1), _end(keep)
        self._encoding = find_encoding(encoding, download=download)
        self.tokens = encoding if self._encoding is not None else "bytes"
        self.padding = self._encoding.n_vocab if self._encoding is not None else 256
        """One more than the largest id of a token; so many and one are needed in an embedding."""
        self.observation_space = spaces.Box(0, self.padding, (self.length,), np.int64)

    def view(self, text: str) -> NDArray[np.int64]:
        """The ids of a text; what looks like a special token is ordinary text."""
        reach = self.length * _CHARACTERS_PER_TOKEN
        data = (text[-reach:] if self.keep == "end" else text[:reach]).encode("utf-8", "replace")
        ids = list(data) if self._encoding is None else self._encoding.encode_ordinary(data.decode("utf-8"))
        return _padded(np.array(ids, np.int64), self.length, self.keep, self.padding)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; as the wrapped environment's, with ``text`` and ``tokens`` in info."""
        observation, info = super().reset(seed=seed, options=options)
        return observation, {**info, "tokens": self.tokens}


def _end(keep: str) -> str:
    if keep not in ("end", "start"):
        raise ValueError(f"keep must be 'end' or 'start', not {keep!r}")
    return keep


def _padded(values: NDArray[Any], length: int, keep: str, padding: int) -> NDArray[Any]:
    kept = values[-length:] if keep == "end" else values[:length]
    return np.pad(kept, (0, length - len(kept)), constant_values=padding)
