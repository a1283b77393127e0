"""The model client: one object for one model on one or more servers."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from ..ended import as_ended
from .adapters import load_adapter, unload_adapter
from .capabilities import Capabilities, ServedModel, names_of
from .counters import Counters, Tally
from .counting import Budget, Count, count_prompt
from .dialects import chat_call, expected_of, tokens_call
from .failures import Reason, RequestFailed, refused
from .files import raise_file_limit
from .keys import Key
from .recording import Recorder, Replayer
from .replies import Answer, read_answer
from .requests import ChatRequest, TokensRequest
from .servers import Channel, Servers, no_model
from .settings import Settings

Request = ChatRequest | TokensRequest


@dataclass(frozen=True)
class Finished:
    """A request of :meth:`Client.many` that has come to its end: with an answer or with an error."""

    index: int
    """Place among the requests, from 0."""
    request: Request
    answer: Answer | None
    error: RequestFailed | None


class Client:
    """Asks a model, on vLLM first, or SGLang, llama.cpp, or what speaks as OpenAI's server.

    Use it as ``async with Client(...) as client``, or call :meth:`open` and :meth:`close`. It belongs to the event loop
    it was opened in. A cancelled call cancels its request and gives its place to the next.

    Args:
        urls: one base URL, or several of servers with the same model; ``/v1`` is added to a URL without a path.
        model: name of the model, as the server lists it; ``None`` where it has one only.
        settings: limits.
        key_variable: the environment variable that holds the key; ``None`` for servers without one.
        record: a new file for all exchanges, for :meth:`replay`.

    Raises:
        ClientError: when something given cannot be used; :meth:`open` finds out the rest.
    """

    def __init__(
        self,
        urls: str | Sequence[str],
        model: str | None = None,
        *,
        settings: Settings | None = None,
        key_variable: str | None = None,
        record: str | Path | None = None,
    ) -> None:
        self.urls = (urls,) if isinstance(urls, str) else tuple(urls)
        self.model = model
        self.settings = settings or Settings()
        self._key = Key.from_environment(key_variable)
        self._record = None if record is None else Path(record)
        self._replay: Path | None = None
        self._tally = Tally()
        self._budget = Budget(self.settings.request_tokens, self.settings.total_tokens)
        self._places = asyncio.Semaphore(self.settings.concurrency)
        self._servers: Servers | None = None
        self._channel: Channel | None = None

    @classmethod
    def replay(cls, record: str | Path, model: str | None = None, *, settings: Settings | None = None) -> Client:
        """A client without a server, which answers from a record.

        Raises:
            ClientError: when opened and the file is no record; on a request that is not in it.
        """
        client = cls((), model, settings=settings)
        client._replay = Path(record)
        return client

    def __repr__(self) -> str:
        where = self._replay or ", ".join(self.urls)
        return f"<Client of {self.model or 'one model'} at {where}>"

    async def open(self) -> Capabilities:
        """Find out what the servers are.

        Raises:
            ClientError: when one cannot be reached, is none, or has no such model.
        """
        if self._channel is not None:
            return self._channel.capabilities
        if self._replay is not None:
            self._channel = Replayer(self._replay)
        else:
            raise_file_limit(self.settings.concurrency)
            self._servers = Servers(self.urls, self._key, self.settings, self._tally)
            try:
                await self._servers.find()
                self._channel = self._servers
                self._check_model()
                if self._record is not None:
                    self._channel = Recorder(self._servers, self._record, self._key)
            except BaseException:
                await self._servers.close()
                self._servers = self._channel = None
                raise
        self._check_model()
        return self._channel.capabilities

    async def close(self) -> None:
        """Close connections and files. Requests in flight fail."""
        channel, self._channel, self._servers = self._channel, None, None
        if channel is not None:
            await channel.close()

    async def __aenter__(self) -> Client:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    # -- asking ------------------------------------------------------------------------------------------------

    async def chat(self, request: ChatRequest) -> Answer:
        """Answer messages.

        Raises:
            ClientError: a :class:`RequestFailed`, whose ``reason`` tells programs why there is no answer.
        """
        return await self._ask(request)

    async def complete(self, request: TokensRequest) -> Answer:
        """Continue token ids; raises as :meth:`chat`."""
        return await self._ask(request)

    async def many(self, requests: Iterable[Request]) -> AsyncIterator[Finished]:
        """Ask all, as many at once as the settings allow, and yield each as it comes.

        ``requests`` is drawn from only as places become free, and may be endless. A request that fails is yielded with
        its error: nothing that is finished is lost. Leaving the loop early cancels the rest (wrap it in
        ``contextlib.aclosing`` to have that done at once).
        """

        async def finished(item: tuple[int, Request]) -> Finished:
            index, request = item
            try:
                return Finished(index, request, await self._ask(request), None)
            except RequestFailed as error:
                return Finished(index, request, None, error)

        ended = as_ended(enumerate(requests), finished, self.settings.concurrency)
        async with contextlib.aclosing(ended):
            async for one in ended:
                yield one

    async def count(self, request: Request) -> Count:
        """Tokens of the prompt of a request: by the server's tokenizer, else tiktoken offline, else bytes.

        Raises:
            ClientError: when the server should count and does not.
        """
        channel = self._opened()
        seconds = request.deadline_seconds or self.settings.deadline_seconds
        return await count_prompt(channel, request, self._model_of(request), seconds)

    def counters(self) -> Counters:
        """What has been done so far."""
        return self._tally.counters()

    @property
    def capabilities(self) -> Capabilities:
        """What the servers can do.

        Raises:
            ClientError: when the client is not open.
        """
        return self._opened().capabilities

    # -- adapters ----------------------------------------------------------------------------------------------

    async def load_adapter(self, name: str, path: str | Path) -> ServedModel:
        """Load a LoRA adapter on every replica or on none; ask it by ``model=name``.

        Args:
            name: a new one for every version of the weights.
            path: a folder, as the servers see it.

        Raises:
            ClientError: when one replica does not load it.
        """
        return await load_adapter(self._live(), name, str(path))

    async def unload_adapter(self, name: str) -> None:
        """Unload an adapter everywhere.

        Raises:
            ClientError: when one replica still has it.
        """
        await unload_adapter(self._live(), name)

    # -- inside ------------------------------------------------------------------------------------------------

    async def _ask(self, request: Request) -> Answer:
        channel, tally = self._opened(), self._tally
        async with self._places:
            tally.in_flight += 1
            try:
                answer = await self._answered(channel, request)
            except RequestFailed:
                tally.failed += 1
                raise
            except asyncio.CancelledError:
                tally.cancelled += 1
                raise
            finally:
                tally.in_flight -= 1
            tally.answer(answer.usage, answer.seconds)
            return answer

    async def _answered(self, channel: Channel, request: Request) -> Answer:
        able, model = channel.capabilities, self._model_of(request)
        seconds = request.deadline_seconds or self.settings.deadline_seconds
        if isinstance(request, ChatRequest):
            call = chat_call(request, model, able)
        else:
            call = tokens_call(request, model, able)
        self._check_context(request, model, able)
        expected, reserved = expected_of(request, able), 0
        answer: Answer | None = None
        if self._budget.limited:
            begun = asyncio.get_running_loop().time()
            count = await count_prompt(channel, request, model, seconds)
            seconds -= asyncio.get_running_loop().time() - begun
            reserved = await self._budget.reserve(count, request.sampling.n * request.sampling.max_tokens)
        try:
            outcome = await channel.exchange(call, lambda data: read_answer(data, expected), seconds)
            answer = outcome.value
        finally:
            self._budget.settle(reserved, answer.usage if answer else None, answered=answer is not None)
        return replace(answer, server=outcome.server, attempts=outcome.attempts, seconds=outcome.seconds)

    def _check_context(self, request: Request, model: str, able: Capabilities) -> None:
        context = able.context_of(model)
        if context is not None and isinstance(request, TokensRequest) and len(request.prompt) >= context:
            text = (
                f"the prompt has {len(request.prompt)} tokens and {model} reads at most {context}, the reply included"
            )
            raise RequestFailed(f"{text}; shorten it, or serve the model with a longer context", Reason.CONTEXT)

    def _check_model(self) -> None:
        """Take the only model where none was named; refuse a name that the servers do not have."""
        models = self._opened().capabilities.models
        where = str(self._replay or self.urls[0])
        if self.model is None:
            whole = [model for model in models if model.parent is None]
            if len(whole) != 1:
                raise refused(f"{where} has {names_of(models)}; name one of them: Client(url, model)")
            self.model = whole[0].name
        elif all(model.name != self.model for model in models):
            raise no_model(self.model, where, names_of(models))

    def _model_of(self, request: Request) -> str:
        model = request.model or self.model
        assert model is not None, "open() sets the model"
        return model

    def _opened(self) -> Channel:
        if self._channel is None:
            raise refused("the client is not open; use it as: async with Client(...) as client")
        return self._channel

    def _live(self) -> Servers:
        self._opened()
        if self._servers is None:
            raise refused("a record has no servers to load adapters on; open a client with a URL")
        return self._servers
