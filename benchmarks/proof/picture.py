"""The plot of a run: recall by operator, the gate's beside the smoke test's."""

from __future__ import annotations

from pathlib import Path

from .scores import Scores


def draw(scores: Scores, path: Path) -> None:
    """Write the plot; the ending of ``path`` decides the format.

    Raises:
        ImportError: matplotlib is not installed (extra ``bench``).
    """
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.fonttype"] = "none"  # text stays text, and the file small
    matplotlib.rcParams["svg.hashsalt"] = "spade-envs"
    from matplotlib import pyplot

    shown = [one for one in scores.operators if one.mutants][::-1]
    figure, axes = pyplot.subplots(figsize=(9, 0.2 * len(shown) + 1.6), layout="constrained")
    at = range(len(shown))
    axes.barh(
        [y + 0.2 for y in at], [one.caught / one.mutants for one in shown], 0.4, label="the gate", color="#1b6ca8"
    )
    axes.barh(
        [y - 0.2 for y in at], [one.smoke / one.mutants for one in shown], 0.4, label="smoke test", color="#d9a441"
    )
    axes.set_yticks(list(at), [f"{one.name} ({one.mutants})" for one in shown], fontsize=7)
    axes.set_xlim(0, 1)
    axes.set_ylim(-0.7, len(shown) - 0.3)
    axes.xaxis.set_major_formatter(lambda value, position: f"{value:.0%}")
    axes.set_title(
        f"Broken mutants caught: {scores.recall:.1%} of {len(scores.mutants)}; smoke test {scores.smoke_recall:.1%}",
        fontsize=9,
    )
    axes.grid(axis="x", alpha=0.3)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=2, fontsize=8, frameon=False)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    pyplot.close(figure)
