"""Thousands of episodes at once: models that play in the box, beside the same requests without environments.

    python benchmarks/bench_play.py [--episodes 2048] [--turns 3] [--slices 3] [--quick] [--json results.json]

The stand-in for a model server is a process of its own: answers take 0.1 to 3 s at random, 2 % are 429 or 503, and 1 %
of connections are dropped. Every episode is one of 8 sources, each in a worker with the kernel's locks on. The other
side sends as many chats of the same length through the same client, with nothing in between. Both run in turn, in the
same run; the ratio is the median over slices. No episode may lack an outcome.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import json
import os
import platform
import resource
import statistics
import time
from pathlib import Path
from typing import Any

from bench_client import standin
from rich.console import Console
from rich.table import Table

from spade_envs.asynchronous import AsyncEnvs
from spade_envs.client import ChatRequest, Client, Message, Sampling, Settings
from spade_envs.model_player import Agent, ModelPlayer
from spade_envs.rollouts import Assignment, play_many
from spade_envs.settings import EnvSettings
from spade_envs.types import EnvSource

SOURCES = 8
SOURCE = """
import random
class SumEnv:
    def __init__(self, max_turns=@TURNS@):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.a, self.b, self.turn = rng.randint(10, 99), rng.randint(10, 99), 0
        return f"What is {self.a} + {self.b} + @NUMBER@?" + " Think well." * 40, {}
    def step(self, action):
        self.turn += 1
        won = action == "\\\\boxed{%d}" % (self.a + self.b)
        return "Right." if won else "Wrong.", float(won), won, not won and self.turn >= self.max_turns, {}
"""
SAMPLING = Sampling(max_tokens=16)


def sources(turns: int) -> list[EnvSource]:
    """Environments that nobody who says nothing of use ends early."""
    text = SOURCE.replace("@TURNS@", str(turns))
    return [EnvSource(text.replace("@NUMBER@", str(number))) for number in range(SOURCES)]


def settings(episodes: int) -> Settings:
    """A client that sends them all at once."""
    return Settings(concurrency=episodes, deadline_seconds=120.0)


async def playing(url: str, episodes: int, turns: int) -> tuple[float, collections.Counter[str]]:
    """Seconds for all episodes, and how they ended."""
    boxed, ended = sources(turns), collections.Counter[str]()
    async with Client(url, settings=settings(episodes)) as client:
        with AsyncEnvs(most=os.cpu_count() or 1) as envs:
            todo = (
                Assignment(
                    boxed[at % SOURCES],
                    EnvSettings("answer"),
                    at,
                    ModelPlayer(client, Agent(sampling=SAMPLING), seed=at),
                )
                for at in range(episodes)
            )
            begun = time.perf_counter()
            async for _, episode in play_many(envs, todo, concurrency=episodes):
                ended["missing" if episode.outcome is None else episode.stop_reason.value] += 1
            seconds = time.perf_counter() - begun
    if ended["missing"]:
        raise SystemExit(f"{ended['missing']} of {episodes} episodes have no outcome")
    return seconds, ended


async def asking(url: str, episodes: int, turns: int) -> float:
    """Seconds for the same chats without environments."""

    async def one(client: Client, at: int) -> None:
        messages = (Message("user", "What is 12 + 34 + 5?" + " Think well." * 40),)
        for turn in range(turns):
            request = ChatRequest(messages=messages, sampling=Sampling(max_tokens=16, seed=at * turns + turn))
            answer = await client.chat(request)
            messages += (Message("assistant", answer.text), Message("user", "Wrong."))

    async with Client(url, settings=settings(episodes)) as client:
        begun = time.perf_counter()
        await asyncio.gather(*(one(client, at) for at in range(episodes)))
        return time.perf_counter() - begun


def measure(url: str, episodes: int, turns: int, slices: int) -> list[dict[str, Any]]:
    """One row for each side and slice."""
    rows: list[dict[str, Any]] = []
    for at in range(slices):
        for name in ("requests alone", "episodes in the box"):
            cpu, ended = time.process_time(), collections.Counter[str]()
            if name == "requests alone":
                seconds = asyncio.run(asking(url, episodes, turns))
            else:
                seconds, ended = asyncio.run(playing(url, episodes, turns))
            cpu = time.process_time() - cpu
            cpu_ms = round(1000 * cpu / episodes / turns, 2)
            rows.append(
                {
                    "slice": at,
                    "what": name,
                    "seconds": round(seconds, 3),
                    "cpu_ms_per_turn": cpu_ms,
                    "ended": dict(ended),
                }
            )
    return rows


def main() -> None:
    """Measure, print a table, and write JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=2048, help="all at once")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--slices", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="one slice of 256 episodes")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    episodes, slices = (256, 1) if asked.quick else (asked.episodes, asked.slices)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    console = Console()
    with standin() as url, console.status(f"{episodes} episodes at once"):
        rows = measure(url, episodes, asked.turns, slices)
    table = Table(*rows[0], title=f"{episodes} episodes at once, {asked.turns} turns each")
    for row in rows:
        table.add_row(*(str(value) for value in row.values()))
    console.print(table)
    ratios = [box["seconds"] / alone["seconds"] for alone, box in zip(rows[0::2], rows[1::2], strict=True)]
    console.print(f"wall time, episodes to requests: {statistics.median(ratios):.2f} (median of {len(ratios)})")
    result = {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
        "episodes": episodes,
        "turns": asked.turns,
        "ratios": [round(ratio, 3) for ratio in ratios],
        "rows": rows,
    }
    if asked.json:
        asked.json.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
