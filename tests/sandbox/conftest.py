"""What a worker does to its process, for tests that run the language layer in theirs; undone after each."""

from __future__ import annotations

import copy
import enum
import sys
import types

import pytest

from spade_envs.sandbox import names, namespace


@pytest.fixture
def worker_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module that own classes name, and the guards around ``copy`` and ``enum``."""
    monkeypatch.setitem(sys.modules, names.SANDBOX_MODULE, types.ModuleType(names.SANDBOX_MODULE))
    monkeypatch.setattr(copy, "_reconstruct", copy._reconstruct)  # type: ignore[attr-defined]
    monkeypatch.setattr(enum.EnumType, "_create_", enum.EnumType._create_)  # type: ignore[attr-defined]
    namespace.install_module()
