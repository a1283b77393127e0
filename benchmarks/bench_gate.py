"""How right is the gate? Mutants it must refuse, good sources it must spare, and the reference's smoke test beside it.

    python benchmarks/bench_gate.py                       the whole run, about half an hour on two processors
    python benchmarks/bench_gate.py --quick               one mutant of every operator, a part of the good set
    python benchmarks/bench_gate.py --only "criterion*"   operators by name
    python benchmarks/bench_gate.py --out FOLDER --json result.json --plot result.svg

Every mutant is a good source changed by one operator. It counts when an oracle, which knows nothing of the gate, shows
the property it violates with a seed and actions; a mutant that nothing shows to be broken is a sound variant, which the
gate must accept like the source it was made from. Results are kept in FOLDER (build/bench_gate by default) as they
come: a run that was stopped goes on where it was. Exit code 1 means that a floor was missed: see FLOORS.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rich.console import Console

from benchmarks.proof.mutants import OPERATORS
from benchmarks.proof.report import show
from benchmarks.proof.run import Plan, run
from benchmarks.proof.scores import Scores

FLOORS = {"recall": 0.97, "worst operator": 0.85, "good admitted": 0.95}
"""What a whole run must reach; nothing good may be refused, and every reproduction must show its fault again."""
QUICK_FLOORS = {"recall": 0.95, "worst operator": 0.0, "good admitted": 0.95}
"""The same for a quick run, where one mutant is all there is of an operator."""


def arguments(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one mutant of every operator, a part of the good set")
    parser.add_argument("--mutants", type=int, default=10, help="broken mutants of every operator (10)")
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="operators by name; may repeat")
    parser.add_argument("--seed", type=int, default=0, help="decides mutants and generated sources (0)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="sources at a time (processors)")
    parser.add_argument("--out", type=Path, default=Path("build/bench_gate"), help="folder of results and mutants")
    parser.add_argument("--json", type=Path, help="write the scores here")
    parser.add_argument("--plot", type=Path, help="draw the recall by operator here (.svg or .png; needs matplotlib)")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> int:
    """Run, print, and write what was asked for."""
    asked = arguments(argv)
    names = [name for name in OPERATORS if not asked.only or any(fnmatch.fnmatch(name, p) for p in asked.only)]
    if not names:
        print(f"no operator matches {', '.join(asked.only)}; there are:\n  " + "\n  ".join(OPERATORS), file=sys.stderr)
        return 2
    if asked.mutants < 1 or asked.jobs < 1:
        print("--mutants and --jobs must be 1 or more", file=sys.stderr)
        return 2
    plan = Plan(tuple(names), 1 if asked.quick else asked.mutants, asked.seed, asked.quick)
    console = Console() if sys.stdout.isatty() else Console(width=120)  # a log keeps its columns
    try:
        judged = run(plan, asked.out, asked.jobs, console)
    except FileExistsError as error:
        print(error, file=sys.stderr)
        return 2
    scores = Scores(judged, asked.jobs)
    show(scores, console)
    if asked.json:
        asked.json.write_text(json.dumps(scores.as_json(), indent=1) + "\n", encoding="utf-8")
    if asked.plot:
        from benchmarks.proof.picture import draw

        draw(scores, asked.plot)
    missed = scores.below(QUICK_FLOORS if asked.quick else FLOORS)
    for line in missed:
        console.print(f"[bold red]below the floor:[/] {line}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
