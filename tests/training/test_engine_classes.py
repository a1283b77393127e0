"""Forms are taken by the classes of the engines themselves, where these can be installed."""

from __future__ import annotations

import pytest

from spade_envs.adapters import tinker, trl_async
from spade_envs.selfplay.trajectories import EXAMPLE


def test_trls_asynchronous_sample() -> None:
    pytest.importorskip("trl")
    pytest.importorskip("aiohttp")
    kind = trl_async._sample_class()
    sample = kind(**trl_async.to_trl_async(EXAMPLE, 4))
    assert (sample.advantage, sample.group_id, sample.model_version) == (0.5, 4, 0)
    assert sample.completion_mask.sum() == 2


def test_tinkers_datum() -> None:
    pytest.importorskip("tinker")
    (datum,) = tinker.as_tinker([tinker.to_tinker(EXAMPLE)])
    assert datum.model_input.to_ints() == [7, 8, 9, 10]
    inputs = datum.loss_fn_inputs
    assert inputs["target_tokens"].data == [8, 9, 10, 11] and inputs["advantages"].data == [0.0, 0.5, 0.5, 0.0]
    assert inputs["logprobs"].shape == [4]
