"""Several servers of the same model behind one door: load balance, retries, deadlines."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar
from urllib.parse import urlsplit

from .capabilities import Capabilities, list_models, names_of, probe
from .counters import Tally
from .failures import Reason, RequestFailed, quoted, refused
from .keys import Key
from .refusals import key_refused, said
from .replies import Unfinished
from .settings import Settings
from .wires import Call, Received, Unanswered, Wire

T = TypeVar("T")

RETRIED = frozenset({408, 409, 429})
"""Statuses below 500 after which asking again may help."""
PATIENCE = 3
"""Failures in a row after which a replica is avoided; a refused connection is enough by itself."""
PROBE_SECONDS = 60.0
"""For finding out what one server is."""
MOST_PORT = 65_535
_ROUTES = ("/chat/completions", "/completions")
"""Ends of addresses that people copy from the documentation of a server."""

_CONTEXT = re.compile(
    r"context[ _](?:length|size|window)|maximum context|longer than the (?:model|maximum)|too long", re.I
)


@dataclass(frozen=True)
class Outcome(Generic[T]):
    """What an exchange gave, and how."""

    value: T
    data: bytes
    """The body it was read from."""
    server: str
    attempts: int
    seconds: float


class Channel(Protocol):
    """Whatever takes calls and gives what servers answered: servers, a recorder before them, or a record."""

    @property
    def capabilities(self) -> Capabilities: ...

    async def exchange(self, call: Call, read: Callable[[bytes], T], seconds: float) -> Outcome[T]:
        """Make a call and read the answer with ``read``, which may raise :class:`Unfinished` to ask again."""
        ...

    async def close(self) -> None: ...


@dataclass
class Replica:
    """One server, as far as it is known."""

    url: str
    outstanding: int = 0
    failures: int = 0
    """In a row."""
    avoided_until: float = 0.0
    """On the clock of the event loop."""
    turn: int = 0
    """When it was asked last, counted in requests."""

    def failed(self, now: float, settings: Settings, *, gone: bool) -> None:
        """Remember a failure; after enough of them the replica is passed over for a while."""
        self.failures += 1
        if gone or self.failures >= PATIENCE:
            doublings = min(5, max(0, self.failures - PATIENCE))
            self.avoided_until = now + settings.avoid_seconds * 2**doublings

    def answered(self) -> None:
        """Remember that it works."""
        self.failures, self.avoided_until = 0, 0.0


class Servers:
    """The servers of a client. Make it inside the event loop that uses it.

    Args:
        urls: base URLs; ``/v1`` is added to a URL without a path.
        key: sent to each of them.
        settings: the client's.
        tally: where attempts are counted.

    Raises:
        ClientError: for what is no URL of a server.
    """

    def __init__(self, urls: Sequence[str], key: Key, settings: Settings, tally: Tally) -> None:
        bases = [base_url(url) for url in urls]
        if not bases or len(set(bases)) != len(bases):
            raise refused(f"base URLs must be one or more, each once, not {', '.join(bases) or 'none'}")
        self.replicas = [Replica(base) for base in bases]
        self.wire = Wire(key, settings.concurrency + 64, settings.reply_bytes)  # more than are ever asked for
        self.key, self._settings, self._tally = key, settings, tally
        self._random = random.Random(settings.seed)
        self._capabilities: Capabilities | None = None
        self._turn = 0

    @property
    def capabilities(self) -> Capabilities:
        """What the servers can do. Call :meth:`find` first."""
        assert self._capabilities is not None, "find() finds capabilities"
        return self._capabilities

    async def find(self) -> Capabilities:
        """Ask every server what it is.

        Raises:
            RequestFailed: when one does not answer, or they are not alike.
        """
        found = await asyncio.gather(*(self._probe(replica) for replica in self.replicas), return_exceptions=True)
        for one in found:
            if isinstance(one, BaseException):
                raise one
        first, *others = [one for one in found if isinstance(one, Capabilities)]
        for replica, one in zip(self.replicas[1:], others, strict=True):
            if one.kind != first.kind or {m.name for m in one.models} != {m.name for m in first.models}:
                raise refused(
                    f"{self.replicas[0].url} is {first.kind} with the models {names_of(first.models)}; {replica.url} "
                    f"is {one.kind} with {names_of(one.models)}; replicas of one client must be alike"
                )
        self._capabilities = first
        return first

    async def ask(self, method: str, url: str, body: dict[str, Any] | None) -> Received:
        """One request to one server, without another attempt.

        Raises:
            RequestFailed: when nothing usable comes back.
        """
        try:
            return await self.wire.send(method, url, body)
        except Unanswered as error:
            said = str(error)
        raise RequestFailed(f"{url} does not answer: {said}; start the server, or name the right URL", Reason.SERVER)

    async def exchange(self, call: Call, read: Callable[[bytes], T], seconds: float) -> Outcome[T]:
        """Ask until there is an answer.

        Raises:
            RequestFailed: when the request is refused, attempts are used up, or ``seconds`` are.
        """
        clock = asyncio.get_running_loop().time
        begun, history = clock(), _History()
        try:
            async with asyncio.timeout(seconds):
                outcome = await self._until_answered(call, read, begun + seconds, history)
        except TimeoutError:
            outcome = None
        if outcome is None:
            text = f"no answer in {round(seconds, 2):g} s, after {history.attempts} attempts{history.told()}"
            advice = "raise deadline_seconds, lower max_tokens or concurrency, or look at the server's load"
            raise RequestFailed(f"{text}; {advice}", Reason.DEADLINE)
        value, data, server = outcome
        return Outcome(value, data, server, history.attempts, clock() - begun)

    async def _until_answered(
        self, call: Call, read: Callable[[bytes], T], end: float, history: _History
    ) -> tuple[T, bytes, str]:
        clock = asyncio.get_running_loop().time
        for attempt in range(1, self._settings.attempts + 1):
            history.attempts = attempt
            replica = self.pick(clock())
            received, trouble, retry = await self._attempt(replica, call)
            if received is not None and received.status == 200:
                try:
                    value = read(received.body)
                    replica.answered()
                    return value, received.body, replica.url
                except Unfinished as error:
                    trouble = str(error)
                except RequestFailed as error:
                    raise RequestFailed(self.key.hide(f"{replica.url}: {error}"), error.reason) from None
            elif received is not None and not retry:
                raise await self._refusal(replica, call, received)
            history.last = f"{replica.url}: {trouble}"
            if not retry:
                break
            wait = self._wait(attempt, received, clock())
            if clock() + wait >= end:
                history.last += f" (asks to wait {wait:.0f} s, which is past the deadline)"
                break
            if attempt < self._settings.attempts:
                self._tally.retries += 1
                await asyncio.sleep(wait)
        advice = "see whether the server still runs and what its log says"
        raise RequestFailed(f"no answer after {history.attempts} attempts{history.told()}; {advice}", Reason.SERVER)

    async def _attempt(self, replica: Replica, call: Call) -> tuple[Received | None, str, bool]:
        """What came back, what was wrong with it, and whether to ask again."""
        clock = asyncio.get_running_loop().time
        replica.outstanding += 1
        self._tally.attempts += 1
        try:
            received = await self.wire.send("POST", call.url(replica.url), call.body)
        except Unanswered as error:
            replica.failed(clock(), self._settings, gone="ConnectorError" in str(error) or "Refused" in str(error))
            return None, str(error), error.retry
        finally:
            replica.outstanding -= 1
        if received.status == 200:
            return received, "", True
        if received.status >= 500:
            replica.failed(clock(), self._settings, gone=False)
        elif received.retry_after is not None and received.status in RETRIED:
            replica.avoided_until = clock() + received.retry_after
        told = self.said(received)
        return (
            received,
            f"status {received.status} {told}".strip(),
            received.status in RETRIED or received.status >= 500,
        )

    def pick(self, now: float) -> Replica:
        """The replica with the fewest requests in flight; those that failed lately only when all did."""
        free = [replica for replica in self.replicas if replica.avoided_until <= now]
        replica = min(free or self.replicas, key=lambda replica: (replica.outstanding, replica.turn))
        self._turn += 1
        replica.turn = self._turn
        return replica

    def _wait(self, attempt: int, received: Received | None, now: float) -> float:
        """Seconds to the next attempt: exponential with full jitter, longer when the server says so."""
        settings = self._settings
        most = min(settings.backoff_most_seconds, settings.backoff_seconds * 2 ** min(attempt - 1, 30))
        jitter = self._random.uniform(0.0, most)
        if received is None or received.retry_after is None:
            return jitter
        others = any(replica.avoided_until <= now for replica in self.replicas)
        return jitter if others else received.retry_after + jitter

    async def _refusal(self, replica: Replica, call: Call, received: Received) -> RequestFailed:
        """Why a server refuses, in words that help."""
        if received.status in (401, 403):
            return key_refused(replica.url, received, self.key)
        said, where = self.said(received), f"{replica.url} refuses the request (status {received.status})"
        if 300 <= received.status < 400:
            return refused(f"{replica.url} redirects, which is not followed; name the URL that it redirects to")
        if _CONTEXT.search(said):
            advice = "shorten the prompt or max_tokens, or serve the model with a longer context"
            return RequestFailed(f"{where}: {said}; {advice}", Reason.CONTEXT)
        name = call.body.get("model")
        if received.status == 404 and isinstance(name, str):
            try:
                async with asyncio.timeout(PROBE_SECONDS):
                    models, _ = await list_models(self.ask, replica.url, self.key)
            except (RequestFailed, TimeoutError):
                return refused(f"{where}: {said}")
            if all(model.name != name for model in models):
                return no_model(name, replica.url, names_of(models))
        return refused(f"{where}: {said}")

    async def _probe(self, replica: Replica) -> Capabilities:
        try:
            async with asyncio.timeout(PROBE_SECONDS):
                return await probe(self.ask, replica.url, self.key)
        except TimeoutError:
            pass
        raise RequestFailed(
            f"{replica.url} did not say in {PROBE_SECONDS:.0f} s what it is; see whether it is still starting",
            Reason.SERVER,
        )

    def said(self, received: Received) -> str:
        """A server's own words about an error."""
        return said(received, self.key)

    async def close(self) -> None:
        """Close every connection."""
        await self.wire.close()


@dataclass
class _History:
    attempts: int = 0
    last: str = ""

    def told(self) -> str:
        return f"; at last {self.last}" if self.last else ""


def no_model(name: str, url: str, names: str) -> RequestFailed:
    """An error that lists what a server has."""
    return RequestFailed(f"{url} has no model {quoted(name)!r}; it has: {names}. Name one of them", Reason.MODEL)


def base_url(url: str) -> str:
    """A base URL without a slash at its end; ``/v1`` where it has no path.

    Raises:
        RequestFailed: for what is no URL, or holds a key.

    >>> base_url("http://localhost:8000")
    'http://localhost:8000/v1'
    """
    wanted = "a base URL looks like http://localhost:8000/v1"
    try:
        if "," in url:
            raise refused(f"a base URL has a comma in it; name one server by one URL; {wanted}")
        parts = urlsplit(url.strip())
        high = re.search(r":(\d{1,9})$", parts.netloc)
        if high and int(high.group(1)) > MOST_PORT:
            raise refused(f"port {high.group(1)} in a base URL is above {MOST_PORT}, the highest there is; {wanted}")
        _ = parts.port
    except (ValueError, AttributeError, TypeError):
        raise refused(f"a base URL could not be read; {wanted}") from None
    if parts.username or parts.password or parts.query or parts.fragment:
        # Whatever it is, it may be a secret: it is not repeated.
        raise refused(f"a base URL holds more than an address; a key belongs into an environment variable; {wanted}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise refused(f"{quoted(url)!r} is no base URL; {wanted}")
    path = parts.path.rstrip("/")
    route = next((route for route in _ROUTES if path.endswith(route)), None)
    if route is not None:
        base = f"{parts.scheme}://{parts.netloc}{path.removesuffix(route)}"
        raise refused(f"{quoted(url)!r} is where one kind of request goes; leave {route} out: {quoted(base)}")
    return f"{parts.scheme}://{parts.netloc}{path or '/v1'}"
