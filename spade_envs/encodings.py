"""tiktoken's encodings, where they are at hand: nothing is downloaded unless the caller says so."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

ENCODINGS = ("cl100k_base", "o200k_base", "p50k_base", "r50k_base")
"""Encodings that tiktoken has a file for."""

_FILES = "https://openaipublic.blob.core.windows.net/encodings/{}.tiktoken"


def find_encoding(name: str, *, download: bool) -> tiktoken.Encoding | None:
    """The encoding, or ``None`` for ``bytes`` and where its file is not at hand and may not be fetched."""
    if name == "bytes" or not (download or _cached(name)):
        return None
    import tiktoken

    return tiktoken.get_encoding(name)


def _cached(name: str) -> bool:
    """Whether tiktoken's cache, which names files after the hash of their address, has the file of an encoding."""
    places = [os.environ.get(variable) for variable in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR")]
    folder = next((place for place in places if place is not None), str(Path(tempfile.gettempdir(), "data-gym-cache")))
    key = hashlib.sha1(_FILES.format(name).encode(), usedforsecurity=False).hexdigest()
    return folder != "" and Path(folder, key).is_file()
