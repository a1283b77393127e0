"""``spade-envs browse``, run for real."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from spade_envs.cli import browsing, main

httpx = pytest.importorskip("httpx")


@pytest.fixture
def running(data_home: Path) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """The command, and what it said about itself."""
    command = [sys.executable, "-m", "spade_envs", "browse", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield process, json.loads(line)
        finally:
            process.kill()


def test_shelves_alone_fill_the_page(running: Any, data_home: Path) -> None:
    process, told = running
    assert told["memory"] == str(data_home / "memory.db") and f":{told['port']}/" in told["url"]
    with httpx.Client() as client:
        assert client.get(told["url"].split("?")[0]).status_code == 401
        assert client.get(told["url"]).status_code == 200
        page = client.get(told["url"].split("?")[0]).text
        assert "spade/env-0001" in page and "12</b> environments" in page
    with socket.socket() as other, pytest.raises(ConnectionRefusedError):
        # Every 127.x.y.z is this machine, but only one of them is listened on.
        other.connect(("127.0.0.2", told["port"]))
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", ""), err


def test_another_memory_is_only_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from spade_envs.memory import SqliteMemory
    from spade_envs.types import EnvSource

    with SqliteMemory(tmp_path / "pool.db") as memory:
        memory.add_source(EnvSource("class PoolEnv: ..."))
    before = (tmp_path / "pool.db").read_bytes()
    seen = []
    monkeypatch.setattr(browsing, "_serve", lambda app, listening: seen.append(app))
    assert main(["browse", "--memory", str(tmp_path / "pool.db"), "--no-open"]) == 0
    assert seen and (tmp_path / "pool.db").read_bytes() == before
    assert main(["browse", "--memory", str(tmp_path / "nothing.db"), "--no-open"]) == 2
    assert not (tmp_path / "nothing.db").exists()


def test_a_port_in_use_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["browse", "--port", str(port), "--no-open"]) == 2
    assert f"port {port} cannot be listened on" in capsys.readouterr().err


@pytest.mark.parametrize("flags", [["--port", "70000"], ["--port", "x"], ["--allow-host", "http://x"]])
def test_wrong_flags_are_told(flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["browse", "--no-open", *flags]) == 2
    assert flags[0] in capsys.readouterr().err


def test_the_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(browsing.importlib.util, "find_spec", lambda name: None if name == "uvicorn" else find(name))
    assert main(["browse"]) == 2
    said = capsys.readouterr().err
    assert "uvicorn" in said and "pip install 'spade-envs[browse]'" in said


def test_a_screen_is_needed_to_open_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    import webbrowser

    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    browsing._open("http://x")
    assert not opened
    monkeypatch.setenv("DISPLAY", ":0")
    browsing._open("http://x").join()
    assert opened == ["http://x"]


def test_nothing_of_it_loads_before_it_is_asked_for() -> None:
    code = "import sys, spade_envs.cli; print([n for n in sys.modules if n.split('.')[0] in ('starlette', 'uvicorn')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ))
    assert done.stdout.strip() == "[]", done.stderr
