"""Exchanges on disk, to be answered again without a server: one line of JSON each, and never a key.

The first line tells what the server could do, each further one a path, the body sent and the body that came back.
Only answers are recorded, each once, whatever attempts it took. A process that is killed leaves at worst a last line
without its end, which the reader leaves out.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from ..codec import from_json, to_json
from .capabilities import Capabilities
from .failures import Reason, RequestFailed, quoted, refused
from .keys import Key
from .servers import Channel, Outcome
from .wires import Call, encode

T = TypeVar("T")

FORMAT = "spade-envs exchanges 1"
"""First word of a record."""
MOST_BYTES = 1024**3
"""Largest record that is read."""


class Recorder:
    """A channel that writes down what passes.

    Args:
        channel: where calls go.
        path: a file that must not exist yet.
        key: kept out of the file.

    Raises:
        RequestFailed: when the file cannot be made, or is there already.
    """

    def __init__(self, channel: Channel, path: Path, key: Key) -> None:
        self._channel, self._key, self._path = channel, key, path
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC, 0o666)
        except FileExistsError:
            raise refused(f"{path} is there already; name a new file, a record is never overwritten") from None
        except OSError as error:
            raise refused(f"cannot write {path}: {error.strerror}; name a file in a folder of yours") from None
        self._write({"format": FORMAT, "capabilities": to_json(channel.capabilities)})

    @property
    def capabilities(self) -> Capabilities:
        """Those of the servers."""
        return self._channel.capabilities

    async def exchange(self, call: Call, read: Callable[[bytes], T], seconds: float) -> Outcome[T]:
        """Pass a call on, and write its answer down."""
        outcome = await self._channel.exchange(call, read, seconds)
        self._write({"path": call.path, "body": call.body, "answer": json.loads(outcome.data)})
        return outcome

    def _write(self, entry: dict[str, Any]) -> None:
        # A lone surrogate, which no UTF-8 holds, becomes an escape.
        line = self._key.hide(json.dumps(entry, ensure_ascii=False, sort_keys=True))
        data = memoryview(line.encode("utf-8", "backslashreplace") + b"\n")
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError as error:
            raise refused(f"cannot write {self._path}: {error.strerror}; what was recorded before is whole") from None

    async def close(self) -> None:
        """Close the file, and what is behind it."""
        try:
            os.close(self._file)
        finally:
            await self._channel.close()


class Replayer:
    """A channel that answers from a record. The same request several times gets its answers in their order.

    Raises:
        RequestFailed: when the file is no record.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._answers: dict[str, deque[bytes]] = defaultdict(deque)
        lines = _lines(path)
        first = next(lines, {})
        if first.get("format") != FORMAT:
            raise refused(f"{path} is no record of exchanges; Client(record=...) makes one")
        try:
            self._able = from_json(Capabilities, first.get("capabilities"))
            for entry in lines:
                digest = _digest(Call(entry["path"], entry["body"]))
                self._answers[digest].append(json.dumps(entry["answer"]).encode())
        except (ValueError, KeyError, TypeError) as error:
            raise refused(f"{path} is no record of exchanges: {quoted(str(error))}") from None

    @property
    def capabilities(self) -> Capabilities:
        """Those of the servers that were recorded."""
        return self._able

    async def exchange(self, call: Call, read: Callable[[bytes], T], seconds: float) -> Outcome[T]:
        """The answer that was recorded for this call.

        Raises:
            RequestFailed: when there is none, or none left.
        """
        answers = self._answers.get(_digest(call))
        if not answers:
            asked = "was answered fewer times" if answers is not None else "is not in it"
            text = (
                f"{self._path} has no answer: this request {asked}. Every field counts, the seed too; record it again"
            )
            raise RequestFailed(f"{text}. It was {quoted(encode({'path': call.path, **call.body}))}", Reason.SERVER)
        data = answers.popleft()
        return Outcome(read(data), data, f"record {self._path.name}", 1, 0.0)

    async def close(self) -> None:
        """Nothing to close."""


def _digest(call: Call) -> str:
    return hashlib.sha256(encode({"path": call.path, "body": call.body}).encode("utf-8", "surrogatepass")).hexdigest()


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        if path.stat().st_size > MOST_BYTES or not path.is_file():
            raise refused(f"{path} is no record of exchanges: no regular file, or larger than {MOST_BYTES} bytes")
        data = path.read_bytes()
    except OSError as error:
        raise refused(f"cannot read {path}: {error.strerror}; check the path") from None
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        if not line.endswith(b"\n"):
            return  # the writer was killed
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        if not isinstance(entry, dict):
            raise refused(f"{path}: line {number} is no JSON object")
        yield entry
