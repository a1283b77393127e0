"""``spade-envs generate``: what a user types and sees."""

from __future__ import annotations

import functools
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from running import INJECTION, served
from scripted import Scripted, plan_of
from standin import status

from spade_envs.cli import generating, main
from spade_envs.cli.generated import Shown, summary
from spade_envs.client import Settings
from spade_envs.designer import Decision, DesignResult, Progress, SlotEnd
from spade_envs.memory import SqliteMemory
from spade_envs.store import home, user_shelf
from spade_envs.types import EnvSource, Finding, Report, Severity

QUICK = ("--concurrency", "4", "--contract", "answer")


def script(*kinds: str, **changes: Any) -> Scripted:
    """A script for the command line."""
    return Scripted(plan_of(len(kinds), **changes), list(kinds))


def generate(url: str, *words: str) -> int:
    """Run the command in this process."""
    return main(["generate", *words, "--base-url", url, *QUICK])


def test_a_run_tells_what_became_of_each_slot(capsys: pytest.CaptureFixture[str]) -> None:
    with served(script("mended", "no code ever", "good", "twin")) as url:
        assert generate(url, "4") == 0
        lines = capsys.readouterr().out.splitlines()
        assert re.fullmatch(r"ADMITTED   slot 0  mathematical-reasoning answer  spade/env-1001", lines[0])
        assert re.match(r"REFUSED    slot 1  logical-deduction answer  reply.no_source: No source can be", lines[1])
        assert lines[2] == "ADMITTED   slot 2  spatial-reasoning answer  spade/env-1002"
        said = "duplicates.exact: The same code is on the shelf already: spade/env-1002."
        assert lines[3] == f"DUPLICATE  slot 3  pattern-recognition answer  {said}"
        text = "\n".join(lines[4:])
        assert "admitted   2 of 4, 1 of them after a repair" in text and "hints      2 written" in text
        assert (
            "1 reply.no_source, 1 duplicates.exact" in text
            and "duplicates 1" in text
            and str(home() / "runs") in text
            and "tokens" in text
        )
        assert "finished before" not in text

        assert generate(url, "4") == 0
        again = capsys.readouterr().out
        assert "This run had been finished before; --seed 1 asks for other environments." in again
    assert [entry.env_id for entry in user_shelf().entries()] == ["spade/env-1001", "spade/env-1002"]


def test_json_is_one_object_per_slot_and_line(capsys: pytest.CaptureFixture[str]) -> None:
    with served(script("good", "no code ever")) as url:
        for _ in range(2):  # a finished run tells the same
            assert generate(url, "2", "--json", "--no-hint") == 0
            rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
            assert [(row["slot"], row["verdict"], row["id"]) for row in rows] == [
                (0, "admitted", "spade/env-1001"),
                (1, "refused", ""),
            ]
            assert rows[0]["hint"] == "none" and rows[1]["rule"] == "reply.no_source" and rows[1]["replies"] == 3


def test_hostile_text_stays_text(capsys: pytest.CaptureFixture[str]) -> None:
    with served(script("escapes ever", "bomb", repairs=0)) as url:
        assert generate(url, "2", "--repairs", "0") == 1
    out = capsys.readouterr()
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e]", out.out + out.err)
    assert "static.import" in out.out


def test_a_key_goes_to_no_other_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DESIGNER_KEY", "sk-for-the-designer-only")
    scripted, agent = script("good"), script("good")
    scripted.standin.key = "sk-for-the-designer-only"
    write, seen = agent.handler(), []

    async def look(request: Any, body: dict[str, Any]) -> Any:
        seen.append(request.headers.get("Authorization", ""))
        return await write(request, body)

    agent.standin.always = look
    with served(scripted) as url, served(agent) as agent_url:
        assert generate(url, "1", "--key-variable", "DESIGNER_KEY", "--agent-url", agent_url) == 0
    assert (scripted.hints, agent.hints) == (0, 1) and len(seen) == 1
    assert "designer" not in seen[0]
    assert not any(b"sk-for" in path.read_bytes() for path in (home() / "runs").glob("*.jsonl"))


def test_what_models_say_is_tamed(capsys: pytest.CaptureFixture[str]) -> None:
    hostile = "\x1b[31m[bold]\u202e"
    end = SlotEnd(0, "optimization", "answer", Decision.REFUSED, "", "", hostile, hostile * 99, "", 1, 2, 3)
    with Shown(as_json=False) as shown:
        shown.progress(Progress(1, 1, 1, 1, 0, 1, 5, end))
    summary(DesignResult(plan_of(1), (end,), Path(f"/{hostile}"), 1))
    out = capsys.readouterr().out
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202e]", out)
    assert "\\x1b[31m[bold]\\u202e: " in out and "more characters" in out


def test_nothing_admitted_is_1_and_something_failed_is_3(capsys: pytest.CaptureFixture[str]) -> None:
    with served(script("no code ever")) as url:
        assert generate(url, "1") == 1
    scripted = script("good", "good")
    scripted.standin.script = [status(400, "maximum context length is 10 tokens")] * 2
    with served(scripted) as url:
        assert generate(url, "2", "--seed", "0") == 3
    out = capsys.readouterr().out
    assert "lower --max-tokens, --document-tokens, --memory-seeds or --seed-tokens" in out and "request.context" in out


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts of the client follow each other without a wait."""
    monkeypatch.setattr(generating, "Settings", functools.partial(Settings, backoff_seconds=0.0, avoid_seconds=0.0))


@pytest.mark.usefixtures("at_once")
def test_the_same_command_tries_again_what_failed(capsys: pytest.CaptureFixture[str]) -> None:
    scripted = script("good")
    scripted.standin.script = [status(500)] * 8
    with served(scripted) as url:
        assert generate(url, "1", "--token-budget", "1000") == 3
        assert "a larger --token-budget" in capsys.readouterr().out and not scripted.standin.log
        assert generate(url, "1") == 3
        out = capsys.readouterr().out
        assert "Some failed: run the same command again" in out and "had been finished before" not in out
        scripted.standin.script = []
        assert generate(url, "1") == 0
        assert "had been finished before" not in capsys.readouterr().out
        assert generate(url, "1") == 0
        assert "had been finished before" in capsys.readouterr().out


@pytest.mark.usefixtures("at_once")
def test_a_server_that_is_gone_is_not_asked_for_every_environment(capsys: pytest.CaptureFixture[str]) -> None:
    scripted = script(*["good"] * 30)
    scripted.standin.always = status(501, "gone")
    with served(scripted) as url:
        assert generate(url, "30") == 2
    assert "8 environments in a row were not answered" in (err := capsys.readouterr().err) and "gone" in err
    assert len(scripted.standin.log) <= 12 * Settings().attempts, "of 30 times as many"


def test_no_longer_reply_is_asked_for_than_the_context_has_room_for(capsys: pytest.CaptureFixture[str]) -> None:
    scripted = script("good", "good")
    scripted.standin.models = [{"id": "tiny", "max_model_len": 20_000}]
    with served(scripted) as url:
        assert generate(url, "2") == 0
    assert all(512 <= body["max_tokens"] < 16_384 for body in scripted.standin.log if body["max_tokens"] != 4096)
    capsys.readouterr()
    scripted = script("good")
    scripted.standin.models = [{"id": "tiny", "max_model_len": 1000}]
    with served(scripted) as url:
        assert generate(url, "1", "--seed", "5") == 3
    assert "request.context" in (out := capsys.readouterr().out) and "reads 1000" in out and not scripted.standin.log


def test_wrong_servers_and_models_are_said_clearly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "2", "--base-url", "http://127.0.0.1:9"]) == 2
    assert "http://127.0.0.1:9/v1/models does not answer" in capsys.readouterr().err
    assert main(["generate", "2", "--base-url", "ftp://x"]) == 2
    assert "ftp" in capsys.readouterr().err
    assert main(["generate", "2"]) == 2
    assert "--base-url is needed" in capsys.readouterr().err
    with served(script("good")) as url:
        assert generate(url, "1", "--model", "tinny") == 2
        assert "'tinny'" in (said := capsys.readouterr().err) and "tiny" in said
        assert generate(url, "1", "--agent-model", "writer") == 2
        assert "'writer'" in capsys.readouterr().err
        assert generate(url, "1", "--shelf", "nowhere") == 2
        assert "nowhere" in capsys.readouterr().err
    assert not (home() / "runs").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["0"], "count must be a whole number from 1"),
        (["1", "--skill", "logical-deductoin"], "did you mean logical-deduction"),
        (["1", "--contract", "tool"], "did you mean tools"),
        (["1", "--contract", "tools", "--skill", "optimization"], "optimization is exercised by"),
        (["1", "--difficulty", "x"], "Allowed: easy, medium, hard"),
        (["1", "--temperature", "-1"], "temperature must be from 0"),
        (["1", "--corpus", "nowhere.jsonl"], "nowhere.jsonl"),
        (["1", "--repairs", "99"], "repairs must be"),
        (["1", "--memory-negatives", "9"], "must be a whole number from 0 to 8"),
        (["1", "--seed-tokens", "0"], "must be a whole number from 1"),
        (["1", "--seed-strategy", "balance"], "did you mean balanced? Allowed: balanced, paper, uniform"),
        (["1", "--skil", "x"], "Did you mean --skill"),
        ([], "COUNT"),
    ],
)
def test_wrong_usage_is_2(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", *words, "--base-url", "http://127.0.0.1:9"]) == 2
    assert message in capsys.readouterr().err


def test_a_dry_run_asks_nothing_and_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = tmp_path / "texts.jsonl"
    corpus.write_text(json.dumps({"text": INJECTION.replace("# Tides", "# Tides \x1b[31m")}) + "\n")
    words = ["generate", "3", "--dry-run", "--corpus", str(corpus), "--window", "2", "--epoch", "1"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4 and "spatial-reasoning" in lines[0] and "Tides \\x1b[31m" in lines[0]
    assert re.fullmatch(r"3 first prompts, [\d,]+ tokens, counted by \w+; nothing was asked", lines[3])
    assert main([*words, "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["skill"] for row in rows] == ["spatial-reasoning", "pattern-recognition", "spatial-reasoning"]
    assert main(["generate", "1", "--dry-run", "--corpus", "none"]) == 0
    assert "no document" in capsys.readouterr().out
    assert not home().exists()


def test_a_dry_run_shows_what_the_memory_would_give_and_records_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = EnvSource("x = 1", "optimization", "answer"), EnvSource("x = 2", "optimization", "answer")
    with SqliteMemory() as memory:
        for source, findings in ((good, ()), (bad, (Finding("load.error", Severity.ERROR, "It fails."),))):
            memory.add_source(source)
            memory.add_report(Report(source.sha256, findings))
    words = ["generate", "1", "--dry-run", "--corpus", "none", "--skill", "optimization", "--contract", "answer"]
    found = []
    for more in ([], ["--memory-seeds", "0"], ["--memory-negatives", "0", "--seed-strategy", "uniform"]):
        assert main([*words, *more, "--json"]) == 0
        found.append(json.loads(capsys.readouterr().out))
    assert [(row["seeds"], row["negatives"]) for row in found] == [
        ([good.sha256], [bad.sha256]),
        ([], [bad.sha256]),
        ([good.sha256], []),
    ]
    assert found[0]["tokens"] > max(row["tokens"] for row in found[1:])
    assert main(words) == 0
    assert "1 seeds, 1 bad examples" in capsys.readouterr().out
    with SqliteMemory() as memory:
        assert not memory.db.run("SELECT 1 FROM draws")


def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(tmp_path: Path) -> None:
    scripted = script("good", "mended", "good", "good")
    answer = scripted.handler()
    told: list[int] = []

    async def until_asked(request: Any, body: dict[str, Any]) -> Any:
        slot, _ = scripted._turns.get(body["seed"], (-1, 0))
        if slot == 2:  # by then slot 0 has ended, since two are at work
            os.kill(child.pid, signal.SIGINT)
            told.append(slot)
        return await answer(request, body)

    scripted.standin.always = until_asked
    with served(scripted) as url:
        words = ["generate", "4", "--base-url", url, "--contract", "answer", "--concurrency", "1"]
        command = [sys.executable, "-m", "spade_envs", *words]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
            out, err = child.communicate(timeout=120)
        assert child.returncode == 130, err
        assert told and "Interrupted; what was finished is kept." in err and "Traceback" not in err
        assert "slot 0" in out and "slot 1" in out and "slot 2" not in out
        scripted.standin.always, asked = answer, len(scripted.asked)
        assert main(words) == 0
    assert {slot for slot, _ in scripted.asked[asked:]} <= {2, 3}
    assert len(user_shelf().entries()) == 4
