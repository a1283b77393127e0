"""Tests that need PyTorch; `make integrations` installs it. One thread: more are slower where processors are shared."""

from __future__ import annotations

import importlib.util
import sys

import pytest

collect_ignore_glob = [] if importlib.util.find_spec("torch") else ["test_*.py"]

# The folder tests/vllm is no library, but those that look for one find it.
sys.modules.setdefault("vllm", None)  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def one_thread() -> None:
    """The same on every machine, and many times faster on a busy one."""
    import torch

    torch.set_num_threads(1)
