"""How verdicts, findings and transcripts look on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from ..sequential import credit
from ..terminal import shown, tame
from ..types import SUCCESS_REWARD, Finding, Report, Severity, Verdict

if TYPE_CHECKING:
    from rich.progress import Progress

    from ..types import Probe, Turn

STYLES = {
    Verdict.ADMIT: "bold green",
    Verdict.REFUSE: "bold red",
    Verdict.UNDECIDED: "bold yellow",
    Severity.ERROR: "red",
    Severity.UNDECIDED: "yellow",
    Severity.WARNING: "cyan",
}

COLOURS = {"frontier": "bold green", "uncertain": "yellow", "no_regret": "cyan", "trivial": "cyan"}
"""Of bands; others are bold."""
PLOT = 21
"""Characters of the picture of an interval, from -1 to 1."""


class _Console(Console):
    """A reader that goes away (`| head`) is told to ``main`` as what it is; rich would exit with 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console() -> Console:
    """Standard output, without markup or emoji codes: what environments say is never markup."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    width = None if terminal else 120
    # A terminal wraps at words; a pipe gets whole lines.
    return _Console(markup=False, emoji=False, highlight=False, soft_wrap=not terminal, width=width)


def progress(doing: str, out: Console) -> Progress:
    """A bar that vanishes in the end, with the field ``facts`` of its task beside it."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(doing), BarColumn(bar_width=None), MofNCompleteColumn(), TextColumn("{task.fields[facts]}"))
    return Progress(*columns, TimeElapsedColumn(), console=out, transient=True, expand=True)


def verdict_line(report: Report, name: str) -> Text:
    """``ADMIT  my_env.py  (answer, witness from list, 0.4 s)``."""
    line = Text(f"{report.verdict.value.upper():<9}", style=STYLES[report.verdict])
    line.append(" ")
    line.append(shown(name, "bold"))
    facts = [report.contract, f"witness from {report.witness_kind}" if report.witness_kind else ""]
    facts += [f"{sum(report.seconds.values()):.1f} s", f"isolation {report.isolation.value}"]
    # Hostile too: reports of strangers come with their cards.
    line.append(f"  ({tame(', '.join(fact for fact in facts if fact), limit=160)})", style="dim")
    return line


def finding_lines(finding: Finding, source: str) -> Iterable[Text]:
    """A finding: its rule, the source line with carets, the sentence, and how to see it again."""
    head = Text("  ")
    head.append(finding.severity.value, style=STYLES[finding.severity])
    head.append(f" {tame(finding.rule)}", style="bold")
    yield head
    lines = source.splitlines()
    if finding.line is not None and 0 < finding.line <= len(lines):
        yield from _quoted(lines[finding.line - 1], finding.line)
    yield Text("    ").append(shown(finding.message, limit=600))
    if finding.repro is not None:
        actions = ", ".join(_short(action) for action in finding.repro.actions[:6])
        more = len(finding.repro.actions) - 6
        tail = f", and {more} more" if more > 0 else ""
        said = f" actions [{actions}{tail}]" if finding.repro.actions else ""
        yield Text("    again: ", style="dim").append(f"seed {finding.repro.seed}{said}", style="")


def _quoted(line: str, number: int) -> Iterable[Text]:
    text = tame(line.rstrip().expandtabs(4), limit=160)
    indent = len(text) - len(text.lstrip())
    yield Text(f"    {number:>5} | ", style="dim").append(text, style="default")
    yield Text(f"          | {' ' * indent}", style="dim").append("^" * max(1, len(text) - indent), style="red")


def _short(action: str) -> str:
    return tame(repr(action if len(action) <= 60 else action[:57] + "..."))


def turn_lines(number: int, turn: Turn) -> Iterable[Text]:
    """One turn of an episode."""
    yield Text(f"[{number}] ", style="dim").append(shown(turn.action, "bold cyan", limit=500))
    yield Text("    ").append(shown(turn.observation.replace("\n", "\n    "), limit=2000))
    yield Text(f"    reward {turn.reward:g}", style="dim")


def probe_lines(probe: Probe, name: str) -> Iterator[Text]:
    """A measurement: its band, both arms, regret with its interval as numbers and as a picture, and why."""
    wins, pairs = won(probe)
    line = shown(f"{probe.band.upper():<12}", COLOURS.get(probe.band, "bold"))
    line.append(shown(name, "bold"))
    line.append(f"  {wins[0]} → {wins[1]} of {pairs} won")
    line.append(f"  regret {probe.regret:+.2f} [{probe.interval[0]:+.2f}, {probe.interval[1]:+.2f}]")
    yield line
    drawn = Text(f"            {picture(probe.regret, probe.interval)}", style="cyan")
    yield drawn.append(f"  credit {credit(probe.regret, wins[0]):.2f}", style="dim")
    yield shown(f"            {probe.reason}", "dim")


def won(probe: Probe) -> tuple[tuple[int, int], int]:
    """Pairs won without and with the hint, and complete pairs; of others no outcome counts."""
    both = [pair for pair in zip(probe.plain, probe.hinted, strict=False) if None not in pair]
    wins = [[outcome is not None and outcome >= SUCCESS_REWARD for outcome in pair] for pair in both]
    return (sum(pair[0] for pair in wins), sum(pair[1] for pair in wins)), len(both)


def picture(regret: float, interval: tuple[float, float]) -> str:
    """An interval between -1 and 1, with 0 marked.

    >>> picture(0.5, (0.2, 0.8))
    '··········│·━━━●━━━··'
    """
    values = (min(1.0, max(-1.0, value)) for value in (interval[0], regret, interval[1]))
    low, middle, high = (round((1 + value) / 2 * (PLOT - 1)) for value in values)
    signs = ["━" if low <= at <= high else "·" for at in range(PLOT)]
    signs[(PLOT - 1) // 2] = "┿" if low <= (PLOT - 1) // 2 <= high else "│"
    signs[middle] = "●"
    return "".join(signs)
