"""An environment that libraries can learn in seconds, admitted to a shelf that their processes find as well."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import spade_envs

SIGNAL_BOX = '''\
"""Signal box: pull the lever that the book gives for each arm, six trains in a row."""

import random

LEVERS = {"up": "N", "level": "S", "down": "E", "dark": "W"}


class SignalBoxEnv:
    def __init__(self, max_turns=6):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.arms = [rng.choice(list(LEVERS)) for _ in range(6)]
        self.turn = self.passed = 0
        return (
            "Six trains come, one per turn. Levers: \\\\boxed{pull N} for an arm that is up, \\\\boxed{pull S} for "
            "level, \\\\boxed{pull E} for down, \\\\boxed{pull W} for dark. All trains must pass.\\n\\n" + self._arm(),
            {},
        )

    def _arm(self):
        return f"Arm: {self.arms[self.turn]}." if self.turn < 6 else "No train is left."

    def step(self, action):
        right = self.turn < 6 and action == f"\\\\boxed{{pull {LEVERS[self.arms[self.turn]]}}}"
        self.turn += 1
        self.passed += right
        said = "The train passes. " if right else "The train stops. "
        return said + self._arm(), right / 6, self.passed == 6, self.turn >= 6 and self.passed < 6, {}

    def solution(self):
        return [f"\\\\boxed{{pull {LEVERS[arm]}}}" for arm in self.arms]
'''
"""Pays a sixth for each train that passes; a policy that always pulls the same lever earns a quarter on average."""


@pytest.fixture(scope="session")
def session_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One data folder for all tests: a server that forks workers keeps the variables it was started with."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(autouse=True)
def data_home(session_home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """In place of the fresh folder that other tests get."""
    monkeypatch.setenv("SPADE_ENVS_HOME", str(session_home))
    monkeypatch.delenv("SPADE_ENVS_PATH", raising=False)
    return session_home


@pytest.fixture
def signal_box(data_home: Path) -> str:
    """The id of its numeric view, as processes that have not imported spade_envs find it."""
    admission = spade_envs.admit(spade_envs.EnvSource(SIGNAL_BOX))
    assert admission.card is not None and admission.card.menu, admission.report
    spade_envs.register()
    return f"spade_envs:{admission.env_id}-menu"


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Sums in one order on any machine; and small networks are faster so."""
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)
