"""Can it be won without understanding anything? Weak players play, and exact bounds decide."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Callable, Iterator, Sequence

from spade_envs.answer_texts import answer_of
from spade_envs.evidence import exceeds
from spade_envs.rules import Complaint, rule
from spade_envs.types import Episode, Repro, RuleContext, Severity, StopReason

MINDLESS = ("idle", "echo", "junk", "every option")
TRIALS = 20
"""Seeds on which constant texts are tried; the best one then plays other seeds."""
GUESSES = ("visible candidate", "small number", "other answer")
PLAYERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "answer": (GUESSES, ()),
    "interactive": ((), ("first command", "random command")),
    "tools": (GUESSES, ("random call",)),
}
"""By contract: who guesses once, and who may win up to half of the time."""


@dataclasses.dataclass(frozen=True)
class Tally:
    """How often one weak player won, in what sense, and what is too often."""

    player: str
    manner: str
    """``player``, or ``guess`` where one try counts."""
    limit: float
    wins: tuple[Episode, ...]
    played: int

    @property
    def rate(self) -> float:
        """Share of episodes won."""
        return len(self.wins) / max(1, self.played)


def tallies(ctx: RuleContext) -> Iterator[Tally]:
    """Let every weak player of the contract play."""
    guessers, listed = PLAYERS[ctx.contract]
    if not ctx.experience.answers and ctx.contract != "interactive":
        guessers = guessers[1:2] if ctx.contract == "answer" else ()
    for name in MINDLESS:
        mindless = _tally(ctx, name, ctx.limits.floor_rate)
        yield mindless
    constant = best_constant(ctx)
    if constant is not None:
        yield _tally(ctx, f"constant {constant}", ctx.limits.floor_rate, skip=TRIALS)
    for name in guessers:
        # What is true elsewhere is a guess by heart, and judged as ``exploits.constant`` judges lists.
        rate = ctx.limits.constant_rate if name == "other answer" else ctx.limits.guess_rate
        yield _tally(ctx, name, rate, _first_try, manner="guess")
        yield _tally(ctx, name, ctx.limits.again_rate)
    for name in listed:
        yield _tally(ctx, name, ctx.limits.listed_rate)


def best_constant(ctx: RuleContext) -> str | None:
    """The constant text that wins most often on the first seeds, where each is said in turn; ``None`` if none wins."""
    said = collections.Counter(
        answer_of(episode.turns[-1].reply)
        for seed in ctx.seeds[:TRIALS]
        if (episode := ctx.sample("constants", seed)).success
    )
    return said.most_common(1)[0][0] if said else None


def _first_try(episode: Episode) -> bool:
    return episode.success and len(episode.turns) == 1


def _won(episode: Episode) -> bool:
    return episode.success


def _tally(
    ctx: RuleContext,
    name: str,
    limit: float,
    won: Callable[[Episode], bool] = _won,
    manner: str = "player",
    skip: int = 0,
) -> Tally:
    seeds = [*ctx.seeds, *ctx.more_seeds][skip : skip + ctx.limits.floor_more]
    wins: list[Episode] = []
    played = 0
    for number, seed in enumerate([*seeds, *ctx.far_seeds]):
        # Half as often again as it may be, and not certain yet: many seeds tell.
        likely = len(wins) >= 1.5 * limit * played and not exceeds(len(wins), played, limit, _level(ctx))
        if number >= len(seeds) and not likely:
            break
        if number >= ctx.limits.floor_episodes and (not wins or ctx.budget.left() < ctx.limits.budget_seconds / 3):
            break
        episode = ctx.sample(name, seed)
        if episode.stop_reason is StopReason.DEADLINE:
            break
        played += 1
        wins += [episode] if won(episode) else []
    return Tally(name, manner, limit, tuple(wins), played)


def floor_of(ctx: RuleContext) -> float:
    """Success rate of the best weak player."""
    return max((tally.rate for tally in tallies(ctx)), default=0.0)


def _level(ctx: RuleContext) -> float:
    guessers, listed = PLAYERS[ctx.contract]
    return ctx.limits.alpha / (len(MINDLESS) + 1 + len(guessers) + len(listed))


@rule("exploits.floor", "property", Severity.ERROR)
def floor(ctx: RuleContext) -> Iterator[Complaint]:
    """Weak players hardly ever win.

    A policy that is trained on an environment finds the cheapest way to its reward. If idling, one constant text, every
    option in one answer, a guess or random commands win often, that is what it learns.

    Weak players play 16 episodes each, up to 64 after a success, and up to 300 while they win half as often again as
    they may and that is not certain. An error is an exact lower confidence bound of a
    success rate (level 0.05, shared among them) above 5 % for mindless play, 10 % for one guess at what is visible or a
    small number, 20 % for one at another seed's right answer, 50 % for listed commands and random tool calls, and 75 %
    for guessing until the tries are used up. The best rate is the card's floor, and a warning above 5 %.

    Not found without a model that reads the task: a grader that is lax against its own words, as one that takes any
    order or rounds where an exact answer is asked for.

    Ask for a number or a combination rather than a choice of four, compare whole answers rather than looking for the
    right one inside the text, and end an episode after few wrong ones.

    Accepted::

        def step(self, action):
            self.tries += 1
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            return "Right." if won else "Wrong.", float(won), won, self.tries >= 3, {}

    Refused::

        def reset(self, seed=None):
            rng = random.Random(seed)
            self.a, self.b, self.tries = rng.randint(0, 1), rng.randint(0, 1), 0
            return f"Two coins lie there. How many show heads? Answer as \\\\boxed{{N}}.", {}
    """
    best: Tally | None = None
    for tally in tallies(ctx):
        if exceeds(len(tally.wins), tally.played, tally.limit, _level(ctx)):
            yield Complaint(
                f"{_who(tally)} wins {len(tally.wins)} of {tally.played} episodes; at most {tally.limit:.0%} may be"
                f" won that way. {_advice(tally.player)}",
                repro=_shortest(ctx, tally.wins),
            )
            return
        if best is None or tally.rate > best.rate:
            best = tally
    if best is not None and best.rate > ctx.limits.floor_rate:
        message = f"{_who(best)} wins {len(best.wins)} of {best.played} episodes: a reward that costs no thought."
        yield Complaint(message, repro=_shortest(ctx, best.wins), severity=Severity.WARNING)


ADVICE = {
    "idle": "Pay only for what the player does.",
    "echo": "Compare the whole answer instead of looking for it inside the text.",
    "junk": "Pay only for right answers, not for their format or for time passing.",
    "constant": "Draw instances whose answers differ.",
    "every option": "Compare the whole answer instead of looking for it inside the text.",
    "visible candidate": "Ask for more than a choice among what the text shows.",
    "small number": "Ask for larger or compound answers.",
    "other answer": "Let right answers differ more between seeds.",
    "first command": "Let the right command depend on the state.",
    "random command": "Need more, or more exact, commands to win.",
    "random call": "Check what the calls did, not that they happened.",
}


def _advice(player: str) -> str:
    return ADVICE["constant" if player.startswith("constant ") else player]


def _who(tally: Tally) -> str:
    names = {
        "every option": "A player who submits every option in one action",
        "first command": "A player who gives the first listed command each time",
        "random command": "A player who gives listed commands at random",
        "random call": "A player who calls tools at random",
        "visible candidate": "guess among what the first observation shows",
        "small number": "guess of a small number",
        "other answer": "guess of another seed's right answer",
    }
    if tally.player.startswith("constant "):
        return f"A player who always says {tally.player.removeprefix('constant ')!r}"
    name = names.get(tally.player, f"The {tally.player} player")
    if not name.startswith("guess"):
        return name
    return f"One {name}" if tally.manner == "guess" else f"Going on after a {name}"


def _shortest(ctx: RuleContext, wins: Sequence[Episode]) -> Repro:
    """The shortest winning episode, preferably one that wins in a fresh instance too."""
    ordered = sorted(wins, key=lambda episode: (len(episode.turns), sum(map(len, episode.actions))))
    best = next((e for e in ordered[:5] if ctx.play(e.seed, e.actions).success), ordered[0])
    return Repro(best.seed, best.actions)


@rule("exploits.blind", "property", Severity.ERROR)
def blind(ctx: RuleContext) -> Iterator[Complaint]:
    """Whether an episode is won depends on what the player does.

    If the seed decides, or the clock, every action earns the same, and nothing can be learned.

    On 16 seeds play one who says nothing, one who talks nonsense, and one who says ten usual texts in turn (``yes``,
    ``1``, ``done``, ...). Seeds on which all three win are counted. It is an error when the exact lower confidence
    bound of their share (level 0.05) exceeds 5 %, as for 3 of 16. There is no warning.

    Pay only for what the player does. Typical causes are success at the turn limit and a success flag that a branch
    sets without looking at the action.

    Accepted::

        def step(self, action):
            self.tries += 1
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            return "Right." if won else "Wrong.", float(won), won or self.tries >= 3, False, {}

    Refused::

        def step(self, action):
            self.tries += 1
            over = self.tries >= 3
            return "Well done!" if over else "Go on.", float(over), over, False, {}
    """
    seeds = ctx.seeds[: ctx.limits.floor_episodes]
    together = []
    for seed in seeds:
        episodes = [ctx.sample(name, seed) for name in ("idle", "junk", "constants")]
        if all(episode.success for episode in episodes):
            together.append(min(episodes, key=lambda episode: sum(map(len, episode.actions))))
    if exceeds(len(together), len(seeds), ctx.limits.floor_rate, ctx.limits.alpha):
        message = (
            f"On {len(together)} of {len(seeds)} seeds silence, nonsense and a constant text all win: the outcome does"
            " not depend on the action. Pay only for what the player does."
        )
        yield Complaint(message, repro=_shortest(ctx, together))
