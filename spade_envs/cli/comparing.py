"""``diff``: two sources side by side, as text and as they behave."""

from __future__ import annotations

import difflib
import json
import sys
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.syntax import Syntax
from rich.table import Table

from ..behaviour import Behaviour, compare
from ..codec import to_json
from ..errors import SourceError
from ..sandbox.host import BoxOptions
from ..terminal import shown, tame
from ..types import Isolation
from . import screen
from .naming import Named, named
from .whole import Whole

CONTEXT = 3
"""Lines around a change."""
MOST_SEEDS = 256


def diff(
    first: Annotated[str, Parameter(name="A")],
    second: Annotated[str, Parameter(name="B")],
    /,
    *,
    seeds: Whole = 8,
    seed: Whole = 0,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
    isolation: Isolation = Isolation.SECCOMP,
) -> int:
    """Compare two sources: how their texts differ, and how they behave when the same players play both.

    Both are played in the box on the same seeds: by the witness of each, and by players that understand nothing.

    Examples:

      spade-envs diff env-0001 my_env.py
      spade-envs diff env-1001 env-1002 --seeds 20
      spade-envs diff 3fa9c1d2 env-1002 --json

    Exit code 0 if nothing that was seen tells them apart, 1 if they behave differently, 2 if they cannot be compared.

    Args:
        first: An id, at least 6 digits of a hash, or a file.
        second: Likewise.
        seeds: Seeds on which both are played.
        seed: Run seed: with both hashes it decides them.
        as_json: One JSON object with the difference of the texts and the behaviour.
        isolation: Least isolation to accept: kernel, seccomp or process.
    """
    if not 1 <= seeds <= MOST_SEEDS:
        raise ValueError(f"--seeds must be 1 to {MOST_SEEDS}, not {seeds}")
    one, other = named(first), named(second)
    text = difference(one, other)
    # The same text behaves as itself; whether it does so again is what `check` asks.
    same = one.source.sha256 == other.source.sha256
    options = BoxOptions(require=isolation)
    behaviour = None if same else compare(one.source, other.source, seeds, run_seed=seed, options=options)
    if as_json:
        print(json.dumps(_row(one, other, text, behaviour)))
    else:
        out = screen.console()
        _show_text(text, out)
        if behaviour is None:
            out.print("The texts are the same.", style="bold green")
        else:
            show_behaviour(one, other, behaviour, out)
    if behaviour is not None and behaviour.unplayed and all(behaviour.problem):
        raise SourceError(
            f"neither {one.label} nor {other.label} can be played, so that nothing is known of how they do"
        )
    return 0 if behaviour is None or behaviour.alike else 1


def difference(one: Named, other: Named) -> str:
    """The unified difference of two texts; empty when they are the same."""
    before, after = (name.source.text.splitlines(keepends=True) for name in (one, other))
    lines = difflib.unified_diff(before, after, one.label, other.label, n=CONTEXT)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ no newline at the end\n" for line in lines)


def _show_text(text: str, out: Console) -> None:
    if not text:
        return
    if sys.stdout.isatty():
        # The sources are hostile text: control characters are made visible before anything is highlighted.
        out.print(Syntax(tame(text), "diff", theme="ansi_dark", background_color="default", word_wrap=True))
    else:
        print(tame(text))


def _row(one: Named, other: Named, text: str, behaviour: Behaviour | None) -> dict[str, object]:
    sides = [{"name": name.label, "sha256": name.source.sha256} for name in (one, other)]
    alike = behaviour is None or behaviour.alike
    return {"a": sides[0], "b": sides[1], "diff": text, "alike": alike, "behaviour": to_json(behaviour)}


def show_behaviour(one: Named, other: Named, found: Behaviour, out: Console) -> None:
    """What both did, side by side."""
    for letter, name, problem in zip("AB", (one, other), found.problem, strict=True):
        out.print(shown(f"{letter}  ", "dim").append(shown(name.label, "bold")))
        if problem:
            out.print(shown(f"   {problem}", "yellow", limit=600))
    if found.unplayed:
        if not all(found.problem):
            out.print("Only one of them can be played.", style="bold yellow")
        return
    count = len(found.seeds)
    table = Table(box=None, pad_edge=False)
    for column in ("", "A", "B", "alike"):
        table.add_column(column, justify="left")
    table.add_row("contract", *map(shown, found.contract), _mark(found.contract[0] == found.contract[1]))
    table.add_row("turns", *map(str, found.max_turns), _mark(found.max_turns[0] == found.max_turns[1]))
    table.add_row("witness", *found.witness, "")
    table.add_row("first observations", "", "", _share(found.first, count))
    table.add_row("tool schemas", "", "", _share(found.tools, count))
    for played in found.played:
        cells = [
            f"won {wins} of {played.episodes}, return {reward:.2f}"
            for wins, reward in _sides(played.wins, played.reward)
        ]
        table.add_row(played.player, *cells, _share(played.alike, played.episodes))
    again = [f"same {times} of {found.replayed}" for times in found.repeated]
    table.add_row("played again", *again, _mark(found.repeated == (found.replayed, found.replayed)))
    out.print(table)
    verdict = "Nothing that was seen tells them apart" if found.alike else "They behave differently"
    out.print(f"{verdict} ({count} seeds).", style="bold green" if found.alike else "bold yellow")


def _sides(wins: tuple[int, int], reward: tuple[float, float]) -> list[tuple[int, float]]:
    return [(wins[0], reward[0]), (wins[1], reward[1])]


def _mark(alike: bool) -> str:
    return "yes" if alike else "no"


def _share(alike: int, count: int) -> str:
    return f"{alike} of {count}"
