"""Does it keep the contract of ``reset`` and ``step``? What the adapter can mend is a warning."""

from __future__ import annotations

from collections.abc import Iterator

from spade_envs.contract import REPAIRS
from spade_envs.exploration import unshowable
from spade_envs.rules import Complaint, rule
from spade_envs.shrink import shrink
from spade_envs.types import Episode, FaultKind, Repro, RuleContext, Severity, StopReason


def _broken(ctx: RuleContext, field: str, advice: str) -> Iterator[Complaint]:
    """The first episode in which this part of the contract broke, made short, and what was mended."""

    def same(episode: Episode) -> bool:
        fault = episode.error
        return fault is not None and fault.kind is FaultKind.BROKE and fault.field == field

    for episode in ctx.plays():
        if same(episode) and episode.error is not None:
            repro = shrink(ctx, episode, same)
            yield Complaint(f"{_sentence(episode.error.message)} {advice}", episode.error.line, repro)
            break
    yield from _mended(ctx, f"contract.{field}")


def _mended(ctx: RuleContext, name: str) -> Iterator[Complaint]:
    seen = {repair for episode in ctx.plays() for repair in episode.repairs}
    for repair in sorted(seen):
        owner, message = REPAIRS.get(repair, ("", ""))
        if owner == name:
            yield Complaint(f"Mended by the adapter: {message}.", severity=Severity.WARNING)


def _sentence(text: str) -> str:
    named = text.startswith(("reset(", "step("))
    return f"{text if named else text[:1].upper() + text[1:]}."


@rule("contract.reset", "property", Severity.ERROR)
def reset(ctx: RuleContext) -> Iterator[Complaint]:
    """``reset(seed=N)`` returns ``(observation, info)`` for every seed.

    A bare string is mended. A reset that raises for some seed is an error with that seed.

    Accepted::

        def reset(self, seed=None):
            self.a, self.b, self.tries = random.Random(seed).randint(1000, 9999), 7, 0
            return f"What is {self.a} + 7? Answer as \\\\boxed{{N}}."

    Refused::

        def reset(self, seed=None):
            return "What is 1 + 1?", {}, 2
    """
    yield from _broken(ctx, "reset", "Return (observation, info).")
    for episode in ctx.plays():
        fault = episode.error
        if fault is not None and fault.phase == "reset" and fault.kind is not FaultKind.BROKE:
            message = f"reset(seed={episode.seed}) failed: {fault.message}. It must work for every seed."
            yield Complaint(message, fault.line, Repro(episode.seed))
            return


@rule("contract.step", "property", Severity.ERROR)
def step(ctx: RuleContext) -> Iterator[Complaint]:
    """``step(action)`` returns ``(observation, reward, terminated, truncated, info)``.

    The 4-tuple of old Gym is mended: its ``done`` counts as terminated.

    Accepted::

        def step(self, action):
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            self.tries += 1
            return "Right." if won else "Wrong.", float(won), won or self.tries >= 3, {}

    Refused::

        def step(self, action):
            return "ok", 0.0, False
    """
    yield from _broken(ctx, "step", "Return five values.")


@rule("contract.reward", "property", Severity.ERROR)
def reward(ctx: RuleContext) -> Iterator[Complaint]:
    """Every step's reward is a finite number in [-1, 1]; winning pays 1 in all.

    NaN is an error everywhere: it would count as a win in a maximum. Integers and numpy scalars are mended. A sum above
    1 is a warning: partial rewards should add up to 1.

    Accepted::

        def step(self, action):
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            self.tries += 1
            return "Right." if won else "Wrong.", int(won), won, not won and self.tries >= 3, {}

    Refused::

        def step(self, action):
            self.tries += 1
            return "Wrong.", float("nan"), False, self.tries >= 3, {}
    """
    yield from _broken(ctx, "reward", "Pay 1.0 for success and less for less.")
    for episode in ctx.plays():
        if episode.total_reward > 1.0 + 1e-6:
            message = f"An episode earns {episode.total_reward:g} in all; partial rewards should add up to at most 1."
            yield Complaint(message, repro=Repro(episode.seed, episode.actions), severity=Severity.WARNING)
            return


@rule("contract.flags", "property", Severity.ERROR)
def flags(ctx: RuleContext) -> Iterator[Complaint]:
    """``terminated`` and ``truncated`` are bools, never both true.

    numpy's bools are mended; if both are true, only ``terminated`` counts. 0, 1 and None are errors.

    Accepted::

        def step(self, action):
            self.tries += 1
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            return "Right." if won else "Wrong.", float(won), won, self.tries >= 3, {}

    Refused::

        def step(self, action):
            self.tries += 1
            return "Wrong.", 0.0, 0, self.tries >= 3, {}
    """
    yield from _broken(ctx, "flags", "Return True or False.")


@rule("contract.observation", "property", Severity.ERROR)
def observation(ctx: RuleContext) -> Iterator[Complaint]:
    """Observations are text that a model can be shown.

    A ``str`` of at most 64 KiB, without lone surrogates, without memory addresses (``<... object at 0x...>``, which
    differ in every process) and without chat control tokens (``<|...|>``). The first one must not be empty.

    Accepted::

        def step(self, action):
            self.tries += 1
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            return f"Try {self.tries}: <b>{won}</b>", float(won), won, self.tries >= 3, {}

    Refused::

        def step(self, action):
            self.tries += 1
            return f"I am {object()}", 0.0, False, self.tries >= 3, {}
    """
    yield from _broken(ctx, "observation", "Return a plain str.")
    for episode in ctx.plays():
        if episode.error is None and not episode.observation.strip():
            message = f"The first observation of seed {episode.seed} is empty. Describe the task and the answer format."
            yield Complaint(message, repro=Repro(episode.seed))
            break
    for episode in ctx.plays():
        found = unshowable(episode)
        if found is not None:
            number, what, text = found
            message = f"An observation holds {what}: {text!r}. Show readable text instead."
            repro = Repro(episode.seed, episode.actions[:number])
            shown = ctx.play(repro.seed, repro.actions)
            yield Complaint(message, repro=shrink(ctx, shown, lambda e: unshowable(e) is not None))
            return


@rule("contract.info", "property", Severity.ERROR)
def info(ctx: RuleContext) -> Iterator[Complaint]:
    """``info`` is a dict. Values that are no JSON are dropped, with a warning.

    Accepted::

        def step(self, action):
            self.tries += 1
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            return "Right." if won else "Wrong.", float(won), won, self.tries >= 3, {"tries": self.tries}

    Refused::

        def step(self, action):
            self.tries += 1
            return "Wrong.", 0.0, False, self.tries >= 3, None
    """
    yield from _broken(ctx, "info", "Return {} when there is nothing to say.")


@rule("contract.turns", "property", Severity.ERROR)
def turns(ctx: RuleContext) -> Iterator[Complaint]:
    """Episodes end.

    If neither the witness nor any player ever brings the environment to ``terminated`` or ``truncated``, it has no end.
    One that runs past its own ``max_turns`` is truncated by the adapter, with a warning.

    Accepted::

        def step(self, action):
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            return "Right." if won else "Wrong.", float(won), won, False, {}

    Refused::

        def step(self, action):
            return "Wrong.", 0.0, False, False, {}
    """
    episodes = [episode for episode in ctx.plays() if episode.error is None]
    ended = [e for e in episodes if e.stop_reason is not StopReason.PLAYER_STOPPED and "turns_cut" not in e.repairs]
    longest = max(episodes, key=lambda episode: len(episode.turns), default=None)
    if longest is not None and longest.turns and not ended:
        message = f"No episode ever ends: {len(longest.turns)} turns brought neither terminated nor truncated."
        yield Complaint(f"{message} End on success, and truncate at max_turns.", repro=Repro(longest.seed))
    else:
        yield from _mended(ctx, "contract.turns")
