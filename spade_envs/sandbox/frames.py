"""Frames between host and worker: a 4-byte big-endian length, then that many bytes of JSON. Never pickle.

Both ends refuse a frame above :data:`LARGEST` before reading it, and numbers that JSON does not know.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from typing import Any, NoReturn

from .columns import spread

LARGEST = 8 * 1024 * 1024
"""Most bytes one frame may carry."""

_HEADER = struct.Struct(">I")
quote = json.encoder.encode_basestring
"""A text as JSON."""
_encode = json.JSONEncoder(allow_nan=False, ensure_ascii=False, separators=(",", ":")).encode


class FrameError(ValueError):
    """The other side sent something that is no frame."""


def _no_constant(name: str) -> NoReturn:
    raise FrameError(f"{name} is not a JSON number")


_decode = json.JSONDecoder(parse_constant=_no_constant).decode


def pack(value: Any, items: Sequence[str] = ()) -> bytes:
    """One frame. Raises ``FrameError`` when the value is no JSON or too large.

    Args:
        value: what it says.
        items: of an object with ``items`` as its last key, and a list of nothing there: what belongs into it, as JSON.
    """
    try:
        text = _encode(value)
        if items:
            text = f"{text[:-2]}{','.join(items)}]}}"
        body = text.encode("utf-8")
    except (ValueError, TypeError, RecursionError, UnicodeEncodeError) as error:
        raise FrameError(f"not representable: {type(error).__name__}") from None
    if len(body) > LARGEST:
        raise FrameError(f"a frame of {len(body)} bytes; at most {LARGEST} are allowed")
    return _HEADER.pack(len(body)) + body


def unpack(body: bytes | bytearray) -> Any:
    """The value of one frame's body. Raises ``FrameError`` for anything malformed."""
    try:
        return _decode(body.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise FrameError(f"malformed frame: {type(error).__name__}") from None


def apart(answer: dict[str, Any]) -> list[dict[str, Any]]:
    """The answers of one frame, one by one."""
    held = spread(answer.get("answers", []), answer.get("columns"))
    if len(held) < 2 and "columns" not in answer:
        return [answer]
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
