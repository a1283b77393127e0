"""What near-duplicate detection finds, what it takes for the same without reason, and what it costs.

    python benchmarks/bench_near.py [--signatures 100000] [--lookups 500] [--quick] [--json results.json]

The good sources of ``benchmarks/proof`` (written and bundled ones) and of ``tests/sources/sound`` are compared in
pairs, and each with changed copies of itself. ``found`` is the share of copies whose estimated similarity reaches the
threshold of the gate, ``a key in common`` the share that a look-up would have looked at. ``precision`` counts the pairs
of different sources that reach the threshold against the copies of everything changed at once that do; such pairs are
few, and printed, so that they can be judged. Copies are written by ``ast.unparse``: a copy ``as it is`` shows what
layout costs.

Look-ups run in a memory of ``--signatures`` admitted sources, a twentieth of them copies of one template.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import json
import os
import platform
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).resolve().parent))
from proof.good import good_sources

from spade_envs.memory import SqliteMemory
from spade_envs.memory.nearness import near
from spade_envs.memory.upkeep import sign
from spade_envs.similarity import bands, signature, similarity
from spade_envs.types import EnvSource, Limits, Report

SOUND = Path(__file__).resolve().parents[1] / "tests" / "sources" / "sound"
THRESHOLD = Limits().near_similarity
CONTRACT = frozenset("self seed action reset step solution hint get_tools max_turns __init__".split())
Change = Callable[[str, random.Random], str]


class Changed(ast.NodeTransformer):
    """Other names, texts or numbers for all of the author's own."""

    def __init__(
        self, text: str, chance: random.Random, *, names: float = 0, texts: float = 0, numbers: float = 0
    ) -> None:
        self.chance, self.texts, self.numbers = chance, texts, numbers
        bound = {name for node in ast.walk(ast.parse(text)) for name in _bound(node)} - CONTRACT
        self.names = {name: f"{name}_x" for name in sorted(bound) if chance.random() < names}

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("id", "arg", "name", "attr"):
            name = getattr(node, field, None)
            own = field != "attr" or (isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "self")
            if own and isinstance(name, str) and name in self.names:
                setattr(node, field, self.names[name])
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        value = node.value
        if isinstance(value, str) and self.chance.random() < self.texts:
            return ast.Constant(re.sub(r"[A-Za-z]{3,}", lambda word: word.group()[::-1] + "q", value))
        if type(value) is int and value > 1 and self.chance.random() < self.numbers:
            return ast.Constant(value + self.chance.randint(1, 9))
        return node


def _bound(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        yield node.id
    elif isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        yield node.attr


def changed(**shares: float) -> Change:
    """A change of names, texts and numbers."""
    return lambda text, chance: ast.unparse(Changed(text, chance, **shares).visit(ast.parse(text)))


def one_more(text: str, chance: random.Random) -> str:
    """A method more than there was."""
    body = [
        "total = 0",
        "for value in values:",
        "    if value > limit:",
        "        total += value * 2",
        "    total -= 1",
    ]
    lines = "\n".join(f"        {line}" for line in body)
    return (
        f"{text}\n\nclass Helper:\n    def assist(self, values, limit=3):\n{lines}\n        return max(total, limit)\n"
    )


def one_other(text: str, chance: random.Random) -> str:
    """One method does something else."""
    tree = ast.parse(text)
    methods = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    body = (
        "values = [len(str(entry)) for entry in range(7)]\nfor value in values:\n    value = value ** 2\nreturn value"
    )
    if methods:
        chance.choice(methods).body = ast.parse(body).body
    return ast.unparse(tree)


CHANGES: dict[str, Change] = {
    "as it is": changed(),
    "other names": changed(names=1),
    "other numbers": changed(numbers=1),
    "other texts": changed(texts=1),
    "names, texts and numbers": changed(names=1, texts=1, numbers=1),
    "a method more": one_more,
    "a method rewritten": one_other,
}


def sources() -> dict[str, str]:
    """Good sources by name, those that parse."""
    found = {good.name: good.text for good in good_sources(0, 0)}
    found |= {f"sound/{path.stem}": path.read_text("utf-8") for path in sorted(SOUND.glob("*.py"))}
    return {name: text for name, text in found.items() if _parses(text)}


def _parses(text: str) -> bool:
    try:
        ast.unparse(ast.parse(text))
    except (SyntaxError, RecursionError):
        return False
    return True


def copies(texts: dict[str, str]) -> dict[str, dict[str, float]]:
    """What is found of every kind of copy."""
    results = {}
    for kind, change in CHANGES.items():
        chance, alike, keys = random.Random(0), [], 0
        for text in texts.values():
            one, other = signature(text), signature(change(text, chance))
            alike.append(similarity(one, other))
            keys += bool(set(bands(one)) & set(bands(other)))
        results[kind] = {
            "median": statistics.median(alike),
            "lowest_5_percent": statistics.quantiles(alike, n=20)[0],
            "found": sum(value >= THRESHOLD for value in alike) / len(alike),
            "key_in_common": keys / len(alike),
        }
    return results


def pairs(texts: dict[str, str]) -> list[tuple[float, str, str]]:
    """Similarities of different sources, the largest first."""
    made = [(name, signature(text)) for name, text in texts.items()]
    return sorted(((similarity(a, b), x, y) for (x, a), (y, b) in itertools.combinations(made, 2)), reverse=True)


def per_signature(texts: dict[str, str]) -> float:
    """Processor seconds for a source of about 4 kB, the best of ten rounds."""
    middle = [text for text in texts.values() if 3500 <= len(text) <= 4500]
    best = float("inf")
    for _ in range(10):
        start = time.process_time()
        for text in middle:
            signature(text)
        best = min(best, (time.process_time() - start) / len(middle))
    return best


def lookups(folder: Path, signatures: int, count: int, texts: dict[str, str]) -> dict[str, float]:
    """Seconds of look-ups in a memory of so many sources; those of copies of its template apart."""
    chance = random.Random(0)
    template = next(iter(texts.values()))

    def filled() -> Iterator[tuple[EnvSource, Report]]:
        for number in range(signatures):
            calls = "".join(f"x.call{chance.randrange(10**9)}()\n" for _ in range(20))
            source = EnvSource(f"{template}\n# {number}" if number % 20 == 0 else calls)
            yield source, Report(source.sha256)

    with SqliteMemory(folder / "memory.db") as memory:
        start = time.perf_counter()
        memory.add_many(filled())
        sign(memory)
        adding = (time.perf_counter() - start) / signatures
        found = {}
        other = [signature(text) for text in texts.values()]
        for kind, asked in (("lookup", other), ("crowd", [signature(template)])):
            seconds = []
            for made in (asked * count)[:count]:
                start = time.perf_counter()
                near(memory.db, made)
                seconds.append(time.perf_counter() - start)
            found[f"{kind}_median_seconds"] = statistics.median(seconds)
            found[f"{kind}_99_percent_seconds"] = statistics.quantiles(seconds, n=100)[-1]
    return {**found, "adding_seconds": adding}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--signatures", type=int, default=100_000, help="sources in the memory")
    parser.add_argument("--lookups", type=int, default=500)
    parser.add_argument("--quick", action="store_true", help="2,000 signatures and 100 look-ups")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    signatures, count = (2_000, 100) if asked.quick else (asked.signatures, asked.lookups)
    console, texts = Console(), sources()
    table = Table(
        "copy", "median", "lowest 5 %", f"found at {THRESHOLD}", "a key in common", title=f"{len(texts)} sources"
    )
    kinds = copies(texts)
    for kind, one in kinds.items():
        table.add_row(kind, *(f"{value:.3f}" for value in one.values()))
    console.print(table)
    every = pairs(texts)
    alike = [pair for pair in every if pair[0] >= THRESHOLD]
    caught = kinds["names, texts and numbers"]["found"] * len(texts)
    precision = caught / (caught + len(alike))
    console.print(f"{len(every)} pairs of different sources; {len(alike)} reach {THRESHOLD}, precision {precision:.3f}")
    for value, one, other in every[: len(alike) + 5]:
        console.print(f"    {value:.2f}  {one}  {other}")
    cost = per_signature(texts)
    with tempfile.TemporaryDirectory() as folder, console.status("filling a memory"):
        times = lookups(Path(folder), signatures, count, texts)
    console.print(
        f"a signature of 4 kB takes {1000 * cost:.2f} ms of a processor; in a memory of {signatures} sources:"
    )
    for name, seconds in times.items():
        console.print(f"    {name.removesuffix('_seconds').replace('_', ' '):<20} {1000 * seconds:8.2f} ms")
    if asked.json:
        machine = f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
        result = {
            "machine": machine,
            "load_average": os.getloadavg()[0],
            "sources": len(texts),
            "copies": kinds,
            "pairs": len(every),
            "alike": [{"similarity": value, "one": one, "other": other} for value, one, other in alike],
            "precision": precision,
            "signature_seconds": cost,
            "signatures": signatures,
            "times": times,
        }
        asked.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
