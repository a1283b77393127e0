"""Bytes to a server and back. openai is imported only when a wire is made."""

from __future__ import annotations

import dataclasses
import email.utils
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .failures import quoted, refused
from .keys import Key

if TYPE_CHECKING:
    import openai

CONNECT_SECONDS = 30.0
"""To reach a server at all."""
_ENCODINGS = ("", "identity", "gzip", "deflate")
"""Compressions whose expansion of one chunk is bounded."""


@dataclass(frozen=True)
class Received:
    """What a server sent back."""

    status: int
    body: bytes
    retry_after: float | None = None
    """Seconds that the server asks to wait."""


class Unanswered(Exception):
    """Nothing usable came back: no connection, a dropped one, or too many bytes."""

    def __init__(self, message: str, *, retry: bool = True) -> None:
        super().__init__(message, retry)
        self.retry = retry
        """Whether asking again may help."""

    def __str__(self) -> str:
        return str(self.args[0])


class _Unread(Exception):
    """Why there is no reply, in words without the key: openai may log what its transport raises."""


class _TooLarge(_Unread):
    """More bytes than a reply may have, or a compression that could hide more."""


class Wire:
    """One pool of connections for all servers of a client; made inside the event loop that uses it.

    Args:
        key: sent to every server.
        connections: open at once.
        reply_bytes: largest reply that is read.
    """

    def __init__(self, key: Key, connections: int, reply_bytes: int) -> None:
        import openai

        limits = type(openai.DEFAULT_CONNECTION_LIMITS)(
            max_connections=connections, max_keepalive_connections=connections, keepalive_expiry=15.0
        )
        self._key = key
        self._openai = openai.AsyncOpenAI(
            api_key=key.reveal(),
            base_url="http://unused.invalid/v1",  # every request names its whole URL
            max_retries=0,
            timeout=openai.Timeout(None, connect=CONNECT_SECONDS),
            default_headers={"Accept-Encoding": "identity"},
            http_client=_bounded_http(limits, reply_bytes, key),
        )
        self._trouble = (openai.OpenAIError, _Unread)
        self._status_error: type[openai.APIStatusError] = openai.APIStatusError

    async def send(self, method: str, url: str, body: dict[str, Any] | None) -> Received:
        """Send one request and read what comes back, whatever its status.

        Raises:
            Unanswered: when nothing usable comes back.
        """
        # The exception of another library may hold the request with its key: it is left behind here.
        try:
            if method == "GET":
                data = await self._openai.get(url, cast_to=bytes, options={"follow_redirects": False})
            else:
                data = await self._openai.post(url, cast_to=bytes, body=body, options={"follow_redirects": False})
            return Received(200, data)
        except self._status_error as error:
            return Received(error.status_code, error.response.content, _retry_after(error.response.headers))
        except self._trouble as error:
            root = _root(error)
            said = self._key.hide(quoted(str(root) if isinstance(root, _Unread) else f"{type(root).__name__}: {root}"))
            retry = not isinstance(root, _TooLarge)
        except (TypeError, ValueError) as error:  # UnicodeEncodeError is a ValueError
            said, retry = "", False
            problem = self._key.hide(quoted(str(error)))
        if not said:
            raise refused(f"the request cannot be written as JSON: {problem}; look at schemas and template options")
        raise Unanswered(said, retry=retry)

    async def close(self) -> None:
        """Close every connection."""
        await self._openai.close()


def _bounded_http(limits: Any, reply_bytes: int, key: Key) -> Any:
    """An HTTP client that never holds more of a reply than ``reply_bytes``, errors included."""
    import openai

    class BoundedHttp(openai.DefaultAioHttpClient):
        async def send(self, request: Any, **options: Any) -> Any:
            try:
                response = await super().send(request, **{**options, "stream": True})
                try:
                    data = await _read(response, reply_bytes)
                finally:
                    await response.aclose()
            except _TooLarge:
                raise
            except Exception as error:  # of aiohttp, or of whatever openai puts around it
                root = _root(error)
                trouble = key.hide(quoted(f"{type(root).__name__}: {root}"))
            else:
                trouble = ""
            if trouble:
                raise _Unread(trouble)
            told = ("content-type", "retry-after", "date")
            kept = {name: response.headers[name] for name in told if name in response.headers}
            # A redirect is an error like others; without its address nothing follows it.
            return type(response)(response.status_code, headers=kept, content=data, request=request)

    return BoundedHttp(limits=limits, timeout=None, follow_redirects=False)


async def _read(response: Any, most: int) -> bytes:
    encoding = str(response.headers.get("content-encoding", "")).strip().lower()
    if encoding not in _ENCODINGS:
        raise _TooLarge(f"the reply is compressed as {quoted(encoding)}, which is not read")
    chunks, size = [], 0
    async for chunk in response.aiter_bytes():
        size += len(chunk)
        if size > most:
            raise _TooLarge(
                f"the reply is larger than {most} bytes, the most that is read; Settings.reply_bytes sets it"
            )
        chunks.append(chunk)
    return b"".join(chunks)


def _root(error: BaseException) -> BaseException:
    """The exception behind the exceptions."""
    seen = 0
    while error.__cause__ is not None and seen < 10:
        error, seen = error.__cause__, seen + 1
    return error


def _retry_after(headers: Any) -> float | None:
    """Seconds that ``Retry-After`` asks to wait (RFC 9110, 10.2.3); a date counts from the server's own."""
    value = str(headers.get("retry-after", "")).strip()
    if value.isascii() and value.isdigit() and len(value) < 10:
        return float(value)
    try:
        until = email.utils.parsedate_to_datetime(value)
        now = email.utils.parsedate_to_datetime(str(headers.get("date", "")))
        return max(0.0, (until - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def encode(body: dict[str, Any]) -> str:
    """A body as one line of JSON that is the same for the same body.

    >>> encode({"b": 1, "a": "ü"})
    '{"a":"ü","b":1}'
    """
    return json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True)
class Call:
    """A request as it goes to whichever server is free."""

    path: str
    """Below the base URL, such as ``/chat/completions``; ``root:/tokenize`` is beside ``/v1``."""
    body: dict[str, Any] = dataclasses.field(default_factory=dict)

    def url(self, base: str) -> str:
        """Where it goes."""
        if self.path.startswith("root:"):
            return base.removesuffix("/v1") + self.path.removeprefix("root:")
        return base + self.path
