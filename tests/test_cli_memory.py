"""What ``list``, ``search``, ``show``, ``lineage``, ``stats`` and ``memory`` tell of what is remembered."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
from pathlib import Path

import pytest

from spade_envs.admission import card_of
from spade_envs.cli import main
from spade_envs.memory import SqliteMemory
from spade_envs.rules import EXAMPLE
from spade_envs.store import home, resolve, user_shelf
from spade_envs.types import EnvSource, Episode, Finding, Origin, Probe, Report, Repro, Severity, StopReason, Turn

Capture = pytest.CaptureFixture[str]

ADMITTED = EnvSource(EXAMPLE, skill="mathematical-reasoning", hint="Add them.", made_by="large")
REFUSED = EnvSource(
    EXAMPLE.replace("class AddEnv", "class MinusEnv").replace("What is", "Which zebra_stripes are"),
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


def test_what_was_refused_is_shown_by_its_hash(memory: str, capsys: Capture) -> None:
    assert main(["show", REFUSED.sha256[:8]]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"REFUSE    sha256:{REFUSED.sha256[:12]}")
    for told in ("error feasibility.witness", "    2 |", "again: seed 3", "first step 7", "old rows.parquet:17"):
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
        known.add_document("essay", "rafts.txt", "On rafts\x1b[31m")
    assert main(["show", copy.sha256[:12]]) == 0
    out = capsys.readouterr().out
    assert "Nearest\n  1.00  spade/env-0004\n" in out and "Document  rafts.txt On rafts\\x1b[31m\n" in out
    assert out.startswith("UNCHECKED sha256:") and "cdcdcdcdcdcd  not in the memory" in out
    assert main(["show", "env-0004"]) == 0
    assert "Nearest" not in capsys.readouterr().out


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


def test_the_beginning_of_several_hashes_is_no_name(data_home: Path, capsys: Capture) -> None:
    seen: dict[str, EnvSource] = {}
    pair: tuple[EnvSource, EnvSource] | None = None
    for number in range(100_000):
        source = EnvSource(f"x = {number}")
        other = seen.setdefault(source.sha256[:6], source)
        if other is not source:
            pair = (other, source)
            break
    assert pair is not None
    with SqliteMemory() as known:
        for source in pair:
            known.add_source(source)
    assert main(["show", pair[0].sha256[:6]]) == 2
    assert pair[1].sha256 in (told := capsys.readouterr().err) and "more digits" in told
    assert main(["show", pair[0].sha256, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"] == pair[0].text


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
    assert row["lengths"]["least"] == row["lengths"]["most"] == len(EXAMPLE.splitlines()) + 1  # type: ignore[index]
    assert main(["stats"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("3 sources, 2 reports, 1 probe, 1 episode, 0 documents; ")
    assert "+0.7 to +0.8" in out and "█" in out and "small\\x1b[31m" in out and "\x1b" not in out


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
