"""Does it start at all, in time, within memory, without flooding its output?"""

from __future__ import annotations

from collections.abc import Iterator

from spade_envs.rules import Complaint, rule
from spade_envs.types import FaultKind, Repro, RuleContext, Severity


def _first_reset(ctx: RuleContext, kinds: tuple[FaultKind, ...], advice: str) -> Iterator[Complaint]:
    fault = ctx.play(ctx.seeds[0], ()).error
    if fault is None or fault.kind not in kinds:
        return
    if fault.kind is FaultKind.BROKE and fault.phase != "load":
        return
    if fault.phase in ("load", "reset"):
        where = "Loading the source" if fault.phase == "load" else f"reset(seed={ctx.seeds[0]})"
        yield Complaint(f"{where} failed: {fault.message}. {advice}", fault.line, Repro(ctx.seeds[0]))


@rule("load.error", "load", Severity.ERROR)
def error(ctx: RuleContext) -> Iterator[Complaint]:
    """The module, the constructor and the first reset run without an exception.

    What does not start gives no episode, and training makes instances by the thousand.

    Tried on the first seed. The class is made as ``cls()``, or as ``cls(max_turns=N)`` when it requires that, then
    ``reset(seed=N)`` is called. An exception is an error, and so are other required parameters. A worker process that
    dies on the way counts as an exception. Further seeds are looked at by ``contract.reset``.

    Give every parameter but ``max_turns`` a default, set what ``reset`` uses before ``__init__`` calls it, and mend the
    line that the finding names.

    Accepted::

        def __init__(self, max_turns=3, **kwargs):
            self.max_turns = max_turns
            self.reset()

    Refused::

        def __init__(self, size):
            self.size = size
    """
    kinds = (FaultKind.RAISED, FaultKind.DIED, FaultKind.LIED, FaultKind.BROKE)
    yield from _first_reset(ctx, kinds, "Make construction and reset work for every seed.")


@rule("load.timeout", "load", Severity.ERROR)
def timeout(ctx: RuleContext) -> Iterator[Complaint]:
    """Construction and first reset finish within their wall time (5 s each by default).

    Training resets an environment thousands of times, and a whole batch waits for the slowest reset.

    Tried on the first seed, by wall time. Executing the source and constructing the class have one limit, the first
    reset another; exceeding either is an error, there is no warning. With ``--strict`` both are 2 s. A worker that
    ignores its own limit is killed from outside, a second later.

    Generate smaller instances, and bound every search and every rejection loop.

    Accepted::

        def close(self):
            return sum(range(1000))

    Refused::

        def reset(self, seed=None):
            while True:
                self.ready = False
    """
    yield from _first_reset(ctx, (FaultKind.HUNG,), "Bound every loop that searches for an instance.")


@rule("load.memory", "load", Severity.ERROR)
def memory(ctx: RuleContext) -> Iterator[Complaint]:
    """Construction and first reset stay within memory (512 MiB by default).

    Training runs many instances side by side: one that takes too much ends the others, or is ended by the system.

    Tried on the first seed, in a worker whose heap is limited. A ``MemoryError`` while loading, constructing or
    resetting is an error, and so is a worker that the system kills, most likely for its memory. There is no warning.

    Build smaller tables, compute values when they are asked for, and draw smaller instances.

    Accepted::

        def close(self):
            self.table = [0] * 1000

    Refused::

        def reset(self, seed=None):
            self.table = [0] * 10**9
            return "What is 1 + 1?", {}
    """
    yield from _first_reset(ctx, (FaultKind.MEMORY,), "Build smaller tables.")


@rule("load.output", "load", Severity.ERROR)
def output(ctx: RuleContext) -> Iterator[Complaint]:
    """Construction and first reset print little (64 KiB by default).

    Printing goes nowhere: what an agent should see belongs into the observation. Floods of it only slow training down.

    Tried on the first seed. More than 65,536 characters while loading and constructing, or in the first reset, is an
    error. After it, printing is dropped without a limit. A few debugging prints do no harm.

    Remove the prints, or show the text in the observation.

    Accepted::

        def close(self):
            print("closed")

    Refused::

        def reset(self, seed=None):
            for i in range(100000):
                print("loading", i)
            return "What is 1 + 1?", {}
    """
    yield from _first_reset(ctx, (FaultKind.OUTPUT,), "Remove the prints.")
