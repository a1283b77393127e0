"""The parts of ``benchmarks/gpu_check.py``, each run in a process of its own."""

from __future__ import annotations

import dataclasses
import json
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch

from spade_envs.selfplay.batch import build_batch
from spade_envs.selfplay.config import DesignSection, TrainSection
from spade_envs.selfplay.events import CycleEnded, Event
from spade_envs.selfplay.hf_sampler import HfGenerate
from spade_envs.selfplay.learner import HfLearner, Lora
from spade_envs.selfplay.presets import preset
from spade_envs.selfplay.runs import train
from spade_envs.selfplay.sampling import Draw, Drawn
from spade_envs.selfplay.tiny_model import TinyShape, tiny_model
from spade_envs.types import StopReason, Trajectory

ROOT = Path(__file__).resolve().parents[1]
SHOWN = ("held_out", "regret", "plain", "hinted", "designs", "loss", "gap", "agent/reward", "designer/reward", "sync")
"""How the names of metrics begin that are kept of a run."""
TESTS = ("test_losses.py", "test_verl_losses.py", "test_logprobs.py", "test_trl_losses.py")


@dataclasses.dataclass(frozen=True)
class Plan:
    """What a part is run on."""

    device: str
    tiny: bool
    """Sizes for a processor."""


@dataclasses.dataclass(frozen=True)
class Size:
    """A model and a batch."""

    shape: TinyShape
    vocabulary: int
    sequences: int
    prompt: int
    drawn: int
    long: int
    """Tokens of one long sequence."""


SMALL = Size(TinyShape(hidden=64, layers=2, context=4096, sharp=True), 512, 8, 64, 16, 1024)
LARGE = Size(
    TinyShape(hidden=2560, layers=36, heads=32, kv_heads=8, head_dim=128, intermediate=9728, context=32768),
    151_936,
    16,
    1024,
    64,
    16_384,
)
"""As Qwen3-4B."""


def parity(plan: Plan) -> dict[str, Any]:
    """The tests that hold losses and log-probabilities to TRL, verl and closed forms, on this device; and how far
    16-bit arithmetic is from 32-bit in both."""
    import pytest

    counts: dict[str, int] = {}

    class Here:
        """Puts tensors on the device, and counts outcomes."""

        @pytest.fixture(autouse=True)
        def device(self) -> Any:
            with torch.device(plan.device):
                yield

        def pytest_runtest_logreport(self, report: Any) -> None:
            if report.when == "call" or report.outcome != "passed":
                counts[report.outcome] = counts.get(report.outcome, 0) + 1

    files = [str(ROOT / "tests" / "training" / name) for name in TESTS]
    code = pytest.main(["-q", "-p", "no:cacheprovider", *files], plugins=[Here()])
    return {"tests": {"exit_code": int(code), **counts}, "bf16": _half_precision(plan)}


def _half_precision(plan: Plan) -> dict[str, float]:
    """Mean differences of log-probabilities, and of the direction of the gradient, between 16 and 32 bits."""
    size, found = SMALL, {}
    ids = torch.randint(8, size.vocabulary, (4, 128), generator=torch.Generator().manual_seed(0)).to(plan.device)
    mask, temperature = torch.ones_like(ids), torch.ones(4, device=plan.device)
    for dtype in (torch.float32, torch.bfloat16):
        learner = _learner(size, plan, None, dtype)
        logprobs, _ = learner.policy.logprobs(ids, mask, temperature)
        logprobs.sum().backward()
        gradient = torch.cat([one.grad.flatten() for one in learner.policy.parameters.values()])
        found[dtype] = (logprobs.detach(), gradient)
    (exact, straight), (rounded, bent) = found[torch.float32], found[torch.bfloat16]
    cosine = torch.nn.functional.cosine_similarity(straight, bent, dim=0)
    return {"logprob_gap": float((exact - rounded).abs().mean()), "gradient_cosine": float(cosine)}


def lora_step(plan: Plan) -> dict[str, Any]:
    """Draw from a 16-bit model with LoRA, take steps on it, and log-probabilities of one long sequence."""
    return _stepped(plan, Lora(rank=32, alpha=64))


def full_step(plan: Plan) -> dict[str, Any]:
    """The same for all weights, in 32 bits, computed in 16."""
    return _stepped(plan, None)


def _stepped(plan: Plan, lora: Lora | None) -> dict[str, Any]:
    size = SMALL if plan.tiny else LARGE
    learner = _learner(size, plan, lora, torch.bfloat16)
    weights = sum(values.numel() for values in learner.model.parameters())
    sampler = HfGenerate(learner, ends=frozenset({1}), padding=0, context=size.shape.context)
    prompts = torch.randint(
        8, size.vocabulary, (size.sequences, size.prompt), generator=torch.Generator().manual_seed(1)
    )
    draws = [Draw(f"{at:04}", tuple(row), at, size.drawn, 1.0) for at, row in enumerate(prompts.tolist())]
    drawn, draw_seconds = _timed(plan, lambda: sampler.generate(draws))
    made = [_trajectory(draw, one, at) for at, (draw, one) in enumerate(zip(draws, drawn, strict=True))]
    batch = build_batch(made, [], learner_section(), weight=1.0, version=0, overlong="keep")
    first, _ = _timed(plan, lambda: learner.update(batch))
    _reset_peak(plan)
    _, seconds = _timed(plan, lambda: learner.update(batch))
    tokens = sum(len(one.token_ids) for one in made)
    return {
        "weights": weights,
        "trained_weights": sum(values.numel() for values in learner.policy.parameters.values()),
        "drawn_tokens_per_second": sum(len(one.tokens) for one in drawn if isinstance(one, Drawn)) / draw_seconds,
        "step_tokens": tokens,
        "step_tokens_per_second": tokens / seconds,
        "step_peak_gib": _peak(plan),
        "gap_mean": first.metrics["gap/mean"],
        "gap_max": first.metrics["gap/max"],
        "tis_clipped": first.metrics["agent/tis_clipped"],
        "long": [_long(learner, size, plan, chunk) for chunk in (2048, 0)],
    }


def _long(learner: HfLearner, size: Size, plan: Plan, chunk: int) -> dict[str, float]:
    """Log-probabilities of one long sequence, forth and back."""
    policy = learner.policy
    ids = torch.randint(8, size.vocabulary, (1, size.long), generator=torch.Generator().manual_seed(2)).to(plan.device)
    policy.chunk = chunk
    _reset_peak(plan)

    def once() -> None:
        logprobs, _ = policy.logprobs(ids, torch.ones_like(ids), torch.ones(1, device=plan.device))
        logprobs.sum().backward()

    try:
        _, seconds = _timed(plan, once)
    except torch.OutOfMemoryError:
        return {"tokens": size.long, "chunk": chunk, "out_of_memory": 1.0}
    finally:
        for values in policy.parameters.values():
            values.grad = None
    return {"tokens": size.long, "chunk": chunk, "seconds": seconds, "peak_gib": _peak(plan)}


def cycles(plan: Plan) -> dict[str, Any]:
    """Two whole cycles of self-play in 16 bits with LoRA: gate, box and memory included."""
    config = preset("tiny-cpu")
    engine = dataclasses.replace(
        config.engine,
        device=plan.device,
        dtype="bfloat16",
        lora_rank=8,
        lora_alpha=16,
        warm_up=5 if plan.tiny else config.engine.warm_up,
    )
    design = config.design
    if plan.tiny:
        # A model that is hardly warmed up designs nothing that could be played.
        design = DesignSection(task="specs", designer="uniform", slots=4, novelty=design.novelty)
    return {"metrics": _run(dataclasses.replace(config, engine=engine, design=design), cycles=2)}


def curve(plan: Plan, seed: int) -> dict[str, Any]:
    """Self-play of a tiny model from one seed."""
    config = preset("tiny-cpu")
    config = dataclasses.replace(
        config,
        run=dataclasses.replace(config.run, seed=seed, evaluate_every=5),
        engine=dataclasses.replace(
            config.engine, device=plan.device, warm_up=20 if plan.tiny else config.engine.warm_up
        ),
    )
    return {"metrics": _run(config, cycles=3 if plan.tiny else 60)}


def _run(config: Any, cycles: int) -> list[Mapping[str, float]]:
    """The metrics of each cycle, printed as they come, so that what a time limit cuts off is not lost."""
    found: list[Mapping[str, float]] = []

    def watch(event: Event) -> None:
        if isinstance(event, CycleEnded):
            found.append({name: value for name, value in event.metrics.items() if name.startswith(SHOWN)})
            print(json.dumps({"metrics": found}), flush=True)

    with tempfile.TemporaryDirectory() as folder:
        section = dataclasses.replace(config.run, folder=f"{folder}/run", cycles=cycles, checkpoint_every=cycles)
        result = train(dataclasses.replace(config, run=section), watch=watch)
    if result.stopped != "done":
        raise RuntimeError(f"the run stopped after {result.cycles} cycles: {result.stopped}")
    return found


PARTS: dict[str, Callable[[Plan], dict[str, Any]]] = {
    "parity": parity,
    "lora_step": lora_step,
    "full_step": full_step,
    "cycles": cycles,
    **{f"curve_{seed}": (lambda plan, seed=seed: curve(plan, seed)) for seed in range(3)},  # type: ignore[misc]
}
"""By name, in the order in which they are run."""


def learner_section() -> TrainSection:
    """A usual update."""
    return TrainSection(lr=1e-5, micro_tokens=16_384)


def _learner(size: Size, plan: Plan, lora: Lora | None, dtype: torch.dtype) -> HfLearner:
    with torch.device(plan.device):
        model = tiny_model(
            size.vocabulary, size.shape, end=1, padding=0, seed=0, dtype=dtype if lora else torch.float32
        )
    large = size is LARGE
    return HfLearner(model, learner_section(), max_length=1024, padding=0, lora=lora, dtype=dtype, checkpointing=large)


def _trajectory(draw: Draw, drawn: Any, at: int) -> Trajectory:
    """With made-up rewards."""
    told, count = len(draw.tokens), len(drawn.tokens)
    return Trajectory(
        role="agent",
        group="0",
        episode_id=str(at),
        policy_version="0",
        token_ids=draw.tokens + drawn.tokens,
        loss_mask=(0,) * told + (1,) * count,
        sampler_logprobs=(0.0,) * told + drawn.logprobs,
        temperature=1.0,
        reward=at % 2,
        advantage=at % 2 - 0.5,
        stop_reason=StopReason.TERMINATED,
    )


def _timed(plan: Plan, do: Callable[[], Any]) -> tuple[Any, float]:
    _wait(plan)
    begun = time.perf_counter()
    found = do()
    _wait(plan)
    return found, time.perf_counter() - begun


def _wait(plan: Plan) -> None:
    if plan.device == "cuda":
        torch.cuda.synchronize()


def _reset_peak(plan: Plan) -> None:
    if plan.device == "cuda":
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()


def _peak(plan: Plan) -> float | None:
    """Most memory that tensors had, in GiB; unknown on a processor."""
    return torch.cuda.max_memory_allocated() / 2**30 if plan.device == "cuda" else None
