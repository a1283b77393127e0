"""Does self-play do what it is for? Regret against other designers, on the preset ``tiny-cpu``, paired by seed.

    python benchmarks/bench_selfplay.py --out build/bench_selfplay --jobs 2
    python benchmarks/bench_selfplay.py --out build/bench_selfplay --json benchmarks/bench_selfplay.json \\
        --plot docs/self-play.svg

Every run is one of :func:`spade_envs.selfplay.runs.train`: gate, box and memory are in the loop. Runs of a seed go on
from the same warmed-up weights. A run that is in the folder is not made again, so a benchmark that was stopped goes on,
and so do single runs. Reports of the gate are kept beside them, since all runs ask for the same few hundred sources.
Success on held-out environments is measured by sampling, on the same episodes in all runs of a seed. Needs
``spade-envs[train,bench]``.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.selfplay_figures import figures, picture, table
from spade_envs import admit
from spade_envs.bulk import Checkers, validate_many
from spade_envs.codec import from_json, to_json
from spade_envs.memory import SqliteMemory
from spade_envs.selfplay import runs
from spade_envs.selfplay.config import Config, DesignSection
from spade_envs.selfplay.families import FAMILIES
from spade_envs.selfplay.families.notation import DEPTHS, ITEMS, RULES, parse
from spade_envs.selfplay.gatekeeper import Gatekeeper
from spade_envs.selfplay.presets import preset
from spade_envs.selfplay.reading import config_text
from spade_envs.selfplay.specs import SpecTask
from spade_envs.selfplay.tasks import Slot
from spade_envs.shelf import Shelf
from spade_envs.types import EnvSource, Report, Verdict

ARMS: dict[str, dict[str, Any]] = {
    "spade": {},
    "uniform": {"designer": "uniform"},
    "pool": {"designer": "pool"},
    "solve-rate": {"reward": "solve_rate", "guard": True},
    "no-memory": {"memory_seeds": 0, "memory_negatives": 0, "strategy": "balanced"},
}
"""Arms, and what each changes in ``[design]``; what an arm has no use for goes back to its default."""
POOL = 24
"""Environments of the frozen pool: the first ones of the uniform designer that the gate admits."""
REPORTS = "reports.json"


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is missing, then say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder of the runs")
    parser.add_argument(
        "--seeds", type=int, default=5, help="how many, from 1 on: the preset was tuned on seeds 0 and 9"
    )
    parser.add_argument("--cycles", type=int, default=0, help="of each run; 0 for the preset's")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--one", nargs=2, metavar=("ARM", "SEED"), help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    chosen.out.mkdir(parents=True, exist_ok=True)
    if chosen.one:
        arm, seed = chosen.one
        warmed(chosen.out, int(seed)) if arm == "warm" else one_run(chosen.out, arm, int(seed), chosen.cycles)
        return
    keep_reports(chosen.out, chosen.jobs)
    seeds = range(1, chosen.seeds + 1)
    in_processes(chosen, [("warm", seed) for seed in seeds])
    in_processes(chosen, [(arm, seed) for seed in seeds for arm in ARMS])
    found = figures(chosen.out, list(ARMS), seeds)
    table(found)
    if chosen.json:
        chosen.json.write_text(json.dumps(dataclasses.asdict(found), indent=1) + "\n")
    if chosen.plot:
        picture(found, chosen.plot)


def in_processes(chosen: argparse.Namespace, wanted: Sequence[tuple[str, int]]) -> None:
    """Make the runs that are not there, so many at a time."""
    left = [(arm, seed) for arm, seed in wanted if not (folder_of(chosen.out, arm, seed) / "done").exists()]
    running: list[subprocess.Popen[bytes]] = []
    for arm, seed in left:
        if len(running) >= chosen.jobs:
            _first_done(running)
        command = [sys.executable, __file__, "--out", str(chosen.out), "--cycles", str(chosen.cycles)]
        running.append(subprocess.Popen([*command, "--one", arm, str(seed)]))
    while running:
        _first_done(running)


def _first_done(running: list[subprocess.Popen[bytes]]) -> None:
    while True:
        for process in running:
            try:
                code = process.wait(timeout=0.5)
            except subprocess.TimeoutExpired:
                continue
            running.remove(process)
            if code:
                raise SystemExit(f"a run ended with code {code}; start again to go on")
            return


def folder_of(out: Path, arm: str, seed: int) -> Path:
    """Where a run lies."""
    return out / f"{arm}-{seed}"


# -- one run -----------------------------------------------------------------------------------------------------------


def config_of(out: Path, arm: str, seed: int, cycles: int = 0) -> Config:
    """The preset as an arm has it; nothing is left to chance but by the seed."""
    config = preset("tiny-cpu")
    run = dataclasses.replace(
        config.run,
        seed=seed,
        folder=str(folder_of(out, arm, seed)),
        cycles=cycles or config.run.cycles,
        jobs=1,
        samples=0,
    )
    design = dataclasses.replace(config.design, **ARMS.get(arm, {}))
    if design.designer != "trained":
        # What only a policy that designs has a use for is refused by the configuration.
        asked = {} if arm == "pool" else {"skills": design.skills, "novelty": design.novelty}
        pool = str(out / f"shelf-{seed}") if arm == "pool" else ""
        design = DesignSection(designer=design.designer, task="specs", slots=design.slots, pool=pool, **asked)
    return dataclasses.replace(config, run=run, design=design)


def warmed(out: Path, seed: int) -> None:
    """The weights that all runs of a seed begin with, and the pool of its frozen arm."""
    shutil.rmtree(folder_of(out, "warm", seed), ignore_errors=True)
    runs.train(config_of(out, "warm", seed, cycles=1))
    shelve(out, seed)
    (folder_of(out, "warm", seed) / "done").touch()


def one_run(out: Path, arm: str, seed: int, cycles: int) -> None:
    """One run, from the weights of its seed."""
    config = config_of(out, arm, seed, cycles)
    config = dataclasses.replace(config, engine=dataclasses.replace(config.engine, warm_up=0))
    folder = folder_of(out, arm, seed)
    resume = (folder / "config.toml").exists()
    if not resume:
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(folder_of(out, "warm", seed) / "checkpoints" / "000000", folder / "checkpoints" / "000000")
        (folder / "config.toml").write_text(config_text(config))
    known = kept_reports(out)

    class KeptGate(Gatekeeper):
        """The gate, with the reports of earlier runs."""

        def __init__(self, checkers: Checkers, memory: SqliteMemory | None) -> None:
            super().__init__(checkers, memory)
            self._kept.update(known)

    runs.Gatekeeper = KeptGate  # type: ignore[misc]
    result = runs.train(config, resume=True)
    if result.stopped != "done":
        raise SystemExit(f"{arm} {seed}: {result.stopped}")
    for spare in ("draws", "memory.db", "checkpoints"):
        path = folder / spare
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    (folder / "done").touch()
    print(f"{arm} {seed} is done", flush=True)


# -- the gate ----------------------------------------------------------------------------------------------------------


def sources() -> list[EnvSource]:
    """Every source that a specification can ask for, once."""
    specs = (
        parse(f"{family}{rule}{depth}{items}")
        for family in FAMILIES
        for rule in RULES
        for depth in DEPTHS
        for items in ITEMS
    )
    return list({spec.text: spec.source() for spec in specs if spec}.values())


def keep_reports(out: Path, jobs: int) -> None:
    """Ask the gate about every source, once and for all runs."""
    path = out / REPORTS
    if path.exists():
        return
    every = sources()
    reports = validate_many(every, jobs=jobs)
    path.write_text(json.dumps([to_json(report) for report in reports]))


def kept_reports(out: Path) -> dict[tuple[str, str, str], Report]:
    """The reports by what the gatekeeper knows a source by."""
    reports = [from_json(Report, one) for one in json.loads((out / REPORTS).read_text())]
    return {
        (source.sha256, source.contract, source.hint): report for source, report in zip(sources(), reports, strict=True)
    }


def shelve(out: Path, seed: int) -> None:
    """Put the first environments of a uniform designer on a shelf."""
    path = out / f"shelf-{seed}"
    shutil.rmtree(path, ignore_errors=True)
    shelf = Shelf.create(path, "selfplay", 1)
    known = {source.sha256: report for source, report in zip(sources(), kept_reports(out).values(), strict=True)}
    taken: set[str] = set()
    for source in uniform(seed):
        if known[source.sha256].verdict is Verdict.ADMIT and source.sha256 not in taken:
            admit(source, shelf, check=lambda one, near: known[one.sha256])
            taken.add(source.sha256)
        if len(taken) == POOL:
            return


def uniform(seed: int) -> Iterator[EnvSource]:
    """What a uniform designer writes."""
    task = SpecTask()
    for number in range(10**6):
        spec = parse(task.uniform(Slot(number, 0, "", "", seed * 10**6 + number)) or "")
        if spec is not None:
            yield spec.source("pattern-recognition")


if __name__ == "__main__":
    main()
