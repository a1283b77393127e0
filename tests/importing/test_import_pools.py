"""Every layout of a released pool, read as candidates."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from pooling import (
    SKILLS,
    bundled,
    digest,
    good,
    kinds,
    put,
    put_lines,
    put_manifest,
    put_run,
    read,
    row_of,
)

from spade_envs.errors import StoreError
from spade_envs.importing import Candidate, Pool, ProblemKind
from spade_envs.memory import Filters, SqliteMemory
from spade_envs.memory.upkeep import export
from spade_envs.types import EnvSource, Origin


def test_a_folder_of_files_flat_or_nested(tmp_path: Path) -> None:
    put(tmp_path, "b.py", bundled(2))
    put(tmp_path, "deep/er/a.py", bundled(1))
    put(tmp_path, "deep/game_00012_003_logical_deduction.py", bundled(3))
    put(tmp_path, "README.md", "no source")
    put(tmp_path, ".hidden/c.py", good(1))
    put(tmp_path, "__pycache__/c.py", good(2))
    candidates, problems = read(tmp_path, name="mine")
    assert [one.place for one in candidates] == ["b.py", "deep/er/a.py", "deep/game_00012_003_logical_deduction.py"]
    assert [one.source.text for one in candidates] == [bundled(2), bundled(1), bundled(3)]
    assert candidates[0].source.origin == Origin(pool="mine", path="b.py")
    assert candidates[0].source.skill == ""
    assert candidates[2].source.skill == "logical-deduction"
    assert candidates[2].source.origin.step == 12
    assert not problems


def test_the_manifest_of_a_run(tmp_path: Path) -> None:
    put_run(tmp_path, {(0, 0): good(0), (40, 1): good(1)}, model="some-model-30B", wandb_run_name="run-7", n_skipped=3)
    candidates, problems = read(tmp_path)
    first, second = (one.source for one in candidates)
    assert not problems
    assert (first.skill, second.skill) == SKILLS[:2]
    assert first.made_by == second.made_by == "some-model-30B"
    path = f"games/gen_0001/game_00040_001_{SKILLS[1]}.py"
    measured = {"n_plays": 16, "mean_reward": 0.25, "reward_joined": True, "has_hint": False}
    claimed = json.loads(second.origin.claimed)
    assert claimed == measured
    expected = Origin(pool=tmp_path.name, path=path, run="run-7", step=40, difficulty="medium")
    assert second.origin == Origin(**{**vars(expected), "claimed": second.origin.claimed})


def test_a_manifest_file_stands_for_its_folder(tmp_path: Path) -> None:
    put_run(tmp_path, {(0, 0): good(0)}, model="m")
    assert read(tmp_path / "manifest.json") == read(tmp_path)


def test_a_pool_of_several_runs_tells_scale_and_recipe(tmp_path: Path) -> None:
    entries = []
    for run, scale in (("run-a", "4B"), ("run-b", "30B")):
        put(tmp_path, f"environments/{run}/game_00004_000_{SKILLS[2]}.py", good(len(entries)))
        entries.append(
            {
                "source_run": run,
                "model_scale": scale,
                "recipe": f"tools-{scale}",
                "skill": SKILLS[2],
                "step": 4,
                "filename": f"game_00004_000_{SKILLS[2]}.py",
                "mean_reward": None,
            }
        )
    put_manifest(tmp_path, entries)
    candidates, problems = read(tmp_path)
    found = [(one.source.origin.run, one.source.origin.scale, one.source.origin.recipe) for one in candidates]
    assert found == [("run-a", "4B", "tools-4B"), ("run-b", "30B", "tools-30B")]
    assert not problems


def _parquet(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    pq.write_table(pa.Table.from_pylist(rows), folder / name, row_group_size=2)


def _compressed(folder: Path, name: str, rows: list[dict[str, Any]]) -> None:
    zstandard = pytest.importorskip("zstandard")
    put(folder, name, zstandard.compress("".join(json.dumps(row) + "\n" for row in rows).encode()))


@pytest.mark.parametrize(
    ("name", "write"), [("rows.jsonl", put_lines), ("rows.jsonl.zst", _compressed), ("rows.parquet", _parquet)]
)
def test_files_of_rows(tmp_path: Path, name: str, write: Any) -> None:
    texts = [good(number) for number in range(5)]
    write(tmp_path, name, [row_of(number, text) for number, text in enumerate(texts)])
    candidates, problems = read(tmp_path / name, made_by="some-model")
    assert [one.source.text for one in candidates] == texts
    assert [one.place for one in candidates] == [f"{name}:{number}" for number in range(1, 6)]
    source = candidates[3].source
    assert (source.skill, source.made_by, source.origin.step, source.origin.pool) == (SKILLS[2], "some-model", 7, name)
    assert not problems
    assert read(tmp_path)[0] != []


def test_rows_of_parquet_that_lack_something(tmp_path: Path) -> None:
    rows = [
        {"code": good(1), "step": 1, "skill": None, "made_by": "m"},
        {"code": None, "step": None, "skill": "optimization", "made_by": None},
        {"code": good(3), "step": 3, "skill": "optimization", "made_by": "m"},
    ]
    _parquet(tmp_path, "rows.parquet", rows)
    candidates, problems = read(tmp_path)
    assert [(one.source.origin.step, one.source.skill) for one in candidates] == [(1, ""), (3, "optimization")]
    assert kinds(problems) == [("no code", "rows.parquet:2")]


def test_checksums_beside_files_are_compared(tmp_path: Path) -> None:
    put(tmp_path, "games/right.py", good(1))
    put(tmp_path, "games/wrong.py", good(2))
    put_lines(tmp_path, "right.jsonl", [row_of(3, good(3))])
    put_lines(tmp_path, "wrong.jsonl", [row_of(4, good(4))])
    sums = {
        "games/right.py": digest(good(1)).upper(),
        "games/wrong.py": digest(good(9)),
        "right.jsonl": digest((tmp_path / "right.jsonl").read_bytes()),
        "./wrong.jsonl": digest("else"),
    }
    put(tmp_path, "checksums.sha256", "".join(f"{value} *{name}\n" for name, value in sums.items()))
    candidates, problems = read(tmp_path)
    assert [one.place for one in candidates] == ["games/right.py", "right.jsonl:1"]
    assert kinds(problems) == [("checksum", "games/wrong.py"), ("checksum", "wrong.jsonl")]
    assert digest(good(9))[:12] in problems[0].message and "fetch it again" in problems[0].message


def test_a_list_of_checksums_in_a_folder_is_about_that_folder(tmp_path: Path) -> None:
    put(tmp_path, "games/a.py", good(1))
    put(tmp_path, "games/checksums.sha256", f"{digest(good(2))}  a.py\n")
    assert kinds(read(tmp_path)[1]) == [("checksum", "games/a.py")]


def test_manifest_lines_tell_about_files_and_are_no_rows(tmp_path: Path) -> None:
    put(tmp_path, "games/game_1.py", good(1))
    put(tmp_path, "games/game_2.py", good(2))
    lines = [
        {"file_name": "game_1.py", "skill": "Causal Inference", "sha256": digest(good(1))},
        {"path": "games/game_2.py", "skill": "optimization", "sha256": digest(good(7))},
    ]
    put_lines(tmp_path, "manifest.jsonl", lines)
    put_lines(tmp_path, "validation_manifest.jsonl", [{"file_name": "game_1.py", "difficulty": "hard"}])
    candidates, problems = read(tmp_path)
    ((place, source),) = ((one.place, one.source) for one in candidates)
    assert (place, source.skill, source.origin.difficulty) == ("games/game_1.py", "causal-inference", "hard")
    assert kinds(problems) == [("checksum", "games/game_2.py")]


def test_entries_that_contradict_each_other_are_passed_over(tmp_path: Path) -> None:
    put(tmp_path, "one/a.py", good(1))
    put_manifest(tmp_path, [{"filename": "a.py", "step": 1}, {"filename": "a.py", "step": 2}])
    candidates, problems = read(tmp_path)
    assert candidates[0].source.origin.step is None
    assert kinds(problems) == [("unclear", "one/a.py")]


@pytest.mark.parametrize("name", ["export.jsonl", "export.jsonl.zst"])
def test_what_was_exported_reads_back(tmp_path: Path, name: str) -> None:
    pytest.importorskip("zstandard")
    origin = Origin("first-pool", "games/a.py", "run", 3, "30B", "recipe", "hard", '{"n_plays": 4}')
    about = ("optimization", "answer", "Add up.", "ab" * 32, "document-1", "some-model")
    sources = [EnvSource(good(1), *about, origin), EnvSource("x = '\ud800'"), EnvSource("y = 1\r\n")]
    with SqliteMemory(tmp_path / "memory.db") as memory:
        for source in sources:
            memory.add_source(source)
        assert export(memory, tmp_path / name, Filters()) == 3
    candidates, problems = read(tmp_path / name)
    assert not problems
    assert candidates[0].source == sources[0]
    assert [one.source.text for one in candidates] == [source.text for source in sources]
    assert candidates[2].source.origin == Origin(pool=name, path=f"{name}:3")


@pytest.mark.parametrize(
    ("origin", "pool", "path"),
    [
        ({"pool": "first", "path": "a.py"}, "first", "a.py"),
        ({"pool": "first"}, "first", ""),
        ({"path": "a.py"}, "rows.jsonl", "rows.jsonl:1"),
        ({}, "rows.jsonl", "rows.jsonl:1"),
    ],
)
def test_a_place_belongs_to_its_pool(tmp_path: Path, origin: dict[str, str], pool: str, path: str) -> None:
    rows = put_lines(tmp_path, "rows.jsonl", [row_of(1, good(1), origin={**origin, "step": 9})])
    found = read(rows)[0][0].source.origin
    assert (found.pool, found.path, found.step) == (pool, path, 9)


def test_a_text_that_comes_again_is_read_once(tmp_path: Path) -> None:
    put(tmp_path, "a.py", good(1))
    put(tmp_path, "b.py", good(1))
    put_lines(tmp_path, "rows.jsonl", [row_of(1, good(2)), row_of(2, good(1)), row_of(3, good(2))])
    candidates, problems = read(tmp_path)
    assert [one.place for one in candidates] == ["a.py", "rows.jsonl:1"]
    assert kinds(problems) == [("duplicate", "b.py"), ("duplicate", "rows.jsonl:2"), ("duplicate", "rows.jsonl:3")]
    assert "a.py" in problems[0].message


def test_the_name_of_a_download_is_that_of_its_repository(tmp_path: Path) -> None:
    repository = tmp_path / "datasets--some-lab--some-pool"
    blob = put(repository, "blobs/0123", good(1))
    snapshot = repository / "snapshots" / "abcdef"
    (snapshot / "games").mkdir(parents=True)
    os.symlink(os.path.relpath(blob, snapshot / "games"), snapshot / "games" / "a.py")
    candidates, problems = read(snapshot)
    assert [(one.source.origin.pool, one.place) for one in candidates] == [("some-lab/some-pool", "games/a.py")]
    assert not problems


def test_the_order_is_that_of_names(tmp_path: Path) -> None:
    for number in (10, 2, 33, 1):
        put(tmp_path, f"gen_{number % 3}/game_{number:05d}.py", good(number))
    places = [one.place for one in read(tmp_path)[0]]
    assert places == sorted(places) and len(places) == 4


def test_a_pool_is_not_held_in_memory(tmp_path: Path) -> None:
    for number in range(3):
        put(tmp_path, f"{number}.py", good(number))
    items = iter(Pool(tmp_path))
    first = next(items)
    put(tmp_path, "1.py", good(77))
    second = next(items)
    assert isinstance(first, Candidate) and isinstance(second, Candidate)
    assert second.source.text == good(77)


@pytest.mark.parametrize("name", ["gone", "pool.docx"])
def test_what_is_no_pool_is_an_error(tmp_path: Path, name: str) -> None:
    put(tmp_path, "pool.docx", "x")
    with pytest.raises(StoreError, match=name):
        Pool(tmp_path / name)


def test_how_many_are_expected(tmp_path: Path) -> None:
    put(tmp_path, "a.py", good(1))
    assert Pool(tmp_path).expected == 1
    _parquet(tmp_path, "rows.parquet", [row_of(number, good(number)) for number in range(3)])
    assert Pool(tmp_path).expected == 4
    put_lines(tmp_path, "rows.jsonl", [row_of(9, good(9))])
    assert Pool(tmp_path).expected is None


def test_kinds_that_lose_a_source() -> None:
    assert not ProblemKind.DUPLICATE.loses and not ProblemKind.FIELD.loses and ProblemKind.CHECKSUM.loses
