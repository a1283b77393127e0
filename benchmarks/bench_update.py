"""One optimizer step of ours beside TRL's: same weights, same batch, same device, in one run.

    python benchmarks/bench_update.py [--rounds 15] [--device cpu] [--json benchmarks/bench_update.json]

Needs TRL (``spade-envs[trl]``). A step is everything from a batch to new weights: tensors are made, the model runs
forward and backward over all of it, the gradient is clipped, AdamW steps, and metrics are read. Both compute entropies
for their log and correct for the sampler by truncated importance weights; TRL is given its weights, and the
log-probabilities they are made of, ready made, while ours are part of the step. The learning rate is 0, so that all
rounds do the same; both losses are compared before anything is timed.

On a processor TRL's fused head goes over all places, prompts and padding included, and ours over trained tokens only;
so "nothing masked", where there is next to nothing to leave out, is the strict comparison. (With Triton TRL leaves
prompts and padding out as well.)

Steps take turns, ours first in every other round, so that the load of the machine falls on both alike. On processors
seconds are processor seconds of this process, which others' load does not count in; on other devices they are wall
seconds. What counts is the median over rounds of the ratio within a round; its interval is a bootstrap's. Exit code 1
means that it is above 1.05.
"""

from __future__ import annotations

import argparse
import json
import logging
import platform
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch
import trl
from datasets import Dataset
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

from spade_envs.selfplay.config import TrainSection
from spade_envs.selfplay.learner import HfLearner
from spade_envs.selfplay.steps import AGENT, Denominator, StepBatch
from spade_envs.types import StopReason, Trajectory

MOST = 1.05
"""Ratio to TRL's step that ours has to stay within."""
WARM_UP = 2
PADDING, END = 0, 1


@dataclass(frozen=True)
class Setting:
    """A model and a batch."""

    name: str
    vocabulary: int
    width: int
    layers: int
    rows: int
    prompt: int
    longest: int
    environment: float
    """Share of a row's tokens after the prompt that the environment said."""
    loss: str
    ragged: bool = True
    """Whether rows have many lengths; else all are of full length."""


SETTINGS = (
    Setting("small vocabulary", 512, 256, 4, 16, 32, 160, 0.3, "dapo"),
    Setting("large vocabulary", 32768, 128, 2, 8, 32, 160, 0.3, "grpo"),
    Setting("nothing masked", 4096, 256, 2, 16, 4, 160, 0.0, "dr_grpo", ragged=False),
)


@dataclass(frozen=True)
class Result:
    """Seconds are medians over rounds."""

    setting: Setting
    ours: float
    trl: float
    ratio: float
    low: float
    """Ends of a 95 % bootstrap interval of ``ratio``."""
    high: float
    rounds: int
    loss_difference: float


def model(setting: Setting, device: str) -> Qwen3ForCausalLM:
    """Random weights, the same ones every time."""
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=setting.vocabulary,
        hidden_size=setting.width,
        intermediate_size=4 * setting.width,
        num_hidden_layers=setting.layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=32,
        pad_token_id=PADDING,
        eos_token_id=END,
    )
    return Qwen3ForCausalLM(config).to(device)


def trajectories(setting: Setting) -> tuple[Trajectory, ...]:
    """Rows of many lengths, one of them of full length; the sampler's log-probabilities come later."""
    draw = random.Random(0)
    rows = []
    for number in range(setting.rows):
        ragged = setting.ragged and number > 0
        length = draw.randrange(setting.longest // 3, setting.longest) if ragged else setting.longest
        said = [int(draw.random() >= setting.environment) for _ in range(length)]
        tokens = tuple(draw.randrange(2, setting.vocabulary) for _ in range(setting.prompt + length))
        mask = (*[0] * setting.prompt, *said)
        advantage = draw.gauss(0, 1)
        rows.append(
            Trajectory(
                role=AGENT,
                group="a",
                episode_id=str(number),
                policy_version="0",
                token_ids=tokens,
                loss_mask=mask,
                sampler_logprobs=tuple(0.0 for _ in mask),
                temperature=1.0,
                reward=advantage,
                advantage=advantage,
                stop_reason=StopReason.TERMINATED,
            )
        )
    return tuple(rows)


def trl_step(setting: Setting, rows: tuple[Trajectory, ...], device: str) -> tuple[Callable[[], float], Any]:
    """TRL's step, and the log-probabilities it was given as the sampler's."""
    names = {f"w{number}": number for number in range(setting.vocabulary)}
    words = Tokenizer(models.WordLevel(names, unk_token="w2"))
    arguments = trl.GRPOConfig(
        output_dir="unused",
        per_device_train_batch_size=setting.rows,
        num_generations=setting.rows,
        max_completion_length=setting.longest,
        loss_type=setting.loss,
        epsilon=0.2,
        epsilon_high=0.28,
        vllm_importance_sampling_mode="token_truncate",
        vllm_importance_sampling_clip_max=2.0,
        report_to=[],
        use_cpu=device == "cpu",
        bf16=False,
        gradient_checkpointing=False,
        disable_dropout=True,
    )
    trainer = trl.GRPOTrainer(
        model=model(setting, device),
        reward_funcs=lambda completions, **_: [0.0] * len(completions),
        args=arguments,
        train_dataset=Dataset.from_dict({"prompt": ["w3"] * setting.rows}),
        processing_class=PreTrainedTokenizerFast(tokenizer_object=words, eos_token="w1", pad_token="w0"),
    )
    trainer.current_gradient_accumulation_steps = 1
    trainer.model.train()
    batch = _trl_batch(trainer, setting, rows)
    parameters = list(trainer.model.parameters())
    optimizer = torch.optim.AdamW(parameters, lr=0.0, betas=(0.9, 0.98), weight_decay=0.1)
    trainer._prepare_inputs = lambda inputs: inputs

    def step() -> float:
        loss = trainer.training_step(trainer.model, dict(batch), batch["num_items_in_batch"])
        trainer.accelerator.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        return float(loss)

    return step, batch["sampling_per_token_logps"]


def _trl_batch(trainer: Any, setting: Setting, rows: tuple[Trajectory, ...]) -> dict[str, Any]:
    """What TRL makes of these rows: its own code, only that nothing is sampled."""
    prompts = [list(row.token_ids[: setting.prompt]) for row in rows]
    completions = [list(row.token_ids[setting.prompt :]) for row in rows]
    said = [list(row.loss_mask[setting.prompt :]) for row in rows]
    draw = random.Random(1)
    full = [torch.tensor(row.token_ids) for row in rows]
    ids = torch.nn.utils.rnn.pad_sequence(full, batch_first=True).to(trainer.model.device)
    seen = torch.nn.utils.rnn.pad_sequence([torch.ones_like(row) for row in full], batch_first=True).to(ids.device)
    with torch.no_grad():
        now = trainer._get_per_token_logps_and_entropies(trainer.model, ids, seen, setting.longest)[0].tolist()
    drawn = [
        [min(0.0, value + draw.gauss(0, 0.3)) for value in row[: len(completion)]]
        for row, completion in zip(now, completions, strict=True)
    ]
    trainer.use_vllm = True  # for the correction; nothing is sampled
    trainer._generate = lambda _: (prompts, completions, said, ["x"] * len(rows), drawn, {}, None, None)
    batch: dict[str, Any] = trainer._generate_and_score_completions([{"prompt": "w3"}] * len(rows))
    batch["advantages"] = torch.tensor([row.advantage for row in rows], device=ids.device)
    return batch


def our_step(setting: Setting, rows: tuple[Trajectory, ...], device: str) -> Callable[[], float]:
    """Our step, from trajectories to new weights."""
    section = TrainSection(loss=setting.loss, lr=0.0, micro_tokens=10**9, logprob_chunk=2048)
    learner = HfLearner(model(setting, device), section, max_length=setting.longest, padding=PADDING)
    tokens = sum(sum(row.loss_mask) for row in rows)
    batch = StepBatch(rows, {AGENT: Denominator(tokens, len(rows))}, {AGENT: 1.0})
    return lambda: learner.update(batch).metrics["loss"]


def measured(setting: Setting, rounds: int, device: str) -> Result:
    """Both steps in turn."""
    rows = trajectories(setting)
    theirs, sampler = trl_step(setting, rows, device)
    told = [
        Trajectory(**{**vars(row), "sampler_logprobs": (*[0.0] * setting.prompt, *_masked(values, row, setting))})
        for row, values in zip(rows, sampler.tolist(), strict=True)
    ]
    ours = our_step(setting, tuple(told), device)
    difference = abs(ours() - theirs())
    for _ in range(WARM_UP):
        ours(), theirs()
    pairs = []
    for number in range(rounds):
        order = (ours, theirs) if number % 2 else (theirs, ours)
        seconds = {step: _timed(step, device) for step in order}
        pairs.append((seconds[ours], seconds[theirs]))
    ratios = [mine / other for mine, other in pairs]
    low, high = _interval(ratios)
    mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
    return Result(setting, mine, other, statistics.median(ratios), low, high, rounds, difference)


def _masked(values: list[float], row: Trajectory, setting: Setting) -> list[float]:
    said = row.loss_mask[setting.prompt :]
    return [value * place for value, place in zip(values[: len(said)], said, strict=True)]


def _timed(step: Callable[[], float], device: str) -> float:
    clock = time.process_time if device == "cpu" else time.perf_counter
    _wait(device)
    before = clock()
    step()
    _wait(device)
    return clock() - before


def _wait(device: str) -> None:
    if device.startswith("cuda"):
        torch.cuda.synchronize()


def _interval(ratios: list[float]) -> tuple[float, float]:
    draw = random.Random(0)
    medians = sorted(statistics.median(draw.choices(ratios, k=len(ratios))) for _ in range(2000))
    return medians[50], medians[-51]


def main() -> int:
    """Measure every setting and print it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    torch.set_num_threads(given.threads)
    results = [measured(setting, given.rounds, given.device) for setting in SETTINGS]
    print(f"{'':18} {'ours s':>8} {'TRL s':>8} {'ratio':>6}  95 % interval   losses differ by")
    for result in results:
        print(
            f"{result.setting.name:18} {result.ours:8.4f} {result.trl:8.4f} {result.ratio:6.3f}"
            f"  {result.low:.3f} to {result.high:.3f}  {result.loss_difference:.1e}"
        )
    if given.json:
        versions = {"torch": torch.__version__, "trl": trl.__version__, "python": platform.python_version()}
        where = {"device": given.device, "threads": given.threads, **versions}
        report = {"where": where, "most": MOST, "results": [asdict(result) for result in results]}
        given.json.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    return int(any(result.ratio > MOST for result in results))


if __name__ == "__main__":
    sys.exit(main())
