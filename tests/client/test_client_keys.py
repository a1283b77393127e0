"""A key goes to the server and is seen nowhere else."""

from __future__ import annotations

import asyncio
import json
import logging
import pickle
from pathlib import Path
from typing import Any

import pytest
from standin import StandIn, drop, status

from spade_envs.cli import main
from spade_envs.client import ChatRequest, Client, Message, Reason, RequestFailed, Sampling, Settings
from spade_envs.client.keys import Key
from spade_envs.client.refusals import said
from spade_envs.client.wires import Received

CHAT = ChatRequest(messages=(Message("user", "hello"),), sampling=Sampling(seed=1, max_tokens=8))
KEY = "sk-very-secret-0123456789"


def test_the_key_is_sent_and_never_shown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setenv("OUR_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    record = tmp_path / "record.jsonl"
    shown: list[str] = []

    async def run() -> None:
        standin = StandIn(key=KEY)
        echo = {"content": f"your key is {KEY}"}

        async def tell(request: Any, body: dict[str, Any]) -> Any:
            assert request.headers["Authorization"] == f"Bearer {KEY}"
            return standin.good(body, message=echo)

        async def garbage(request: Any, body: dict[str, Any]) -> Any:
            assert request.transport is not None
            request.transport.write(f"HTTP/1.1 {KEY}\r\n\r\n".encode())
            return await drop(request, body)

        scripts = [garbage, tell, status(400, f"bad {KEY}"), status(401, f"bad {KEY}"), drop, drop]
        options: dict[str, Any] = {"key_variable": "OUR_KEY", "record": record, "settings": Settings(attempts=1)}
        async with standin.serve() as url, Client(url, **options) as client:
            shown.extend([repr(client), str(client.counters()), str(client.capabilities)])
            for script in scripts:
                standin.script = [script]
                try:
                    await client.chat(CHAT)
                except RequestFailed as error:
                    shown.extend(_everything(error))
        async with StandIn(key=KEY + "other").serve() as url:
            refusal = r"the key in OUR_KEY is refused \(status 401\): wrong key, expected \*\*\*other; see whether"
            with pytest.raises(RequestFailed, match=refusal) as caught:
                await Client(url, key_variable="OUR_KEY").open()
            shown.extend(_everything(caught.value))

    asyncio.run(run())
    assert len(shown) > 10
    assert any("the key in OUR_KEY is refused (status 401): bad ***; see" in one for one in shown), "of a chat"
    text = "\n".join([*shown, caplog.text, record.read_text("utf-8")])
    assert KEY not in text and "your key is ***" in text and "bad ***" in text
    assert len(caplog.records) > 5, "something was logged"


def _everything(error: BaseException | None) -> list[str]:
    found = []
    while error is not None:
        found += [str(error), repr(error), str(vars(error)), repr(error.args)]
        error = error.__cause__ or error.__context__
    return found


@pytest.mark.parametrize("before", [380, 395, 1590])
def test_no_part_of_the_key_is_left_where_a_quote_ends(monkeypatch: pytest.MonkeyPatch, before: int) -> None:
    monkeypatch.setenv("OUR_KEY", KEY)
    filler = "." * before if before < 400 else " " * before
    for body in (json.dumps({"error": filler + KEY}), filler + KEY):
        words = said(Received(500, body.encode()), Key.from_environment("OUR_KEY"))
        assert "sk-" not in words and words.endswith("***")


def test_keys_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert Key.from_environment(None).reveal() == "none", "no key goes anywhere unless it is named"
    with pytest.raises(RequestFailed, match="environment variable NO_KEY holds no key"):
        Key.from_environment("NO_KEY")
    monkeypatch.setenv("OUR_KEY", f"{KEY}\nX-Other: 1")
    with pytest.raises(RequestFailed, match="characters that no key has") as caught:
        Key.from_environment("OUR_KEY")
    assert KEY not in str(caught.value)
    with pytest.raises(TypeError):
        pickle.dumps(Key(KEY, "OUR_KEY"))


PASTED = ["sk-abc123", "sk_live_abc123", "hf_abc123", KEY, "AB" * 40, "1abc", "abc 123", "", "MY_KEY\n"]


@pytest.mark.parametrize("pasted", PASTED)
def test_a_key_in_place_of_a_name_is_not_repeated(pasted: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RequestFailed, match="takes the NAME of the environment variable") as caught:
        Key.from_environment(pasted)
    assert main(["doctor", "--base-url", "http://127.0.0.1:9", "--key-variable", pasted]) == 2
    told = capsys.readouterr()
    assert "--key-variable takes the NAME" in told.err
    if pasted:
        assert pasted not in told.out + told.err + str(_everything(caught.value))


def test_errors_survive_pickling() -> None:
    error = pickle.loads(pickle.dumps(RequestFailed("no", Reason.BUDGET)))  # noqa: S301
    assert (str(error), error.reason) == ("no", Reason.BUDGET)
