"""Keep every test away from the user's own data folder, collecting tests included."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

os.environ["SPADE_ENVS_HOME"] = os.devnull + "/no-home"
os.environ.pop("SPADE_ENVS_PATH", None)


@pytest.fixture(autouse=True)
def data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Redirect the data folder to a fresh one, which is not made before it is needed."""
    home = tmp_path / "spade-envs-home"
    monkeypatch.setenv("SPADE_ENVS_HOME", str(home))
    monkeypatch.delenv("SPADE_ENVS_PATH", raising=False)
    return home
