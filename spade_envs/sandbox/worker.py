"""The worker: a process that locks itself up and then answers messages about one source.

Started by file path with ``python -s -P -S worker.py FD PATH...``: FD is its end of a socket pair, the PATHs are
where RestrictedPython (and numpy, math_verify) may be imported from. The first message says what to import and which
layers to apply; the answer tells the level reached. After that nothing but computing is possible, and every answer
carries the number of its question. When the host goes away, the socket ends, and so does the worker.
"""

from __future__ import annotations

import gc
import importlib
import marshal
import mmap
import os
import signal
import struct
import sys
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PACKAGE = "spade_box"
IGNORED_LIMIT = 75
"""Exit status when a source swallowed the time limit :data:`MOST_IGNORED` times, a tenth of a second apart."""
MOST_IGNORED = 60
MOST_PATIENCE = 4
"""Times its limit that a call has which does not get the processor."""
MOST_TOLD = 1 << 18
"""Letters after which a batch of turns is answered, so that its frame stays small."""
PROGRESS = struct.Struct("QQ")
ORDINARY = 3
"""Values of a turn that ended nothing and needed no repair; as in ``columns``."""
LEAST_HELD = 16
"""Answers in one frame while more are to come, at least: it holds half of what is left, so that the host has little to
do after the last one, and is not woken often. Where the host would only take the processor from workers, all."""
HELD_SECONDS = 0.002
"""How long an answer waits for others before it is sent."""


class SoftLimit(BaseException):
    """The call took too long. No Exception, so that a source cannot swallow it by accident."""


class Worker:
    """Holds the instances of one source and runs the calls on them."""

    def __init__(self, box: Any, options: dict[str, Any]) -> None:
        self.box = box
        self.options = options
        self.code: types.CodeType | None = None
        self.instances: dict[int, Any] = {}
        self.armed = False
        self.ignored = 0
        self.page: Any = None
        """Memory that the host reads too: the number of the message and the call in it that has begun."""
        self.soft = self.begun = self.tick = 0.0
        """Limit and begin of the present call, and how often the clock is looked at; 0 while nothing ticks."""
        self.ticked = self.cpu_before = self.cpu_last = 0.0
        """Begin of the call that was last looked at, and processor time before it and at the last look."""
        self.watched = 0.0
        self.watched_soft = 0.0
        self.names: list[str] = []
        """Keys of the infos in the last frame."""

    # -- time ----------------------------------------------------------------------------------------------

    def alarm(self, *_: Any) -> None:
        """SIGALRM, every tick: raise inside the environment's code when its time is over, but not in ours.

        It comes again and again, since ``finally: continue`` may swallow what was raised.
        """
        if not self.armed:
            # Left over from calls that were in time: switching it off only now saves two system calls per step.
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            self.tick = 0.0
            return
        used, late = time.process_time(), time.monotonic() - self.begun
        if self.ticked != self.begun:
            self.ticked, self.cpu_before = self.begun, self.cpu_last
        self.cpu_last = used
        starves = used - self.cpu_before < self.soft / 2  # the machine is busy: it hardly had the processor
        if late < self.soft or (starves and late < self.soft * MOST_PATIENCE):
            return
        self.ignored += 1
        if self.ignored > MOST_IGNORED:
            # Nobody may be left to kill a source that swallows every alarm.
            os._exit(IGNORED_LIMIT)
        raise SoftLimit

    def timed(self, message: dict[str, Any]) -> Any:
        """Run one call under its time limit; the answer is ``{"ok": ...}`` or ``{"fault": ...}``."""
        return self.run(self._called, message, float(message.get("soft", 1.0)))

    def _called(self, message: dict[str, Any]) -> dict[str, Any]:
        return {"ok": getattr(self, "do_" + message["op"])(message)}

    def run(self, call: Callable[[Any], Any], asked: Any, soft: float) -> Any:
        """What ``call(asked)`` returns under a time limit of ``soft`` seconds, or ``{"fault": ...}``."""
        now = time.monotonic()
        if now > self.watched + 1.0 or soft > self.watched_soft:
            # Processor time is watched by the kernel too: it ends a worker that is stuck in C when the host is gone.
            signal.setitimer(signal.ITIMER_PROF, soft * 2 + 6.0)
            self.watched, self.watched_soft = now, soft
        self.ignored, self.soft, self.begun = 0, soft, now
        self.armed = True  # from here on no alarm switches the clock off
        if not 0.0 < self.tick <= soft / 4:
            self.tick = min(0.1, soft / 4)
            signal.setitimer(signal.ITIMER_REAL, self.tick, self.tick)
        try:
            try:
                value = call(asked)
                self.armed = False
                return value
            except BaseException as error:  # every way an environment can fail is an answer here
                # Still under the alarm: telling what an exception says runs the environment's code again.
                return {"fault": self._fault(error)}
        except SoftLimit:
            return {"fault": {"kind": "hung", "message": "exceeded its time limit while failing", "line": None}}
        finally:
            self.armed = False

    def _fault(self, error: BaseException) -> dict[str, Any]:
        answers, streams = self.box.answers, self.box.streams
        line = self.box.answers.line_in(error, self.box.names.FILENAME)
        if type(error) is SoftLimit:
            return {"kind": "hung", "message": "exceeded its time limit", "line": line}
        if type(error) is streams.OutputLimit:
            return {"kind": "output", "message": "printed more than it may", "line": line}
        if type(error) is answers.Broke:
            return {"kind": "broke", "message": str(error)[:500], "field": getattr(error, "field", ""), "line": line}
        if isinstance(error, MemoryError):
            return {"kind": "memory", "message": "exceeded its memory limit", "line": line}
        return {"kind": "raised", "message": _describe(error), "line": line}

    # -- calls ---------------------------------------------------------------------------------------------

    def do_source(self, message: dict[str, Any]) -> Any:
        """Check and compile the source this worker will host, or take the code that another worker compiled."""
        if message["code"]:
            self.code = marshal.loads(bytes.fromhex(message["code"]))  # runs in this very box
            return {}
        text, nesting = message["text"], message["nesting"]
        if self.options["language"]:
            code, tree, problems = self.box.policy.compile_source(
                text, nesting=nesting, library_private=self.box.facades.private_names()
            )
            found = self.box.source.environments(tree) if tree is not None else []
        else:
            code, found, problems = compile(text, self.box.names.FILENAME, "exec", dont_inherit=True), [], []
        self.code = code
        told = "" if code is None else marshal.dumps(code).hex()
        return {"problems": [list(problem) for problem in problems], "environments": found, "code": told}

    def do_drop(self, message: dict[str, Any]) -> Any:
        """Forget instances, which may run code of theirs."""
        for number in message["numbers"]:
            self.instances.pop(number, None)

    def do_load(self, message: dict[str, Any]) -> Any:
        """Make an instance."""
        if self.code is None:
            raise RuntimeError("no source was compiled")
        options = {**self.options, "max_turns": message.get("max_turns")}
        instance = self.box.instance.Instance(self.code, options)
        instance.executes = bool(message.get("executes")) and callable(getattr(instance.env, "execute_tool", None))
        instance.executes = instance.executes and not instance.is_tool_base
        instance.together = bool(message.get("together"))
        self.instances[message["id"]] = instance
        return {"name": instance.cls.__name__}

    def do_reset(self, message: dict[str, Any]) -> Any:
        """Begin an episode."""
        return self.instances[message["id"]].reset(message["seed"], again=message["again"])

    def do_step(self, message: dict[str, Any]) -> Any:
        """One turn."""
        return self.instances[message["id"]].step(message["action"], message["calls"])

    def do_solution(self, message: dict[str, Any]) -> Any:
        """What the author's solution says."""
        return self.instances[message["id"]].solution(message["seed"], used=message["used"])

    def do_advance(self, message: dict[str, Any]) -> Any:
        """The next action of a generator solution."""
        return self.instances[message["id"]].advance(message["observation"])

    def do_hint(self, message: dict[str, Any]) -> Any:
        """The author's hint."""
        return {"hint": self.instances[message["id"]].hint()}

    def do_search(self, message: dict[str, Any]) -> Any:
        """Look for a winning action list."""
        instance = self.instances[message["id"]]
        seconds, nodes = message["seconds"], message["nodes"]
        return {"actions": self.box.search.find(instance, message["seed"], seconds=seconds, nodes=nodes)}

    def do_look(self, message: dict[str, Any]) -> Any:
        """What no player sees."""
        return self.box.look.look(self.instances[message["id"]])

    def answers(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The answer to one message; to ``many``, which holds calls of several instances, one per call."""
        self.cpu_last = time.process_time()
        if "drop" in message:
            self.timed({"op": "drop", "soft": 1.0, "numbers": message["drop"]})
        if message["op"] == "turns":
            yield {"ok": self.turns(message)}
        elif message["op"] != "many":
            yield self.timed(message)
        else:
            yield from self.many(message)

    def many(self, message: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Answers of several instances, some together in one frame, as soon as they have taken a moment in all."""
        steps, resets, page, run, turn = message["steps"], message["resets"], self.page, self.run, self._turn
        alone = message["exact"] or page is None
        held: list[Any] = []
        new = self.box.columns.Columns
        columns = new(self.names)
        first, since, count = 0, time.monotonic(), len(message["items"])
        least = count if message["whole"] else LEAST_HELD
        most = 1 if alone else max(least, count // 2)
        for at, item in enumerate(message["items"]):
            if page is not None:
                PROGRESS.pack_into(page, 0, message["n"], at)
            if type(item[1]) is str:
                names = None if alone or (len(item) > 3 and item[4]) else columns.names
                answer = run(turn, (item, names), steps)
                if type(answer) is tuple:
                    columns.add(answer)
                    answer = None
                elif type(answer) is list:
                    if len(item) > 3 and (item[4] or len(answer) > ORDINARY):
                        answer = self._renewed(item, answer, resets)
                    elif not alone and len(answer) == ORDINARY and columns.take(answer):
                        answer = None
            else:
                number, seed, again = item
                answer = self.timed({"op": "reset", "soft": resets, "id": number, "seed": seed, "again": again})
            held.append(answer)
            full = len(held) >= most or (type(answer) is dict and "fault" in answer)
            if full or at + 1 == count or time.monotonic() - since > HELD_SECONDS:
                said, texts = self.box.columns.packed(held, columns)
                yield {"i": first, "last": at + 1 == count, **said, "texts": texts}
                held, first, since, self.names = [], at + 1, time.monotonic(), columns.names
                columns = new(self.names)
                most = 1 if alone else max(least, (count - first) // 2)

    def _turn(self, asked: tuple[list[Any], list[str] | None]) -> Any:
        (number, action, calls, *_), names = asked
        return self.instances[number].turn(action, calls, names)

    def _renewed(self, item: list[Any], answer: list[Any], soft: float) -> list[Any]:
        """The values of a turn, and behind them the answer of the reset that is to follow where it ends its episode."""
        number, _, _, seed, always = item
        if len(answer) == ORDINARY:
            answer = [*answer[:2], False, False, answer[2], []]
        if always or answer[2] or answer[3]:
            answer.append(self.run(self._begun, (number, seed), soft))
        return answer

    def _begun(self, asked: tuple[int, int]) -> Any:
        """The answer of a reset; of one with nothing but an observation, info and a turn limit, these alone."""
        answer = self.instances[asked[0]].reset(asked[1])
        if answer["tools"] or answer["tool_base"] or answer["repairs"]:
            return {"ok": answer}
        return [answer["observation"], answer["info"], answer["max_turns"]]

    def turns(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """Turns of one instance, one after another, until one ends the episode or fails, or time or room run out."""
        soft, end, told = message["soft"], time.monotonic() + message["soft"], 0
        answers = []
        for action, calls in message["actions"]:
            answer = self.timed({"op": "step", "id": message["id"], "soft": soft, "action": action, "calls": calls})
            answers.append(answer)
            value = answer.get("ok")
            if value is None or value["terminated"] or value["truncated"]:
                break
            told += len(value["observation"]) + len(str(value["info"]))
            if told > MOST_TOLD or time.monotonic() > end:
                break
        return answers


def _describe(error: BaseException) -> str:
    try:
        text = f"{type(error).__name__}: {error}"
        return text[:500].encode("utf-8", "replace").decode("utf-8")
    except SoftLimit:
        raise
    except BaseException:  # the exception's own __str__ may fail in any way
        return f"{type(error).__name__} (its message cannot be shown)"


def load_box() -> Any:
    """The modules of this folder, as a package of their own: the real parents must not load here."""
    package = types.ModuleType(PACKAGE)
    package.__path__ = [str(Path(__file__).resolve().parent)]
    sys.modules[PACKAGE] = package
    box = types.SimpleNamespace()
    for name in ("names", "source", "policy", "columns", "answers", "streams", "facades", "namespace", "instance",
                 "search", "look", "frames", "wire", "lockdown", "forking"):  # fmt: skip
        setattr(box, name, importlib.import_module(f"{PACKAGE}.{name}"))
    return box


def preload(box: Any, options: dict[str, Any]) -> None:
    """Import, before the lock, whatever the source may use after it."""
    box.facades.preload()
    if options["numpy"]:
        box.facades.numpy_facade.preload()
    if options["math"] and box.facades.try_import("math_verify"):
        # Builds its grammar tables once, which reads files.
        verifier = sys.modules["math_verify"]
        verifier.parse("$\\frac{1}{2}$", parsing_timeout=None)
    box.namespace.install_module()
    # One namespace made and thrown away warms every facade.
    box.namespace.Namespace(1024)


def serve(fd: int, box: Any, *, preloaded: bool = False, page: int | None = None) -> None:
    """Answer messages until the host closes the socket; ``page`` is a descriptor of the memory for the progress."""
    wire = box.wire.Wire(fd)
    send = wire.send
    options = wire.receive()
    if not preloaded:
        preload(box, options)
    worker = Worker(box, options)
    if page is not None:
        worker.page = mmap.mmap(page, PROGRESS.size)  # its descriptor is closed by the lock, the memory stays
    signal.signal(signal.SIGALRM, worker.alarm)
    request = box.lockdown.LockRequest(
        memory_mb=options["memory_mb"],
        cpu_seconds=options["cpu_seconds"],
        landlock=options["landlock"],
        seccomp=options["seccomp"],
        keep_fd=fd,
    )
    gc.collect()
    gc.freeze()
    # The lock closes descriptors 0 to 2; a print of ours must not find another one under their numbers.
    sys.stdin = sys.stdout = sys.stderr = None
    report = box.lockdown.lock(request)
    send({"n": 0, "ok": {"level": report.level, "abi": report.landlock_abi, "notes": list(report.notes)}})
    while True:
        message = wire.receive()
        for answer in worker.answers(message):
            texts = answer.pop("texts", ())
            try:
                send({"n": message["n"], **answer}, texts)
            except box.frames.FrameError as error:
                for one in box.frames.apart({**answer, "texts": texts}):
                    try:
                        send({"n": message["n"], **one})
                    except box.frames.FrameError:
                        fault = {"kind": "broke", "message": str(error), "field": "observation", "line": None}
                        told = {**one, "answers": [{"fault": fault}]} if "answers" in one else {"fault": fault}
                        send({"n": message["n"], **told})


def main(argv: list[str]) -> None:
    """Entry point of the process: a worker, or ``zygote:NM`` with 1 or 0 for numpy and math_verify."""
    fd = int(argv[1])
    kind, _, wanted = argv[2].partition(":") if len(argv) > 2 else ("", "", "")
    if kind != "zygote":
        sys.path.extend(argv[2:])
        serve(fd, load_box())
        return
    sys.path.extend(argv[3:])
    box = load_box()
    preload(box, {"numpy": wanted[0] == "1", "math": wanted[1] == "1"})
    box.forking.be_zygote(fd, box, serve)


if __name__ == "__main__":
    main(sys.argv)
