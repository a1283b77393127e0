"""TRL trains what self-play collects: for real, with a tiny model, all weights and LoRA."""

from __future__ import annotations

import dataclasses
import math
import random
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
trl = pytest.importorskip("trl")
from datasets import Dataset  # noqa: E402
from peft import LoraConfig  # noqa: E402
from tokenizers import Tokenizer, models, pre_tokenizers  # noqa: E402
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM  # noqa: E402

from spade_envs.adapters.trl import ADVANTAGE, REWARD, fitted, rollout_function, to_trl, trainer_class  # noqa: E402
from spade_envs.selfplay.failures import ConfigError  # noqa: E402
from spade_envs.selfplay.trajectories import EXAMPLE, TrajectoryError, is_inert  # noqa: E402
from spade_envs.types import Trajectory  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
ROWS = 12
"""Trajectories of one step: batches of 4, accumulated 3 times."""


def one(rng: random.Random, role: str, number: int, advantage: float, version: int = 0) -> Trajectory:
    """A prompt of 3, then up to three turns of 3 sampled tokens and 2 of the environment."""
    mask = [0] * 3 + [1, 1, 1, 0, 0] * rng.randint(1, 3)
    return dataclasses.replace(
        EXAMPLE,
        role=role,
        group=f"{role} {number // 2}",
        episode_id=f"{role} {number}",
        policy_version=str(version),
        token_ids=tuple(rng.randrange(3, 60) for _ in mask),
        loss_mask=tuple(mask),
        sampler_logprobs=tuple(-4.0 - rng.random() if bit else 0.0 for bit in mask),
        advantage=advantage,
        reward=advantage + 0.25,
    )


class Scripted:
    """Gives what it was given, step by step."""

    def __init__(self, steps: Sequence[Sequence[Trajectory]]) -> None:
        self.steps = list(steps)
        self.given: list[Sequence[Trajectory]] = []

    async def collect(self) -> Sequence[Trajectory]:
        self.given.append(self.steps[len(self.given) % len(self.steps)])
        return self.given[-1]


def both_roles(seed: int) -> list[Trajectory]:
    """Six of the agent and three of the designer, in no order."""
    rng = random.Random(seed)
    made = [one(rng, "agent", number, 0.5 * (-1) ** number) for number in range(6)]
    made += [one(rng, "designer", number, (0.5, -0.25, -0.25)[number]) for number in range(3)]
    rng.shuffle(made)
    return made


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    words = {"<pad>": 0, "<end>": 1, "<unk>": 2, **{f"w{number}": number for number in range(3, 64)}}
    made = Tokenizer(models.WordLevel(words, unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(
        tokenizer_object=made, pad_token="<pad>", eos_token="<end>", unk_token="<unk>", padding_side="left"
    )


def tiny() -> Any:
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=64,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=8,
        pad_token_id=0,
        eos_token_id=1,
    )
    return Qwen3ForCausalLM(config)


class Trainer:
    """A trainer, what it was given to compute losses from, and how far its weights went."""

    def __init__(self, collector: Scripted, tokenizer: Any, folder: Path, steps: int = 1, **rest: Any) -> None:
        lora, cap = rest.pop("lora", None), rest.pop("cap", 2.0)
        settings = {
            "output_dir": str(folder),
            "per_device_train_batch_size": 4,
            "gradient_accumulation_steps": 3,
            "num_generations": 4,
            "max_completion_length": 32,
            "report_to": [],
            "use_cpu": True,
            "bf16": False,
            "gradient_checkpointing": False,
            "logging_steps": 1,
            "max_steps": steps,
            "learning_rate": 1e-3,
            "loss_type": "dapo",
            "save_strategy": "no",
            "disable_tqdm": True,
            "temperature": 1.0,
        }
        self.seen: list[dict[str, Any]] = []
        seen = self.seen
        watched = trainer_class()

        class Watching(watched):  # type: ignore[misc, valid-type]
            def _generate_and_score_completions(self, inputs: Any) -> Any:
                batch = super()._generate_and_score_completions(inputs)
                seen.append({key: value.clone() for key, value in batch.items()})
                return batch

        self.trainer = Watching(
            model=tiny(),
            reward_funcs=lambda completions, **rest: [0.0] * len(completions),
            args=trl.GRPOConfig(**{**settings, **rest}),
            train_dataset=Dataset.from_dict({"prompt": ["w3"] * 64}),
            processing_class=tokenizer,
            rollout_func=rollout_function(collector),
            peft_config=lora,
            correction_cap=cap,
        )

    def train(self) -> dict[str, float]:
        """Parameters and how far each moved."""
        before = {name: value.detach().clone() for name, value in self.trainer.model.named_parameters()}
        self.trainer.train()
        return {
            name: (value.detach() - before[name]).abs().max().item()
            for name, value in self.trainer.model.named_parameters()
        }

    @property
    def losses(self) -> list[float]:
        return [line["loss"] for line in self.trainer.state.log_history if "loss" in line]


# -- the form --------------------------------------------------------------------------------------------------


def test_rows_hold_the_whole_trajectory() -> None:
    made = both_roles(0)
    rows = to_trl(made)
    for number, t in enumerate(made):
        assert tuple(rows["prompt_ids"][number] + rows["completion_ids"][number]) == t.token_ids
        assert sum(rows["env_mask"][number]) == sum(t.loss_mask)
        assert math.fsum(rows["logprobs"][number]) == pytest.approx(math.fsum(t.sampler_logprobs))
        lengths = {len(rows[key][number]) for key in ("completion_ids", "env_mask", "logprobs")}
        assert len(lengths) == 1 and rows["env_mask"][number][0] == 1
    assert rows[ADVANTAGE] == [t.advantage for t in made] and rows[REWARD] == [t.reward for t in made]
    assert all(len(column) == len(made) for column in rows.values())


def test_an_advantage_has_to_be_there() -> None:
    with pytest.raises(TrajectoryError, match="no advantage"):
        to_trl([dataclasses.replace(EXAMPLE, advantage=None)])


def test_there_are_exactly_as_many_rows_as_asked_for() -> None:
    made = both_roles(0)
    assert [len(fitted(made, count, 1.0, 8)) for count in (1, 4, 9, 12)] == [1, 4, 9, 12]
    assert [t.role for t in fitted(made, 12, 1.0, 8)] == ["designer"] * 3 + ["agent"] * 9
    assert all(is_inert(t) for t in fitted([], 3, 1.0, 8)) and len(fitted([], 3, 1.0, 8)) == 3
    weighted = fitted(made, 9, 4.0, 8)
    assert math.fsum(t.advantage or 0 for t in weighted if t.role == "designer") == 0.0
    assert max(t.advantage or 0 for t in weighted if t.role == "designer") == 2.0


def test_every_process_gets_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    import accelerate.utils

    collector, sent = Scripted([both_roles(0)]), []
    versions: list[int] = []

    def broadcast(whole: list[Any], from_process: int) -> None:
        if whole[0] is None:
            whole[0] = sent[0]
        else:
            sent.append(whole[0])

    monkeypatch.setattr(accelerate.utils, "broadcast_object_list", broadcast)
    rows = []
    for process in range(3):
        accelerator = types.SimpleNamespace(process_index=process, num_processes=3)
        state = types.SimpleNamespace(global_step=7)
        trainer = types.SimpleNamespace(accelerator=accelerator, temperature=1.0, state=state)
        rows.append(rollout_function(collector, published=versions.append)(["w3"] * 4, trainer))
    whole = to_trl(fitted(collector.given[0], 12, 1.0, 8))
    assert [row for part in rows for row in part["completion_ids"]] == whole["completion_ids"]
    assert len(collector.given) == 1 and versions == [7]


# -- for real --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lora", [None, LoraConfig(r=4, target_modules=["q_proj", "v_proj"])], ids=["full", "lora"])
def test_two_roles_are_trained(tokenizer: Any, tmp_path: Path, lora: Any) -> None:
    collector = Scripted([both_roles(step) for step in range(2)])
    run = Trainer(collector, tokenizer, tmp_path, steps=2, lora=lora, cap=0.0)
    moved = run.train()
    assert len(collector.given) == len(run.seen) == 2
    assert {name for name, far in moved.items() if far > 0} == {
        name for name, value in run.trainer.model.named_parameters() if value.requires_grad
    }
    for given, seen in zip(collector.given, run.seen, strict=True):
        rows = to_trl(fitted(given, ROWS, 1.0, 8))
        order = [t.tolist() for t in seen["advantages"]]
        assert sorted(order) == sorted(rows[ADVANTAGE]) and math.fsum(order) == 0.0
        trained = seen["tool_mask"] * seen["completion_mask"]
        assert trained.sum(1).tolist() == [sum(mask) for mask in rows["env_mask"]]
        for number, logprobs in enumerate(rows["logprobs"]):
            kept = seen["sampling_per_token_logps"][number][: len(logprobs)].tolist()
            assert kept == pytest.approx(logprobs, abs=1e-6)
        assert int(seen["num_items_in_batch"]) == sum(sum(t.loss_mask) for t in given)


def test_padding_is_inert(tokenizer: Any, tmp_path: Path) -> None:
    made = both_roles(0)
    exact = [t for t in fitted(made, 12, 1.0, 8) if not is_inert(t)]
    alone = Trainer(Scripted([exact]), tokenizer, tmp_path, per_device_train_batch_size=3, num_generations=3, cap=0.0)
    padded = Trainer(Scripted([made]), tokenizer, tmp_path, cap=0.0)
    far, also = alone.train(), padded.train()
    assert padded.losses == pytest.approx(alone.losses, abs=1e-6)
    assert padded.seen[0]["advantages"].numel() == 12 and alone.seen[0]["advantages"].numel() == 9
    assert also == pytest.approx(far, abs=2e-5)


def test_a_step_of_nothing_changes_nothing(tokenizer: Any, tmp_path: Path) -> None:
    moved = Trainer(Scripted([[]]), tokenizer, tmp_path, weight_decay=0.0).train()
    assert set(moved.values()) == {0.0}


def test_importance_weights_are_truncated_per_token(tokenizer: Any, tmp_path: Path) -> None:
    made = both_roles(0)
    run = Trainer(Scripted([made]), tokenizer, tmp_path, cap=1.5)
    model = tiny().eval()
    run.train()
    seen, rows = run.seen[0], fitted(made, ROWS, 1.0, 8)
    for number, t in enumerate(rows):
        cut = len(to_trl([t])["prompt_ids"][0])
        with torch.no_grad():
            logits = model(torch.tensor([t.token_ids])).logits[0, :-1]
        learner = logits.log_softmax(-1).gather(1, torch.tensor(t.token_ids[1:])[:, None])[:, 0]
        ratio = (learner - torch.tensor(t.sampler_logprobs[1:])).exp().clamp(max=1.5)
        mask = torch.tensor(t.loss_mask[cut:]).bool()
        expected = (t.advantage or 0.0) * ratio[cut - 1 :][mask]
        torch.testing.assert_close(seen["advantages"][number, : len(mask)][mask], expected, rtol=1e-4, atol=1e-5)
    assert (seen["advantages"].abs() <= 0.75 + 1e-6).all()


def test_sampling_at_another_temperature_is_refused(tokenizer: Any, tmp_path: Path) -> None:
    cold = [dataclasses.replace(t, temperature=0.6) for t in both_roles(0)]
    with pytest.raises(ConfigError, match=r"GRPOConfig\.temperature is 1\.0"):
        Trainer(Scripted([cold]), tokenizer, tmp_path).train()
