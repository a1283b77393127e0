"""Does it survive what players say?"""

from __future__ import annotations

from collections.abc import Iterator

from spade_envs.exploration import is_exotic
from spade_envs.rules import Complaint, rule
from spade_envs.shrink import shrink
from spade_envs.types import Episode, Fault, FaultKind, Repro, RuleContext, Severity


def _first(ctx: RuleContext, kinds: tuple[FaultKind, ...]) -> tuple[Episode, Fault] | None:
    """The first failing episode, one that fails on ordinary text if there is any."""
    found: list[tuple[Episode, Fault]] = []
    for episode in ctx.plays():
        fault = episode.error
        if fault is not None and fault.phase == "step" and fault.kind in kinds:
            found.append((episode, fault))
    return min(found, key=lambda pair: is_exotic(pair[0])) if found else None


def _failing_hint(ctx: RuleContext, kinds: tuple[FaultKind, ...]) -> Iterator[Complaint]:
    failed = ctx.hint_fault()
    if failed is not None and failed[1].kind in kinds:
        seed, fault = failed
        message = f"hint() failed: {fault.message}. It must return a text in every episode."
        yield Complaint(message, fault.line, Repro(seed))


@rule("robustness.raises", "property", Severity.ERROR)
def raises(ctx: RuleContext) -> Iterator[Complaint]:
    """``step`` raises for no text whatsoever, and ``hint`` not at all.

    Models say anything: nothing, the question again, another format, half a JSON. A step that raises ends the episode
    without an outcome, so nothing is learned just where the model is weak.

    Silence, echo and fixed nonsense are played on 4 seeds, then named commands and tools with wrong arguments, the
    witness with wrong answers in between, and up to some 190 lists on 4 seeds, drawn from named commands, changed
    winning lists, calls built from schemas and hostile arguments. An exception or a dying worker is an error, and so is
    a ``hint`` that fails on one of 3 seeds. A fault that takes digits beyond ASCII or a number of over 50 digits is a
    warning.

    Check the form before parsing, or catch the exception, and answer with a sentence that tells the expected format.

    Accepted::

        def step(self, action):
            self.tries += 1
            won = action.strip("\\\\boxed{}") == str(self.a + self.b)
            return "Right." if won else "Wrong.", float(won), won, not won and self.tries >= 3, {}

    Refused::

        def step(self, action):
            won = int(action.strip("\\\\boxed{}")) == self.a + self.b
            return "Right." if won else "Wrong.", float(won), won, False, {}
    """
    kinds = (FaultKind.RAISED, FaultKind.DIED, FaultKind.LIED)
    yield from _failing_hint(ctx, (*kinds, FaultKind.BROKE))
    found = _first(ctx, kinds)
    if found:
        episode, fault = found
        repro = shrink(
            ctx, episode, lambda e: e.error is not None and e.error.kind in kinds and e.error.phase == "step"
        )
        said = repro.actions[-1][:60] if repro.actions else ""
        message = f"step() failed on {said!r}: {fault.message}. Answer any text."
        yield Complaint(message, fault.line, repro, Severity.WARNING if is_exotic(episode) else None)


@rule("robustness.hangs", "property", Severity.ERROR)
def hangs(ctx: RuleContext) -> Iterator[Complaint]:
    """``step`` answers every text in time and within memory, and so does ``hint``.

    A whole batch waits for the slowest step, and a worker that runs out of memory takes its other instances along.

    Decided in the episodes of ``robustness.raises``. A step of over 2 s (1 s with ``--strict``) or beyond 512 MiB is an
    error, and so is a ``hint`` on one of 3 seeds. There is no warning, and nothing more is tried after the first.

    Bound loops and searches by a count, avoid patterns that backtrack (a repetition inside a repetition), and refuse
    sizes and numbers beyond what the task needs.

    Accepted::

        def close(self):
            return sum(range(1000))

    Refused::

        def step(self, action):
            while "1" not in action:
                action += "0"
            return "Wrong.", 0.0, True, False, {}
    """
    yield from _failing_hint(ctx, (FaultKind.HUNG, FaultKind.MEMORY, FaultKind.OUTPUT))
    found = _first(ctx, (FaultKind.HUNG, FaultKind.MEMORY, FaultKind.OUTPUT))
    if found:
        episode, fault = found
        said = episode.actions[-1][:60] if episode.actions else ""
        message = f"step() did not answer {said!r}: {fault.message}. Bound loops, patterns and tables."
        yield Complaint(message, fault.line, Repro(episode.seed, episode.actions))
