"""Zygotes fork workers: quickly, of the kind asked for, and without leaving anything behind."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from spade_envs.sandbox import zygotes
from spade_envs.sandbox.host import BoxOptions, Worker
from spade_envs.types import FaultKind, Limits


@pytest.fixture
def workers() -> Iterator[list[Worker]]:
    """Workers to end after the test."""
    made: list[Worker] = []
    yield made
    for worker in made:
        worker.kill()


def begin(workers: list[Worker], text: str = "", **options: int) -> Worker:
    """A worker that is ready."""
    workers.append(Worker(text, Limits(), BoxOptions(**options)))  # type: ignore[arg-type]  # numbers only here
    workers[-1].wait_ready()
    return workers[-1]


def parent_of(worker: Worker) -> int:
    """Process number of a worker's parent."""
    return int(Path(f"/proc/{worker._process.pid}/stat").read_text().rpartition(")")[2].split()[1])


def test_workers_of_a_kind_have_one_zygote_and_others_another(workers: list[Worker]) -> None:
    one, two = begin(workers), begin(workers)
    others = [begin(workers, layout=1), begin(workers, hash_seed=1), begin(workers, "import numpy as np")]
    parents = [parent_of(worker) for worker in (one, *others)]
    assert parent_of(two) == parents[0] and len(set(parents)) == 4
    assert os.getpid() not in parents
    assert one._process.pid != two._process.pid


def test_layouts_lie_at_other_addresses(workers: list[Worker]) -> None:
    def heap(worker: Worker) -> str:
        return next(
            line for line in Path(f"/proc/{worker._process.pid}/maps").read_text().splitlines() if "[heap]" in line
        )

    assert (
        heap(begin(workers)).split()[0].partition("-")[0] != heap(begin(workers, layout=1)).split()[0].partition("-")[0]
    )


def test_a_worker_holds_its_own_socket_and_nothing_else(workers: list[Worker]) -> None:
    worker = begin(workers)
    held = [os.readlink(path) for path in Path(f"/proc/{worker._process.pid}/fd").iterdir()]
    assert len(held) == 1 and held[0].startswith("socket:")


def test_the_end_of_a_worker_is_told(workers: list[Worker]) -> None:
    killed, left = begin(workers), begin(workers)
    os.kill(killed._process.pid, signal.SIGTERM)
    fault = killed.ask("reset", 1.0, id=1, seed=1)
    assert fault.kind is FaultKind.DIED and "SIGTERM" in fault.message
    assert killed._process.returncode == -signal.SIGTERM
    with pytest.raises(subprocess.TimeoutExpired):
        left._process.wait(0.0)
    left.kill()
    assert left._process.wait(0.0) == left._process.returncode == -signal.SIGKILL


def test_nothing_is_left_of_a_worker(workers: list[Worker]) -> None:
    begin(workers)  # the zygote stays
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(5):
        worker = begin(workers)
        worker.kill()
        assert not Path(f"/proc/{worker._process.pid}").exists(), "waited for, so no zombie"
    assert len(os.listdir("/proc/self/fd")) == before


def test_a_lost_zygote_is_replaced(workers: list[Worker]) -> None:
    old = begin(workers)
    zygote = parent_of(old)
    os.kill(zygote, signal.SIGKILL)
    new = begin(workers)
    assert parent_of(new) != zygote
    assert old.ask("source", 5.0, text="x = 1", nesting=20, code="")["problems"] == [], "its workers go on"
    old.kill()
    assert old._process.returncode == zygotes._LOST, "nobody knows how it ended"


def test_closing_ends_every_zygote(workers: list[Worker]) -> None:
    worker = begin(workers)
    zygote = parent_of(worker)
    zygotes.close_all()
    assert not Path(f"/proc/{zygote}").exists() and not zygotes._zygotes
    assert worker.ask("source", 5.0, text="x = 1", nesting=20, code="")["problems"] == []


def test_the_oldest_zygote_goes_first(workers: list[Worker], monkeypatch: pytest.MonkeyPatch) -> None:
    zygotes.close_all()
    monkeypatch.setattr(zygotes, "_MOST", 2)
    parents = [parent_of(begin(workers, layout=layout)) for layout in (0, 1, 0, 2)]
    assert parents[0] == parents[2] and len(set(parents)) == 3
    assert [key[1] for key in zygotes._zygotes] == [0, 2]


def test_without_process_handles_workers_start_one_by_one(
    workers: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "pidfd_open")
    assert parent_of(begin(workers)) == os.getpid()


def test_without_a_zygote_workers_start_one_by_one(workers: list[Worker], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object) -> zygotes.Forked:
        raise zygotes.ZygoteError("no")

    monkeypatch.setattr(zygotes.Zygote, "fork", refuses)
    assert parent_of(begin(workers)) == os.getpid()
