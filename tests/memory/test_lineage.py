"""Who descends from whom."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from filled import named

from spade_envs.memory import Relative, SqliteMemory
from spade_envs.memory.lineage import ancestors, family


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[SqliteMemory]:
    with SqliteMemory(tmp_path / "memory.db") as opened:
        yield opened


def told(relatives: tuple[Relative, ...]) -> list[tuple[str, str, int]]:
    return [(one.row.name if one.row else one.sha256[:4], one.kind, one.depth) for one in relatives]


def test_a_repaired_descendant_of_two_seeds(memory: SqliteMemory) -> None:
    first, second = named(1), named(2)
    child = named(3)
    repaired = named(4, parent=child.sha256)
    for source in (first, second, child, repaired):
        memory.add_source(source)
    memory.add_lineage(child.sha256, [first.sha256, second.sha256])
    memory.add_lineage(child.sha256, [first.sha256])
    around = family(memory, repaired.sha256)
    assert told(around.ancestors)[0] == ("Thing3Env", "parent", 1)
    assert sorted(told(around.ancestors)[1:]) == [("Thing1Env", "seed", 2), ("Thing2Env", "seed", 2)]
    assert around.complete and not around.descendants
    assert {one.via for one in around.ancestors} == {repaired.sha256, child.sha256}
    assert told(family(memory, first.sha256).descendants) == [("Thing3Env", "seed", 1), ("Thing4Env", "parent", 2)]
    assert ancestors(memory, repaired.sha256) == {one.sha256 for one in (first, second, child)}


def test_relatives_that_were_never_seen_are_named(memory: SqliteMemory) -> None:
    memory.add_source(named(1, parent="ab" * 32))
    memory.add_source(named(2, parent="the one before"))
    assert told(family(memory, named(1).sha256).ancestors) == [("abab", "parent", 1)]
    assert told(family(memory, named(2).sha256).ancestors) == [("the ", "parent", 1)]
    assert told(family(memory, "ab" * 32).descendants) == [("Thing1Env", "parent", 1)]
    assert family(memory, "nothing").ancestors == ()


def test_circles_end(memory: SqliteMemory) -> None:
    one, two = named(1), named(2)
    memory.add_source(named(1, parent=two.sha256))
    memory.add_source(named(2, parent=one.sha256))
    memory.add_lineage(one.sha256, [one.sha256, two.sha256])
    around = family(memory, one.sha256)
    assert told(around.ancestors) == told(around.descendants) == [("Thing2Env", "parent", 1)]


def test_a_large_family_is_cut(memory: SqliteMemory) -> None:
    memory.add_many((named(number, parent=named(0).sha256), None) for number in range(1, 50))
    around = family(memory, named(0).sha256, most=20)
    assert len(around.descendants) == 20 and not around.complete
    assert family(memory, named(0).sha256, most=49).complete
