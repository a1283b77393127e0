"""The host's side of one worker process: start it, ask it, and never trust or wait for what it answers.

Every way a worker can misbehave ends in a :class:`~spade_envs.types.Fault` for the caller: an exception in the
environment, a hang (soft limit inside, SIGKILL from here on the deadline), a death, or an answer that is no answer.
Only a box that cannot be built raises (:class:`~spade_envs.errors.SandboxError`).
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import itertools
import signal
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Sequence
from typing import Any

from ..errors import SandboxError, WorkerDied, WorkerTimeout
from ..types import Fault, FaultKind, Isolation, Limits
from . import frames, source, vitals
from .watch import Watch
from .zygotes import Forked, start

START_SECONDS = 60.0
"""How long a worker may take to become ready on a loaded machine."""

IGNORED_LIMIT = 75
"""Exit status of a worker whose source swallowed the time limit again and again."""

_SLICE_MICROSECONDS = 20_000
"""How long one system call waits before the deadline is looked at again."""

_serials = itertools.count(1)
_KINDS = {kind.value for kind in FaultKind}


@dataclasses.dataclass(frozen=True)
class BoxOptions:
    """How to build the box."""

    require: Isolation = Isolation.SECCOMP
    """Least isolation to accept. Below it nothing is run and :class:`SandboxError` is raised."""
    language: bool = True
    """The language layer. Off only in tests of the kernel layers alone."""
    landlock: bool = True
    """Apply Landlock where the kernel has it."""
    seccomp: bool = True
    """Apply seccomp where the kernel has it."""
    hash_seed: int = 0
    """``PYTHONHASHSEED`` of the worker: pinned, so that the order of sets is the same everywhere."""
    layout: int = 0
    """Workers of different layouts lie at different addresses, as processes that are started anew do."""
    cpu_seconds: int | None = None
    """Cumulative processor time before the kernel ends the worker; for workers of a check, which are short-lived."""


class Worker:
    """One locked process that hosts one source. Calls from several threads are answered one after another."""

    def __init__(self, text: str, limits: Limits, options: BoxOptions) -> None:
        self.limits = limits
        self.options = options
        self.serial = next(_serials)  # among all of this process
        self.dead: Fault | None = None
        """Why the worker is gone, once it is."""
        self.lock = threading.RLock()
        """Held while one question is on its way; callers in other threads wait."""
        self.held: set[int] = set()
        """Instances that live in it."""
        self.room = 1
        """How many instances may live in it; its pool says so."""
        self.compiled = False
        """Whether it has its source."""
        self.pinned = False
        """Whether it is about to be asked: its pool does not retire it now."""
        self.retired = False
        """Whether it was ended for no fault of anybody's: episodes in it can be played again elsewhere."""
        self.asked_at = time.monotonic()
        """When it was last asked something."""
        self.messages = 0
        """How many messages it got."""
        self.watched_at = 0
        """After how many messages its memory was looked at."""
        self.resident_before: float | None = None
        """Its memory before the newest instance was made, in MiB."""
        self._number = 0
        self._abandoned: set[int] = set()
        self._dropped: collections.deque[int] = collections.deque()
        """Instances to forget, told with the next message."""
        self._buffer = frames.Buffer()
        self._watch = Watch()
        self._ready = False
        self.isolation = Isolation.PROCESS
        self.landlock_abi = 0
        self.notes: tuple[str, ...] = ()
        self._socket, theirs = socket.socketpair()
        self._progress = vitals.Progress()
        try:
            numpy, math = source.mentions(text)
            page = self._progress.descriptor
            self._process = start(theirs, page, options.hash_seed, options.layout, numpy=numpy, math=math)
        except OSError as error:
            self._socket.close()
            self._progress.close()
            raise SandboxError(
                f"the worker process did not start: {error}; check that Python can be run again"
            ) from None
        finally:
            theirs.close()
            self._progress.sent()
        # The kernel's own time-out instead of Python's: one system call per message, not a poll() before each.
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            self._socket.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", 0, _SLICE_MICROSECONDS))
        self._hunger = vitals.Hunger(self.pid)
        self._greet(numpy=numpy, math=math)

    def _greet(self, *, numpy: bool, math: bool) -> None:
        limits, options = self.limits, self.options
        hello = {
            "memory_mb": limits.memory_mb,
            "cpu_seconds": options.cpu_seconds,
            "landlock": options.landlock,
            "seccomp": options.seccomp,
            "language": options.language,
            "numpy": numpy,
            "math": math,
            "output_bytes": limits.output_bytes,
            "observation_bytes": limits.observation_bytes,
        }
        with contextlib.suppress(OSError):  # a worker that died at once is reported by wait_ready
            self._send(frames.order(hello), time.monotonic() + START_SECONDS)

    def wait_ready(self) -> None:
        """Wait until the worker has locked itself up. Starting and waiting are apart so that starts overlap.

        Raises:
            SandboxError: the isolation it reached is below what is required.
            WorkerDied: it ended.
            WorkerTimeout: it did not become ready.
        """
        if self._ready:
            return
        answer = self._receive(0, "start", time.monotonic() + START_SECONDS)
        answer = answer if isinstance(answer, Fault) else self.judge(answer, "start")
        if isinstance(answer, Fault):
            self.kill()
            if answer.kind is FaultKind.HUNG:
                raise WorkerTimeout(
                    f"the worker was not ready after {START_SECONDS:.0f} s; the machine may be overloaded"
                )
            raise WorkerDied(f"the worker did not start: {answer.message}")
        try:
            self.isolation = Isolation(answer["level"])
            self.landlock_abi, self.notes = int(answer["abi"]), tuple(map(str, answer["notes"]))
        except (KeyError, TypeError, ValueError):
            self.kill()
            raise SandboxError("the worker's greeting is malformed; reinstall spade-envs") from None
        if self.isolation.rank < self.options.require.rank:
            self.kill()
            why = "; ".join(self.notes) or "no kernel layer is available on this system"
            raise SandboxError(
                f"workers reach isolation level {self.isolation.value!r} here, but {self.options.require.value!r} is"
                f" required ({why}). Run `spade-envs doctor` for details; for sources you trust, pass"
                f" --isolation {self.isolation.value}"
            )
        self._ready = True

    # -- asking --------------------------------------------------------------------------------------------

    def ask(self, op: str, soft: float, **fields: Any) -> Any | Fault:
        """Send one call and wait for its answer.

        Args:
            op: name of the call.
            soft: seconds the worker may spend on it; a second limit outside kills it ``grace_seconds`` later.
            fields: what the call needs.

        Returns:
            The answer's value, or the fault that came instead.
        """
        answer = self._exchange({"op": op, "soft": soft, **fields}, op, soft)
        return answer if isinstance(answer, Fault) else self.judge(answer, op)

    def drop(self, number: int) -> None:
        """Let the worker forget an instance, when it is asked something the next time; from any thread."""
        if number in self.held:
            self.held.discard(number)
            self._dropped.append(number)

    def ask_turns(
        self, number: int, actions: Sequence[tuple[str, Sequence[str]]], soft: float
    ) -> list[Any | Fault] | Fault:
        """Turns of one instance in one message: as many as were played, or the fault of the whole message.

        Every turn has ``soft`` seconds of its own, and no further one begins after ``soft`` seconds in all.
        """
        message = {
            "op": "turns",
            "soft": soft,
            "id": number,
            "actions": [[text, list(calls)] for text, calls in actions],
        }
        answer = self._exchange(message, "step", soft * 2)
        answer = answer if isinstance(answer, Fault) else self.judge(answer, "step")
        if isinstance(answer, Fault):
            return answer
        if type(answer) is not list or not 0 < len(answer) <= len(actions):
            return self.end(Fault(FaultKind.LIED, "step", "answered a batch with something else"))
        return [self.judge(part, "step") for part in answer]

    def _exchange(self, message: dict[str, Any], phase: str, seconds: float) -> Any | Fault:
        """Number a message, send it, and wait for the answer with that number."""
        with self.lock:
            deadline = time.monotonic() + seconds + self.limits.grace_seconds
            number = self.post(message, phase, deadline)
            return number if isinstance(number, Fault) else self.take(number, phase, deadline)

    def post(self, message: dict[str, Any], phase: str, deadline: float) -> int | Fault:
        """Number a message and send it; its number. Only for who holds :attr:`lock` until all answers are taken."""
        self.wait_ready()
        if self.dead is not None:
            return self.dead
        if self._dropped:
            message = {"drop": [self._dropped.popleft() for _ in range(len(self._dropped))], **message}
        self._number += 1
        self.messages += 1
        self.asked_at = time.monotonic()
        self._hunger.glance(self.asked_at)
        self._abandoned.add(self._number)
        try:
            self._send(frames.order({"n": self._number, **message}), deadline)
        except TimeoutError:
            return self.end(Fault(FaultKind.HUNG, phase, "stopped reading and was killed"))
        except OSError:
            return self.end(self._death(phase))
        return self._number

    def take(self, number: int, phase: str, deadline: float, *, crowded: bool = False) -> Any | Fault:
        """The next answer to message ``number``; others follow one whose ``last`` is ``False``. Where the processors
        are ``crowded`` with workers, it is not looked for: this process sleeps at once."""
        answer = self._receive(number, phase, deadline, crowded)
        if not isinstance(answer, Fault) and not answer.get("last", True):
            self._hunger.glance(time.monotonic())
        else:
            # Only an exception from elsewhere (Ctrl-C) leaves a question unanswered; its answers are skipped later.
            self._abandoned.discard(number)
        return answer

    def _send(self, data: bytes, deadline: float) -> None:
        view = memoryview(data)
        while view:
            try:
                view = view[self._socket.send(view) :]
            except BlockingIOError:
                # The worker did not read for a slice: wait for it, but not longer than for its answer.
                if time.monotonic() >= deadline:
                    raise TimeoutError from None

    def begun(self, number: int) -> int:
        """Which call of message ``number`` has begun, as the worker notes it; -1 where that cannot be known."""
        message, at = self._progress.read()
        return at if message == number else -1

    def _receive(self, number: int, op: str, deadline: float, crowded: bool = False) -> Any | Fault:
        buffer, begun, final, looks = self._buffer, 0.0, deadline, not crowded
        try:
            while True:
                while (body := buffer.take()) is None:
                    try:
                        if (data := self._watch.look(self._look) if looks else None) is None:
                            looks = False
                            data = self._socket.recv(1 << 16)
                            if not crowded:
                                self._watch.woken()
                    except BlockingIOError:
                        begun = begun or time.monotonic()
                        if time.monotonic() >= deadline:
                            later = vitals.more_time(begun, final) if self._hunger.starves(final - begun) else None
                            if later is None:
                                return self.end(Fault(FaultKind.HUNG, op, "did not answer in time and was killed"))
                            deadline = later
                        continue
                    if not data:
                        return self.end(self._death(op))
                    buffer.feed(data)
                    if time.monotonic() >= deadline + 1.0:
                        return self.end(Fault(FaultKind.HUNG, op, "answered too slowly and was killed"))
                answer = frames.unpack(body)
                if type(answer) is not dict or type(answer.get("n")) is not int:
                    raise frames.FrameError("answered something that is no answer")
                if answer["n"] != number and answer["n"] in self._abandoned:
                    if answer.get("last", True):
                        self._abandoned.discard(answer["n"])
                    continue
                if answer["n"] != number or (answer.get("last", True) and not buffer.empty):
                    raise frames.FrameError("answered something else than it was asked")
                return answer
        except frames.FrameError as error:
            return self.end(Fault(FaultKind.LIED, op, str(error)))
        except OSError:
            return self.end(self._death(op))

    def _look(self) -> bytes:
        return self._socket.recv(1 << 16, socket.MSG_DONTWAIT)

    def judge(self, answer: Any, op: str) -> Any | Fault:
        """The value of an answer, or its fault; a wrong shape is a lie."""
        if type(answer) is dict and "ok" in answer:
            return answer["ok"]
        fault = answer.get("fault") if type(answer) is dict else None
        if type(fault) is not dict or type(fault.get("kind")) is not str or fault["kind"] not in _KINDS:
            return self.end(Fault(FaultKind.LIED, op, "answered something that is no answer"))
        line = fault.get("line")
        found = Fault(
            kind=FaultKind(fault["kind"]),
            phase=op,
            message=frames.plain(fault.get("message")),
            line=line if type(line) is int and 0 < line < 1_000_000 else None,
            field=frames.plain(fault.get("field"))[:40],
        )
        if found.kind is FaultKind.MEMORY:
            # Whoever allocates next would fail too, innocent or not: this process is spent.
            self.kill(found)
        return found

    # -- the end -------------------------------------------------------------------------------------------

    def _death(self, op: str) -> Fault:
        status = self._status()
        if status == -signal.SIGKILL:
            return Fault(FaultKind.MEMORY, op, "the worker was killed by the system, most likely for its memory")
        if status == IGNORED_LIMIT:
            return Fault(FaultKind.HUNG, op, "ignored its time limit and ended itself")
        if status in (-signal.SIGPROF, -signal.SIGXCPU):
            return Fault(FaultKind.HUNG, op, "used more processor time than it may and was ended by the kernel")
        return Fault(FaultKind.DIED, op, self._obituary())

    def _status(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(2.0)
        return None

    def _obituary(self) -> str:
        status = self._status()
        if status is None:
            return "the worker closed its socket"
        if status < 0:
            return f"the worker process died of {signal.Signals(-status).name}"
        return f"the worker process exited with status {status}"

    def end(self, fault: Fault) -> Fault:
        self.kill(fault)
        return fault

    def kill(self, why: Fault | None = None) -> None:
        """End the process now; asking it again answers ``why``. Harmless when it is gone already."""
        if self.dead is None:
            self.dead = why or Fault(FaultKind.LOST, "close", "the worker was closed")
        with contextlib.suppress(OSError):
            self._process.kill()
        with contextlib.suppress(OSError):
            self._socket.close()
        self._progress.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(5.0)

    def retire(self, why: str) -> None:
        """End it for no fault of anybody's."""
        self.retired = True
        self.kill(Fault(FaultKind.LOST, "close", f"the worker {why}"))

    @property
    def pid(self) -> int:
        """Number of its process."""
        return self._process.pid

    @property
    def resident_mb(self) -> float | None:
        """Memory it occupies, in MiB, as the kernel counts it; ``None`` where that cannot be read."""
        return vitals.resident_mb(self.pid)

    def forget(self) -> None:
        """Drop this handle in a forked child: the process belongs to the parent."""
        self.retired = True
        self.dead = Fault(FaultKind.LOST, "fork", "the worker belongs to the parent process")
        with contextlib.suppress(OSError):
            self._socket.close()
        self._progress.close()
        if isinstance(self._process, Forked):
            self._process.forget()
        self._process.returncode = 0  # Popen would wait for a child that is not ours

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None and self._process.returncode is None:
            self.kill()
