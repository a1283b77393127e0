"""Whether a sync arrived: the checks against servers that lie, and what is published where."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from spade_envs.client import Answer, Capabilities, Kind, Reason, Reply, RequestFailed, ServedModel, TokensRequest
from spade_envs.selfplay.failures import ConfigError, SyncError
from spade_envs.selfplay.lora_sync import LoraSync, SharedWeights
from spade_envs.selfplay.sampling import Draw, Drawn
from spade_envs.selfplay.steps import Published
from spade_envs.selfplay.verification import GapWatch, Probing, Verification
from spade_envs.selfplay.vllm_sampler import VllmServer
from spade_envs.types import Stop, StopReason

PROBING = Probing(prompts=((1, 2), (3,)), tokens=8)


def probability(weights: float, token: int) -> float:
    """Of a model that is one number: how a token's log-probability follows from it."""
    return -1.0 - weights * (1 + token % 5) / 5


class Policy:
    """A learner that is one number. Its file holds the number."""

    def __init__(self) -> None:
        self.weights, self.policy_version, self.movable = 0.0, 0, True

    def step(self, by: float = 0.001) -> None:
        self.weights += by
        self.policy_version += 1

    def score(self, sequences: Sequence[tuple[Sequence[int], int]], temperature: float) -> list[list[float]]:
        return [[probability(self.weights, token) for token in ids[start:]] for ids, start in sequences]

    @contextlib.contextmanager
    def shifted(self, scale: float, seed: int) -> Iterator[None]:
        self.weights += scale if self.movable else 0.0
        try:
            yield
        finally:
            self.weights -= scale if self.movable else 0.0

    def save_adapter(self, folder: Path) -> None:
        (folder / "adapter_model.safetensors").write_text(repr(self.weights))


class Servers:
    """A client of vLLM servers that hold numbers by name; with ``noise``, as kernels have."""

    def __init__(self) -> None:
        self.model = "base"
        self.served: dict[str, float] = {"base": 0.0}
        self.noise = 0.0
        self.loads: Callable[[str, float], float] = lambda name, weights: weights
        self.refuses: RequestFailed | None = None
        self.asked: list[TokensRequest] = []
        self.answers_as = ""
        self.mode: str | None = "processed_logprobs"

    @property
    def capabilities(self) -> Capabilities:
        models = tuple(ServedModel(name, None if name == "base" else "base", 100) for name in self.served)
        return Capabilities(Kind.VLLM, models, logprobs_mode=self.mode)

    async def complete(self, request: TokensRequest) -> Answer:
        self.asked.append(request)
        if self.refuses:
            raise self.refuses
        name, chance = request.model or "", random.Random(request.sampling.seed)
        tokens = tuple(chance.randrange(50, 90) for _ in range(request.sampling.max_tokens))
        values = tuple(probability(self.served[name], token) + chance.gauss(0, self.noise) for token in tokens)
        reply = Reply(text="", finish_reason="length", token_ids=tokens, logprobs=values)
        return Answer(replies=(reply,), usage=None, model=self.answers_as or name)

    async def load_adapter(self, name: str, path: Path) -> None:
        if name in self.served:
            raise RequestFailed(f"has a model {name!r} already", Reason.REQUEST)
        self.served[name] = self.loads(name, float((path / "adapter_model.safetensors").read_text()))

    async def unload_adapter(self, name: str) -> None:
        if self.refuses:
            raise self.refuses
        self.served.pop(name, None)


@dataclasses.dataclass
class Run:
    servers: Servers
    policy: Policy
    sampler: VllmServer
    sync: LoraSync


def run_of(folder: Path, servers: Servers | None = None, policy: Policy | None = None, **options: Any) -> Run:
    servers, policy = servers or Servers(), policy or Policy()
    sampler = VllmServer(servers, ends=frozenset({99}))  # type: ignore[arg-type]
    looks = Verification(sampler, policy, PROBING, gap_factor=3.0, gap_floor=1e-4)
    given = {"run": "pol", "folder": folder, "max_staleness": 1, **options}
    return Run(servers, policy, sampler, LoraSync(policy, policy, servers, sampler, looks, **given))  # type: ignore[arg-type]


def done(*calls: Any) -> list[Any]:
    async def all_of() -> list[Any]:
        return [await call for call in calls]

    return asyncio.run(all_of())


async def cycle(run: Run, gap: float | None = None) -> Published:
    """A step and its publication."""
    run.policy.step()
    published = await run.sync.publish()
    await run.sync.verify(published, gap)
    return published


# -- the gap ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gap", [0.0301, 0.5, float("nan"), float("inf")])
def test_a_gap_may_be_three_times_the_first(gap: float) -> None:
    watch = GapWatch(3.0, 1e-4)
    watch.see(0.01, 0)
    watch.see(0.0299, 1)
    watch.see(0.0001, 2)
    with pytest.raises(SyncError, match="version 3"):
        watch.see(gap, 3)


def test_exact_machines_have_a_floor_and_all_have_a_ceiling() -> None:
    watch = GapWatch(3.0, 1e-4)
    watch.see(1e-7, 0)
    watch.see(2.9e-4, 1)
    with pytest.raises(SyncError):
        watch.see(3.1e-4, 2)
    with pytest.raises(SyncError, match=r"0\.26"):
        GapWatch(3.0, 1e-4).see(0.26, 0)


# -- publishing ------------------------------------------------------------------------------------------------


def test_every_version_has_a_name_and_old_ones_go(tmp_path: Path) -> None:
    run = run_of(tmp_path / "adapters")

    async def steps() -> list[Published]:
        first = await run.sync.publish()
        assert await run.sync.publish() is first
        await run.sync.verify(first, None)
        return [first, *[await cycle(run, 1e-6) for _ in range(4)]]

    [published] = done(steps())
    assert [one.name for one in published] == [f"pol-v{version}" for version in range(5)]
    assert len({one.sha256 for one in published}) == 5
    assert set(run.servers.served) == {"base", "pol-v3", "pol-v4"}
    folders = {path.name for path in (tmp_path / "adapters").iterdir() if path.is_dir()}
    assert folders == {"pol-v2", "pol-v3", "pol-v4"}, "files go one sync later"
    assert (run.sampler.name, run.sampler.policy_version) == ("pol-v4", 4)
    done(run.sync.close())
    assert set(run.servers.served) == {"base"}
    assert not [path for path in (tmp_path / "adapters").iterdir() if path.is_dir()]


def test_names_of_a_process_before_are_not_used_again(tmp_path: Path) -> None:
    servers, policy = Servers(), Policy()
    servers.served["other-v0"] = servers.served["pol-v7"] = 3.0

    async def killed() -> None:
        run = run_of(tmp_path, servers, policy)
        await run.sync.publish()
        await cycle(run)

    done(killed())
    policy.policy_version = 0
    run = run_of(tmp_path, servers, policy)
    [published] = done(run.sync.publish())
    assert published.name == "pol-v0-2"
    assert set(servers.served) == {"base", "other-v0", "pol-v7", "pol-v0-2"}, "only our own are unloaded"


def test_a_name_that_someone_else_took_is_left_to_them(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    done(run.sync.publish())
    run.servers.served["pol-v1"] = 5.0
    [published] = done(cycle(run))
    assert published.name == "pol-v1-2" and run.servers.served["pol-v1"] == 5.0


def test_a_server_that_refuses_stops_the_run(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    done(run.sync.publish())

    def refuse(name: str, weights: float) -> float:
        raise RequestFailed("no room for adapters", Reason.SERVER)

    run.servers.loads = refuse
    run.policy.step()
    with pytest.raises(SyncError, match="version 1 was not published: no room"):
        done(run.sync.publish())
    assert run.sampler.name == "pol-v0"


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SyncError, match="version 0 was not published: cannot write the adapter"):
        done(run_of(tmp_path / "file" / "adapters").sync.publish())


# -- lies ------------------------------------------------------------------------------------------------------


def test_servers_that_load_nothing_are_caught_by_the_canary(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    run.servers.loads = lambda name, weights: 0.0
    with pytest.raises(SyncError, match="adapters do not arrive"):
        done(run.sync.publish())
    assert set(run.servers.served) == {"base", "pol-v0"}, "the canary is gone"


def test_a_canary_is_seen_through_noise(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    run.servers.noise = 0.02
    [published] = done(run.sync.publish())
    assert published.name == "pol-v0"


def test_a_learner_that_cannot_move_cannot_tell(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    run.policy.movable = False
    with pytest.raises(SyncError, match="no adapter moves"):
        done(run.sync.publish())


@pytest.mark.parametrize("by", [0.01, -0.01])
def test_a_step_that_is_missed_is_caught(tmp_path: Path, by: float) -> None:
    run = run_of(tmp_path)
    done(run.sync.publish())
    before = run.policy.weights
    run.servers.loads = lambda name, weights: before
    run.policy.step(by)
    with pytest.raises(SyncError, match="differ by"):
        done(cycle(run))


def test_a_small_step_that_is_missed_is_caught_by_the_file(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    done(run.sync.publish())
    run.policy.step(0.0)
    [published] = done(run.sync.publish())
    with pytest.raises(SyncError, match="the same as that of 0"):
        done(run.sync.verify(published, None))


def test_a_name_is_used_once(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    [first] = done(run.sync.publish())
    again = dataclasses.replace(first, policy_version=1, sha256="another")
    with pytest.raises(SyncError, match="which version 0 had"):
        done(run.sync.verify(again, None))
    done(run.sync.verify(first, None))


def test_the_trainers_gap_counts_too(tmp_path: Path) -> None:
    run = run_of(tmp_path)

    async def steps() -> None:
        await run.sync.publish()
        await cycle(run, 0.01)
        await cycle(run, 0.02)
        with pytest.raises(SyncError, match=r"differ by 0\.04 nats"):
            await cycle(run, 0.04)

    done(steps())


def test_a_server_that_is_gone_tells_nothing(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    [published] = done(run.sync.publish())
    run.servers.refuses = RequestFailed("gone", Reason.SERVER)
    with pytest.raises(SyncError, match="nobody can tell"):
        done(run.sync.verify(published, None))


def test_shared_weights_have_only_a_gap() -> None:
    policy = Policy()
    sync = SharedWeights(policy, gap_factor=3.0, gap_floor=1e-4)
    [published] = done(sync.publish())
    assert published == Published(0, "shared-v0", "")
    assert done(sync.verify(published, None), sync.verify(published, 1e-6)) == [{}, {"sync/gap": 1e-6}]
    with pytest.raises(SyncError):
        done(sync.verify(published, 0.01))
    loose = SharedWeights(policy, gap_factor=3.0, gap_floor=1e-4, exact=False)
    assert done(loose.verify(published, 0.2), loose.close()) == [{"sync/gap": 0.2}, None]


# -- drawing ---------------------------------------------------------------------------------------------------

DRAW = Draw("a", (1, 2, 3), 5, 8, 0.7, 0.9, 4)


def drawn_by(servers: Servers, draw: Draw = DRAW, **options: Any) -> Drawn | Stop:
    sampler = VllmServer(servers, ends=frozenset({99, 98}), **options)  # type: ignore[arg-type]
    [found] = done(sampler.draw(draw))
    assert isinstance(found, Drawn | Stop)
    return found


def test_a_draw_is_asked_for_as_it_is() -> None:
    servers = Servers()
    found = drawn_by(servers)
    [request] = servers.asked
    sampling = request.sampling
    assert request.prompt == (1, 2, 3) and request.model == "base" and request.logprobs and request.token_ids
    assert (sampling.temperature, sampling.top_p, sampling.top_k, sampling.seed) == (0.7, 0.9, 4, 5)
    assert (sampling.max_tokens, sampling.stop_token_ids) == (8, (98, 99))
    assert isinstance(found, Drawn) and len(found.tokens) == len(found.logprobs) == 8
    assert not found.ended and found.policy_version == 0


def reply_of(servers: Servers, tokens: tuple[int, ...], finish: str) -> Drawn | Stop:
    async def complete(request: TokensRequest) -> Answer:
        reply = Reply(text="", finish_reason=finish, token_ids=tokens, logprobs=(1e-7,) * len(tokens))
        return Answer(replies=(reply,), usage=None, model="base")

    servers.complete = complete  # type: ignore[method-assign]
    return drawn_by(servers)


@pytest.mark.parametrize(
    ("tokens", "finish", "ended"),
    [((5, 99), "stop", True), ((5, 99), "length", True), ((5, 6), "length", False), ((7,), "stop", True)],
)
def test_a_turn_ends_with_an_end(tokens: tuple[int, ...], finish: str, ended: bool) -> None:
    found = reply_of(Servers(), tokens, finish)
    assert isinstance(found, Drawn) and found.ended == ended and max(found.logprobs) == 0.0


def test_what_a_server_does_wrong_is_a_stop() -> None:
    assert isinstance(reply_of(Servers(), (), "stop"), Stop)
    servers = Servers()
    servers.answers_as = "pol-v0"
    wrong = drawn_by(servers)
    assert isinstance(wrong, Stop) and "answered as 'pol-v0'" in wrong.detail
    servers.refuses = RequestFailed("time was up", Reason.DEADLINE)
    late = drawn_by(servers)
    assert isinstance(late, Stop) and late.reason is StopReason.DEADLINE


def test_the_context_bounds_a_draw() -> None:
    servers = Servers()
    found = drawn_by(servers, Draw("a", (1,) * 95, 5, 8, 1.0))
    assert isinstance(found, Drawn) and servers.asked[0].sampling.max_tokens == 5
    full = drawn_by(servers, Draw("a", (1,) * 20, 5, 8, 1.0), context=20)
    assert isinstance(full, Stop) and full.reason is StopReason.CONTEXT_FULL


@pytest.mark.parametrize("mode", ["raw_logprobs", None])
def test_probabilities_of_another_temperature_are_refused(mode: str | None) -> None:
    servers = Servers()
    servers.mode = mode
    assert isinstance(drawn_by(servers, Draw("a", (1,), 5, 8, 1.0)), Drawn)
    for draw in (DRAW, Draw("a", (1,), 5, 8, 0.6), Draw("a", (1,), 5, 8, 1.0, 0.9), Draw("a", (1,), 5, 8, 1.0, 1.0, 3)):
        with pytest.raises(ConfigError, match="processed_logprobs"):
            drawn_by(servers, draw)
    if mode is None:
        assert isinstance(drawn_by(servers, trusted=True), Drawn)


def test_only_vllm_is_asked() -> None:
    servers = Servers()
    other = dataclasses.replace(servers.capabilities, kind=Kind.SGLANG)
    with pytest.raises(ConfigError, match="needs vLLM"):
        VllmServer(type("Other", (), {"capabilities": other, "model": "base"})(), ends=frozenset())
