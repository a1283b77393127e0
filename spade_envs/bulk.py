"""Checking many sources at once: processes of ours, each on a processor of its own.

Threads would share one interpreter lock, and a check spends a third of its time outside the box. A check and its
workers take turns, so they are fastest on one processor, where no answer has to wake another one. Processes speak one
JSON value per line, as nothing of the caller's program is needed in them: ``multiprocessing`` would import it again.
"""

from __future__ import annotations

import collections
import contextlib
import gc
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any

from .admission import check_options, validate_beside
from .codec import from_json, to_json
from .errors import SandboxError, SpadeEnvsError
from .sandbox.host import BoxOptions
from .types import EnvSource, Finding, Limits, Neighbour, Report, Severity

AHEAD = 4
"""Sources read ahead for every process."""


_SERVE = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from spade_envs.bulk import serve; serve()"
"""Program of a checking process: it finds modules where the caller does."""


def processors() -> list[int]:
    """Numbers of the processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def keep_to(number: int) -> None:
    """Keep this process, and those it starts, to the ``number``-th of its processors, counted round and round.

    Where the system cannot, nothing changes.
    """
    if hasattr(os, "sched_setaffinity"):
        mine = processors()
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {mine[number % len(mine)]})


class Checkers:
    """Processes that check sources; a context manager. ``submit`` may be called from several threads.

    Args:
        jobs: how many; 0 is one per processor.
        limits, run_seed, options: as in :func:`~spade_envs.admission.validate`.
    """

    def __init__(
        self,
        jobs: int = 0,
        *,
        limits: Limits | None = None,
        run_seed: int = 0,
        options: BoxOptions | None = None,
    ) -> None:
        if jobs < 0:
            raise ValueError(f"jobs must be 0 (one per processor) or more, not {jobs}")
        self.jobs = jobs or len(processors())
        self._hello = {
            "limits": to_json(limits or Limits()),
            "run_seed": run_seed,
            "options": to_json(options or check_options()),
        }
        self._threads = ThreadPoolExecutor(self.jobs, "checker")
        self._free: queue.SimpleQueue[_Process | None] = queue.SimpleQueue()
        # Several runs on one machine should not all begin with its first processor.
        self._processors = itertools.count(os.getpid())
        self._all: list[_Process] = []
        self._stopped = threading.Event()
        for _ in range(self.jobs):
            self._free.put(None)  # started when first needed

    def submit(self, source: EnvSource, known: Sequence[Neighbour] = ()) -> Future[Report]:
        """Check a source when its turn comes.

        Raises:
            ValueError: a field of ``source`` is of another type than it must be.
            SpadeEnvsError: after :meth:`close` or :meth:`stop`.

        The future raises :class:`SandboxError` as :func:`~spade_envs.admission.validate` does, and
        :class:`SpadeEnvsError` after :meth:`stop`. When the checking process itself ends, the report is undecided.
        """
        from_json(EnvSource, to_json(source))
        if self._stopped.is_set():
            raise SpadeEnvsError("these checkers were closed; make others")
        return self._threads.submit(self._check, source, tuple(known))

    def stop(self) -> None:
        """End everything now, whatever is under way."""
        self._stopped.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in list(self._all):
            process.close()

    def close(self) -> None:
        """Wait for what was submitted, and end the processes."""
        self._threads.shutdown()
        self.stop()

    def __enter__(self) -> Checkers:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            self.close()
        else:
            self.stop()

    def _check(self, source: EnvSource, known: tuple[Neighbour, ...]) -> Report:
        process = self._free.get()
        try:
            if process is None or not process.alive:
                process = self._start()
            answer = process.ask({"source": to_json(source), "known": to_json(known)})
        finally:
            self._free.put(process)
        if self._stopped.is_set():
            raise SpadeEnvsError("interrupted: the check did not end")
        if answer is None:
            message = f"The checking process ended ({process.end()}) before it told what it found. Check again."
            return Report(source.sha256, (Finding("gate.error", Severity.UNDECIDED, message),))
        if "sandbox_error" in answer:
            raise SandboxError(str(answer["sandbox_error"]))
        report = from_json(Report, answer["report"])
        if report.source_sha256 != source.sha256:
            message = "The checking process told of another text. Check again."
            return Report(source.sha256, (Finding("gate.error", Severity.UNDECIDED, message),))
        return report

    def _start(self) -> _Process:
        if self._stopped.is_set():
            raise SpadeEnvsError("interrupted; nothing more is started")
        process = _Process({**self._hello, "processor": next(self._processors)})
        self._all.append(process)
        return process


class _Process:
    """One checking process, asked one thing at a time."""

    def __init__(self, hello: dict[str, Any]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _SERVE, json.dumps([os.path.abspath(path) for path in sys.path])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="surrogatepass",
            process_group=0,  # Ctrl-C is for the caller, who ends this one
        )
        self._say(hello)

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    def ask(self, question: dict[str, Any]) -> dict[str, Any] | None:
        """Its answer; ``None`` when it ended instead, or answered what is no answer."""
        self._say(question)
        assert self._process.stdout is not None
        try:
            answer = json.loads(self._process.stdout.readline())
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self._process.kill()
            return None
        return answer

    def end(self) -> str:
        """How it ended."""
        status = self._process.wait()
        return f"signal {-status}" if status < 0 else f"exit status {status}"

    def close(self) -> None:
        """End it; its workers end when their sockets do."""
        self._process.kill()
        self._process.wait()

    def _say(self, value: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it ended: seen when its answer is read
            # Not escaped: reading would join two lone surrogates to one letter, and another text would be checked.
            self._process.stdin.write(json.dumps(value, ensure_ascii=False) + "\n")
            self._process.stdin.flush()


def validate_many(
    sources: Iterable[EnvSource | str],
    *,
    jobs: int = 0,
    limits: Limits | None = None,
    run_seed: int = 0,
    options: BoxOptions | None = None,
) -> Iterator[Report]:
    """Check many sources at once.

    Args:
        sources: sources or their texts; an iterator is read only a little ahead.
        jobs: how many at a time; 0 is one per processor.
        limits, run_seed, options: as in :func:`~spade_envs.admission.validate`.

    Yields:
        The reports, in the order of ``sources``; the same as one at a time.

    Raises:
        SandboxError: this machine cannot isolate as required.
        ValueError: ``jobs`` is below 0, or a source is none.

    >>> [report.verdict.value for report in validate_many(["x = 1", "import socket"], jobs=2)]
    ['refuse', 'refuse']
    """
    if jobs < 0:
        raise ValueError(f"jobs must be 0 (one per processor) or more, not {jobs}")
    return _reports(sources, jobs, limits, run_seed, options)


def _reports(
    sources: Iterable[EnvSource | str], jobs: int, limits: Limits | None, run_seed: int, options: BoxOptions | None
) -> Iterator[Report]:
    with Checkers(jobs, limits=limits, run_seed=run_seed, options=options) as checkers:
        pending: collections.deque[Future[Report]] = collections.deque()
        for source in sources:
            pending.append(checkers.submit(EnvSource(source) if isinstance(source, str) else source))
            if len(pending) >= AHEAD * checkers.jobs:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def serve() -> None:
    """What a checking process does: one check per line of standard input, until that ends."""
    read, out = sys.stdin, sys.stdout
    sys.stdout = sys.stderr  # nothing printed by accident may reach the caller
    for stream in (read, out):
        stream.reconfigure(encoding="utf-8", errors="surrogatepass")  # type: ignore[union-attr]  # a real file
    hello = json.loads(read.readline())
    keep_to(hello["processor"])
    limits, options = from_json(Limits, hello["limits"]), from_json(BoxOptions, hello["options"])
    for line in iter(read.readline, ""):
        question = json.loads(line)
        source = from_json(EnvSource, question["source"])
        known = [from_json(Neighbour, one) for one in question["known"]]
        answer: dict[str, Any]
        try:
            report = validate_beside(source, known, limits=limits, run_seed=hello["run_seed"], options=options)
            answer = {"report": to_json(report)}
        except SandboxError as error:
            answer = {"sandbox_error": str(error)}
        try:
            out.write(json.dumps(answer, ensure_ascii=False) + "\n")
            out.flush()
        except BrokenPipeError:  # the caller is gone
            os._exit(1)
        # What is loaded by now stays: collecting garbage need not look at it again.
        gc.collect()
        gc.freeze()
