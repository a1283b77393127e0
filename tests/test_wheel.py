"""What a user installs: checkout to sdist to wheel to a clean environment, and an episode in it."""

from __future__ import annotations

import importlib.util
import os
import shutil
import site
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from checkout import ROOT, files

EPISODE = """
import gymnasium
env = gymnasium.make("spade_envs:spade/env-0001")
observation, info = env.reset(seed=3)
assert observation and info["seed"] == 3, (observation, info)
observation, reward, terminated, truncated, info = env.step("\\\\boxed{nothing}")
assert isinstance(observation, str) and reward == 0.0, (observation, reward)
env.close()
import spade_envs
print(spade_envs.__file__)
"""


def run(command: list[str], cwd: Path, *, codes: tuple[int, ...] = (0,)) -> str:
    """Run a command; its output, or a failure that shows it."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=280)
    assert done.returncode in codes, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sdist, which is built from a copy of the checkout."""
    folder = tmp_path_factory.mktemp("build")
    copy, out = folder / "checkout", folder / "dist"
    for path in files():
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, copy / path, follow_symlinks=False)
    # With hatchling here nothing has to be fetched.
    isolation = ["--no-isolation"] if importlib.util.find_spec("hatchling") else []
    run([sys.executable, "-m", "build", *isolation, "--outdir", str(out), str(copy)], folder)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Python of an environment with the wheel in it, and the dependencies of this one, but not this checkout."""
    folder = tmp_path_factory.mktemp("clean environment")
    run([sys.executable, "-m", "venv", "--without-pip", str(folder)], folder)
    found = folder / "bin" / "python"
    (packages,) = (folder / "lib").glob("python*/site-packages")
    # A plain path line: the .pth files over there, which name this checkout, are not read.
    lines = [path for path in site.getsitepackages() if os.path.isdir(path)]
    (packages / "dependencies.pth").write_text("\n".join(lines) + "\n", "utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(found), "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--no-deps", "--no-index", "--force-reinstall", str(wheel)], folder)
    return found


@pytest.mark.slow
def test_the_wheel_holds_the_checkout(wheel: Path) -> None:
    expected = {path for path in files() if path.startswith("spade_envs/") and not (ROOT / path).is_symlink()}
    expected |= {f"spade_envs/{path}" for path in files() if path.startswith(("validators/", "generated/"))}
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if not name.split("/")[0].endswith(".dist-info")}
        for name in sorted(inside & expected):
            assert archive.read(name) == (ROOT / name).read_bytes(), f"{name} differs from the checkout"
    assert inside == expected, f"missing {sorted(expected - inside)}, unexpected {sorted(inside - expected)}"
    assert "spade_envs/validators/contract.py" in inside
    assert "spade_envs/generated/env-0001/env.py" in inside


@pytest.mark.slow
def test_an_episode_from_the_wheel(python: Path, tmp_path: Path) -> None:
    origin = Path(run([str(python), "-c", EPISODE], tmp_path).strip())
    assert origin.is_relative_to(python.parent.parent), f"the installed package was not used: {origin}"


@pytest.mark.slow
def test_the_command_from_the_wheel(python: Path, tmp_path: Path) -> None:
    command = [str(python), str(python.with_name("spade-envs"))]
    assert "spade/env-0001" in run([*command, "list"], tmp_path)
    shutil.copy(ROOT / "generated" / "env-0001" / "env.py", tmp_path / "sound.py")
    assert "ADMIT" in run([*command, "check", "sound.py"], tmp_path)
    (tmp_path / "broken.py").write_text("import os\n", "utf-8")
    assert "static.import" in run([*command, "check", "broken.py"], tmp_path, codes=(1,))


def test_a_checkout_without_links_says_how_to_repair_it(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "spade_envs", tmp_path / "spade_envs", symlinks=True, ignore=_skip)
    for name in ("validators", "generated"):
        # What version control makes of a link where it may not make links: a small text file.
        (tmp_path / "spade_envs" / name).unlink()
        (tmp_path / "spade_envs" / name).write_text(f"../{name}", "ascii")
    done = subprocess.run(
        [sys.executable, "-P", "-c", "import sys; sys.path.insert(0, '.'); import spade_envs"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0, "the import went through"
    assert "ImportError" in done.stderr and "git config core.symlinks true" in done.stderr, done.stderr


def _skip(folder: str, names: list[str]) -> list[str]:
    return [name for name in names if name == "__pycache__"]
