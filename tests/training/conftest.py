"""Tests that need PyTorch; `make integrations` installs it. One thread: more are slower where processors are shared."""

from __future__ import annotations

import importlib.util

import pytest

collect_ignore_glob = [] if importlib.util.find_spec("torch") else ["test_*.py"]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """The same on every machine, and many times faster on a busy one."""
    import torch

    torch.set_num_threads(1)
