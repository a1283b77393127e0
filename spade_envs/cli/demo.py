"""``demo``: the whole pipeline on the designer replies that ship with the package."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from pathlib import Path

import gymnasium
from rich.console import Console

from ..admission import card_of, validate
from ..players import Scripted
from ..rollout import play
from ..sandbox.host import BoxOptions
from ..shelf import Shelf
from ..specs import spec_of
from ..terminal import shown, tame
from ..trial import Trial
from ..types import EnvSource, Limits, Report, Severity
from . import screen
from .playing import show_episode


def demo() -> int:
    """Show the pipeline: designer replies, the gate's verdicts, admission, and one episode through gym.make.

    Works on a temporary shelf; nothing of yours is touched. Needs no model, no network and no GPU.
    """
    out = screen.console()
    replies = sorted(resources.files("spade_envs").joinpath("demo", "replies").iterdir(), key=lambda item: item.name)
    sources = [EnvSource.from_reply(reply.read_text("utf-8"), made_by="demo") for reply in replies]
    names = [reply.name.removesuffix(".md").replace("-sound-", " ").replace("-broken-", " ") for reply in replies]
    out.print(f"{len(sources)} replies of a designer. Each is checked in a locked process.\n", style="bold")
    reports = _check(sources, out)
    with tempfile.TemporaryDirectory(prefix="spade-envs-demo-") as folder:
        shelf = Shelf.create(Path(folder) / "shelf", "demo", 1)
        admitted = _judge(names, sources, reports, shelf, out)
        if not admitted:
            out.print("Nothing was admitted; `spade-envs doctor` may tell why.", style="bold red")
            return 1
        chosen = max(admitted, key=lambda env_id: shelf.get(env_id.rpartition("/")[2]).contract == "interactive")
        out.print(f"\n{len(admitted)} admitted. One episode through gym.make, played by its author:\n", style="bold")
        _witness_episode(shelf, chosen, out)
    out.print("\nThat shelf was temporary. Next (in this checkout: . .venv/bin/activate):", style="bold")
    out.print("  spade-envs list                   what is on the shelves")
    out.print("  spade-envs play env-0001          play one yourself")
    out.print("  spade-envs check YOUR_FILE.py     check an environment of yours")
    out.print("  spade-envs explain exploits.floor what a rule means and how to mend it")
    return 0


def _check(sources: Sequence[EnvSource], out: Console) -> list[Report]:
    """The gate's report on every source, several at a time."""
    from rich.progress import track

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        reports = pool.map(validate, sources)
        return list(track(reports, "Checking", total=len(sources), console=out, transient=True))


def _judge(
    names: Sequence[str], sources: Sequence[EnvSource], reports: Sequence[Report], shelf: Shelf, out: Console
) -> list[str]:
    """Print the table of verdicts, put what is admitted on the shelf, and return the ids that were given."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, expand=True)
    for column in ("reply", "verdict", "rule", "why, and what to change"):
        table.add_column(column, overflow="fold", no_wrap=column in ("verdict", "rule"))
    admitted = []
    for name, source, report in zip(names, sources, reports, strict=True):
        verdict = shown(report.verdict.value, screen.STYLES[report.verdict])
        worst = next((f for f in report.findings if f.severity is not Severity.WARNING), None)
        if worst is None:
            env_id = f"{shelf.namespace}/{shelf.add(source, card_of(source, report)).name}"
            admitted.append(env_id)
            floor = "" if report.floor is None else f", weak players win {report.floor:.0%}"
            facts = shown(f"{env_id}: {report.contract}, {report.instances} instances seen{floor}", "dim")
            table.add_row(shown(name), verdict, "", facts)
        else:
            table.add_row(shown(name), verdict, worst.rule, shown(worst.message, limit=240))
    out.print(table)
    return admitted


def _witness_episode(shelf: Shelf, env_id: str, out: Console) -> None:
    entry = shelf.get(env_id.rpartition("/")[2])
    source = shelf.read_source(entry.name)
    trial = Trial(source, Limits(), 0, BoxOptions())
    try:
        actions = trial.witness(7)
    finally:
        trial.close()
    spec = spec_of(entry, off_path=True)
    out.print(tame(f">>> env = gym.make({env_id!r})"), style="dim")
    env = gymnasium.make(spec)
    try:
        show_episode(play(env.unwrapped, Scripted(actions, "witness"), 7, env_id=env_id), out)  # type: ignore[arg-type]
    finally:
        env.close()
