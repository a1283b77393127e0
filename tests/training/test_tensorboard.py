"""TensorBoard reads what a run writes for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from spade_envs.selfplay.config import RunSection
from spade_envs.selfplay.metrics import metrics_of


def test_tensorboard_shows_a_resumed_run_without_what_was_cut_off(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run = RunSection(folder=str(tmp_path), tensorboard=True)
    for first, last, resume_at in ((0, 6, None), (4, 8, 4)):
        log = metrics_of(run, resume_at=resume_at)
        for step in range(first, last):
            log.write(step, {"regret": first + step / 8})
        log.close()
    shown = EventAccumulator(str(tmp_path / "tensorboard"))
    shown.Reload()
    values = [(event.step, event.value) for event in shown.Scalars("regret")]
    assert values == [(step, step / 8 if step < 4 else 4 + step / 8) for step in range(8)]
