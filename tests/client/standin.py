"""A stand-in for model servers, over real sockets: it speaks as vLLM, SGLang, llama.cpp or a bare server.

It misbehaves as it is told. ``python standin.py`` serves it in a process of its own for benchmarks: slow, refusing, and
dropping connections at random.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import random
import resource
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Handler = Callable[[web.Request, dict[str, Any]], Any]


@dataclass
class StandIn:
    """A server and all it remembers. ``script`` holds what the next requests get instead of an answer."""

    kind: str = "vllm"
    models: list[dict[str, Any]] = field(default_factory=lambda: [{"id": "tiny", "max_model_len": 100}])
    script: list[Handler] = field(default_factory=list)
    """One for each of the next requests for an answer, in order."""
    always: Handler | None = None
    """For every request for an answer after those."""
    key: str | None = None
    refuse_adapters: bool = False
    forget_adapters: bool = False
    log: list[dict[str, Any]] = field(default_factory=list)
    """Bodies of requests for an answer, in order."""
    paths: list[str] = field(default_factory=list)
    answered: list[dict[str, Any]] = field(default_factory=list)
    """Bodies of requests that were answered."""
    dropped: int = 0
    """Requests whose client went away."""
    in_flight: int = 0
    most: int = 0
    """Requests in flight at once, at most."""

    def app(self) -> web.Application:
        """The application."""
        app = web.Application(client_max_size=2**26)
        app.router.add_get("/v1/models", self.list_models)
        app.router.add_post("/v1/chat/completions", self.answer)
        app.router.add_post("/v1/completions", self.answer)
        if self.kind != "bare":
            app.router.add_post("/tokenize", self.tokenize)
        if self.kind == "vllm":
            app.router.add_get("/version", self.version)
        if self.kind in ("vllm", "sglang"):
            prefix = "/v1" if self.kind == "vllm" else ""
            app.router.add_post(f"{prefix}/load_lora_adapter", self.load)
            app.router.add_post(f"{prefix}/unload_lora_adapter", self.unload)
        return app

    async def list_models(self, request: web.Request) -> web.Response:
        """Models, with the name that this kind gives itself."""
        self.paths.append(request.path)
        if self.key is not None and request.headers.get("Authorization") != f"Bearer {self.key}":
            return json_of({"error": {"message": f"wrong key, expected {self.key}"}}, 401)
        return json_of({"data": [{"owned_by": self.kind, **model} for model in self.models]})

    async def version(self, request: web.Request) -> web.Response:
        """Of vLLM."""
        return json_of({"version": "0.33.0"})

    async def tokenize(self, request: web.Request) -> web.Response:
        """A token for each character; chats cost 10 more."""
        self.paths.append(request.path)
        body = await request.json()
        text = body.get("prompt", body.get("content"))
        if text is None:
            text = "".join(message["content"] for message in body["messages"]) + 10 * "."
        return json_of({"tokens": [ord(c) for c in text], "count": len(text)})

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """A chat or a completion."""
        body = await request.json()
        self.paths.append(request.path)
        self.log.append(body)
        self.in_flight += 1
        self.most = max(self.most, self.in_flight)
        try:
            if self.script:
                return await self.script.pop(0)(request, body)
            if self.always is not None:
                return await self.always(request, body)
            return self.good(body)
        except asyncio.CancelledError:
            self.dropped += 1
            raise
        finally:
            self.in_flight -= 1

    def good(self, body: dict[str, Any], **changes: Any) -> web.Response:
        """A right answer, which is a function of the body; ``changes`` to its first choice."""
        if all(model["id"] != body["model"] for model in self.models):
            return json_of({"error": {"message": f"The model {body['model']} does not exist."}}, 404)
        self.answered.append(body)
        return json_of(self.answer_to(body, **changes))

    def answer_to(self, body: dict[str, Any], **changes: Any) -> dict[str, Any]:
        """The JSON of a right answer."""
        chat = "messages" in body
        prompt = [1, 2, 3] if chat else body["prompt"]
        choices = []
        for index in range(body["n"]):
            digest = hashlib.sha256(json.dumps([prompt, body.get("messages"), body.get("seed"), index]).encode())
            ids = list(digest.digest()[: min(4, body["max_tokens"])])
            choices.append(self._choice(body, index, ids, prompt, chat))
        choices[0].update(changes)
        usage = {"prompt_tokens": len(prompt), "completion_tokens": 4 * body["n"]}
        return {"model": body["model"], "choices": choices, "usage": usage}

    def _choice(
        self, body: dict[str, Any], index: int, ids: list[int], prompt: list[int], chat: bool
    ) -> dict[str, Any]:
        text = " ".join(f"t{one}" for one in ids)
        choice: dict[str, Any] = {"index": index, "finish_reason": "stop"}
        wanted = body.get("logprobs") is not None and body["logprobs"] is not False
        if wanted and not (chat and self.kind == "llamacpp" and not body.get("top_logprobs")):
            if chat or self.kind == "llamacpp":
                extra = (lambda one: {"id": one}) if self.kind == "llamacpp" else (lambda one: {})
                content = [{"token": f"t{one}", "logprob": -0.01 * one, **extra(one)} for one in ids]
                choice["logprobs"] = {"content": content}
            else:
                choice["logprobs"] = {"token_logprobs": [-0.01 * one for one in ids]}
        if body.get("return_token_ids"):
            choice.update(token_ids=ids, prompt_token_ids=prompt)
        if chat:
            choice["message"] = {"role": "assistant", "content": text}
        else:
            choice["text"] = text
        return choice

    async def load(self, request: web.Request) -> web.Response:
        """Load an adapter."""
        self.paths.append(request.path)
        body = await request.json()
        if self.refuse_adapters:
            return json_of({"error": {"message": "no adapter there"}}, 404)
        if not self.forget_adapters:
            self.models.append({"id": body["lora_name"], "parent": "tiny"})
        return web.Response(text="Success")

    async def unload(self, request: web.Request) -> web.Response:
        """Unload an adapter."""
        self.paths.append(request.path)
        name = (await request.json())["lora_name"]
        known = any(model["id"] == name for model in self.models)
        self.models = [model for model in self.models if model["id"] != name]
        return web.Response(text="Success") if known else json_of({"error": {"message": "not found"}}, 404)

    @contextlib.asynccontextmanager
    async def serve(self, port: int = 0) -> AsyncIterator[str]:
        """Serve on loopback for the block; the base URL."""
        runner = web.AppRunner(self.app(), handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
        await runner.setup()
        try:
            site = web.TCPSite(runner, "127.0.0.1", port, backlog=4096)
            await site.start()
            yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        finally:
            await runner.cleanup()


def json_of(value: Any, status: int = 200, **headers: str) -> web.Response:
    """JSON with a status and headers."""
    return web.Response(text=json.dumps(value), status=status, headers=headers, content_type="application/json")


# -- misbehaviour ----------------------------------------------------------------------------------------------


def status(code: int, message: str = "busy", **headers: str) -> Handler:
    """An error."""

    async def handle(request: web.Request, body: dict[str, Any]) -> web.Response:
        return json_of({"error": {"message": message}}, code, **headers)

    return handle


async def drop(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
    """The connection is cut before a word."""
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def cut(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
    """The connection is cut in the middle of the body."""
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"choices": [')
    assert request.transport is not None
    request.transport.close()
    return response


def raw(data: bytes, **headers: str) -> Handler:
    """These bytes, with status 200."""

    async def handle(request: web.Request, body: dict[str, Any]) -> web.Response:
        return web.Response(body=data, headers=headers)

    return handle


def endless(chunk: bytes = b" " * 65536) -> Handler:
    """A body without an end."""

    async def handle(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        while True:
            await response.write(chunk)

    return handle


def saying(standin: StandIn, say: Callable[[list[dict[str, Any]], dict[str, Any]], str | dict[str, Any]]) -> Handler:
    """A model that says what ``say`` makes of its messages and the whole body: text, or changes to the choice."""

    async def handle(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        said = say(body["messages"], body)
        changes = {"message": {"role": "assistant", "content": said}} if isinstance(said, str) else said
        return standin.good(body, **changes)

    return handle


def until(event: asyncio.Event, then: Handler) -> Handler:
    """Wait for an event, then misbehave or answer."""

    async def handle(request: web.Request, body: dict[str, Any]) -> Any:
        await event.wait()
        return await then(request, body)

    return handle


# -- a process of its own --------------------------------------------------------------------------------------


def at_random(standin: StandIn, seed: int, least: float, most: float) -> Handler:
    """Slow by ``least`` to ``most`` seconds; 2 % of answers are 429 or 503, 1 % are dropped connections."""
    draws = random.Random(seed)

    async def handle(request: web.Request, body: dict[str, Any]) -> web.StreamResponse:
        wait, luck = draws.uniform(least, most), draws.random()
        await asyncio.sleep(wait)
        if luck < 0.01:
            return await drop(request, body)
        if luck < 0.03:
            return json_of({"error": {"message": "busy"}}, 429 if luck < 0.02 else 503)
        return standin.good(body)

    return handle


async def main() -> None:
    """Serve for ever; prints the base URL first. GET /log tells what was seen, and forgets it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--least", type=float, default=0.1, help="seconds")
    parser.add_argument("--most", type=float, default=3.0, help="seconds")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    standin = StandIn(models=[{"id": "tiny", "max_model_len": 100_000}])

    async def told(request: web.Request) -> web.Response:
        seen = {"answered": [body["seed"] for body in standin.answered], "requests": len(standin.log)}
        seen["most"] = standin.most
        standin.answered, standin.log, standin.most = [], [], 0
        standin.always = at_random(standin, asked.seed, asked.least, asked.most)
        return json_of(seen)

    standin.always = at_random(standin, asked.seed, asked.least, asked.most)
    app = standin.app()
    app.router.add_get("/log", told)
    runner = web.AppRunner(app, handler_cancellation=True, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, backlog=4096).start()
    print(f"http://127.0.0.1:{runner.addresses[0][1]}/v1", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
