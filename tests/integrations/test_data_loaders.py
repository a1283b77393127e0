"""PyTorch's data loaders fork a process that already plays: parent and children both go on."""

from __future__ import annotations

import os
from typing import Any

import gymnasium
import pytest

WHY = "`make integrations` installs PyTorch and runs this"
pytest.importorskip("torch", reason=WHY)

from torch.utils.data import DataLoader, Dataset

ENV = "spade_envs:spade/env-0002"
PULLS = [f"\\boxed{{PULL {stop}}}" for stop in "ABCDEF"]


def transcript(env: gymnasium.Env[str, str], seed: int) -> list[str]:
    """What an episode of six turns shows."""
    return [env.reset(seed=seed)[0], *(env.step(action)[0] for action in PULLS)]


class Transcripts(Dataset[tuple[int, list[str]]]):
    """One episode per index, on an environment that each process makes for itself, or on one from before the fork."""

    def __init__(self, env: gymnasium.Env[str, str] | None) -> None:
        self.env = env

    def __len__(self) -> int:
        return 8

    def __getitem__(self, index: int) -> tuple[int, list[str]]:
        if self.env is None:
            self.env = gymnasium.make(ENV)
        return os.getpid(), transcript(self.env, index)


@pytest.mark.parametrize("inherited", [False, True])
def test_parent_and_children_keep_playing(inherited: bool) -> None:
    env, other = gymnasium.make(ENV), gymnasium.make(ENV)
    expected = [transcript(other, seed) for seed in range(8)]
    shown: list[Any] = [env.reset(seed=3)[0], *(env.step(action)[0] for action in PULLS[:2])]
    loader = DataLoader(
        Transcripts(env if inherited else None),
        num_workers=2,
        batch_size=None,
        multiprocessing_context="fork",
        persistent_workers=True,
    )
    for _ in range(2):
        loaded = list(loader)
        assert [texts for _, texts in loaded] == expected
        assert len({process for process, _ in loaded} - {os.getpid()}) == 2
        # The parent's episode is still where it was.
        shown += [env.step(action)[0] for action in PULLS[len(shown) - 1 :][:2]]
    assert shown == expected[3]
    del loader
    assert transcript(env, 4) == expected[4] and transcript(other, 5) == expected[5]
    for one in (env, other):
        one.close()
