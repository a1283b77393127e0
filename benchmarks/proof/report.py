"""The table of a run."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from .scores import Scores


def show(scores: Scores, console: Console) -> None:
    """Print the table by operator, what was judged wrongly, and the totals."""
    console.print(_operators(scores))
    for one in scores.missed():
        exhibit = one.exhibit.name if one.exhibit else ""
        console.print(escape(f"missed: {one.operator}, from {one.name} ({exhibit}); verdict {one.verdict}"))
    for one in scores.refused():
        console.print(
            escape(f"not spared: {one.operator or 'good'}, {one.name}: {'; '.join(one.messages) or one.verdict}")
        )
    for one in scores.judged:
        if one.not_reproduced:
            rules = ", ".join(one.not_reproduced)
            console.print(escape(f"not shown again: {one.operator or 'good'}, {one.name}: {rules}"))
    console.print(_totals(scores))


def _operators(scores: Scores) -> Table:
    table = Table(title="Mutants by operator", title_justify="left")
    table.add_column("operator", no_wrap=True)
    for name in ("broken", "caught", "right rule", "undecided", "smoke test", "sound", "spared"):
        table.add_column(name, justify="right")
    for one in scores.operators:
        style = "" if one.recall is None or one.recall >= 0.85 else "bold red"
        row = (one.mutants, one.caught, one.right, one.undecided, one.smoke, one.variants, one.spared)
        table.add_row(escape(one.name), *map(str, row), style=style)
    return table


def _totals(scores: Scores) -> Table:
    good = len(scores.good)
    admitted = sum(one.verdict == "admit" for one in scores.good)
    refused = sum(one.verdict == "refuse" for one in scores.good)
    shown, all_ = scores.reproductions()
    seconds = scores.seconds()
    table = Table(title="Together", title_justify="left", show_header=True)
    for name in ("", "the gate", "smoke test"):
        table.add_column(name)
    table.add_row(
        "broken mutants caught", f"{scores.recall:.1%} of {len(scores.mutants)}", f"{scores.smoke_recall:.1%}"
    )
    right = sum(one.right for one in scores.operators) / max(1, len(scores.mutants))
    table.add_row("  by a rule that is meant to", f"{right:.1%}", "")
    rare = sum(one.verdict == "refuse" for one in scores.rare)
    table.add_row(
        "rare faults (under 2 % of plays)", f"{rare} of {len(scores.rare)}", f"{sum(not o.smoke for o in scores.rare)}"
    )
    table.add_row(
        "good sources admitted",
        f"{admitted} of {good}, {refused} refused",
        f"{sum(o.smoke for o in scores.good)} of {good}",
    )
    spared = sum(one.verdict == "admit" for one in scores.variants)
    table.add_row(
        "sound variants admitted", f"{spared} of {len(scores.variants)}", f"{sum(o.smoke for o in scores.variants)}"
    )
    table.add_row("reproductions shown again", f"{shown} of {all_}", "none given")
    table.add_row(
        "seconds per good source", f"median {seconds['median']:.2f}, 95 % {seconds['95th percentile']:.2f}", ""
    )
    split = ", ".join(f"{name[9:]} {value:.0%}" for name, value in seconds.items() if name.startswith("share of"))
    table.add_row("  by stage", split, "")
    rate = scores.jobs / seconds["mean"] if seconds["mean"] else 0.0
    table.add_row("sources per second", f"{rate:.2f}; 7,872 of them in {7872 / max(rate, 1e-9) / 3600:.1f} hours", "")
    return table
