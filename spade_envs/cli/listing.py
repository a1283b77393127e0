"""``list`` and ``search``."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..codec import to_json
from ..memory import SqliteMemory
from ..memory.looking import facets, find
from ..memory.records import UNPROBED, Filters, Order, Row
from ..store import Entry, search_path
from ..terminal import shown
from . import screen
from .filtering import ANY, FilterFlags
from .naming import remembered, with_shelves
from .whole import Whole

PAGE = 50
"""Sources of the memory that are shown where ``--most`` does not say."""
ASKED = 200
"""Rows that the memory is asked for at once."""
LINE = 160
"""Characters of a source's line that are shown."""

_WORD = re.compile(r"[^\W_]+\*?")


def list_envs(
    *,
    memory: Annotated[bool, Parameter(negative="")] = False,
    sort: Order | None = None,
    most: Whole | None = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
    flags: Annotated[FilterFlags, Parameter(name="*")] = ANY,
) -> int:
    """List the environments on the bundled shelf, your own, and those on SPADE_ENVS_PATH; or all that is remembered.

    Flags that no shelf can answer, such as --verdict or --regret, look in the memory: there, what was refused is too.

    Examples:

      spade-envs list
      spade-envs list --contract tools
      spade-envs list --verdict refuse --rule feasibility.witness
      spade-envs list --memory --sort regret --most 20
      spade-envs list --json | jq .id

    Args:
        memory: Every source that was ever seen, refused ones too.
        sort: newest, regret or hardest first; the latter two only what was probed.
        most: Sources shown at most; 0 shows all. 50 of the memory and all of the shelves, when left out.
        as_json: One JSON object per environment, each on its own line.
    """
    _check_most(most)
    if memory or sort is not None or flags.needs_memory():
        with remembered() as known:
            found = pages(known, flags.filters(), sort or Order.NEWEST, PAGE if most is None else most)
            if as_json:
                for row in found.rows:
                    print(json.dumps(row_json(row)))
            else:
                _show_rows(found.rows, known, flags.filters(), screen.console())
            _tell_more(found.more, as_json, exact=found.exact)
        return 0
    _list_shelves(flags.skill, flags.contract, most or sys.maxsize, as_json)
    return 0


def search(
    text: Annotated[str, Parameter(name="TEXT")],
    /,
    *,
    sort: Order = Order.NEWEST,
    most: Whole = 20,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
    flags: Annotated[FilterFlags, Parameter(name="*")] = ANY,
) -> int:
    """Search the shelves and the memory for words: in names, hints, documents, comments and code.

    All words have to occur; queue* finds what begins so. What was refused is found too, unless --verdict leaves it out.

    Examples:

      spade-envs search "priority queue"
      spade-envs search "invoice*" --contract tools --verdict admit
      spade-envs search kiln --json | jq .line

    Args:
        text: Words, in quotes where they are several.
        sort: newest, regret or hardest first; the latter two only what was probed.
        most: Sources shown at most; 0 shows all.
        as_json: One JSON object per source, each on its own line, with the line that matches.
    """
    _check_most(most)
    words = [word.lower() for word in _WORD.findall(text)]
    if not words:
        raise ValueError(f"{text[:80]!r} has no word to search for; give letters or digits")
    with with_shelves() as known:
        found = pages(known, flags.filters(text), sort, most)
        out = screen.console()
        for row in found.rows:
            number, line = _matching(known, row.sha256, words)
            if as_json:
                print(json.dumps({**row_json(row), "line": number, "text": line}))
                continue
            out.print(_headline(row))
            if number:
                quoted = shown(line.strip().expandtabs(4), limit=LINE)
                quoted.highlight_regex(_pattern(words), "bold yellow")
                out.print(Text(f"    {number:>5} | ", style="dim").append(quoted))
        if not found.rows and not as_json:
            out.print(
                shown(f"Nothing has {' and '.join(words)} in it; `spade-envs list --memory` shows what there is.")
            )
        _tell_more(found.more, as_json, exact=found.exact)
    return 0


def _check_most(most: int | None) -> None:
    if most is not None and most < 0:
        raise ValueError(f"--most must be at least 0, not {most}; 0 shows all")


@dataclasses.dataclass(frozen=True)
class Listed:
    """Rows of the memory, and how many there are besides."""

    rows: tuple[Row, ...]
    more: int
    exact: bool = True
    """Whether there are not even more."""


def pages(memory: SqliteMemory, filters: Filters, order: Order, most: int) -> Listed:
    """Up to ``most`` rows; all for 0."""
    rows: list[Row] = []
    after = ""
    while True:
        page = find(memory, filters, order=order, after=after, most=min(ASKED, most - len(rows)) if most else ASKED)
        rows += page.rows
        after = page.following
        if not after or (most and len(rows) >= most):
            break
    if not after:
        return Listed(tuple(rows), 0)
    counted = facets(memory, filters)
    # By regret or success only what was probed is there.
    unprobed = 0 if order is Order.NEWEST else sum(one.sources for one in counted.band if one.value == UNPROBED)
    return Listed(tuple(rows), max(1, counted.total - unprobed - len(rows)), counted.exact)


def _tell_more(more: int, as_json: bool, *, exact: bool = True) -> None:
    if more > 0:
        note = f"{'' if exact else 'at least '}{more:,} more; --most N shows more of them, --most 0 all"
        print(note, file=sys.stderr if as_json else sys.stdout)


def row_json(row: Row) -> dict[str, object]:
    """A source of the memory, with the keys that one on a shelf has."""
    facts = to_json(row)
    assert isinstance(facts, dict), "a dataclass becomes an object"
    facts.pop("id")
    return {"id": facts.pop("env_id"), **facts}


def _headline(row: Row) -> Text:
    line = shown(f"{row.env_id or row.sha256[:12]}  ", "bold").append(shown(row.name or "-", "bold cyan"))
    return line.append("  ").append(verdict_text(row)).append(shown(f"  {' '.join(filter(None, _about(row)))}", "dim"))


def _about(row: Row) -> tuple[str, ...]:
    return row.skill, row.contract, row.made_by, regret_text(row)


def verdict_text(row: Row) -> Text:
    """``refuse feasibility.witness``."""
    word = row.verdict.value if row.verdict is not None else "unchecked"
    text = Text(word, style=screen.STYLES[row.verdict] if row.verdict is not None else "dim")
    return text.append(shown(f" {row.rule}", "")) if row.rule else text


def regret_text(row: Row) -> str:
    """``+0.38 (low +0.10) frontier``, the second number being what it is sorted by; empty until it is probed."""
    told = row.measured
    return f"{told.regret:+.2f} (low {told.low:+.2f}) {told.band}" if told is not None else ""


def _show_rows(rows: Sequence[Row], memory: SqliteMemory, filters: Filters, out: Console) -> None:
    if not rows:
        out.print(shown(_nothing_remembered(memory, filters)))
        return
    columns = {
        "id": [shown(row.env_id or row.sha256[:12]) for row in rows],
        "name": [shown(row.name) for row in rows],
        "verdict": [verdict_text(row) for row in rows],
        "skill": [shown(row.skill) for row in rows],
        "contract": [shown(row.contract) for row in rows],
        "regret": [shown(regret_text(row)) for row in rows],
        "made by": [shown(row.made_by) for row in rows],
    }
    left_out = _fit(columns, out.width)
    table = Table(box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, no_wrap=column == "id")
    for cells in zip(*columns.values(), strict=True):
        table.add_row(*cells)
    out.print(table)
    if left_out:
        out.print(f"Too narrow for {' and '.join(left_out)}; --json tells all.", style="dim")


def _fit(columns: dict[str, list[Text]], width: int) -> list[str]:
    """Take columns out until the rest fits into ``width`` cells, empty ones first; those that told something."""
    widths = {name: max(len(name), *(cell.cell_len for cell in cells)) for name, cells in columns.items()}
    empty = [name for name, cells in columns.items() if not any(cells)]
    left_out = []
    for name in [*empty, "made by", "skill", "contract"]:
        if sum(widths.values()) + 2 * (len(widths) - 1) <= width:
            break
        if widths.pop(name, None) is not None:
            del columns[name]
            if name not in empty:
                left_out.append(name)
    return left_out


def _nothing_remembered(memory: SqliteMemory, filters: Filters) -> str:
    there = facets(memory, Filters())
    if not there.total:
        return "The memory is empty; `spade-envs admit FILE` fills it."
    asked = ("skill", "contract", "verdict", "rule", "band", "made_by", "pool", "run", "scale")
    wrong = [
        f"of {name.replace('_', ' ')} {getattr(filters, name)!r}; there are {', '.join(values[:12])}"
        for name in asked
        if getattr(filters, name)
        and getattr(filters, name) not in (values := [count.value for count in getattr(there, name) if count.value])
    ]
    return f"No source {', and '.join(wrong)}." if wrong else f"None of {there.total:,} sources passes these filters."


def _matching(memory: SqliteMemory, sha256: str, words: Sequence[str]) -> tuple[int, str]:
    """Number and text of the first line with the most of the words; 0 where what matches is not in the source."""
    source = memory.source(sha256)
    pattern = _pattern(words)
    best = (0, 0, "")
    for number, line in enumerate(source.text.splitlines() if source is not None else (), 1):
        count = len({match.lower() for match in pattern.findall(line)})
        if count > best[0]:
            best = (count, number, line)
    return best[1:]


def _pattern(words: Sequence[str]) -> re.Pattern[str]:
    """Any of the words, as the memory tells words apart: an underscore ends one."""
    parts = [re.escape(word.removesuffix("*")) + ("" if word.endswith("*") else r"(?![^\W_])") for word in words]
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(parts)})", re.IGNORECASE)


# -- shelves -----------------------------------------------------------------------------------------------------


def _list_shelves(skill: str, contract: str, most: int, as_json: bool) -> None:
    entries = [entry for shelf in search_path() for entry in shelf.entries()]
    wanted = [e for e in entries if skill in ("", e.skill) and contract in ("", e.contract)]
    if as_json:
        for entry in wanted[:most]:
            print(json.dumps(_row(entry)))
        _tell_more(len(wanted) - most, as_json)
        return
    out = screen.console()
    if not wanted:
        out.print(_nothing(entries, skill, contract))
        return
    table = Table(box=None, pad_edge=False)
    for column in ("id", "skill", "contract", "turns", "sha256"):
        table.add_column(column, no_wrap=column == "id")
    for entry in wanted[:most]:
        cells = (entry.env_id, entry.skill, entry.contract, str(entry.max_turns), entry.sha256[:12])
        table.add_row(*(shown(cell) for cell in cells))
    out.print(table)
    _tell_more(len(wanted) - most, as_json)


def _nothing(entries: Sequence[Entry], skill: str, contract: str) -> str:
    if not entries:
        return "No environments yet; `spade-envs admit FILE` adds one."
    there = [("skill", skill, {e.skill for e in entries}), ("contract", contract, {e.contract for e in entries})]
    said = [f"of {what} {given!r}; there are {', '.join(sorted(all_))}" for what, given, all_ in there if given]
    return f"No environment {', and '.join(said)}."


def _row(entry: Entry) -> dict[str, object]:
    return {
        "id": entry.env_id,
        "sha256": entry.sha256,
        "skill": entry.skill,
        "contract": entry.contract,
        "max_turns": entry.max_turns,
        "menu": entry.menu,
        "shelf": str(entry.shelf),
    }
