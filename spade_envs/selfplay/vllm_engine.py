"""The engine of one GPU: transformers and PEFT learn beside ``vllm serve``, which draws from LoRA adapters."""

from __future__ import annotations

import contextlib
from pathlib import Path

from ..client import Client, Settings
from ..errors import ClientError
from .config import Config
from .failures import TrainingError
from .hf_engine import Loaded
from .learner import HfLearner
from .lora_sync import LoraSync
from .verification import Probing, Verification
from .vllm_sampler import VllmServer, check_logprobs

PROBED = ("Say what a heap is.", "What is 12 times 12?", "Name a colour.", "Write a sorting function.")
"""What the sampler is asked when a sync is looked at."""
PROBED_TOKENS = 32


async def servers_of(config: Config, stack: contextlib.AsyncExitStack) -> Client:
    """An open client of the servers that a configuration names.

    Raises:
        TrainingError: when they cannot be reached, or are no servers of such a model.
    """
    settings = Settings(deadline_seconds=config.play.episode_seconds, seed=config.run.seed)
    name = Path(config.engine.model).name if Path(config.engine.model).is_dir() else config.engine.model
    client = Client(config.engine.servers, name, settings=settings)
    try:
        return await stack.enter_async_context(client)
    except ClientError as error:
        raise TrainingError(
            f"{error}; start one with: VLLM_ALLOW_RUNTIME_LORA_UPDATING=1 vllm serve {config.engine.model} "
            f"--enable-lora --max-lora-rank {config.engine.lora_rank} --max-loras {config.train.max_staleness + 2} "
            "--logprobs-mode processed_logprobs"
        ) from error


def sampler_and_sync(
    config: Config, client: Client, learner: HfLearner, seen: Loaded, folder: Path
) -> tuple[VllmServer, LoraSync]:
    """What draws from the servers, and what brings weights there.

    Raises:
        ConfigError: for servers that cannot be used.
    """
    sampler = VllmServer(client, ends=seen.renderer.ends, context=config.play.context)
    for section in (config.play, config.design):
        check_logprobs(client.capabilities, section.temperature, section.top_p, section.top_k)
    probing = Probing(
        prompts=tuple(seen.renderer.opening("", text) for text in PROBED),
        tokens=PROBED_TOKENS,
        temperature=config.play.temperature,
        seed=config.run.seed,
    )
    verification = Verification(
        sampler,
        learner.policy,
        probing,
        gap_factor=config.engine.gap_factor,
        gap_floor=config.engine.gap_floor,
    )
    sync = LoraSync(
        learner,
        learner.policy,
        client,
        sampler,
        verification,
        run=folder.resolve().name,
        folder=Path(config.engine.adapters) if config.engine.adapters else folder / "adapters",
        max_staleness=config.train.max_staleness,
    )
    return sampler, sync
