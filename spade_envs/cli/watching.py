"""Watching a run: a table that lives on a terminal, lines in a pipe, or JSON."""

from __future__ import annotations

import contextlib
import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Literal, Protocol

from rich.console import Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from ..selfplay.events import CycleEnded, Event, Saved, Trouble, Watch
from ..terminal import shown, tame
from . import screen
from .standing import REFUSED, CycleRow, Standing

_KEYS = {"plain": "plain", "hinted": "hinted", "reward": "agent/reward", "loss": "loss", "gap": "gap/mean"}
"""Columns that are numbers of a cycle, and their keys."""
_COLUMNS: Mapping[str, Literal["left", "right"]] = {
    "cycle": "right",
    "good": "left",
    "refused": "left",
    "regret": "right",
    "bands": "left",
    "plain→hint": "left",
    "reward": "right",
    "loss": "right",
    "gap": "right",
    "tok/s": "right",
}
_BANDS = {"frontier": "f", "trivial": "t", "no_regret": "n", "unreachable": "x", "uncertain": "?"}
"""Letters of bands."""
_LEGEND = (
    "good of all designs; refused: static, load, behaviour, worth",
    "bands: frontier, trivial, no_regret, x unreachable, ? uncertain",
)
_PER_SECOND = 4
"""Times that a terminal is drawn."""
_AROUND = 10
"""Lines of a terminal that the table leaves to what is around it."""


class Watcher(Protocol):
    """Shows a run."""

    standing: Standing

    def told(self, event: Event) -> None:
        """Show an event, after :attr:`standing` took note of it."""


@contextlib.contextmanager
def watching(cycles: int, *, as_json: bool, clock: Callable[[], float] = time.monotonic) -> Iterator[Watch]:
    """Someone to tell the events of a run.

    Ctrl-C is passed on where a run can take it: when its cycle has ended. A second one is passed on at once.

    Args:
        cycles: of the run in all.
        as_json: print an object for every cycle, and one for everything that goes wrong.
        clock: seconds that pass.
    """
    standing = Standing(clock)
    with contextlib.ExitStack() as stack:
        watcher: Watcher
        if as_json:
            watcher = JsonWatch(standing)
        elif sys.stdout.isatty():
            watcher = stack.enter_context(LiveWatch(standing, cycles))
        else:
            watcher = LineWatch(standing)
        asked = stack.enter_context(_patient())

        def told(event: Event) -> None:
            standing.take(event)
            watcher.told(event)
            if isinstance(event, CycleEnded) and asked.is_set():
                raise KeyboardInterrupt

        yield told


@contextlib.contextmanager
def _patient() -> Iterator[threading.Event]:
    """Set by the first Ctrl-C, which then does nothing else."""
    asked = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return

    def take(number: int, frame: FrameType | None) -> None:
        asked.set()
        signal.signal(signal.SIGINT, before)
        print("spade-envs: this cycle is finished and saved first; Ctrl-C again to stop at once", file=sys.stderr)

    before = signal.signal(signal.SIGINT, take)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)


class JsonWatch:
    """One object per line."""

    def __init__(self, standing: Standing) -> None:
        self.standing = standing

    def told(self, event: Event) -> None:
        if isinstance(event, CycleEnded):
            row = self.standing.row(event.cycle)
            designs = {what.value: count for what, count in row.designs.items()} if row else {}
            print(json.dumps({"cycle": event.cycle, "designs": designs, "metrics": dict(event.metrics)}), flush=True)
        elif isinstance(event, Trouble):
            print(json.dumps({"cycle": event.cycle, "trouble": event.what}), flush=True)
        elif isinstance(event, Saved):
            print(json.dumps({"cycle": event.cycle, "saved": str(event.path)}), flush=True)


class LineWatch:
    """A line per cycle; what goes wrong on standard error."""

    def __init__(self, standing: Standing) -> None:
        self.standing, self._out = standing, screen.console()

    def told(self, event: Event) -> None:
        if isinstance(event, Trouble):
            print(f"spade-envs: cycle {event.cycle}: {tame(event.what, limit=400)}", file=sys.stderr, flush=True)
        row = self.standing.row(event.cycle) if isinstance(event, CycleEnded) else None
        if row is not None:
            self._out.print(cycle_line(row))


def cycle_line(row: CycleRow) -> str:
    """A cycle in one line."""
    parts = [f"cycle {row.cycle:<4}"]
    if row.designed:
        refused = ", ".join(f"{row.designs[one]} {one.value}" for one in REFUSED if row.designs[one])
        parts.append(f"{row.admitted} of {row.designed} admitted" + (f" ({refused})" if refused else ""))
    if "regret" in row.metrics:
        bands = ", ".join(f"{count} {name}" for name, count in row.bands.most_common() if count)
        parts.append(f"regret {row.metrics['regret']:+.3f}" + (f" ({bands})" if bands else ""))
    parts += [f"{name} {_number(row.metrics[key])}" for name, key in _KEYS.items() if key in row.metrics]
    if row.speed is not None:
        parts.append(f"{row.speed:,.0f} tokens/s")
    return "  ".join(parts)


class LiveWatch:
    """A table of the last cycles and the state of this one; a context manager."""

    def __init__(self, standing: Standing, cycles: int) -> None:
        self.standing, self._cycles = standing, cycles
        self._out = screen.console()
        self._live = Live(get_renderable=self._drawn, console=self._out, refresh_per_second=_PER_SECOND)

    def __enter__(self) -> LiveWatch:
        self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def told(self, event: Event) -> None:
        """Nothing: it is drawn from where the run stands, some times a second."""

    def _drawn(self) -> RenderableType:
        with self.standing.lock:
            return picture(self.standing, self._cycles, max(3, self._out.height - _AROUND))


def picture(standing: Standing, cycles: int, most: int) -> RenderableType:
    """The table, at most ``most`` cycles of it, and lines below; 80 columns are enough."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold", expand=False)
    for name, justify in _COLUMNS.items():
        table.add_column(name, justify=justify, no_wrap=True)
    for row in list(standing.rows)[-most:]:
        table.add_row(*_cells(row), style="" if row.seconds is not None else "cyan")
    return Group(table, *_below(standing, cycles))


def _cells(row: CycleRow) -> list[str]:
    known = {name: row.metrics[key] for name, key in _KEYS.items() if key in row.metrics}
    plain, hinted = (f"{known[name]:.2f}" if name in known else "" for name in ("plain", "hinted"))
    return [
        str(row.cycle),
        f"{row.admitted}/{row.designed}" if row.designed else "",
        " ".join(f"{one.value[:1]}{row.designs[one]}" for one in REFUSED if row.designs[one]),
        f"{row.metrics['regret']:+.2f}" if "regret" in row.metrics else "",
        " ".join(f"{count}{_BANDS.get(name, name[:1])}" for name, count in row.bands.most_common() if count),
        f"{plain}→{hinted}" if hinted else plain,
        *(_number(known[name]) if name in known else "" for name in ("reward", "loss", "gap")),
        f"{row.speed:,.0f}" if row.speed is not None else "",
    ]


def _below(standing: Standing, cycles: int) -> Iterator[Text]:
    for line in _LEGEND:
        yield Text(line, "dim")
    phase = standing.phase
    now = Text(f"{_time(standing.elapsed)}", "dim")
    if standing.rows:
        now.append(f"  cycle {standing.rows[-1].cycle + 1} of {cycles}", "bold")
    if phase is not None:
        now.append(f"  {phase.name} ", "cyan")
        now.append(f"{_bar(phase.done, phase.of)} {phase.done}/{phase.of}" if phase.of else f"{phase.done}", "cyan")
    yield now
    if standing.saved is not None:
        yield Text(f"saved {standing.saved.path}", "dim")
    if standing.troubles:
        counted = ", ".join(f"{count} {kind}" for kind, count in standing.troubles.most_common())
        yield Text("troubles: ", "yellow").append(shown(counted, "yellow", limit=200))
        yield Text("last: ", "dim").append(shown(" ".join(standing.last_trouble.split()), "dim", limit=200))


def _bar(done: int, of: int, width: int = 16) -> str:
    """How far.

    >>> _bar(1, 2, 8)
    '━━━━····'
    """
    full = min(width, width * done // of)
    return "━" * full + "·" * (width - full)


def _number(value: float) -> str:
    """Three digits, in few letters.

    >>> _number(0.51234), _number(0.0), _number(1.2e-6)
    ('0.512', '0.000', '1e-06')
    """
    return f"{value:.3f}" if value == 0.0 or abs(value) >= 0.0005 else f"{value:.0e}"


def _time(seconds: float) -> str:
    """
    >>> _time(3725.4)
    '1:02:05'
    """
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
