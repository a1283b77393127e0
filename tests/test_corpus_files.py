"""Corpora of every kind, from real files: what is read, what is skipped, and what hostile files come to."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import zstandard

from spade_envs.corpus import Corpus, compressed, documents, extras, lines, reading
from spade_envs.corpus import parquet as parquet_files
from spade_envs.errors import StoreError

HOSTILE = "\x1b[31mred\x1b[0m \u202eright to left\u202c\x00 end"


def texts(count: int, seed: int = 0) -> list[str]:
    """Different documents of a few hundred characters."""
    rng = random.Random(seed)
    words = ["tide", "anvil", "größe", "漢字", "🚀", "ledger", HOSTILE, "line\nbreak"]
    return [f"# Document {number}\n\n" + " ".join(rng.choices(words, k=60)) for number in range(count)]


def jsonl(rows: list[object]) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def write_jsonl(path: Path, given: list[str]) -> Path:
    path.write_bytes(jsonl([{"text": text} for text in given]))
    return path


def write_zst(path: Path, given: list[str]) -> Path:
    """In several frames, with a skippable one between, as seekable and parallel writers make them."""
    data = jsonl([{"orig_doc": text} for text in given])
    pieces = [data[at : at + 10_000] for at in range(0, len(data), 10_000)]
    frames = [zstandard.ZstdCompressor().compress(piece) for piece in pieces]
    path.write_bytes((b"\x50\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"abc").join(frames))
    return path


def write_parquet(path: Path, given: list[str]) -> Path:
    rows = pa.table({"id": list(range(len(given))), "text": pa.array(given, pa.large_string())})
    pq.write_table(rows, path, row_group_size=7, compression="zstd")
    return path


WRITERS: dict[str, Callable[[Path, list[str]], Path]] = {
    "rows.jsonl": write_jsonl,
    "rows.jsonl.zst": write_zst,
    "rows.parquet": write_parquet,
}


def skips(corpus: Corpus) -> dict[str, int]:
    return {str(one.reason): one.rows for one in corpus.report.skipped}


# -- every kind ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept_above", [0, reading.KEPT_ABOVE], ids=["index on disk", "index in memory"])
@pytest.mark.parametrize("name", WRITERS)
def test_every_kind_gives_the_same_documents(
    name: str, kept_above: int, tmp_path: Path, data_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "KEPT_ABOVE", kept_above)
    monkeypatch.setattr(compressed, "BLOCK", 5000)
    # A reader at fault would be hidden by the index that is built again.
    monkeypatch.delattr(Corpus, "_build_again")
    given = texts(100)
    corpus = Corpus.open(WRITERS[name](tmp_path / name, given))
    assert len(corpus) == 100
    order = random.Random(1).sample(range(100), 100)
    assert [corpus.document(number).text for number in order] == [given[number] for number in order]
    assert [document.text for document in Corpus.open(tmp_path / name)] == given
    assert corpus.document(41).name == f"{name}:42"
    assert corpus.fingerprint == Corpus.open(write_jsonl(tmp_path / "again.jsonl", given)).fingerprint
    kept = kept_above == 0 or name.endswith(".zst")
    assert bool(list(data_home.rglob("*.index"))) == kept


def test_a_folder_of_files_of_rows(tmp_path: Path) -> None:
    given = texts(30)
    (tmp_path / "deep" / "er").mkdir(parents=True)
    write_zst(tmp_path / "a.jsonl.zst", given[:10])
    write_jsonl(tmp_path / "b.jsonl", given[10:20])
    write_parquet(tmp_path / "deep" / "er" / "c.PARQUET", given[20:])
    (tmp_path / "README.md").write_text("About these files.")
    (tmp_path / ".hidden.jsonl").write_text("no row")
    corpus = Corpus.open(tmp_path)
    assert [document.text for document in corpus] == given
    assert (corpus.report.passed_over, corpus.report.files) == (1, 3)
    assert corpus.report.kinds == ("jsonl", "jsonl.zst", "parquet")
    assert corpus.document(20).name == "deep/er/c.PARQUET:1"


def test_a_tree_of_text_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "x.md").write_bytes("\ufeff# Title\n\nText.".encode())
    (tmp_path / "c.txt").write_text(HOSTILE)
    (tmp_path / "d.txt").write_bytes(b"\xff\xfe")
    (tmp_path / "e.txt").write_text(" \n")
    (tmp_path / "f.docx").write_text("not read")
    os.mkfifo(tmp_path / "g.txt")
    corpus = Corpus.open(tmp_path)
    first = corpus.document(0)
    assert (first.name, first.title, first.text) == ("b/x.md", "Title", "# Title\n\nText.")
    assert corpus.document(1).text == HOSTILE
    assert skips(corpus) == {"not UTF-8": 1, "empty text": 1, "no regular file": 1}
    assert corpus.report.examples == ("g.txt: no regular file", "d.txt: not UTF-8 (byte 0)", "e.txt: empty text")
    assert Corpus.open(tmp_path / "c.txt").document(0).name == "c.txt"


def test_links_are_followed_once(tmp_path: Path) -> None:
    (tmp_path / "blobs").mkdir()
    (tmp_path / "blobs" / "0ab1").write_bytes(jsonl([{"text": "one"}]))
    folder = tmp_path / "corpus"
    (folder / "inner").mkdir(parents=True)
    (folder / "rows.jsonl").symlink_to(tmp_path / "blobs" / "0ab1")
    (folder / "inner" / "up").symlink_to(folder)
    (folder / "self.jsonl").symlink_to("self.jsonl")
    (folder / "another").symlink_to("inner")
    (folder / "inner" / "deep.jsonl").write_bytes(jsonl([{"text": "two"}]))
    corpus = Corpus.open(folder)
    assert [document.name for document in corpus] == ["another/deep.jsonl:1", "rows.jsonl:1"]
    assert skips(corpus) == {"no regular file": 1}
    assert Corpus.open(folder / "rows.jsonl").document(0).text == "one"


# -- rows that are none ----------------------------------------------------------------------------------------


def test_bad_rows_are_skipped_counted_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "LARGEST_DOCUMENT", 2000)
    monkeypatch.setattr(lines, "LONGEST_LINE", 6000)
    rows = [
        b'\xef\xbb\xbf{"text": "first"}\r',
        b"",
        b'{"text": "cut',
        b'["text"]',
        b'{"body": "x", "id": 3}',
        b'{"text": 5}',
        b'{"orig_doc": " ", "text": "second"}',
        b'{"text": "\\n \\t", "orig_doc": ""}',
        b'{"text": "\xff"}',
        b'{"text": "half \\ud800"}',
        b'{"text": "' + b"x" * 2001 + b'"}',
        b'{"text": "' + b"y" * 7000 + b'"}',
        b"[" * 5000,
        b'{"text": ' + b"9" * 5000 + b"}",
        '{"text": "third"}'.encode("utf-16"),
        b'{"orig_doc": "last", "text": "other"}',
        b'{"orig_doc": "", "text": "third"}',
    ]
    (tmp_path / "rows.jsonl").write_bytes(b"\n".join(rows))
    corpus = Corpus.open(tmp_path / "rows.jsonl")
    assert [document.text for document in corpus] == ["first", "second", "last", "third"]
    assert [document.name for document in corpus] == ["rows.jsonl:1", "rows.jsonl:7", "rows.jsonl:16", "rows.jsonl:17"]
    assert skips(corpus) == {
        "not UTF-8": 2,
        "not JSON": 3,
        "no JSON object": 1,
        "no text field": 2,
        "empty text": 1,
        "too large": 2,
        "half a surrogate pair": 1,
    }
    assert corpus.report.examples[0].startswith("rows.jsonl:3: not JSON (Unterminated string")
    assert len(corpus.report.examples) == documents.EXAMPLES
    assert corpus.report.fields == ("body", "id", "text")


def test_bad_rows_of_parquet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet_files, "LARGEST_DOCUMENT", 2000)
    binary = pa.array([b"one", b"\xff", None, b"", b"x" * 2001, b"two"], pa.binary())
    buffers = binary.buffers()
    column = pa.StringArray.from_buffers(6, buffers[1], buffers[2], buffers[0])
    pq.write_table(pa.table({"text": column, "orig_doc": [None] * 5 + ["better"]}), tmp_path / "a.parquet")
    corpus = Corpus.open(tmp_path / "a.parquet")
    assert [document.text for document in corpus] == ["one", "better"]
    assert skips(corpus) == {"not UTF-8": 1, "no text field": 1, "empty text": 1, "too large": 1}


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string(), pa.string_view()], ids=str)
def test_every_type_of_text_column(kind: pa.DataType, tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": pa.array(["one", None, "two"], kind)}), tmp_path / "a.parquet")
    assert [document.text for document in Corpus.open(tmp_path / "a.parquet")] == ["one", "two"]


# -- no document at all ----------------------------------------------------------------------------------------


def test_no_document_says_what_was_found(tmp_path: Path) -> None:
    (tmp_path / "rows.jsonl").write_bytes(jsonl([{"body": "x"}, {"content": "y"}]) + b"{")
    with pytest.raises(StoreError) as caught:
        Corpus.open(tmp_path / "rows.jsonl")
    for part in ("2 skipped: no text field", "fields found: body, content", '"orig_doc" or "text"', "rows.jsonl:1"):
        assert part in str(caught.value)
    (tmp_path / "empty.jsonl").write_bytes(b"\n")
    with pytest.raises(StoreError, match="no row at all"):
        Corpus.open(tmp_path / "empty.jsonl")
    pq.write_table(pa.table({"words": ["x"], "text": [1]}), tmp_path / "a.parquet")
    with pytest.raises(StoreError, match="1 skipped: no text field; fields found: words, text"):
        Corpus.open(tmp_path / "a.parquet")


def test_paths_that_are_no_corpus(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not exist"):
        Corpus.open(tmp_path / "nothing.jsonl")
    (tmp_path / "void").mkdir()
    with pytest.raises(StoreError, match="holds no file that is read"):
        Corpus.open(tmp_path / "void")
    (tmp_path / "a.docx").write_text("x")
    with pytest.raises(StoreError, match=r"of a kind that is not read; a corpus is a \.jsonl"):
        Corpus.open(tmp_path / "a.docx")
    os.mkfifo(tmp_path / "fifo.jsonl")
    with pytest.raises(StoreError, match="no regular file"):
        Corpus.open(tmp_path / "fifo.jsonl")


@pytest.mark.parametrize(("module", "name"), [("zstandard", "rows.jsonl.zst"), ("pyarrow", "rows.parquet")])
def test_a_missing_library_is_named(module: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def import_module(wanted: str) -> object:
        raise ImportError(wanted)

    path = WRITERS[name](tmp_path / name, texts(2))
    monkeypatch.setattr(extras.importlib, "import_module", import_module)
    with pytest.raises(StoreError, match=rf"needs {module}, .* pip install 'spade-envs\[corpus\]'"):
        Corpus.open(path)


# -- damage and bombs ------------------------------------------------------------------------------------------


def test_a_stream_that_is_cut_or_damaged(tmp_path: Path, data_home: Path) -> None:
    path = write_zst(tmp_path / "rows.jsonl.zst", texts(100))
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    with pytest.raises(StoreError, match="ends in the middle of a Zstandard frame"):
        Corpus.open(path)
    path.write_bytes(whole + b"rubbish")
    with pytest.raises(StoreError, match="no Zstandard stream that can be read"):
        Corpus.open(path)
    assert not list(data_home.rglob("*.index")) and not list(data_home.rglob(".tmp-*"))


def test_a_stream_that_expands_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "FREE_EXPANSION", 1024 * 1024)
    packed = zstandard.ZstdCompressor().compress(b"0" * (64 * 1024 * 1024))
    path = tmp_path / "rows.jsonl.zst"
    path.write_bytes(packed)
    with pytest.raises(StoreError, match="expands more than 1000 times"):
        Corpus.open(path)


def test_a_stream_that_asks_for_too_much_memory(tmp_path: Path) -> None:
    settings = zstandard.ZstdCompressionParameters(window_log=30)
    stream = zstandard.ZstdCompressor(compression_params=settings).compressobj()
    path = tmp_path / "rows.jsonl.zst"
    path.write_bytes(stream.compress(jsonl([{"text": "x"}])) + stream.flush())
    with pytest.raises(StoreError, match="without --long"):
        Corpus.open(path)


def test_a_huge_line_is_never_held(tmp_path: Path) -> None:
    packer = zstandard.ZstdCompressor().compressobj()
    with open(tmp_path / "rows.jsonl.zst", "wb") as stream:
        stream.write(packer.compress(b'{"text": "'))
        for _ in range(100):
            stream.write(packer.compress(b"x" * 1024 * 1024))
        stream.write(packer.compress(b'"}\n' + jsonl([{"text": "small"}])) + packer.flush())
    import tracemalloc

    tracemalloc.start()
    try:
        corpus = Corpus.open(tmp_path / "rows.jsonl.zst")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert [document.text for document in corpus] == ["small"] and skips(corpus) == {"too large": 1}
    assert peak < 2 * lines.LONGEST_LINE + 32 * 1024 * 1024


def test_a_parquet_file_that_is_damaged(tmp_path: Path) -> None:
    path = write_parquet(tmp_path / "rows.parquet", texts(50))
    whole = path.read_bytes()
    for broken in (whole[:-10], b"PAR1" + whole[2000:], b""):
        path.write_bytes(broken)
        with pytest.raises(StoreError, match="no parquet file that can be read"):
            Corpus.open(path)


def test_a_long_text_repeated_in_parquet_is_held_once(tmp_path: Path) -> None:
    """A megabyte of dictionary that would be 100 MB as plain strings."""
    table = pa.table({"text": ["x" * 1_000_000] * 100})
    pq.write_table(table, tmp_path / "a.parquet", dictionary_pagesize_limit=10_000_000)
    del table
    (file,) = reading.list_files(tmp_path / "a.parquet").files
    reader = parquet_files.ParquetReader()
    before = pa.total_allocated_bytes()
    assert len(reader.text(file, 0, 99)) == 1_000_000
    assert pa.total_allocated_bytes() - before < 50_000_000


def test_parquet_that_expands_without_end(tmp_path: Path) -> None:
    """A few hundred bytes that say the same megabyte ten thousand times."""
    column = pa.DictionaryArray.from_arrays(pa.array([0] * 10_000, pa.int32()), ["x" * 1_000_000])
    pq.write_table(pa.table({"text": column}), tmp_path / "a.parquet", compression="zstd")
    with pytest.raises(StoreError, match="expands more than 1000 times"):
        Corpus.open(tmp_path / "a.parquet")


def test_a_row_group_beyond_memory_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = texts(14)
    path = write_parquet(tmp_path / "rows.parquet", [*given[:7], *("long " * 999 + text for text in given[7:])])
    monkeypatch.setattr(parquet_files, "LARGEST_GROUP", 10_000)
    corpus = Corpus.open(path)
    assert [document.text for document in corpus] == given[:7] and skips(corpus) == {"too large": 7}
