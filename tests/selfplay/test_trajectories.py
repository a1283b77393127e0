"""What is fit to train on, one fault at a time."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

from spade_envs.selfplay import trajectories
from spade_envs.selfplay.trajectories import EXAMPLE, TrajectoryError, checked, inert, is_inert
from spade_envs.types import Episode, StopReason

FAULTS: list[tuple[dict[str, Any], str]] = [
    ({"role": "teacher"}, "no such role"),
    ({"policy_version": "v3"}, "policy_version is 'v3'"),
    ({"policy_version": ""}, "policy_version"),
    ({"policy_version": "-1"}, "policy_version"),
    ({"token_ids": EXAMPLE.token_ids[:-1]}, "4 token ids, 5 masks, 5 log-probabilities"),
    ({"loss_mask": (*EXAMPLE.loss_mask, 1)}, "5 token ids, 6 masks"),
    ({"sampler_logprobs": EXAMPLE.sampler_logprobs[1:]}, "4 log-probabilities"),
    ({"token_ids": (), "loss_mask": (), "sampler_logprobs": ()}, "at least one"),
    ({"token_ids": (7, -1, 9, 10, 11)}, "token 1 is -1"),
    ({"loss_mask": (0, 0, 2, 1, 0)}, "mask 2 is 2"),
    ({"loss_mask": (0, 0, 0.5, 1, 0)}, "mask 2 is 0.5"),
    ({"loss_mask": (0, 0, 0, 1, 0)}, "log-probability 2 is -0.5, but the policy did not sample"),
    ({"sampler_logprobs": (0.0, 0.0, math.nan, -1.0, 0.0)}, "log-probability 2 is nan"),
    ({"sampler_logprobs": (0.0, 0.0, -math.inf, -1.0, 0.0)}, "log-probability 2 is -inf"),
    ({"sampler_logprobs": (0.0, 0.0, 0.0, 0.0011, 0.0)}, "log-probability 3 is 0.0011"),
    ({"sampler_logprobs": (0.0, math.nan, 0.0, 0.0, 0.0)}, "log-probability 1 is nan"),
    ({"loss_mask": (1, 0, 1, 1, 0)}, "nothing precedes the first token"),
    ({"temperature": 0.0}, "temperature is 0.0"),
    ({"temperature": math.nan}, "temperature is nan"),
    ({"temperature": math.inf}, "temperature is inf"),
    ({"reward": math.nan}, "reward is nan"),
    ({"reward": math.inf}, "reward is inf"),
    ({"advantage": math.nan}, "advantage is nan"),
]


@pytest.mark.parametrize(("change", "message"), FAULTS)
def test_a_fault_is_named(change: dict[str, Any], message: str) -> None:
    with pytest.raises(TrajectoryError, match=message):
        checked(dataclasses.replace(EXAMPLE, **change))


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"advantage": None},
        {"sampler_logprobs": (0.0, -0.0, -0.5, 0.001, 0.0)},
        {"role": "designer", "policy_version": "12"},
        {"temperature": 0.6},
    ],
)
def test_what_is_sound_is_given_back(change: dict[str, Any]) -> None:
    sound = dataclasses.replace(EXAMPLE, **change)
    assert checked(sound) is sound


def test_inert_ones_are_sound_and_train_nothing() -> None:
    made = checked(inert(EXAMPLE, 4))
    assert (made.token_ids, made.advantage, made.reward) == ((7,) * 4, 0.0, 0.0)
    assert trajectories.trained_tokens([made, EXAMPLE]) == 2
    assert trajectories.trained_episodes([made, EXAMPLE, EXAMPLE]) == 1
    assert is_inert(made) and not is_inert(EXAMPLE)
    with pytest.raises(ValueError, match="at least one token"):
        inert(EXAMPLE, 0)


@pytest.mark.parametrize("reason", StopReason)
def test_an_end_is_missing_where_its_outcome_is(reason: StopReason) -> None:
    episode = Episode("sha256:0", 0, "p", "", (), reason is StopReason.TERMINATED, False, reason)
    assert (episode.outcome is None) == (reason in trajectories.MISSING_ENDS)
