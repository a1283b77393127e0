"""Faults all the time: no innocent episode is lost, and nothing shown is wrong."""

from __future__ import annotations

import pytest

from benchmarks import bench_soak


@pytest.mark.parametrize(
    ("steps", "members", "every"), [(1500, 8, 60), pytest.param(30_000, 64, 300, marks=pytest.mark.slow)]
)
def test_a_soak_finds_nothing(steps: int, members: int, every: int) -> None:
    found = bench_soak.soak(steps, members, 2, every, seed=5)
    assert (found.lost, found.wrong, found.unnamed) == (0, 0, 0)
    assert found.steps >= steps and sum(found.faults.values()) >= steps / every / 2 and len(found.faults) >= 6
    assert bench_soak.flat(found.descriptors, 0.0)


def test_a_soak_would_find_something(monkeypatch: pytest.MonkeyPatch) -> None:
    turn = bench_soak.Twins.turn
    monkeypatch.setattr(bench_soak.Twins, "turn", lambda self, at, action: (*turn(self, at, action)[:2], False))
    found = bench_soak.soak(300, 4, 1, 10_000, seed=5)
    assert found.wrong and not found.lost
