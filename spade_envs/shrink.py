"""Shorter counterexamples: drop actions while the fault stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .types import Episode, Repro, RuleContext


def shrink(ctx: RuleContext, episode: Episode, same: Callable[[Episode], bool]) -> Repro:
    """The shortest action list found, by dropping ever smaller pieces, on which ``same`` still holds.

    Args:
        ctx: plays the candidates, at most ``limits.shrink_replays`` of them, and only while budget is left.
        episode: an episode on which ``same`` holds.
        same: whether an episode shows the same fault.
    """
    actions = list(episode.actions)
    replays = ctx.limits.shrink_replays
    size = max(1, len(actions) // 2)
    while size >= 1 and actions:
        at = 0
        while at < len(actions):
            if replays <= 0 or ctx.budget.left() <= 0:
                return Repro(episode.seed, tuple(actions))
            candidate = actions[:at] + actions[at + size :]
            replays -= 1
            shorter = _shown(ctx, episode.seed, candidate, same)
            if shorter is None:
                at += size
            else:
                actions = shorter
        size //= 2
    return Repro(episode.seed, tuple(actions))


def _shown(ctx: RuleContext, seed: int, actions: Sequence[str], same: Callable[[Episode], bool]) -> list[str] | None:
    """The actions really played when the fault shows, which may be fewer; ``None`` when it does not."""
    played = ctx.play(seed, tuple(actions))
    return list(played.actions) if same(played) and len(played.actions) <= len(actions) else None
