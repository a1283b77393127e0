"""Seeds drawn from a memory: read along indexes, shown within a budget, and recorded."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from spade_envs.errors import StoreError
from spade_envs.memory import SqliteMemory, candidates
from spade_envs.memory.choosing import STRATEGIES
from spade_envs.memory.seeds import RECENT, Wanted, draw, draw_all, draws_of
from spade_envs.types import EnvSource, Finding, Probe, Report, Severity, Verdict

ERROR = Finding("exploits.floor", Severity.ERROR, "Idling wins on 80 % of seeds.", 3)
WARNING = Finding("leak.hint", Severity.WARNING, "It is long.")


@pytest.fixture
def memory(tmp_path: Path) -> SqliteMemory:
    return SqliteMemory(tmp_path / "m.db")


def source(tag: object, skill: str = "optimization", contract: str = "answer", parent: str = "") -> EnvSource:
    return EnvSource(f"class OneEnv:\n    tag = {tag!r}\n", skill, contract, parent=parent)


def admit(memory: SqliteMemory, one: EnvSource, *findings: Finding) -> EnvSource:
    memory.add_source(one)
    memory.add_report(Report(one.sha256, findings, contract=one.contract))
    return one


def measure(memory: SqliteMemory, one: EnvSource, band: str, plain: float, hinted: float, pairs: int = 32) -> EnvSource:
    arms = [tuple(float(at < pairs * rate) for at in range(pairs)) for rate in (plain, hinted)]
    seeds = tuple(range(pairs))
    interval = (hinted - plain, hinted - plain)
    memory.add_probe(
        one.sha256, Probe(seeds, arms[0], arms[1], hinted - plain, interval, band, "m", "", "{}", "", "2026-01-31")
    )
    return one


def wanted(seed: int = 0, **changes: object) -> Wanted:
    values: dict[str, object] = {"skill": "optimization", "contract": "answer", "seed": seed, **changes}
    return Wanted(**values)  # type: ignore[arg-type]


def shown(memory: SqliteMemory, one: Wanted) -> list[str]:
    return [positive.source.sha256 for positive in draw(memory, one, keep=False).positives]


# -- what is drawn -----------------------------------------------------------------------------------------------


def test_luck_does_not_win_and_useless_ones_are_negatives(memory: SqliteMemory) -> None:
    solid = [measure(memory, admit(memory, source(at)), "frontier", 0.4, 0.8) for at in range(4)]
    lucky = measure(memory, admit(memory, source("lucky")), "frontier", 0.0, 1.0, pairs=1)
    trivial = measure(memory, admit(memory, source("easy")), "trivial", 0.9, 0.9)
    lost = measure(memory, admit(memory, source("lost")), "unreachable", 0.0, 0.0)
    failed = admit(memory, source("refused"), WARNING, ERROR)
    drawn = [draw(memory, wanted(seed), keep=False) for seed in range(60)]
    assert {one.source for found in drawn for one in found.positives} == set(solid)
    assert lucky.sha256 not in {one.source.sha256 for found in drawn for one in found.positives}
    why = {one.source: (one.why, one.finding) for found in drawn for one in found.negatives}
    assert why == {
        failed: ("The check refused it by exploits.floor.", ERROR),
        trivial: ("It was too easy: without any hint, play came to 91% of what can be reached.", None),
        lost: ("It was out of reach: nobody won it, with a hint or without.", None),
    }
    assert all(one.text == one.source.text for found in drawn for one in (*found.positives, *found.negatives))
    assert all(found.number == 0 for found in drawn)


def test_the_papers_negative_says_how_hard_it_was(memory: SqliteMemory) -> None:
    measure(memory, admit(memory, source(1)), "uncertain", 0.05, 0.1)
    (bad,) = draw(memory, wanted(strategy="paper")).negatives
    assert bad.why == "It was too hard: without a hint, play came to 6% of what can be reached."


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_same_memory_and_wish_give_the_same(memory: SqliteMemory, strategy: str, tmp_path: Path) -> None:
    with SqliteMemory(tmp_path / "other.db") as other:
        for into in (memory, other):
            with into.db.writing():
                for at in range(40):
                    measure(into, admit(into, source(at)), "frontier", 0.2 + at / 80, 0.9)
                    admit(into, source(f"bad {at}"), ERROR)
                    measure(into, admit(into, source(f"easy {at}")), "trivial", 0.95, 0.95)
        found = [[draw(into, wanted(seed, strategy=strategy)) for seed in range(8)] for into in (memory, other)]
        assert found[0] == found[1] and len({one.positives for one in found[0]}) > 4
        together = draw_all(other, [wanted(seed, strategy=strategy) for seed in range(8, 12)])
        apart = [draw(memory, wanted(seed, strategy=strategy)) for seed in range(8, 12)]
        same = [one.positives for one in together] == [one.positives for one in apart]
        assert same or strategy == "uniform", "one after the other, or all at once"


def test_an_even_draw_is_no_function_of_the_order(memory: SqliteMemory) -> None:
    with memory.db.writing():
        for at in range(300):
            admit(memory, source(at, "optimization" if at % 3 else "memory-recall"))
    found = [shown(memory, wanted(seed, strategy="uniform", positives=1)) for seed in range(100)]
    seen = {sha256 for (sha256,) in found}
    assert 60 < len(seen) <= 100, "each of the two hundred is as likely"
    assert all(one is not None and one.skill == "optimization" for one in map(memory.source, seen))


def test_a_lineage_is_shown_once(memory: SqliteMemory) -> None:
    adam = measure(memory, admit(memory, source("adam"), ERROR), "frontier", 0.2, 0.9)
    parent = adam
    with memory.db.writing():
        for at in range(5):
            parent = measure(memory, admit(memory, source(at, parent=parent.sha256)), "frontier", 0.2, 0.9)
    other = measure(memory, admit(memory, source("other")), "uncertain", 0.5, 0.5)
    for seed in range(20):
        found = draw(memory, wanted(seed), keep=False)
        assert [one.source for one in found.positives].count(other) == 1 and len(found.positives) == 2
        assert found.negatives == (), "adam failed, and is their ancestor"


def test_the_next_skill_and_contract_help_out(memory: SqliteMemory) -> None:
    here = admit(memory, source(1))
    there = admit(memory, source(2, contract="interactive"))
    elsewhere = admit(memory, source(3, "memory-recall", "tools"))
    bad = admit(memory, source(4, "made-up-skill", "tools"), ERROR)
    for strategy in ("balanced", "uniform"):
        assert shown(memory, wanted(positives=1, strategy=strategy)) == [here.sha256]
        assert set(shown(memory, wanted(strategy=strategy))) == {here.sha256, there.sha256}
        found = draw(memory, wanted(positives=8, strategy=strategy), keep=False)
        assert {one.source for one in found.positives} == {here, there, elsewhere}
        assert [one.source for one in found.negatives] == [bad]
        any_skill = draw(memory, Wanted(positives=8, strategy=strategy), keep=False)
        assert {one.source for one in any_skill.positives} == {here, there, elsewhere}


def test_copies_teach_nothing_and_undecided_ones_are_neither(memory: SqliteMemory) -> None:
    admit(memory, source(1), Finding("duplicates.exact", Severity.ERROR, "The same as another."))
    admit(memory, source(2), Finding("feasibility.no_witness", Severity.UNDECIDED, "Nobody knows."))
    memory.add_source(source(3))
    fallen = measure(memory, admit(memory, source(4)), "frontier", 0.2, 0.9)
    admit(memory, fallen, ERROR)
    found = draw(memory, wanted(positives=8, negatives=8))
    assert found.positives == () and [one.source for one in found.negatives] == [fallen], "the last word counts"


# -- how it is shown ---------------------------------------------------------------------------------------------


def test_long_sources_are_outlined_or_passed_over(memory: SqliteMemory) -> None:
    body = "".join(f"        x = {at}\n" for at in range(300))
    long = EnvSource(
        f"class OneEnv:\n    def step(self, a):\n        return a\n\n    def f(self):\n{body}", "optimization"
    )
    flat = EnvSource("#" * 4000 + "\n", "optimization")
    for one in (long, flat, EnvSource("  \n", "optimization")):
        admit(memory, one)
    found = draw(memory, wanted(tokens=100, positives=3))
    assert [one.source for one in found.positives] == [long]
    assert found.positives[0].text.endswith("return a\n\n    def f(self):\n        ...\n")
    assert {one.source for one in draw(memory, wanted(tokens=4000, positives=3)).positives} == {long, flat}


def test_wishes_are_checked() -> None:
    with pytest.raises(ValueError, match="no strategy 'best'; allowed: balanced, paper, uniform"):
        Wanted(strategy="best")
    for name, value in (("positives", -1), ("negatives", -1), ("tokens", 0)):
        with pytest.raises(ValueError, match=f"{name} is {value}; allowed: {value + 1} and more"):
            Wanted(**{name: value})  # type: ignore[arg-type]


# -- the record --------------------------------------------------------------------------------------------------


def test_every_draw_is_recorded(memory: SqliteMemory) -> None:
    good, bad = admit(memory, source(1)), admit(memory, source(2), ERROR)
    first = draw(memory, wanted(7, run="north", slot=3))
    second = draw(memory, wanted(8, strategy="uniform", positives=0))
    assert (first.number, second.number) == (1, 2)
    (one,) = draws_of(memory, good.sha256)
    assert (one.draw, one.role, one.strategy, one.seed, one.run, one.slot) == (1, "positive", "balanced", 7, "north", 3)
    assert one.seen > 1_700_000_000
    assert [(one.draw, one.role, one.slot) for one in draws_of(memory, bad.sha256)] == [
        (1, "negative", 3),
        (2, "negative", None),
    ]
    assert draws_of(memory, "0" * 64) == ()


def test_a_run_that_cannot_be_recorded_leaves_nothing(memory: SqliteMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    admit(memory, source(1))
    memory.db.run("CREATE TRIGGER no BEFORE INSERT ON drawn WHEN new.draw = 2 BEGIN SELECT raise(ABORT, 'full'); END")
    with pytest.raises(StoreError, match="full"):
        draw_all(memory, [wanted(1), wanted(2)])
    assert memory.db.run("SELECT * FROM draws") == [] == memory.db.run("SELECT * FROM drawn")


def test_a_memory_that_is_only_read_can_be_drawn_from(memory: SqliteMemory) -> None:
    one = admit(memory, source(1))
    memory.close()
    with SqliteMemory(memory.path, write=False) as reader:
        assert [found.source for found in draw(reader, wanted(), keep=False).positives] == [one]
        with pytest.raises(StoreError):
            draw(reader, wanted())


def test_draws_go_round_what_there_is(memory: SqliteMemory) -> None:
    with memory.db.writing():
        for at in range(12):
            measure(memory, admit(memory, source(at)), "frontier", 0.3, 0.8)
    slots = [wanted(seed, positives=1, negatives=0) for seed in range(24)]
    drawn = [one.source.sha256 for found in draw_all(memory, slots, keep=False) for one in found.positives]
    assert len(set(drawn)) == 12, "within a run"
    drawn = [draw(memory, one).positives[0].source.sha256 for one in slots]
    assert len(set(drawn)) == 12, "from run to run"
    alone = [shown(memory, one)[0] for one in [wanted(seed, positives=1) for seed in range(24)]]
    assert alone != drawn[: len(alone)]
    # Draws long ago and those of other skills do not count.
    other = [wanted(seed, skill="memory-recall", negatives=0) for seed in range(RECENT)]
    before = shown(memory, wanted(99))
    draw_all(memory, other)
    assert shown(memory, wanted(99)) == before


# -- a large memory ----------------------------------------------------------------------------------------------


def test_every_query_runs_along_an_index(memory: SqliteMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What grows with the memory is only read by an index that ends where the answer does."""
    with memory.db.writing():
        for at in range(30):
            measure(memory, admit(memory, source(at)), "frontier", 0.3, 0.8)
            admit(memory, source(f"bad {at}", parent=source(at).sha256), ERROR)
    asked: list[tuple[str, tuple[object, ...]]] = []
    run = memory.db.run

    def noted(sql: str, *values: object) -> list[object]:
        asked.append((sql, values))
        return run(sql, *values)

    monkeypatch.setattr(memory.db, "run", noted)
    for strategy in STRATEGIES:
        draw(memory, wanted(strategy=strategy, positives=8))
    queries = {
        sql: values for sql, values in asked if "sources" in sql and "max(id)" not in sql and "counts" not in sql
    }
    assert len(queries) >= 8
    for sql, values in queries.items():
        plan = [row[3] for row in run(f"EXPLAIN QUERY PLAN {sql}", *values)]
        assert not [step for step in plan if step.startswith("SCAN") and "sources" in step], (sql, plan)
        if "contract = ?" in sql and "ORDER BY" in sql and "id IN" not in sql:
            assert not [step for step in plan if "TEMP B-TREE" in step], (sql, plan)
            assert "(verdict=? AND skill=? AND contract=?" in plan[0], (sql, plan)


def test_what_is_read_does_not_grow(memory: SqliteMemory) -> None:
    db = memory.db
    chance = random.Random(1)
    skills = ("optimization", "memory-recall")
    with db.writing():
        for at in range(6000):
            verdict = Verdict.REFUSE if at % 5 == 0 else Verdict.ADMIT
            values = (at.to_bytes(32), skills[at % 2], verdict.value, chance.random(), chance.random(), chance.random())
            db.execute(
                "INSERT INTO sources (sha256, name, skill, contract, verdict, made_by, run, scale, pool, path, recipe, "
                "difficulty, document, lines, probes, plain, regret, low, band) "
                "VALUES (?, '', ?, 'answer', ?, '', '', '', '', '', '', '', '', 1, 1, ?, ?, ?, 'frontier')",
                values,
            )
    for strategy in STRATEGIES:
        found = candidates.candidates_of(db, strategy, skills[0], "answer", positives=2, negatives=1, seed=0)
        assert 100 <= len(found) <= 3 * candidates.READ and {one.level for one in found} <= {0, 1, 2}
