"""Eight processes write to one memory and two read it, all killed at random: is anything lost, or wrong?

    python benchmarks/soak_memory.py                                        # a minute
    python benchmarks/soak_memory.py --seconds 0 --writes 2000 --seed 3     # so many acknowledged writes instead
    python benchmarks/soak_memory.py --json benchmarks/soak_memory.json

Every writer prints a line once a write is acknowledged; after a number of lines drawn with ``--seed`` it is killed with
SIGKILL, and another takes its place. In the end every line must be in the memory, and `verify` must find nothing. Exit
code 1 when something is.
"""

from __future__ import annotations

import argparse
import collections
import json
import platform
import random
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rich.console import Console

from spade_envs.memory import Filters, Order, SqliteMemory, upkeep
from spade_envs.memory.curriculum import stretches
from spade_envs.memory.looking import everything, facets, find
from spade_envs.types import EnvSource, Episode, Finding, Origin, Probe, Report, Severity, StopReason, Turn

WRITERS, READERS = 8, 2
SHORTEST_LIFE, LONGEST_LIFE = 1, 60
"""Acknowledged lines after which a process is killed."""


def write(path: Path, who: str) -> None:
    """Write for ever, each time in another way, and print what was acknowledged."""
    with SqliteMemory(path) as memory:
        for number in range(10**9):
            source = EnvSource(f"class W{who}N{number}Env:\n    pass\n", skill=f"s{number % 5}", origin=Origin(run=who))
            way = number % 5
            if way == 0:
                batch = [EnvSource(f"{source.text}# {at}\n", skill="bulk") for at in range(30)]
                memory.add_many((one, Report(one.sha256)) for one in batch)
                print(*(f"source {one.sha256}" for one in batch), sep="\n", flush=True)
            memory.add_source(source)
            print(f"source {source.sha256}", flush=True)
            findings = () if way % 2 else (Finding("static.size", Severity.ERROR, "large"),)
            memory.add_report(Report(source.sha256, findings))
            print(f"report {source.sha256}", flush=True)
            if way == 1:
                memory.add_probe(source.sha256, Probe((1,), (0.0,), (1.0,), 1.0, (0, 1), "b", "m", "", "{}", "", "d"))
                print(f"probe {source.sha256}", flush=True)
            if way == 2:
                turn = Turn("r", "a", "o", 1.0)
                kept = Episode("e", number, "p", "o", (turn,), True, False, StopReason.TERMINATED)
                memory.add_episode(source.sha256, kept)
                print(f"episode {source.sha256}", flush=True)


def read(path: Path) -> None:
    """Ask for ever, and print a line for each round."""
    with SqliteMemory(path, write=False) as memory:
        while True:
            counted = facets(memory, Filters())
            assert counted.total == sum(one.sources for one in counted.verdict)
            for row in find(memory, Filters(text="env"), most=5).rows:
                assert everything(memory, row.sha256) is not None
            find(memory, Filters(verdict="admit"), order=Order.REGRET)
            memory.sample_seeds(3, seed=1)
            stretches(memory, most=5)
            print("read", flush=True)


class Crowd:
    """The processes, what they acknowledged, and when each is to be killed."""

    def __init__(self, path: Path, seed: int) -> None:
        self.path, self.chance = path, random.Random(seed)
        self.acknowledged: list[str] = []
        self.rounds = self.killed = 0
        self.troubles: list[str] = []
        self.selector = selectors.DefaultSelector()
        self.born = 0

    def start(self, role: str) -> None:
        """One more process."""
        self.born += 1
        command = [sys.executable, __file__, role, str(self.path), f"{self.born}"]
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
        lives = self.chance.randint(SHORTEST_LIFE, LONGEST_LIFE)
        self.selector.register(child.stdout, selectors.EVENT_READ, [role, child, lives])  # type: ignore[arg-type]

    def hear(self) -> None:
        """Read what has come; kill whose time has come, and let another take its place."""
        for key, _ in self.selector.select():
            role, child, lives = key.data
            line = child.stdout.readline()
            if line.endswith("\n"):
                self._note(role, line.strip())
                key.data[2] = lives - 1
                if key.data[2] > 0:
                    continue
                child.send_signal(signal.SIGKILL)
                self.killed += 1
            self._bury(role, child)
            self.start(role)

    def _note(self, role: str, line: str) -> None:
        if role == "write":
            self.acknowledged.append(line)
        else:
            self.rounds += 1

    def _bury(self, role: str, child: subprocess.Popen[str]) -> None:
        self.selector.unregister(child.stdout)  # type: ignore[arg-type]
        rest, said = child.communicate()
        for line in rest.split("\n")[:-1]:  # printed before it was killed; a torn last line was not
            self._note(role, line)
        if child.returncode != -signal.SIGKILL:
            self.troubles.append(f"a process that was to {role} ended with {child.returncode}: {said[-500:]}")

    def stop(self) -> None:
        """Kill all."""
        for key in list(self.selector.get_map().values()):
            role, child, _ = key.data
            child.send_signal(signal.SIGKILL)
            self.killed += 1
            self._bury(role, child)


def lost(path: Path, acknowledged: list[str]) -> list[str]:
    """What was acknowledged and is not there, and what verification finds."""
    with SqliteMemory(path) as memory:
        problems = list(upkeep.verify(memory))
        for (kind, sha256), count in collections.Counter(tuple(line.split()) for line in acknowledged).items():
            if kind == "source":
                there = int(memory.source(sha256) is not None)
            else:
                known = {"report": memory.reports, "probe": memory.probes, "episode": memory.episodes}[kind]
                there = len(known(sha256))
            if there < count:
                problems.append(f"lost: {kind} {sha256}")
    return problems


def main() -> int:
    """Run it; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long; 0 counts writes instead")
    parser.add_argument("--writes", type=int, default=2000, help="acknowledged writes to end after, with --seconds 0")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    flags = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        crowd = Crowd(Path(folder) / "memory.db", flags.seed)
        SqliteMemory(crowd.path).close()
        for role in ["write"] * WRITERS + ["read"] * READERS:
            crowd.start(role)
        begun = time.monotonic()
        while time.monotonic() - begun < flags.seconds or (
            not flags.seconds and len(crowd.acknowledged) < flags.writes
        ):
            crowd.hear()
        crowd.stop()
        problems = crowd.troubles + lost(crowd.path, crowd.acknowledged)
    figures = {
        "acknowledged": len(crowd.acknowledged),
        "rounds_read": crowd.rounds,
        "killed": crowd.killed,
        "problems": problems,
        "python": platform.python_version(),
    }
    Console().print_json(json.dumps(figures))
    if flags.json is not None:
        flags.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return 1 if problems else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["write"]:
        write(Path(sys.argv[2]), sys.argv[3])
    elif sys.argv[1:2] == ["read"]:
        read(Path(sys.argv[2]))
    else:
        raise SystemExit(main())
