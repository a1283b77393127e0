"""A configuration that cannot be run is refused with what was found, what is allowed and what to do."""

from __future__ import annotations

import dataclasses

import pytest

from spade_envs.contract import TOOL_SKILLS
from spade_envs.designer.plan import DIFFICULTIES as DESIGNER_DIFFICULTIES
from spade_envs.memory.choosing import STRATEGIES as MEMORY_STRATEGIES
from spade_envs.selfplay import config as kinds
from spade_envs.selfplay.config import Config, DesignSection, EngineSection, PlaySection, RunSection, TrainSection
from spade_envs.selfplay.conflicts import rid_of_unused, unused
from spade_envs.selfplay.failures import ConfigError

SECTIONS = {
    "run": RunSection,
    "design": DesignSection,
    "play": PlaySection,
    "train": TrainSection,
    "engine": EngineSection,
}


def config(**values: object) -> Config:
    """A configuration with some values, named as ``design_interval``."""
    parts: dict[str, dict[str, object]] = {name: {} for name in SECTIONS}
    for name, value in values.items():
        section, _, field = name.partition("_")
        parts[section][field] = value
    return Config(**{name: kind(**parts[name]) for name, kind in SECTIONS.items()})  # type: ignore[arg-type]


def test_the_defaults_go_together() -> None:
    Config().check()


def test_names_are_those_of_the_parts_they_choose() -> None:
    assert kinds.DIFFICULTIES == DESIGNER_DIFFICULTIES
    assert set(kinds.STRATEGIES) == set(MEMORY_STRATEGIES)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("run_seed", -1, "run.seed must be a whole number from 0 to 9223372036854775807, not -1"),
        ("run_cycles", 1.0, "run.cycles must be a whole number from 1"),
        ("run_cycles", True, "run.cycles must be a whole number"),
        ("run_folder", " ", "run.folder is empty; name the folder"),
        ("run_folder", "a\nb", "run.folder must be a text of one line"),
        ("design_designer", "traned", "did you mean trained? Allowed: trained, frozen, pool, uniform"),
        ("design_reward", "regret", "design.reward cannot be 'regret'; "),
        ("design_skills", (), "design.skills must be a list that names at least one"),
        ("design_skills", ("optimization", "optimization"), "none twice"),
        ("design_skills", ("optimisation",), "did you mean optimization? "),
        ("design_window", 7, "design.window must be a whole number from 0 to 6, not 7"),
        ("design_contract", "tool", "did you mean tools? Allowed: '', answer"),
        ("design_plateau", (0.4, 0.6), "design.plateau must be 3 numbers from 0 to 1, not [0.4, 0.6]"),
        ("design_plateau", (0.6, 0.4, 0.1), "0.6 is above 0.4; swap them"),
        ("design_guard", 1, "design.guard must be true or false, not 1"),
        ("play_temperature", 0.0, "play.temperature must be a number above 0 to 100, not 0.0"),
        ("play_top_p", 1.5, "play.top_p must be a number above 0 to 1"),
        ("play_episode_seconds", float("nan"), "play.episode_seconds must be a number"),
        ("train_lr", float("inf"), "train.lr must be a number above 0 to 1, not inf"),
        ("train_betas", (0.9, 1.0), "train.betas must be 2 numbers from 0 and below 1"),
        ("train_loss", "drgrpo", "did you mean dr_grpo? "),
        ("train_delta", 1.1, "train.delta must be 0, for none, or above 1 + eps_low = 1.2, not 1.1"),
        ("engine_engine", "VLLM", "did you mean vllm? "),
        ("engine_device", "cuda1", "did you mean cuda? "),
        ("engine_servers", ("localhost:8000",), "engine.servers must be a list of base URLs"),
    ],
)
def test_a_value_out_of_range_is_refused(name: str, value: object, said: str) -> None:
    with pytest.raises(ConfigError) as error:
        config(**{name: value})
    assert said in str(error.value)


def test_every_setting_is_checked() -> None:
    for name, kind in SECTIONS.items():
        for field in dataclasses.fields(kind):
            with pytest.raises(ConfigError, match=rf"{name}\.{field.name} "):
                kind(**{field.name: {"of": "another type"}})


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"design_interval": 4, "design_delay": 6}, "set delay to 0, 4, 8, ..."),
        ({"design_delay": 9}, "set max_staleness to 9 or more"),
        ({"play_hinted": 9}, "set hinted to 8 or less"),
        ({"play_hinted": 0}, 'leaves design.reward = "regret_shrunk" without a regret'),
        ({"play_group": "seed"}, "set play.repeats to 2 or more"),
        ({"play_group": "seed", "play_repeats": 3}, "play.plain = 8 is no multiple of play.repeats = 3"),
        ({"play_repeats": 2}, 'play.repeats = 2 is not used with play.group = "env"; leave it out'),
        ({"play_max_tokens": 8192, "play_context": 4096}, "above play.context = 4096"),
        ({"play_top_p": 0.95}, "play.top_p = 0.95 and play.top_k = 0: a sampler that leaves tokens out"),
        ({"design_top_k": 20}, "design.top_p = 1 and design.top_k = 20"),
        ({"design_designer": "pool"}, "needs design.pool"),
        ({"design_designer": "pool", "design_pool": "p", "run_folder": "p/run"}, "which is only read"),
        ({"design_designer": "pool", "design_pool": "p", "run_shelf": "p"}, "run.shelf = 'p' is not used"),
        ({"design_designer": "pool", "design_pool": "p", "design_repairs": 1}, "design.repairs = 1 is not used"),
        ({"design_designer": "frozen", "design_weight": 2.0}, 'not used with design.designer = "frozen"'),
        ({"design_designer": "uniform"}, 'set design.task = "specs"'),
        ({"design_pool": "p"}, "design.pool = 'p' is not used with design.designer = \"trained\""),
        ({"design_plateau": (0.2, 0.4, 0.2)}, "design.plateau = (0.2, 0.4, 0.2) is not used"),
        ({"design_reward": "learnability", "design_guard": False}, "design.guard = False is not used"),
        (
            {"design_memory_seeds": 0, "design_memory_negatives": 0, "design_strategy": "paper"},
            "not used without memory_seeds",
        ),
        ({"train_loss": "cispo", "train_level": "sequence"}, 'does not go with train.loss = "cispo"'),
        ({"train_loss": "cispo", "train_delta": 4.0}, 'train.delta = 4.0 is not used with train.loss = "cispo"'),
        ({"train_correction": "none", "train_correction_cap": 3.0}, "train.correction_cap = 3.0 is not used"),
        ({"train_kl_ratio": True}, "train.kl_ratio = True is not used with train.kl = 0"),
        ({"engine_engine": "vllm", "engine_model": "m"}, "needs engine.servers"),
        ({"engine_engine": "vllm", "engine_servers": ("http://h:1",)}, 'not "tiny"'),
        (
            {"engine_engine": "vllm", "engine_model": "m", "engine_lora_rank": 0, "engine_servers": ("http://h:1",)},
            "set engine.lora_rank above 0",
        ),
        ({"engine_servers": ("http://h:1",)}, 'is not used with engine.engine = "hf"'),
        ({"engine_lora_rank": 0, "engine_lora_alpha": 8}, "engine.lora_alpha = 8 is not used"),
        ({"engine_engine": "scripted", "engine_model": "m"}, "engine.model = 'm' is not used"),
        ({"engine_model": "m", "engine_warm_up": 5}, "engine.warm_up = 5 is not used"),
    ],
)
def test_what_does_not_go_together_is_refused(values: dict[str, object], said: str) -> None:
    with pytest.raises(ConfigError) as error:
        config(**values).check()
    assert said in str(error.value)


def test_everything_wrong_is_said_at_once() -> None:
    with pytest.raises(ConfigError) as error:
        config(design_delay=9, play_hinted=9, design_pool="p").check()
    assert len(str(error.value).splitlines()) == 3


@pytest.mark.parametrize(
    "values",
    [
        {"design_interval": 4, "design_delay": 8},
        {"play_hinted": 0, "design_reward": "learnability"},
        {"play_group": "seed", "play_repeats": 2},
        {"play_top_p": 0.95, "train_allow_truncated_sampling": True},
        {"design_designer": "pool", "design_pool": "p", "design_interval": 4},
        {"design_designer": "uniform", "design_task": "specs"},
        {"design_reward": "solve_rate", "design_plateau": (0.2, 0.4, 0.2)},
        {"engine_engine": "vllm", "engine_model": "m", "engine_servers": ("http://127.0.0.1:8000",)},
        {"engine_device": "cuda:1"},
        {"engine_engine": "external", "design_reward": "blend", "play_hinted": 16},
        {"design_skills": TOOL_SKILLS, "design_contract": "tools"},
    ],
)
def test_what_goes_together_is_accepted(values: dict[str, object]) -> None:
    config(**values).check()


def test_a_truncated_designer_that_is_not_trained_on_is_fine() -> None:
    config(design_designer="frozen", design_top_p=0.95).check()


def test_what_is_not_used_can_be_left_out() -> None:
    mixed = config(design_designer="pool", design_pool="p", design_repairs=3, design_weight=0.0, run_shelf="s")
    with pytest.raises(ConfigError):
        mixed.check()
    clean = rid_of_unused(mixed)
    clean.check()
    assert clean.design.pool == "p" and clean.design.repairs == 0
    assert rid_of_unused(clean) == clean


def test_settings_without_use_are_settings() -> None:
    strange = config(design_designer="pool", design_pool="p", engine_engine="scripted", train_loss="cispo")
    for name in unused(strange):
        section, _, field = name.partition(".")
        assert hasattr(getattr(strange, section), field), name
