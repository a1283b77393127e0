"""``import``: released pools, checked and counted."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Annotated

from cyclopts import Parameter
from rich.progress import Progress, TaskID
from rich.text import Text

from ..admission import check_options
from ..bulk import Checkers
from ..codec import to_json
from ..errors import StoreError
from ..importing import Census, ImportPlan, Judged, Pool, PoolImport, Problem, ProblemKind, census_of
from ..memory import SqliteMemory
from ..shelf import Shelf
from ..store import home, search_path, user_shelf
from ..terminal import shown, tame
from ..types import Isolation, Limits, Verdict
from . import screen
from .censuses import census_lines
from .whole import Whole

PROBLEMS_SHOWN = 10
"""Problems of one kind that are printed; all are counted."""


@dataclass(frozen=True)
class ImportFlags:
    """Flags of import."""

    name: str = ""
    """What the pool is called; by default as its folder or file."""
    made_by: str = ""
    """Who wrote the sources, where the pool does not tell."""
    skill: str = ""
    """Only sources of this skill."""
    limit: Whole = 0
    """Only so many sources, the first ones; 0 for all."""
    shelf: Path | None = None
    """Folder of the shelf; your own by default."""
    no_admit: Annotated[bool, Parameter(negative="")] = False
    """Put nothing on a shelf: only check, remember and count."""
    dry_run: Annotated[bool, Parameter(negative="")] = False
    """Only count what is there; check and write nothing."""
    recheck: Annotated[bool, Parameter(negative="")] = False
    """Check everything again, whatever is remembered."""
    undecided: Annotated[bool, Parameter(negative="")] = False
    """Check those again that were undecided."""
    seed: Whole = 0
    """Run seed: with the source's hash it decides every seed of the check."""
    budget: float = Limits().budget_seconds
    """Seconds of wall time per source."""
    strict: Annotated[bool, Parameter(negative="")] = False
    """The stricter limits of self-play: 2 s to load or reset, 1 s for a step, 30 s in all."""
    isolation: Isolation = Isolation.SECCOMP
    """Least isolation to accept: kernel, seccomp or process."""
    jobs: Whole = 0
    """Sources checked at the same time; 0 means one per processor."""
    json: Annotated[bool, Parameter(name="--json", negative="")] = False
    """Print one JSON object per source or problem, each on its own line, and the census as the last one."""


def import_envs(
    path: Annotated[Path, Parameter(name="PATH", negative="")],
    /,
    *,
    flags: Annotated[ImportFlags, Parameter(name="*")] = ImportFlags(),
) -> int:
    """Read a released pool, check what it holds, put what passes on the shelf, and count the rest.

    PATH is a folder of .py files, with a manifest.json or without; a .jsonl, .jsonl.zst or parquet file; or a folder of
    all of these. What was decided is remembered: the same command again goes on where it stopped.

    Examples:

      spade-envs import pool/ --dry-run
      spade-envs import pool/
      spade-envs import rows.parquet --made-by some-model --limit 200
      spade-envs import pool/ --no-admit --json > census.jsonl

    Exit code 0 when every source was read and decided and at least one passed, 1 when none passed, else 3 when some
    were undecided or could not be read; 2 for wrong usage or a pool without a source that can be read.

    Args:
        path: The pool.
    """
    limits = replace(Limits.selfplay() if flags.strict else Limits(), budget_seconds=flags.budget)
    if not 0 < flags.budget <= 86_400 or flags.jobs < 0 or flags.limit < 0:
        raise ValueError("--budget must be above 0 and at most 86400 seconds, and --jobs and --limit not below 0")
    plan = ImportPlan(
        skill=flags.skill,
        limit=flags.limit,
        recheck=flags.recheck,
        undecided=flags.undecided,
        isolation=flags.isolation,
        limits=limits,
    )
    pool = Pool(path, name=flags.name, made_by=flags.made_by)
    census = census_of(pool, plan) if flags.dry_run else _import(pool, plan, flags)
    if flags.json:
        print(json.dumps({"census": to_json(census)}), flush=True)
    else:
        out = screen.console()
        for line in census_lines(census):
            out.print(line)
    return exit_code(census, flags)


def exit_code(census: Census, flags: ImportFlags) -> int:
    """See :func:`import_envs`.

    Raises:
        StoreError: there was no source.
    """
    if not census.total.sources:
        what = f"source of skill {flags.skill!r}" if flags.skill else "source"
        raise StoreError(f"the pool {census.pool} holds no {what} that can be read")
    if not flags.dry_run and not census.total.admitted:
        return 1
    lost = any(ProblemKind(one.kind).loses for one in census.problems)
    return 3 if census.total.undecided or lost else 0


def _import(pool: Pool, plan: ImportPlan, flags: ImportFlags) -> Census:
    shelf = None if flags.no_admit else Shelf(flags.shelf) if flags.shelf is not None else user_shelf()
    if shelf is not None:
        _ = shelf.namespace  # a folder that is no shelf is an error now, not after the work
    # On the way to the user's own shelf, a text that any shelf of the search path holds keeps its id.
    others = [one for one in search_path() if shelf is None or one.path != shelf.path] if flags.shelf is None else []
    options = check_options(flags.isolation)
    checkers = Checkers(flags.jobs, limits=plan.limits, run_seed=flags.seed, options=options)
    with SqliteMemory(home() / "memory.db") as memory, checkers, _Shown(pool, plan, as_json=flags.json) as display:
        run = PoolImport(pool, memory, checkers, shelf=shelf, others=others, plan=plan)
        for event in run:
            display.tell(event)
        return run.census()


class _Shown:
    """Shows an import while it goes on; a context manager."""

    def __init__(self, pool: Pool, plan: ImportPlan, *, as_json: bool) -> None:
        self._json, self._out = as_json, screen.console()
        self._verdicts: Counter[Verdict] = Counter()
        self._known = 0
        self._problems: Counter[ProblemKind] = Counter()
        self._bar: Progress | None = None
        self._task = TaskID(0)
        if not as_json and sys.stdout.isatty():
            self._bar = screen.progress("Importing", self._out)
            expected = plan.limit or (None if plan.skill else pool.expected)
            self._task = self._bar.add_task("", total=expected, facts="")

    def __enter__(self) -> _Shown:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()
        if self._known and kind is None and not self._json:
            self._out.print(f"{self._known:,} had been decided before; --recheck checks them again.", style="bold")

    def tell(self, event: Judged | Problem) -> None:
        """Show what became of a candidate, or a problem."""
        if self._json:
            print(json.dumps(_row(event)), flush=True)
            return
        for line in self._lines(event):
            self._out.print(line)
        if self._bar is not None:
            by = self._verdicts
            facts = f"{by[Verdict.ADMIT]} passed, {by[Verdict.REFUSE]} refused, {by[Verdict.UNDECIDED]} undecided"
            self._bar.update(self._task, completed=by.total(), facts=facts)

    def _lines(self, event: Judged | Problem) -> Iterable[Text]:
        if isinstance(event, Problem):
            self._problems[event.kind] += 1
            if self._problems[event.kind] <= PROBLEMS_SHOWN:
                line = Text(f"{'PROBLEM':<9} ", style="bold magenta").append(shown(event.place, "bold", limit=200))
                yield line.append(f"  {event.kind}: ").append(shown(" ".join(event.message.split()), limit=300))
            return
        self._verdicts[event.report.verdict] += 1
        if event.known:
            self._known += 1
            return
        verdict = event.report.verdict
        line = Text(f"{verdict.value.upper():<9} ", style=screen.STYLES[verdict])
        line.append(shown(event.candidate.place, "bold", limit=200))
        told = next((finding.message for finding in event.report.findings if finding.rule == event.rule), "")
        if event.rule:
            line.append(f"  {tame(event.rule)}: ").append(shown(" ".join(told.split()), limit=200))
        elif event.env_id:
            line.append(f"  {tame(event.env_id)}")
        yield line


def _row(event: Judged | Problem) -> dict[str, object]:
    if isinstance(event, Problem):
        return {"source": event.place, "problem": event.kind.value, "message": event.message, "count": event.count}
    source, report = event.candidate.source, event.report
    return {
        "source": event.candidate.place,
        "sha256": source.sha256,
        "verdict": report.verdict.value,
        "rule": event.rule,
        "skill": source.skill,
        "contract": report.contract,
        "made_by": source.made_by,
        "id": event.env_id,
        "known": event.known,
        "origin": to_json(source.origin),
        "findings": to_json(report.findings),
    }
