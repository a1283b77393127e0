"""What the benchmark of self-play makes of the metrics of its runs."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from benchmarks.selfplay_figures import figures, interval, picture

HELD = {("spade", 0): (0.2, 0.8), ("spade", 1): (0.3, 0.7), ("uniform", 0): (0.2, 0.5), ("uniform", 1): (0.3, 0.5)}


@pytest.fixture
def out(tmp_path: Path) -> Path:
    for (arm, seed), (first, last) in HELD.items():
        lines = [{"step": at, "regret": 0.1 * at} for at in range(12)]
        for at, value in ((0, first), (11, last)):
            lines[at] |= {"held_out/outcome": value, "held_out/success": value / 2}
        (tmp_path / f"{arm}-{seed}").mkdir()
        (tmp_path / f"{arm}-{seed}" / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return tmp_path


def test_differences_are_paired_by_seed(out: Path) -> None:
    found = figures(out, ["spade", "uniform"], range(2))
    (outcome,) = [one for one in found.compared if (one.arm, one.measure) == ("uniform", "held_out/outcome")]
    assert outcome.behind_last.values == pytest.approx((0.3, 0.2))
    assert outcome.last.mean == 0.5 and outcome.last.decided
    assert not outcome.behind_last.decided, "two seeds decide nothing here"
    assert (found.seeds, found.cycles) == (2, 12)


def test_regret_is_averaged_and_what_is_missing_left_out(out: Path) -> None:
    found = figures(out, ["spade", "uniform"], range(2))
    assert found.regret_last["spade"].mean == pytest.approx(1.0)
    (curve,) = [one for one in found.curves if (one.arm, one.name) == ("spade", "regret")]
    assert curve.cycles == (0, 10) and curve.runs[0] == pytest.approx((0.45, 1.05))
    (missing,) = [one for one in found.curves if (one.arm, one.name) == ("spade", "agent/reward")]
    assert missing.runs[0] == (None, None)


def test_intervals_are_those_of_student() -> None:
    found = interval([0.0, 1.0, 2.0, 3.0, 4.0])
    assert found.high - found.mean == pytest.approx(2.776 * math.sqrt(2.5 / 5))
    assert math.isinf(interval([1.0]).high)


def test_the_picture_is_drawn(out: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "curves.svg"
    picture(figures(out, ["spade", "uniform"], range(2)), path)
    assert "uniform" in path.read_text()
