"""The learner: what a step does, that it can be parted and taken up again."""

from __future__ import annotations

import copy
import dataclasses
from pathlib import Path
from typing import Any

import pytest
import torch

from spade_envs.errors import StoreError
from spade_envs.selfplay.batch import build_batch
from spade_envs.selfplay.config import TrainSection
from spade_envs.selfplay.failures import ConfigError
from spade_envs.selfplay.hf_sampler import HfGenerate
from spade_envs.selfplay.learner import HfLearner, Lora
from spade_envs.selfplay.renderers import CharRenderer, example
from spade_envs.selfplay.sampling import Draw, Drawn
from spade_envs.selfplay.steps import AGENT, DESIGNER, StepBatch
from spade_envs.selfplay.tasks import Said
from spade_envs.selfplay.tiny_model import TinyShape, char_model
from spade_envs.types import StopReason, Trajectory

CHARS = CharRenderer("0123456789?= ")
SHAPE = TinyShape(hidden=32, layers=2, head_dim=8, intermediate=64, context=64, sharp=True)
TRAIN = TrainSection(lr=1e-2, weight_decay=0.01, micro_tokens=10_000)
LORA = Lora(rank=4, alpha=8, seed=1)


def learner_of(train: TrainSection = TRAIN, lora: Lora | None = None, **options: Any) -> HfLearner:
    return HfLearner(char_model(CHARS, seed=3, shape=SHAPE), train, max_length=8, padding=0, lora=lora, **options)


def sampled(learner: HfLearner, step: int = 0, temperature: float = 1.0, train: TrainSection = TRAIN) -> StepBatch:
    """Three groups of six of the agent's, and one of the designer's, with rewards for even digits."""
    asked = [
        Draw(f"{group}-{at}", CHARS.opening("", "1?2?"[group:]), 1000 * step + 10 * group + at, 3 + group, temperature)
        for group in range(4)
        for at in range(6)
    ]
    sampler = HfGenerate(learner, ends=CHARS.ends, padding=0, context=64)
    made = []
    for draw, drawn in zip(asked, sampler.generate(asked), strict=True):
        assert isinstance(drawn, Drawn)
        reward = sum(token in (4, 6, 8, 10, 12) for token in drawn.tokens) / len(drawn.tokens)
        group, told = draw.key.split("-")[0], len(draw.tokens)
        made.append(
            Trajectory(
                role=DESIGNER if group == "3" else AGENT,
                group=group,
                episode_id=f"{step} {draw.key}",
                policy_version=str(drawn.policy_version),
                token_ids=draw.tokens + drawn.tokens,
                loss_mask=(0,) * told + (1,) * len(drawn.tokens),
                sampler_logprobs=(0.0,) * told + drawn.logprobs,
                temperature=temperature,
                reward=reward,
                advantage=reward - 0.4,
                stop_reason=StopReason.TERMINATED,
            )
        )
    sampler.close()
    return build_batch(
        [one for one in made if one.role == AGENT],
        [one for one in made if one.role == DESIGNER],
        train,
        weight=0.5,
        version=learner.policy_version,
        overlong="keep",
    )


def weights(learner: HfLearner) -> dict[str, torch.Tensor]:
    return {name: values.detach().clone() for name, values in learner.policy.parameters.items()}


def same(some: dict[str, torch.Tensor], others: dict[str, torch.Tensor]) -> bool:
    return some.keys() == others.keys() and all(torch.equal(some[name], others[name]) for name in some)


KINDS = pytest.mark.parametrize("lora", [None, LORA], ids=["full", "lora"])


@KINDS
def test_a_step_makes_what_was_rewarded_likelier(lora: Lora | None) -> None:
    learner = learner_of(lora=lora)
    before, mean = weights(learner), []
    for step in range(6):
        batch = sampled(learner, step)
        mean.append(sum(one.reward for one in batch.trajectories) / len(batch.trajectories))
        update = learner.update(batch)
        assert update.policy_version == learner.policy_version == step + 1
        assert update.metrics["gap/max"] < 2e-5 and update.metrics["agent/ratio"] == 1.0
        assert {"loss", "grad_norm", "designer/loss", "agent/entropy", "agent/tis_clipped"} <= update.metrics.keys()
    assert mean[-1] > mean[0] + 0.2, mean
    assert not same(before, weights(learner))
    assert all("lora_" in name for name in before) == (lora is not None)


@pytest.mark.parametrize("train", [TRAIN, dataclasses.replace(TRAIN, loss="grpo", level="sequence", kl=0.1)])
def test_a_step_in_parts_is_the_same_step(train: TrainSection) -> None:
    batch, steps = sampled(learner_of(), train=train), []
    for micro_tokens, chunk in ((10_000, 2048), (40, 2048), (1, 2048), (10_000, 3), (40, 0)):
        learner = learner_of(dataclasses.replace(train, micro_tokens=micro_tokens, logprob_chunk=chunk, lr=1.0))
        # With plain gradient descent, weights differ as little as gradients do.
        learner._optimizer = torch.optim.SGD(learner.policy.parameters.values(), lr=1.0)
        metrics = learner.update(batch).metrics
        steps.append((weights(learner), metrics))
    for values, metrics in steps[1:]:
        assert metrics == pytest.approx(dict(steps[0][1]), rel=1e-4, abs=1e-6)
        for name, tensor in values.items():
            torch.testing.assert_close(tensor, steps[0][0][name], rtol=1e-5, atol=1e-6)


def test_the_loss_is_the_one_written_down() -> None:
    """``dr_grpo``, without a difference of sampler and learner: -sum(A) / (episodes * max_length) per role."""
    learner = learner_of()
    batch = sampled(learner)
    metrics = learner.update(batch).metrics
    loss = 0.0
    for role, weight in ((AGENT, 1.0), (DESIGNER, 0.5)):
        own = [one for one in batch.trajectories if one.role == role]
        part = -sum((one.advantage or 0) * sum(one.loss_mask) for one in own) / (len(own) * 8)
        assert metrics[f"{role}/loss"] == pytest.approx(part, abs=1e-5)
        loss += weight * part
    assert metrics["loss"] == pytest.approx(loss, abs=1e-5)


def test_the_temperature_of_the_sampler_is_the_learners() -> None:
    learner = learner_of()
    batch = sampled(learner, temperature=0.6)
    forgotten = dataclasses.replace(
        batch, trajectories=tuple(dataclasses.replace(one, temperature=1.0) for one in batch.trajectories)
    )
    assert copy.deepcopy(learner).update(batch).metrics["gap/mean"] < 1e-5
    assert copy.deepcopy(learner).update(forgotten).metrics["gap/mean"] > 0.05


def test_only_the_newest_version_is_looked_at_for_the_gap() -> None:
    learner = learner_of()
    old = sampled(learner)
    learner.update(old)
    assert "gap/mean" not in learner.update(old).metrics, "these are of the version before"


def test_nothing_to_train_on_is_no_step() -> None:
    learner = learner_of()
    before = weights(learner)
    empty = build_batch([], [], TRAIN, weight=1.0, version=0, overlong="keep")
    assert learner.update(empty).policy_version == 0 and same(before, weights(learner))


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_gradient_that_is_no_number_changes_nothing(bad: float) -> None:
    learner = learner_of()
    learner.update(sampled(learner))
    before, batch = weights(learner), sampled(learner, 1)
    one, *others = batch.trajectories
    broken = dataclasses.replace(batch, trajectories=(dataclasses.replace(one, advantage=bad), *others))
    update = learner.update(broken)
    assert update.policy_version == 1 and same(before, weights(learner))
    assert update.metrics["skipped"] == update.metrics["skipped_total"] == 1
    assert all(value == value and abs(value) < float("inf") for value in update.metrics.values())
    again = learner.update(batch)
    assert again.policy_version == 2 and again.metrics["skipped"] == 0 and again.metrics["skipped_total"] == 1


@KINDS
def test_saved_and_loaded_goes_on_bit_for_bit(lora: Lora | None, tmp_path: Path) -> None:
    train = dataclasses.replace(TRAIN, kl=0.05)
    learner = learner_of(train, lora)
    learner.warm_up([example(CHARS, Said("", "1?"), ("2",))], steps=3, batch=2)
    for step in range(2):
        learner.update(sampled(learner, step, train=train))
    learner.save(tmp_path)
    torch.manual_seed(5)
    other = learner_of(train, lora)
    other.load(tmp_path)
    for step in range(2, 4):
        batch = sampled(learner, step, train=train)
        assert batch == sampled(other, step, train=train)
        one, two = learner.update(batch), other.update(batch)
        assert one == two and one.metrics["agent/kl"] > 0
        assert same(weights(learner), weights(other))


def test_another_models_file_is_refused(tmp_path: Path) -> None:
    learner_of().save(tmp_path)
    with pytest.raises(StoreError, match="of another model"):
        learner_of(lora=LORA).load(tmp_path)
    (tmp_path / "optimizer.pt").write_bytes(b"half")
    with pytest.raises(StoreError, match="cannot read the learner"):
        learner_of().load(tmp_path)


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise RuntimeError("[enforce fail at inline_container.cc] unexpected pos")

    monkeypatch.setattr(torch, "save", full)
    with pytest.raises(StoreError, match="is there room on the disk"):
        learner_of().save(tmp_path)


@KINDS
def test_kl_is_measured_against_the_first_weights(lora: Lora | None) -> None:
    learner = learner_of(dataclasses.replace(TRAIN, kl=0.1), lora)
    batch = sampled(learner)
    assert learner.update(batch).metrics["agent/kl"] == pytest.approx(0.0, abs=1e-9)
    assert learner.update(batch).metrics["agent/kl"] > 1e-4


def test_examples_are_imitated() -> None:
    learner = learner_of()
    examples = [example(CHARS, Said("", f"{digit}?"), (f"{digit + 1}",)) for digit in range(9)]
    losses = learner.warm_up(examples, steps=150, batch=9, lr=5e-3)
    assert losses[-1] < 0.05 < losses[0] and learner.policy_version == 0
    sampler = HfGenerate(learner, ends=CHARS.ends, padding=0, context=64)
    drawn = sampler.generate([Draw(str(at), CHARS.opening("", f"{at}?"), at, 4, 0.2) for at in range(9)])
    assert [CHARS.text(one.tokens) for one in drawn if isinstance(one, Drawn)] == [str(at + 1) for at in range(9)]
    with pytest.raises(ConfigError, match="no examples"):
        learner.warm_up([], steps=1)


def test_chance_has_no_part_in_the_forward_pass() -> None:
    model = char_model(CHARS, seed=3, shape=SHAPE)
    for layer in model.model.layers:
        layer.self_attn.attention_dropout = 0.5
    learner = HfLearner(model, TRAIN, max_length=8, padding=0, checkpointing=True)
    learner.update(sampled(learner))
    assert learner.update(sampled(learner, 1)).metrics["gap/max"] < 2e-5


def test_activations_computed_again_change_no_bit() -> None:
    one, two = learner_of(lora=LORA), learner_of(lora=LORA, checkpointing=True)
    batch = sampled(one)
    assert one.update(batch) == two.update(batch) and same(weights(one), weights(two))


@KINDS
def test_half_precision_is_near(lora: Lora | None) -> None:
    whole, half = learner_of(lora=lora), learner_of(lora=lora, dtype=torch.bfloat16)
    batch = sampled(half)
    update = half.update(batch)
    assert update.metrics["gap/mean"] < 0.05
    assert 1e-4 < whole.update(batch).metrics["gap/mean"] < 0.5, "it computes in another precision"
    assert {values.dtype for values in half.policy.parameters.values()} == {torch.float32}


def test_a_model_that_does_more_to_its_logits_is_refused() -> None:
    model = char_model(CHARS, seed=3, shape=SHAPE)
    forward = model.forward

    def capped(*args: Any, **options: Any) -> Any:
        found = forward(*args, **options)
        found.logits = torch.tanh(found.logits)
        return found

    model.forward = capped
    with pytest.raises(ConfigError, match="one linear layer"):
        HfLearner(model, TRAIN, max_length=8, padding=0)


def test_models_follow_from_their_seed_alone() -> None:
    torch.manual_seed(1)
    state = torch.get_rng_state()
    one, two, other = (char_model(CHARS, seed=seed, shape=SHAPE).state_dict() for seed in (3, 3, 4))
    assert torch.equal(torch.get_rng_state(), state)
    assert same(one, two) and not same(one, other)
