"""``spade-envs probe``, ``play`` with a model, and what ``show`` knows of probes."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from standin import StandIn, saying, status
from test_model_player import SUM, model
from test_probe import knowing

from spade_envs.admission import card_of
from spade_envs.cli import main, screen
from spade_envs.local import lacking
from spade_envs.memory import SqliteMemory
from spade_envs.store import user_shelf
from spade_envs.types import EnvSource, Probe, Report, Severity

Capture = pytest.CaptureFixture[str]


@contextlib.contextmanager
def serving(standin: StandIn) -> Iterator[str]:
    """Serve in a thread, since commands have event loops of their own."""
    ready, url = threading.Event(), ""
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()

    async def run() -> None:
        nonlocal url
        async with standin.serve() as at:
            url = at
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    ready.wait()
    try:
        yield url
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()


@pytest.fixture
def admitted() -> Callable[..., str]:
    """Put a source on the user's shelf, as if the gate had let it in."""

    def put(source: EnvSource = SUM, hint: str = "Add the two.") -> str:
        told = dataclasses.replace(source, hint=hint)
        report = Report(told.sha256, contract="answer", max_turns=4)
        return f"spade/{user_shelf().add(told, card_of(told, report)).name}"

    return put


def test_a_probe_is_told_remembered_and_shown(admitted: Callable[..., str], capsys: Capture) -> None:
    name = admitted()
    with serving(model(knowing(0, 10))) as url:
        assert main(["probe", name, "--base-url", url, "--max-tokens", "64"]) == 0
    out, err = capsys.readouterr()
    assert f"FRONTIER    {name}  0 → 8 of 8 won  regret +1.00 [" in out
    assert "credit 0.25" in out and "●" in out and "16 episodes, 0 of 1 decided" in err
    # A stand-in counts 3 tokens of a prompt and 4 of a reply: 8 x 4 turns are lost, and 8 are won at once.
    assert "16 episodes, 120 tokens of prompts and 160 of replies" in err
    with SqliteMemory() as memory:
        (probe,) = memory.probes(SUM.sha256)
    assert (probe.band, probe.model, probe.hint) == ("frontier", "tiny", "Add the two.")
    assert main(["show", name]) == 0
    out = capsys.readouterr().out
    assert "FRONTIER    tiny  0 → 8" in out and "temperature 1.0, top_p 1.0, max_tokens 64" in out
    assert main(["show", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["probes"][0]["band"] == "frontier"


def test_models_and_dates_stand_side_by_side_and_resume_leaves_out_what_is_known(
    admitted: Callable[..., str], capsys: Capture
) -> None:
    name, other = admitted(), admitted(EnvSource(SUM.text.replace("Right.", "Yes.")))
    standin = model(knowing(0, 10))
    standin.models = [{"id": "tiny", "max_model_len": 8000}, {"id": "large", "max_model_len": 8000}]
    with serving(standin) as url:
        asked = ["--base-url", url, "--max-tokens", "64"]
        for chosen in ("tiny", "large"):
            assert main(["probe", name, *asked, "--model", chosen]) == 0
        standin.log.clear()
        capsys.readouterr()
        assert main(["probe", name, other, *asked, "--model", "large", "--resume", "--json"]) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [row["id"] for row in rows] == [name, other]
        assert all("Yes." not in message["content"] for body in standin.log for message in body["messages"][:1])
        assert len(standin.log) == rows[1]["probe"]["plain"].count(0.0) * 4 + rows[1]["probe"]["hinted"].count(1.0)
        # Another seed, or a longer reply, is another measurement.
        assert main(["probe", name, *asked, "--model", "large", "--resume", "--seed", "1"]) == 0
        assert main(["probe", name, "--base-url", url, "--max-tokens", "65", "--model", "large", "--resume"]) == 0
    with SqliteMemory() as memory:
        assert [probe.model for probe in memory.probes(SUM.sha256)] == ["tiny", "large", "large", "large"]


def test_every_episode_may_be_kept_and_no_file_is_overwritten(
    admitted: Callable[..., str], tmp_path: Path, capsys: Capture
) -> None:
    name, kept = admitted(), tmp_path / "episodes.jsonl"
    with serving(model(knowing(0, 10))) as url:
        assert main(["probe", name, "--base-url", url, "--episodes", str(kept)]) == 0
        rows = [json.loads(line) for line in kept.read_text().splitlines()]
        assert len(rows) == 16 and {row["outcome"] for row in rows} == {0.0, 1.0}
        assert main(["probe", name, "--base-url", url, "--episodes", str(kept)]) == 2
    assert "is there already" in capsys.readouterr().err and len(kept.read_text().splitlines()) == 16


def test_an_environment_that_fails_is_told_and_is_no_seed_any_more(
    admitted: Callable[..., str], capsys: Capture
) -> None:
    source = EnvSource(SUM.text.replace("self.turn += 1", "self.turn += [][0]"))
    name = admitted(source)
    with SqliteMemory() as memory:
        memory.add_source(source)
        memory.add_report(Report(source.sha256))
        assert memory.sample_seeds(1)
    with serving(model(knowing(0, 10))) as url:
        assert main(["probe", name, "--base-url", url]) == 1
    out = capsys.readouterr().out
    assert f"FAULT       {name}" in out and "IndexError" in out and "again: seed" in out
    with SqliteMemory() as memory:
        assert not memory.sample_seeds(1) and not memory.probes(source.sha256)
        finding = memory.reports(source.sha256)[-1].findings[0]
    assert (finding.rule, finding.severity) == ("probe.fault", Severity.ERROR) and finding.repro is not None


def test_without_a_hint_one_may_be_written(admitted: Callable[..., str], capsys: Capture) -> None:
    name = admitted(EnvSource(SUM.text.partition("    def hint")[0]), hint="")
    standin = model(lambda messages, body: "")
    play = knowing(0, 10)
    standin.always = saying(
        standin, lambda messages, body: "Add the two." if "class SumEnv" in str(messages) else play(messages, body)
    )
    with serving(standin) as url:
        assert main(["probe", name, "--base-url", url]) == 1
        assert "has no hint" in capsys.readouterr().out and not standin.log
        assert main(["probe", name, "--base-url", url, "--write-hint", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["probe"]["hint"] == "Add the two." and row["probe"]["band"] == "frontier"


def test_a_hint_that_no_reply_comes_for_costs_no_other_environment(
    admitted: Callable[..., str], capsys: Capture
) -> None:
    names = admitted(EnvSource(SUM.text.partition("    def hint")[0]), hint=""), admitted()
    standin = model(lambda messages, body: "")
    alive, broken = saying(standin, knowing(0, 10)), status(400, "this source is too long")

    async def answer(request: Any, body: dict[str, Any]) -> Any:
        return await (broken if "class SumEnv" in str(body["messages"]) else alive)(request, body)

    standin.always = answer
    with serving(standin) as url:
        assert main(["probe", *names, "--base-url", url, "--write-hint", "--json"]) == 3
    rows = {row["id"]: row for row in map(json.loads, capsys.readouterr().out.splitlines())}
    assert rows[names[0]]["probe"] is None and "too long" in rows[names[0]]["problem"]
    assert rows[names[1]]["probe"]["band"] == "frontier"


def test_resume_goes_by_a_hint_that_was_written_before(admitted: Callable[..., str], capsys: Capture) -> None:
    name = admitted(EnvSource(SUM.text.partition("    def hint")[0]), hint="")
    standin = model(lambda messages, body: "")
    play = knowing(0, 10)
    standin.always = saying(
        standin, lambda messages, body: "Add the two." if "class SumEnv" in str(messages) else play(messages, body)
    )
    with serving(standin) as url:
        assert main(["probe", name, "--base-url", url, "--write-hint"]) == 0
        standin.log.clear()
        assert main(["probe", name, "--base-url", url, "--write-hint", "--resume"]) == 0
        assert not standin.log and "measured before" in capsys.readouterr().out
        assert main(["probe", name, "--base-url", url, "--resume"]) == 1


def test_resume_measures_again_what_was_broken_off_or_had_fewer_pairs(
    admitted: Callable[..., str], capsys: Capture
) -> None:
    name = admitted()
    standin = model(knowing(4, 5))
    alive, broken = saying(standin, knowing(4, 5)), status(400, "out of order")
    limit = 20

    async def mortal(request: Any, body: dict[str, Any]) -> Any:
        return await (alive if len(standin.answered) < limit else broken)(request, body)

    standin.always = mortal
    with serving(standin) as url:
        asked = ["probe", name, "--base-url", url, "--resume", "--json", "--concurrency", "1"]
        assert main(asked) == 3
        limit = 10**9
        assert main([*asked, "--pairs", "4"]) == 0
        assert main([*asked, "--pairs", "12"]) == 0
        assert main([*asked, "--pairs", "12"]) == 0
        assert main([*asked, "--pairs", "4"]) == 0
    pairs = [len(json.loads(line)["probe"]["seeds"]) for line in capsys.readouterr().out.splitlines()]
    assert pairs[1:] == [4, 12, 12, 12]
    with SqliteMemory() as memory:
        assert len(memory.probes(SUM.sha256)) == 3


def test_a_transcript_that_cannot_be_written_is_named(
    admitted: Callable[..., str], tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def full(path: Path, *how: Any, **more: Any) -> Any:
        return opened(Path("/dev/full"), "w", **more) if path.name == "kept.jsonl" else opened(path, *how, **more)

    monkeypatch.setattr(Path, "open", full)
    with serving(model(knowing(0, 10))) as url:
        assert main(["probe", admitted(), "--base-url", url, "--episodes", str(tmp_path / "kept.jsonl")]) == 2
    assert "kept.jsonl: No space left" in capsys.readouterr().err


def test_one_environment_named_in_two_ways_is_probed_once(admitted: Callable[..., str], capsys: Capture) -> None:
    name = admitted()
    with serving(model(knowing(0, 10))) as url:
        assert main(["probe", name, name.partition("/")[2], name, "--base-url", url, "--json"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_a_server_that_fails_is_no_measurement(admitted: Callable[..., str], capsys: Capture) -> None:
    standin = model(knowing(0, 10))
    standin.always = status(400, "\x1b[31mout of order")
    with serving(standin) as url:
        assert main(["probe", admitted(), "--base-url", url]) == 3
    out = capsys.readouterr().out
    assert "NOTHING" in out and "out of order" in out and "server_error" in out and "\x1b" not in out


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["env-0001"], ["--base-url", "--local"]),
        (["env-0001", "--local", "--base-url", "http://h"], ["leave --base-url"]),
        (["env-0001", "--model-file", "x.gguf", "--base-url", "http://h"], ["--local"]),
        (["env-0001", "--base-url", "http://127.0.0.1:9"], ["127.0.0.1:9"]),
        (["env-9999", "--base-url", "http://h"], ["env-9999"]),
        (["my.py", "--base-url", "http://h"], ["admit"]),
        (["env-0001", "--base-url", "http://h", "--pairs", "5"], ["4, 8, 12"]),
        (["env-0001", "--base-url", "http://h", "--temperature", "-1"], ["temperature"]),
        (["env-0001", "--base-url", "http://h", "--tools", "both"], ["native"]),
        (["env-0001", "--base-url", "http://h", "--key-variable", "NO_SUCH_KEY"], ["NO_SUCH_KEY"]),
        (["env-0001", "--base-url", "http://h", "--max-turns", "0"], ["turns"]),
    ],
)
def test_wrong_usage_is_said_before_anything_is_played(
    arguments: list[str], parts: list[str], capsys: Capture, data_home: Path
) -> None:
    assert main(["probe", *arguments]) == 2
    err = capsys.readouterr().err
    assert err.startswith("spade-envs: ") and all(part in err for part in parts), err
    assert "Traceback" not in err


def test_no_more_tokens_are_spent_than_allowed(admitted: Callable[..., str], capsys: Capture) -> None:
    with serving(model(knowing(0, 10))) as url:
        asked = ["probe", admitted(), "--base-url", url, "--max-tokens", "64", "--concurrency", "1"]
        assert main([*asked, "--token-budget", "450"]) == 3
    out, err = capsys.readouterr()
    assert "left of --token-budget" in out and "cancelled" in out and "tokens of prompts" in err


def test_a_model_that_the_server_does_not_have_is_named_with_those_it_has(
    admitted: Callable[..., str], capsys: Capture
) -> None:
    with serving(model(knowing(0, 10))) as url:
        assert main(["probe", admitted(), "--base-url", url, "--model", "huge"]) == 2
    assert "huge" in (err := capsys.readouterr().err) and "tiny" in err


def test_a_model_can_be_watched(admitted: Callable[..., str], capsys: Capture) -> None:
    name = admitted()
    with serving(model(knowing(0, 10))) as url:
        assert main(["play", name, "--base-url", url, "--seed", "3", "--hint"]) == 0
        out = capsys.readouterr().out
        assert "played by tiny" in out and "HINT: Add the two." in out and "won: terminated after 1 turn" in out
        assert main(["play", name, "--base-url", url, "--seed", "3", "--json"]) == 0
        told, shown = capsys.readouterr()
        episode = json.loads(told)
        assert (episode["player"], episode["seed"], episode["success"]) == ("tiny", 3, False) and "turn_limit" in shown
        assert main(["play", name, "--base-url", url, "--witness"]) == 2
    assert "name one of them" in capsys.readouterr().err


@pytest.mark.parametrize("player", ["random", "idle", "echo", "junk"])
@pytest.mark.parametrize("env_id", ["env-0002", "env-0003"])
def test_players_that_understand_nothing_can_be_watched(player: str, env_id: str, capsys: Capture) -> None:
    assert main(["play", env_id, "--player", player, "--seed", "3", "--json"]) == 0
    told = capsys.readouterr().out
    episode = json.loads(told)
    assert not episode["success"] and episode["turns"] and player.split()[0] in episode["player"]
    assert main(["play", env_id, "--player", player, "--seed", "3", "--json"]) == 0
    assert capsys.readouterr().out == told, "the same seed, the same episode"


def test_a_player_that_does_not_exist_is_named_with_those_that_do(capsys: Capture) -> None:
    assert main(["play", "env-0002", "--player", "clever"]) == 2
    assert "random, idle, echo, junk" in capsys.readouterr().err


def test_a_hint_that_is_not_there_is_said(admitted: Callable[..., str], capsys: Capture) -> None:
    name = admitted(EnvSource(SUM.text.partition("    def hint")[0]), hint="")
    with serving(model(knowing(0, 10))) as url:
        assert main(["play", name, "--base-url", url, "--hint"]) == 0
    out = capsys.readouterr().out
    assert "It has no hint." in out and "HINT" not in out
    assert main(["play", name, "--player", "idle", "--hint"]) == 0
    assert "It has no hint." in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--pairs", "4.2"], ["--seed", "two"], ["--concurrency", "1e1"]])
def test_numbers_that_are_not_whole_are_refused(arguments: list[str], capsys: Capture) -> None:
    assert main(["probe", "env-0001", "--base-url", "http://h", *arguments]) == 2
    err = capsys.readouterr().err
    assert "whole number" in err and arguments[1] in err and "spade-envs probe --help" in err


def test_nobody_who_reads_is_no_success(admitted: Callable[..., str], tmp_path: Path) -> None:
    names = [admitted(EnvSource(SUM.text.replace("Right.", f"Right {at}."))) for at in range(8)]
    with serving(model(knowing(0, 10))) as url:
        command = [sys.executable, "-m", "spade_envs", "probe", *names, "--base-url", url, "--concurrency", "8"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None and process.stderr is not None
            process.stdout.close()
            assert "nobody reads" in process.stderr.read()
    assert process.returncode == 141


def test_wins_are_counted_in_pairs() -> None:
    probe = Probe((1, 2), (1.0, 1.0), (1.0, None), 0.0, (-1.0, 1.0), "uncertain", "m", "", "{}", "", "now")
    assert screen.won(probe) == ((1, 1), 1) and "1 → 1 of 1 won" in next(screen.probe_lines(probe, "a")).plain


def test_show_survives_a_memory_that_cannot_be_read(
    admitted: Callable[..., str], data_home: Path, capsys: Capture
) -> None:
    name = admitted()
    (data_home / "memory.db").write_bytes(b"no database at all, but long enough to be looked at" * 10)
    assert main(["show", name]) == 0
    out, err = capsys.readouterr()
    assert "class SumEnv" in out and "cannot be used" in err


def test_hostile_words_of_a_probe_are_shown_as_what_they_are(admitted: Callable[..., str], capsys: Capture) -> None:
    name = admitted()
    probe = Probe(
        (1,), (0.0,), (1.0,), 1.0, (-1.0, 1.0), "\x1b[31mred", "m\u202e", "", "[]", "", "now\x07", reason="\x1b]0;"
    )
    with SqliteMemory() as memory:
        memory.add_source(SUM)
        memory.add_probe(SUM.sha256, dataclasses.replace(probe, plain=(0.0, 1.0)))
        memory.add_probe(SUM.sha256, probe)
    assert main(["show", name]) == 0
    out: Any = capsys.readouterr().out
    assert "\\x1b[31MRED" in out and "m\\u202e" in out
    assert not set("\x1b\u202e\x07") & set(out)


def test_rare_outcomes_may_be_announced(admitted: Callable[..., str], capsys: Capture) -> None:
    name = admitted()
    with serving(model(knowing(0, 10))) as url:
        assert main(["probe", name, "--base-url", url, "--json", "--graded"]) == 0
    probe = json.loads(capsys.readouterr().out)["probe"]
    assert probe["band"] == "frontier" and "bets" in probe["reason"]


@pytest.mark.slow
@pytest.mark.skipif(lacking() is not None, reason=f"the local model is not installed: {lacking()}")
def test_a_real_model_is_measured_and_watched_without_a_server(admitted: Callable[..., str], capsys: Capture) -> None:
    name = admitted()
    asked = ["--local", "--max-tokens", "24"]
    assert main(["probe", name, *asked, "--pairs", "4", "--max-turns", "1", "--json"]) == 0
    probe = json.loads(capsys.readouterr().out)["probe"]
    assert len(probe["seeds"]) == 4 and "SmolLM2" in probe["model"] and None not in probe["plain"] + probe["hinted"]
    assert main(["play", name, *asked, "--json"]) == 0
    episode = json.loads(capsys.readouterr().out)
    assert episode["cut"] or episode["turns"]
