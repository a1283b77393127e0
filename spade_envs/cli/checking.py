"""``check`` and ``admit``."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from .. import admission
from ..admission import Admission, check_options, validate_beside
from ..bulk import Checkers, processors
from ..codec import to_json
from ..contract import SKILLS
from ..errors import SandboxError, SourceError, SpadeEnvsError
from ..memory import SqliteMemory
from ..sandbox.pool import stop_everything
from ..shelf import Shelf
from ..sources import read_source
from ..store import home, user_shelf
from ..terminal import tame
from ..types import CONTRACTS, EnvSource, Isolation, Limits, Neighbour, Report, Severity, Verdict
from . import screen
from .regression import write_tests
from .whole import Whole

Check = Callable[[EnvSource, Sequence[Neighbour]], Report]
"""What checks a source, given known ones like it."""


@dataclasses.dataclass(frozen=True)
class CheckFlags:
    """Flags that check and admit share."""

    json: Annotated[bool, Parameter(name="--json", negative="")] = False
    """Print one JSON object per source, each on its own line."""
    skill: str = ""
    """Skill the sources exercise, e.g. logical-deduction."""
    contract: str = ""
    """Declare the contract (answer, interactive or tools) instead of detecting it."""
    hint: str = ""
    """Advice that is shown only where a hint is asked for (hint=True)."""
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


def check(
    paths: Annotated[list[Path], Parameter(name="PATH", negative="", json_list=False)],
    /,
    *,
    write_test: Path | None = None,
    flags: Annotated[CheckFlags, Parameter(name="*")] = CheckFlags(),
) -> int:
    """Run the gate on files or folders and print what it finds. Nothing is written, unless --write-test asks for it.

    Examples:

      spade-envs check my_env.py
      spade-envs check drafts/ --json > reports.jsonl
      spade-envs check my_env.py --skill logical-deduction --budget 20
      spade-envs check my_env.py --write-test tests/

    Exit code 1 if any source is refused, else 3 if any is undecided, else 0; 2 for an unreadable path.

    Args:
        paths: Files, and folders, in which every .py file is a source.
        write_test: Folder for pytest files, one per source with findings: they fail until the flaw is mended.
    """
    run = _Run(flags)
    run.tests = write_test

    def work(source: EnvSource, check: Check) -> Admission:
        return Admission(check(source, ()), None)

    return run.each(paths, work)


def admit(
    paths: Annotated[list[Path], Parameter(name="PATH", negative="", json_list=False, show_default=False)] = [],  # noqa: B006  # cyclopts wants a list
    /,
    *,
    shelf: Path | None = None,
    recheck: Annotated[bool, Parameter(negative="")] = False,
    flags: Annotated[CheckFlags, Parameter(name="*")] = CheckFlags(),
) -> int:
    """Check files or folders, put the good ones on the shelf, and print their ids.

    A text that is on the shelf already keeps its id. Nothing on a shelf is ever changed.

    Examples:

      spade-envs admit my_env.py
      spade-envs admit drafts/ --skill causal-inference
      spade-envs admit --recheck

    Args:
        paths: Files, and folders, in which every .py file is a source; none with --recheck.
        shelf: Folder of the shelf; your own by default.
        recheck: Run the gate again on everything on the shelf instead, and print what it says now.
    """
    run = _Run(flags)
    target = Shelf(shelf) if shelf is not None else user_shelf()
    _ = target.namespace  # a folder that is no shelf is an error now, not after the work
    if recheck:
        if paths:
            raise SourceError("--recheck looks at a whole shelf: leave the paths out")
        if flags.skill or flags.contract or flags.hint:
            raise ValueError("--recheck checks what is on the shelf as it is: leave --skill, --contract and --hint out")
        return run.recheck(target)
    if not paths:
        raise SourceError("name at least one file or folder to admit, or --recheck")
    with SqliteMemory(home() / "memory.db") as memory:
        last = memory.last  # several are checked at once, in no order: they are compared with what was there before

        def near(source: EnvSource) -> Sequence[Neighbour]:
            return memory.neighbours(source, until=last)

        def work(source: EnvSource, check: Check) -> Admission:
            return admission.admit(source, target, check=check, near=near)

        def keep(source: EnvSource, done: Admission) -> None:
            memory.add_source(source)
            memory.add_report(done.report)
            if shelf is None and done.env_id:
                memory.shelve(source.sha256, done.env_id)

        return run.each(paths, work, keep)


class _Run:
    """One run over many sources: order kept, progress shown, the worst verdict remembered."""

    def __init__(self, flags: CheckFlags) -> None:
        if flags.contract and flags.contract not in CONTRACTS:
            raise ValueError(f"--contract must be one of {', '.join(CONTRACTS)}, not {flags.contract!r}")
        if flags.skill and flags.skill not in SKILLS:
            raise ValueError(f"--skill must be one of {', '.join(SKILLS)}, not {flags.skill!r}")
        if not 0 < flags.budget <= 86_400 or flags.jobs < 0:
            raise ValueError("--budget must be above 0 and at most 86400 seconds, and --jobs not below 0")
        self.flags = flags
        self.verdicts: list[Verdict] = []
        self.unreadable = False
        self.tests: Path | None = None
        """Where to write tests of what was found."""
        self.out = screen.console()

    def limits(self) -> Limits:
        """Limits from the flags."""
        limits = Limits.selfplay() if self.flags.strict else Limits()
        return dataclasses.replace(limits, budget_seconds=self.flags.budget)

    def each(
        self,
        paths: Sequence[Path],
        work: Callable[[EnvSource, Check], Admission],
        keep: Callable[[EnvSource, Admission], None] | None = None,
    ) -> int:
        """Work on every source under the paths, in order; the exit code."""
        return self._all(list(self._files(paths)), self._read, work, keep)

    def _all(
        self,
        files: Sequence[Path],
        read: Callable[[Path], EnvSource | None],
        work: Callable[[EnvSource, Check], Admission],
        keep: Callable[[EnvSource, Admission], None] | None = None,
    ) -> int:
        jobs = min(self.flags.jobs or len(processors()), len(files) or 1)
        pending: list[tuple[Path, EnvSource, Future[Admission]]] = []
        pool = ThreadPoolExecutor(max_workers=jobs)
        checkers, check = self._checker(jobs)
        try:
            for path in files:
                source = read(path)
                if source is not None:
                    pending.append((path, source, pool.submit(work, source, check)))
            for path, source, future in self._progress(pending):
                with self._one(str(path)):
                    done = future.result()
                    if keep is not None:
                        keep(source, done)
                    self._tell(str(path), source, done)
                    if self.tests is not None:
                        self._write(self.tests, path, done.report, source)
        except BaseException:  # Ctrl-C above all
            pool.shutdown(wait=False, cancel_futures=True)
            # The checks under way run in threads, which Python waits for: end what they wait for.
            stop_everything()
            if checkers is not None:
                checkers.stop()
            raise
        pool.shutdown()
        if checkers is not None:
            checkers.close()
        return self.exit_code()

    def _checker(self, jobs: int) -> tuple[Checkers | None, Check]:
        """What checks sources: processes, or this one where a single one is checked at a time."""
        limits, options, seed = self.limits(), check_options(self.flags.isolation), self.flags.seed
        if jobs > 1:
            checkers = Checkers(jobs, limits=limits, run_seed=seed, options=options)
            return checkers, lambda source, known: checkers.submit(source, known).result()
        return None, lambda source, known: validate_beside(source, known, limits=limits, run_seed=seed, options=options)

    def recheck(self, shelf: Shelf) -> int:
        """Run the gate again on a shelf."""
        names = {Path(entry.env_id): entry.name for entry in shelf.entries()}

        def read(path: Path) -> EnvSource:
            name = names[path]
            # As what it is played, which its author may have declared.
            return dataclasses.replace(shelf.read_source(name), contract=shelf.read_card(name).contract)

        return self._all(list(names), read, lambda source, check: Admission(check(source, ()), None))

    @contextlib.contextmanager
    def _one(self, name: str) -> Iterator[None]:
        """What goes wrong with one source is told, and the run goes on with the next."""
        try:
            yield
        except (SandboxError, BrokenPipeError):
            raise  # no source can be run on this machine, or nobody reads
        except (SpadeEnvsError, OSError) as error:
            self._complain(f"{name}: {error}")

    def exit_code(self) -> int:
        """The worst that happened."""
        if self.unreadable:
            return 2
        if Verdict.REFUSE in self.verdicts:
            return 1
        return 3 if Verdict.UNDECIDED in self.verdicts else 0

    def _files(self, paths: Sequence[Path]) -> Iterator[Path]:
        for path in paths:
            if not path.is_dir():
                yield path
                continue
            inside = ((p, p.relative_to(path).parts) for p in path.rglob("*.py"))
            found = sorted(p for p, parts in inside if not any(part.startswith(".") for part in parts))
            if not found:
                self._complain(f"{path} holds no .py files")
            yield from found

    def _read(self, path: Path) -> EnvSource | None:
        flags = self.flags
        try:
            return read_source(path, skill=flags.skill, contract=flags.contract, hint=flags.hint)
        except FileNotFoundError:
            self._complain(f"{path} does not exist; name a file or folder that does")
        except (SourceError, OSError) as error:
            self._complain(str(error))
        return None

    def _complain(self, message: str) -> None:
        self.unreadable = True
        print(f"spade-envs: {tame(message)}", file=sys.stderr)

    def _progress(
        self, pending: list[tuple[Path, EnvSource, Future[Admission]]]
    ) -> Iterable[tuple[Path, EnvSource, Future[Admission]]]:
        if len(pending) < 3 or self.flags.json or not sys.stdout.isatty():
            return pending
        from rich.progress import track

        # On the console of the verdicts, so that these appear above the bar.
        return track(pending, "Checking", console=self.out, transient=True)

    def _write(self, folder: Path, path: Path, report: Report, source: EnvSource) -> None:
        written = write_tests(folder, path, report, source)
        if written is not None and not self.flags.json:
            self.out.print(f"    wrote {tame(str(written))}", style="bold")

    def _tell(self, name: str, source: EnvSource, done: Admission) -> None:
        report = done.report
        self.verdicts.append(report.verdict)
        if self.flags.json:
            print(json.dumps(_row(name, report, done.env_id)), flush=True)
            return
        self.out.print(screen.verdict_line(report, name))
        for finding in report.findings:
            for line in screen.finding_lines(finding, source.text):
                self.out.print(line)
        if report.verdict is not Verdict.REFUSE and report.not_reached:
            self.out.print(f"    not reached: {', '.join(report.not_reached)}", style="dim")
        if done.env_id:
            already = " (already on the shelf)" if done.known else ""
            if done.known and (self.flags.skill or self.flags.hint):
                already += "; its card keeps the skill and hint that it was admitted with"
            self.out.print(f"    {done.env_id}{already}", style="bold")
        errors = [f.rule for f in report.findings if f.severity is not Severity.WARNING]
        if errors and sys.stdout.isatty():
            self.out.print(f"    more: spade-envs explain {tame(errors[0])}", style="dim")


def _row(name: str, report: Report, env_id: str) -> dict[str, object]:
    row: dict[str, object] = {
        "source": name,
        "sha256": report.source_sha256,
        "verdict": report.verdict.value,
        "findings": to_json(report.findings),
        "isolation": report.isolation.value,
        "not_reached": list(report.not_reached),
        "seconds": dict(report.seconds),
        "contract": report.contract,
        "witness_kind": report.witness_kind,
    }
    if env_id:
        row["id"] = env_id
    return row
