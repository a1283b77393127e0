"""What ``lineage`` and ``stats`` tell of what is remembered, and ``memory``, which keeps it in order."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
from pathlib import Path

import pytest
from test_cli_memory import ADMITTED, FINDING, REFUSED, Capture, episode_of, memory, rows

from spade_envs.cli import main
from spade_envs.memory import SqliteMemory
from spade_envs.rules import EXAMPLE
from spade_envs.store import home
from spade_envs.types import EnvSource

__all__ = ["memory"]

# -- lineage and stats ---------------------------------------------------------------------------------------------


def test_lineage_goes_up_and_down(memory: str, capsys: Capture) -> None:
    assert main(["lineage", "env-1001"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{memory}  AddEnv  admit  +0.75 (low +") and "descends from nothing that is known" in out
    assert "MinusEnv  refuse feasibility.witness" in out and "TimesEnv  unchecked  (seed)" in out
    (row,) = rows(["lineage", REFUSED.sha256[:8]], capsys)
    (parent,) = row["ancestors"]  # type: ignore[misc]
    assert (parent["sha256"], parent["kind"], parent["row"]["verdict"]) == (ADMITTED.sha256, "parent", "admit")


def test_lineage_hangs_relatives_below_the_one_they_are_known_by(data_home: Path, capsys: Capture) -> None:
    chain = [EnvSource("class FirstEnv: pass")]
    for name in ("Second", "Third", "Fourth"):
        chain.append(EnvSource(f"class {name}Env: pass", parent=chain[-1].sha256))
    orphan = EnvSource("class OrphanEnv: pass", parent="ab" * 32)
    with SqliteMemory() as known:
        for source in (*chain, orphan):
            known.add_source(source)
    assert main(["lineage", chain[1].sha256]) == 0
    lines = capsys.readouterr().out.splitlines()
    at = {name: line.index(name) for line in lines for name in ("FirstEnv", "ThirdEnv", "FourthEnv") if name in line}
    assert at["FirstEnv"] == at["ThirdEnv"] < at["FourthEnv"]
    assert main(["lineage", orphan.sha256]) == 0
    assert "abababababab  not in the memory" in capsys.readouterr().out


def test_stats_count_what_there_is(memory: str, capsys: Capture) -> None:
    (row,) = rows(["stats"], capsys)
    assert (row["sources"], row["reports"], row["probes"], row["episodes"]) == (3, 2, 1, 1)
    assert row["verdict"] == {"admit": 1, "refuse": 1, "unchecked": 1} and row["refused_by"] == {FINDING.rule: 1}
    assert row["regrets"][17] == sum(row["regrets"]) == 1  # type: ignore[index,call-overload]
    assert {"skill": "optimization", "contract": "answer", "sources": 1, "admitted": 0} in row["cells"]  # type: ignore[operator]
    assert row["lengths"]["most"] == len(EXAMPLE.splitlines()) + 2  # type: ignore[index]
    assert main(["stats"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("3 sources, 2 reports, 1 probe, 1 episode, 0 documents; ")
    assert "+0.7 to +0.8" in out and "█" in out and "small\\x1b[31m" in out and "\x1b" not in out


def test_lengths_are_quantiles(data_home: Path, capsys: Capture) -> None:
    with SqliteMemory() as known:
        for lines in range(1, 11):
            known.add_source(EnvSource("\n" * lines))
    (row,) = rows(["stats"], capsys)
    assert row["lengths"] == {"least": 1, "median": 5, "most_of_90_percent": 9, "most": 10}


def test_stats_of_nothing(data_home: Path, capsys: Capture) -> None:
    SqliteMemory().close()
    assert main(["stats"]) == 0
    assert "Nothing is remembered yet" in capsys.readouterr().out


# -- memory --------------------------------------------------------------------------------------------------------


def test_a_backup_is_a_memory_and_overwrites_nothing(memory: str, tmp_path: Path, capsys: Capture) -> None:
    copy = tmp_path / "copy.db"
    assert main(["memory", "backup", str(copy)]) == 0
    with SqliteMemory(copy, write=False) as known:
        assert known.source(REFUSED.sha256).text == REFUSED.text  # type: ignore[union-attr]
    for words in (["backup", str(copy)], ["export", str(tmp_path / "copy.jsonl")]):
        (tmp_path / "copy.jsonl").write_text("mine")
        assert main(["memory", *words]) == 2
        assert "is not overwritten" in capsys.readouterr().err
    assert (tmp_path / "copy.jsonl").read_text() == "mine"


def test_an_export_holds_what_passes_the_filters(memory: str, tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "refused.jsonl"
    assert main(["memory", "export", str(file), "--verdict", "refuse"]) == 0
    (line,) = file.read_text("utf-8").splitlines()
    assert REFUSED.sha256 in line or json.loads(line)["source"]["text"] == REFUSED.text
    packed = tmp_path / "all.jsonl.zst"
    assert main(["memory", "export", str(packed)]) == 0
    zstandard = pytest.importorskip("zstandard")
    with packed.open("rb") as stream, zstandard.ZstdDecompressor().stream_reader(stream) as reader:
        assert len(reader.read().splitlines()) == 3


def test_verify_ends_with_1_when_something_is_wrong(memory: str, capsys: Capture) -> None:
    assert main(["memory", "verify"]) == 0
    assert "is sound" in capsys.readouterr().out
    db = sqlite3.connect(home() / "memory.db")
    db.execute("UPDATE texts SET body = x'00' WHERE id = 1")
    db.commit()
    db.close()
    assert main(["memory", "verify"]) == 1
    assert "Restore a copy" in capsys.readouterr().out
    assert main(["memory", "verify", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["problems"]


def test_rebuild_puts_shelves_into_the_memory(data_home: Path, capsys: Capture) -> None:
    assert main(["memory", "rebuild"]) == 0
    assert "12 sources of the shelves were new" in capsys.readouterr().out
    assert main(["memory", "rebuild"]) == 0
    assert "0 sources" in capsys.readouterr().out
    assert len(rows(["list", "--verdict", "admit"], capsys)) == 12


def test_prune_deletes_the_oldest_episodes(memory: str, capsys: Capture) -> None:
    with SqliteMemory() as known:
        for number in range(3):
            known.add_episode(ADMITTED.sha256, episode_of(False, f"reply {number}"))
            known.add_episode(ADMITTED.sha256, dataclasses.replace(episode_of(True, "hinted"), seed=number))
    assert main(["memory", "prune", "--episodes", "2"]) == 0
    assert "deleted 3 episodes" in capsys.readouterr().out
    with SqliteMemory() as known:
        left = known.episodes(ADMITTED.sha256)
    assert [one.actions[0] for one in left if not one.hinted] == ["reply 2", "reply 1"]
    assert [one.seed for one in left if one.hinted] == [2, 1]
