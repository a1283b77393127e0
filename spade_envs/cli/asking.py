"""Flags of the commands that ask a model, and the client that comes of them."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ..client import Client, Sampling, Settings
from ..local import LocalModel
from ..model_player import Agent
from .whole import Whole

LOCAL_PARALLEL = 4
"""Replies that the local model generates at the same time."""
LOCAL_CONTEXT = 2048
"""Tokens that fit into one of its chats."""
_FLAGS = {
    "Client(url, model)": "--model NAME",
    "key_variable=...": "--key-variable NAME",
    "key_variable": "--key-variable",
    "total_tokens": "--token-budget",
    "most_pairs": "--pairs",
    "cap_turns": "--max-turns",
    "document_tokens": "--document-tokens",
    "memory_seeds": "--memory-seeds",
    "memory_negatives": "--memory-negatives",
    "seed_strategy": "--seed-strategy",
    "seed_tokens": "--seed-tokens",
    "max_tokens": "--max-tokens",
    "top_p": "--top-p",
}


def as_flags(text: str) -> str:
    """What the client calls its arguments, as flags of a command.

    >>> as_flags("name the variable that holds it: key_variable=...")
    'name the variable that holds it: --key-variable NAME'
    """
    for called, flag in _FLAGS.items():
        text = text.replace(called, flag)
    return text


@dataclasses.dataclass(frozen=True)
class ModelFlags:
    """Which model is asked, and how."""

    base_url: Annotated[tuple[str, ...], Parameter(negative="")] = ()
    """Base URL of the model server, such as http://localhost:8000; several times for several servers of one model."""
    model: str | None = None
    """Name of the model, as the server lists it; not needed where it has one only."""
    key_variable: str | None = None
    """Environment variable that holds the server's key."""
    local: Annotated[bool, Parameter(negative="")] = False
    """Ask a small model on this machine instead of a server; needs spade-envs[local]."""
    model_file: Path | None = None
    """GGUF file for --local, instead of the small model."""
    temperature: float = 1.0
    """Of sampling; 0 is greedy."""
    top_p: float = 1.0
    """Of sampling."""
    max_tokens: Whole | None = None
    """Tokens of one reply at most; 4096 unless given, 160 with --local."""
    concurrency: Whole = 64
    """Requests in flight at most."""
    token_budget: Whole | None = None
    """Most tokens of all requests of this call together."""
    tools: str = "text"
    """How tools are offered: text, or native where the server reads tool calls."""

    def check(self) -> None:
        """Complain about what contradicts itself.

        Raises:
            ValueError: neither a server nor --local is named, or both are.
        """
        if self.model_file is not None and not self.local:
            raise ValueError("--model-file names a file for --local; add --local, or leave it out")
        if self.local and (self.base_url or self.model):
            raise ValueError("--local asks the model on this machine: leave --base-url and --model out")
        if not self.local and not self.base_url:
            raise ValueError(
                "name a model server: --base-url http://localhost:8000 (vLLM, SGLang, llama.cpp, ...), "
                "or --local for a small model on this machine"
            )

    def agent(self) -> Agent:
        """How the model plays."""
        most = self.max_tokens if self.max_tokens is not None else 160 if self.local else 4096
        sampling = Sampling(temperature=self.temperature, top_p=self.top_p, max_tokens=most)
        return Agent(sampling=sampling, tools=self.tools)

    @contextlib.asynccontextmanager
    async def opened(self) -> AsyncIterator[Client]:
        """An open client; the local model runs for as long.

        Raises:
            ClientError: no server answers, it has no such model, or something for the local one is not installed.
        """
        self.check()
        with contextlib.ExitStack() as stack:
            urls, concurrency = self.base_url, self.concurrency
            if self.local:
                model = LocalModel(self.model_file, context=LOCAL_CONTEXT, parallel=LOCAL_PARALLEL)
                urls, concurrency = (stack.enter_context(model).url,), min(concurrency, 2 * LOCAL_PARALLEL)
            settings = Settings(concurrency=concurrency, total_tokens=self.token_budget)
            async with Client(urls, self.model, settings=settings, key_variable=self.key_variable) as client:
                yield client


ASKED = ModelFlags()
"""No flag given."""
