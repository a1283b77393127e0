"""``stats``: what the memory holds, in numbers and bars."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Annotated

from cyclopts import Parameter
from rich.bar import Bar
from rich.console import Console
from rich.table import Table

from ..codec import to_json
from ..memory.looking import facets
from ..memory.records import UNPROBED, Count, Facets, Filters
from ..memory.totals import BINS, Cell, Totals, totals
from ..terminal import shown
from . import screen
from .naming import remembered

WIDTH = 40
"""Characters of the longest bar."""
MOST_BARS = 20
"""Bars of one picture; the rest is summed up."""


def stats(*, as_json: Annotated[bool, Parameter(name="--json", negative="")] = False) -> int:
    """Count what the memory holds: verdicts, refusing rules, skills by contract, bands, regrets, models, sizes.

    Examples:

      spade-envs stats
      spade-envs stats --json | jq .refused_by

    Args:
        as_json: One JSON object.
    """
    with remembered() as memory:
        held = totals(memory)
        spread = facets(memory, Filters())
    if as_json:
        print(json.dumps(_row(held, spread)))
        return 0
    out = screen.console()
    out.print(_headline(held), style="bold")
    if not held.sources:
        out.print("Nothing is remembered yet; `spade-envs admit FILE` adds a source.")
        return 0
    _bars("verdict", spread.verdict, out)
    _bars("refused by", held.refused, out)
    _show_cells(held.cells, out)
    _bars("band of the last probe", [count for count in spread.band if count.value != UNPROBED], out)
    _show_regrets(held.regrets, out)
    _bars("made by", spread.made_by, out)
    _bars("pool", spread.pool, out)
    _bars("run", spread.run, out)
    if held.lengths is not None:
        long = held.lengths
        out.print("\nlines of a source", style="bold")
        out.print(
            f"  {long.least} to {long.most}; half have at most {long.median}, 90 % at most {long.most_of_90_percent}"
        )
    return 0


def _headline(held: Totals) -> str:
    parts = [
        _many(held.sources, "source"),
        _many(held.reports, "report"),
        _many(held.probes, "probe"),
        _many(held.episodes, "episode"),
        _many(held.documents, "document"),
    ]
    return f"{', '.join(parts)}; {_bytes(held.bytes)}"


def _many(count: int, word: str) -> str:
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def _bytes(count: int) -> str:
    return f"{count / 2**20:,.1f} MiB" if count >= 2**20 else f"{count / 2**10:,.0f} KiB"


def _row(held: Totals, spread: Facets) -> dict[str, object]:
    def counts(some: Iterable[Count]) -> dict[str, int]:
        return {count.value: count.sources for count in some}

    facts = {name: value for name, value in to_json(held).items() if name != "refused"}
    return {
        **facts,
        "verdict": counts(spread.verdict),
        "refused_by": counts(held.refused),
        "skill": counts(spread.skill),
        "contract": counts(spread.contract),
        "band": counts(spread.band),
        "made_by": counts(spread.made_by),
        "pool": counts(spread.pool),
        "run": counts(spread.run),
        "scale": counts(spread.scale),
    }


def _bars(title: str, counts: Sequence[Count], out: Console) -> None:
    """A bar for each value; nothing where there is none."""
    named = [(count.value, count.sources) for count in counts if count.sources]
    if not any(value for value, _ in named):
        return
    left = sum(number for _, number in named[MOST_BARS:])
    rows = [*named[:MOST_BARS], *([(f"{len(named) - MOST_BARS} others", left)] if left else [])]
    _draw(title, [(value or "not told", number) for value, number in rows], out)


def _show_regrets(bins: Sequence[int], out: Console) -> None:
    if not any(bins):
        return
    used = [number for number, count in enumerate(bins) if count]
    rows = [(f"{_edge(n):+.1f} to {_edge(n + 1):+.1f}", bins[n]) for n in range(used[0], used[-1] + 1)]
    _draw(f"regret of {_many(sum(bins), 'probed source')}", rows, out)


def _edge(number: int) -> float:
    return round(2 * number / BINS - 1, 9) + 0.0  # which makes -0.0 a 0.0


def _draw(title: str, rows: Sequence[tuple[str, int]], out: Console) -> None:
    out.print(f"\n{title}", style="bold")
    table = Table(box=None, show_header=False, padding=(0, 0, 0, 2))
    table.add_column()
    table.add_column(justify="right")
    table.add_column(width=WIDTH)
    most = max(number for _, number in rows)
    for value, number in rows:
        table.add_row(shown(value, limit=60), f"{number:,}", Bar(most, 0, number, width=WIDTH, color="cyan"))
    out.print(table)


def _show_cells(cells: Sequence[Cell], out: Console) -> None:
    out.print("\nadmitted of all, by skill and contract", style="bold")
    contracts = list(dict.fromkeys(sorted(cell.contract for cell in cells)))
    table = Table(box=None, pad_edge=True)
    table.add_column("")
    for contract in contracts:
        table.add_column(shown(contract or "not told", limit=40))
    by_place = {(cell.skill, cell.contract): f"{cell.admitted:,} of {cell.sources:,}" for cell in cells}
    for skill in dict.fromkeys(cell.skill for cell in cells):
        table.add_row(shown(skill or "not told", limit=60), *(by_place.get((skill, one), "") for one in contracts))
    out.print(table)
