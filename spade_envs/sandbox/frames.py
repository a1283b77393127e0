"""Frames between host and worker: a 4-byte big-endian length, then that many bytes.

What a worker says is JSON, never pickle or marshal, since it may say anything; behind it, after a line break, may come
texts as they are, which JSON would copy letter by letter. What the host says is marshal, which a worker reads in a
tenth of the time: it trusts the host. Both ends refuse a frame above :data:`LARGEST` before reading it, and numbers
that JSON does not know.
"""

from __future__ import annotations

import itertools
import json
import marshal
import struct
from collections.abc import Sequence
from typing import Any, NoReturn

from .columns import restored, spread

LARGEST = 8 * 1024 * 1024
"""Most bytes one frame may carry."""

_HEADER = struct.Struct(">I")
_encode = json.JSONEncoder(allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode


class FrameError(ValueError):
    """The other side sent something that is no frame."""


def _no_constant(name: str) -> NoReturn:
    raise FrameError(f"{name} is not a JSON number")


_decode = json.JSONDecoder(parse_constant=_no_constant).decode


def pack(value: Any, texts: Sequence[str] = ()) -> bytes:
    """A worker's frame. Raises ``FrameError`` when the value is no JSON or too large.

    Args:
        value: what it says; an object, if there are texts.
        texts: what :func:`unpack` adds to it as ``texts``.
    """
    try:
        if texts:
            text = f"{_encode({**value, 'lengths': list(map(len, texts))})}\n{''.join(texts)}"
        else:
            text = _encode(value)
        body = text.encode("utf-8")
    except (ValueError, TypeError, RecursionError, UnicodeEncodeError) as error:
        raise FrameError(f"not representable: {type(error).__name__}") from None
    return _framed(body)


def unpack(body: bytes | bytearray) -> Any:
    """The value of the body of a worker's frame. Raises ``FrameError`` for anything malformed."""
    try:
        said, line_break, texts = body.decode("utf-8").partition("\n")
        value = _decode(said)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"malformed frame: {type(error).__name__}") from None
    if line_break:
        lengths = value.pop("lengths", None) if type(value) is dict else None
        if type(lengths) is not list or set(map(type, lengths)) != {int} or min(lengths) < 0:
            raise FrameError("texts without lengths")
        ends = list(itertools.accumulate(lengths, initial=0))
        if ends[-1] != len(texts):
            raise FrameError("texts of another length")
        value["texts"] = [texts[start:end] for start, end in itertools.pairwise(ends)]
    return value


def order(value: Any) -> bytes:
    """A frame of the host. Raises ``FrameError`` when the value cannot be sent."""
    try:
        body = marshal.dumps(value)
    except ValueError:  # subclasses of str and int, which JSON takes for what they are
        try:
            body = marshal.dumps(_decode(_encode(value)))
        except (ValueError, TypeError, RecursionError) as error:
            raise FrameError(f"not representable: {type(error).__name__}") from None
    return _framed(body)


def understand(body: bytes | bytearray) -> Any:
    """The value of the body of a frame of the host's. Only for workers: marshal is not safe against anybody else."""
    return marshal.loads(body)


def _framed(body: bytes) -> bytes:
    if len(body) > LARGEST:
        raise FrameError(f"a frame of {len(body)} bytes; at most {LARGEST} are allowed")
    return _HEADER.pack(len(body)) + body


def apart(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers of one frame, one by one."""
    if "answers" not in answer:
        return [{key: value for key, value in answer.items() if key != "texts"}]
    held = spread(*restored(answer))
    first, last = answer["i"], len(held) - 1
    return [{"i": first + at, "last": answer["last"] and at == last, "answers": [held[at]]} for at in range(len(held))]


def plain(value: Any) -> str:
    """A text of the worker's, short and such as UTF-8 can carry; anything else is empty."""
    return value[:1000].encode("utf-8", "replace").decode("utf-8") if type(value) is str else ""


class Buffer:
    """Collects received bytes and cuts them into frames."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def feed(self, data: bytes) -> None:
        """Add received bytes."""
        self._bytes += data

    def take(self) -> bytearray | None:
        """The next whole frame's body, or ``None`` while it is incomplete. Raises ``FrameError`` when too large."""
        if len(self._bytes) < _HEADER.size:
            return None
        (size,) = _HEADER.unpack_from(self._bytes)
        if size > LARGEST:
            raise FrameError(f"a frame of {size} bytes announced; at most {LARGEST} are allowed")
        end = _HEADER.size + size
        if len(self._bytes) < end:
            return None
        body = self._bytes[_HEADER.size : end]
        del self._bytes[:end]
        return body

    @property
    def empty(self) -> bool:
        """Whether nothing is left over."""
        return not self._bytes
