"""How fast a corpus is indexed and read: beside a plain loop over the lines of the same file, in one run.

    python benchmarks/bench_corpus.py [--megabytes 256] [--reads 2000] [--quick] [--json results.json]

The same documents are written as ``.jsonl``, ``.jsonl.zst`` and parquet. ``plain`` is ``for line in open(path)`` with
``json.loads``, all of which a program without an index does for each document that lies far in; rates are megabytes of
the ``.jsonl`` file per second. Reads are of single documents in the order of a sampler, the corpus opened anew. All of
it is warm: the file was just written.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import zstandard
from rich.console import Console
from rich.table import Table

from spade_envs.corpus import Corpus, Sampler

WORDS = [text for document in Corpus.open() for text in document.text.split()]
DOCUMENT_WORDS = 600
"""Words of a document, about 4 kB."""


def write(folder: Path, megabytes: float) -> dict[str, Path]:
    """The same documents in each kind of file."""
    rng = random.Random(0)
    paths = {kind: folder / f"rows.{kind}" for kind in ("jsonl", "jsonl.zst", "parquet")}
    size = 0
    schema = pa.schema({"text": pa.string()})
    with (
        open(paths["jsonl"], "wb") as plain,
        open(paths["jsonl.zst"], "wb") as target,
        zstandard.ZstdCompressor().stream_writer(target) as packed,
        pq.ParquetWriter(paths["parquet"], schema, compression="zstd") as columns,
    ):
        while size < megabytes * 1e6:
            texts = [" ".join(rng.choices(WORDS, k=DOCUMENT_WORDS)) for _ in range(250)]
            data = b"".join(json.dumps({"text": text}).encode() + b"\n" for text in texts)
            plain.write(data)
            packed.write(data)
            columns.write_table(pa.table({"text": texts}, schema))
            size += len(data)
    return paths


def timed(work: Callable[[], object]) -> float:
    """Seconds it takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def plain_loop(path: Path) -> int:
    """Every document, parsed and forgotten."""
    with open(path, encoding="utf-8") as stream:
        return sum(len(json.loads(line)["text"]) for line in stream)


def read_times(path: Path, reads: int) -> tuple[float, list[float]]:
    """Seconds to open with the index that is there, and of each read."""
    begun = time.perf_counter()
    sampler = Sampler(Corpus.open(path), seed=0)
    opened = time.perf_counter() - begun
    return opened, [timed(lambda: next(sampler)) for _ in range(reads)]


def main() -> None:
    """Measure, print a table, and write JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=float, default=256)
    parser.add_argument("--reads", type=int, default=2000)
    parser.add_argument("--quick", action="store_true", help="8 MB and 100 reads")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    megabytes, reads = (8.0, 100) if asked.quick else (asked.megabytes, asked.reads)
    console = Console()
    table = Table(
        "what", "MB/s", "opened again, ms", "a document, ms: median", "95 %", title="a corpus of short documents"
    )
    results: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SPADE_ENVS_HOME"] = str(Path(folder, "home"))
        with console.status("writing"):
            paths = write(Path(folder), megabytes)
        size = paths["jsonl"].stat().st_size / 1e6
        seconds = timed(lambda: plain_loop(paths["jsonl"]))
        results["plain"] = {"megabytes_per_second": size / seconds, "scan_seconds": seconds}
        table.add_row("plain loop", f"{size / seconds:.0f}", "", f"{1000 * seconds:,.0f} (all before it)", "")
        for kind, path in paths.items():
            with console.status(kind):
                seconds = timed(lambda path=path: Corpus.open(path))
                opened, times = read_times(path, reads)
            median, slow = statistics.median(times), statistics.quantiles(times, n=20)[-1]
            results[kind] = {
                "megabytes_per_second": size / seconds,
                "open_seconds": opened,
                "read_median_seconds": median,
                "read_95_percent_seconds": slow,
                "file_megabytes": path.stat().st_size / 1e6,
            }
            cells = (f"{size / seconds:.0f}", f"{1000 * opened:.2f}", f"{1000 * median:.3f}", f"{1000 * slow:.3f}")
            table.add_row(f"index of {kind}", *cells)
    console.print(table)
    if asked.json:
        machine = f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
        result = {"machine": machine, "load_average": os.getloadavg()[0], "megabytes": size, "results": results}
        asked.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
