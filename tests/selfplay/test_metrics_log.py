"""Metrics of a run: whole lines, the same after a resumption, read by the browser, and never the end of a run."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from spade_envs.browse.metrics import Metrics
from spade_envs.errors import StoreError
from spade_envs.selfplay.config import RunSection
from spade_envs.selfplay.failures import ConfigError
from spade_envs.selfplay.metrics import MetricsLog, metrics_of


def written(path: Path, first: int, last: int, *, resume_at: int | None = None) -> MetricsLog:
    """A log with a line for each of some cycles."""
    log = MetricsLog(path, resume_at=resume_at)
    for step in range(first, last):
        assert log.write(step, {"regret": step / 4, "agent/loss": 1.0 / (step + 1), "design/admitted": 8}) == ""
    return log


def test_the_browser_draws_its_curves(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    written(path, 0, 5)
    metrics = Metrics(path)
    assert metrics.keys() == ("regret", "agent/loss", "design/admitted")
    assert metrics.curve("regret").points == tuple((step, step / 4) for step in range(5))
    assert metrics.skipped == 0


def test_a_resumed_run_writes_the_file_of_one_that_was_not_stopped(tmp_path: Path) -> None:
    written(tmp_path / "whole.jsonl", 0, 9)
    stopped = tmp_path / "stopped.jsonl"
    written(stopped, 0, 7)
    with stopped.open("ab") as file:
        file.write(b'{"step": 7, "regr')
    written(stopped, 4, 9, resume_at=4)
    assert stopped.read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "metrics.jsonl"
    written(path, 0, 2)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="cannot write"):
        MetricsLog(path)
    assert path.read_bytes() == before


def test_resuming_without_a_file_begins_one(tmp_path: Path) -> None:
    written(tmp_path / "metrics.jsonl", 3, 4, resume_at=3)
    assert json.loads((tmp_path / "metrics.jsonl").read_text()) == {
        "step": 3,
        "regret": 0.75,
        "agent/loss": 0.25,
        "design/admitted": 8,
    }


def test_numbers_that_are_none_are_left_out_and_told(tmp_path: Path) -> None:
    log = MetricsLog(tmp_path / "metrics.jsonl")
    said = log.write(0, {"loss": math.nan, "gap/max": math.inf, "regret": 0.5})
    assert said == "loss, gap/max of cycle 0 are no finite numbers and were left out"
    assert json.loads(log.path.read_text()) == {"step": 0, "regret": 0.5}
    assert log.lost == 0


def test_a_full_disk_is_counted_and_leaves_no_half_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "metrics.jsonl"
    log = written(path, 0, 1)
    before, real = path.read_bytes(), os.write
    room = [10]

    def full(descriptor: int, data: bytes) -> int:
        if not room:
            raise OSError(28, "No space left on device")
        return real(descriptor, bytes(data)[: room.pop()])

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", full)
        said = log.write(1, {"regret": 0.25})
    assert said == f"metrics of cycle 1 could not be written to {path}: No space left on device"
    assert path.read_bytes() == before and log.lost == 1
    assert log.write(2, {"regret": 0.5}) == ""
    assert [json.loads(line)["step"] for line in path.read_text().splitlines()] == [0, 2]


def test_the_step_is_the_cycle(tmp_path: Path) -> None:
    log = MetricsLog(tmp_path / "metrics.jsonl")
    log.write(3, {"step": 99.0, "loss": 1.0})
    assert log.path.read_text() == '{"step": 3, "loss": 1.0}\n'


class Sink:
    """Takes numbers, or has no room."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, dict[str, float]]] = []
        self.full = self.closed = False

    def write(self, step: int, metrics: Mapping[str, float]) -> None:
        if self.full:
            raise OSError(28, "No space left on device")
        self.rows.append((step, dict(metrics)))

    def close(self) -> None:
        self.closed = True


def test_sinks_get_the_same_numbers_and_never_end_a_run(tmp_path: Path) -> None:
    sink = Sink()
    log = MetricsLog(tmp_path / "metrics.jsonl", sinks=[sink])
    log.write(0, {"loss": 1.0, "gap": math.nan})
    sink.full = True
    assert log.write(1, {"loss": 2.0}) == "metrics of cycle 1 could not be written: No space left on device"
    log.close()
    assert sink.rows == [(0, {"loss": 1.0})] and sink.closed and log.lost == 1
    assert len(log.path.read_text().splitlines()) == 2


def test_tensorboard_that_is_not_installed_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tensorboard.compat.proto.event_pb2", None)
    with pytest.raises(ConfigError, match=r"pip install 'spade-envs\[tensorboard\]'"):
        metrics_of(RunSection(folder=str(tmp_path), tensorboard=True), resume_at=None)
    assert not (tmp_path / "metrics.jsonl").exists()
