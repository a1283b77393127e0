"""The paper's numbers, as its released recipes have them (repository spade-rl/spade at commit 9b2b813)."""

from __future__ import annotations

import pytest

from spade_envs.contract import REASONING_SKILLS, TOOL_SKILLS
from spade_envs.selfplay.config import Config
from spade_envs.selfplay.presets import PRESETS, ablated, preset

GAMES = ("paper-games-4b", "paper-games-8b", "paper-games-30b")
TOOLS = ("paper-tools-4b", "paper-tools-8b", "paper-tools-30b")

SAME: dict[str, tuple[object, str]] = {
    "design.difficulty": ("medium", "all recipes"),
    "design.temperature": (0.6, "cmd/games/train_spade_30b.sh:113"),
    "design.top_p": (0.95, "spade/slime/arguments.py:29-47"),
    "design.top_k": (20, "spade/slime/arguments.py:29-47"),
    "design.memory_seeds": (2, "spade/core/orchestrator.py:1204"),
    "design.memory_negatives": (1, "spade/core/orchestrator.py:1204"),
    "design.repairs": (0, "env_repair_turns, off in recipes"),
    "design.weight": (0.0, "rewards times min(n_agent / n_designer * interval, 50), spade/core/utils/rewards.py:53"),
    "design.refusals": (False, "failed designs are dropped, spade/core/orchestrator.py:1195"),
    "play.temperature": (0.6, "cmd/games/train_spade_30b.sh:114"),
    "play.top_p": (0.95, "spade/slime/arguments.py:63-80"),
    "play.top_k": (20, "spade/slime/arguments.py:63-80"),
    "play.max_tokens": (8192, "cmd/games/train_spade_30b.sh:115"),
    "play.context": (32768, "cmd/games/train_spade_30b.sh:117"),
    "play.max_turns": (25, "cmd/games/train_spade_30b.sh:118"),
    "play.episode_seconds": (300.0, "spade/core/orchestrator.py:1521"),
    "train.loss": ("grpo", "mean of an episode's tokens, then of episodes: Slime's default"),
    "train.advantage": ("spade", "spade/core/utils/trajectory_build.py:80"),
    "train.eps_low": (0.2, "all recipes"),
    "train.eps_high": (0.28, "all recipes"),
    "train.correction": ("token_truncate", "--use-tis"),
    "train.correction_cap": (2.0, "tis_clip, Slime's default"),
    "train.lr": (1e-6, "all recipes"),
    "train.betas": ((0.9, 0.98), "all recipes"),
    "train.weight_decay": (0.1, "all recipes"),
    "train.clip_norm": (1.0, "Slime's default"),
    "train.micro_tokens": (8192, "max tokens per GPU"),
    "train.kl_ratio": (False, "k3 without ratio"),
    "engine.engine": ("external", "Megatron and SGLang on eight GPUs"),
    "engine.lora_rank": (0, "all weights"),
    "run.checkpoint_every": (16, "save every 16"),
}
"""What all recipes share: value and source."""

TABLE: dict[str, tuple[tuple[object, ...], tuple[object, ...], str]] = {
    "run.cycles": ((400, 400, 400), (500, 400, 400), "num-rollout"),
    "design.slots": ((24, 24, 24), (16, 24, 24), "rollout-batch-size"),
    "train.batch": ((192, 192, 192), (256, 192, 192), "global-batch-size"),
    "play.plain": ((8, 8, 8), (16, 8, 8), "global batch / environments, orchestrator.py:2382"),
    "play.hinted": ((16, 16, 16), (4, 16, 16), "hint plays"),
    "design.interval": ((4, 4, 4), (32, 8, 8), "regen interval"),
    "design.delay": ((4, 4, 4), (32, 8, 8), "designer delay"),
    "design.window": ((3, 3, 3), (0, 0, 0), "SKILLS_PER_REGEN"),
    "design.skills": ((REASONING_SKILLS,) * 3, (TOOL_SKILLS,) * 3, "SPADE_SKILLS"),
    "design.reward": (("blend",) * 3, ("regret_floored", "blend", "blend"), "REWARD_VARIANT"),
    "design.plateau": (((0.4, 0.6, 0.25),) * 3, ((0.4, 0.6, 0.25),) * 3, "plateau low, high, ramp"),
    "design.max_tokens": ((16384, 20000, 16384), (16384, 20000, 16384), "designer tokens"),
    "train.kl": ((0.0, 0.005, 0.0), (0.005, 0.005, 0.005), "KL coefficient"),
    "play.overlong": (("keep",) * 3, ("mask",) * 3, "compact filter"),
    "design.contract": (("interactive",) * 3, ("tools",) * 3, "prompt selection"),
    "engine.model": (
        ("Qwen/Qwen3-4B-Instruct-2507", "Qwen/Qwen3-8B", "Qwen/Qwen3-30B-A3B-Instruct-2507"),
        ("Qwen/Qwen3-4B-Instruct-2507", "Qwen/Qwen3-8B", "Qwen/Qwen3-30B-A3B-Instruct-2507"),
        "base model",
    ),
}
"""What they differ in, 4B, 8B and 30B of each kind, and the recipes' name for it."""


def value(config: Config, name: str) -> object:
    """A setting by its whole name."""
    section, _, field = name.partition(".")
    return getattr(getattr(config, section), field)


@pytest.mark.parametrize("name", SAME)
def test_what_all_recipes_share(name: str) -> None:
    expected, source = SAME[name]
    for recipe in GAMES + TOOLS:
        assert value(preset(recipe), name) == expected, f"{recipe}: {source}"


@pytest.mark.parametrize("name", TABLE)
def test_what_recipes_differ_in(name: str) -> None:
    reasoning, tools, source = TABLE[name]
    assert tuple(value(preset(recipe), name) for recipe in GAMES) == reasoning, source
    assert tuple(value(preset(recipe), name) for recipe in TOOLS) == tools, source


@pytest.mark.parametrize("name", PRESETS)
def test_presets_can_be_run(name: str) -> None:
    PRESETS[name].config.check()


def test_the_ablations_are_the_paper_s() -> None:
    games = preset("paper-games-30b")
    assert ablated(games, ["no-corpus"]).design.corpus == ""
    bare = ablated(games, ["no-memory"]).design
    assert bare.memory_seeds == bare.memory_negatives == 0
    assert ablated(games, ["frozen-designer"]).design.designer == "frozen"
    pool = ablated(games, ["fixed-pool"]).design
    assert (pool.designer, pool.interval, pool.slots, pool.delay) == ("pool", 1, 24, 0)
    assert ablated(games, ["two-skills"]).design.skills == ("mathematical-reasoning", "pattern-recognition")
    potential = ablated(games, ["learning-potential"])
    assert (potential.design.reward, potential.play.hinted) == ("learning_potential", 0)
    rate = ablated(games, ["solve-rate"])
    assert (rate.design.reward, rate.design.plateau, rate.play.hinted) == ("solve_rate", (0.4, 0.6, 0.25), 16)


def test_ablations_can_be_put_together() -> None:
    both = ablated(preset("paper-games-30b"), ["frozen-designer", "no-memory"])
    both.check()
    assert both.design.designer == "frozen" and both.design.memory_seeds == 0
