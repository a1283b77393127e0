"""What registered ids cost: importing the package with 0, 500 and 10,000 of them, and making one.

    python benchmarks/bench_import.py [--sizes 0 500 10000] [--slices 15] [--quick] [--json results.json]

Builds a user's shelf of every size in a temporary folder, once as it is and once with a ``-menu`` id for every
environment: copies of a bundled environment with a last line of their own, so that hashes differ. Every figure comes
from a fresh process, one of each kind in turn, so that the load of the machine falls on all alike; figures are medians.
``import`` is what ``import spade_envs`` adds to ``import gymnasium``, the bundled shelf included; ``ids`` is what the
ids of the shelf add to that, as the median of the differences within a slice. ``make`` is the first ``gym.make`` of the
process, of the id in the middle of the shelf (of a bundled one, where there is no other), then ``reset`` and ``step``.

examples:
  python benchmarks/bench_import.py --quick
  python benchmarks/bench_import.py --sizes 0 1000 100000 --slices 5
  python benchmarks/bench_import.py --json build/bench_import.json
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from spade_envs.entries import name_of
from spade_envs.index import Header, write_header
from spade_envs.store import NAMESPACE, USER_FIRST, Shelf, bundled_path

CLONED = "env-0002"
"""The bundled environment that is copied; it lists its actions, so a menu is right for it."""
MOST_MILLISECONDS = 60.0
"""What ids may add to the import at the most, at :data:`JUDGED` of them."""
JUDGED = 10_000
CHILD = """
import gc, json, sys, time
begun = time.perf_counter()
import gymnasium
gymnasium_s = time.perf_counter() - begun
begun = time.perf_counter()
import spade_envs
import_s = time.perf_counter() - begun
ids = sum(env_id.startswith("spade/env-") for env_id in gymnasium.registry)
begun = time.perf_counter()
env = gymnasium.make(sys.argv[1])
make_s = time.perf_counter() - begun
begun = time.perf_counter()
env.reset(seed=1)
reset_s = time.perf_counter() - begun
begun = time.perf_counter()
env.step(0 if sys.argv[1].endswith("-menu") else "look")
step_s = time.perf_counter() - begun
env.close()
print(json.dumps({"ids": ids, "gymnasium_s": gymnasium_s, "import_s": import_s, "make_s": make_s, "reset_s": reset_s,
                  "step_s": step_s}))
"""


@dataclasses.dataclass(frozen=True)
class Variant:
    """One way to import."""

    size: int
    """Environments on the user's shelf."""
    menu: bool
    """Whether each has a ``-menu`` id as well."""
    home: Path
    """The user's data folder."""
    made: str
    """The id that is made."""


@dataclasses.dataclass(frozen=True)
class Run:
    """One process; seconds."""

    ids: int
    gymnasium_s: float
    import_s: float
    make_s: float
    reset_s: float
    step_s: float


def build(home: Path, size: int, *, menu: bool) -> Variant:
    """A user's data folder with a shelf of ``size`` environments, without the syncing that admitting one takes."""
    home.mkdir()
    if not size:
        return Variant(size, menu, home, f"{NAMESPACE}/{CLONED}" + "-menu" * menu)
    folder, bundled = home / "shelf", bundled_path() / CLONED
    folder.mkdir()
    text, card = (bundled / "env.py").read_bytes(), json.loads((bundled / "card.json").read_bytes())
    for number in range(USER_FIRST, USER_FIRST + size):
        source = text + f"\n_NUMBER = {number}\n".encode()
        card["name"], card["menu"] = name_of(number), menu
        card["sha256"] = card["report"]["source_sha256"] = hashlib.sha256(source).hexdigest()
        card["fingerprint"] = hashlib.sha256(card["name"].encode()).hexdigest()  # only has to differ
        place = folder / card["name"]
        place.mkdir()
        (place / "env.py").write_bytes(source)
        (place / "card.json").write_text(json.dumps(card, indent=2) + "\n", encoding="ascii")
    write_header(folder, Header(NAMESPACE, USER_FIRST, USER_FIRST + size))
    shelf = Shelf(folder)
    entries = shelf.rebuild_index()
    assert len(entries) == size, "a card is broken"
    middle = entries[size // 2]
    shelf.read_source(middle.name)
    return Variant(size, menu, home, middle.env_id + "-menu" * menu)


def once(variant: Variant) -> Run:
    """Import and make in a process of its own."""
    environ = {key: value for key, value in os.environ.items() if key != "SPADE_ENVS_PATH"}
    root = str(Path(__file__).resolve().parents[1])
    environ["PYTHONPATH"] = os.pathsep.join(filter(None, [root, environ.get("PYTHONPATH")]))
    environ["SPADE_ENVS_HOME"] = str(variant.home)
    told = subprocess.check_output([sys.executable, "-c", CHILD, variant.made], env=environ)
    return Run(**json.loads(told))


def median(runs: Sequence[Run], field: str) -> float:
    """Of one field, in milliseconds."""
    return 1000 * float(statistics.median(getattr(run, field) for run in runs))


def measure(sizes: Sequence[int], slices: int, console: Console) -> dict[Variant, list[Run]]:
    """Run every variant in turn; the first has no shelf."""
    with tempfile.TemporaryDirectory() as folder, console.status("building shelves") as status:
        plans = [(size, menu) for size in sizes for menu in (False, True)]
        variants = [build(Path(folder) / f"{size}{'m' * menu}", size, menu=menu) for size, menu in plans]
        for variant in variants:  # compiles modules, and fills the caches of the file system
            once(variant)
        runs: dict[Variant, list[Run]] = {variant: [] for variant in variants}
        for at in range(slices):
            status.update(f"slice {at + 1} of {slices}")
            for variant, found in runs.items():
                found.append(once(variant))
    return runs


def main() -> None:
    """Measure, print a table, and write JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[0, 500, JUDGED], help="environments on the shelf")
    parser.add_argument("--slices", type=int, default=15, help="processes of each kind")
    parser.add_argument("--quick", action="store_true", help="three processes of each kind")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    asked = parser.parse_args()
    sizes, slices = sorted({0, *asked.sizes}), 3 if asked.quick else asked.slices
    console = Console(width=110)
    runs = measure(sizes, slices, console)
    columns = ("shelf", "ids", "import ms", "ids ms", "make ms", "reset ms", "step ms")
    table = Table(*columns, title="in fresh processes, medians")
    told = []
    nothing = next(iter(runs.values()))
    for variant, found in runs.items():
        added = 1000 * statistics.median(one.import_s - bare.import_s for one, bare in zip(found, nothing, strict=True))
        line = {field: median(found, field) for field in ("import_s", "make_s", "reset_s", "step_s")}
        shelf = f"{variant.size:,}{', menus' * variant.menu}"
        import_ms, *others = (f"{value:.1f}" for value in line.values())
        table.add_row(shelf, f"{found[0].ids:,}", import_ms, f"{added:.1f}", *others)
        milliseconds = {field.removesuffix("_s") + "_ms": value for field, value in line.items()}
        told.append({"size": variant.size, "menu": variant.menu, "ids": found[0].ids, "ids_ms": added, **milliseconds})
    console.print(table)
    console.print(f"import gymnasium alone: {median(nothing, 'gymnasium_s'):.0f} ms")
    for line in told:
        if line["size"] == JUDGED:
            holds = "holds" if line["ids_ms"] < MOST_MILLISECONDS else "does NOT hold"
            console.print(
                f"{JUDGED:,} ids add less than {MOST_MILLISECONDS:.0f} ms to the import,"
                f" {'with' if line['menu'] else 'without'} menus: {holds} ({line['ids_ms']:.1f} ms)"
            )
    result = {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
        "load_average": os.getloadavg()[0],
        "gymnasium_ms": median(nothing, "gymnasium_s"),
        "shelves": told,
    }
    if asked.json:
        asked.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
