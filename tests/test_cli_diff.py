"""``spade-envs diff``: texts and behaviour of two sources."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from spade_envs.cli import main
from spade_envs.rules import EXAMPLE
from spade_envs.store import resolve
from spade_envs.types import EnvSource

Capture = pytest.CaptureFixture[str]
Write = Callable[[str, str], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def put(name: str, text: str) -> str:
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        return str(path)

    return put


def test_a_comment_is_seen_in_the_text_and_not_in_the_behaviour(write: Write, capsys: Capture) -> None:
    one, other = write("one", EXAMPLE), write("other", EXAMPLE + "# the same\n")
    assert main(["diff", one, other, "--seeds", "3"]) == 0
    out = capsys.readouterr().out
    assert f"--- {one}\n" in out and "+# the same\n" in out
    assert "Nothing that was seen tells them apart (3 seeds)." in out
    assert main(["diff", one, one]) == 0
    assert "The texts are the same." in capsys.readouterr().out


def test_another_grader_is_told_in_a_table(write: Write, capsys: Capture) -> None:
    one, other = write("one", EXAMPLE), write("other", EXAMPLE.replace("self.a + self.b", "self.a + self.b + 1"))
    assert main(["diff", one, other, "--seeds", "3"]) == 1
    rows = {line.split("  ")[0]: line for line in capsys.readouterr().out.splitlines()}
    assert "won 3 of 3, return 1.00" in rows["witness of A"] and "won 0 of 3, return 0.00" in rows["witness of A"]
    assert rows["witness of A"].split()[-3:] == ["0", "of", "3"]
    assert rows["first observations"].split()[-3:] == ["3", "of", "3"]
    assert "They behave differently (3 seeds)." in rows
    assert main(["diff", one, other, "--seeds", "3", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["alike"] is False and "+" in told["diff"] and told["a"]["sha256"] == EnvSource(EXAMPLE).sha256
    assert told["behaviour"]["played"][0] == {
        "player": "witness of A",
        "episodes": 3,
        "wins": [3, 0],
        "reward": [1.0, 0.0],
        "alike": 0,
    }


def test_ids_and_hashes_are_names_too(write: Write, capsys: Capture) -> None:
    shelf, entry = resolve("env-0001")
    copy = write("copy", shelf.read_source(entry.name).text + "# mine\n")
    assert main(["diff", entry.sha256[:12], copy, "--seeds", "2"]) == 0
    assert "spade/env-0001" in capsys.readouterr().out
    assert main(["diff", "env-0001", "env-0004", "--seeds", "2"]) == 1


def test_what_cannot_be_played_is_said(write: Write, capsys: Capture) -> None:
    one, other = write("one", EXAMPLE), write("other", "import os\n" + EXAMPLE)
    assert main(["diff", one, other]) == 1
    assert "os" in capsys.readouterr().out
    assert main(["diff", write("third", "import socket\n" + EXAMPLE), other]) == 2
    told = capsys.readouterr()
    assert "neither" in told.err and "+import os" in told.out


def test_what_makes_no_sense_is_said_in_a_line(write: Write, tmp_path: Path, capsys: Capture) -> None:
    one = write("one", EXAMPLE)
    lines = {
        (one, str(tmp_path / "none.py")): "none.py does not exist",
        (one, "env-9999"): "no environment 'spade/env-9999'",
        (one, "abcdef01"): "no source",
        (one, one, "--seeds", "0"): "--seeds must be 1 to",
        (one, str(tmp_path)): "",
    }
    for words, told in lines.items():
        assert main(["diff", *words]) == 2, words
        error = capsys.readouterr().err
        assert told in " ".join(error.split()) and "Traceback" not in error, words


def test_hostile_text_is_made_visible(write: Write, capsys: Capture) -> None:
    hostile = EXAMPLE + "# \x1b[31m\u202eevil[red]\n"
    assert main(["diff", write("one", EXAMPLE), write("other", hostile), "--seeds", "1"]) == 0
    out = capsys.readouterr().out
    assert "\x1b[31m" not in out and "\u202e" not in out and "\\x1b[31m\\u202eevil[red]" in out
