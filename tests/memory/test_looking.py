"""Pages, facets and search answer what a plain look through everything answers."""

from __future__ import annotations

import collections
import itertools
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from filled import fill, measured, named, said

from spade_envs.errors import UnknownEnv
from spade_envs.memory import Count, Facets, Filters, Order, Row, SqliteMemory, looking, upkeep
from spade_envs.memory.curriculum import stretches
from spade_envs.memory.facets import FACETS
from spade_envs.memory.looking import everything, facets, find, resolve, selected
from spade_envs.memory.packing import split
from spade_envs.types import EnvSource, Report, Verdict


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[SqliteMemory]:
    with SqliteMemory(tmp_path / "memory.db") as opened:
        yield opened


def pages(memory: SqliteMemory, filters: Filters, order: Order = Order.NEWEST, most: int = 7) -> list[Row]:
    """All pages, one after the other."""
    found: list[Row] = []
    after = ""
    while True:
        page = find(memory, filters, order=order, after=after, most=most)
        assert len(page.rows) <= most
        found += page.rows
        after = page.following
        if not after:
            return found
        assert len(page.rows) == most


def plainly(sources: list[EnvSource], filters: Filters) -> list[str]:
    """What passes the filters, newest first, by looking at everything."""
    found = []
    for number, source in enumerate(sources):
        report = said(source, number)
        rule = report.findings[0].rule if report.findings else ""
        words = split(" ".join([source.text, source.skill, source.made_by, source.origin.path]))
        checks = [
            filters.skill in ("", source.skill),
            filters.contract in ("", source.contract),
            filters.verdict in ("", report.verdict.value),
            filters.rule in ("", rule),
            filters.made_by in ("", source.made_by),
            filters.run in ("", source.origin.run),
            filters.scale in ("", source.origin.scale),
            filters.pool in ("", source.origin.pool),
            filters.steps is None or filters.steps[0] <= (source.origin.step or 0) <= filters.steps[1],
            all(word in words for word in split(filters.text)),
        ]
        if all(checks):
            found.append(source.sha256)
    return found[::-1]


def some_filters() -> list[Filters]:
    chance = random.Random(5)
    choices = {
        "skill": ["", "", "optimization", "logical-deduction", "nothing"],
        "verdict": ["", "", "admit", "refuse", "undecided"],
        "rule": ["", "", "", "static.size"],
        "made_by": ["", "", "model-1"],
        "run": ["", "", "run-0", "run-x"],
        "scale": ["", "", "4B"],
        "pool": ["", "pool-a"],
        "steps": [None, None, (1, 3)],
        "text": ["", "", "crimson", "azure", "crimson thing7env", "absent"],
    }
    return [Filters(**{name: chance.choice(values) for name, values in choices.items()}) for _ in range(60)]


@pytest.mark.parametrize("filters", some_filters(), ids=str)
def test_pages_and_facets_are_what_a_plain_look_finds(memory: SqliteMemory, filters: Filters) -> None:
    sources = fill(memory)
    wanted = plainly(sources, filters)
    assert [row.sha256 for row in pages(memory, filters)] == wanted
    numbers = {source.sha256: at for at, source in enumerate(sources, 1)}
    assert list(selected(memory, filters)) == sorted(numbers[sha256] for sha256 in wanted)
    counted = facets(memory, filters)
    assert (counted.total, counted.exact) == (len(wanted), True)
    kept = [source for source in sources if source.sha256 in wanted]
    assert {one.value: one.sources for one in counted.skill} == collections.Counter(one.skill for one in kept)
    assert {one.value: one.sources for one in counted.run} == collections.Counter(one.origin.run for one in kept)


def test_facets_without_a_filter_are_kept_as_things_change(memory: SqliteMemory) -> None:
    sources = fill(memory, 12)
    memory.add_source(named(99, skill="optimization"))
    memory.add_report(Report(sources[0].sha256, contract="tools"))
    memory.add_probe(sources[1].sha256, measured((2, 8), 10))
    kept = facets(memory, Filters())
    assert isinstance(kept, Facets)
    assert kept.total == 13 and kept.exact
    assert kept.verdict == (Count("admit", 9), Count("refuse", 3), Count("unchecked", 1))
    assert kept.contract == (Count("answer", 12), Count("tools", 1))
    assert kept.band == (Count("unprobed", 12), Count("frontier", 1))
    for facet in FACETS:
        sql = f"SELECT {facet}, count(*) FROM sources WHERE {facet} <> '' GROUP BY {facet}"
        assert {one.value: one.sources for one in getattr(kept, facet)} == dict(memory.db.run(sql))


def test_many_sources_are_counted_up_to_a_limit(memory: SqliteMemory, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(memory)
    monkeypatch.setattr(looking, "MOST_COUNTED", 10)
    counted = facets(memory, Filters(verdict="admit"))
    assert (counted.total, counted.exact) == (10, False)
    assert sum(one.sources for one in counted.skill) == 10


def test_sorted_by_regret_a_lucky_pair_does_not_win(memory: SqliteMemory) -> None:
    sources = fill(memory, 9)
    memory.add_probe(sources[1].sha256, measured((0, 1), 1, "uncertain"))
    memory.add_probe(sources[4].sha256, measured((8, 24), 32))
    memory.add_probe(sources[7].sha256, measured((10, 12), 32, "uncertain"))
    assert [row.sha256 for row in pages(memory, Filters(), Order.REGRET, 1)] == [sources[at].sha256 for at in (4, 7, 1)]
    assert [row.sha256 for row in pages(memory, Filters(), Order.HARDEST, 2)] == [
        sources[at].sha256 for at in (1, 4, 7)
    ]
    assert [row.sha256 for row in pages(memory, Filters(band="frontier"))] == [sources[4].sha256]
    assert [row.sha256 for row in pages(memory, Filters(regret=(0.1, 0.6)))] == [sources[4].sha256]
    assert len(pages(memory, Filters(band="unprobed"))) == 6
    first = find(memory, Filters(), order=Order.REGRET).rows[0].measured
    assert first is not None and (first.pairs, first.plain, first.regret) == (32, 0.25, 0.5)


def test_equal_regrets_are_all_on_some_page(memory: SqliteMemory) -> None:
    sources = fill(memory, 20)
    for source in sources:
        memory.add_probe(source.sha256, measured((2, 4), 8))
    for order in (Order.REGRET, Order.HARDEST):
        found = [row.sha256 for row in pages(memory, Filters(), order, 3)]
        assert sorted(found) == sorted(source.sha256 for source in sources)


@pytest.mark.parametrize(
    "text",
    [
        '"',
        "crimson OR azure",
        "NEAR(crimson azure)",
        "word:crimson",
        "crimson*",
        "-crimson",
        "\0",
        "''; DROP TABLE",
        "^",
    ],
)
def test_a_search_is_words_and_nothing_else(memory: SqliteMemory, text: str) -> None:
    fill(memory, 6)
    found = {row.name for row in find(memory, Filters(text=text)).rows}
    words = split(text)
    if not words:
        assert len(found) == 6
    elif words == ["crimson"]:
        assert found == {"Thing1Env", "Thing3Env", "Thing5Env"}
    else:
        assert not found


def test_names_are_found_in_parts_and_other_alphabets(memory: SqliteMemory) -> None:
    memory.add_source(
        EnvSource("class QueueSchedulingEnv:\n    hidden_state = 'Länge 長さ'\n    pass\n", hint="Look twice.")
    )
    words = (
        "queue",
        "scheduling queue",
        "hidden",
        "state",
        "länge",
        "LÄNGE",
        "lange",
        "長さ",
        "twice",
        "sched*",
        "pass",
    )
    for text in words:
        assert [row.name for row in find(memory, Filters(text=text)).rows] == ["QueueSchedulingEnv"], text
    for text in ("schedul", "env queues", "absent*"):
        assert not find(memory, Filters(text=text)).rows, text


def test_bad_questions_are_refused(memory: SqliteMemory) -> None:
    with pytest.raises(ValueError, match="no verdict 'good'; allowed: admit, refuse, undecided, unchecked"):
        Filters(verdict="good")
    for span in ((0.5, 0.1), (float("nan"), 1.0)):
        with pytest.raises(ValueError, match=r"regret .* is empty"):
            Filters(regret=span)
    for after, order in itertools.product(
        ("x", "1:2:3:", "", "nan", f"1:{2**63}", f"1:-{2**64}"), (Order.NEWEST, Order.REGRET)
    ):
        if after:
            with pytest.raises(ValueError, match="is of no page"):
                find(memory, Filters(), after=after, order=order)


def test_a_source_is_named_by_its_id_or_by_digits(memory: SqliteMemory) -> None:
    sources = fill(memory, 3)
    memory.shelve(sources[1].sha256, "spade/env-1001")
    memory.shelve(sources[1].sha256, "lab/env-0001")
    for name in ("spade/env-1001", "env-1001", sources[1].sha256, sources[1].sha256[:6]):
        assert resolve(memory, name) == sources[1].sha256
    with pytest.raises(UnknownEnv, match="near it: spade/env-1001"):
        resolve(memory, "spade/env-1002")
    for name in ("lab/env-0001", sources[0].sha256[:5], "'", "%", "0" * 64, "\ud800"):
        with pytest.raises(UnknownEnv, match="at least 6 digits"):
            resolve(memory, name)


def test_digits_of_several_are_refused(memory: SqliteMemory) -> None:
    fill(memory, 3)
    for number in (1, 2, 3):
        memory.db.run(
            "UPDATE sources SET sha256 = ? WHERE id = ?", bytes([0xAB, 0xCD, 0xEF, number] + [0] * 28), number
        )
    assert resolve(memory, "abcdef01") == "abcdef01" + "00" * 28
    with pytest.raises(UnknownEnv, match=r"several sources begin with abcdef: abcdef01.*give more digits"):
        resolve(memory, "abcdef")


def test_everything_about_one(memory: SqliteMemory) -> None:
    sources = fill(memory, 4)
    memory.add_probe(sources[1].sha256, measured((1, 3), 4))
    memory.add_report(said(sources[3], 3))
    about = everything(memory, sources[1].sha256)
    assert about is not None and about.source == sources[1] and about.origin == sources[1].origin
    assert about.row.verdict is Verdict.ADMIT and about.probes == memory.probes(sources[1].sha256)
    memory.add_report(Report(sources[2].sha256, contract="tools"))
    found = everything(memory, sources[2].sha256)
    assert found is not None and (found.row.contract, found.source.contract) == ("tools", "answer")
    assert about.row.lines == 3 and about.row.name == "Thing1Env"
    assert everything(memory, "0" * 64) is None and everything(memory, "no hash") is None
    again = everything(memory, sources[3].sha256)
    assert again is not None and len(again.reports) == 2 and again.row.rule == "feasibility.witness"


def test_stretches_sum_up_steps(memory: SqliteMemory) -> None:
    sources = fill(memory, 60)
    memory.add_probe(sources[1].sha256, measured((1, 3), 4))
    found = stretches(memory, skill="optimization", most=3)
    assert [(one.first, one.last, one.sources) for one in found] == [(0, 1, 7), (2, 3, 6), (4, 5, 7)]
    assert found[0].probed == 1 and found[0].regret == 0.5 and found[0].plain == 0.25 and found[1].regret is None
    assert all(one.admitted == one.sources for one in found)
    assert {one.skill for one in stretches(memory)} == {"logical-deduction", "optimization", "tool-selection"}
    assert sum(one.sources for one in stretches(memory, run="run-1")) == 30
    assert stretches(memory, skill="absent") == ()
    memory.add_source(EnvSource("class LaterEnv: ...", skill="optimization"))
    assert stretches(memory, skill="optimization", most=1)[0].last == 61
    with pytest.raises(ValueError, match="allowed: 1 and more"):
        stretches(memory, most=0)


def test_only_the_last_probes_count(memory: SqliteMemory) -> None:
    (source,) = fill(memory, 1)
    for number in range(6):
        memory.add_probe(source.sha256, measured((0, 8) if number < 2 else (2, 4), 8))
    (row,) = find(memory, Filters()).rows
    assert row.measured is not None
    assert (row.measured.probes, row.measured.pairs, row.measured.regret, row.measured.plain) == (6, 32, 0.25, 0.25)
    assert upkeep.verify(memory) == ()  # which sums up all of them
