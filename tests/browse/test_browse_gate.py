"""Who may talk to the page: nobody without its key, no other page, no other name of the machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("starlette", reason="needs the extra [browse]")
pytest.importorskip("httpx")

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient

from spade_envs.browse.security import COOKIE, HEADERS, MOST_BYTES, POLICY, Gate, Key

HERE = "http://127.0.0.1:4321"


async def _answer(request: Request) -> Response:
    body = await request.body()
    return PlainTextResponse(f"inside {request.method} {request.url.path} {len(body)}")


@pytest.fixture
def key() -> Key:
    return Key()


@pytest.fixture
def app(key: Key) -> Gate:
    route = Route("/{rest:path}", _answer, methods=["GET", "POST", "PUT", "DELETE", "OPTIONS"])
    return Gate(Starlette(routes=[route]), key, allow_hosts=["Box.Example"])


@pytest.fixture
def stranger(app: Gate) -> Iterator[TestClient]:
    """A client that holds no key."""
    with TestClient(app, base_url=HERE, follow_redirects=False) as client:
        yield client


@pytest.fixture
def friend(app: Gate, key: Key) -> Iterator[TestClient]:
    """A client that opened the page once."""
    with TestClient(app, base_url=HERE, follow_redirects=False) as client:
        assert client.get(f"{key.base}/?token={key.token}").status_code == 200
        yield client


def test_the_first_visit_sets_a_cookie_for_this_page_alone(stranger: TestClient, key: Key) -> None:
    answer = stranger.get(f"{key.base}/env/x?token={key.token}")
    assert "inside" not in answer.text and f'url={key.base}/env/x"' in answer.text, "the token stays in the address"
    (cookie,) = answer.headers.get_list("set-cookie")
    assert cookie.startswith(f"{COOKIE}={key.token};")
    assert {part.strip().lower() for part in cookie.split(";")[1:]} == {
        "httponly",
        "samesite=strict",
        f"path={key.base}/".lower(),
    }
    assert stranger.get(f"{key.base}/env/x").text == "inside GET /env/x 0"


@pytest.mark.parametrize("path", ["/", "/?token=", "/?token=wrong", "/static/style.css", "/env/x", "//", "/%00"])
def test_nothing_without_the_key(stranger: TestClient, key: Key, path: str) -> None:
    for base in (key.base, "", key.base[:-1]):
        answer = stranger.get(base + path)
        assert answer.status_code == 401 and "inside" not in answer.text
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("cookie", ["", "x", f"{COOKIE}=", f"{COOKIE}=wrong", f"{COOKIE}=é", f"other={COOKIE}"])
def test_a_wrong_cookie_opens_nothing(stranger: TestClient, key: Key, cookie: str) -> None:
    answer = stranger.get(f"{key.base}/", headers={"cookie": cookie.encode()})
    assert answer.status_code == 401


def test_the_key_opens_no_other_path(stranger: TestClient, key: Key) -> None:
    assert stranger.get(f"/?token={key.token}").status_code == 401
    assert stranger.get("/", headers={"cookie": f"{COOKIE}={key.token}"}).status_code == 401


def test_a_ticket_opens_once(app: Gate, key: Key) -> None:
    address = f"{key.base}/?token={key.ticket()}"
    with TestClient(app, base_url=HERE) as first, TestClient(app, base_url=HERE) as second:
        assert "Continue" in first.get(address).text
        assert second.get(address).status_code == 401
        assert first.get(address).text.startswith("inside"), "whoever has the cookie may reload"


def test_keys_do_not_show_themselves(key: Key) -> None:
    assert key.token not in repr(key) and key.base not in repr(key)
    assert key.token != Key().token and key.base != Key().base


# -- names ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "127.0.0.1:1", "localhost", "LOCALHOST:65535", "[::1]", "[::1]:9", "box.example:80"]
)
def test_names_of_this_machine_at_any_port(friend: TestClient, key: Key, host: str) -> None:
    headers = {"host": host, "cookie": f"{COOKIE}={key.token}"}
    assert friend.get(f"{key.base}/", headers=headers).status_code == 200


@pytest.mark.parametrize(
    "host",
    "evil.example|127.0.0.1.evil.example|localhost.evil.example|127.0.0.2|0.0.0.0||localhost:x|localhost@evil.example"
    "|evil.example#localhost|[::1|::1|localhost:8000:1|localhost ".split("|"),
)
def test_other_names_are_refused(friend: TestClient, key: Key, host: str) -> None:
    headers = {"host": host, "cookie": f"{COOKIE}={key.token}"}
    answer = friend.get(f"{key.base}/", headers=headers)
    assert answer.status_code == 421 and "inside" not in answer.text


def test_two_hosts_are_refused(friend: TestClient, key: Key) -> None:
    pairs = [("host", "127.0.0.1"), ("host", "127.0.0.1"), ("cookie", f"{COOKIE}={key.token}")]
    assert friend.get(f"{key.base}/", headers=pairs).status_code == 421


@pytest.mark.parametrize("name", ["", "a b", "http://x", "x:80", "*", "x/y", "é"])
def test_an_allowed_host_is_a_name(key: Key, name: str) -> None:
    with pytest.raises(ValueError, match="--allow-host"):
        Gate(Starlette(), key, allow_hosts=[name])


# -- other pages ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"origin": "http://["},
        {"origin": "http://[::1:4321"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site", "sec-fetch-mode": "cors"},
        {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"},
        {"origin": "http://127.0.0.1:4321", "sec-fetch-site": "cross-site"},
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_requests_of_other_pages_are_refused(
    friend: TestClient, key: Key, method: str, headers: dict[str, str]
) -> None:
    answer = friend.request(method, f"{key.base}/x", headers=headers)
    assert answer.status_code == 403 and "inside" not in answer.text


def test_a_change_has_to_tell_its_origin(friend: TestClient, key: Key) -> None:
    assert friend.post(f"{key.base}/x").status_code == 403
    assert (
        friend.post(f"{key.base}/x", headers={"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}).status_code
        == 403
    )
    assert friend.post(f"{key.base}/x", headers={"origin": HERE}).text == "inside POST /x 0"
    assert friend.post(f"{key.base}/x", headers={"sec-fetch-site": "same-origin"}).status_code == 200
    forwarded = {"host": "localhost:8765", "origin": "http://localhost:8765", "cookie": f"{COOKIE}={key.token}"}
    assert friend.post(f"{key.base}/x", headers=forwarded).status_code == 200


def test_a_link_elsewhere_may_lead_here(friend: TestClient, key: Key) -> None:
    headers = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert friend.get(f"{key.base}/x", headers=headers).status_code == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"])
def test_other_methods_are_refused(friend: TestClient, key: Key, method: str) -> None:
    answer = friend.request(method, f"{key.base}/x", headers={"origin": HERE})
    assert answer.status_code == 405


# -- sizes and headers ----------------------------------------------------------------------------------------------


def test_large_bodies_are_refused(friend: TestClient, key: Key) -> None:
    most = {"headers": {"origin": HERE}, "content": b"x" * MOST_BYTES}
    assert friend.post(f"{key.base}/x", **most).text == f"inside POST /x {MOST_BYTES}"  # type: ignore[arg-type]
    more = {"headers": {"origin": HERE}, "content": b"x" * (MOST_BYTES + 1)}
    assert friend.post(f"{key.base}/x", **more).status_code == 413  # type: ignore[arg-type]


def test_a_body_tells_its_length(friend: TestClient, key: Key) -> None:
    answer = friend.post(f"{key.base}/x", headers={"origin": HERE}, content=(b"x" for _ in range(3)))
    assert answer.status_code == 411


def test_every_answer_has_the_headers(friend: TestClient, stranger: TestClient, key: Key) -> None:
    answers = [
        friend.get(f"{key.base}/x"),
        friend.get("/"),
        friend.get(f"{key.base}/x", headers={"origin": "null"}),
        friend.get(f"{key.base}/x", headers={"host": "evil.example"}),
        friend.put(f"{key.base}/x"),
        stranger.get(f"{key.base}/"),
        stranger.get(f"{key.base}/?token={key.token}"),
    ]
    for answer in answers:
        for name, value in HEADERS.items():
            assert answer.headers[name] == value, (answer.status_code, name)
    for part in ("default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"):
        assert part in POLICY
    assert "unsafe" not in POLICY


def test_a_socket_is_closed(app: Gate, key: Key) -> None:
    from starlette.websockets import WebSocketDisconnect

    headers = {"cookie": f"{COOKIE}={key.token}"}
    with TestClient(app, base_url=HERE) as client, pytest.raises(WebSocketDisconnect):
        client.websocket_connect(f"{key.base}/x", headers=headers).__enter__()
