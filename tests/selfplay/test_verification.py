"""Whether a sync arrived: the checks against servers that lie, and what is published where."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from number_servers import Policy, Servers, done

from spade_envs.client import Reason, RequestFailed
from spade_envs.selfplay.failures import SyncError
from spade_envs.selfplay.lora_sync import LoraSync, SharedWeights
from spade_envs.selfplay.steps import Published
from spade_envs.selfplay.verification import GapWatch, Probing, Verification
from spade_envs.selfplay.vllm_sampler import VllmServer

PROBING = Probing(prompts=((1, 2), (3,)), tokens=8)


@dataclasses.dataclass
class Run:
    servers: Servers
    policy: Policy
    sampler: VllmServer
    sync: LoraSync


def run_of(folder: Path, servers: Servers | None = None, policy: Policy | None = None, **options: Any) -> Run:
    servers, policy = servers or Servers(), policy or Policy()
    sampler = VllmServer(servers, ends=frozenset({99}))  # type: ignore[arg-type]
    looks = Verification(sampler, policy, PROBING, gap_factor=3.0, gap_floor=1e-4, exact=options.pop("exact", True))
    given = {"run": "pol", "folder": folder, "max_staleness": 1, **options}
    return Run(servers, policy, sampler, LoraSync(policy, policy, servers, sampler, looks, **given))  # type: ignore[arg-type]


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


def test_truncated_sampling_has_a_gap_of_its_own(tmp_path: Path) -> None:
    run = run_of(tmp_path, exact=False)

    async def steps() -> None:
        await run.sync.publish()
        await cycle(run, 0.01)
        await cycle(run, 0.2)
        run.servers.loads = lambda name, weights: 0.5
        with pytest.raises(SyncError, match="differ by"):
            await cycle(run, 0.01)

    done(steps())


@pytest.mark.parametrize(("run", "name"), [("my run (2)", "my-run-2--v0"), ("é", "run-v0"), ("..a", "a-v0")])
def test_a_runs_name_becomes_an_adapters(tmp_path: Path, run: str, name: str) -> None:
    [published] = done(run_of(tmp_path, run=run).sync.publish())
    assert published.name == name


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
