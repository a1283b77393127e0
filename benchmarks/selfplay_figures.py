"""What the runs of ``bench_selfplay.py`` came to: means and paired differences with intervals, a table, curves."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

T_95 = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)
"""Two-sided 95 % quantiles of Student's t for 1 to 9 degrees of freedom."""
CURVES = {
    "held_out/outcome": "mean outcome on held-out environments",
    "held_out/success": "success on held-out environments",
    "regret": "regret of the cycle's environments",
    "agent/reward": "plain outcome on the cycle's environments",
}
"""Curves that are kept, by their name in ``metrics.jsonl``."""
MEASURES = ("held_out/outcome", "held_out/success")
BIN = 10
"""Cycles that noisy curves are averaged over."""
FIRST = "spade"


@dataclass(frozen=True)
class Interval:
    """A mean over seeds and its 95 % interval by Student's t."""

    mean: float
    low: float
    high: float
    values: tuple[float, ...]

    @property
    def decided(self) -> bool:
        """Whether 0 lies outside."""
        return self.low > 0 or self.high < 0


@dataclass(frozen=True)
class Curve:
    """One number over time."""

    arm: str
    name: str
    cycles: tuple[int, ...]
    runs: tuple[tuple[float | None, ...], ...]
    """Of each seed, as long as ``cycles``; ``None`` where it was not measured."""


@dataclass(frozen=True)
class Compared:
    """One arm by one measure."""

    arm: str
    measure: str
    first: Interval
    """Before any training."""
    last: Interval
    """At the end."""
    whole: Interval
    """Mean over the run's measurements after the first."""
    behind_last: Interval
    """Spade minus this arm at the end, paired by seed."""
    behind_whole: Interval
    """The same of ``whole``."""


@dataclass(frozen=True)
class Figures:
    """Everything that the runs came to."""

    seeds: int
    cycles: int
    compared: tuple[Compared, ...]
    curves: tuple[Curve, ...]
    regret_first: dict[str, Interval]
    """Mean regret of the first quarter of the cycles, by arm."""
    regret_last: dict[str, Interval]
    """Of the last quarter."""


def interval(values: Sequence[float]) -> Interval:
    """Mean and 95 % interval; of infinite width for a single value.

    >>> found = interval([1.0, 2.0, 3.0])
    >>> found.mean, round(found.low, 3), found.decided
    (2.0, -0.484, False)
    """
    mean = statistics.fmean(values)
    if len(values) < 2:
        return Interval(mean, -math.inf, math.inf, tuple(values))
    half = T_95[min(len(values) - 2, len(T_95) - 1)] * statistics.stdev(values) / math.sqrt(len(values))
    return Interval(mean, mean - half, mean + half, tuple(values))


def figures(out: Path, arms: Sequence[str], seeds: Sequence[int]) -> Figures:
    """Read the metrics of all runs."""
    read = {(arm, seed): _lines(out / f"{arm}-{seed}" / "metrics.jsonl") for arm in arms for seed in seeds}
    curves = [_curve(arm, name, [read[arm, seed] for seed in seeds]) for arm in arms for name in CURVES]
    held = {
        (arm, name, seed): [line[name] for line in read[arm, seed] if name in line]
        for arm in arms
        for name in MEASURES
        for seed in seeds
    }
    compared = []
    for arm in arms:
        for name in MEASURES:
            mine, best = ([held[one, name, seed] for seed in seeds] for one in (arm, FIRST))
            whole = [statistics.fmean(one[1:]) for one in mine]
            compared.append(
                Compared(
                    arm,
                    name,
                    interval([one[0] for one in mine]),
                    interval([one[-1] for one in mine]),
                    interval(whole),
                    interval([a[-1] - b[-1] for a, b in zip(best, mine, strict=True)]),
                    interval([statistics.fmean(a[1:]) - b for a, b in zip(best, whole, strict=True)]),
                )
            )
    cycles = len(read[arms[0], seeds[0]])
    quarter = max(1, cycles // 4)
    parts = (slice(0, quarter), slice(-quarter, None))
    early, late = (
        {arm: interval([_mean(read[arm, seed][part], "regret") for seed in seeds]) for arm in arms} for part in parts
    )
    return Figures(len(seeds), cycles, tuple(compared), tuple(curves), early, late)


def table(found: Figures) -> None:
    """Print the comparison."""
    rows = Table("arm", "measure", "start", "end", "spade - arm, end", "spade - arm, whole run", "regret, last quarter")
    for one in found.compared:
        cells = [_said(value) for value in (one.first, one.last, one.behind_last, one.behind_whole)]
        regret = _said(found.regret_last[one.arm]) if one.measure == MEASURES[0] else ""
        rows.add_row(one.arm, one.measure.partition("/")[2], *cells, regret)
    Console(width=160).print(f"{found.seeds} seeds, {found.cycles} cycles; 95 % intervals", rows)


def picture(found: Figures, path: Path) -> None:
    """Draw the curves: mean over seeds, and its 95 % interval."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.fonttype"] = "none"
    matplotlib.rcParams["svg.hashsalt"] = "spade-envs"
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(2, 2, figsize=(10, 7), sharex=True)
    for panel, (name, title) in zip(panels.flat, CURVES.items(), strict=True):
        for curve in found.curves:
            if curve.name != name:
                continue
            shown = [
                (cycle, interval(values))
                for at, cycle in enumerate(curve.cycles)
                if (values := [value for run in curve.runs if (value := run[at]) is not None])
            ]
            [line] = panel.plot([cycle for cycle, _ in shown], [one.mean for _, one in shown], label=curve.arm)
            sure = [(cycle, one) for cycle, one in shown if len(one.values) > 1]
            panel.fill_between(
                [cycle for cycle, _ in sure],
                [one.low for _, one in sure],
                [one.high for _, one in sure],
                color=line.get_color(),
                alpha=0.12,
                linewidth=0,
            )
        panel.set_title(title, fontsize=10)
        panel.grid(alpha=0.3)
    for panel in panels[1]:
        panel.set_xlabel("cycle")
    panels[0][0].legend(fontsize=8)
    figure.suptitle(f"Self-play with a tiny model: mean of {found.seeds} seeds and 95 % interval", fontsize=11)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _lines(path: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def _curve(arm: str, name: str, runs: Sequence[Sequence[dict[str, float]]]) -> Curve:
    """What is measured every cycle is averaged over some."""
    if name.startswith("held_out"):
        cycles = tuple(at for at, line in enumerate(runs[0]) if name in line)
        return Curve(arm, name, cycles, tuple(tuple(run[at].get(name) for at in cycles) for run in runs))
    cycles = tuple(range(0, len(runs[0]), BIN))
    return Curve(
        arm, name, cycles, tuple(tuple(_mean(run[at : at + BIN], name, None) for at in cycles) for run in runs)
    )


def _mean(lines: Sequence[dict[str, float]], name: str, missing: float | None = 0.0) -> float:
    values = [line[name] for line in lines if name in line]
    return statistics.fmean(values) if values else missing  # type: ignore[return-value]


def _said(one: Interval) -> str:
    return f"{one.mean:+.3f} [{one.low:+.3f}, {one.high:+.3f}]"
