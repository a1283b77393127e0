"""What ``list``, ``search`` and ``show`` tell of what is remembered."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
import sys
from pathlib import Path

import pytest
from rich.console import Console

from spade_envs.admission import card_of
from spade_envs.cli import main, screen
from spade_envs.memory import SqliteMemory
from spade_envs.rules import EXAMPLE
from spade_envs.store import home, resolve, user_shelf
from spade_envs.types import EnvSource, Episode, Finding, Origin, Probe, Report, Repro, Severity, StopReason, Turn

Capture = pytest.CaptureFixture[str]

ADMITTED = EnvSource(EXAMPLE, skill="mathematical-reasoning", hint="Add them.", made_by="large")
REFUSED = EnvSource(
    EXAMPLE.replace("class AddEnv", "class MinusEnv")
    .replace("What is", "Which zebra_stripes are")
    .replace("class ", "# zebras\nclass ")
    + "# a zebra\n",
    skill="optimization",
    parent=ADMITTED.sha256,
    made_by="small\x1b[31m",
    origin=Origin(run="first", step=7, pool="old", path="rows.parquet:17"),
)
UNCHECKED = EnvSource(
    EXAMPLE.replace("class AddEnv", "class TimesEnv"), made_by="large", origin=Origin(run="first", step=9)
)
FINDING = Finding("feasibility.witness", Severity.ERROR, "does not win\u202e", line=2, repro=Repro(3, ("go",)))


def probe_of(plain: tuple[float, ...], hinted: tuple[float, ...], band: str) -> Probe:
    regret = sum(hinted) / len(hinted) - sum(plain) / len(plain)
    seeds = tuple(range(len(plain)))
    return Probe(seeds, plain, hinted, regret, (-0.1, 0.9), band, "tiny", "v1", "{}", "", "2026-01-31")


def episode_of(hinted: bool, reply: str) -> Episode:
    turn = Turn(reply, reply, "Right.", 1.0)
    return Episode(
        "spade/env-1001", 3, "tiny", "What is it?", (turn,), True, False, StopReason.TERMINATED, hinted=hinted
    )


@pytest.fixture
def memory(data_home: Path) -> str:
    """One admitted and probed, one refused that descends from it, one unchecked; the id of the first."""
    report = Report(ADMITTED.sha256, contract="answer", max_turns=3)
    env_id = f"spade/{user_shelf().add(ADMITTED, card_of(ADMITTED, report)).name}"
    with SqliteMemory() as known:
        known.add_source(ADMITTED)
        known.add_report(report)
        known.shelve(ADMITTED.sha256, env_id)
        known.add_probe(ADMITTED.sha256, probe_of((0.0,) * 8, (1.0,) * 6 + (0.0,) * 2, "frontier"))
        known.add_episode(ADMITTED.sha256, episode_of(False, "\\boxed{5}"))
        known.add_source(REFUSED)
        known.add_report(Report(REFUSED.sha256, (FINDING,), contract="answer"))
        known.add_source(UNCHECKED)
        known.add_lineage(UNCHECKED.sha256, [ADMITTED.sha256])
    return env_id


def rows(words: list[str], capsys: Capture) -> list[dict[str, object]]:
    capsys.readouterr()
    assert main([*words, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def hashes(words: list[str], capsys: Capture) -> list[object]:
    return [row["sha256"] for row in rows(words, capsys)]


# -- list ----------------------------------------------------------------------------------------------------------


def test_filters_leave_what_they_should(memory: str, capsys: Capture) -> None:
    one, two, three = ADMITTED.sha256, REFUSED.sha256, UNCHECKED.sha256
    cases: dict[tuple[str, ...], list[str]] = {
        ("--memory",): [three, two, one],
        ("--memory", "--skill", "optimization"): [two],
        ("--memory", "--contract", "answer"): [two, one],
        ("--verdict", "refuse"): [two],
        ("--verdict", "unchecked"): [three],
        ("--rule", "feasibility.witness"): [two],
        ("--band", "frontier"): [one],
        ("--band", "unprobed"): [three, two],
        ("--regret", "0.7:0.8"): [one],
        ("--regret", "0.8:"): [],
        ("--regret", "-1:0.75"): [one],
        ("--model", "large"): [three, one],
        ("--run", "first"): [three, two],
        ("--run", "first", "--steps", ":8"): [two],
        ("--steps", "8:9"): [three],
        ("--sort", "regret"): [one],
        ("--sort", "hardest"): [one],
        ("--memory", "--most", "1"): [three],
        ("--memory", "--most", "0"): [three, two, one],
    }
    for words, wanted in cases.items():
        assert hashes(["list", *words], capsys) == wanted, words


def test_rows_of_the_memory_have_the_keys_of_those_on_shelves(memory: str, capsys: Capture) -> None:
    on_shelves = rows(["list"], capsys)[-1]
    assert set(on_shelves) == {"id", "sha256", "skill", "contract", "max_turns", "menu", "shelf"}
    remembered = rows(["list", "--verdict", "admit"], capsys)[0]
    assert set(remembered) >= {"id", "sha256", "skill", "contract"}
    assert remembered["id"] == on_shelves["id"] == memory
    assert remembered["verdict"] == "admit" and remembered["measured"]["band"] == "frontier"  # type: ignore[index]


def test_more_than_a_page_is_counted(memory: str, capsys: Capture) -> None:
    assert main(["list", "--memory", "--most", "1"]) == 0
    assert "2 more; --most N" in capsys.readouterr().out
    with SqliteMemory() as known:
        known.add_probe(REFUSED.sha256, probe_of((0.0,), (1.0,), "uncertain"))
    assert main(["list", "--sort", "regret", "--most", "1"]) == 0
    assert "1 more; --most N" in capsys.readouterr().out
    assert main(["list", "--most", "2", "--json"]) == 0
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == 2 and "11 more; --most N" in told.err


def test_a_filter_that_leaves_nothing_says_what_there_is(memory: str, capsys: Capture) -> None:
    assert main(["list", "--memory", "--skill", "juggling"]) == 0
    assert "No source of skill 'juggling'; there are " in capsys.readouterr().out
    assert main(["list", "--regret", "0.9:1"]) == 0
    assert "None of 3 sources passes these filters" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["list", "--regret", "high"], "--regret is LO:HI, such as 0.1:0.8"),
        (["list", "--regret", "nan:1"], "--regret is LO:HI"),
        (["list", "--regret", "0.5:0.1"], "the lower end comes first"),
        (["list", "--steps", "1.5:2"], "--steps is A:B with whole numbers"),
        (["list", "--steps", "0:99999999999999999999"], "--steps is A:B with whole numbers"),
        (["list", "--verdict", "maybe"], "allowed: admit, refuse, undecided, unchecked"),
        (["list", "--most", "-1"], "--most must be at least 0"),
        (["search", "..."], "has no word to search for"),
        (["lineage", "env-1001", "--most", "0"], "--most must be at least 1"),
        (["memory", "prune", "--episodes", "-1"], "--episodes must be at least 0"),
        (["memory", "export", "all.csv"], "must end in .jsonl or .jsonl.zst"),
        (["show", "abcdef"], "a hash that begins with abcdef"),
        (["show", "env-1001", "--seed", "-1"], "--seed must be at least 0"),
        (["memory", "nonsense"], "nonsense"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_line(words: list[str], told: str, memory: str, capsys: Capture) -> None:
    assert main(words) == 2
    error = capsys.readouterr().err
    assert told in " ".join(error.split()) and "Traceback" not in error


def test_without_a_memory_it_is_said_what_makes_one(data_home: Path, capsys: Capture) -> None:
    for words in (["list", "--memory"], ["stats"], ["lineage", "env-0001"], ["memory", "verify"]):
        assert main(words) == 2, words
        assert "there is no memory yet" in (told := capsys.readouterr().err) and "memory rebuild" in told
    assert main(["show", "abcdef"]) == 2 and main(["show", "env-0001"]) == 0
    assert not data_home.exists()  # looking makes nothing


def test_a_memory_of_a_newer_version_is_refused_and_hides_no_card(memory: str, capsys: Capture) -> None:
    db = sqlite3.connect(home() / "memory.db")
    db.execute("PRAGMA user_version = 99")
    db.close()
    assert main(["stats"]) == 2
    assert "has version 99" in (told := capsys.readouterr().err) and "Upgrade" in told
    assert main(["show", memory]) == 0
    told = capsys.readouterr()
    assert "class AddEnv" in told.out and "has version 99" in told.err


# -- search --------------------------------------------------------------------------------------------------------


def test_search_finds_words_in_shelves_and_memory_and_shows_the_line(memory: str, capsys: Capture) -> None:
    assert hashes(["search", "zebra"], capsys) == [REFUSED.sha256]
    assert hashes(["search", "zebr"], capsys) == [] and hashes(["search", "zebr*"], capsys) == [REFUSED.sha256]
    (found,) = rows(["search", "zebra"], capsys)
    assert "zebra_stripes" in str(found["text"])  # the first line with this word, not one that begins so
    assert "# zebras" in str(rows(["search", "zebras"], capsys)[0]["text"])
    (found,) = rows(["search", "zebra stripes"], capsys)
    line = REFUSED.text.splitlines()[found["line"] - 1]  # type: ignore[operator]
    assert "zebra_stripes" in line and found["text"] == line
    assert main(["search", "zebra"]) == 0
    out = capsys.readouterr().out
    assert f"{REFUSED.sha256[:12]}  MinusEnv  refuse feasibility.witness" in out and '| return f"Which zebra' in out
    # The bundled shelf is searched too, though nobody has put it into the memory.
    assert [row["id"] for row in rows(["search", "FenceRaffleEnv"], capsys)] == ["spade/env-0004"]
    assert hashes(["search", "self", "--verdict", "refuse"], capsys) == [REFUSED.sha256]


def test_search_works_before_there_is_a_memory(data_home: Path, capsys: Capture) -> None:
    assert [row["id"] for row in rows(["search", "raffle", "--contract", "answer"], capsys)] == ["spade/env-0004"]
    assert main(["search", "xyzzyplugh"]) == 0
    assert "Nothing has xyzzyplugh in it" in capsys.readouterr().out


# -- show ----------------------------------------------------------------------------------------------------------


def test_a_narrow_terminal_gets_fewer_columns_and_whole_rules(
    memory: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(columns: int) -> str:
        narrow = Console(file=sys.stdout, width=columns)
        monkeypatch.setattr(screen, "console", lambda: narrow)
        assert main(["list", "--memory", "--verdict", "refuse"]) == 0
        return capsys.readouterr().out

    assert "skill" in told(200) and "made by" in told(200) and "narrow" not in told(200)
    assert "refuse feasibility.witness" in told(60) and "Too narrow for made by and skill; --json" in told(60)
    assert "regret" not in told(60) and max(map(len, told(60).splitlines())) <= 60


def test_what_was_refused_is_shown_by_its_hash(memory: str, capsys: Capture) -> None:
    assert main(["show", REFUSED.sha256[:8]]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"REFUSE    sha256:{REFUSED.sha256[:12]}")
    for told in (
        "error feasibility.witness",
        "    2 | class MinusEnv",
        "again: seed 3",
        "first, step 7",
        "old, rows.parquet:17",
    ):
        assert told in out
    assert "class MinusEnv" in out and f"{memory}  AddEnv" in out  # its source, and its parent
    assert "\x1b" not in out and "\u202e" not in out and "small\\x1b[31m" in out
    (row,) = rows(["show", f"sha256:{REFUSED.sha256[:6]}"], capsys)
    assert row["card"] is None and row["id"] == "" and row["source"] == REFUSED.text
    assert row["origin"]["run"] == "first" and row["reports"][0]["findings"][0]["rule"] == FINDING.rule  # type: ignore[index]


def test_what_is_on_a_shelf_is_shown_with_what_is_remembered_after_its_source(memory: str, capsys: Capture) -> None:
    assert main(["show", memory]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{memory}\n  skill     mathematical-reasoning\n")
    assert "FRONTIER    tiny v1  0 → 6 of 8 won  regret +0.75" in out
    assert (
        out.index("class AddEnv")
        < out.index("leads to")
        < out.index("MinusEnv  refuse")
        < out.index("1 episode is kept, 1 won")
    )
    (row,) = rows(["show", ADMITTED.sha256[:10]], capsys)
    assert row["id"] == memory and len(row["lineage"]["descendants"]) == 2  # type: ignore[index]


def test_the_same_code_on_a_shelf_is_the_nearest(data_home: Path, capsys: Capture) -> None:
    shelf, entry = resolve("env-0004")
    copy = EnvSource(shelf.read_source(entry.name).text + "# mine\n", document="essay", parent="cd" * 32)
    with SqliteMemory() as known:
        known.add_source(copy)
        known.add_source(shelf.read_source(entry.name))
        known.add_document("essay", "rafts.txt", "On rafts\x1b[31m")
    assert main(["show", copy.sha256[:12]]) == 0
    out = capsys.readouterr().out
    assert "Nearest\n  1.00  spade/env-0004\n" in out and "Document  rafts.txt On rafts\\x1b[31m\n" in out
    assert out.startswith("UNCHECKED sha256:") and "cdcdcdcdcdcd  not in the memory" in out
    assert main(["show", "env-0004"]) == 0
    assert "leads to" not in (out := capsys.readouterr().out) and "Nearest" not in out


def test_nearly_the_same_code_is_shown_from_the_memory_or_the_card(memory: str, capsys: Capture) -> None:
    near = EnvSource(EXAMPLE.replace("1000, 9999", "1000, 9998"))
    with SqliteMemory() as known:
        known.add_source(near)
        (neighbour,) = known.neighbours(near)
    assert main(["show", near.sha256[:12]]) == 0
    assert f"Nearest\n  {neighbour.similarity:.2f}  {memory}\n" in capsys.readouterr().out
    (home() / "memory.db").unlink()
    card = dataclasses.replace(
        card_of(near, Report(near.sha256, contract="answer", max_turns=3)), neighbours=(neighbour,)
    )
    name = user_shelf().add(near, card).name
    assert main(["show", name]) == 0
    assert capsys.readouterr().out.endswith(f"Nearest\n  {neighbour.similarity:.2f}  {memory}\n")


def test_the_source_alone_is_given_as_it_is(memory: str, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    odd = EnvSource(EXAMPLE + "# \x1b[31m \udc80 \r\n")
    with SqliteMemory() as known:
        known.add_source(odd)
    assert main(["show", odd.sha256, "--source"]) == 0
    assert capfdbinary.readouterr().out == odd.text.encode("utf-8", "surrogatepass")


def test_an_episode_comes_from_the_memory_or_the_box(memory: str, capsys: Capture) -> None:
    assert main(["show", memory, "--episode"]) == 0
    assert "Episode, played by tiny" in (out := capsys.readouterr().out) and "[1] \\boxed{5}" in out
    (row,) = rows(["show", UNCHECKED.sha256, "--episode"], capsys)
    assert row["episode"]["player"] == "witness" and row["episode"]["success"] is True  # type: ignore[index]
    assert main(["show", "env-0004", "--episode", "--seed", "3"]) == 0
    assert "won: terminated after 1 turn" in capsys.readouterr().out


def two_that_begin_alike() -> tuple[EnvSource, EnvSource]:
    """Two sources whose hashes have the same first six digits."""
    seen: dict[str, EnvSource] = {}
    for number in range(100_000):
        source = EnvSource(f"x = {number}")
        other = seen.setdefault(source.sha256[:6], source)
        if other is not source:
            return other, source
    raise AssertionError("among 100,000 hashes there are two that begin alike")


def test_the_beginning_of_several_hashes_is_no_name(data_home: Path, capsys: Capture) -> None:
    pair = two_that_begin_alike()
    with SqliteMemory() as known:
        for source in pair:
            known.add_source(source)
    assert main(["show", pair[0].sha256[:6]]) == 2
    assert pair[1].sha256 in (told := capsys.readouterr().err) and "more digits" in told
    assert main(["show", pair[0].sha256, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"] == pair[0].text


def test_a_shelf_and_the_memory_may_mean_different_sources(data_home: Path, capsys: Capture) -> None:
    one, other = two_that_begin_alike()
    report = Report(one.sha256, contract="answer", max_turns=3)
    user_shelf().add(one, card_of(one, report))
    with SqliteMemory() as known:
        known.add_source(other)
    assert main(["show", one.sha256[:6]]) == 2
    assert "begins 2 hashes" in capsys.readouterr().err
    assert main(["show", one.sha256[:20]]) == 0 and main(["show", other.sha256[:20]]) == 0
