"""``spade-envs train`` around a loop that only tells events: what it settles, shows, refuses and ends with."""

from __future__ import annotations

import io
import json
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from pretended import cycle_events, pretended_loop
from rich.console import Console

from spade_envs.cli import main
from spade_envs.cli.standing import Standing
from spade_envs.cli.watching import picture
from spade_envs.selfplay import runs
from spade_envs.selfplay.config import Config
from spade_envs.selfplay.events import Event, Result, Watch
from spade_envs.selfplay.failures import TrainingError
from spade_envs.selfplay.run_folder import CONFIG_FILE, kept_config

Loop = Callable[..., Result]
SCRIPTED = ["train", "--engine.engine", "scripted"]


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Callable[[Loop], None]:
    """Puts something in the place of the loop."""

    def put(loop: Loop) -> None:
        monkeypatch.setattr(runs, "train", loop)

    return put


def stopping(stopped: str) -> Loop:
    """A loop that ends at once."""

    def train(config: Config, *, watch: Watch, resume: bool) -> Result:
        return Result(1, 1, Path(config.run.folder), {}, stopped)

    return train


def test_a_run_is_told_line_by_line(
    use: Callable[[Loop], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    use(pretended_loop())
    assert main([*SCRIPTED, "--run.folder", str(tmp_path / "run"), "--run.cycles", "5"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert [line.split()[:2] for line in lines[:5]] == [["cycle", str(cycle)] for cycle in range(5)]
    assert "of 8 admitted (" in lines[0] and "regret +0.300 (" in lines[0] and "gap 1e-06" in lines[0]
    assert "plain 0.200  hinted 0.450  reward 0.200" in lines[0]
    assert lines[5] == "5 of 5 cycles, policy version 5"
    assert err == "spade-envs: cycle 3: server: no answer within 600 s from http://127.0.0.1:8000 \\x1b[31m[red]\n"
    assert kept_config(tmp_path / "run").run.cycles == 5


def test_json_is_one_object_per_line(
    use: Callable[[Loop], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    use(pretended_loop())
    assert main([*SCRIPTED, "--run.folder", str(tmp_path / "run"), "--run.cycles", "4", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["cycle"] for row in rows if "metrics" in row] == [0, 1, 2, 3]
    assert sum(rows[0]["designs"].values()) == 8 and rows[0]["metrics"]["regret"] == 0.3
    assert [row["cycle"] for row in rows if "trouble" in row] == [3]
    assert rows[-1]["stopped"] == "done" and rows[-1]["troubles"] == {"server": 1}


def test_a_run_goes_on_from_its_folder_alone(
    use: Callable[[Loop], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    use(pretended_loop())
    folder = str(tmp_path / "run")
    assert main([*SCRIPTED, "--run.folder", folder, "--run.cycles", "2", "--run.seed", "7"]) == 0
    assert main([*SCRIPTED, "--run.folder", folder, "--run.cycles", "2"]) == 2
    assert "has a run; go on with it" in capsys.readouterr().err
    assert main(["train", "--resume", "--run.folder", folder, "--run.cycles", "3"]) == 0
    kept = kept_config(Path(folder))
    assert (kept.run.cycles, kept.run.seed, kept.engine.engine) == (3, 7, "scripted")
    assert main(["train", "--resume", "--run.folder", folder, "--play.plain", "9"]) == 2
    assert "play.plain was 8, is 9; begin one in another folder" in capsys.readouterr().err


def test_a_run_that_is_not_there_does_not_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--resume", "--run.folder", str(tmp_path / "nothing")]) == 2
    assert "has no config.toml" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("stopped", "code"), [("done", 0), ("interrupted", 130), ("the disk is full", 3)])
def test_exit_codes(
    stopped: str, code: int, use: Callable[[Loop], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    use(stopping(stopped))
    assert main([*SCRIPTED, "--run.folder", str(tmp_path / "run")]) == code
    err = capsys.readouterr().err
    assert (f"go on with: spade-envs train --resume --run.folder {tmp_path / 'run'}" in err) == (code != 0)
    assert ("the disk is full" in err) == (code == 3)


def test_an_error_of_the_loop_is_told(
    use: Callable[[Loop], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def failing(config: Config, *, watch: Watch, resume: bool) -> Result:
        raise TrainingError("the sampler is gone\x1b[31m; it goes on from checkpoint-00003")

    use(failing)
    assert main([*SCRIPTED, "--run.folder", str(tmp_path / "run")]) == 2
    assert capsys.readouterr().err == "spade-envs: the sampler is gone\\x1b[31m; it goes on from checkpoint-00003\n"


def test_ctrl_c_waits_for_the_end_of_the_cycle(
    use: Callable[[Loop], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[Event] = []

    def train(config: Config, *, watch: Watch, resume: bool) -> Result:
        for number, event in enumerate(cycle_events(config, 0)):
            if number == 2:
                os.kill(os.getpid(), signal.SIGINT)
            seen.append(event)
            try:
                watch(event)
            except KeyboardInterrupt:
                return Result(1, 1, Path(config.run.folder), {}, "interrupted")
        raise AssertionError("it was not interrupted")

    use(train)
    before = signal.getsignal(signal.SIGINT)
    assert main([*SCRIPTED, "--run.folder", str(tmp_path / "run")]) == 130
    assert len(seen) == len(list(cycle_events(Config(), 0)))
    assert "this cycle is finished and saved first" in capsys.readouterr().err
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_ctrl_c_stops_at_once(
    use: Callable[[Loop], None], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def train(config: Config, *, watch: Watch, resume: bool) -> Result:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        raise AssertionError("it was not interrupted")

    use(train)
    assert main([*SCRIPTED, "--run.folder", str(tmp_path / "run")]) == 130
    assert "Interrupted; go on with: spade-envs train --resume" in capsys.readouterr().err


def test_a_dry_run_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", "--preset", "single-gpu-4b", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "8.04 GB  parameters in bfloat16" in out and "Nothing was loaded, asked or written." in out
    assert "≤ 131 k tokens" in out and "engine.lora_rank" not in out
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["train", "--preset", "paper-games-4b", "--dry-run", "--json", "--run.seed", "3"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["config"]["run"]["seed"] == 3 and row["config"]["design"]["slots"] == 24
    assert {one["what"]: one["value"] for one in row["estimates"]}["hinted episodes"] == 384
    assert row["unknown"]


def test_a_saved_configuration_gives_the_same_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.toml"
    asked = ["train", "--preset", "paper-tools-8b", "--ablation", "solve-rate", "--design.slots", "12"]
    assert main([*asked, "--save-config", str(path)]) == 0
    assert main([*asked, "--dry-run", "--json"]) == main(["train", str(path), "--dry-run", "--json"]) == 0
    direct, saved = capsys.readouterr().out.splitlines()
    assert direct == saved
    assert main([*asked, "--save-config", str(path)]) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--preset", "tiny-cup"], "did you mean tiny-cpu? "),
        (["--ablation", "no-memori"], "did you mean no-memory? "),
        (["--run.sed", "1"], "Unknown option: --run.sed"),
        (["--run.seed", "1.5"], "a whole number is needed, not '1.5'"),
        (["--run.seed", "-1"], "--run.seed: run.seed must be a whole number from 0"),
        (["--train.loss", "gpro"], "did you mean grpo? "),
        (["--design.pool", "p"], "design.pool = 'p' is not used with design.designer"),
        (["nothing.toml"], "it does not exist"),
        (["--preset", "paper-games-4b"], "leaves the training to verl, slime, TRL or prime-rl"),
    ],
)
def test_wrong_usage_is_told(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["train", *words]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_missing_extra_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib_find_spec()
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None if name == "torch" else found(name))
    assert main(["train", "--preset", "tiny-cpu", "--run.folder", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert "needs torch" in said and 'pip install "spade-envs[train]"' in said
    assert not (tmp_path / "run" / CONFIG_FILE).exists()


def importlib_find_spec() -> Callable[[str], object]:
    import importlib.util

    return importlib.util.find_spec


def drawn(standing: Standing, width: int, most: int = 20) -> str:
    """The table as a terminal of this width shows it."""
    out = Console(file=io.StringIO(), width=width, markup=False, emoji=False, highlight=False)
    out.print(picture(standing, 30, most))
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue()


def test_the_table_shows_where_a_run_stands() -> None:
    now = [0.0]
    standing = Standing(lambda: now[0])
    for cycle in range(4):
        for event in cycle_events(Config(), cycle):
            now[0] += 0.5
            standing.take(event)
    for event in list(cycle_events(Config(), 4))[:-4]:
        standing.take(event)
    text = drawn(standing, 120)
    last = list(standing.rows)[3]
    assert last.speed is not None and f"{last.speed:,.0f}" in text
    assert "+0.28" in text and "0.28→0.53" in text and " 1e-06 " in text and "cycle 5 of 30" in text
    assert "play ━" in text and "troubles: 1 server" in text
    assert "\x1b" not in text and "\\x1b[31m[red]" in text


def test_the_table_keeps_to_a_narrow_and_low_terminal() -> None:
    standing = Standing(lambda: 0.0)
    for cycle in range(12):
        for event in cycle_events(Config(), cycle):
            standing.take(event)
    text = drawn(standing, 80, most=3)
    assert max(map(len, text.splitlines())) <= 80 and "…" not in text
    assert [line.split()[0] for line in text.splitlines()[1:4]] == ["9", "10", "11"]
