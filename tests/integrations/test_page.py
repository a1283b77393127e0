"""What docs/rl-libraries.md shows for each library runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from checkout import ROOT

LIBRARIES = {
    "sb3_ppo.py": "stable_baselines3",
    "tianshou_dqn.py": "tianshou",
    "rllib_ppo.py": "ray.rllib",
    "cleanrl_envs.py": "torch",
}
"""Examples of the page, and what each needs."""

PAGE = (ROOT / "docs" / "rl-libraries.md").read_text("utf-8")
EXAMPLES = dict(re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))


def test_the_page_shows_each_library() -> None:
    assert list(EXAMPLES) == list(LIBRARIES)


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_example_runs(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(LIBRARIES[name], reason="`make integrations` installs the libraries and runs this")
    monkeypatch.setenv("HOME", str(tmp_path))  # where RLlib leaves a file
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    (tmp_path / name).write_text(EXAMPLES[name], "utf-8")
    done = subprocess.run(
        [sys.executable, name], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200
    )
    assert done.returncode == 0, done.stdout
