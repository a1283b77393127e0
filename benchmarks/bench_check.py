"""Where a check's time goes: by stage, by rule, and between our process and the locked ones.

    python benchmarks/bench_check.py [FOLDER] [--every N] [--quick] [--json results.json]

Checks every N-th source of FOLDER (every 5th of the sound sources of the tests by default), one at a time, after one
that is not counted. Stages are those of ``Report.seconds``: ``start`` is the box's start and compiling, the others are
the rules of their name; a source that an early stage refuses has no later ones. Seconds depend on the machine and its
load; the shares depend on them little. The processor time of the children is that of the workers, which is the
environments' own code and the guards around it.

examples:
  python benchmarks/bench_check.py --quick
  python benchmarks/bench_check.py --every 1 --json build/bench_check.json
  python benchmarks/bench_check.py spade_envs/generated/env-0001 --every 1
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import platform
import resource
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from spade_envs.admission import validate
from spade_envs.check import Check
from spade_envs.sandbox import zygotes
from spade_envs.types import Finding, Rule

SOUND = Path(__file__).resolve().parents[1] / "tests" / "sources" / "sound"


def processor_seconds() -> tuple[float, float]:
    """Processor time used so far by this process, and by the locked ones that have ended and their parents."""
    mine, ended = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks = 0
    for zygote in zygotes._zygotes.values():
        # Of a child that still runs, only proc(5) tells: utime, stime, and the same of its own children.
        stat = Path(f"/proc/{zygote._process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks += sum(map(int, stat[11:15]))
    theirs = ended.ru_utime + ended.ru_stime + ticks / os.sysconf("SC_CLK_TCK")
    return mine.ru_utime + mine.ru_stime, theirs


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Median, 95th percentile (linear between values) and longest."""
    ordered = sorted(seconds)
    cuts = statistics.quantiles(ordered, n=20, method="inclusive") if len(ordered) > 1 else ordered
    return {
        "sources": len(ordered),
        "median_s": statistics.median(ordered),
        "p95_s": cuts[-1],
        "longest_s": ordered[-1],
        "sum_s": sum(ordered),
    }


def time_rules() -> dict[str, float]:
    """Seconds by rule, of all checks from now on."""
    by_rule: dict[str, float] = {}
    run_rule = Check._run_rule

    def timed(check: Check, rule: Rule) -> list[Finding]:
        begun = time.perf_counter()
        try:
            return run_rule(check, rule)
        finally:
            by_rule[rule.name] = by_rule.get(rule.name, 0.0) + time.perf_counter() - begun

    Check._run_rule = timed  # type: ignore[assignment,method-assign]  # measuring from outside leaves the gate as it is
    return by_rule


def show(result: dict[str, Any]) -> None:
    """Tables of the stages and of the dearest rules."""
    console = Console(width=100)
    table = Table("stage", "sources", "median s", "p95 s", "longest s", "share", title="a check, by stage")
    whole = result["whole"]
    for name, one in [*result["by_stage"].items(), ("whole check", whole)]:
        figures = (f"{one[key]:.3f}" for key in ("median_s", "p95_s", "longest_s"))
        table.add_row(name, str(one["sources"]), *figures, f"{one['sum_s'] / whole['sum_s']:.1%}")
    console.print(table)
    table = Table("rule", "share", title="the ten dearest rules")
    for name, share in list(result["share_by_rule"].items())[:10]:
        table.add_row(name, f"{share:.1%}")
    console.print(table)
    share = result["processor_share_of_children"]
    console.print(f"processor time: {share:.0%} in the locked processes, the rest in ours; {result['verdicts']}")


def main() -> None:
    """Measure, print tables, and write JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=SOUND)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="every 40th source")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    arguments = parser.parse_args()
    paths = sorted(arguments.folder.glob("*.py"))[:: 40 if arguments.quick else arguments.every]
    if not paths:
        parser.error(f"no .py file lies in {arguments.folder}")
    validate(paths[0])  # starts zygotes and compiles modules
    by_rule = time_rules()
    seconds: list[float] = []
    by_stage: dict[str, list[float]] = {}
    verdicts: collections.Counter[str] = collections.Counter()
    before = processor_seconds()
    for path in paths:
        begun = time.perf_counter()
        report = validate(path)
        seconds.append(time.perf_counter() - begun)
        verdicts[str(report.verdict)] += 1
        for stage, spent in report.seconds.items():
            by_stage.setdefault(stage, []).append(spent)
    ours, theirs = (later - earlier for later, earlier in zip(processor_seconds(), before, strict=True))
    total = sum(seconds)
    result = {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
        "load_average": os.getloadavg()[0],
        "verdicts": dict(verdicts),
        "whole": spread(seconds),
        "by_stage": {stage: spread(one) for stage, one in by_stage.items()},
        "processor_share_of_children": theirs / (ours + theirs),
        "share_by_rule": {name: spent / total for name, spent in sorted(by_rule.items(), key=lambda item: -item[1])},
    }
    show(result)
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
