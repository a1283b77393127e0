"""A page over a stocked memory, and a real browser that says what it complains about."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

LACKING = [name for name in ("starlette", "uvicorn", "jinja2", "httpx") if importlib.util.find_spec(name) is None]
if LACKING:
    collect_ignore_glob = ["test_*.py"]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What needs a browser is marked so: `make browser` runs it."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A page over sixty sources and two hostile ones. Tests read it and change nothing."""
    from stocked import LONG, attack, serving, stock

    from spade_envs.memory import SqliteMemory

    with SqliteMemory(tmp_path_factory.mktemp("stocked") / "memory.db") as memory:
        hostile = (attack(memory), attack(memory, LONG))
        stock(memory, 5)
        with serving(memory) as page:
            yield page, hostile


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A headless Chromium, where there is one; it ends before other tests, since its event loop runs in this thread."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright")
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip(f"none of {', '.join(NAMES)} is on the path")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Any, served: Any) -> Iterator[Callable[..., Any]]:
    """Opens an address of the page in a new window; at the end nothing may have been complained about."""
    site, _ = served
    complaints: list[str] = []
    contexts = []

    def opened(path: str = "/", *, width: int = 1280, **options: Any) -> Any:
        context = chromium.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on(
            "request",
            lambda request: (
                request.url.startswith((site.url(), "data:")) or complaints.append(f"asked elsewhere: {request.url}")
            ),
        )
        context.add_cookies([cookie_of(site)])
        page.goto(site.url(path))
        return page

    opened.complaints = complaints  # type: ignore[attr-defined]
    yield opened
    for context in contexts:
        context.close()
    assert not complaints, complaints


def cookie_of(site: Any) -> dict[str, str]:
    """The cookie that the first visit sets."""
    from spade_envs.browse.security import COOKIE

    return {"name": COOKIE, "value": site.key.token, "domain": "127.0.0.1", "path": f"{site.key.base}/"}
