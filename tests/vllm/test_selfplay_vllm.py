"""Self-play's sampler, learner and publication against a real vLLM server."""

from __future__ import annotations

import asyncio
import dataclasses
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from real_server import MARKS, serve

from spade_envs.client import Client
from spade_envs.selfplay.config import TrainSection
from spade_envs.selfplay.failures import SyncError
from spade_envs.selfplay.lora_sync import LoraSync
from spade_envs.selfplay.sampling import Draw, Drawn
from spade_envs.selfplay.steps import AGENT, Denominator, StepBatch
from spade_envs.selfplay.verification import Probing, Verification
from spade_envs.selfplay.vllm_sampler import VllmServer
from spade_envs.types import StopReason, Trajectory

pytestmark = MARKS

PROMPTS = tuple((257, 84, 82, 68, 81, 198, 64 + at, 65 + at, 258, 198) for at in range(6))
TOKENS, EACH = 12, 16
LONG = tuple(64 + at * 7 % 31 for at in range(600))
"""Long enough to be kept in a prefix cache."""


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model whose probabilities an adapter can move."""
    from spade_envs.selfplay.tiny_model import TinyShape, byte_model

    shape = TinyShape(hidden=64, layers=2, intermediate=128, sharp=True)
    model, tokenizer = byte_model(seed=0, shape=shape)
    folder = tmp_path_factory.mktemp("model")
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def url(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Base URL of vLLM."""
    with serve(checkpoint, "tiny", tmp_path_factory.mktemp("log") / "vllm.log") as url:
        yield url


@dataclasses.dataclass
class Parts:
    """Everything that a run with vLLM has."""

    client: Client
    learner: Any
    sampler: VllmServer
    sync: LoraSync


@asynccontextmanager
async def parts(url: str, checkpoint: Path, folder: Path, lr: float = 2e-2, **probing: Any) -> AsyncIterator[Parts]:
    """A run's parts; what it has published is unloaded at the end."""
    import torch
    from transformers import AutoModelForCausalLM

    from spade_envs.selfplay.learner import HfLearner, Lora

    torch.set_num_threads(1)
    train = TrainSection(lr=lr, weight_decay=0.0, loss="dapo")
    model = AutoModelForCausalLM.from_pretrained(checkpoint, dtype=torch.float32)
    learner = HfLearner(model, train, max_length=TOKENS, padding=256, lora=Lora(rank=8, alpha=16))
    async with Client(url) as client:
        sampler = VllmServer(client, ends=frozenset({258}))
        how = Probing(**{"prompts": PROMPTS, **probing})
        looks = Verification(sampler, learner.policy, how, gap_factor=3.0, gap_floor=1e-4)
        sync = LoraSync(
            learner, learner.policy, client, sampler, looks, run=folder.name, folder=folder, max_staleness=1
        )
        try:
            yield Parts(client, learner, sampler, sync)
        finally:
            await sync.close()


def run(do: Any) -> Any:
    return asyncio.run(do())


def share(tokens: tuple[int, ...]) -> float:
    """Reward: tokens of a third of the alphabet."""
    return sum(64 <= token < 96 for token in tokens) / len(tokens)


async def batch_of(sampler: VllmServer, step: int, temperature: float = 1.0) -> tuple[StepBatch, float]:
    """A batch of 6 groups of 16, and its mean reward."""
    keys = [(group, at) for group in range(len(PROMPTS)) for at in range(EACH)]
    asked = [
        Draw(f"{group}-{at}", PROMPTS[group], 10_000 * step + 100 * group + at, TOKENS, temperature)
        for group, at in keys
    ]
    drawn = await asyncio.gather(*map(sampler.draw, asked))
    assert all(isinstance(one, Drawn) for one in drawn), drawn
    rewards = [share(one.tokens) for one in drawn]
    made = []
    for (group, at), draw, one, reward in zip(keys, asked, drawn, rewards, strict=True):
        mean = sum(rewards[group * EACH : (group + 1) * EACH]) / EACH
        told = len(draw.tokens)
        made.append(
            Trajectory(
                role=AGENT,
                group=str(group),
                episode_id=f"{step}-{group}-{at}",
                policy_version=str(one.policy_version),
                token_ids=draw.tokens + one.tokens,
                loss_mask=(0,) * told + (1,) * len(one.tokens),
                sampler_logprobs=(0.0,) * told + one.logprobs,
                temperature=temperature,
                reward=reward,
                advantage=reward - mean,
                stop_reason=StopReason.TERMINATED,
            )
        )
    count = Denominator(tokens=sum(sum(one.loss_mask) for one in made), episodes=len(made))
    return StepBatch(tuple(made), {AGENT: count}, {AGENT: 1.0}), sum(rewards) / len(rewards)


@pytest.mark.parametrize("temperature", [1.0, 0.7])
def test_ten_steps_over_swapped_adapters_learn(url: str, checkpoint: Path, tmp_path: Path, temperature: float) -> None:
    folder = tmp_path / f"learns-{temperature:.0f}"

    async def do() -> tuple[list[float], list[float]]:
        async with parts(url, checkpoint, folder, temperature=temperature) as have:
            rewards, gaps = [], []
            published = await have.sync.publish()
            for step in range(11):
                batch, reward = await batch_of(have.sampler, step, temperature)
                rewards.append(reward)
                update = have.learner.update(batch)
                if update.policy_version == step:
                    assert reward > 0.9, "only where all of a group earn alike there is no step"
                    break
                published = await have.sync.publish()
                assert (published.policy_version, have.sampler.policy_version) == (step + 1, step + 1)
                found = await have.sync.verify(published, update.metrics["gap/mean"])
                gaps += [update.metrics["gap/max"], found["sync/probe_gap"]]
            served = {model.name for model in have.client.capabilities.models}
            last = have.learner.policy_version
            assert served == {"tiny", f"{folder.name}-v{last - 1}", f"{folder.name}-v{last}"}
            there = {path.name for path in folder.iterdir() if path.is_dir()}
            assert there == {f"{folder.name}-v{version}" for version in (last - 2, last - 1, last)}
            return rewards, gaps

    rewards, gaps = run(do)
    print([round(reward, 3) for reward in rewards], max(gaps))
    assert rewards[0] < 0.25 and rewards[-1] > 0.9, rewards
    assert max(gaps) < 1e-4, gaps


async def stepped(have: Parts, step: int) -> None:
    batch, _ = await batch_of(have.sampler, step)
    assert have.learner.update(batch).policy_version == step + 1


def test_a_name_that_is_used_again_is_caught(url: str, checkpoint: Path, tmp_path: Path) -> None:
    folder = tmp_path / "again"

    async def do() -> None:
        async with parts(url, checkpoint, folder, lr=0.1, prompts=(LONG,)) as have:
            first = await have.sync.publish()
            await have.sync.verify(first, None)
            await stepped(have, 0)
            have.learner.policy.save_adapter(folder / first.name)
            body = {"lora_name": first.name, "lora_path": str(folder / first.name), "load_inplace": True}
            received = await have.client._live().ask("POST", f"{url}/v1/load_lora_adapter", body)
            assert received.status == 200, received
            # By its name, without asking anyone.
            again = dataclasses.replace(first, policy_version=1, sha256="of the new file")
            with pytest.raises(SyncError, match="a name of its own"):
                await have.sync.verify(again, None)
            # By what it draws, for whoever looks for the first time: the prefix cache is that of the old weights.
            looks = Verification(
                have.sampler, have.learner.policy, Probing(prompts=(LONG,)), gap_factor=3.0, gap_floor=1e-4
            )
            with pytest.raises(SyncError, match="differ by"):
                await looks.verify(again, None)
            # Under a name of its own all is well.
            await have.sync.verify(await have.sync.publish(), None)

    run(do)


def test_old_weights_under_a_new_name_are_caught(url: str, checkpoint: Path, tmp_path: Path) -> None:
    folder = tmp_path / "old"

    async def do() -> None:
        async with parts(url, checkpoint, folder, lr=0.1) as have:
            first = await have.sync.publish()
            await stepped(have, 0)
            await have.client.load_adapter(f"{folder.name}-stale", folder / first.name)
            with pytest.raises(SyncError, match="the same as that of 0"):
                await have.sync.verify(dataclasses.replace(first, policy_version=1, name=f"{folder.name}-stale"), None)
            lied = dataclasses.replace(first, policy_version=1, name=f"{folder.name}-stale", sha256="another")
            with pytest.raises(SyncError, match="differ by"):
                await have.sync.verify(lied, None)
            await have.client.unload_adapter(f"{folder.name}-stale")

    run(do)


def test_a_server_that_does_not_load_what_it_says_is_caught_by_the_canary(
    url: str, checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "canary"

    async def do() -> None:
        async with parts(url, checkpoint, folder) as have:
            load = have.client.load_adapter

            async def load_first(name: str, path: str | Path) -> Any:
                """The first adapter's weights under every name: as a server that answers 200 and does nothing."""
                return await load(name, folder / f"{folder.name}-v0")

            monkeypatch.setattr(have.client, "load_adapter", load_first)
            with pytest.raises(SyncError, match="adapters do not arrive"):
                await have.sync.publish()
            assert [model.name for model in have.client.capabilities.models if "canary-canary" in model.name] == []
            await have.client.unload_adapter(f"{folder.name}-v0")

    run(do)


def test_a_process_that_was_killed_leaves_no_name_to_be_used_again(url: str, checkpoint: Path, tmp_path: Path) -> None:
    folder = tmp_path / "killed"

    async def do() -> None:
        async with parts(url, checkpoint, folder) as have:
            before = await have.sync.publish()
            have.sync._loaded = []  # as if it had been killed
            shutil.rmtree(folder / before.name)
        async with parts(url, checkpoint, folder) as have:
            after = await have.sync.publish()
            assert (before.name, after.name) == ("killed-v0", "killed-v0-2") and before.sha256 == after.sha256
            assert before.name not in {model.name for model in have.client.capabilities.models}
            await have.sync.verify(after, None)

    run(do)
