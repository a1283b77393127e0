"""A real vLLM server in a process of its own, one at a time."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spade_envs.client import Client

VLLM = importlib.util.find_spec("vllm")
MARKS = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    # This folder itself may be found under the name, but has no code to start from.
    pytest.mark.skipif(VLLM is None or VLLM.origin is None, reason="vLLM is not installed here: make test-vllm"),
]
"""For every test that needs a server."""

FLAGS = """
--host 127.0.0.1 --dtype float32 --enforce-eager --max-model-len 1024 --max-num-seqs 16
--logprobs-mode processed_logprobs --enable-lora --max-loras 3 --max-lora-rank 8
--enable-auto-tool-choice --tool-call-parser hermes
""".split()
SETTINGS = {
    "VLLM_CPU_KVCACHE_SPACE": "1",
    "VLLM_ALLOW_RUNTIME_LORA_UPDATING": "1",
    "VLLM_SERVER_DEV_MODE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "HF_HUB_OFFLINE": "1",
}


@contextlib.contextmanager
def serve(checkpoint: Path, name: str, log: Path, threads: int = 1) -> Iterator[str]:
    """Base URL of a server with one model, once it says that it has started."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    module = "vllm.entrypoints.openai.api_server"
    where = ["--model", str(checkpoint), "--served-model-name", name, "--port", str(port)]
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    environment = {**os.environ, **SETTINGS, "OMP_NUM_THREADS": str(threads)}
    command = [sys.executable, "-m", module, *where, *FLAGS]
    with log.open("w") as kept, subprocess.Popen(command, env=environment, **output) as process:  # type: ignore[call-overload]
        try:
            said = []
            for line in process.stdout:
                said.append(line)
                if "Application startup complete" in line:
                    break
            else:
                pytest.fail("vLLM did not start:\n" + "".join(said[-40:]))
            # Nobody may stop reading, or the server stops writing.
            with subprocess.Popen(["cat"], stdin=process.stdout, stdout=kept) as drain:
                yield f"http://127.0.0.1:{port}"
                process.terminate()
                drain.wait()
        finally:
            process.kill()


def using(url: str, do: Callable[[Client], Awaitable[Any]]) -> Any:
    """Open a client and do something with it."""

    async def run() -> Any:
        async with Client(url) as client:
            return await do(client)

    return asyncio.run(run())
