"""Several servers and many requests: balance, retries, deadlines, cancellation."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from standin import StandIn, drop, json_of, status, until

from spade_envs.client import ChatRequest, Client, Message, Reason, RequestFailed, Sampling, Settings, TokensRequest
from spade_envs.client import servers as servers_module
from spade_envs.client.counters import Tally
from spade_envs.client.files import raise_file_limit
from spade_envs.client.keys import Key
from spade_envs.client.servers import Servers, base_url

FAST = Settings(backoff_seconds=0.0, deadline_seconds=60.0, avoid_seconds=1000.0)
CHAT = ChatRequest(messages=(Message("user", "hello"),), sampling=Sampling(seed=1, max_tokens=8))
KEY = "sk-very-secret-0123456789"


def tokens(seed: int, **options: Any) -> TokensRequest:
    """A request told apart by its seed."""
    return TokensRequest(prompt=(1, 2), sampling=Sampling(seed=seed, max_tokens=8), **options)


@contextlib.asynccontextmanager
async def clients(*standins: StandIn, **options: Any) -> AsyncIterator[Client]:
    """A client of all of them."""
    async with contextlib.AsyncExitStack() as stack:
        urls = [await stack.enter_async_context(standin.serve()) for standin in standins]
        yield await stack.enter_async_context(Client(urls, **{"settings": FAST, **options}))


async def seen(standin: StandIn, count: int) -> None:
    """Wait until so many requests are in flight."""
    while standin.in_flight < count:
        await asyncio.sleep(0)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What the client waits between attempts, without waiting."""
    found: list[float] = []
    sleep = asyncio.sleep

    async def note(seconds: float) -> None:
        found.append(seconds)
        await sleep(0)

    class Quick:
        """asyncio with a sleep that only takes notes."""

        sleep = staticmethod(note)

        def __getattr__(self, name: str) -> Any:
            return getattr(asyncio, name)

    monkeypatch.setattr(servers_module, "asyncio", Quick())
    return found


# -- retries ---------------------------------------------------------------------------------------------------


def test_waits_grow_at_random_and_are_the_same_for_the_same_seed(waits: list[float]) -> None:
    async def run() -> None:
        standin = StandIn(script=[status(503)] * 6)
        async with clients(standin, settings=Settings(backoff_seconds=1.0, backoff_most_seconds=4.0)) as client:
            assert (await client.complete(tokens(1))).attempts == 7

    asyncio.run(run())
    first = list(waits)
    assert len(first) == 6 and all(0 <= wait <= most for wait, most in zip(first, (1, 2, 4, 4, 4, 4), strict=True))
    assert len(set(first)) == 6
    waits.clear()
    asyncio.run(run())
    assert waits == first


def test_retry_after_is_honoured(waits: list[float]) -> None:
    late = {"Retry-After": "Mon, 30 Nov 2026 10:00:07 GMT", "Date": "Mon, 30 Nov 2026 10:00:00 GMT"}
    script = [status(429, **{"Retry-After": "5"}), status(503, **late), status(429, **{"Retry-After": "soon"})]

    async def run() -> None:
        async with clients(StandIn(script=script)) as client:
            assert (await client.complete(tokens(1))).attempts == 4

    asyncio.run(run())
    assert waits == [5.0, 7.0, 0.0]


def test_a_wait_past_the_deadline_is_not_begun(waits: list[float]) -> None:
    async def run() -> RequestFailed:
        async with clients(StandIn(script=[status(429, **{"Retry-After": "500"})])) as client:
            with pytest.raises(RequestFailed, match="asks to wait 500 s, which is past the deadline") as caught:
                await client.complete(tokens(1))
            return caught.value

    assert asyncio.run(run()).reason is Reason.SERVER
    assert not waits


def test_attempts_end(waits: list[float]) -> None:
    async def run() -> None:
        standin = StandIn(always=status(503, "starting"))
        async with clients(standin) as client:
            with pytest.raises(RequestFailed, match=r"no answer after 8 attempts; at last .*status 503 starting"):
                await client.complete(tokens(1))
        assert len(standin.log) == 8

    asyncio.run(run())


# -- several servers -------------------------------------------------------------------------------------------


def test_load_goes_to_whichever_has_least() -> None:
    async def run() -> None:
        gate = asyncio.Event()
        one, two = StandIn(), StandIn()
        for standin in (one, two):
            standin.always = until(gate, _good(standin))
        async with clients(one, two) as client:
            asked = [asyncio.create_task(client.complete(tokens(seed))) for seed in range(10)]
            await seen(one, 5)
            await seen(two, 5)
            gate.set()
            answers = await asyncio.gather(*asked)
            assert {answer.server for answer in answers} == set(map(base_url, client.urls))

    asyncio.run(run())


def test_a_failing_replica_is_avoided_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    bad, good = StandIn(), StandIn()

    async def run() -> None:
        async with clients(bad, good) as client:
            bad.always = drop
            for seed in range(20):
                await client.complete(tokens(seed))
            assert len(bad.log) == servers_module.PATIENCE
            assert len(good.answered) == 20
            bad.always = None
            assert client._servers is not None
            later = client._servers.replicas[0].avoided_until + 1
            assert client._servers.pick(later).url == client._servers.replicas[0].url

    asyncio.run(run())


def test_a_server_that_dies_loses_nothing_that_is_finished() -> None:
    async def run() -> None:
        one, two = StandIn(), StandIn()
        gate = asyncio.Event()
        async with one.serve() as stays, contextlib.AsyncExitStack() as stack:
            dies = await stack.enter_async_context(two.serve())
            async with Client([stays, dies], settings=FAST) as client:
                two.always = until(gate, drop)
                asked = [asyncio.create_task(client.complete(tokens(seed))) for seed in range(8)]
                await seen(two, 4)
                gate.set()
                await stack.aclose()
                answers = await asyncio.gather(*asked)
                assert {answer.server for answer in answers} == {stays}
                assert client.counters().answered == 8

    asyncio.run(run())


def test_when_the_only_server_is_gone_the_error_says_so() -> None:
    async def run() -> None:
        standin = StandIn()
        async with contextlib.AsyncExitStack() as stack:
            url = await stack.enter_async_context(standin.serve())
            async with Client(url, settings=FAST) as client:
                first = await client.complete(tokens(1))
                await stack.aclose()
                with pytest.raises(RequestFailed, match="no answer after 8 attempts") as caught:
                    await client.complete(tokens(2))
                assert caught.value.reason is Reason.SERVER and url in str(caught.value)
                assert first.replies[0].token_ids is not None

    asyncio.run(run())


def test_replicas_must_be_alike() -> None:
    async def run() -> None:
        async with clients(StandIn(), StandIn(models=[{"id": "other"}])):
            pass

    with pytest.raises(RequestFailed, match=r"is vllm with the models tiny; .* with other; replicas .* must be alike"):
        asyncio.run(run())


# -- deadlines, cancellation, places ---------------------------------------------------------------------------


def _good(standin: StandIn) -> Any:
    async def handle(request: Any, body: dict[str, Any]) -> Any:
        return standin.good(body)

    return handle


def test_a_deadline_ends_a_request_and_frees_the_server() -> None:
    async def run() -> None:
        standin = StandIn()
        standin.always = until(asyncio.Event(), _good(standin))
        async with clients(standin) as client:
            with pytest.raises(RequestFailed, match=r"no answer in 0\.05 s, after 1 attempts; raise") as caught:
                await client.complete(tokens(1, deadline_seconds=0.05))
            assert caught.value.reason is Reason.DEADLINE
            while standin.in_flight:  # the server sees that nobody waits any more
                await asyncio.sleep(0)
            assert standin.dropped == 1

    asyncio.run(run())


def test_cancelling_frees_the_place_and_the_server() -> None:
    async def run() -> None:
        standin = StandIn()
        standin.always = until(asyncio.Event(), _good(standin))
        async with clients(standin, settings=Settings(concurrency=1)) as client:
            first = asyncio.create_task(client.complete(tokens(1)))
            await seen(standin, 1)
            second = asyncio.create_task(client.complete(tokens(2)))
            first.cancel()
            while not any(body["seed"] == 2 for body in standin.log):
                await asyncio.sleep(0)
            assert first.cancelled() and client.counters().cancelled == 1
            second.cancel()
            await asyncio.gather(first, second, return_exceptions=True)
            assert client._servers is not None and client._servers.replicas[0].outstanding == 0

    asyncio.run(run())


def test_no_more_in_flight_than_there_are_places() -> None:
    async def run() -> None:
        standin = StandIn()
        gate = asyncio.Event()
        standin.always = until(gate, _good(standin))
        async with clients(standin, settings=Settings(concurrency=7)) as client:
            asked = [asyncio.create_task(client.complete(tokens(seed))) for seed in range(30)]
            await seen(standin, 7)
            gate.set()
            await asyncio.gather(*asked)
        assert standin.most == 7 and len(standin.answered) == 30

    asyncio.run(run())


def test_more_files_than_the_system_allows() -> None:
    with pytest.raises(RequestFailed, match=r"needs .* open files and this process may have"):
        raise_file_limit(10**9)


# -- many ------------------------------------------------------------------------------------------------------


def test_many_yields_answers_and_errors_alike() -> None:
    async def run() -> None:
        standin = StandIn()

        async def picky(request: Any, body: dict[str, Any]) -> Any:
            odd = body["seed"] % 2
            return json_of({"error": {"message": "odd"}}, 400) if odd else standin.good(body)

        standin.always = picky
        async with clients(standin, settings=Settings(concurrency=4)) as client:
            found = {one.index: one async for one in client.many(tokens(seed) for seed in range(50))}
        assert sorted(found) == list(range(50))
        for index, one in found.items():
            assert one.request == tokens(index)
            assert (one.answer is None, one.error is None) == (bool(index % 2), not index % 2)
        assert client.counters().answered == client.counters().failed == 25

    asyncio.run(run())


def test_many_draws_requests_only_as_places_become_free() -> None:
    drawn: list[int] = []

    def endless() -> Any:
        while True:
            drawn.append(1)
            yield tokens(len(drawn))

    async def run() -> None:
        standin = StandIn()
        async with clients(standin, settings=Settings(concurrency=3)) as client:
            async with contextlib.aclosing(client.many(endless())) as answers:
                async for _ in answers:
                    break
            count = len(drawn)
            assert count <= 12
            await client.complete(tokens(0))
            assert len(drawn) == count, "leaving the loop ends the work"
            assert client.counters().in_flight == 0

    asyncio.run(run())


def test_many_tells_when_the_requests_themselves_fail() -> None:
    def broken() -> Any:
        yield tokens(1)
        raise ZeroDivisionError

    async def run() -> None:
        async with clients(StandIn(), settings=Settings(concurrency=1)) as client:
            with pytest.raises(ZeroDivisionError):
                async for _ in client.many(broken()):
                    pass

    asyncio.run(run())


@pytest.mark.slow
def test_2048_at_once() -> None:
    """A server in its own process that is slow, busy and drops connections: everything is answered once."""
    script = Path(__file__).with_name("standin.py")
    command = [sys.executable, str(script), "--most", "1.0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()

        async def run() -> None:
            settings = Settings(concurrency=2048, backoff_seconds=0.05)
            async with Client(url, settings=settings) as client:
                found = [one async for one in client.many(tokens(seed) for seed in range(4096))]
                assert not [one.error for one in found if one.error]
                assert sorted(one.index for one in found) == list(range(4096))
                assert client.counters().completion_tokens == 4 * 4096
                assert client.counters().retries > 0
                assert client._servers is not None
                log = await client._servers.wire.send("GET", url.removesuffix("/v1") + "/log", None)
            import json

            seen_there = json.loads(log.body)
            assert sorted(seen_there["answered"]) == list(range(4096)), "nothing was answered twice"
            assert seen_there["most"] > 1500

        try:
            asyncio.run(run())
        finally:
            process.kill()


def test_servers_need_urls() -> None:
    for urls in ([], ["http://h/v1", "http://h"]):
        with pytest.raises(RequestFailed, match="one or more, each once"):
            Servers(urls, Key("", ""), Settings(), Tally())
