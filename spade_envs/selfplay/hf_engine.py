"""The engine without a server: transformers learns, and samples from the same weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from ..seeds import derive_seed
from .config import Config
from .failures import ConfigError, TrainingError
from .hf_sampler import HfGenerate
from .learner import HfLearner
from .lora_sync import SharedWeights
from .policy_model import Lora
from .renderers import CharRenderer, ChatRenderer, example
from .sampling import Renderer
from .specs import ALPHABET
from .tasks import Task
from .tiny_model import TinyShape, byte_model, char_model

WARM_UP_EXAMPLES = 32768
"""Supervised examples that a tiny model is shown at most; then again from the first one."""
WARM_UP_BATCH, WARM_UP_LR = 32, 4e-3
"""Examples of a supervised step, and its learning rate at first."""


@dataclass(frozen=True)
class Loaded:
    """A model, and how it is spoken to."""

    model: Any
    renderer: ChatRenderer | CharRenderer
    context: int
    """Tokens of its longest sequence."""


def loaded(config: Config) -> Loaded:
    """The model that a configuration names; ``tiny`` is made on the spot.

    Raises:
        TrainingError: when it cannot be had.
    """
    engine, context = config.engine, config.play.context
    if engine.model != "tiny":
        return _from_files(config)
    seed = derive_seed(config.run.seed, "model")
    if config.design.task == "specs":
        chars = CharRenderer(ALPHABET)
        shape = TinyShape(hidden=64, layers=2, heads=4, kv_heads=4, head_dim=16, intermediate=128, context=context)
        return Loaded(char_model(chars, seed=seed, shape=shape), chars, context)
    model, tokenizer = byte_model(seed=seed, shape=TinyShape(context=context))
    return Loaded(model, ChatRenderer(tokenizer), context)


def _from_files(config: Config) -> Loaded:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    name, dtype = config.engine.model, dtype_of(config)
    try:
        tokenizer = AutoTokenizer.from_pretrained(name)
        model = AutoModelForCausalLM.from_pretrained(name, dtype=dtype)
    except (OSError, ValueError) as error:
        said = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        raise TrainingError(
            f"the model {name!r} cannot be loaded: {said}; name a folder or a model you have"
        ) from error
    longest = int(getattr(model.config, "max_position_embeddings", config.play.context))
    return Loaded(model, ChatRenderer(tokenizer), min(longest, max(config.play.context, config.design.max_tokens * 2)))


def dtype_of(config: Config) -> torch.dtype:
    """Precision to compute in.

    Raises:
        ConfigError: when there is no such one.
    """
    kinds = {"bfloat16": torch.bfloat16, "float16": torch.float16, "float32": torch.float32}
    if config.engine.dtype not in kinds:
        raise ConfigError(f"engine.dtype is {config.engine.dtype!r}; allowed: {', '.join(kinds)}")
    return kinds[config.engine.dtype]


def device_of(config: Config) -> str:
    """``auto`` is the first CUDA device, or the processor."""
    if config.engine.device == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    return config.engine.device


def learner_of(config: Config, seen: Loaded) -> HfLearner:
    """The learner, as its model came."""
    engine = config.engine
    lora = Lora(rank=engine.lora_rank, alpha=engine.lora_alpha, seed=derive_seed(config.run.seed, "lora"))
    if engine.model == "tiny" and device_of(config) == "cpu":
        torch.set_num_threads(1)  # more are slower for matrices so small
    return HfLearner(
        seen.model.to(device_of(config)),
        config.train,
        max_length=config.play.context,
        padding=seen.renderer.padding,
        lora=lora if engine.lora_rank else None,
        dtype=dtype_of(config),
        checkpointing=engine.model != "tiny",
    )


def warmed_up(config: Config, task: Task, seen: Loaded, learner: HfLearner) -> None:
    """Supervised steps on the task's examples, where they are asked for."""
    steps = config.engine.warm_up
    if not steps:
        return
    seed = derive_seed(config.run.seed, "warm-up")
    told = task.warm_up(seed, min(WARM_UP_EXAMPLES, WARM_UP_BATCH * steps))
    examples = [example(seen.renderer, said, talk) for said, talk in told]
    learner.warm_up(examples, steps=steps, batch=WARM_UP_BATCH, lr=WARM_UP_LR, seed=seed)


def sampler_of(learner: HfLearner, renderer: Renderer, context: int) -> HfGenerate:
    """A sampler that looks at the learner's own weights."""
    return HfGenerate(learner, ends=renderer.ends, padding=renderer.padding, context=context)


def shared(config: Config, learner: HfLearner) -> SharedWeights:
    """There is nothing to publish; the gap between what sampled and what learns is looked at all the same."""
    sections = (config.play, config.design)
    exact = all(one.top_p == 1.0 and one.top_k == 0 for one in sections)
    engine = config.engine
    return SharedWeights(learner, gap_factor=engine.gap_factor, gap_floor=engine.gap_floor, exact=exact)
