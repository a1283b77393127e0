"""Addresses of the page: what each answers, and what reaches neither the disk nor SQL."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT

httpx = pytest.importorskip("httpx")

STATIC = ROOT / "spade_envs" / "browse" / "static"
TEMPLATES = ROOT / "spade_envs" / "browse" / "templates"


@pytest.fixture(scope="module")
def client(served: Any) -> Iterator[Any]:
    site, _ = served
    with httpx.Client(base_url=site.url("/"), timeout=60) as made:
        made.get(site.door)
        yield made


def sha_of(served: Any, name: str) -> str:
    from spade_envs.memory.looking import resolve

    return resolve(served[0].memory, name)


@pytest.mark.parametrize("path", ["", "env/env-0001", "static/style.css", "nowhere", "env/env-0001/text/source"])
def test_nothing_without_the_key(served: Any, path: str) -> None:
    answer = httpx.get(served[0].url(f"/{path}"))
    assert answer.status_code == 401 and "content-security-policy" in answer.headers


def test_an_environment_has_many_names(client: Any, served: Any) -> None:
    sha256 = sha_of(served, "env-0001")
    pages = {client.get(f"env/{name}").text for name in ("env-0001", sha256, sha256[:8], "spade%2Fenv-0001")}
    assert len(pages) == 1


@pytest.mark.parametrize(
    ("path", "status", "told"),
    [
        ("env/spade/env-0099", 404, "near it: spade/env-0009"),
        ("env/abcdef0", 404, "digits"),
        ("env/%00%ff", 404, "No such environment"),
        ("env/' OR 1=1 --", 404, "No such environment"),
        ("env/env-0001/text/card", 404, "No such text"),
        ("env/env-0001/episode/99", 404, "No such episode"),
        ("env/env-0001/episode/-1", 404, "No such environment"),
        ("env/env-0001/episode/99999999999999999999999", 404, "No such episode"),
        ("nowhere", 404, "Not Found"),
        ("static/..%2Fapp.py", 404, "Not Found"),
        ("static/%2e%2e%2fapp.py", 404, "Not Found"),
        ("static/README.md", 404, "Not Found"),
        ("static//etc/passwd", 404, "Not Found"),
        ("?verdict=splendid", 400, "unchecked"),
        ("?order=sideways", 400, "hardest"),
        ("?regret_from=1&regret_to=0", 400, "lower end"),
        ("?regret_from=nan", 400, "a number"),
        ("?step_from=1.5", 400, "whole number"),
        ("?step_from=" + "9" * 400, 400, "whole number"),
        ("?after=x", 400, "after"),
        ("?text=" + "x" * 501, 400, "allowed: 500"),
    ],
)
def test_what_is_not_there_is_told(client: Any, path: str, status: int, told: str) -> None:
    answer = client.get(path)
    assert answer.status_code == status and told in answer.text and "<nav" in answer.text
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    "text", ['"', "a AND", "NEAR(", "*", "name:x", "-", "'; DROP TABLE sources", "\x00", "é*", "( )"]
)
def test_no_search_is_an_error(client: Any, text: str) -> None:
    answer = client.get("", params={"text": text})
    assert answer.status_code == 200, answer.text


def test_similar_sources_are_named(client: Any, served: Any) -> None:
    text = client.get("env/env-0001").text.partition('id="near-title"')[2].partition("</section>")[0]
    near = re.findall(r"/env/([0-9a-f]{64})", text)
    assert near and sha_of(served, "env-0001") not in near
    assert {served[0].memory.source(one).skill for one in near} == {"optimization"}


def test_failures_are_pages(served: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from starlette.testclient import TestClient

    from spade_envs.browse.app import application
    from spade_envs.browse.desk import Desk
    from spade_envs.browse.library import Library
    from spade_envs.browse.security import Key
    from spade_envs.errors import StoreError

    library, key = Library(served[0].memory), Key()
    app = application(Desk(library, key.base), key)
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as browser:
        browser.get(f"{key.base}/?token={key.token}")
        for error, status, told in (
            (StoreError("<b>full"), 503, "&lt;b&gt;full"),
            (KeyError("secret"), 500, "KeyError"),
        ):

            def failing(*_: object, error: Exception = error, **__: object) -> None:
                raise error

            monkeypatch.setattr(library, "find", failing)
            answer = browser.get(f"{key.base}/")
            assert answer.status_code == status and told in answer.text and "secret" not in answer.text
            assert "content-security-policy" in answer.headers


def test_a_filter_narrows(client: Any) -> None:
    def total(**filters: str) -> int:
        found = re.search(r"<b>([\d,]+)</b>", client.get("", params=filters).text)
        assert found
        return int(found.group(1).replace(",", ""))

    everything = total()
    for filters in (
        {"skill": "optimization"},
        {"contract": "tools"},
        {"verdict": "admit"},
        {"band": "frontier"},
        {"made_by": "qwen3-4b"},
        {"run": "run-1"},
        {"scale": "4B"},
        {"document": "wikipedia:Crate"},
        {"shelved": "1"},
        {"step_from": "40", "step_to": "60"},
        {"regret_from": "0.5"},
        {"text": "kiln"},
    ):
        assert 0 < total(**filters) < everything, filters


def test_files_are_as_published() -> None:
    told = dict(
        re.findall(r"^\| `([\w.]+)` .*`([0-9a-f]{64})` \|$", (STATIC / "README.md").read_text("utf-8"), re.MULTILINE)
    )
    assert set(told) == {path.name for path in STATIC.glob("*.min.js")}
    for name, sha256 in told.items():
        assert hashlib.sha256((STATIC / name).read_bytes()).hexdigest() == sha256, name


@pytest.mark.parametrize("path", sorted(TEMPLATES.glob("*.html")), ids=lambda path: path.name)
def test_templates_keep_the_policy(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"\sstyle=|\son[a-z]+=|javascript:|\|\s*safe\b|hx-on|hx-vals|autoescape", text)
    for script in re.findall(r"<script[^>]*>", text):
        assert "src=" in script or 'type="application/json"' in script, script
    for address in re.findall(r'(?:href|src|action|hx-get|hx-post)="([^"]*)"', text):
        assert address.startswith(("{{ base }}", "{{ here_at }}", "{{ whole }}", "#")), address


def test_by_regret_only_what_was_probed_is_counted(client: Any, served: Any) -> None:
    ((probed,),) = served[0].memory.db.run("SELECT count(*) FROM sources WHERE probes > 0")
    ((everything,),) = served[0].memory.db.run("SELECT count(*) FROM sources")
    assert 0 < probed < everything
    for order, count in (("regret", probed), ("hardest", probed), ("newest", everything)):
        assert f"<b>{count}</b> environments" in client.get("", params={"order": order}).text
