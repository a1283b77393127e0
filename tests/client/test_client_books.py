"""What the client keeps: records, budgets, counts, adapters, and a light import."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from standin import StandIn, json_of, status, until

from spade_envs import encodings
from spade_envs.client import (
    ChatRequest,
    Client,
    Count,
    Message,
    Reason,
    RequestFailed,
    Sampling,
    Settings,
    TokensRequest,
    Tool,
    counting,
)

FAST = Settings(backoff_seconds=0.0)


def chat(text: str, seed: int = 1, **options: Any) -> ChatRequest:
    """A short chat."""
    sampling = Sampling(seed=seed, max_tokens=8)
    return ChatRequest(messages=(Message("user", text),), sampling=sampling, **options)


def tokens(seed: int, **options: Any) -> TokensRequest:
    """A short completion of 2 tokens."""
    return TokensRequest(prompt=(1, 2), sampling=Sampling(seed=seed, max_tokens=8, **options))


# -- records ---------------------------------------------------------------------------------------------------


def recorded(path: Path, standin: StandIn) -> list[Any]:
    """Answers that went into a record."""

    async def run() -> list[Any]:
        async with standin.serve() as url, Client(url, settings=FAST, record=path) as client:
            found = [
                await client.chat(chat("a\ud800")),
                await client.complete(tokens(2)),
                await client.chat(chat("a\ud800")),
            ]
            found.append(await client.count(chat("count me")))
            with pytest.raises(RequestFailed):
                await client.chat(chat("b", model="other"))
            return found

    return asyncio.run(run())


def replayed(path: Path) -> list[Any]:
    """The same from the record."""

    async def run() -> list[Any]:
        async with Client.replay(path) as client:
            found = [
                await client.complete(tokens(2)),
                await client.chat(chat("a\ud800")),
                await client.chat(chat("a\ud800")),
            ]
            found.append(await client.count(chat("count me")))
            with pytest.raises(RequestFailed, match="was answered fewer times") as caught:
                await client.complete(tokens(2))
            assert caught.value.reason is Reason.SERVER
            with pytest.raises(RequestFailed, match=r"is not in it\. Every field counts, the seed too"):
                await client.complete(tokens(3))
            with pytest.raises(RequestFailed, match="no servers to load adapters on"):
                await client.load_adapter("a", "/b")
            return found

    return asyncio.run(run())


def test_a_record_answers_as_the_server_did(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    standin = StandIn()

    async def once(request: Any, body: dict[str, Any]) -> Any:
        return standin.good(body, message={"role": "assistant", "content": "first \ud800"})

    standin.script = [status(503), once]
    first, second, third, count = recorded(path, standin)
    assert first.text == "first ?" and third.text != first.text
    assert replayed(path) == [second, first, third, count]
    lines = path.read_text("utf-8").splitlines()
    assert len(lines) == 5, "one line for the server, one for each answer, whatever it took"
    assert [json.loads(line).get("path") for line in lines][1] == "/chat/completions"


def test_a_record_whose_writer_was_killed_is_read(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    recorded(path, StandIn())
    data = path.read_bytes()
    path.write_bytes(data[:-20])

    async def run() -> None:
        async with Client.replay(path) as client:
            await client.complete(tokens(2))
            assert (await client.count(tokens(1))).tokens == 2
            with pytest.raises(RequestFailed, match="is not in it"):
                await client.count(chat("count me"))

    asyncio.run(run())


NO_RECORDS = {
    "nothing": (b"", "no record of exchanges; Client"),
    "no JSON": (b"hello\n", "line 1 is no JSON object"),
    "another file": (b'{"a": 1}\n', "no record of exchanges; Client"),
    "no capabilities": (b'{"format": "spade-envs exchanges 1"}\n', "no record of exchanges: Capabilities"),
}


@pytest.mark.parametrize("name", NO_RECORDS)
def test_what_is_no_record_is_refused(name: str, tmp_path: Path) -> None:
    data, message = NO_RECORDS[name]
    path = tmp_path / "record.jsonl"
    path.write_bytes(data)
    with pytest.raises(RequestFailed, match=message):
        asyncio.run(Client.replay(path).open())


def test_no_record_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "record.jsonl"
    path.write_text("mine")
    with pytest.raises(RequestFailed, match="is there already"):
        recorded(path, StandIn())
    assert path.read_text() == "mine"
    with pytest.raises(RequestFailed, match="cannot read"):
        asyncio.run(Client.replay(tmp_path / "none").open())


# -- tokens ----------------------------------------------------------------------------------------------------


def counted(kind: str, request: Any) -> Count:
    """What a client of such a server counts."""

    async def run() -> Count:
        async with StandIn(kind=kind).serve() as url, Client(url, settings=FAST) as client:
            return await client.count(request)

    return asyncio.run(run())


def test_tokens_are_counted_by_whoever_can(monkeypatch: pytest.MonkeyPatch) -> None:
    counting._encoder.cache_clear()
    monkeypatch.setattr(encodings, "_cached", lambda name: False)
    assert counted("vllm", chat("12345")) == Count(15, "server")
    around = 2 * counting._PER_MESSAGE
    assert counted("sglang", chat("12345")) == counted("llamacpp", chat("12345")) == Count(5 + around, "server")
    assert counted("bare", chat("1234ü")) == Count(6 + around, "bytes")
    assert counted("bare", tokens(1)) == Count(2, "ids")
    tool = Tool("look", "Look.", {"type": "object"})
    assert counted("bare", chat("12345", tools=(tool,))).tokens > 80
    counting._encoder.cache_clear()


def test_tiktoken_counts_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces: list[str] = []

    class Words:
        def encode_ordinary(self, text: str) -> list[int]:
            pieces.append(text)
            return [0] * len(text.split())

    monkeypatch.setattr(counting, "_encoder", Words)
    assert counting.count_text("one two " * 1000) == (2000, "cl100k_base")
    assert max(map(len, pieces)) <= 2000, "an encoder may take for ever over a long text"


def test_a_request_above_its_budget_is_not_sent() -> None:
    async def run() -> None:
        standin = StandIn()
        async with standin.serve() as url, Client(url, settings=Settings(request_tokens=26)) as client:
            await client.complete(tokens(1, n=3))
            with pytest.raises(RequestFailed, match=r"2 tokens of prompt \(counted by ids\) and up to 32") as caught:
                await client.complete(tokens(1, n=4))
            assert caught.value.reason is Reason.BUDGET
            await client.chat(chat("12345678"))
            with pytest.raises(RequestFailed, match=r"19 tokens of prompt \(counted by server\)"):
                await client.chat(chat("123456789"))
        assert len(standin.log) == 2

    asyncio.run(run())


def test_the_total_budget_counts_what_was_used_and_what_may_be() -> None:
    async def run() -> None:
        standin = StandIn()
        gate = asyncio.Event()

        async def good(request: Any, body: dict[str, Any]) -> Any:
            return standin.good(body)

        async with standin.serve() as url, Client(url, settings=Settings(total_tokens=22, attempts=1)) as client:
            standin.script = [until(gate, good)]
            first = asyncio.create_task(client.complete(tokens(1)))  # sets 10 aside, uses 6
            while not standin.in_flight:
                await asyncio.sleep(0)
            await client.complete(tokens(2))
            # 6 are spent and 10 set aside: it waits until the first one is known to have used less.
            third = asyncio.create_task(client.complete(tokens(3)))
            while client.counters().in_flight < 2:
                await asyncio.sleep(0)
            assert len(standin.log) == 2
            gate.set()
            await first
            await third
            with pytest.raises(RequestFailed, match="left of total_tokens: 4 of 22; stop here, or raise it"):
                await client.complete(tokens(4))
            assert (client.counters().prompt_tokens, client.counters().completion_tokens) == (6, 12)

    asyncio.run(run())


def test_a_request_that_fails_costs_nothing_and_makes_way_for_the_next() -> None:
    async def run() -> None:
        standin = StandIn()
        gate = asyncio.Event()
        async with standin.serve() as url, Client(url, settings=Settings(total_tokens=15, attempts=1)) as client:
            standin.script = [until(gate, status(503))]
            first = asyncio.create_task(client.complete(tokens(1)))
            while not standin.in_flight:
                await asyncio.sleep(0)
            waiting = [asyncio.create_task(client.complete(tokens(at))) for at in (2, 3)]
            gate.set()
            with pytest.raises(RequestFailed, match="503"):
                await first
            # Each may use 10 and uses 6: one after the other, and nothing is left for the second.
            found = await asyncio.gather(*waiting, return_exceptions=True)
            assert [type(one).__name__ for one in found] == ["Answer", "RequestFailed"]

    asyncio.run(run())


def test_what_a_server_does_not_count_costs_all_that_was_set_aside() -> None:
    async def run() -> None:
        standin = StandIn()

        async def silent(request: Any, body: dict[str, Any]) -> Any:
            return json_of({name: value for name, value in standin.answer_to(body).items() if name != "usage"})

        standin.always = silent
        async with standin.serve() as url, Client(url, settings=Settings(total_tokens=19)) as client:
            assert (await client.complete(tokens(1))).usage is None
            assert client.counters().unmetered == 1
            with pytest.raises(RequestFailed, match="left of total_tokens: 9 of 19"):
                await client.complete(tokens(2))

    asyncio.run(run())


# -- adapters --------------------------------------------------------------------------------------------------


def with_two(do: Any, **second: Any) -> tuple[StandIn, StandIn]:
    """Do something with a client of two servers."""
    one, two = StandIn(kind=second.get("kind", "vllm")), StandIn(**second)

    async def run() -> None:
        async with one.serve() as first, two.serve() as other, Client([first, other], settings=FAST) as client:
            await do(client)

    asyncio.run(run())
    return one, two


def names(standin: StandIn) -> list[str]:
    """Models of a server."""
    return [model["id"] for model in standin.models]


@pytest.mark.parametrize("kind", ["vllm", "sglang"])
def test_adapters_come_and_go_on_every_replica(kind: str) -> None:
    async def do(client: Client) -> None:
        model = await client.load_adapter("pol-v1", "/adapters/1")
        assert (model.name, model.parent) == ("pol-v1", "tiny")
        assert client.capabilities.context_of("pol-v1") == 100, "an adapter has its model's context"
        answers = [await client.complete(TokensRequest(prompt=(1,), model="pol-v1")) for _ in range(4)]
        assert {answer.model for answer in answers} == {"pol-v1"} and len({answer.server for answer in answers}) == 2
        with pytest.raises(RequestFailed, match="has a model 'pol-v1' already"):
            await client.load_adapter("pol-v1", "/adapters/2")
        await client.load_adapter("pol-v2", "/adapters/2")
        await client.unload_adapter("pol-v1")
        await client.unload_adapter("pol-v1")

    assert [names(one) for one in with_two(do, kind=kind)] == [["tiny", "pol-v2"]] * 2


@pytest.mark.parametrize("fault", ["refuse_adapters", "forget_adapters"])
def test_an_adapter_is_on_all_replicas_or_on_none(fault: str) -> None:
    async def do(client: Client) -> None:
        with pytest.raises(RequestFailed, match=r"has not loaded 'pol-v1': .*no replica keeps it"):
            await client.load_adapter("pol-v1", "/adapters/1")

    one, two = with_two(do, **{fault: True})
    assert names(one) == names(two) == ["tiny"]
    assert "/v1/load_lora_adapter" in one.paths, "it was there for a moment"


def test_no_adapters_where_there_can_be_none() -> None:
    async def lesser(client: Client) -> None:
        with pytest.raises(RequestFailed, match="loads no adapters; vLLM and SGLang do"):
            await client.load_adapter("pol-v1", "/a")

    with_two(lesser, kind="llamacpp")

    async def strange(client: Client) -> None:
        for name in ("", "../x", "a b", "x" * 200):
            with pytest.raises(RequestFailed, match="is no name of an adapter"):
                await client.load_adapter(name, "/a")

    with_two(strange)


# -- the rest --------------------------------------------------------------------------------------------------


def test_a_closed_client_says_so() -> None:
    client = Client("http://127.0.0.1:1")
    with pytest.raises(RequestFailed, match="the client is not open; use it as: async with"):
        asyncio.run(client.chat(chat("a")))
    with contextlib.suppress(RequestFailed):
        asyncio.run(client.open())
    asyncio.run(client.close())


def test_wrong_settings_are_refused() -> None:
    for name, value in {"concurrency": 0, "attempts": 1.5, "deadline_seconds": 0, "backoff_seconds": -1}.items():
        with pytest.raises(RequestFailed, match=name):
            Settings(**{name: value})


def test_the_import_is_light() -> None:
    heavy = "('openai', 'aiohttp', 'tiktoken', 'httpx2', 'torch')"
    code = f"import sys, spade_envs.client\nprint([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr
