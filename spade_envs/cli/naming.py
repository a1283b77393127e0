"""What a person calls a source: an id, the beginning of its hash, or a file."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
from collections.abc import Iterator
from pathlib import Path

from ..errors import SourceError, StoreError, UnknownEnv
from ..memory import SqliteMemory, upkeep
from ..memory.looking import beginning
from ..shelf import NAMESPACE, Shelf
from ..sources import read_source
from ..specs import MENU
from ..store import Entry, home, resolve, search_path
from ..types import EnvSource

HASH = re.compile(r"(?:sha256:)?(?P<digits>[0-9a-f]{6,64})", re.ASCII)
"""The beginning of a hash, as long as names of sources have to be."""


@dataclasses.dataclass(frozen=True)
class Named:
    """A source that was found under a name."""

    source: EnvSource
    label: str
    """Its id, ``sha256:`` and 12 digits, or its file."""
    place: tuple[Shelf, Entry] | None = None
    """Where it is on a shelf."""


def find(env_id: str) -> tuple[Shelf, Entry]:
    """The shelf and entry of ``spade/env-0001`` or ``env-0001``. Raises ``UnknownEnv`` naming the nearest ids."""
    if env_id.endswith(".py"):
        raise UnknownEnv(f"{env_id} is a file, not an id; admit it first: spade-envs admit {env_id}")
    if env_id.endswith(MENU):
        raise UnknownEnv(f"{env_id} is a numeric view, for gymnasium.make; ask for {env_id.removesuffix(MENU)}")
    namespace, _, name = env_id.removeprefix("spade_envs:").rpartition("/")
    return resolve(name, namespace=namespace or NAMESPACE)


def digits_of(name: str) -> str:
    """The digits of a name that is the beginning of a hash; empty for another name.

    >>> digits_of("sha256:AB12CD34"), digits_of("env-0001"), digits_of("abc")
    ('ab12cd34', '', '')
    """
    match = HASH.fullmatch(name.lower())
    return match["digits"] if match else ""


def named(name: str) -> Named:
    """The source that a person means.

    Args:
        name: ``spade/env-0001``, ``env-0001``, at least 6 hex digits of a hash, or a file.

    Raises:
        UnknownEnv: nothing is called so; the message names what comes nearest.
        SourceError: the file cannot be taken as a source.
        StoreError: a shelf or the memory cannot be read.
    """
    if name.endswith(".py") or ("/" in name and Path(name).is_file()):
        if not Path(name).exists():
            raise SourceError(f"{name} does not exist; name a file that does, an id, or at least 6 digits of a hash")
        return Named(read_source(name), name)
    digits = digits_of(name)
    if not digits:
        return on_shelf(*find(name))
    places = {entry.sha256: (shelf, entry) for shelf, entry in reversed(_entries(digits))}
    known = set(places) | set(_remembered(digits))
    if len(known) == 1:
        (sha256,) = known
        return on_shelf(*places[sha256]) if sha256 in places else _from_memory(sha256)
    if known:
        raise UnknownEnv(f"{name} begins {len(known)} hashes: {', '.join(sorted(known)[:4])}; give more digits")
    where = "any shelf or in the memory" if memory_path().exists() else "any shelf, and there is no memory yet"
    raise UnknownEnv(
        f"no source on {where} has a hash that begins with {digits}; `spade-envs list` shows what there is"
    )


def on_shelf(shelf: Shelf, entry: Entry) -> Named:
    """A source on a shelf."""
    return Named(shelf.read_source(entry.name), entry.env_id, (shelf, entry))


def memory_path() -> Path:
    """Where the memory of this machine is, or would be."""
    return home() / "memory.db"


def _entries(digits: str) -> list[tuple[Shelf, Entry]]:
    return [(shelf, entry) for shelf in search_path() for entry in shelf.entries() if entry.sha256.startswith(digits)]


# -- the memory --------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def remembered(*, write: bool = False) -> Iterator[SqliteMemory]:
    """The memory of this machine, where there is one.

    Args:
        write: whether it is going to be written. Otherwise it may lie on a disk that cannot be.

    Raises:
        StoreError: there is none, or it cannot be read; the message says what makes one.
    """
    path = memory_path()
    if not path.exists():
        raise StoreError(
            f"there is no memory yet at {path}; `spade-envs admit`, `import`, `generate` and `probe` make one of what "
            "they see, `spade-envs memory rebuild` one of what is on the shelves"
        )
    # Opened for writing, an older file is brought up to date.
    with SqliteMemory(path, write=write or _writable(path)) as memory:
        yield memory


@contextlib.contextmanager
def with_shelves() -> Iterator[SqliteMemory]:
    """The memory, with what is on the shelves in it; one that cannot be written is taken as it is.

    Raises:
        StoreError: it can be neither made nor read.
    """
    path = memory_path()
    if path.exists() and not _writable(path):
        with remembered() as memory:
            yield memory
        return
    with SqliteMemory(path) as memory:
        upkeep.rebuild(memory, search_path())
        yield memory


def _writable(path: Path) -> bool:
    return os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)


def _remembered(digits: str) -> tuple[str, ...]:
    """Hashes in the memory that begin so."""
    if not memory_path().exists():
        return ()
    with remembered() as memory:
        return beginning(memory, digits)


def _from_memory(sha256: str) -> Named:
    with remembered() as memory:
        source = memory.source(sha256)
        if source is None:
            raise StoreError(f"the memory has lost {sha256}; `spade-envs memory verify` tells more")
    return Named(source, f"sha256:{sha256[:12]}")
