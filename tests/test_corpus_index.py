"""The index of a corpus: cheap to use, never trusted, and there whole or not at all."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import zstandard

from spade_envs.corpus import Corpus, compressed, index, listing, reading
from spade_envs.errors import StoreError

ROWS = 400


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small corpora have an index on disk too."""
    monkeypatch.setattr(reading, "KEPT_ABOVE", 0)


@pytest.fixture(params=["rows.jsonl", "rows.jsonl.zst"])
def path(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(compressed, "BLOCK", 2000)
    place = tmp_path / request.param
    write(place, range(ROWS))
    return place


def text(number: int) -> str:
    return f"document {number} " + "x" * (number % 50)


def write(path: Path, numbers: range) -> None:
    data = b"".join(json.dumps({"text": text(number)}).encode() + b"\n" for number in numbers)
    path.write_bytes(zstandard.ZstdCompressor().compress(data) if path.suffix == ".zst" else data)


def kept_index(home: Path) -> Path:
    (found,) = home.rglob("*.index")
    return found


def builds(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The corpora that an index is built of from now on."""
    seen: list[Path] = []
    build = reading._build

    def counted(place: Path, *rest: object) -> index.Index:
        seen.append(place)
        return build(place, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(reading, "_build", counted)
    return seen


def holds_all(corpus: Corpus, count: int = ROWS) -> bool:
    return [document.text for document in corpus] == [text(number) for number in range(count)]


# -- cheap -----------------------------------------------------------------------------------------------------


def bytes_read() -> int:
    """Bytes this process has read by system calls."""
    return int(Path("/proc/self/io").read_text().split()[1])


def test_one_document_of_a_large_corpus_reads_little(tmp_path: Path) -> None:
    place = tmp_path / "rows.jsonl"
    with open(place, "wb") as stream:
        for number in range(5000):
            stream.write(json.dumps({"text": f"{number} " + "x" * 4000}).encode() + b"\n")
    tracemalloc.start()
    try:
        Corpus.open(place)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < place.stat().st_size / 3
    before = bytes_read()
    document = Corpus.open(place).document(4321)
    taken = bytes_read() - before
    assert document.text.startswith("4321 ")
    assert taken < 200_000 < place.stat().st_size / 50, "the ends of the file, the footer of the index, and one row"


def test_an_index_is_used_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Corpus.open(path)
    built = builds(monkeypatch)
    again = Corpus.open(path)
    assert holds_all(again) and (again.fingerprint, again.report) == (first.fingerprint, first.report)
    assert not built


# -- never trusted ---------------------------------------------------------------------------------------------


def test_a_changed_corpus_is_indexed_again(path: Path, data_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Corpus.open(path)
    built = builds(monkeypatch)
    write(path, range(ROWS + 5))
    after = Corpus.open(path)
    assert holds_all(after, ROWS + 5) and len(built) == 1 and after.fingerprint != before.fingerprint
    kept_index(data_home)  # the old one was replaced
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert holds_all(Corpus.open(path), ROWS + 5) and len(built) == 2


def test_a_change_that_keeps_size_and_time_is_seen(tmp_path: Path) -> None:
    place = tmp_path / "rows.jsonl"
    write(place, range(ROWS))
    Corpus.open(place)
    status = place.stat()
    place.write_bytes(place.read_bytes().replace(b"document 7 ", b"d0cument 7 "))
    os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert Corpus.open(place).document(7).text.startswith("d0cument 7 ")


def test_a_broken_index_is_built_again(path: Path, data_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fingerprint = Corpus.open(path).fingerprint.encode()
    whole = kept_index(data_home).read_bytes()
    broken = [
        whole.replace(fingerprint, fingerprint[::-1]),
        b"",
        whole[:-1],
        whole[:100],
        whole + b"x",
        b"x" * 50,
        whole[40:],
    ]
    for at in (0, 8 * 5 * 7 + 3, 5000, len(whole) - 300, len(whole) - 60, len(whole) - 1):
        broken.append(whole[:at] + bytes([whole[at] ^ 0x55]) + whole[at + 1 :])
    built = builds(monkeypatch)
    for at, data in enumerate(broken, 1):
        kept_index(data_home).write_bytes(data)
        assert holds_all(Corpus.open(path)), at
        assert len(built) == at, f"index {at} was trusted"


def test_an_index_that_misleads_is_found_out(path: Path, data_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that lead to documents, but to others: whole and well-formed."""
    Corpus.open(path)
    place = kept_index(data_home)
    data = bytearray(place.read_bytes())
    rows = np.frombuffer(data, "<i8", ROWS * index.WIDTH).reshape(ROWS, index.WIDTH)
    rows[:] = rows[::-1].copy()
    place.write_bytes(data)
    built = builds(monkeypatch)
    assert holds_all(Corpus.open(path)) and len(built) == 1


def test_blocks_that_are_damaged_are_built_again(tmp_path: Path, data_home: Path) -> None:
    place = tmp_path / "rows.jsonl.zst"
    write(place, range(ROWS))
    Corpus.open(place)
    (blocks,) = data_home.rglob("*.blocks")
    whole = blocks.read_bytes()
    for data in (b"", whole[:-3], whole[:100] + b"\x00" * 50 + whole[150:], b"\xff" * len(whole)):
        blocks.write_bytes(data)
        assert holds_all(Corpus.open(place))
    corpus = Corpus.open(place)
    blocks.unlink()
    assert holds_all(corpus)


def test_a_change_while_it_is_open_is_an_error(path: Path) -> None:
    corpus = Corpus.open(path)
    write(path, range(1000, 1000 + ROWS))
    Corpus.open(path)
    with pytest.raises(StoreError, match="has changed since it was opened; open it again"):
        holds_all(corpus)
    path.unlink()
    with pytest.raises(StoreError):
        Corpus.open(path)


def test_a_change_that_only_the_document_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Same size, same time, same ends: noticed when the document is read, and right when the corpus is opened again."""
    monkeypatch.setattr(listing, "_ENDS", 10)
    place = tmp_path / "rows.jsonl"
    write(place, range(ROWS))
    corpus = Corpus.open(place)
    status = place.stat()
    place.write_bytes(place.read_bytes().replace(b"document 7 ", b"d0cument 7 "))
    os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert corpus.document(8).text == text(8)
    with pytest.raises(StoreError, match="has changed since it was opened"):
        corpus.document(7)
    assert Corpus.open(place).document(7).text.startswith("d0cument 7 ")


def test_a_change_while_it_is_indexed_is_an_error(path: Path, data_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = reading.digest_of

    def growing(given: str) -> bytes:
        with open(path, "ab") as stream:
            stream.write(b"\n")
        return real(given)

    monkeypatch.setattr(reading, "digest_of", growing)
    with pytest.raises(StoreError):
        Corpus.open(path)
    assert not list(data_home.rglob("*.index")) and not list(data_home.rglob(".tmp-*"))


# -- whole or not at all ---------------------------------------------------------------------------------------

STOPS_HALFWAY = """
import sys
from spade_envs.corpus import Corpus, index, reading
reading.KEPT_ABOVE, index._BUFFERED = 0, 10
flush = index.IndexWriter._flush
def slow(self):
    flush(self)
    self._stream.flush()
    print("written", flush=True)
    sys.stdin.readline()
index.IndexWriter._flush = slow
Corpus.open(sys.argv[1])
"""


def test_a_kill_leaves_no_broken_index(path: Path, data_home: Path) -> None:
    command = [sys.executable, "-c", STOPS_HALFWAY, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "written\n"
        assert [found.stat().st_size for found in data_home.rglob(".tmp-*.index-*")] == [400]
        process.send_signal(signal.SIGKILL)
    assert not list(data_home.rglob("*.index"))
    assert list(data_home.rglob(".tmp-*"))
    assert holds_all(Corpus.open(path))
    kept_index(data_home)
    assert not list(data_home.rglob(".tmp-*")), "what the killed process left is cleared"


def test_threads_may_open_and_read_at_once(path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(lambda _: holds_all(Corpus.open(path)), range(8)))
        shared = Corpus.open(path)
        assert all(threads.map(lambda _: holds_all(shared), range(8)))


def test_a_cache_that_cannot_be_written_is_named(path: Path, data_home: Path) -> None:
    data_home.write_text("no folder")
    with pytest.raises(StoreError, match=r"cannot index .* name another folder"):
        Corpus.open(path)


def test_the_bundled_corpus_needs_no_cache(data_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    data_home.write_text("no folder")
    monkeypatch.setenv("SPADE_ENVS_HOME", str(data_home))
    assert Corpus.open().document(0).text
