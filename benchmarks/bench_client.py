"""Many requests at once: the model client beside a bare aiohttp loop, against a slow and failing stand-in.

    python benchmarks/bench_client.py [--requests 2048] [--prompt 900] [--slices 3] [--quick] [--json results.json]

The stand-in is a process of its own: answers take 0.1 to 3 s at random, 2 % are 429 or 503, and 1 % of connections are
dropped. All requests are in flight at once, with prompts of token ids. The bare loop posts JSON, reads it, and repeats
what failed at once; it checks nothing. Both run in turn, in the same run, with the same seeds; the ratio is the median
over slices. The log of the stand-in tells whether a request was answered twice.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import contextlib
import json
import os
import platform
import resource
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import aiohttp
from rich.console import Console
from rich.table import Table

from spade_envs.client import Client, Sampling, Settings, TokensRequest

STANDIN = Path(__file__).resolve().parent.parent / "tests" / "client" / "standin.py"


@contextlib.contextmanager
def standin() -> Iterator[str]:
    """The stand-in in its own process; its base URL."""
    with Popen([sys.executable, str(STANDIN)], stdout=PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def prompt_of(at: int, length: int) -> tuple[int, ...]:
    """Token ids of a request."""
    return tuple((at + k) % 50_000 for k in range(length))


async def ours(url: str, number: int, length: int) -> float:
    """Seconds for all requests through the client."""
    settings = Settings(concurrency=number, deadline_seconds=120.0)
    sampling = Sampling(max_tokens=16)
    requests = [
        TokensRequest(prompt=prompt_of(at, length), sampling=Sampling(max_tokens=sampling.max_tokens, seed=at))
        for at in range(number)
    ]
    async with Client(url, settings=settings) as client:
        begun = time.perf_counter()
        answers = 0
        async for one in client.many(requests):
            if one.answer is None:
                raise SystemExit(f"request {one.index} failed: {one.error}")
            answers += 1
        seconds = time.perf_counter() - begun
        assert answers == number == client.counters().answered
        return seconds


async def bare(url: str, number: int, length: int) -> float:
    """Seconds for all requests in a bare loop."""
    template = {"model": "tiny", "n": 1, "max_tokens": 16, "temperature": 1.0, "logprobs": 0, "return_token_ids": True}
    bodies = [{**template, "prompt": list(prompt_of(at, length)), "seed": at} for at in range(number)]

    async def one(session: aiohttp.ClientSession, body: dict[str, Any]) -> None:
        while True:
            with contextlib.suppress(aiohttp.ClientError):
                async with session.post(f"{url}/completions", json=body) as response:
                    if response.status == 200:
                        assert (await response.json())["choices"]
                        return

    timeout = aiohttp.ClientTimeout(total=120.0)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0), timeout=timeout) as session:
        begun = time.perf_counter()
        await asyncio.gather(*(one(session, body) for body in bodies))
        return time.perf_counter() - begun


async def told(url: str) -> dict[str, Any]:
    """What the stand-in has seen since it was asked last."""
    async with aiohttp.ClientSession() as session, session.get(url.removesuffix("/v1") + "/log") as response:
        found: dict[str, Any] = await response.json()
        return found


def measure(url: str, number: int, length: int, slices: int) -> list[dict[str, Any]]:
    """One row for each contender and slice."""
    rows = []
    for at in range(slices):
        for name, run in (("bare aiohttp", bare), ("spade_envs.client", ours)):
            asyncio.run(told(url))
            cpu = time.process_time()
            seconds = asyncio.run(run(url, number, length))
            cpu = time.process_time() - cpu
            seen = asyncio.run(told(url))
            counts = collections.Counter(seen["answered"])
            rows.append(
                {
                    "slice": at,
                    "what": name,
                    "seconds": round(seconds, 3),
                    "cpu_ms_per_request": round(1000 * cpu / number, 2),
                    "sent": seen["requests"],
                    "answered": len(counts),
                    "duplicates": sum(count - 1 for count in counts.values()),
                    "most_in_flight": seen["most"],
                }
            )
    return rows


def main() -> None:
    """Measure, print a table, and write JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=2048, help="all in flight at once")
    parser.add_argument("--prompt", type=int, default=900, help="token ids of a prompt")
    parser.add_argument("--slices", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="one slice of 256 requests")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    number, slices = (256, 1) if asked.quick else (asked.requests, asked.slices)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    console = Console()
    with standin() as url, console.status(f"{number} requests at once"):
        rows = measure(url, number, asked.prompt, slices)
    table = Table(*rows[0], title=f"{number} requests at once, prompts of {asked.prompt} token ids")
    for row in rows:
        table.add_row(*(str(value) for value in row.values()))
    console.print(table)
    pairs = zip(rows[0::2], rows[1::2], strict=True)
    ratios = [client["seconds"] / loop["seconds"] for loop, client in pairs]
    console.print(f"wall time, client to bare loop: {statistics.median(ratios):.2f} (median of {len(ratios)})")
    result = {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
        "load_average": os.getloadavg()[0],
        "requests": number,
        "prompt_tokens": asked.prompt,
        "ratio_median": round(statistics.median(ratios), 3),
        "rows": rows,
    }
    if asked.json:
        asked.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
