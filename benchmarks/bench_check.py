"""Where a check's time goes: by rule, and between our process and the locked ones.

    python benchmarks/bench_check.py [FOLDER] [--every N] [--json results.json]

Checks every N-th source of FOLDER (every 5th of the sound sources of the tests by default), one at a time. Seconds
depend on the machine and its load; the shares depend on them little. The processor time of the children is that of the
workers, which is the environments' own code and the guards around it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import statistics
import time
from pathlib import Path

from spade_envs.admission import validate
from spade_envs.check import Check
from spade_envs.types import Finding, Rule

SOUND = Path(__file__).resolve().parents[1] / "tests" / "sources" / "sound"


def processor_seconds(who: int) -> float:
    """Processor time used so far by this process, or by its children that have ended."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure, print a table, and write JSON where asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", default=SOUND)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    by_rule: dict[str, float] = {}
    run_rule = Check._run_rule

    def timed(check: Check, rule: Rule) -> list[Finding]:
        begun = time.perf_counter()
        try:
            return run_rule(check, rule)
        finally:
            by_rule[rule.name] = by_rule.get(rule.name, 0.0) + time.perf_counter() - begun

    Check._run_rule = timed  # type: ignore[method-assign]  # measuring from outside leaves the gate as it is
    paths = sorted(arguments.folder.glob("*.py"))[:: arguments.every]
    seconds = []
    ours, theirs = processor_seconds(resource.RUSAGE_SELF), processor_seconds(resource.RUSAGE_CHILDREN)
    for path in paths:
        begun = time.perf_counter()
        validate(path)
        seconds.append(time.perf_counter() - begun)
    ours = processor_seconds(resource.RUSAGE_SELF) - ours
    theirs = processor_seconds(resource.RUSAGE_CHILDREN) - theirs
    total = sum(seconds)
    result = {
        "machine": f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}",
        "load_average": os.getloadavg()[0],
        "sources": len(paths),
        "median_s": statistics.median(seconds),
        "longest_s": max(seconds),
        "processor_share_of_children": theirs / (ours + theirs),
        "share_by_rule": {name: spent / total for name, spent in sorted(by_rule.items(), key=lambda item: -item[1])},
    }
    print(f"{len(paths)} sources: median {result['median_s']:.2f} s, longest {result['longest_s']:.2f} s")
    print(f"processor time: {theirs / (ours + theirs):.0%} in the locked processes, the rest in ours")
    for name, spent in sorted(by_rule.items(), key=lambda item: -item[1])[:10]:
        print(f"  {name:<28} {spent / total:6.1%}")
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
