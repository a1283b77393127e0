"""What a run would take: each number by hand, and shapes of models against their published sizes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from spade_envs.selfplay.config import Config
from spade_envs.selfplay.model_shapes import SHAPES, shape_of
from spade_envs.selfplay.plan import plan
from spade_envs.selfplay.presets import PRESETS, ablated, preset

SMALL = {
    "num_attention_heads": 4,
    "hidden_size": 8,
    "num_hidden_layers": 2,
    "intermediate_size": 16,
    "num_key_value_heads": 2,
    "vocab_size": 10,
    "tie_word_embeddings": True,
}


@pytest.mark.parametrize(
    ("model", "parameters", "active"),
    [
        # As transformers counts models that are made of the published configurations.
        ("Qwen/Qwen3-4B-Instruct-2507", 4_022_468_096, 4_022_468_096),
        ("Qwen/Qwen3-8B", 8_190_735_360, 8_190_735_360),
        ("Qwen/Qwen3-30B-A3B-Instruct-2507", 30_532_122_624, 3_353_032_704),
    ],
)
def test_models_have_their_published_sizes(model: str, parameters: int, active: int) -> None:
    assert (SHAPES[model].parameters, SHAPES[model].active) == (parameters, active)


def test_adapters_are_as_large_as_peft_makes_them() -> None:
    assert SHAPES["Qwen/Qwen3-4B-Instruct-2507"].lora(32) == 66_060_288
    assert SHAPES["Qwen/Qwen3-8B"].lora(32) == 87_293_952


def test_a_folder_tells_its_shape(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(SMALL))
    shape = shape_of(str(tmp_path))
    assert shape is not None and (shape.head_dim, shape.kv_bytes) == (2, 2 * 2 * 2 * 2 * 2)
    # two layers of 2*8*(8+4) + 2*2 + 3*8*16 + 2*8, the embedding, the last norm
    assert shape.parameters == 2 * (192 + 4 + 384 + 16) + 80 + 8


@pytest.mark.parametrize("text", ["", "[]", "{}", json.dumps({**SMALL, "vocab_size": "many"})])
def test_a_folder_that_tells_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(text)
    assert shape_of(str(tmp_path)) is None


def test_tokens_and_counts_by_hand() -> None:
    made = plan(preset("paper-games-4b"))
    assert made.value("plain episodes") == 24 * 8 and made.value("hinted episodes") == 24 * 16
    assert made.value("trained trajectories") == 192
    assert made.value("cycles that design") == 100 and made.value("sources checked") == 2400
    designs, plain, hinted = 24 * 16384, 192 * 32768, 384 * 32768
    assert made.value("sampled in designs") == designs
    assert made.value("sampled in all") == 400 * plain + 100 * (designs + hinted)


def test_memory_and_disk_by_hand() -> None:
    made = plan(preset("single-gpu-4b"))
    adapters = 66_060_288
    assert made.value("weights") == made.value("weights of a server") == 2 * 4_022_468_096
    assert made.value("gradient") == 4 * adapters and made.value("optimizer") == 8 * adapters
    assert made.value("a checkpoint") == 12 * adapters and made.value("checkpoints") == 3 * 12 * adapters
    assert made.value("logits") == 2 * 2048 * 151936 * 4
    assert made.value("cache of a token") == 2 * 36 * 8 * 128 * 2
    assert made.value("cache of all episodes") == 147456 * 16384 * 8 * 16


def test_all_weights_take_more_than_adapters() -> None:
    single = preset("single-gpu-4b")
    full = replace(single, engine=replace(single.engine, engine="hf", servers=(), lora_rank=0))
    assert plan(full).value("optimizer") == 2 * 2 * 4_022_468_096
    assert "adapter weights" not in {one.what for one in plan(full).estimates}


def test_a_pool_asks_for_nothing() -> None:
    config = ablated(preset("paper-games-30b"), ["fixed-pool"])
    what = {one.what for one in plan(config).estimates}
    assert not what & {"sampled in designs", "sources checked"}
    assert plan(config).value("trained trajectories") == 192


def test_what_cannot_be_known_is_said() -> None:
    strange = replace(Config(), engine=replace(Config().engine, model="somebody/a-model"))
    assert "Memory and disk for the model somebody/a-model: its shape is not known here." in plan(strange).unknown
    assert "weights" not in {one.what for one in plan(strange).estimates}
    assert any("How long a cycle takes" in one for one in plan(strange).unknown)


@pytest.mark.parametrize("name", PRESETS)
def test_names_of_estimates_are_their_own(name: str) -> None:
    made = plan(PRESETS[name].config)
    assert len({one.what for one in made.estimates}) == len(made.estimates)
    assert all(one.value >= 0 and one.how for one in made.estimates)
