"""Source files, read with suspicion."""

from __future__ import annotations

from pathlib import Path

from .errors import SourceError
from .types import EnvSource

LARGEST_FILE = 16 * 1024 * 1024
"""Bytes of a file that are read at all."""


def read_source(
    path: Path | str, *, skill: str = "", contract: str = "", hint: str = "", made_by: str = ""
) -> EnvSource:
    """Read a source file, byte for byte.

    Raises:
        SourceError: a folder, a special file, too large, not UTF-8, or changed while it was read; says which.
        OSError: the file cannot be read.
    """
    path = Path(path)
    if path.is_dir():
        raise SourceError(f"{path} is a folder; name a .py file, or check the folder's files")
    if not path.is_file() and path.exists():
        raise SourceError(f"{path} is no regular file; name a .py file")
    before = path.stat()
    if before.st_size > LARGEST_FILE:
        raise SourceError(f"{path} has {before.st_size} bytes; no source above {LARGEST_FILE} bytes is read")
    data = path.read_bytes()
    after = path.stat()
    if (before.st_mtime_ns, before.st_size, before.st_ino) != (after.st_mtime_ns, after.st_size, after.st_ino):
        raise SourceError(f"{path} changed while it was read; check it again when it is finished")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path} is no UTF-8 text (byte {error.start}); save the source as UTF-8") from None
    return EnvSource(text=text, skill=skill, contract=contract, hint=hint, made_by=made_by)
