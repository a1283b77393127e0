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

    Training draws any seed: one that cannot be reset leaves a gap in a batch, and another shape breaks every wrapper.

    Looked at in all shared episodes (weak players on 4 seeds, the witness on 20, explored lists on 4). Anything but two
    values is an error, and so is a reset that raises or exceeds a limit for some seed, which the finding names. A bare
    string is mended, with a warning.

    Return ``(observation, {})``. Where ``reset`` fails on some seeds, play it with the seed of the finding: usually a
    draw from an empty list, or a size that the other draws do not allow.

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

    A trainer reads reward and end by their place: from another shape it learns nothing, or something wrong.

    Looked at in all shared episodes (weak players on 4 seeds, the witness on 20, explored lists on 4). Anything but
    five values is an error, with the shortest action list found. Mended, with a warning: the 4-tuple of old Gym (its
    ``done`` counts as terminated), a list, and a subclass of tuple.

    Return five values from every branch, also from those for wrong formats and for the turn limit.

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

    Rewards of many environments are averaged: one on another scale drowns the rest. NaN would count as a win in a
    maximum.

    Looked at in all shared episodes (weak players on 4 seeds, the witness on 20, explored lists on 4). NaN, infinities,
    bools, None and numbers outside [-1, 1] are errors. Integers, numpy scalars, decimals and fractions are mended, with
    a warning. A sum above 1 is a warning: partial rewards should add up to 1.

    Pay 1.0 together with ``terminated`` for success and less for less, return ``float(...)``, and divide partial
    rewards by the number of steps they are paid for.

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

    Trainers value the two ends differently: a task that is over, or one that was only cut off. A win needs
    ``terminated``.

    Looked at in all shared episodes (weak players on 4 seeds, the witness on 20, explored lists on 4). 0, 1, None and
    any other type are errors. numpy's bools are mended, with a warning under ``contract.reward``; if both are true,
    only ``terminated`` counts, with a warning.

    Let ``terminated`` be won or lost, and ``truncated`` be ``not terminated and self.turn >= self.max_turns``. Put
    ``bool(...)`` around what ``and``, ``or`` or numpy made.

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

    The observation is all that a model is given. Memory addresses differ in every process, and chat control tokens may
    end its turn.

    Looked at in all shared episodes (weak players on 4 seeds, the witness on 20, explored lists on 4). Errors are: no
    ``str``, over 64 KiB, lone surrogates, memory addresses (``<... object at 0x...>``) and chat control tokens
    (``<|...|>``) that the player did not say first, and a first observation without text. A subclass of ``str`` is
    mended, with a warning.

    Describe the task and the answer format in the first one, write objects out (or give them ``__str__``), and shorten
    what grows with every turn.

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

    Trainers log info as JSON, and wrappers write into it: anything else fails in the middle of a run.

    Looked at in all shared episodes (weak players on 4 seeds, the witness on 20, explored lists on 4), at reset and
    after every step. Anything but a dict is an error. Dropped with a warning are objects, sets, NaN, integers of over
    64 bits, texts of over 8,192 characters, and what lies beyond 12 levels or 2,048 values.

    Return ``{}`` when there is nothing to say; turn sets into sorted lists, and objects into texts or dicts.

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

    An episode without an end holds up its batch, and one that is cut off from outside has no outcome of its own.

    Looked at in all shared episodes (weak players on 4 seeds, the witness on 20, explored lists on 4). If neither the
    witness nor any player ever brings the environment to ``terminated`` or ``truncated``, that is an error. An episode
    that runs past ``max_turns`` (or 100 turns where it names none) is truncated by the adapter, with a warning.

    End on success, count turns in ``step``, truncate when the count reaches ``self.max_turns``, and set it back in
    ``reset``.

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
    raised = len(episodes) < len(ctx.plays())  # told by other rules; where it raised, it might have ended
    if longest is not None and longest.turns and not ended and not raised:
        message = f"No episode ever ends: {len(longest.turns)} turns brought neither terminated nor truncated."
        yield Complaint(f"{message} End on success, and truncate at max_turns.", repro=Repro(longest.seed))
    else:
        yield from _mended(ctx, "contract.turns")
