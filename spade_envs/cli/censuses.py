"""How a census looks: totals, and a table for each way of looking at them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.table import Table
from rich.text import Text

from ..importing import Census, Tally
from ..terminal import shown

RULES = 30
"""Rules that are shown; the rest is in ``--json``."""
_VERDICTS = ("sources", "admitted", "refused", "undecided", "unchecked")
_STYLES = {"admitted": "green", "refused": "red", "undecided": "yellow", "unchecked": "cyan"}


def census_lines(census: Census) -> Iterator[Text | Table]:
    """A census, part by part."""
    total = census.total
    yield Text()
    yield shown(f"{census.pool}: {total.sources:,} source{'' if total.sources == 1 else 's'}", "bold")
    for name in _VERDICTS[1:]:
        number = getattr(total, name)
        if number:
            line = Text(f"  {name:<10}", style=_STYLES[name]).append(f"{number:>8,}", style="default")
            yield line.append(f"  {number / total.sources:6.1%}", style="dim")
    if census.shelved:
        yield Text(f"  {'on a shelf':<10}{census.shelved:>8,}")
    if census.rules:
        rules = [(one.rule, one.refused, one.undecided) for one in census.rules[:RULES]]
        yield Text()
        yield _table(("stopped by", "refused", "undecided"), rules)
    if len(census.skills) > 1 or any(one.value for one in census.skills):
        yield Text()
        yield _tallies("skill", census.skills)
    if any(one.value for one in census.models):
        yield Text()
        yield _tallies("made by", census.models)
    if census.steps:
        yield Text()
        yield _tallies("step", [steps.tally for steps in census.steps])
    if census.problems:
        yield Text()
        yield _table(("problem", "count"), [(one.kind, one.count) for one in census.problems])


def _tallies(title: str, tallies: Sequence[Tally]) -> Table:
    # A column in which all is nothing tells nothing.
    used = [name for name in _VERDICTS if any(getattr(one, name) for one in tallies)]
    rows = [(one.value or "(not told)", *(getattr(one, name) for name in used)) for one in tallies]
    return _table((title, *used), rows)


def _table(heads: Sequence[str], rows: Sequence[tuple[str | int, ...]]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for head in heads:
        table.add_column(head, justify="left" if head == heads[0] else "right", style=_STYLES.get(head, ""))
    for row in rows:
        name, *numbers = row
        table.add_row(shown(str(name), limit=100), *(f"{number:,}" if number else "-" for number in numbers))
    return table
