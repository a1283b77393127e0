"""LoRA adapters on running servers: on every replica or on none.

Publish every version under a new name. A server that loads other weights under an old name may answer from the prefix
cache of the old ones.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any

from .capabilities import Kind, ServedModel, list_models
from .failures import Reason, RequestFailed, quoted, refused
from .servers import Servers

LOAD_SECONDS = 300.0
"""For one replica to load an adapter."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


async def load_adapter(servers: Servers, name: str, path: str) -> ServedModel:
    """Load the adapter in the folder ``path``, as the servers see it, under a new name.

    Raises:
        RequestFailed: when one replica refuses or cannot show it afterwards; then no replica keeps it.
    """
    _check(servers, name)
    before = await _listed(servers)
    for replica, models in zip(servers.replicas, before, strict=True):
        if any(model.name == name for model in models):
            raise refused(
                f"{replica.url} has a model {name!r} already; give every version a name of its own, such as "
                f"{name}-v2: weights under an old name may meet its prefix cache"
            )
    try:
        troubles = await _everywhere(servers, "load_lora_adapter", {"lora_name": name, "lora_path": path})
        after = await _listed(servers)
        found = [next((model for model in models if model.name == name), None) for models in after]
    except BaseException:
        # Cancelled, or a server is gone: half a load is worse than none.
        await asyncio.shield(_everywhere(servers, "unload_lora_adapter", {"lora_name": name}))
        raise
    for replica, trouble, model in zip(servers.replicas, troubles, found, strict=True):
        if model is None:
            await _everywhere(servers, "unload_lora_adapter", {"lora_name": name})
            advice = (
                "start vLLM with --enable-lora and VLLM_ALLOW_RUNTIME_LORA_UPDATING=1, and name a folder it can read"
            )
            text = f"{replica.url} has not loaded {name!r}: {trouble or 'it does not list it'}; no replica keeps it"
            raise RequestFailed(f"{text}. Check: {advice}", Reason.SERVER)
    await servers.find()
    return next(model for model in found if model is not None)


async def unload_adapter(servers: Servers, name: str) -> None:
    """Unload an adapter everywhere; where it is not loaded, that is fine.

    Raises:
        RequestFailed: when a replica still lists it afterwards.
    """
    _check(servers, name)
    troubles = await _everywhere(servers, "unload_lora_adapter", {"lora_name": name})
    for replica, trouble, models in zip(servers.replicas, troubles, await _listed(servers), strict=True):
        if any(model.name == name for model in models):
            text = f"{replica.url} still has {name!r}: {trouble or 'it still lists it'}"
            raise RequestFailed(f"{text}; only adapters that were loaded can be unloaded", Reason.SERVER)
    await servers.find()


def _check(servers: Servers, name: str) -> None:
    if not servers.capabilities.adapters:
        raise refused(f"a server of kind {servers.capabilities.kind} loads no adapters; vLLM and SGLang do")
    if not _NAME.fullmatch(name):
        raise refused(f"{quoted(name)!r} is no name of an adapter; letters, digits, dots and dashes make one")


async def _listed(servers: Servers) -> list[tuple[ServedModel, ...]]:
    async with asyncio.timeout(LOAD_SECONDS):
        return [models for models, _ in await asyncio.gather(*(_list(servers, one.url) for one in servers.replicas))]


async def _list(servers: Servers, url: str) -> tuple[tuple[ServedModel, ...], str]:
    return await list_models(servers.ask, url, servers.key)


async def _everywhere(servers: Servers, route: str, body: dict[str, Any]) -> list[str]:
    """Ask every replica; what each has to object, or nothing."""
    return await asyncio.gather(*(_one(servers, replica.url, route, body) for replica in servers.replicas))


async def _one(servers: Servers, base: str, route: str, body: dict[str, Any]) -> str:
    at = base.removesuffix("/v1") if servers.capabilities.kind is Kind.SGLANG else base
    try:
        async with asyncio.timeout(LOAD_SECONDS):
            received = await servers.ask("POST", f"{at}/{route}", body)
    except RequestFailed as error:
        return str(error)
    except TimeoutError:
        return f"no answer in {LOAD_SECONDS:.0f} s"
    if received.status == 200:
        return ""
    return f"status {received.status} {servers.said(received)}"
