"""What a run would take: tokens, memory and disk, by formulas that are shown, and what cannot be known before.

Tokens are upper bounds: every reply as long as it may be and every episode as long as its context. Real runs stay far
below; what decides it, the lengths of replies, is known from the first cycle's metrics only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .config import Config
from .model_shapes import BYTES, ModelShape, shape_of

TOKENS, BYTE, COUNT = "tokens", "bytes", ""
"""Units of estimates."""


@dataclass(frozen=True)
class Estimate:
    """One number of a plan."""

    part: str
    """``cycle``, ``run``, ``learner``, ``sampler`` or ``disk``."""
    what: str
    value: int
    unit: str
    """``tokens``, ``bytes``, or empty for a count."""
    how: str
    """The formula, with the names of settings."""
    most: bool = False
    """Whether it is an upper bound."""


@dataclass(frozen=True)
class Plan:
    """A resolved run, and what it would take."""

    config: Config
    estimates: tuple[Estimate, ...]
    unknown: tuple[str, ...]
    """What cannot be known before it runs, in sentences."""

    def value(self, what: str) -> int:
        """The number of an estimate by its name.

        Raises:
            KeyError: the plan has none of this name.
        """
        return {one.what: one.value for one in self.estimates}[what]


def plan(config: Config) -> Plan:
    """Estimate a run. Nothing is loaded, asked or written.

    >>> from spade_envs.selfplay.presets import preset
    >>> round(plan(preset("single-gpu-4b")).value("weights") / 1e9, 2)
    8.04
    """
    shape = shape_of(config.engine.model)
    estimates = [*_counts(config), *_tokens(config)]
    if shape is not None and config.engine.engine != "scripted":
        estimates += [*_learner(config, shape), *_sampler(config, shape), *_disk(config, shape)]
    return Plan(config, tuple(estimates), tuple(_unknown(config, shape)))


def designing_cycles(config: Config) -> int:
    """Cycles of the run that ask for designs, or draw from the pool: 0, ``interval``, 2 ``interval`` and so on."""
    return -(-config.run.cycles // config.design.interval)


def _asks(config: Config) -> bool:
    return config.design.designer in ("trained", "frozen")


def _replies(config: Config) -> int:
    """Designer replies of a cycle that designs, at most."""
    return config.design.slots * (1 + config.design.repairs) if _asks(config) else 0


def _trained(config: Config) -> int:
    """Trajectories of a step, at most."""
    if config.train.batch:
        return config.train.batch
    designs = _replies(config) if config.design.designer == "trained" else 0
    return config.design.slots * config.play.plain + designs


def _counts(config: Config) -> Iterator[Estimate]:
    design, play = config.design, config.play
    yield Estimate("cycle", "environments", design.slots, COUNT, "slots", most=True)
    yield Estimate("cycle", "plain episodes", design.slots * play.plain, COUNT, "slots * plain", most=True)
    yield Estimate("cycle", "hinted episodes", design.slots * play.hinted, COUNT, "slots * hinted", most=True)
    trained = "batch" if config.train.batch else "slots * plain, and replies of a trained designer"
    yield Estimate("cycle", "trained trajectories", _trained(config), COUNT, trained, most=True)
    cycles = designing_cycles(config)
    yield Estimate("run", "cycles that design", cycles, COUNT, "cycles / interval, rounded up")
    if design.designer != "pool":
        asked = cycles * design.slots * (1 + design.repairs)
        yield Estimate("run", "sources checked", asked, COUNT, "cycles that design * slots * (1 + repairs)", most=True)


def _tokens(config: Config) -> Iterator[Estimate]:
    design, play = config.design, config.play
    episode = min(play.context, play.max_turns * play.max_tokens)
    said = "min(context, max_turns * max_tokens)"
    designs = _replies(config) * design.max_tokens
    plain, hinted = design.slots * play.plain * episode, design.slots * play.hinted * episode
    if _asks(config):
        formula = "slots * (1 + repairs) * design.max_tokens"
        yield Estimate("cycle", "sampled in designs", designs, TOKENS, formula, most=True)
    yield Estimate("cycle", "sampled in plain episodes", plain, TOKENS, f"slots * plain * {said}", most=True)
    yield Estimate("cycle", "sampled in hinted episodes", hinted, TOKENS, f"slots * hinted * {said}", most=True)
    longest = max(play.context, design.max_tokens) if design.designer == "trained" else play.context
    trained = _trained(config) * longest
    yield Estimate("cycle", "trained on", trained, TOKENS, "trained trajectories * longest of them", most=True)
    rest = config.run.cycles * plain + designing_cycles(config) * (designs + hinted)
    formula = "cycles * plain + cycles that design * (designs + hinted)"
    yield Estimate("run", "sampled in all", rest, TOKENS, formula, most=True)


def _trainable(config: Config, shape: ModelShape) -> tuple[int, int, str]:
    """Weights that are trained, bytes of each, and a word on both: adapters are kept in 32 bits."""
    if config.engine.lora_rank:
        return shape.lora(config.engine.lora_rank), 4, "LoRA, float32"
    return shape.parameters, BYTES[config.engine.dtype], f"all, {config.engine.dtype}"


def _learner(config: Config, shape: ModelShape) -> Iterator[Estimate]:
    engine, train = config.engine, config.train
    yield Estimate("learner", "parameters", shape.parameters, COUNT, "of the model")
    yield Estimate("learner", "weights", shape.parameters * BYTES[engine.dtype], BYTE, f"parameters in {engine.dtype}")
    if engine.engine == "external":
        # bf16 weights are above; a float32 gradient, master copy and two moments are what Megatron and FSDP keep.
        more = 16 * shape.parameters
        yield Estimate("learner", "gradient and optimizer", more, BYTE, "4 + 4 + 8 bytes per parameter, of all GPUs")
        return
    count, size, kind = _trainable(config, shape)
    yield Estimate("learner", "trained parameters", count, COUNT, kind)
    if engine.lora_rank:
        yield Estimate("learner", "adapter weights", count * size, BYTE, f"trained parameters * {size}")
    formula = f"trained parameters * {size}"
    yield Estimate("learner", "gradient", count * size, BYTE, formula)
    yield Estimate("learner", "optimizer", 2 * count * size, BYTE, f"two moments of AdamW: 2 * {formula}")
    chunk = train.logprob_chunk or train.micro_tokens
    logits = 2 * chunk * shape.vocab * 4
    yield Estimate("learner", "logits", logits, BYTE, "logprob_chunk * vocabulary in float32, and their gradient")
    saved = shape.layers * train.micro_tokens * shape.hidden * BYTES[engine.dtype]
    formula = "layers * micro_tokens * width: what is kept with gradient checkpointing"
    yield Estimate("learner", "activations", saved, BYTE, formula)


def _sampler(config: Config, shape: ModelShape) -> Iterator[Estimate]:
    play, engine = config.play, config.engine
    episodes = config.design.slots * (play.plain + play.hinted)
    per_episode = shape.kv_bytes * play.context
    yield Estimate("sampler", "cache of a token", shape.kv_bytes, BYTE, "2 * layers * kv_heads * head_dim in 16 bits")
    yield Estimate("sampler", "cache of an episode", per_episode, BYTE, "cache of a token * context", most=True)
    formula = "cache of an episode * slots * (plain + hinted): if all ran at once"
    yield Estimate("sampler", "cache of all episodes", per_episode * episodes, BYTE, formula, most=True)
    if engine.engine == "vllm":
        size = shape.parameters * BYTES[engine.dtype]
        yield Estimate(
            "sampler", "weights of a server", size, BYTE, f"parameters in {engine.dtype}, beside the learner's"
        )


def _disk(config: Config, shape: ModelShape) -> Iterator[Estimate]:
    if config.engine.engine == "external":
        return
    count, size, kind = _trainable(config, shape)
    each = 3 * count * size
    yield Estimate("disk", "a checkpoint", each, BYTE, f"weights and two moments ({kind}): 3 * {size} bytes each")
    kept = config.run.keep + 1
    yield Estimate("disk", "checkpoints", each * kept, BYTE, "a checkpoint * (keep + 1, while the newest is written)")
    if config.engine.engine == "vllm":
        formula = "trained parameters * 4, for each version that is still served"
        yield Estimate("disk", "an adapter", count * size, BYTE, formula)


def _unknown(config: Config, shape: ModelShape | None) -> Iterator[str]:
    engine = config.engine
    yield "How long replies and episodes are, so how many tokens there really will be: the first cycles show it."
    yield "How long a cycle takes: it depends on lengths, machine and server."
    yield "How many designs the gate admits: fewer of them are played by as much."
    if engine.engine == "scripted":
        return
    if shape is None:
        made = engine.model == "tiny"
        why = "it is made on the spot, with a few million parameters at most" if made else "its shape is not known here"
        yield f"Memory and disk for the model {engine.model}: {why}."
    elif engine.engine == "external":
        yield "How the engine spreads weights, gradients and activations over GPUs, and what it keeps on disk."
    else:
        yield "What attention and PyTorch take beside the above: allow a few gigabytes on a GPU."
    if shape is not None and shape.experts and engine.lora_rank:
        yield "Adapters of experts: they are not counted."
