"""``demo``: the whole pipeline on six designer replies that ship with the package."""

from __future__ import annotations

import tempfile
from importlib import resources
from pathlib import Path

import gymnasium
from rich.console import Console

from ..admission import admit
from ..players import Scripted
from ..registry import spec_of
from ..rollout import play
from ..sandbox.host import BoxOptions
from ..shelf import Shelf
from ..terminal import shown, tame
from ..trial import Trial
from ..types import EnvSource, Limits, Severity, Verdict
from . import screen
from .playing import show_episode


def demo() -> int:
    """Show the pipeline: designer replies, the gate's verdicts, admission, and one episode through gym.make.

    Works on a temporary shelf; nothing of yours is touched. Needs no model, no network and no GPU.
    """
    out = screen.console()
    out.print("Six replies of a designer, three of them sound. Each is checked in a locked process.\n", style="bold")
    with tempfile.TemporaryDirectory(prefix="spade-envs-demo-") as folder:
        shelf = Shelf.create(Path(folder) / "shelf", "demo", 1)
        admitted = _judge(shelf, out)
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
    return 0


def _judge(shelf: Shelf, out: Console) -> list[str]:
    """Check every reply, print the table of verdicts, and return the ids that were given."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for column in ("reply", "verdict", "id", "seconds", "contract", "witness"):
        table.add_column(column, overflow="fold")
    admitted, reasons = [], []
    replies = resources.files("spade_envs").joinpath("demo", "replies")
    for reply in sorted(replies.iterdir(), key=lambda item: item.name):
        source = EnvSource.from_reply(reply.read_text("utf-8"), made_by="demo")
        done = admit(source, shelf)
        report = done.report
        worst = next((f for f in report.findings if f.severity is not Severity.WARNING), None)
        if worst is not None:
            reasons.append(shown(f"{reply.name.removesuffix('.md')}: {worst.rule}: {worst.message}", limit=400))
        verdict = shown(report.verdict.value, screen.STYLES[report.verdict])
        seconds = f"{sum(report.seconds.values()):.1f}"
        facts = ("", "") if worst is not None else (report.contract, report.witness_kind)
        table.add_row(shown(reply.name.removesuffix(".md")), verdict, done.env_id, seconds, *facts)
        if report.verdict is Verdict.ADMIT:
            admitted.append(done.env_id)
    out.print(table)
    out.print("\nWhy not, and what to change:", style="bold")
    for reason in reasons:
        out.print(reason)
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
