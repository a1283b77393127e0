"""What libraries that stack everything in arrays need: ``info`` without texts, and observations as ``float32``."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec

from spade_envs.wrappers import ActionMenu, HashedNgrams, NumericInfo

ENV = "spade_envs:spade/env-0002"


def test_numeric_info_keeps_numbers_and_arrays_of_them() -> None:
    env = gymnasium.make(ENV)

    class Told(gymnasium.Wrapper[str, str, str, str]):
        def step(self, action: str) -> tuple[str, Any, bool, bool, dict[str, Any]]:
            numbers = {"i": 1, "f": np.float32(0.5), "b": True, "mask": np.ones(2, np.int8)}
            texts = {"s": "a", "none": None, "list": [1], "dict": {"a": 1}, "array": np.array(["a"])}
            return "", 0.0, False, False, {**numbers, **texts, "objects": np.array([None, 1])}

    bare, full = NumericInfo(Told(env)), ActionMenu(env)
    assert bare.reset(seed=9)[1] == {"seed": 9}
    assert sorted(bare.step("")[4]) == ["b", "f", "i", "mask"]
    view = NumericInfo(full)
    observation, info = view.reset(seed=1)
    assert sorted(info) == ["action_mask", "seed"] and observation == full.reset(seed=1)[0]
    view.step(0), view.step(0)
    for number in (2, 2):
        *signals, info = view.step(number)
    assert signals[1:] == [0.0, True, False] and sorted(info) == ["action_mask", "masked", "success"]
    env.close()


def test_a_menu_id_shows_bytes_or_ngrams_and_may_leave_texts_out() -> None:
    env = gymnasium.make("spade/env-0002-menu", view="ngrams", length=100, numeric_info=True)
    same = HashedNgrams(ActionMenu(gymnasium.make(ENV)), 100)
    assert env.observation_space == gymnasium.spaces.Box(0, 1, (100,), np.float32)
    observation, info = env.reset(seed=7)
    assert np.array_equal(observation, same.reset(seed=7)[0]) and "text" not in info
    assert env.spec is not None
    again = gymnasium.make(EnvSpec.from_json(env.spec.to_json()))
    assert np.array_equal(again.reset(seed=7)[0], observation)
    for one in (env, same, again):
        one.close()
    with pytest.raises(ValueError, match="view must be 'bytes' or 'ngrams', not 'words'"):
        gymnasium.make("spade/env-0002-menu", view="words")
