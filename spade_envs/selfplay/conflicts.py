"""What the sections of a configuration must have in common, and settings that another one leaves without use."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .config import Config

PAIRED = frozenset({"regret_shrunk", "regret_floored", "blend"})
"""Rewards that need the hinted arm."""

_PAYMENT = "reward plateau refusals guard weight delay"
_SAMPLING = "temperature top_p top_k max_tokens"
_SHOWN = "corpus memory_seeds memory_negatives strategy difficulty repairs"


def disagreements(config: Config) -> list[str]:
    """A sentence for everything that does not go together; none where all does."""
    return [*_contradictions(config), *_idle(config)]


def unused(config: Config) -> dict[str, str]:
    """Settings, as ``section.field``, that would not be looked at, whatever they are, and by which choice."""
    found: dict[str, str] = {}
    for fields, why in _without_use(config):
        for name in fields.split():
            found.setdefault(name, why)
    return found


def rid_of_unused(config: Config) -> Config:
    """The same run, with defaults where a setting would not be looked at."""
    changed: dict[str, dict[str, object]] = {}
    for name in unused(config):
        section, _, field = name.partition(".")
        changed.setdefault(section, {})[field] = _default(config, section, field)
    sections = {name: dataclasses.replace(getattr(config, name), **values) for name, values in changed.items()}
    return dataclasses.replace(config, **sections)


def _default(config: Config, section: str, field: str) -> object:
    return getattr(type(getattr(config, section))(), field)


def _idle(config: Config) -> Iterator[str]:
    for name, why in unused(config).items():
        section, _, field = name.partition(".")
        value, default = getattr(getattr(config, section), field), _default(config, section, field)
        if value != default:
            yield f"{name} = {value!r} is not used {why}; leave it out"


def _without_use(config: Config) -> Iterator[tuple[str, str]]:
    """Fields without use, each with its section, and the choice that makes them so."""
    yield from _without_use_in_design(config)
    yield from _without_use_in_play_and_training(config)
    engine = config.engine
    if engine.engine != "vllm":
        yield "engine.servers engine.adapters", f'with engine.engine = "{engine.engine}"'
    if engine.engine == "scripted":
        fields = "model device dtype lora_rank lora_alpha gap_factor gap_floor warm_up"
        yield _of("engine", fields), 'with engine.engine = "scripted"'
    elif engine.engine == "external":
        yield _of("engine", "device gap_factor gap_floor warm_up"), 'with engine.engine = "external"'
    elif engine.model != "tiny" and config.design.task != "specs":
        yield "engine.warm_up", f'with engine.model = "{engine.model}" and design.task = "sources"'
    if engine.lora_rank == 0:
        yield "engine.lora_alpha", "with engine.lora_rank = 0"


def _without_use_in_design(config: Config) -> Iterator[tuple[str, str]]:
    design = config.design
    choice = f'with design.designer = "{design.designer}"'
    if design.designer != "trained":
        yield _of("design", _PAYMENT), choice
    if design.designer in ("pool", "uniform"):
        yield _of("design", f"{_SHOWN} {_SAMPLING}"), choice
    if design.designer == "pool":
        yield _of("design", "skills window contract novelty"), choice
        yield "run.shelf", choice
    else:
        yield "design.pool", choice
    if design.reward not in ("blend", "solve_rate"):
        yield "design.plateau", f'with design.reward = "{design.reward}"'
    if design.reward not in PAIRED:
        yield "design.guard", f'with design.reward = "{design.reward}"'
    if design.memory_seeds == design.memory_negatives == 0:
        yield "design.strategy", "without memory_seeds and memory_negatives"


def _without_use_in_play_and_training(config: Config) -> Iterator[tuple[str, str]]:
    if config.play.group != "seed":
        yield "play.repeats", f'with play.group = "{config.play.group}"'
    train = config.train
    if train.correction == "none":
        yield "train.correction_cap", 'with train.correction = "none"'
    if train.kl == 0.0:
        yield "train.kl_ratio", "with train.kl = 0"
    if train.loss == "cispo":
        yield "train.delta", 'with train.loss = "cispo"'


def _of(section: str, fields: str) -> str:
    return " ".join(f"{section}.{field}" for field in fields.split())


def _contradictions(config: Config) -> Iterator[str]:
    yield from _about_design(config)
    yield from _about_arms(config)
    yield from _about_truncation(config)
    train, engine = config.train, config.engine
    if train.loss == "cispo" and train.level == "sequence":
        yield 'train.level = "sequence" does not go with train.loss = "cispo"; set level = "token", or another loss'
    if engine.engine == "vllm":
        if not engine.servers:
            yield 'engine.engine = "vllm" needs engine.servers, such as ["http://127.0.0.1:8000"]'
        if engine.lora_rank == 0:
            yield 'engine.engine = "vllm" publishes LoRA adapters; set engine.lora_rank above 0, or engine = "external"'
        if engine.model == "tiny":
            yield 'engine.engine = "vllm" needs engine.model, the model that the servers hold, not "tiny"'


def _about_design(config: Config) -> Iterator[str]:
    design, run = config.design, config.run
    if design.delay % design.interval:
        yield (
            f"design.delay = {design.delay} is no multiple of design.interval = {design.interval}: designs are trained "
            f"on in cycles that design; set delay to 0, {design.interval}, {2 * design.interval}, ..."
        )
    if design.designer == "trained" and design.delay > config.train.max_staleness:
        yield (
            f"design.delay = {design.delay} is above train.max_staleness = {config.train.max_staleness}: every design "
            f"would be dropped as stale; set max_staleness to {design.delay} or more"
        )
    if design.designer == "uniform" and design.task != "specs":
        yield 'design.designer = "uniform" draws specifications; set design.task = "specs"'
    if design.designer == "pool":
        if not design.pool:
            yield 'design.designer = "pool" needs design.pool, the folder of a shelf; it is only read'
        elif _within(run.folder, design.pool):
            yield f"run.folder = {run.folder!r} lies in design.pool = {design.pool!r}, which is only read; name another"


def _about_arms(config: Config) -> Iterator[str]:
    design, play = config.design, config.play
    trained = design.designer == "trained"
    if trained and design.reward in PAIRED and play.hinted == 0:
        yield f'play.hinted = 0 leaves design.reward = "{design.reward}" without a regret; set hinted above 0'
    # The paper's formulas compare means of arms of unequal length; a paired regret cannot.
    unequal = config.engine.engine == "external" and (design.reward != "regret_shrunk" or not trained)
    if play.hinted > play.plain and not unequal:
        yield (
            f"play.hinted = {play.hinted} is above play.plain = {play.plain}: each hinted episode has the seed of a "
            f"plain one; set hinted to {play.plain} or less"
        )
    if play.group == "seed" and play.repeats < 2:
        yield 'play.group = "seed" compares episodes of one seed; set play.repeats to 2 or more'
    elif play.group == "seed" and play.plain % play.repeats:
        yield f"play.plain = {play.plain} is no multiple of play.repeats = {play.repeats}, the episodes of a seed"
    if play.max_tokens > play.context:
        yield f"play.max_tokens = {play.max_tokens} is above play.context = {play.context}; lower it, or raise context"


def _about_truncation(config: Config) -> Iterator[str]:
    if config.train.allow_truncated_sampling:
        return
    sections = [("play", config.play.top_p, config.play.top_k)]
    if config.design.designer == "trained":
        sections.append(("design", config.design.top_p, config.design.top_k))
    for name, top_p, top_k in sections:
        if top_p < 1.0 or top_k > 0:
            yield (
                f"{name}.top_p = {top_p:g} and {name}.top_k = {top_k}: a sampler that leaves tokens out renormalises, "
                "and the learner does not, so that their log-probabilities differ; set top_p = 1 and top_k = 0, or "
                "train.allow_truncated_sampling = true"
            )


def _within(inner: str, outer: str) -> bool:
    return Path(inner).resolve().is_relative_to(Path(outer).resolve())
