"""TensorBoard reads what a run writes for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from spade_envs.selfplay.board import TensorBoard


def test_tensorboard_shows_a_resumed_run_without_what_was_cut_off(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    for first, last, resume_at in ((0, 6, None), (4, 8, 4)):
        board = TensorBoard(tmp_path, resume_at=resume_at)
        for step in range(first, last):
            board.write(step, {"regret": first + step / 8})
        board.close()
    shown = EventAccumulator(str(tmp_path))
    shown.Reload()
    values = [(event.step, event.value) for event in shown.Scalars("regret")]
    assert values == [(step, step / 8 if step < 4 else 4 + step / 8) for step in range(8)]
