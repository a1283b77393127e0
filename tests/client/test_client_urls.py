"""What is no base URL, and what answers at one that is no model server."""

from __future__ import annotations

import asyncio
import socket

import pytest
from aiohttp import web
from standin import StandIn

from spade_envs.client import Client, Reason, RequestFailed
from spade_envs.errors import ClientError

KEY = "sk-very-secret-0123456789"

WRONG_URLS = {
    "localhost:8000": "is no base URL",
    "ftp://h/v1": "is no base URL",
    "http://": "is no base URL",
    f"http://user:{KEY}@h/v1": "a key belongs into an environment variable",
    f"http://h/v1?key={KEY}": "a key belongs into an environment variable",
    "http://h:port/v1": "could not be read",
    "http://h:65536/v1": "port 65536 in a base URL is above 65535",
    "http://h:8000,http://i:8000": "has a comma in it; name one server by one URL",
    "http://h/v1/,": "has a comma in it",
    "http://h/v1/chat/completions": "leave /chat/completions out: http://h/v1$",
    "http://h:8000/v1/completions/": "leave /completions out: http://h:8000/v1$",
}


@pytest.mark.parametrize("url", WRONG_URLS)
def test_what_is_no_url_is_refused(url: str) -> None:
    with pytest.raises(ClientError, match=WRONG_URLS[url]) as caught:
        asyncio.run(Client(url).open())
    assert KEY not in str(caught.value)


def test_nobody_at_the_url() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(RequestFailed, match=f"{url}/v1/models does not answer: .*start the server") as caught:
            asyncio.run(Client(url).open())
    assert caught.value.reason is Reason.SERVER


def test_another_kind_of_server_at_the_url() -> None:
    async def run(path: str) -> None:
        async with StandIn().serve() as url:
            await Client(url.removesuffix("/v1") + path).open()

    with pytest.raises(RequestFailed, match=r"answers status 404; is this the base URL of a model server.* in /v1$"):
        asyncio.run(run("/v2"))
    with pytest.raises(RequestFailed, match=r"answers status 404; is this the base URL of a model server\?$"):
        asyncio.run(run("/deeper/v1"))


@pytest.mark.parametrize(
    ("code", "body", "says", "reason"),
    [
        (500, '{"error": {"message": "CUDA out\\nof memory"}}', "500: CUDA out of memory; look at", Reason.SERVER),
        (502, "<h1>Bad \x1b[31mGateway</h1>", r"502: <h1>Bad \[31mGateway</h1>; look at", Reason.SERVER),
        (503, "", "503; look at the server's log$", Reason.SERVER),
        (429, "slowly", r"429: slowly; is this the base URL of a model server\?$", Reason.REQUEST),
        (404, "<h1>Not found</h1>", r"404; is this the base URL of a model server\?$", Reason.REQUEST),
    ],
)
def test_a_server_that_lists_no_models_is_quoted(code: int, body: str, says: str, reason: Reason) -> None:
    class Failing(StandIn):
        async def list_models(self, request: web.Request) -> web.Response:
            return web.Response(text=body, status=code)

    async def run() -> None:
        async with Failing().serve() as url:
            await Client(url).open()

    with pytest.raises(RequestFailed, match=says) as caught:
        asyncio.run(run())
    assert caught.value.reason is reason
