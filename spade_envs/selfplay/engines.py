"""Engines by name: what learns, what samples, and how weights get from one to the other."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from ..prompts import agent_system, prompt
from ..types import CONTRACTS, Stop
from .config import Config
from .failures import ConfigError
from .sampling import Draw, Renderer, Sampler
from .scripted import SYSTEM, ByteRenderer, NoSync, Script, ScriptedLearner, ScriptedSampler
from .steps import Learner, WeightSync
from .tasks import Task


@dataclass(frozen=True)
class Engine:
    """A policy that can be drawn from and trained."""

    learner: Learner
    sampler: Sampler
    renderer: Renderer
    sync: WeightSync
    lockstep: bool
    """Whether the sampler batches: then episodes wait for each other at every turn."""


async def engine_of(
    config: Config, task: Task, folder: Path, stack: contextlib.AsyncExitStack, *, script: Script | None = None
) -> Engine:
    """The engine that a configuration names.

    Args:
        config: of the run.
        task: whose examples warm a tiny model up.
        folder: of the run.
        stack: closes what was opened.
        script: what the ``scripted`` engine says; by default :func:`demonstration`.

    Raises:
        ConfigError: for ``external``, or when the extra for it is not installed.
        TrainingError: when a server or a model cannot be had.
    """
    name = config.engine.engine
    if name == "scripted":
        learner = ScriptedLearner(config.run.seed)
        sampler = ScriptedSampler(script or demonstration, learner)
        return Engine(learner, sampler, ByteRenderer(), NoSync(learner), lockstep=True)
    if name == "external":
        raise ConfigError(
            'engine = "external" says that another program trains: see docs/training-engines.md for how it takes '
            "trajectories; to train here choose hf or vllm"
        )
    return await _of_torch(config, task, folder, stack)


async def _of_torch(config: Config, task: Task, folder: Path, stack: contextlib.AsyncExitStack) -> Engine:
    try:
        from .hf_engine import learner_of, loaded, sampler_of, shared
    except ImportError as error:
        raise ConfigError(f"training needs PyTorch and more: pip install 'spade-envs[train]' ({error})") from error
    seen = loaded(config)
    learner = learner_of(config, task, seen)
    if config.engine.engine == "hf":
        sampler = sampler_of(learner, seen.renderer, seen.context)
        stack.callback(sampler.close)
        return Engine(learner, sampler, seen.renderer, shared(config, learner), lockstep=True)
    from .vllm_engine import sampler_and_sync, servers_of

    client = await servers_of(config, stack)
    server, sync = sampler_and_sync(config, client, learner, seen, folder)
    return Engine(learner, server, seen.renderer, sync, lockstep=False)


def demonstration(conversation: Sequence[tuple[int, str]], draw: Draw, version: int) -> str | Stop:
    """A policy that learns nothing: as designer it gives replies that ship with the package, as agent it guesses."""
    system = conversation[0][1] if conversation and conversation[0][0] == SYSTEM else ""
    if system in {agent_system(contract).text for contract in CONTRACTS}:
        return f"\\boxed{{{draw.seed % 10}}}"
    if system in {prompt(f"hint-{contract}").fill() for contract in CONTRACTS}:
        return "Read the rules again and try the smallest case first."
    replies = sorted(resources.files("spade_envs").joinpath("demo", "replies").iterdir(), key=lambda one: one.name)
    return replies[draw.seed % len(replies)].read_text("utf-8")
