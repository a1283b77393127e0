"""Runs with a name: presets, and ablations that change any of them.

``paper-*`` have the numbers of the paper's released recipes (SPADE, arXiv 2608.19197; its repository at commit
9b2b813), as far as settings of ours express them, for engines that can run them. What the recipes do otherwise: a
refused design is asked for again up to five times, and the corpus is the authors' own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from ..contract import REASONING_SKILLS, TOOL_SKILLS
from .checks import nearest
from .config import Config, DesignSection, EngineSection, PlaySection, RunSection, TrainSection
from .conflicts import rid_of_unused
from .failures import ConfigError
from .reading import Setting, resolved, with_settings

MODELS = {
    "4b": "Qwen/Qwen3-4B-Instruct-2507",
    "8b": "Qwen/Qwen3-8B",
    "30b": "Qwen/Qwen3-30B-A3B-Instruct-2507",
}
"""Models of the paper by size."""


@dataclass(frozen=True)
class Preset:
    """A configuration with a name."""

    name: str
    about: str
    config: Config


def preset(name: str) -> Config:
    """The configuration of this name.

    Raises:
        ConfigError: there is none; the message names all.

    >>> preset("paper-games-4b").design.slots
    24
    """
    if name not in PRESETS:
        raise ConfigError(f"there is no preset {name[:80]!r}; {nearest(name, PRESETS)}Allowed: {', '.join(PRESETS)}")
    return PRESETS[name].config


def ablated(config: Config, names: Iterable[str]) -> Config:
    """The run without something; what then has no use falls back to its default.

    Raises:
        ConfigError: there is no such ablation, or it changes nothing.
    """
    for name in names:
        if name not in ABLATIONS:
            hint = nearest(name, ABLATIONS)
            raise ConfigError(f"there is no ablation {name[:80]!r}; {hint}Allowed: {', '.join(ABLATIONS)}")
        without = rid_of_unused(ABLATIONS[name](config))
        if without == config:
            raise ConfigError(f"the ablation {name} changes nothing of this run; leave it out")
        config = without
    return config


def assembled(base: Config, file: Iterable[Setting], ablations: Iterable[str], flags: Iterable[Setting]) -> Config:
    """A preset or the defaults, then a file, then ablations, then flags: checked as a whole.

    Raises:
        ConfigError: a setting is wrong, or they do not go together.
    """
    file, ablations, flags = list(file), list(ablations), list(flags)
    if not ablations:
        return resolved(base, [*file, *flags])
    return resolved(ablated(with_settings(base, file), ablations), flags)


def _no_corpus(config: Config) -> Config:
    return replace(config, design=replace(config.design, corpus=""))


def _no_memory(config: Config) -> Config:
    return replace(config, design=replace(config.design, memory_seeds=0, memory_negatives=0))


def _frozen_designer(config: Config) -> Config:
    return replace(config, design=replace(config.design, designer="frozen"))


def _fixed_pool(config: Config) -> Config:
    """Environments of ``design.pool``, other ones in every cycle; the pool is only read."""
    return replace(config, design=replace(config.design, designer="pool"))


def _two_skills(config: Config) -> Config:
    """The paper's two, or with tool use the first two of its list, for which the paper has no such run."""
    skills = ("mathematical-reasoning", "pattern-recognition")
    if set(config.design.skills) <= set(TOOL_SKILLS):
        skills = TOOL_SKILLS[:2]
    return replace(config, design=replace(config.design, skills=skills, window=0))


def _learning_potential(config: Config) -> Config:
    """As in the paper's run nothing is played with a hint."""
    design = replace(config.design, reward="learning_potential")
    return replace(config, design=design, play=replace(config.play, hinted=0))


def _solve_rate(config: Config) -> Config:
    design = replace(config.design, reward="solve_rate", plateau=(0.4, 0.6, 0.25))
    return replace(config, design=design)


ABLATIONS: Mapping[str, Callable[[Config], Config]] = {
    "no-corpus": _no_corpus,
    "no-memory": _no_memory,
    "frozen-designer": _frozen_designer,
    "fixed-pool": _fixed_pool,
    "two-skills": _two_skills,
    "learning-potential": _learning_potential,
    "solve-rate": _solve_rate,
}
"""What may be taken away from any run, by name (the paper's ablations)."""


def _tiny() -> Config:
    """Minutes on two processors: a model made on the spot writes specifications of a few tokens."""
    return Config(
        run=RunSection(cycles=120, evaluate_every=10, evaluate_seeds=16, checkpoint_every=20),
        design=DesignSection(
            task="specs",
            slots=8,
            skills=("pattern-recognition",),
            corpus="",
            novelty="off",
            strategy="paper",
            guard=False,
            weight=0.5,
            max_tokens=6,
        ),
        play=PlaySection(plain=8, hinted=8, max_tokens=3, context=128, episode_seconds=60.0),
        train=TrainSection(lr=5e-4, weight_decay=0.0, micro_tokens=8192),
        engine=EngineSection(model="tiny", device="cpu", dtype="float32", lora_rank=0, warm_up=1800),
    )


def _single() -> Config:
    """One GPU: transformers and PEFT beside a server of vLLM; the paper's step is for all weights, LoRA takes more."""
    return Config(
        run=RunSection(cycles=200),
        design=DesignSection(repairs=1, max_tokens=8192),
        play=PlaySection(max_tokens=4096, context=16384),
        train=TrainSection(lr=1e-5),
        engine=EngineSection(
            engine="vllm", model=MODELS["4b"], device="cuda", lora_rank=32, servers=("http://127.0.0.1:8000",)
        ),
    )


def _paper(size: str, *, tools: bool) -> Config:
    """A recipe of the paper's repository; ``cmd/games`` and ``cmd/tool_use`` hold the originals."""
    small = tools and size == "4b"
    interval = 4 if not tools else 32 if small else 8
    design = DesignSection(
        slots=16 if small else 24,
        interval=interval,
        delay=interval,
        skills=TOOL_SKILLS if tools else REASONING_SKILLS,
        window=0 if tools else 3,
        contract="tools" if tools else "interactive",
        strategy="paper",
        novelty="off",
        reward="regret_floored" if small else "blend",
        refusals=False,
        guard=False,
        weight=0.0,
        temperature=0.6,
        top_p=0.95,
        top_k=20,
        max_tokens=20000 if size == "8b" else 16384,
    )
    play = PlaySection(
        plain=16 if small else 8,
        hinted=4 if small else 16,
        temperature=0.6,
        top_p=0.95,
        top_k=20,
        overlong="mask" if tools else "keep",
        episode_seconds=300.0,
    )
    train = TrainSection(
        loss="grpo",
        advantage="spade",
        kl=0.005 if tools or size == "8b" else 0.0,
        batch=256 if small else 192,
        micro_tokens=8192,
        max_staleness=max(8, interval),
        allow_truncated_sampling=True,
    )
    engine = EngineSection(engine="external", model=MODELS[size], lora_rank=0)
    run = RunSection(cycles=500 if small else 400, checkpoint_every=16)
    return Config(run=run, design=design, play=play, train=train, engine=engine)


def _all() -> list[Preset]:
    found = [
        Preset("tiny-cpu", "minutes on two processors, with a model made on the spot", _tiny()),
        Preset("single-gpu-4b", "one GPU, LoRA beside `vllm serve`", _single()),
    ]
    for tools in (False, True):
        kind = "tools" if tools else "games"
        for size, model in MODELS.items():
            about = f"the paper's recipe with {model.partition('/')[2]}, for an engine of many GPUs"
            found.append(Preset(f"paper-{kind}-{size}", about, _paper(size, tools=tools)))
    return found


PRESETS: Mapping[str, Preset] = {one.name: one for one in _all()}
"""Presets by name."""
