"""Steps per second of many environments at once: GEM's vector environments, in process and unboxed, beside ours, boxed.

    python benchmarks/bench_peers.py [--numbers 1 8 64 256] [--slices 7] [--quick] [--json results.json]

Both step environments that come with GEM (Liu et al. 2025, "GEM: A Gym for Agentic LLMs"), with the same random actions
and episodes that begin anew in the step that ends one. GEM runs its classes in this process, one after another
(``gem sync``) or in a thread each (``gem threads``). Ours runs them in locked workers at isolation ``kernel``, language
layer included: the text of the class is taken from the installed package at run time, with a base class in place of
GEM's, and first both must show the same under the same seed. All contenders have a slice each in turn, so that the load
of the machine falls on all alike; rates and ratios are medians over slices.

GEM need not be installed for anything else. Its list of data sets is left empty where ``reasoning_gym`` is not there:

    python -m pip install --no-deps gem-llm==0.1.0

examples:
  python benchmarks/bench_peers.py --quick
  python benchmarks/bench_peers.py --numbers 64 --slices 15
  python benchmarks/bench_peers.py --json build/bench_peers.json
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import functools
import importlib
import importlib.util
import inspect
import io
import json
import os
import platform
import random
import statistics
import sys
import time
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from spade_envs.env import SpadeEnv
from spade_envs.sandbox.host import BoxOptions
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource, Isolation
from spade_envs.vector import SpadeVectorEnv

BASE = """
import random

class Env:
    def reset(self, seed=None):
        if seed is not None:
            random.seed(seed)

"""
"""What the classes need of GEM's own base class."""
ACTIONS: dict[str, Callable[[random.Random], str]] = {
    "game:GuessTheNumber-v0-hard": lambda draw: str(draw.randint(1, 50)),
    "game:Mastermind-v0-hard": lambda draw: " ".join(map(str, draw.sample(range(1, 9), 4))),
    "game:TowerofHanoi-v0-hard": lambda draw: " ".join(draw.sample("ABC", 2)),
    "game:Minesweeper-v0-hard": lambda draw: f"reveal {draw.randrange(8)} {draw.randrange(8)}",
    "game:FifteenPuzzle-v0-hard": lambda draw: draw.choice(["up", "down", "left", "right"]),
}
"""GEM's ids, and a random action of each."""
STEPS = 8000
"""Steps of a slice, over all members: in the first of them whoever had to wait for its turn is cold and asleep, which
training is not. With a fourth of them ours were 1 to 27 % slower beside GEM's."""
COMPARED = 60
"""Turns in which both must show the same."""


@dataclasses.dataclass(frozen=True)
class Measured:
    """Medians over slices, by contender."""

    rates: dict[str, float]
    """Steps per second."""
    ratios: dict[str, float]
    """Ours, with one worker, over each of GEM's."""


@functools.cache
def gem() -> Any:
    """The package, or the end of the program with status 2."""
    if importlib.util.find_spec("reasoning_gym") is None:
        nothing = types.ModuleType("reasoning_gym")
        nothing.factory = types.SimpleNamespace(DATASETS={})  # type: ignore[attr-defined]
        sys.modules["reasoning_gym"] = nothing
    try:
        return importlib.import_module("gem")
    except ImportError as error:
        print(
            f"bench_peers: GEM cannot be imported ({error}); install it with\n"
            "  python -m pip install --no-deps gem-llm==0.1.0",
            file=sys.stderr,
        )
        sys.exit(2)


def registered(env_id: str) -> Any:
    """GEM's own spec of an id."""
    return importlib.import_module("gem.envs.registration").ENV_REGISTRY[env_id]


def source_of(env_id: str) -> EnvSource:
    """The class behind one of GEM's ids as a source of ours, made of the text that is installed."""
    spec = registered(env_id)
    module, _, name = spec.entry_point.partition(":")
    lines = inspect.getsource(importlib.import_module(module)).splitlines()
    rules = "\n".join(line for line in lines if not line.startswith("from gem."))
    rewards = inspect.getsource(importlib.import_module("gem.utils.constants").LanguageGameReward)
    made = f"class Peer({name}):\n    def __init__(self):\n        super().__init__(**{spec.kwargs!r})\n"
    return EnvSource("\n\n".join([BASE, rewards, rules, made]))


def ours(source: EnvSource, number: int, workers: int) -> SpadeVectorEnv:
    """Our vector environment."""
    pools = [WorkerPool(options=BoxOptions(require=Isolation.KERNEL)) for _ in range(workers)]
    members = [SpadeEnv(source, pool=pools[at % workers]) for at in range(number)]
    return SpadeVectorEnv(members, pools, autoreset_mode="SameStep")


def theirs(env_id: str, number: int, *, threads: bool) -> Any:
    """GEM's vector environment."""
    with contextlib.redirect_stdout(io.StringIO()):  # it prints what it makes
        return gem().make_vec([env_id] * number, async_mode=threads)


def script(env_id: str, turns: int, number: int, seed: int) -> list[tuple[str, ...]]:
    """Actions of every member in every turn."""
    draw = random.Random(seed)
    return [tuple(f"\\boxed{{{ACTIONS[env_id](draw)}}}" for _ in range(number)) for _ in range(turns)]


def difference(env_id: str, source: EnvSource) -> str:
    """Where the boxed class and GEM's show something else under one seed, or nothing."""
    boxed, bare = SpadeEnv(source, options=BoxOptions(require=Isolation.KERNEL)), gem().make(env_id)
    told, shown = bare.reset(seed=5)[0], boxed.reset(seed=5)[0]
    try:
        for turn, (action,) in enumerate(script(env_id, COMPARED, 1, 5)):
            if boxed.fault is not None:
                return f"turn {turn}: {boxed.fault}"
            if told.strip() != shown.strip():
                return f"turn {turn}: {shown!r}, not {told!r}"
            told, _, terminated, truncated, _ = bare.step(action)
            shown, _, *over, _ = boxed.step(action)
            if any(over) != (terminated or truncated):
                return f"turn {turn}: only one of both has ended"
            if any(over):
                break
    finally:
        boxed.close()
    return ""


def contenders(env_id: str, source: EnvSource, number: int) -> Iterator[tuple[str, Any]]:
    """Everything that steps ``number`` members, by name."""
    yield "gem sync", theirs(env_id, number, threads=False)
    yield "gem threads", theirs(env_id, number, threads=True)
    yield "ours, 1 worker", ours(source, number, 1)
    if number >= 16:
        yield "ours, 2 workers", ours(source, number, 2)


def measure(env_id: str, source: EnvSource, number: int, slices: int, steps: int) -> Measured:
    """Step every contender in turn."""
    made = dict(contenders(env_id, source, number))
    turns = max(2, steps // number)
    found: dict[str, list[float]] = {name: [] for name in made}
    for env in made.values():
        env.reset(seed=1)
        env.step(script(env_id, 1, number, 0)[0])
    for at in range(slices):
        played = script(env_id, turns, number, 1 + at)
        for name, env in made.items():
            begun = time.perf_counter()
            for actions in played:
                env.step(actions)
            found[name].append(turns * number / (time.perf_counter() - begun))
    for name, env in made.items():
        if name.startswith("ours"):
            assert not env.quarantine.faults, f"a member failed: {env.quarantine.faults}"
            env.close()
        elif name == "gem threads":
            env.thread_pool_executer.shutdown()
    mine = found["ours, 1 worker"]
    return Measured(
        {name: statistics.median(rates) for name, rates in found.items()},
        {
            name: statistics.median(one / other for one, other in zip(mine, found[name], strict=True))
            for name in ("gem sync", "gem threads")
        },
    )


def run(env_ids: Sequence[str], numbers: Sequence[int], slices: int, steps: int) -> dict[str, dict[str, Measured]]:
    """Measure all, and print a table of each."""
    console = Console(width=100)
    results: dict[str, dict[str, Measured]] = {}
    for env_id in env_ids:
        source = source_of(env_id)
        problem = difference(env_id, source)
        if problem:
            console.print(f"{env_id} is left out, for the boxed class is another one: {problem}", markup=False)
            continue
        results[env_id] = {}
        table = Table("members", "what", "steps/s", "ours, 1 worker, over it", title=f"{env_id}, ours boxed, GEM's not")
        for number in numbers:
            with console.status(f"{env_id}, {number} members"):
                one = results[env_id][str(number)] = measure(env_id, source, number, slices, steps)
            for name, rate in one.rates.items():
                ratio = f"{one.ratios[name]:.2f}" if name in one.ratios else ""
                table.add_row(str(number), name, f"{rate:,.0f}", ratio)
        console.print(table)
    return results


def main() -> None:
    """Measure, print tables, and write JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--numbers", type=int, nargs="+", default=[1, 8, 64, 256], help="members")
    parser.add_argument("--slices", type=int, default=7)
    parser.add_argument("--quick", action="store_true", help="two environments, three short slices")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    asked = parser.parse_args()
    gem()
    env_ids = list(ACTIONS)[: 2 if asked.quick else None]
    results = run(env_ids, asked.numbers, 3 if asked.quick else asked.slices, STEPS // 16 if asked.quick else STEPS)
    told = {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
        "load_average": os.getloadavg()[0],
        "environments": {
            env_id: {number: dataclasses.asdict(one) for number, one in by_number.items()}
            for env_id, by_number in results.items()
        },
    }
    if asked.json:
        asked.json.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")
    if not results:
        sys.exit("bench_peers: nothing could be compared")


if __name__ == "__main__":
    main()
