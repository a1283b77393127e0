"""How often does the probe call an environment frontier that is none, and how many pairs does it need?

    python benchmarks/bench_regret.py                               the whole run, half a minute
    python benchmarks/bench_regret.py --quick                       fewer draws, fewer points
    python benchmarks/bench_regret.py --json benchmarks/bench_regret.json --plot docs/the-probe.svg

Everything is enumerated exactly: the level in its worst case, power, and mean pairs beside the fixed design (the
unconditional exact McNemar test) of equal level and power. Then the same is drawn with a seed and decided by
``spade_envs.sequential.band``, beside the reference's estimator on the same draws. Exit code 1 means that something
promised in docs/the-probe.md does not hold.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.enumeration import Operating, chances, fixed_pairs, independent, level_bound, weights
from benchmarks.rivals import normal_boundary, normal_table, reference_exact, reference_term, wald_table
from spade_envs.sequential import FRONTIER, LOOKS, NO_REGRET, band

PLAIN = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
DELTA = (0.3, 0.4, 0.5, 0.6, 0.7)
"""The grid of mean pairs, where plain + delta <= .95."""
BEYOND = 0.2
"""A delta for which 64 pairs are few: shown, not in the mean."""
SEED = 20260819


@dataclasses.dataclass(frozen=True)
class Cell:
    """One point of the grid, exactly."""

    plain: float
    delta: float
    frontier: float
    frontier_by_16: float
    no_regret: float
    uncertain: float
    mean_pairs: float
    fixed_pairs: int
    """Pairs of the fixed design of equal level and power."""
    ratio: float
    ratio_at_99: float
    """The same where the fixed design needs no more power than .99."""
    bias: float
    """Mean of the regret at the stop, minus delta."""


@dataclasses.dataclass(frozen=True)
class Drawn:
    """One point by simulation, with the reference's estimator on the same draws."""

    law: str
    delta: float
    draws: int
    frontier: float
    frontier_exact: float
    mean_pairs: float
    covered: float
    """Share of intervals that hold delta."""
    reference_mean: float
    reference_full: float
    reference_positive: float


@dataclasses.dataclass(frozen=True)
class Results:
    """A run."""

    levels: dict[str, float]
    power_20: float
    power_64: float
    cells: tuple[Cell, ...]
    mean_ratio: float
    mean_ratio_at_99: float
    drawn: tuple[Drawn, ...]


# -- exact -------------------------------------------------------------------------------------------------------


def worst(table: Sequence[Sequence[int]], null: Sequence[tuple[float, float]]) -> float:
    """The largest chance over the points of a null hypothesis."""
    decide, _ = weights(table)
    return max(float((chances(null[i : i + 50]) @ decide).max()) for i in range(0, len(null), 50))


def levels() -> dict[str, float]:
    """Errors over all looks, in the worst case over the discordance rate where no arms are named."""
    coins = [(d / 2, d / 2) for d in np.linspace(0.001, 1.0, 1000)]
    edge = [(q, q + 0.1) for q in np.linspace(0.0, 0.45, 901)]
    constant = normal_boundary()
    return {
        "frontier, on a grid of 1000 rates": worst(FRONTIER, coins),
        "frontier, bound for every rate": level_bound(FRONTIER),
        "no_regret, on a grid of 901 rates": worst(NO_REGRET, edge),
        "stop when the 95 % interval decides": worst(wald_table(), coins),
        "the same, arms independent at .5": worst(wald_table(), [(0.25, 0.25)]),
        "reference: full credit, arms independent at .5": reference_exact(0.5, 0.5)[1],
        "reference: mean term, arms independent at .5": reference_exact(0.5, 0.5)[0],
        "normal-theory boundary, variance estimated": worst(wald_table(constant), coins),
        "normal-theory boundary, variance under no regret": worst(normal_table(constant), coins),
    }


def cell(plain: float, delta: float) -> Cell:
    """One point of the grid."""
    point, found = independent(plain, plain + delta), Operating.of_arms(plain, plain + delta)
    power = found.bands["frontier"]
    fixed, at_99 = fixed_pairs(*point, power), fixed_pairs(*point, min(power, 0.99))
    return Cell(
        plain,
        delta,
        power,
        found.by_16,
        found.bands["no_regret"],
        found.bands["uncertain"],
        found.pairs,
        fixed,
        found.pairs / fixed,
        found.pairs / at_99,
        found.bias,
    )


# -- drawn -------------------------------------------------------------------------------------------------------


def simulate(law: str, p10: float, p01: float, p11: float, draws: int, generator: np.random.Generator) -> Drawn:
    """Draw pairs, let ``band`` decide, and give the same outcomes to the reference's estimator."""
    kinds = generator.choice(4, size=(draws, LOOKS[-1]), p=[p10, p01, p11, max(0.0, 1.0 - p10 - p01 - p11)])
    hinted, plain = (kinds == 0) | (kinds == 2), (kinds == 1) | (kinds == 2)
    decisions = [band(a.astype(float).tolist(), b.astype(float).tolist()) for a, b in zip(plain, hinted, strict=True)]
    term = reference_term(plain, hinted)
    delta = p10 - p01
    return Drawn(
        law,
        round(delta, 6),
        draws,
        float(np.mean([one.band == "frontier" for one in decisions])),
        Operating(p10, p01, p11).bands["frontier"],
        float(np.mean([one.pairs for one in decisions])),
        float(np.mean([one.interval[0] <= delta <= one.interval[1] for one in decisions])),
        float(term.mean()),
        float(np.mean(term >= 1.0)),
        float(np.mean(term > 0.0)),
    )


def simulations(quick: bool) -> tuple[Drawn, ...]:
    """Zero regret in several laws, and the two alternatives of the design."""
    generator = np.random.default_rng(SEED)
    draws = 200 if quick else 4000
    laws: list[tuple[str, float, float, float]] = [
        ("no regret, independent arms at .5", 0.25, 0.25, 0.25),
        ("no regret, independent arms at .2", 0.16, 0.16, 0.04),
        ("no regret, seeds half at .9 and half at .1", 0.09, 0.09, 0.41),
        ("no regret, helped and harmed seeds", 0.45, 0.45, 0.05),
    ]
    for plain, hinted in ((0.2, 0.7), (0.35, 0.65)):
        laws.append((f"independent arms {plain} and {hinted}", *independent(plain, hinted), plain * hinted))
    return tuple(simulate(*law, draws, generator) for law in laws)


def measure(quick: bool) -> Results:
    """The whole run."""
    grid = [(p, d) for p in (PLAIN[1:5:2] if quick else PLAIN) for d in (BEYOND, *DELTA) if p + d < 0.951]
    cells = tuple(cell(p, d) for p, d in grid)
    counted = [one for one in cells if one.delta in DELTA]
    return Results(
        levels(),
        Operating.of_arms(0.2, 0.7).by_16,
        Operating.of_arms(0.35, 0.65).bands["frontier"],
        cells,
        float(np.mean([one.ratio for one in counted])),
        float(np.mean([one.ratio_at_99 for one in counted])),
        simulations(quick),
    )


# -- shown -------------------------------------------------------------------------------------------------------


def show(results: Results, console: Console) -> None:
    """Three tables."""
    table = Table("rule", "error", title="Error over all looks, worst case unless told")
    for name, value in results.levels.items():
        table.add_row(name, f"{value:.4f}")
    console.print(table)
    console.print(f"power .2 -> .7 within 20 pairs (by the look at 16) {results.power_20:.5f}")
    console.print(f"power .35 -> .65 within 64 pairs {results.power_64:.4f}")
    table = Table(
        "plain", "delta", "P(frontier)", "by 16", "no_regret", "pairs", "fixed", "ratio", "ratio at .99", "bias"
    )
    for one in results.cells:
        chance = (f"{one.frontier:.4f}", f"{one.frontier_by_16:.3f}", f"{one.no_regret:.4f}")
        ratios = (f"{one.ratio:.2f}", f"{one.ratio_at_99:.2f}", f"{one.bias:+.3f}")
        table.add_row(f"{one.plain}", f"{one.delta}", *chance, f"{one.mean_pairs:.1f}", f"{one.fixed_pairs}", *ratios)
    console.print(table)
    console.print(
        f"mean ratio for delta {DELTA[0]} to {DELTA[-1]}: {results.mean_ratio:.3f} at equal level and power; "
        f"{results.mean_ratio_at_99:.3f} where the fixed design stops at power .99"
    )
    table = Table(
        "drawn", "draws", "frontier", "exact", "pairs", "covered", "reference: mean term", "full credit", "> 0"
    )
    for drawn in results.drawn:
        values = (drawn.frontier, drawn.frontier_exact, drawn.mean_pairs, drawn.covered)
        reference = (drawn.reference_mean, drawn.reference_full, drawn.reference_positive)
        table.add_row(drawn.law, f"{drawn.draws}", *(f"{v:.4g}" for v in values), *(f"{v:.3f}" for v in reference))
    console.print(table)


def draw(path: Path) -> None:
    """P(frontier) and mean pairs against delta, for plain success .2 and independent arms."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.fonttype"] = "none"
    matplotlib.rcParams["svg.hashsalt"] = "spade-envs"
    from matplotlib import pyplot

    deltas = np.linspace(-0.2, 0.75, 39)
    found = [Operating.of_arms(0.2, 0.2 + float(d)) for d in deltas]
    full = [reference_exact(0.2, 0.2 + float(d))[1] for d in deltas]
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(9, 3.4), layout="constrained")
    left.plot(deltas, [one.bands["frontier"] for one in found], label="frontier", color="#1b6ca8")
    left.plot(deltas, full, label="reference: full credit", color="#d9a441")
    left.plot(deltas, [one.bands["no_regret"] for one in found], label="no_regret", color="#777777", linestyle=":")
    left.axhline(0.025, color="black", linewidth=0.6)
    left.set_title("probability of each answer (line at .025)", fontsize=9)
    right.plot(deltas, [one.pairs for one in found], color="#1b6ca8")
    right.set_title("mean pairs until a band is decided, 64 at most", fontsize=9)
    for axes in (left, right):
        axes.set_xlabel("delta = hinted - plain success, plain .2")
        axes.grid(alpha=0.3)
    left.legend(fontsize=8, frameon=False)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, show, write where asked; 1 if a promise does not hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer draws and points")
    parser.add_argument("--json", type=Path, help="write the results here")
    parser.add_argument("--plot", type=Path, help="write a picture here (extra bench)")
    asked = parser.parse_args(argv)
    results = measure(asked.quick)
    show(results, Console())
    if asked.json:
        asked.json.write_text(json.dumps(dataclasses.asdict(results), indent=2) + "\n", encoding="utf-8")
    if asked.plot:
        draw(asked.plot)
    kept = results.levels["frontier, bound for every rate"] <= 0.025 and min(results.power_20, results.power_64) >= 0.8
    return (
        0 if kept and results.levels["no_regret, on a grid of 901 rates"] <= 0.05 and results.mean_ratio <= 0.65 else 1
    )


if __name__ == "__main__":
    sys.exit(main())
