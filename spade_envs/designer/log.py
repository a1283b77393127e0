"""The log of a run: one file, only ever appended to, from which the run goes on after any kill.

A line is on the disk before what follows from it is done. A last line without its newline was being written when the
process was killed: it is left out, and cut off before the next is written. One process at a time runs a log.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import filelock

from ..atomic import explained, write_new
from ..codec import to_json
from ..errors import SpadeEnvsError, StoreError
from ..store import home
from .lines import (
    FORMAT,
    Decision,
    Header,
    HintLine,
    Identity,
    IntentLine,
    Line,
    ReplyLine,
    ReportLine,
    Told,
    line_bytes,
    read_line,
)

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of a line that is read or written."""


def default_log(identity: Identity) -> Path:
    """Where the log of this run lies when no other place is named: the same run finds it again."""
    canonical = json.dumps(to_json(identity), sort_keys=True).encode("ascii")
    return home() / "runs" / f"{hashlib.sha256(canonical).hexdigest()[:12]}.jsonl"


class Log:
    """The log at ``path``, locked until :meth:`close`; a context manager.

    Raises:
        StoreError: when it cannot be read or locked, another process runs it, or a line of it is damaged; the message
            gives the number of the line.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.header: Header | None = None
        """``None`` for a log that is not there yet."""
        self.slots: dict[int, Told] = {}
        """What it says, by slot."""
        self.replies = self.reports = self.tokens = 0
        """Lines of these kinds, and tokens of the designer's prompts and replies."""
        self._file: int | None = None
        self._size = 0
        with explained(f"make the folder {self.path.parent}"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = filelock.FileLock(self.path.with_name(f".{self.path.name}.lock"), timeout=0)
        with explained(f"lock {self.path}"):
            try:
                self._lock.acquire()
            except filelock.Timeout:
                message = f"another process runs {self.path}; wait for it or stop it, or name another --log"
                raise StoreError(message) from None
            except NotImplementedError as error:
                raise StoreError(f"cannot lock {self.path}: this file system has no locks; name another") from error
        try:
            self._read()
        except BaseException:  # whatever stopped the reading, the lock must not stay
            self.close()
            raise

    def __enter__(self) -> Log:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Let other processes have it. Closing twice is fine."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
        self._lock.release()

    def begin(self, header: Header) -> None:
        """Write the first line of a new log.

        Raises:
            StoreError: when it cannot be written, or is there already.
        """
        data = _encoded(header)
        with explained(f"write {self.path}"):
            # Whole or not at all: a log always has its first line.
            write_new(self.path, data)
            folder = os.open(self.path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            try:
                with contextlib.suppress(OSError):  # some network file systems cannot flush a folder
                    os.fsync(folder)
            finally:
                os.close(folder)
        self.header, self._size = header, len(data)

    def told(self, slot: int) -> Told:
        """What it says about a slot."""
        return self.slots.setdefault(slot, Told())

    def add(self, line: Line) -> None:
        """Append a line, on the disk when this returns.

        Raises:
            StoreError: when it cannot be written; what was written before stays.
        """
        data = _encoded(line)
        with explained(f"write {self.path}"):
            if self._file is None:
                self._file = os.open(self.path, os.O_WRONLY | os.O_CLOEXEC)
                os.ftruncate(self._file, self._size)  # what a killed process left of its last line
                os.lseek(self._file, 0, os.SEEK_END)
            try:
                view = memoryview(data)
                while view:
                    view = view[os.write(self._file, view) :]
                os.fsync(self._file)
            except OSError:
                os.ftruncate(self._file, self._size)
                os.lseek(self._file, self._size, os.SEEK_SET)
                raise
        self._size += len(data)
        self._take(line)

    def _read(self) -> None:
        for number, data in enumerate(self._lines(), 1):
            try:
                line = read_line(data)
                if number == 1 and not isinstance(line, Header):
                    raise ValueError(f"a log begins with a header of the format {FORMAT!r}")
                if number > 1 and isinstance(line, Header):
                    raise ValueError("a second header")
                self._take(line)
            except (ValueError, RecursionError, SpadeEnvsError) as error:
                raise StoreError(
                    f"line {number} of {self.path} is no line of a log: {str(error)[:300]}. Restore the file, or name "
                    "another with --log"
                ) from None
            self._size += len(data)

    def _lines(self) -> Iterator[bytes]:
        """Whole lines, with their newlines."""
        if not os.path.lexists(self.path):
            return
        with explained(f"read {self.path}"):
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            with open(descriptor, "rb") as stream:
                if not self.path.is_file():
                    raise StoreError(f"{self.path} is no regular file; name another with --log")
                while data := stream.readline(LONGEST_LINE + 1):
                    if len(data) > LONGEST_LINE:
                        raise StoreError(f"{self.path} has a line above {LONGEST_LINE} bytes; it is no log")
                    if not data.endswith(b"\n"):
                        break
                    yield data
        if not self._size:
            raise StoreError(f"{self.path} is there already and is no log of a run; name a new file with --log")

    def _take(self, line: Line) -> None:
        """Keep a line. Raises ``ValueError`` when it cannot follow those before."""
        if isinstance(line, Header):
            _check_header(line)
            self.header = line
            return
        assert self.header is not None, "a header comes first"
        plan = self.header.identity.plan
        if not 0 <= line.slot < plan.count:
            raise ValueError(f"slot {line.slot} is not in range({plan.count})")
        told = self.told(line.slot)
        if told.end is not None and told.end.decision is not Decision.FAILED:
            raise ValueError(f"slot {line.slot} has ended before")
        if isinstance(line, ReplyLine):
            if line.turn != len(told.replies) or line.turn > plan.repairs:
                raise ValueError(f"turn {line.turn} of slot {line.slot} is out of order")
            told.replies.append(line)
            self.replies += 1
            self.tokens += line.prompt_tokens + line.completion_tokens
        elif isinstance(line, ReportLine):
            self._check_report(line, told)
            told.reports.append(line)
            self.reports += 1
        elif isinstance(line, HintLine):
            if line.number != len(told.hints):
                raise ValueError(f"hint {line.number} of slot {line.slot} is out of order")
            told.hints.append(line)
        elif isinstance(line, IntentLine):
            if line.sha256 and all(reply.sha256 != line.sha256 for reply in told.replies):
                raise ValueError(f"slot {line.slot} has no source {line.sha256[:64]!r}")
            told.intent = line
        else:
            told.end = line
            if line.decision is not Decision.FAILED:
                # What led to an end is not needed again, and a run may be long.
                told.replies = [dataclasses.replace(one, messages=(), text="", reasoning="") for one in told.replies]
                told.reports, told.hints = [], []

    def _check_report(self, line: ReportLine, told: Told) -> None:
        if not 0 <= line.turn < len(told.replies) or not -1 <= line.hint < len(told.hints):
            raise ValueError(f"a report on turn {line.turn} of slot {line.slot}, which is not there")
        if told.replies[line.turn].sha256 != line.report.source_sha256:
            raise ValueError(f"the report on turn {line.turn} of slot {line.slot} is about another source")


def differences(found: Identity, wanted: Identity) -> list[str]:
    """Where two runs differ: one sentence for each field.

    >>> from .plan import DesignPlan
    >>> differences(*(Identity(DesignPlan(count=n), "s", "", {}) for n in (2, 3)))
    ['count is 2 in the log and 3 now']
    """
    a, b = _flat(found), _flat(wanted)
    names = [name for name in {**a, **b} if a.get(name) != b.get(name)]
    return [f"{name} is {_short(a.get(name))} in the log and {_short(b.get(name))} now" for name in names]


def _flat(identity: Identity) -> dict[str, Any]:
    plan = {field.name: getattr(identity.plan, field.name) for field in dataclasses.fields(identity.plan)}
    for part in ("sampling", "limits"):
        plan |= {f"{part}.{name}": value for name, value in vars(plan.pop(part)).items()}
    texts = {f"the prompt {name}": sha256 for name, sha256 in identity.prompts.items()}
    return {**plan, "the shelf": identity.shelf, "the corpus": identity.corpus, **texts}


def _short(value: object) -> str:
    text = "not there" if value is None else "empty" if value == "" else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _check_header(header: Header) -> None:
    if len(header.grounds) != header.identity.plan.count or header.next < 0:
        raise ValueError("the header does not fit its own plan")
    for name in ("seeds", "negatives"):
        known = {one.sha256 for one in getattr(header, name)}
        if any(sha256 not in known for ground in header.grounds for sha256 in getattr(ground, name)):
            raise ValueError("the header lacks an environment that it speaks of")


def _encoded(line: Line) -> bytes:
    data = line_bytes(line)
    if len(data) > LONGEST_LINE:
        raise StoreError(
            f"a line of {len(data)} bytes does not fit into a log, which takes {LONGEST_LINE}; ask for fewer "
            "environments at a time, or show fewer of the memory's"
        )
    return data
