"""One run of the benchmark: every job in a process of a pool, every result on disk as soon as it is there."""

from __future__ import annotations

import concurrent.futures
import dataclasses
import gc
import hashlib
import json
import multiprocessing
import os
import select
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

import spade_envs
from spade_envs.atomic import write_atomic
from spade_envs.bulk import keep_to
from spade_envs.codec import from_json, to_json

from .good import GENERATED, Good, good_sources
from .judging import Judged, judge, judge_mutant
from .mutants import OPERATORS, mutants_of

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

QUICK_GENERATED = 12
QUICK_EVERY = 4
"""Every fourth source of the shelf and of the written ones is part of a quick run."""


@dataclasses.dataclass(frozen=True)
class Plan:
    """What a run does."""

    operators: tuple[str, ...]
    mutants: int
    seed: int
    quick: bool

    def good(self) -> list[Good]:
        """The good sources of this run."""
        if not self.quick:
            return good_sources(self.seed, GENERATED)
        every = good_sources(self.seed, QUICK_GENERATED)
        kinds = {
            kind: [good for good in every if good.name.startswith(kind)] for kind in ("shelf", "written", "generated")
        }
        return kinds["shelf"][::QUICK_EVERY] + kinds["written"][::QUICK_EVERY] + kinds["generated"]

    def identity(self) -> str:
        """Digest of everything results depend on: the plan, the good sources, and the code of gate and benchmark."""
        here, package = Path(__file__).parent, Path(spade_envs.__file__).parent
        digest = hashlib.sha256(repr(self).encode())
        for path in sorted([*here.rglob("*.py"), *package.rglob("*.py"), *(package / "validators").glob("*.py")]):
            digest.update(path.read_bytes())
        return digest.hexdigest()


def run(plan: Plan, folder: Path, jobs: int, console: Console) -> list[Judged]:
    """Judge the good sources, then mutants of those that can be won.

    Args:
        plan: what to do.
        folder: where results and mutants are kept; made when it is not there. A stopped run goes on.
        jobs: processes.
        console: where progress is shown.

    Raises:
        FileExistsError: the folder holds results of another plan or other code.
    """
    done = _open(plan, folder)
    context = multiprocessing.get_context("spawn")
    with (
        concurrent.futures.ProcessPoolExecutor(jobs, context, _begin, (os.getpid(), context.Value("i", 0))) as pool,
        _progress(console) as progress,
    ):
        good = plan.good()
        asked = {good_.name: good_ for good_ in good if f"good {good_.name}" not in done}
        task = progress.add_task("good sources", total=len(good), completed=len(good) - len(asked))
        waiting = {pool.submit(_judge_good, item): f"good {name}" for name, item in asked.items()}
        for key, results in _finished(waiting):
            _keep(folder, done, key, results)
            progress.advance(task)
        contracts = {one.name: one.contract for key in done for one in done[key] if one.kind == "good"}
        origins = [dataclasses.replace(item, contract=contracts[item.name]) for item in good if contracts[item.name]]
        left = [name for name in plan.operators if f"operator {name}" not in done]
        task = progress.add_task("operators", total=len(plan.operators), completed=len(plan.operators) - len(left))
        waiting = {pool.submit(_judge_operator, name, origins, plan, folder): f"operator {name}" for name in left}
        for key, results in _finished(waiting):
            _keep(folder, done, key, results)
            progress.advance(task)
    order = [f"good {item.name}" for item in good] + [f"operator {name}" for name in plan.operators]
    return [one for key in order for one in done[key]]


def _begin(parent: int, started: Synchronized[int]) -> None:
    """Settle a process as the gate's own are: one processor, nothing loaded by now looked at by the collector again."""
    _end_with(parent)
    with started.get_lock():
        keep_to(started.value)
        started.value += 1
    gc.collect()
    gc.freeze()


def _end_with(parent: int) -> None:
    """End this process when ``parent`` ends, however that ends: nobody would stop its job."""
    if not hasattr(os, "pidfd_open"):
        return
    ended = select.poll()
    ended.register(os.pidfd_open(parent), select.POLLIN)

    def watch() -> None:
        ended.poll()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _judge_good(good: Good) -> list[Judged]:
    return [judge(good.text, "good", good.name)]


def _judge_operator(name: str, origins: Sequence[Good], plan: Plan, folder: Path) -> list[Judged]:
    judged = []
    texts = {origin.name: origin.text for origin in origins}
    for number, mutant in enumerate(mutants_of(OPERATORS[name], origins, plan.seed, plan.mutants)):
        path = folder / "mutants" / name.replace(" ", "_") / f"{number:02d}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {mutant.operator}; from {mutant.origin}\n{mutant.text}", encoding="utf-8")
        judged.append(judge_mutant(mutant, texts[mutant.origin]))
    return judged


def _finished(waiting: dict[concurrent.futures.Future[list[Judged]], str]) -> Iterator[tuple[str, list[Judged]]]:
    for future in concurrent.futures.as_completed(waiting):
        yield waiting[future], future.result()


def _open(plan: Plan, folder: Path) -> dict[str, list[Judged]]:
    """Results that are there already."""
    folder.mkdir(parents=True, exist_ok=True)
    stamp = folder / "identity"
    if not stamp.exists():
        if any(folder.iterdir()):
            raise FileExistsError(f"{folder} is not empty and holds no run of this benchmark; name another with --out")
        write_atomic(stamp, plan.identity().encode())
    elif stamp.read_text(encoding="utf-8") != plan.identity():
        raise FileExistsError(
            f"{folder} holds a run of another plan or of other code; name another folder with --out, or delete it"
        )
    done: dict[str, list[Judged]] = {}
    results = folder / "results.jsonl"
    for line in results.read_text(encoding="utf-8").splitlines() if results.exists() else ():
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            continue  # the last line of a run that was killed
        done[entry["key"]] = [from_json(Judged, item) for item in entry["judged"]]
    return done


def _keep(folder: Path, done: dict[str, list[Judged]], key: str, results: list[Judged]) -> None:
    with (folder / "results.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps({"key": key, "judged": [to_json(one) for one in results]}) + "\n")
    done[key] = results


def _progress(console: Console) -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console)
