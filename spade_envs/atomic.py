"""Files that are either there whole or not there: atomic writes, bounded reads, one lock, errors in plain words.

A write goes to a name that starts with ``.tmp-`` in the same folder and is renamed into place. A process that is
killed leaves at worst such a name behind; readers ignore it and :func:`remove_stale` clears it. Two processes on
one shelf are told apart by the lock alone. What this does not cover: a file system whose rename or lock is a lie.
"""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
import re
import shutil
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from .errors import StoreError

MAX_BYTES = 16 * 1024 * 1024
"""Largest file a shelf holds; more is refused on the way in and on the way out."""

LOCK_SECONDS = 60.0
"""How long to wait for another process that is writing to the same shelf."""

_TEMP = re.compile(r"\.tmp-[0-9a-z.]+-(?P<pid>[0-9]{1,18})")
_serial = itertools.count()

_REMEDIES = {
    errno.ENOSPC: "the disk is full; free some space and run it again",
    errno.EDQUOT: "your disk quota is used up; free some space and run it again",
    errno.EROFS: "the folder is read-only; use a shelf of your own (SPADE_ENVS_HOME names its folder)",
    errno.EACCES: "you may not write there; fix its permissions or set SPADE_ENVS_HOME to a folder of your own",
    errno.EPERM: "you may not write there; fix its permissions or set SPADE_ENVS_HOME to a folder of your own",
    errno.ENOTDIR: "a part of the path is a file where a folder is needed; name another folder",
    errno.EEXIST: "a file is there where a folder is needed; name another folder",
    errno.ENOENT: "it does not exist; check the path",
}


@contextlib.contextmanager
def explained(doing: str) -> Iterator[None]:
    """Turn any ``OSError`` of the block into a :class:`StoreError` that says what to do about it."""
    try:
        yield
    except StoreError:
        raise
    except OSError as error:
        remedy = _REMEDIES.get(error.errno or 0, "see the system's message")
        raise StoreError(f"cannot {doing}: {error.strerror or error} ({remedy})") from error


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock file ``path`` for the block.

    Raises:
        StoreError: when the lock cannot be made, or another process keeps it for :data:`LOCK_SECONDS`.
    """
    # Imported here because it costs more than everything a reader needs together.
    import filelock

    lock = filelock.FileLock(path, timeout=LOCK_SECONDS)
    with explained(f"lock {path}"):
        try:
            lock.acquire()
        except filelock.Timeout:
            message = f"another process has held {path} for {LOCK_SECONDS:.0f} s; wait for it or stop it"
            raise StoreError(message) from None
        except NotImplementedError as error:
            raise StoreError(f"cannot lock {path}: this file system has no locks; use a local folder") from error
    try:
        yield
    finally:
        lock.release()


def read_file(path: Path) -> bytes:
    """Return the bytes of the regular file ``path``.

    A shelf may come from a stranger: a pipe in it would block for ever and a device would fill the memory.

    Raises:
        OSError: when it cannot be read.
        StoreError: when it is no regular file or is larger than :data:`MAX_BYTES`.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise StoreError(f"{path} is not a regular file; a shelf holds only files and folders")
        data = stream.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise StoreError(f"{path} is larger than {MAX_BYTES} bytes, the most a shelf holds in one file")
    return data


def write_atomic(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Put ``data`` at ``path``, replacing what is there, so that a reader sees the old bytes or the new ones.

    ``durable`` also survives a power cut, at the price of two flushes; leave it out for what can be derived again.

    Raises:
        OSError: when it cannot be written; nothing is left behind and the old file stands.
    """
    temp = path.with_name(f".tmp-{next(_serial)}.{path.name}-{os.getpid()}")
    try:
        _write_new(temp, data, durable=durable)
        os.replace(temp, path)
    except BaseException:  # Ctrl-C too must leave nothing half-written
        with contextlib.suppress(OSError):
            os.unlink(temp)
        raise
    if durable:
        _sync_folder(path.parent)


@contextlib.contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """A new file that takes the place of ``path`` when the block ends well; for what is too large to hold, and can be
    derived again: a power cut may spoil it.

    Raises:
        OSError: when it cannot be written; nothing is left behind and the old file stands.
    """
    temp = path.with_name(f".tmp-{next(_serial)}.{path.name}-{os.getpid()}")
    try:
        with open(temp, "xb") as stream:
            yield stream
        os.replace(temp, path)
    except BaseException:  # Ctrl-C too must leave nothing half-written
        with contextlib.suppress(OSError):
            os.unlink(temp)
        raise


def write_new(path: Path, data: bytes) -> None:
    """Put ``data`` at ``path``, complete or not at all; what is there already stays.

    Raises:
        FileExistsError: when something is there.
        OSError: when it cannot be written; nothing is left behind.
    """
    temp = path.with_name(f".tmp-{next(_serial)}.{path.name}-{os.getpid()}")
    try:
        _write_new(temp, data, durable=False)
        os.link(temp, path)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temp)


def publish_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """Make the folder ``target`` with ``files`` in it appear at once and complete. ``target`` must be unused.

    Raises:
        OSError: when it cannot be written; nothing is left behind.
    """
    temp = target.with_name(f".tmp-{target.name.rpartition('-')[2]}-{os.getpid()}")
    try:
        os.mkdir(temp)
        for name, data in files.items():
            _write_new(temp / name, data, durable=True)
        _sync_folder(temp)
        os.rename(temp, target)
    except BaseException:  # Ctrl-C too must leave nothing half-written
        shutil.rmtree(temp, ignore_errors=True)
        raise
    _sync_folder(target.parent)


def remove_stale(folder: Path, *, spare_own: bool = False) -> None:
    """Remove what killed processes left half-written in ``folder``. Call it with the folder's lock held.

    ``spare_own`` leaves what this process writes, perhaps in another thread.
    """
    for entry in os.listdir(folder):
        match = _TEMP.fullmatch(entry)
        if match is None or _other_process_lives(pid := int(match["pid"])) or (spare_own and pid == os.getpid()):
            continue
        path = folder / entry
        with contextlib.suppress(OSError):
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                os.unlink(path)


def _other_process_lives(pid: int) -> bool:
    # A folder of our own pid is a leftover too: the lock lets one writer in at a time. A file of our own may
    # belong to a reader in another thread, who writes the index without the lock and can bear to lose it.
    if pid == os.getpid():
        return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _write_new(path: Path, data: bytes, *, durable: bool) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some network file systems cannot flush a folder; the rename itself is still atomic there.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)
