"""``list`` and ``show``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Annotated

from cyclopts import Parameter

from ..codec import to_json
from ..errors import StoreError, UnknownEnv
from ..memory import SqliteMemory
from ..shelf import NAMESPACE, Shelf
from ..specs import MENU
from ..store import Entry, home, resolve, search_path
from ..terminal import shown, tame
from ..types import Card, Origin, Probe
from . import screen


def list_envs(
    *,
    skill: str = "",
    contract: str = "",
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> int:
    """List the environments on the bundled shelf, your own, and those on SPADE_ENVS_PATH.

    Examples:

      spade-envs list
      spade-envs list --contract tools
      spade-envs list --json | jq .id

    Args:
        skill: Only this skill.
        contract: Only this contract.
        as_json: One JSON object per environment, each on its own line.
    """
    entries = [entry for shelf in search_path() for entry in shelf.entries()]
    wanted = [e for e in entries if skill in ("", e.skill) and contract in ("", e.contract)]
    if as_json:
        for entry in wanted:
            print(json.dumps(_row(entry)))
        return 0
    out = screen.console()
    if not wanted:
        out.print(_nothing(entries, skill, contract))
        return 0
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("id", "skill", "contract", "turns", "sha256"):
        table.add_column(column, no_wrap=column == "id")
    for entry in wanted:
        cells = (entry.env_id, entry.skill, entry.contract, str(entry.max_turns), entry.sha256[:12])
        table.add_row(*(shown(cell) for cell in cells))
    out.print(table)
    return 0


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


def find(env_id: str) -> tuple[Shelf, Entry]:
    """The shelf and entry of ``spade/env-0001`` or ``env-0001``. Raises ``UnknownEnv`` naming the nearest ids."""
    if env_id.endswith(".py"):
        raise UnknownEnv(f"{env_id} is a file, not an id; admit it first: spade-envs admit {env_id}")
    if env_id.endswith(MENU):
        raise UnknownEnv(f"{env_id} is a numeric view, for gymnasium.make; ask for {env_id.removesuffix(MENU)}")
    namespace, _, name = env_id.removeprefix("spade_envs:").rpartition("/")
    return resolve(name, namespace=namespace or NAMESPACE)


def show(
    env_id: Annotated[str, Parameter(name="ID")],
    /,
    *,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> int:
    """Show one environment: its card, its report, what models made of it, and its source.

    Examples:

      spade-envs show env-0001
      spade-envs show spade/env-0001 --json

    Args:
        env_id: Such as spade/env-0001, or env-0001.
        as_json: One JSON object with the card, the probes and the source.
    """
    shelf, entry = find(env_id)
    card = shelf.read_card(entry.name)
    source = shelf.read_source(entry.name)
    probes = _probes(entry.sha256)
    if as_json:
        facts = {"id": entry.env_id, "shelf": str(shelf.path), "card": to_json(card), "probes": to_json(probes)}
        print(json.dumps({**facts, "source": source.text}))
        return 0
    out = screen.console()
    out.print(shown(entry.env_id, "bold"))
    for name, value in _facts(card):
        out.print(f"  {name:<10}", style="dim", end="")
        out.print(shown(value))
    for finding in card.report.findings:
        for line in screen.finding_lines(finding, source.text):
            out.print(line)
    for probe in probes:
        out.print()
        for line in screen.probe_lines(probe, f"{probe.model} {probe.policy_version}".strip()):
            out.print(line)
        out.print(shown(f"            {probe.date}, {_sampled(probe)}", "dim"))
    from rich.syntax import Syntax

    out.print()
    # The source is hostile text too: control characters are made visible before it is highlighted.
    out.print(
        Syntax(
            tame(source.text),
            "python",
            theme="ansi_dark",
            line_numbers=True,
            background_color="default",
            word_wrap=True,
        )
    )
    return 0


def _probes(sha256: str) -> tuple[Probe, ...]:
    """What the memory knows, where there is one; a memory that cannot be read hides no card."""
    if not (home() / "memory.db").exists():
        return ()
    try:
        with SqliteMemory() as memory:
            return memory.probes(sha256)
    except StoreError as error:
        print(f"spade-envs: {tame(str(error))}", file=sys.stderr)
        return ()


def _sampled(probe: Probe) -> str:
    """How a probe was sampled: what is not as it usually is, from JSON that may be anything."""
    try:
        values = json.loads(probe.sampling)
    except (ValueError, RecursionError):
        values = None
    kept = values if isinstance(values, dict) else {}
    named = [f"{name} {kept[name]}" for name in ("temperature", "top_p", "max_tokens", "cap_turns") if kept.get(name)]
    return ", ".join(named) or "sampling not told"


def _came_from(origin: Origin) -> str:
    """``a-pool, games/a.py, run-1, step 12, 30B``."""
    step = "" if origin.step is None else f"step {origin.step}"
    facts = (origin.pool, origin.path, origin.run, step, origin.scale, origin.recipe, origin.difficulty)
    return ", ".join(fact for fact in facts if fact)


def _facts(card: Card) -> list[tuple[str, str]]:
    facts = [
        ("skill", card.skill),
        ("contract", card.contract),
        ("turns", str(card.max_turns)),
        ("witness", card.witness_kind),
        ("instances", f"{card.instances} different first observations on 20 seeds"),
        ("floor", "not measured" if card.floor is None else f"the best weak player wins {card.floor:.1%}"),
        ("hint", card.hint),
        ("parent", card.parent),
        ("made by", card.made_by),
        ("from", _came_from(card.origin)),
        ("claimed", card.origin.claimed),
        ("admitted", f"{card.made}, isolation {card.report.isolation.value}"),
        ("sha256", card.sha256),
    ]
    return [(name, value) for name, value in facts if value]
