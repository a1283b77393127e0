"""Who may talk to the page: the holder of its key, on this machine, from the page itself.

Every user of a machine reaches its 127.0.0.1, and every site that a browser visits may send requests there. So:

* every request needs a token, kept in a cookie (``HttpOnly``, ``SameSite=Strict``) after the first visit;
* browsers send cookies to every port of a host, so the page lives below a random path, and the cookie is for that path
  only: whoever serves another port of the same address is never shown it;
* ``Host`` must be a name of this machine, which defeats DNS rebinding (any port: it may be forwarded by SSH);
* ``Origin`` and ``Sec-Fetch-Site`` must be of the page itself, and what changes something needs one of them;
* the content security policy lets only files of the page run, and nothing be sent elsewhere.
"""

from __future__ import annotations

import dataclasses
import html
import re
import secrets
import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, Response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "spade_envs"
LOCAL = ("127.0.0.1", "localhost", "[::1]")
"""Names of this machine that ``Host`` may give."""
MOST_BYTES = 1 << 20
"""Largest body of a request."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # With no-referrer a browser would send `Origin: null` with the forms of the page itself.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Headers of every answer, refusals too."""

_HOST = re.compile(r"(\[[0-9a-f:]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?", re.IGNORECASE)
_SAFE = ("GET", "HEAD")


@dataclasses.dataclass(frozen=True)
class Key:
    """What opens a page. Made anew for each run."""

    token: str = dataclasses.field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    base: str = dataclasses.field(default_factory=lambda: f"/{secrets.token_urlsafe(9)}", repr=False)
    """The path that everything lies below."""
    tickets: set[str] = dataclasses.field(default_factory=set, repr=False)
    """Tokens that open the page once: a browser is started with one, since other users see command lines."""
    lock: threading.Lock = dataclasses.field(default_factory=threading.Lock, repr=False)

    def ticket(self) -> str:
        """A token that opens the page once."""
        one = secrets.token_urlsafe(32)
        with self.lock:
            self.tickets.add(one)
        return one

    def opens(self, given: str) -> bool:
        """Whether ``given`` is the token, or a ticket, which is used up. Takes as long for a wrong one."""
        if self.holds(given):
            return True
        with self.lock:
            used = [one for one in self.tickets if secrets.compare_digest(one.encode(), given.encode())]
            self.tickets.difference_update(used)
        return bool(used)

    def holds(self, given: str) -> bool:
        """Whether ``given`` is the token."""
        return secrets.compare_digest(self.token.encode(), given.encode())


class Gate:
    """Lets through what may come in; everything else is told why not, and nothing behind it runs."""

    def __init__(self, app: ASGIApp, key: Key, *, allow_hosts: Iterable[str] = ()) -> None:
        """
        Args:
            app: what is behind the gate.
            key: what opens it.
            allow_hosts: further names that ``Host`` may give, without a port.

        Raises:
            ValueError: for a name that no ``Host`` can give.
        """
        self.app, self.key = app, key
        self.hosts = frozenset((*LOCAL, *(_host_name(one) for one in allow_hosts)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, _dressed(send))
            return
        path = scope["path"].removeprefix(self.key.base)
        inside = {**scope, "path": path, "raw_path": path.encode(), "root_path": ""}
        await self.app(inside, receive, _dressed(send))

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self._is_ours(host):
            return _no(421, f"This page is not for the host {host[:80]!r}; spade-envs browse --allow-host adds a name.")
        if scope["method"] not in (*_SAFE, "POST"):
            return _no(405, "GET and POST only.")
        trouble = _strange(headers, scope["method"])
        if trouble:
            return _no(403, trouble)
        length = headers.get("content-length", "0")
        if "transfer-encoding" in headers:
            return _no(411, "A body has to tell its length.")
        if not length.isdecimal() or int(length) > MOST_BYTES:
            return _no(413, f"At most {MOST_BYTES} bytes.")
        if not scope["path"].startswith(f"{self.key.base}/"):
            return _no(401, _LOCKED)
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token")
        if given and scope["method"] == "GET" and self.key.opens(given[-1]):
            return self._welcome(scope["path"])
        return None if self.key.holds(_cookie(headers)) else _no(401, _LOCKED)

    def _is_ours(self, host: str) -> bool:
        found = _HOST.fullmatch(host)
        return found is not None and found.group(1).lower() in self.hosts

    def _welcome(self, path: str) -> Response:
        """Set the cookie and go on. Not by a redirect: its request would still count as coming from elsewhere."""
        place = html.escape(path, quote=True)
        answer = HTMLResponse(_WELCOME.format(place=place))
        answer.set_cookie(COOKIE, self.key.token, path=f"{self.key.base}/", httponly=True, samesite="strict")
        return answer


_WELCOME = (
    '<!doctype html><title>spade-envs</title><link rel="icon" href="data:,">'
    '<meta http-equiv="refresh" content="0;url={place}"><a href="{place}">Continue</a>'
)
_LOCKED = "This page is locked: open the address that `spade-envs browse` printed. What it opens by itself works once."


def _host_name(given: str) -> str:
    name = given.strip().lower()
    found = _HOST.fullmatch(name)
    if found is None or found.group(2):
        raise ValueError(
            f"--allow-host {given[:80]!r} is no name of a host; give one without a port, such as my-machine"
        )
    return name


def _strange(headers: Headers, method: str) -> str:
    """Why a request does not come from the page itself; empty when it does."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    if origin is not None and _netloc(origin) != headers["host"].lower():
        return "The request comes from another page."
    walked = headers.get("sec-fetch-mode") == "navigate" and method in _SAFE
    if site not in (None, "same-origin", "none") and not walked:
        return "The request comes from another page."
    if method not in _SAFE and origin is None and site is None:
        return "A request that changes something has to tell its Origin."
    return ""


def _netloc(origin: str) -> str:
    """Host and port that an ``Origin`` names; empty where it is none."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:  # such as a bracket that is not closed
        return ""


def _cookie(headers: Headers) -> str:
    """The value of our cookie; empty where there is none."""
    for part in ";".join(headers.getlist("cookie")).split(";"):
        name, _, value = part.strip().partition("=")
        if name == COOKIE:
            return value
    return ""


def _no(status: int, why: str) -> Response:
    return PlainTextResponse(f"{why}\n", status)


def _dressed(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return sending
