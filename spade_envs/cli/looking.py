"""``show``: one environment, or one source that the memory knows, with all that is known of it."""

from __future__ import annotations

import json
import sys
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from ..codec import to_json
from ..memory.records import Everything
from ..sandbox.host import BoxOptions
from ..terminal import shown, tame
from ..types import Card, EnvSource, Episode, Isolation, Origin, Probe, Report
from . import screen
from .naming import Named, named
from .relatives import Around, around, show_around, show_nearest

MOST_TURNS = 12
"""Turns of a sample episode that are shown."""


def show(
    env_id: Annotated[str, Parameter(name="ID")],
    /,
    *,
    source: Annotated[bool, Parameter(negative="")] = False,
    episode: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
    isolation: Isolation = Isolation.SECCOMP,
) -> int:
    """Show one source: its card, its report, what models made of it, its text, and from the memory all that is known.

    Sources that are on no shelf are shown too, by the beginning of their hash: what was refused, and why.

    Examples:

      spade-envs show env-0001
      spade-envs show spade/env-0001 --json
      spade-envs show 3fa9c1d2 --episode
      spade-envs show env-0001 --source > my_env.py

    Args:
        env_id: Such as spade/env-0001, env-0001, or at least 6 digits of a hash.
        source: Print the text of the source only, as it is.
        episode: Show an episode: one that the memory has, else the witness is played in the box.
        seed: Seed of the episode that is played.
        as_json: One JSON object with the card, the probes, the source, and what the memory knows.
        isolation: Least isolation to accept when an episode is played.
    """
    if seed < 0:
        raise ValueError(f"--seed must be at least 0, not {seed}")
    name = named(env_id)
    if source:
        _write_source(name.source)
        return 0
    known = around(name.source.sha256)
    card = name.place[0].read_card(name.place[1].name) if name.place is not None else None
    sample = _sample(name, known, seed, isolation) if episode else None
    if as_json:
        print(json.dumps(_row(name, card, known, sample)))
        return 0
    out = screen.console()
    if card is not None:
        _show_card(name, card, out)
    elif known is not None:
        _show_remembered(name, known.everything, out)
    _show_probes(known.everything.probes if known is not None else (), out)
    _show_source(name.source, out)
    if known is not None:
        show_around(known, name.label, out)
    elif card is not None:
        show_nearest(card.neighbours, out)  # as they were when it was admitted
    if sample is not None:
        _show_sample(sample, out)
    return 0


def _write_source(source: EnvSource) -> None:
    if sys.stdout.isatty():
        print(tame(source.text), end="")  # it is hostile text: only a file or a program gets it as it is
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(source.text.encode("utf-8", "surrogatepass"))
    sys.stdout.buffer.flush()


def _row(name: Named, card: Card | None, known: Around | None, sample: Episode | None) -> dict[str, object]:
    all_of_it = known.everything if known is not None else None
    row: dict[str, object] = {
        "id": name.place[1].env_id if name.place is not None else "",
        "shelf": str(name.place[0].path) if name.place is not None else None,
        "card": to_json(card),
        "probes": to_json(all_of_it.probes if all_of_it is not None else ()),
        "source": name.source.text,
        "sha256": name.source.sha256,
    }
    if known is not None and all_of_it is not None:
        row["memory"] = to_json(all_of_it.row)
        row["origin"] = to_json(all_of_it.origin)
        row["reports"] = to_json(all_of_it.reports)
        row["lineage"] = to_json(known.family)
        row["neighbours"] = to_json(known.neighbours)
        row["document"] = known.document
        row["episodes"] = to_json(known.episodes)
    if sample is not None:
        row["episode"] = {**to_json(sample), "success": sample.success, "outcome": sample.outcome}
    return row


# -- on a terminal -----------------------------------------------------------------------------------------------


def _show_card(name: Named, card: Card, out: Console) -> None:
    out.print(shown(name.label, "bold"))
    _show_facts(_facts(card), out)
    _show_findings(card.report, name.source, out)


def _show_remembered(name: Named, known: Everything, out: Console) -> None:
    """What is on no shelf: its last report is what is to be known first."""
    if known.reports:
        out.print(screen.verdict_line(known.reports[-1], name.label))
    else:
        out.print(shown(f"{'UNCHECKED':<9} ", "bold").append(shown(name.label, "bold")))
    row, origin = known.row, known.origin
    facts = [
        ("name", row.name),
        ("skill", row.skill),
        ("contract", row.contract),
        ("hint", known.source.hint),
        ("parent", row.parent),
        ("made by", row.made_by),
        ("from", _came_from(origin)),
        ("claimed", origin.claimed),
        ("seen", row.seen),
        ("reports", str(len(known.reports)) if len(known.reports) > 1 else ""),
        ("sha256", row.sha256),
    ]
    _show_facts(facts, out)
    if known.reports:
        _show_findings(known.reports[-1], known.source, out)


def _show_facts(facts: list[tuple[str, str]], out: Console) -> None:
    for label, value in facts:
        if value:
            out.print(f"  {label:<10}", style="dim", end="")
            out.print(shown(value))


def _show_findings(report: Report, source: EnvSource, out: Console) -> None:
    for finding in report.findings:
        for line in screen.finding_lines(finding, source.text):
            out.print(line)


def _show_probes(probes: tuple[Probe, ...], out: Console) -> None:
    for probe in probes:
        out.print()
        for line in screen.probe_lines(probe, f"{probe.model} {probe.policy_version}".strip()):
            out.print(line)
        out.print(shown(f"            {probe.date}, {_sampled(probe)}", "dim"))


def _show_source(source: EnvSource, out: Console) -> None:
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


def _show_sample(episode: Episode, out: Console) -> None:
    from .playing import show_episode

    out.print()
    out.print(f"Episode, played by {tame(episode.player)}", style="bold")
    show_episode(episode, out, most=MOST_TURNS)


def _sample(name: Named, known: Around | None, seed: int, isolation: Isolation) -> Episode:
    """An episode that the memory has, else the witness's."""
    if known is not None and known.episodes:
        return known.episodes[0]
    from ..env import EnvSettings
    from ..reproduction import play_witness

    settings = EnvSettings(name.source.contract)
    return play_witness(name.source, seed, settings=settings, options=BoxOptions(require=isolation), env_id=name.label)


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
