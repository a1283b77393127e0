"""What a server is and can do, found by asking it."""

from __future__ import annotations

import enum
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from .failures import RequestFailed, quoted, refused
from .keys import Key
from .refusals import is_it_the_base, key_refused, no_list
from .replies import parse
from .wires import Received

MOST_MODELS = 10_000
"""Models of a list that are read."""

Ask = Callable[[str, str, "dict[str, Any] | None"], Awaitable[Received]]
"""Method, URL and body to what came back; raises :class:`RequestFailed` where nothing did."""


class Kind(enum.StrEnum):
    """Programs that serve models. They differ in what they take and tell."""

    VLLM = "vllm"
    SGLANG = "sglang"
    LLAMACPP = "llamacpp"
    BARE = "bare"
    """Anything else that speaks as OpenAI's: only OpenAI's own fields are sent."""


@dataclass(frozen=True)
class ServedModel:
    """A model or adapter that a server has."""

    name: str
    parent: str | None = None
    """Of an adapter: the model it changes."""
    context: int | None = None
    """Tokens of prompt and reply together, where the server tells."""


@dataclass(frozen=True)
class Capabilities:
    """What a server can do. What it lacks is refused with a sentence, or left out where :meth:`lacks` says so."""

    kind: Kind
    models: tuple[ServedModel, ...]
    version: str | None = None
    tokenize: bool = False
    """Whether it counts tokens for us."""
    logprobs_mode: str | None = None
    """vLLM's, where it tells: ``raw_logprobs`` are taken before temperature, top-k and top-p."""

    @property
    def token_ids(self) -> bool:
        """Whether replies hold the ids of their tokens."""
        return self.kind is not Kind.BARE

    @property
    def adapters(self) -> bool:
        """Whether adapters can be loaded while it runs; the server may still have it switched off."""
        return self.kind in (Kind.VLLM, Kind.SGLANG)

    @property
    def extra_sampling(self) -> bool:
        """Whether it takes ``top_k``, ``min_p`` and what else OpenAI does not know."""
        return self.kind is not Kind.BARE

    def context_of(self, name: str) -> int | None:
        """Tokens that fit into a model or adapter, where the server tells."""
        for model in self.models:
            if model.name == name:
                inherits = model.context is None and model.parent is not None and model.parent != name
                return self.context_of(model.parent or "") if inherits else model.context
        return None

    def lacks(self) -> tuple[str, ...]:
        """One sentence for each thing that this server cannot do, and what happens instead."""
        found = []
        if not self.token_ids:
            found.append("no token ids: requests that need them are refused")
        elif self.kind is Kind.LLAMACPP:
            found.append("token ids only beside log probabilities, which are asked for in completions")
        if not self.extra_sampling:
            found.append(
                "no top_k, min_p, repetition_penalty, min_tokens, stop_token_ids, ignore_eos: neutral values only"
            )
        if not self.tokenize:
            found.append("no counting of tokens: tiktoken counts, or bytes do")
        if not self.adapters:
            found.append("no loading of adapters")
        if self.logprobs_mode not in (None, "processed_logprobs"):
            found.append(f"log probabilities are {self.logprobs_mode}, wrong as sampling probabilities")
        return tuple(found)


async def probe(ask: Ask, base: str, key: Key) -> Capabilities:
    """Ask the server at ``base`` (which ends in ``/v1``) what it is; ``key`` is the one that ``ask`` sends.

    Raises:
        RequestFailed: when no model server answers there.
    """
    models, owner = await list_models(ask, base, key)
    kind = {kind.value: kind for kind in Kind if kind is not Kind.BARE}.get(owner, Kind.BARE)
    root = base.removesuffix("/v1")
    if kind is Kind.BARE:
        return Capabilities(kind, models)
    version = await _told(ask, f"{root}/version") if kind is Kind.VLLM else None
    named = None if version is None else re.search(rb'"version"\s*:\s*"([\w.+-]{1,60})"', version)
    return Capabilities(
        kind,
        models,
        version=named.group(1).decode() if named else None,
        tokenize=await _tokenizes(ask, kind, root, models),
        logprobs_mode=await _logprobs_mode(ask, root) if kind is Kind.VLLM else None,
    )


async def list_models(ask: Ask, base: str, key: Key) -> tuple[tuple[ServedModel, ...], str]:
    """Models of a server, and what it calls itself.

    Raises:
        RequestFailed: when what answers is no model server.
    """
    received = await ask("GET", f"{base}/models", None)
    if received.status in (401, 403):
        raise key_refused(base, received, key)
    if received.status != 200:
        raise no_list(base, received, key)
    advice = is_it_the_base(base)
    try:
        data = parse(received.body).get("data")
    except RequestFailed as error:
        raise refused(key.hide(f"{base}/models: {error}; {advice}")) from None
    if not isinstance(data, list):
        raise refused(f"{base}/models lists no models; {advice}")
    entries = [one for one in data[:MOST_MODELS] if isinstance(one, dict) and isinstance(one.get("id"), str)]
    owner = next((one["owned_by"] for one in entries if isinstance(one.get("owned_by"), str)), "")
    return tuple(_model(one) for one in entries), owner


def names_of(models: tuple[ServedModel, ...]) -> str:
    """The names of models for a message."""
    return quoted(", ".join(model.name for model in models)) or "none"


def _model(entry: dict[str, Any]) -> ServedModel:
    parent, context = entry.get("parent"), entry.get("max_model_len")
    meta = entry.get("meta")
    if context is None and isinstance(meta, dict):
        context = meta.get("n_ctx")  # llama.cpp
    return ServedModel(
        entry["id"],
        parent if isinstance(parent, str) else None,
        context if type(context) is int and context > 0 else None,
    )


async def _told(ask: Ask, url: str) -> bytes | None:
    """The body at a URL that not every server has."""
    received = await ask("GET", url, None)
    return received.body if received.status == 200 else None


async def _tokenizes(ask: Ask, kind: Kind, root: str, models: tuple[ServedModel, ...]) -> bool:
    if kind is Kind.LLAMACPP:
        body: dict[str, Any] = {"content": "one"}
    elif models:
        body = {"model": models[0].name, "prompt": "one"}
    else:
        return False
    received = await ask("POST", f"{root}/tokenize", body)
    if received.status != 200:
        return False
    try:
        return isinstance(parse(received.body).get("tokens"), list)
    except RequestFailed:
        return False


async def _logprobs_mode(ask: Ask, root: str) -> str | None:
    # Only servers in development mode have this route; its layout changes between versions.
    told = await _told(ask, f"{root}/server_info?config_format=json")
    found = None if told is None else re.search(rb"logprobs_mode\W{1,6}(\w{1,40}_log(?:probs|its))", told)
    return found.group(1).decode() if found else None
