"""Is an episode a function of its seed and its actions?"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from spade_envs.players import JUNK
from spade_envs.replays import HASH_SEED_WAY, LATER_WAYS, REPLAY_WAYS, USED_WAY, WORN_WAY
from spade_envs.rules import Complaint, rule
from spade_envs.sandbox.mentions import commands
from spade_envs.schema_calls import Seen, functions, random_call
from spade_envs.types import Episode, Repro, RuleContext, Severity, StopReason


@rule("determinism.replay", "property", Severity.ERROR)
def replay(ctx: RuleContext) -> Iterator[Complaint]:
    """The same seed and actions give the same episode, wherever and whenever.

    Without this, rewards of a group cannot be compared and no counterexample reproduces.

    On 3 seeds (one for slow sources) nonsense, the witness, and a mixture of it with what is offered are played again:
    in one instance, after another episode of it, in a fresh instance, beside another instance, and in a fresh process;
    once also after several resets. A difference in observations, rewards or the end is an error. One under another hash
    seed alone is a warning, since workers pin it. Info is not compared.

    Draw from ``random.Random(seed)`` made in ``reset``, start every episode from scratch, keep no state on the class or
    in globals, and sort sets before showing them.

    Accepted::

        def reset(self, seed=None):
            random.seed(seed)
            self.a, self.b, self.tries = random.randint(1000, 9999), 7, 0
            return f"What is {self.a} + 7? Answer as \\\\boxed{{N}}.", {}

    Refused::

        made = []

        class AddEnv:
            def reset(self, seed=None):
                made.append(seed)
                self.a = random.Random(seed).randint(1000, 9999)
                return f"Task {len(made)}: what is {self.a} + 7? Answer as \\\\boxed{{N}}.", {}

            def step(self, action):
                won = action == f"\\\\boxed{{{self.a + 7}}}"
                return "Right." if won else "Wrong.", float(won), True, False, {}

            def solution(self):
                return [f"\\\\boxed{{{self.a + 7}}}"]
    """
    hashed: Complaint | None = None
    for number, seed in enumerate(ctx.seeds[: ctx.limits.replay_seeds]):
        if number and ctx.budget.left() < ctx.limits.budget_seconds / 2:
            break  # a slow source: one seed, every way, is what must be seen
        for order, actions in enumerate(_action_lists(ctx, seed)):
            if order > 1 and ctx.budget.left() < ctx.limits.budget_seconds * 0.9:
                break  # nonsense and the witness are what must be seen
            base = ctx.play(seed, actions)
            if base.error is not None and base.error.costly:
                return
            if base.error is not None or base.stop_reason is StopReason.DEADLINE:
                continue
            # Wearing an instance out takes many resets: once per source will do.
            ways = REPLAY_WAYS if actions is JUNK else tuple(way for way in REPLAY_WAYS if way != WORN_WAY)
            ways = LATER_WAYS if number else ways
            for way in (*ways, HASH_SEED_WAY):
                again = ctx.replay(seed, actions, way)
                difference = _difference(base, again)
                if difference is None or again.stop_reason is StopReason.DEADLINE:
                    continue
                turn, text = difference
                if again.error is not None and not again.turns and ctx.play(again.seed, ()).error is not None:
                    continue  # that seed fails by itself
                repro = Repro(seed, _telling(ctx, seed, tuple(actions), turn, way))
                message = f"Played {way}, the episode differs: {text}."
                if way != HASH_SEED_WAY:
                    yield Complaint(message, repro=repro)
                    return
                hashed = hashed or Complaint(message, repro=repro, severity=Severity.WARNING)
    if hashed is not None:
        yield hashed


def _telling(ctx: RuleContext, seed: int, actions: tuple[str, ...], turn: int, way: str) -> tuple[str, ...]:
    """The actions up to the difference, if they show it; all of them where what follows spoils the next episode."""
    short = actions[:turn]
    return short if _difference(ctx.play(seed, short), ctx.replay(seed, short, way)) is not None else actions


@rule("determinism.worn", "property", Severity.ERROR, core=False)
def worn(ctx: RuleContext) -> Iterator[Complaint]:
    """An instance that has played many episodes still plays like a new one.

    Training resets an instance thousands of times. A level that rises, a counter that is shown or a cache that fills up
    makes later episodes others than the ones that were checked.

    Near the end of a check, when weak players have played some hundred episodes on one instance, nonsense and the
    witness of the first seeds are played on it again and compared with a new instance.

    Set everything an episode uses in ``reset``, and keep nothing on the class or in globals.

    Accepted::

        def close(self):
            return None

    Refused::

        resets = []

        def reset(self, seed=None):
            resets.append(seed)
            rng = random.Random(seed)
            self.a, self.b, self.tries = rng.randint(1000, 9999), rng.randint(1000, 9999), 0
            level = 1 + len(resets) // 60
            return f"Level {level}: what is {self.a} + {self.b}? Answer as \\\\boxed{{N}}.", {}
    """
    for seed in ctx.seeds[: ctx.limits.replay_seeds]:
        for actions in (JUNK, tuple(ctx.witness(seed))):
            base = ctx.play(seed, actions)
            if ctx.budget.left() <= 0 or base.error is not None:
                return
            difference = _difference(base, ctx.replay(seed, actions, USED_WAY))
            if difference is not None:
                if any(_difference(base, ctx.replay(seed, actions, way)) for way in REPLAY_WAYS):
                    return  # told by ``determinism.replay``
                turn, text = difference
                message = f"Played {USED_WAY}, the episode differs: {text}. Start every episode from scratch."
                short = tuple(actions[:turn])
                told = _difference(ctx.play(seed, short), ctx.replay(seed, short, USED_WAY)) is not None
                yield Complaint(message, repro=Repro(seed, short if told else tuple(actions)))
                return


@rule("determinism.seed", "property", Severity.ERROR)
def seed(ctx: RuleContext) -> Iterator[Complaint]:
    """The seed changes something.

    One instance is learned by heart: rewards rise, and nothing else is learned.

    Nonsense and the witness are played on 20 seeds. If the first observation, the winning actions and all the answers
    are the same on every one, that is an error. For ``tools`` it is a warning, since a fixed task may be meant (the
    card says ``instances: 1``); in self-play (``--strict``) it is an error there too.

    Draw the instance from ``random.Random(seed)`` in ``reset``. Typical causes are ``random.Random(42)`` and a ``seed``
    that is only stored.

    Accepted::

        def reset(self, seed=None):
            rng = random.Random(seed)
            self.a, self.b, self.tries = rng.randint(1000, 9999), rng.randint(1000, 9999), 0
            return f"What is {self.a} + {self.b}? Answer as \\boxed{{N}}.", {}

    Refused::

        def reset(self, seed=None):
            rng = random.Random(42)
            self.a, self.b, self.tries = rng.randint(1000, 9999), rng.randint(1000, 9999), 0
            return f"What is {self.a} + {self.b}? Answer as \\boxed{{N}}.", {}
    """
    seen = set()
    for number in ctx.seeds:
        junk, winning = ctx.play(number, JUNK), ctx.play(number, tuple(ctx.witness(number)))
        shown = (*(turn.observation for turn in junk.turns), *(turn.observation for turn in winning.turns))
        if junk.error is not None or winning.error is not None:
            return  # reported by the rule of that fault
        seen.add((junk.observation, *winning.actions, *shown))
        if len(seen) > 1 or ctx.budget.left() <= 0:
            return
    mild = ctx.contract == "tools" and ctx.limits.tools_may_repeat
    message = f"The seed changes nothing over {len(ctx.seeds)} seeds. Draw the instance from random.Random(seed)."
    yield Complaint(message, repro=Repro(ctx.seeds[-1]), severity=Severity.WARNING if mild else None)


def _action_lists(ctx: RuleContext, seed: int) -> list[Sequence[str]]:
    """Nonsense; the witness; and whatever is offered, before, between and after the steps of the witness."""
    winning = list(ctx.witness(seed))
    first = ctx.play(seed, ()).observation
    rng, seen = random.Random(seed), Seen()
    seen.add(first)
    offered = [random_call(function, seen, rng) for function in functions(list(ctx.schemas(seed)))]
    offered = offered or commands(first, first)
    rng.shuffle(offered)
    half = len(winning) // 2
    mixed = [*offered[:12], *winning[:half], *offered[:12], *winning[half:-1], *offered[12:30]]
    return [actions for actions in (JUNK, winning, mixed) if actions]


def _difference(first: Episode, second: Episode) -> tuple[int, str] | None:
    """Actions needed to see the difference, and what differs."""
    if second.error is not None and second.error.phase == "reset":
        return 0, f"reset(seed={second.seed}) fails: {second.error.message}"
    if first.observation != second.observation:
        return 0, f"the first observation is {_pair(first.observation, second.observation)}"
    for number, (one, two) in enumerate(zip(first.turns, second.turns, strict=False), 1):
        if one.observation != two.observation:
            return number, f"observation {number} is {_pair(one.observation, two.observation)}"
        if one.reward != two.reward:
            return number, f"reward {number} is {one.reward:g} at first and {two.reward:g} then"
    if (len(first.turns), first.stop_reason) != (len(second.turns), second.stop_reason):
        ends = [f"{e.stop_reason.value} after {len(e.turns)} turns" for e in (first, second)]
        return max(len(first.turns), len(second.turns)), f"it ends with {ends[0]} at first and {ends[1]} then"
    return None


def _pair(one: str, two: str) -> str:
    at = next((i for i, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    start = max(0, at - 20)
    return f"{one[start : at + 30]!r} at first and {two[start : at + 30]!r} then"
