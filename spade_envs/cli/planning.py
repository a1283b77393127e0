"""How a plan of a run looks, as text and as JSON."""

from __future__ import annotations

import dataclasses

from rich.table import Table
from rich.text import Text

from ..selfplay.config import Config
from ..selfplay.described import settings
from ..selfplay.plan import BYTE, TOKENS, Estimate, Plan
from ..selfplay.reading import toml
from ..terminal import shown
from . import screen

_TITLES = {
    "cycle": "one cycle that designs",
    "run": "the whole run",
    "learner": "memory of the learner",
    "sampler": "memory of the sampler",
    "disk": "disk",
}


def plan_row(plan: Plan) -> dict[str, object]:
    """A plan as one JSON object: every setting, estimates with their formulas, and what is not known."""
    return {
        "config": dataclasses.asdict(plan.config),
        "estimates": [dataclasses.asdict(one) for one in plan.estimates],
        "unknown": list(plan.unknown),
    }


def show_plan(plan: Plan) -> None:
    """Print settings that differ from their default, estimates and what is not known."""
    out = screen.console()
    out.print(Text("settings", "bold").append(" that are not their default", "dim"))
    default = Config()
    for section, field in settings():
        value = getattr(getattr(plan.config, section), field)
        if value != getattr(getattr(default, section), field):
            out.print(Text(f"  {section}.{field} = ", "dim").append(shown(toml(value), limit=200)))
    for part, title in _TITLES.items():
        estimates = [one for one in plan.estimates if one.part == part]
        if estimates:
            out.print(Text(title, "bold"))
            out.print(_table(estimates))
    out.print(Text("not known before it runs", "bold"))
    for sentence in plan.unknown:
        out.print(Text("  ").append(shown(sentence)))
    out.print("Nothing was loaded, asked or written.", style="dim")


def _table(estimates: list[Estimate]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(style="dim")
    for one in estimates:
        table.add_row(f"  {one.what}", ("≤ " if one.most else "") + amount(one), one.how)
    return table


def amount(estimate: Estimate) -> str:
    """A number for people.

    >>> amount(Estimate("learner", "weights", 8_044_936_192, "bytes", ""))
    '8.04 GB'
    """
    value = float(estimate.value)
    if estimate.unit == BYTE:
        return _scaled(value, ("B", "kB", "MB", "GB", "TB", "PB"))
    if estimate.unit == TOKENS:
        return _scaled(value, ("tokens", "k tokens", "M tokens", "G tokens", "T tokens"))
    if value >= 1e6:
        return _scaled(value, ("", "k", "M", "G", "T", "P"))
    return f"{estimate.value:,}"


def _scaled(value: float, units: tuple[str, ...]) -> str:
    at = 0
    while value >= 999.5 and at < len(units) - 1:
        value, at = value / 1000, at + 1
    return f"{value:.3g} {units[at]}".strip()
