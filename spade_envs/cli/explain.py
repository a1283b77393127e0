"""``explain``: what a rule means."""

from __future__ import annotations

import difflib
import json
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.syntax import Syntax

from ..admission import rules
from ..rules import GateRule, assemble
from . import screen

_OURS = {
    "gate.error": "The check itself failed at this point. Nothing is decided; check again, and report it if it stays.",
    "gate.budget": "The wall time for one source ended before every mandatory rule had run. Raise --budget, or make"
    " reset() and step() faster.",
}


def explain(
    rule: Annotated[str, Parameter(name="RULE")] = "",
    /,
    *,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> int:
    """Explain a rule of the gate, with an accepted and a refused example; without a rule, list them all.

    Examples:

      spade-envs explain
      spade-envs explain determinism.replay

    Args:
        rule: Name of a rule, as findings print it.
        as_json: One JSON object per rule, each on its own line.
    """
    known = rules()
    out = screen.console()
    if rule in _OURS:
        out.print(f"{rule}  (undecided)\n\n{_OURS[rule]}")
        return 0
    if rule and rule not in known:
        near = difflib.get_close_matches(rule, known, n=3, cutoff=0.3)
        hint = f"; did you mean {', '.join(near)}?" if near else ""
        raise ValueError(f"no rule is named {rule!r}{hint}; `spade-envs explain` lists them")
    chosen = [known[rule]] if rule else list(known.values())
    if as_json:
        for one in chosen:
            print(json.dumps(_row(one)))
        return 0
    if rule:
        _page(known[rule], out)
        return 0
    for one in chosen:
        out.print(f"{one.name:<24}", style="bold", end="")
        out.print(f"{one.severity.value:<10} {one.page.splitlines()[0].replace('``', '`')}")
    return 0


def _row(rule: GateRule) -> dict[str, str]:
    return {
        "rule": rule.name,
        "stage": rule.stage,
        "severity": rule.severity.value,
        "page": rule.page,
        "accepted": assemble(rule.example("Accepted")),
        "refused": assemble(rule.example("Refused")),
    }


def _page(rule: GateRule, out: Console) -> None:
    out.print(f"{rule.name}  ({rule.severity.value})", style="bold")
    out.print()
    for paragraph in rule.page.replace("``", "`").split("\n\n"):
        out.print(" ".join(paragraph.split()))
        out.print()
    for label, style in (("Accepted", "green"), ("Refused", "red")):
        out.print(f"{label}:", style=style)
        out.print(Syntax(rule.example(label), "python", theme="ansi_dark", background_color="default", word_wrap=True))
