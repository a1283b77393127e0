"""The command line, run for real."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from spade_envs.admission import rules
from spade_envs.cli import main
from spade_envs.rules import EXAMPLE
from spade_envs.shelf import Shelf

BROKEN = EXAMPLE.replace('self.a + self.b}}}"]', 'self.a + self.b + 1}}}"]')
HOSTILE_TEXT = "\x1b[31m\u202eevil[red]"


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.py"
    path.write_text(EXAMPLE)
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.py"
    path.write_text(BROKEN)
    return path


def rows(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_check_prints_one_object_per_source(good: Path, bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(good), str(bad), "--json"]) == 1
    first, second = rows(capsys.readouterr().out)
    assert [first["verdict"], second["verdict"]] == ["admit", "refuse"]
    assert (first["source"], second["source"]) == (str(good), str(bad))
    assert set(first) >= {"source", "sha256", "verdict", "findings", "isolation", "not_reached", "seconds"}
    (finding,) = second["findings"]  # type: ignore[misc]
    assert set(finding) == {"rule", "severity", "message", "line", "repro"}
    assert finding["rule"] == "feasibility.witness" and finding["repro"]["actions"]


def test_a_finding_shows_line_caret_rule_and_reproduction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "os.py"
    path.write_text("import os\n" + EXAMPLE)
    assert main(["check", str(path)]) == 1
    out = capsys.readouterr().out
    assert "REFUSE" in out and "static.import" in out
    assert "    1 | import os\n" in out and "| ^^^^^^^^^\n" in out
    assert main(["check", str(path.with_name("bad.py"))]) == 2
    bad = tmp_path / "bad.py"
    bad.write_text(BROKEN)
    main(["check", str(bad)])
    assert "again: seed " in capsys.readouterr().out


def test_exit_codes(good: Path, bad: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    undecided = tmp_path / "undecided.py"
    undecided.write_text(EXAMPLE.replace("def solution", "def notes"))
    assert main(["check", str(good)]) == 0
    assert main(["check", str(undecided), str(good)]) == 3
    assert main(["check", str(undecided), str(bad)]) == 1
    assert main(["check", str(bad), str(tmp_path / "missing.py")]) == 2
    assert "missing.py does not exist" in capsys.readouterr().err
    assert main(["check"]) == 2
    assert main(["no-such-command"]) == 2
    assert main(["check", str(good), "--no-such-flag"]) == 2
    assert main(["check", str(good), "--skill", "juggling"]) == 2
    assert "logical-deduction" in capsys.readouterr().err


def test_bad_files_are_told_apart(good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = {
        "empty.py": (b"", 1, "No class"),
        "prose.py": (b"Here is the environment you asked for:\n", 1, "does not parse"),
        "binary.py": (bytes(range(256)), 2, "no UTF-8 text"),
        "zero.py": (b"x = 1\n\x00\n", 1, "null byte"),
        "large.py": (b"# " + b"x" * (10 * 1024 * 1024), 1, "at most 131072"),
    }
    for name, (data, code, says) in cases.items():
        path = tmp_path / name
        path.write_bytes(data)
        assert main(["check", str(path)]) == code, name
        told = capsys.readouterr()
        assert says in told.out + told.err, name
    os.mkfifo(tmp_path / "fifo.py")
    assert main(["check", str(tmp_path / "fifo.py")]) == 2
    (tmp_path / "void").mkdir()
    assert main(["check", str(tmp_path / "void")]) == 2
    assert "holds no .py files" in capsys.readouterr().err
    assert main(["check", str(good.parent / "good.py" / "inside.py")]) == 2


def test_a_folder_is_checked_file_by_file(good: Path, bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(good.parent), "--json", "--jobs", "2"]) == 1
    assert [row["source"] for row in rows(capsys.readouterr().out)] == [str(bad), str(good)]


def test_admit_list_show_and_known_again(good: Path, bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admit", str(good), str(bad), "--skill", "mathematical-reasoning", "--json"]) == 1
    first, second = rows(capsys.readouterr().out)
    assert first["id"] == "spade/env-1001" and "id" not in second
    assert main(["admit", str(good)]) == 0
    assert "spade/env-1001 (already on the shelf)\n" in capsys.readouterr().out
    assert main(["admit", str(good), "--hint", "Add."]) == 0
    assert "keeps the skill and hint" in capsys.readouterr().out
    assert main(["list", "--json", "--skill", "mathematical-reasoning"]) == 0
    found = {row["id"]: row["contract"] for row in rows(capsys.readouterr().out)}
    assert found == {"spade/env-0004": "answer", "spade/env-1001": "answer"}
    assert main(["show", "env-1001"]) == 0
    assert "class AddEnv" in capsys.readouterr().out
    assert main(["show", "spade/env-1001", "--json"]) == 0
    assert rows(capsys.readouterr().out)[0]["source"] == EXAMPLE
    assert main(["show", "env-1011"]) == 2
    assert "env-1001" in capsys.readouterr().err
    assert main(["admit", "--recheck", "--json"]) == 0
    assert rows(capsys.readouterr().out)[0]["verdict"] == "admit"
    assert main(["admit", "--recheck", "--skill", "optimization"]) == 2
    assert "leave --skill" in capsys.readouterr().err


def test_the_memory_knows_the_id_at_once(good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Shelf.create(tmp_path / "lab", "lab", 1)
    for shelf, told in (["--shelf", str(tmp_path / "lab")], ""), ([], "spade/env-1001"):
        assert main(["admit", str(good), *shelf]) == 0
        capsys.readouterr()
        assert main(["list", "--memory", "--json"]) == 0
        (row,) = rows(capsys.readouterr().out)
        assert row["id"] == told and row["lines"] == len(EXAMPLE.splitlines())


def test_help_breaks_lines_where_the_terminal_ends(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    assert main(["import", "--help"]) == 0
    told = capsys.readouterr().out
    assert "parquet file; or a folder of all of these. What" in told and "else 3 when some were undecided" in told
    assert "\n  spade-envs import pool/ --dry-run\n  spade-envs import pool/\n" in told
    assert "--limit" in told and "Only so many sources" in told


def test_a_shelf_is_rechecked_as_what_it_is_played(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admit", str(good), "--contract", "interactive"]) == 0
    capsys.readouterr()
    assert main(["admit", "--recheck", "--json"]) == 0
    assert rows(capsys.readouterr().out)[0]["contract"] == "interactive"


def test_what_offers_no_tools_is_not_of_the_tools_contract(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(good), "--contract", "tools"]) == 1
    assert "tools.schema" in (out := capsys.readouterr().out) and "leave the contract out" in out


def test_admit_to_another_shelf(good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["admit", str(good), "--shelf", str(tmp_path / "none")]) == 2
    Shelf.create(tmp_path / "lab", "lab", 1)
    assert main(["admit", str(good), "--shelf", str(tmp_path / "lab")]) == 0
    assert "lab/env-0001" in capsys.readouterr().out


def test_play_witness_and_by_pipe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["play", "env-0002", "--witness", "--seed", "3", "--json"]) == 0
    told = capsys.readouterr()
    (episode,) = rows(told.out)
    assert episode["success"] is True and "won:" in told.err
    read_end, write_end = os.pipe()
    os.write(write_end, b"look\n\n")
    os.close(write_end)
    monkeypatch.setattr(sys, "stdin", os.fdopen(read_end))
    assert main(["play", "env-0001", "--seed", "3"]) == 0
    assert "not won: player_stopped after 2 turns" in capsys.readouterr().out


def test_explain(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in rules())
    assert main(["explain", "static.import"]) == 0
    page = capsys.readouterr().out
    assert "Accepted:" in page and "import os" in page
    assert main(["explain", "--json"]) == 0
    assert len(rows(capsys.readouterr().out)) == len(rules())
    assert main(["explain", "static.imports"]) == 2
    assert "did you mean static.import" in capsys.readouterr().err


def test_doctor(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    (facts,) = rows(capsys.readouterr().out)
    assert facts["isolation"] in ("kernel", "seccomp") and facts["not_covered"]
    assert main(["doctor"]) == 0


def test_check_writes_tests(bad: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    assert main(["check", str(bad), "--write-test", str(folder)]) == 1
    (written,) = folder.iterdir()
    assert f"wrote {folder}" in capsys.readouterr().out.replace("\n", "")
    compile(written.read_bytes(), str(written), "exec")
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert main(["check", str(bad), "--write-test", str(blocked)]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_demo(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    out = capsys.readouterr().out
    verdicts = re.findall(r"^\d\d [\w-]+ +(admit|refuse|undecided)", out, re.MULTILINE)
    assert verdicts == ["admit"] * 8 + ["refuse"] * 16
    assert "won: terminated" in out


def test_hostile_text_is_harmless_on_a_real_terminal(tmp_path: Path) -> None:
    """Path, source line and exception message with escapes, on a pseudo-terminal."""
    folder = tmp_path / "a\x1b[31mb"
    folder.mkdir()
    path = folder / "x.py"
    path.write_text(EXAMPLE.replace("rng = random", f"raise ValueError('{HOSTILE_TEXT}'); rng = random"))
    leader, follower = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color"}
    command = [sys.executable, "-m", "spade_envs", "check", str(path)]
    with subprocess.Popen(command, stdout=follower, stderr=follower, stdin=subprocess.DEVNULL, env=env) as process:
        os.close(follower)
        seen = b""
        try:
            while data := os.read(leader, 65536):
                seen += data
        except OSError:  # the terminal closes with its last writer
            pass
        assert process.wait() == 1
    text = seen.decode()
    assert "evil[red]" in text and "\\x1b[31m" in text
    assert "\u202e" not in text and "\x1b[31mb" not in text and "\x1b[31m\\u202e" not in text


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m spade_envs explain | head -1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True)
    assert done.returncode == 0 and "Traceback" not in done.stderr


def test_interrupt_stops_cleanly(tmp_path: Path) -> None:
    """Ctrl-C while a source hangs: exit code 130, no traceback, and what was finished was printed."""
    (tmp_path / "a.py").write_text(EXAMPLE)
    slow = EXAMPLE.replace("rng = random", "time.sleep(0)\n        while True: pass\n        rng = random")
    (tmp_path / "b.py").write_text("import time\n" + slow)
    command = [sys.executable, "-u", "-m", "spade_envs", "check", str(tmp_path), "--json", "--jobs", "1"]
    # Where the tests themselves run in the background of a shell, SIGINT is ignored, and children inherit that.
    heeding = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, heeding)
    with process:
        assert process.stdout is not None and process.stderr is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert json.loads(first)["verdict"] == "admit"
        assert "Traceback" not in process.stderr.read()


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (["play", "env-0001", "--seed", "-1"], "--seed must be at least 0, not -1"),
        (["show", "env-0002-menu"], "numeric view, for gymnasium.make; ask for env-0002"),
        (["explain", "static.nothing"], "; `spade-envs explain` lists them"),
        (["memory", "prune"], "Try `spade-envs memory prune --help`."),
        (["memory", "frob"], "Try `spade-envs memory --help`."),
    ],
)
def test_what_makes_no_sense_is_said_in_a_line(line: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line) == 2
    error = capsys.readouterr().err
    assert told in " ".join(error.split()) and "Traceback" not in error


def test_ids_may_have_the_prefix_that_gymnasium_takes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "spade_envs:spade/env-0001", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["card"]["name"] == "env-0001"


def test_a_list_of_nothing_says_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--skill", "juggling", "--contract", "quiz"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "No environment of skill 'juggling'; there are" in told and "of contract 'quiz'; there are answer," in told
