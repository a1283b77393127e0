"""Writers and readers that are killed at random lose nothing that was acknowledged."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from checkout import ROOT


@pytest.mark.slow
def test_nothing_acknowledged_is_lost() -> None:
    command = [sys.executable, ROOT / "benchmarks/soak_memory.py", "--seconds", "0", "--writes", "1500"]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr
    figures = json.loads(run.stdout)
    assert figures["problems"] == [] and figures["killed"] > 20 and figures["rounds_read"] > 3
