"""Servers and a learner whose model is one number."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from spade_envs.client import Answer, Capabilities, Kind, Reason, Reply, RequestFailed, ServedModel, TokensRequest


def probability(weights: float, token: int) -> float:
    """Of a model that is one number: how a token's log-probability follows from it."""
    return -1.0 - weights * (1 + token % 5) / 5


class Policy:
    """A learner that is one number. Its file holds the number."""

    def __init__(self) -> None:
        self.weights, self.policy_version, self.movable = 0.0, 0, True

    def step(self, by: float = 0.001) -> None:
        self.weights += by
        self.policy_version += 1

    def score(self, sequences: Sequence[tuple[Sequence[int], int]], temperature: float) -> list[list[float]]:
        return [[probability(self.weights, token) for token in ids[start:]] for ids, start in sequences]

    @contextlib.contextmanager
    def shifted(self, scale: float, seed: int) -> Iterator[None]:
        self.weights += scale if self.movable else 0.0
        try:
            yield
        finally:
            self.weights -= scale if self.movable else 0.0

    def save_adapter(self, folder: Path) -> None:
        (folder / "adapter_model.safetensors").write_text(repr(self.weights))


class Servers:
    """A client of vLLM servers that hold numbers by name; with ``noise``, as kernels have."""

    def __init__(self) -> None:
        self.model = "base"
        self.served: dict[str, float] = {"base": 0.0}
        self.noise = 0.0
        self.loads: Callable[[str, float], float] = lambda name, weights: weights
        self.refuses: RequestFailed | None = None
        self.asked: list[TokensRequest] = []
        self.answers_as = ""
        self.mode: str | None = "processed_logprobs"

    @property
    def capabilities(self) -> Capabilities:
        models = tuple(ServedModel(name, None if name == "base" else "base", 100) for name in self.served)
        return Capabilities(Kind.VLLM, models, logprobs_mode=self.mode)

    async def complete(self, request: TokensRequest) -> Answer:
        self.asked.append(request)
        if self.refuses:
            raise self.refuses
        name, chance = request.model or "", random.Random(request.sampling.seed)
        tokens = tuple(chance.randrange(50, 90) for _ in range(request.sampling.max_tokens))
        values = tuple(probability(self.served[name], token) + chance.gauss(0, self.noise) for token in tokens)
        reply = Reply(text="", finish_reason="length", token_ids=tokens, logprobs=values)
        return Answer(replies=(reply,), usage=None, model=self.answers_as or name)

    async def load_adapter(self, name: str, path: Path) -> None:
        if name in self.served:
            raise RequestFailed(f"has a model {name!r} already", Reason.REQUEST)
        self.served[name] = self.loads(name, float((path / "adapter_model.safetensors").read_text()))

    async def unload_adapter(self, name: str) -> None:
        if self.refuses:
            raise self.refuses
        self.served.pop(name, None)


def done(*calls: Any) -> list[Any]:
    async def all_of() -> list[Any]:
        return [await call for call in calls]

    return asyncio.run(all_of())
