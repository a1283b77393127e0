"""``spade-envs doctor --base-url``: what a server is, whether it answers, and what is wrong."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from standin import StandIn, json_of, status

from spade_envs.cli import main
from spade_envs.client import Kind
from spade_envs.client.checkup import MOST_TOKENS, QUESTION, Checkup, check_up
from spade_envs.errors import ClientError

MODELS = [{"id": "big", "max_model_len": 4096}, {"id": "pol-v1", "parent": "big"}, {"id": "other"}]
KEY = "sk-very-secret-0123456789"


def checked(standin: StandIn, **options: Any) -> Checkup:
    """What is found out about a stand-in."""

    async def run() -> Checkup:
        async with standin.serve() as url:
            return await check_up(url, **options)

    return asyncio.run(run())


def doctor(standin: StandIn, *flags: str) -> int:
    """The exit code of the command on a stand-in."""

    async def run() -> int:
        async with standin.serve() as url:
            return await asyncio.to_thread(main, ["doctor", "--base-url", url, *flags])

    return asyncio.run(run())


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """What the command says of the server."""
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["server"]
    return found


def test_a_server_is_described_and_answers() -> None:
    standin = StandIn(models=MODELS)
    found = checked(standin)
    assert (found.kind, found.version, found.lacks, found.trouble) == (Kind.VLLM, "0.33.0", (), None)
    contexts = {one.name: one.context for one in found.models}
    assert contexts == {"big": 4096, "pol-v1": 4096, "other": None}
    assert found.model == "big" and found.reply and found.tokens == 4
    assert found.seconds is not None and found.seconds > 0
    [asked] = standin.log
    assert asked["messages"] == [{"role": "user", "content": QUESTION}] and asked["max_tokens"] == MOST_TOKENS
    assert checked(standin, model="pol-v1").model == "pol-v1" and standin.log[1]["model"] == "pol-v1"


def test_a_lesser_server_says_what_it_lacks() -> None:
    found = checked(StandIn(kind="bare"))
    assert found.kind is Kind.BARE and found.reply
    assert found.lacks[0].startswith("no token ids")


def test_what_a_server_lacks_is_no_double_negative(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(StandIn(kind="bare")) == 0
    out = capsys.readouterr().out
    assert "\n  but      no token ids: " in out and "\n  but      no loading of adapters\n" in out


def test_the_model_that_answers_is_named_among_several(capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor(StandIn(models=MODELS), "--model", "other") == 0
    assert re.search(r"\n  answers  other: 't\d+ [^']*' \(\d", capsys.readouterr().out)
    assert doctor(StandIn(models=MODELS[:1])) == 0
    assert re.search(r"\n  answers  't\d+ [^']*' \(\d", capsys.readouterr().out)


@pytest.mark.parametrize("field", ["reasoning", "reasoning_content"])
def test_a_model_that_only_thinks_is_told_as_such(capsys: pytest.CaptureFixture[str], field: str) -> None:
    standin = StandIn()

    async def think(request: Any, body: dict[str, Any]) -> Any:
        return standin.good(body, message={"content": None, field: "Okay,\nthe user"}, finish_reason="length")

    standin.always = think
    assert doctor(standin) == 0
    assert "answers  think text only, in the 8 tokens allowed: 'Okay, the user' (" in capsys.readouterr().out
    assert doctor(standin, "--json") == 0
    found = told(capsys)
    assert (found["reply"], found["reasoning"]) == ("", "Okay,\nthe user")


def test_the_machine_is_told_before_a_server_is_waited_for(capsys: pytest.CaptureFixture[str]) -> None:
    before: list[str] = []

    class Watching(StandIn):
        async def list_models(self, request: web.Request) -> web.Response:
            before.append(capsys.readouterr().out)
            return await super().list_models(request)

    assert doctor(Watching()) == 0
    assert re.search(r"\Aisolation .*\nhome .*\nasking     http://127\.0\.0\.1:\d+/v1 \.\.\.\n\Z", before[0], re.DOTALL)
    assert capsys.readouterr().out.startswith("server     http://")
    before.clear()
    assert doctor(Watching(), "--json") == 0
    assert not any(before) and told(capsys)["trouble"] is None


def test_an_adapter_is_asked_only_by_name() -> None:
    standin = StandIn(models=[MODELS[1], MODELS[0]])
    assert checked(standin).model == "big"
    assert "no model that is no adapter; it has: pol-v1" in str(checked(StandIn(models=[MODELS[1]])).trouble)


@pytest.mark.parametrize(
    ("standin", "flags", "says"),
    [
        (StandIn(models=MODELS), ["--model", "bog"], "has no model 'bog'; it has: big, pol-v1, other"),
        (StandIn(models=[]), [], "has no model that is no adapter; it has: none"),
        (StandIn(key=KEY), [], "refuses the key (status 401); name the variable that holds it: --key-variable NAME"),
        (StandIn(script=[status(400, "no chat template")]), [], "status 400): no chat template"),
        (StandIn(script=[status(503), status(503)]), [], "no answer after 2 attempts"),
    ],
    ids=["wrong model", "no model", "key missing", "refuses chats", "fails"],
)
def test_what_is_wrong_is_told(
    capsys: pytest.CaptureFixture[str], standin: StandIn, flags: list[str], says: str
) -> None:
    script = list(standin.script)
    assert doctor(standin, "--json", *flags) == 1
    found = told(capsys)
    assert says in found["trouble"] and found["reply"] is None
    standin.script = script
    assert doctor(standin, *flags) == 1
    assert says in capsys.readouterr().out


def test_the_key_is_sent_and_not_shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OUR_KEY", KEY)
    assert doctor(StandIn(key=KEY), "--key-variable", "OUR_KEY", "--json") == 0
    text = capsys.readouterr().out
    assert json.loads(text)["server"]["trouble"] is None and KEY not in text
    assert doctor(StandIn(key=KEY + "x"), "--key-variable", "OUR_KEY") == 1
    text = capsys.readouterr().out
    assert "the key in OUR_KEY is refused (status 401): wrong key" in text and KEY not in text
    monkeypatch.delenv("OUR_KEY")
    assert doctor(StandIn(key=KEY), "--key-variable", "OUR_KEY") == 2
    assert "OUR_KEY holds no key; set it, or leave --key-variable out" in capsys.readouterr().err


def test_nothing_answers(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as bound:  # bound, but it does not listen
        bound.bind(("127.0.0.1", 0))
        port = bound.getsockname()[1]
        assert main(["doctor", "--base-url", f"http://127.0.0.1:{port}", "--json"]) == 1
    found = told(capsys)
    assert found["kind"] is None and found["models"] == []
    assert "does not answer" in found["trouble"] and "start the server" in found["trouble"]


def test_something_else_answers(capsys: pytest.CaptureFixture[str]) -> None:
    async def run() -> int:
        async with StandIn().serve() as url:
            return await asyncio.to_thread(main, ["doctor", "--base-url", f"{url}/deeper", "--json"])

    assert asyncio.run(run()) == 1
    assert "is this the base URL of a model server?" in told(capsys)["trouble"]


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--base-url", "localhost:8000"]) == 2
    assert "'localhost:8000' is no base URL; a base URL looks like" in capsys.readouterr().err
    assert main(["doctor", "--model", "big"]) == 2
    assert "name it by --base-url" in capsys.readouterr().err
    with pytest.raises(ClientError, match="holds more than an address"):
        asyncio.run(check_up(f"http://user:{KEY}@localhost"))


def test_a_hostile_server_does_not_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"\x1b[31mred{at}" for at in range(30)]
    standin = StandIn(models=[{"id": name} for name in names])

    async def evil(request: Any, body: dict[str, Any]) -> Any:
        return json_of(standin.answer_to(body, message={"content": "\x1b[2J" + "yes " * 100_000}))

    standin.script = [evil]
    assert doctor(standin) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out and "and 10 more" in out and len(out) < 6000


def test_without_a_server_nothing_is_said_of_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["server"] is None and "local" in facts["extras"] and "local_model" in facts
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "\nmodel " in out and "\nserver " not in out


def test_a_home_that_cannot_be_used_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def trouble() -> str | None:
        """The same in both forms."""
        assert main(["doctor", "--json"]) == 0
        found: str | None = json.loads(capsys.readouterr().out)["home_trouble"]
        assert main(["doctor"]) == 0
        [line] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("home ")]
        assert line.endswith(f" ({found})") if found else line.endswith(os.environ["SPADE_ENVS_HOME"])
        return found

    (tmp_path / "file").write_text("")
    advice = "name a folder you may write to with SPADE_ENVS_HOME"
    monkeypatch.setenv("SPADE_ENVS_HOME", str(tmp_path / "not" / "there"))
    assert trouble() is None and not (tmp_path / "not").exists()
    monkeypatch.setenv("SPADE_ENVS_HOME", str(tmp_path / "file"))
    assert trouble() == f"this is no folder; {advice}"
    monkeypatch.setenv("SPADE_ENVS_HOME", str(tmp_path / "file" / "below"))
    assert trouble() == f"{tmp_path / 'file'} is no folder; {advice}"
    # Root may write anywhere, so that the system's answer is put in its place.
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path) != tmp_path and allowed(path, mode))
    monkeypatch.setenv("SPADE_ENVS_HOME", str(tmp_path))
    assert trouble() == f"you may not write there; {advice}"
    monkeypatch.setenv("SPADE_ENVS_HOME", str(tmp_path / "new"))
    assert trouble() == f"you may not write to {tmp_path}; {advice}"
