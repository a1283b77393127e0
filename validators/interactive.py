"""Does an interactive environment interact?"""

from __future__ import annotations

from collections.abc import Iterator

from spade_envs.rules import Complaint, rule
from spade_envs.types import Episode, Repro, RuleContext, Severity


@rule("interactive.static", "property", Severity.ERROR, core=False)
def static(ctx: RuleContext) -> Iterator[Complaint]:
    """What an interactive environment shows depends on what was done.

    If what is shown never depends on actions, an episode is a form to fill in blindly: nothing can be learned from
    acting.

    For ``interactive`` with solutions of two actions or more. On 8 seeds the observations before the last are compared,
    turn by turn, between the witness, nonsense and listed commands (the first one always, and random ones). When they
    never differ, over 8 turns or more, it is an error.

    Show what the action did: the new place, what is there, why it failed. Let a wrong command be answered otherwise
    than a right one.

    Accepted::

        class WalkEnv:
            max_turns = 12

            def reset(self, seed=None):
                self.goal, self.at, self.turn = random.Random(seed).randint(-4, 4) or 3, 0, 0
                return f"Walk to {self.goal} with \\\\boxed{{east}} and \\\\boxed{{west}}, then \\\\boxed{{dig}}.", {}

            def step(self, action):
                self.turn += 1
                self.at += {"\\\\boxed{east}": 1, "\\\\boxed{west}": -1}.get(action, 0)
                over = action == "\\\\boxed{dig}"
                won = over and self.at == self.goal
                return f"You are at {self.at}.", float(won), over, not over and self.turn >= 12, {}

            def solution(self):
                way = "\\\\boxed{east}" if self.goal > 0 else "\\\\boxed{west}"
                return [way] * abs(self.goal) + ["\\\\boxed{dig}"]

    Refused::

        class WalkEnv:
            max_turns = 12

            def reset(self, seed=None):
                self.goal, self.at, self.turn = random.Random(seed).randint(-4, 4) or 3, 0, 0
                return f"Walk to {self.goal} with \\\\boxed{{east}} and \\\\boxed{{west}}, then \\\\boxed{{dig}}.", {}

            def step(self, action):
                self.turn += 1
                self.at += {"\\\\boxed{east}": 1, "\\\\boxed{west}": -1}.get(action, 0)
                over = action == "\\\\boxed{dig}"
                won = over and self.at == self.goal
                return "You walk.", float(won), over, not over and self.turn >= 12, {}

            def solution(self):
                way = "\\\\boxed{east}" if self.goal > 0 else "\\\\boxed{west}"
                return [way] * abs(self.goal) + ["\\\\boxed{dig}"]
    """
    if ctx.contract != "interactive" or all(len(ctx.witness(seed)) < 2 for seed in ctx.seeds[:4]):
        return
    compared = 0
    for seed in ctx.seeds[:8]:
        winning = ctx.witness(seed)
        episodes = [ctx.play(seed, winning)] if winning else []
        episodes += [ctx.sample(name, seed) for name in ("junk", "random command", "first command")]
        for number in range(max(len(episode.turns) for episode in episodes)):
            shown = {episode.turns[number].observation for episode in episodes if _goes_on(episode, number)}
            compared += sum(_goes_on(episode, number) for episode in episodes) > 1
            if len(shown) > 1:
                return
    if compared >= 8:
        seed = ctx.seeds[0]
        message = "Observations never depend on actions: winning play, nonsense and listed commands see the same texts."
        yield Complaint(f"{message} Show what the action did.", repro=Repro(seed, tuple(ctx.witness(seed))))


def _goes_on(episode: Episode, number: int) -> bool:
    """Whether the episode had another turn after this one, so that its text is no closing one."""
    return number + 1 < len(episode.turns)


@rule("interactive.one_shot", "property", Severity.WARNING, core=False)
def one_shot(ctx: RuleContext) -> Iterator[Complaint]:
    """An environment that is declared interactive goes on after an action.

    Acting on what was seen is learned over several turns. If any action ends the episode, only the first text counts.

    Only for a declared contract: without a declaration such a source is an ``answer`` environment. Nonsense, listed
    commands at random and silence are played on 4 seeds. If all of these episodes end after one action, it is a
    warning.

    Declare it ``answer``, or let a wrong command cost a turn instead of the episode.

    Accepted::

        def step(self, action):
            self.tries += 1
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            return "Right." if won else "Wrong.", float(won), won, not won and self.tries >= 3, {}

    Refused::

        def step(self, action):
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            return "Right." if won else "Wrong.", float(won), True, False, {}
    """
    if ctx.source.contract != "interactive":
        return
    seeds = ctx.seeds[:4]
    episodes = [ctx.sample(name, seed) for seed in seeds for name in ("junk", "random command", "idle")]
    if all(len(episode.turns) == 1 for episode in episodes):
        message = "Any single action ends the episode, though it is declared interactive. Declare it answer."
        yield Complaint(message, repro=Repro(seeds[0], episodes[0].actions))
