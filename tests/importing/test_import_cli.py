"""``spade-envs import``, run for real: output, exit codes, and what a kill or Ctrl-C leaves."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pooling import SKILLS, broken, digest, good, put, put_lines, put_run, row_of

from spade_envs.cli import main
from spade_envs.importing.census import census
from spade_envs.memory import SqliteMemory
from spade_envs.shelf import Shelf

UNDECIDED = good(500).replace("def solution", "def notes")


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    """One that passes, one that is refused."""
    put_run(tmp_path / "a-pool", {(0, 0): good(0), (40, 1): broken(1)}, model="some-model")
    return tmp_path / "a-pool"


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_one_object_per_source_and_the_census_last(pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(pool, "z.py", "")
    assert main(["import", str(pool), "--json"]) == 3
    first, second, problem, last = rows(capsys.readouterr().out)
    path = f"games/gen_0000/game_00000_000_{SKILLS[0]}.py"
    assert (first["source"], first["verdict"], first["id"]) == (path, "admit", "spade/env-1001")
    assert (first["sha256"], first["made_by"], first["known"]) == (digest(good(0)), "some-model", False)
    assert first["origin"]["pool"] == "a-pool"
    assert (second["verdict"], second["rule"], second["id"]) == ("refuse", "static.import", "")
    assert second["findings"][0]["rule"] == "static.import"
    assert (problem["source"], problem["problem"], problem["count"]) == ("z.py", "no code", 1)
    assert last["census"]["total"] == {"value": "", "admitted": 1, "refused": 1, "undecided": 0, "unchecked": 0}
    assert last["census"]["pool"] == "a-pool"


def test_what_a_reader_sees(pool: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(pool)]) == 0
    out = capsys.readouterr().out
    assert "ADMIT     games/gen_0000" in out and "spade/env-1001" in out
    assert "static.import: " in out
    assert "a-pool: 2 sources" in out and "50.0%" in out and "some-model" in out
    assert main(["import", str(pool)]) == 0
    again = capsys.readouterr().out
    assert "2 had been decided before" in again and "ADMIT  " not in again
    assert out[out.index("a-pool: ") :] == again[again.index("a-pool: ") :]
    assert main(["show", "env-1001"]) == 0
    shown = capsys.readouterr().out
    assert "a-pool, games/gen_0000/" in shown and "step 0" in shown and '"n_plays": 16' in shown


def test_problems_are_shown_up_to_some_and_all_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path / "p", "a.py", broken(1))
    put_lines(tmp_path / "p", "rows.jsonl", [{"code": number} for number in range(25)])
    assert main(["import", str(tmp_path / "p")]) == 1
    out = capsys.readouterr().out
    assert out.count("PROBLEM") == 10
    assert re.search(r"^no code +25$", out, re.MULTILINE)


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    put(tmp_path / "refused", "a.py", broken(1))
    put(tmp_path / "undecided", "a.py", UNDECIDED)
    put(tmp_path / "undecided", "b.py", good(1))
    put(tmp_path / "empty", "README.md", "nothing")
    assert main(["import", str(tmp_path / "refused")]) == 1
    assert main(["import", str(tmp_path / "undecided")]) == 3
    assert main(["import", str(tmp_path / "refused"), "--dry-run"]) == 0
    assert main(["import", str(tmp_path / "empty")]) == 2
    assert "holds no source" in capsys.readouterr().err
    assert main(["import", str(tmp_path / "refused"), "--skill", "optimization"]) == 2
    assert "'optimization'" in capsys.readouterr().err
    refused = str(tmp_path / "refused")
    for wrong in ([str(tmp_path / "gone")], [], [refused, "--limit", "-1"], [refused, "--budget", "0"]):
        assert main(["import", *wrong]) == 2
    assert main(["import", refused, "--jobs", "-1"]) == 2
    assert main(["import", str(tmp_path / "refused"), "--shelf", str(tmp_path / "empty")]) == 2


def test_a_dry_run_writes_nothing(pool: Path, data_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(pool), "--dry-run"]) == 0
    assert "unchecked" in capsys.readouterr().out
    assert main(["import", str(pool), "--dry-run", "--json"]) == 0
    (only,) = rows(capsys.readouterr().out)
    assert only["census"]["total"]["unchecked"] == 2
    assert not data_home.exists()


def test_flags_reach_the_work(pool: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", str(pool), "--no-admit", "--limit", "1", "--name", "other", "--json"]) == 0
    first, last = rows(capsys.readouterr().out)
    assert first["id"] == "" and first["origin"]["pool"] == last["census"]["pool"] == "other"
    shelf = Shelf.create(tmp_path / "lab", "lab", 1)
    assert main(["import", str(pool), "--skill", SKILLS[0], "--shelf", str(shelf.path), "--json"]) == 0
    first, _ = rows(capsys.readouterr().out)
    assert (first["id"], first["known"]) == ("lab/env-0001", True)
    assert main(["import", str(pool), "--skill", SKILLS[0], "--recheck", "--json"]) == 0
    first, _ = rows(capsys.readouterr().out)
    assert first["known"] is False


def start(pool: Path, *flags: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "spade_envs", "import", str(pool), "--json", "--jobs", "2", *flags]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize("told", [0, 1, 3])
def test_killed_it_goes_on(tmp_path: Path, data_home: Path, told: int) -> None:
    pool = tmp_path / "a-pool"
    rows_of_pool = [row_of(at, broken(at) if at % 2 else good(at)) for at in range(4)]
    put_lines(pool, "rows.jsonl", rows_of_pool)
    process = start(pool)
    assert process.stdout is not None
    before = [json.loads(process.stdout.readline()) for _ in range(told)]
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    process = start(pool)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    *after, last = rows(out)
    assert [row["verdict"] for row in after] == ["admit", "refuse"] * 2
    assert [row["id"] for row in after if row["id"]] == ["spade/env-1001", "spade/env-1002"]
    # What had been told was kept, and is not done again.
    assert [row["known"] for row in after[:told]] == [True] * told
    assert [(row["sha256"], row["id"]) for row in before] == [(row["sha256"], row["id"]) for row in after[:told]]
    assert len(Shelf(data_home / "shelf").entries()) == 2
    with SqliteMemory() as memory:
        assert [len(memory.reports(row["sha256"])) for row in after] == [1] * 4
        found = census(memory, "a-pool")
    assert found.total.admitted == last["census"]["total"]["admitted"] == 2
    assert found.shelved == last["census"]["shelved"] == 2


def test_interrupted_it_says_so_and_goes_on(tmp_path: Path) -> None:
    pool = tmp_path / "a-pool"
    put_lines(pool, "rows.jsonl", [row_of(at, good(at)) for at in range(4)])
    process = start(pool, "--no-admit")
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "Interrupted; what was finished is kept.\n"
    process = start(pool, "--no-admit", "--limit", "1")
    out, _ = process.communicate(timeout=60)
    assert rows(out)[0] == {**first, "known": True}


def test_on_a_terminal_there_is_a_bar(pool: Path) -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "spade_envs", "import", str(pool)]
    process = subprocess.Popen(command, stdout=slave, stderr=subprocess.PIPE, env={**os.environ, "TERM": "xterm"})
    os.close(slave)
    seen = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:
            break
        if not piece:
            break
        seen += piece
    process.communicate(timeout=60)
    os.close(master)
    assert process.returncode == 0
    text = seen.decode()
    assert "Importing" in text and "/2" in text and "a-pool: 2 sources" in text
