"""``play``: an environment by hand, in the terminal."""

from __future__ import annotations

import json
import sys
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from ..codec import to_json
from ..env import SEEDS, EnvSettings, SpadeEnv
from ..players import Scripted
from ..rollout import Rollout
from ..rollout import play as play_out
from ..sandbox.host import BoxOptions
from ..terminal import shown
from ..trial import Trial
from ..types import Card, EnvSource, Episode, Isolation, Limits, StopReason
from . import screen
from .looking import find


def play(
    env_id: Annotated[str, Parameter(name="ID")],
    /,
    *,
    seed: int | None = None,
    hint: Annotated[bool, Parameter(negative="")] = False,
    witness: Annotated[bool, Parameter(negative="")] = False,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
    isolation: Isolation = Isolation.SECCOMP,
) -> int:
    """Play an environment by hand: type replies, an empty line ends one, Ctrl-D stops.

    A reply may be just the answer or command: it is boxed for you unless it holds a tag or a box already.

    Examples:

      spade-envs play env-0001
      spade-envs play env-0001 --seed 7 --hint
      spade-envs play env-0001 --witness

    Args:
        env_id: Such as spade/env-0001, or env-0001.
        seed: Seed of the episode; drawn when left out, and shown.
        hint: Append the hint to the first observation.
        witness: Replay the author's solution instead of asking.
        as_json: Print the episode as one JSON object at the end.
        isolation: Least isolation to accept.
    """
    shelf, entry = find(env_id)
    card, source = shelf.read_card(entry.name), shelf.read_source(entry.name)
    if seed is None:
        import secrets

        seed = secrets.randbelow(SEEDS)
    options = BoxOptions(require=isolation)
    out = Console(stderr=True, markup=False, highlight=False) if as_json else screen.console()
    if witness:
        settings = EnvSettings(card.contract, card.max_turns or None, hint=card.hint, hinted=hint)
        episode = witness_episode(source, seed, options, entry.env_id, settings)
        show_episode(episode, out)
    else:
        episode = _by_hand(source, card, seed, hint, options, out, entry.env_id)
    if as_json:
        print(json.dumps({**to_json(episode), "success": episode.success, "outcome": episode.outcome}))
    return 0


def witness_episode(
    source: EnvSource, seed: int, options: BoxOptions, env_id: str, settings: EnvSettings | None = None
) -> Episode:
    """The author's solution for ``seed``, played."""
    trial = Trial(source, Limits(), 0, options)
    try:
        actions = trial.witness(seed)
    finally:
        trial.close()
    env = SpadeEnv(source, settings or EnvSettings(source.contract), options=options)
    try:
        return play_out(env, Scripted(actions, "witness"), seed, env_id=env_id)
    finally:
        env.close()


def show_episode(episode: Episode, out: Console) -> None:
    """An episode turn by turn."""
    out.print(shown(f"{episode.env_id}, seed {episode.seed}", "dim"))
    out.print(shown(episode.observation, limit=4000))
    for number, turn in enumerate(episode.turns, 1):
        for line in screen.turn_lines(number, turn):
            out.print(line)
    _say_end(episode, out)


def _say_end(episode: Episode, out: Console) -> None:
    style = "bold green" if episode.success else "bold"
    how = "won" if episode.success else "not won"
    text = f"{how}: {episode.stop_reason.value} after {len(episode.turns)} turns, return {episode.total_reward:g}"
    out.print(text, style=style)
    if episode.error is not None:
        out.print(shown(f"{episode.error.kind.value}: {episode.error.message}", "red"))


def _by_hand(
    source: EnvSource, card: Card, seed: int, hint: bool, options: BoxOptions, out: Console, env_id: str
) -> Episode:
    settings = EnvSettings(card.contract, card.max_turns or None, hint=card.hint, hinted=hint, tools="text")
    env = SpadeEnv(source, settings, options=options)
    rollout = Rollout(env, seed, player="human", env_id=env_id)
    try:
        out.print(f"seed {seed}", style="dim")
        out.print(shown(rollout.begin()))
        while not rollout.over:
            reply = _ask(out)
            if reply is None:
                rollout.stop(StopReason.PLAYER_STOPPED)
                break
            rollout.feed(_dressed(reply, env.contract))
            out.print(shown(rollout.observation))
            out.print(f"reward {rollout.turns[-1].reward:g}", style="dim")
        episode = rollout.episode()
        _say_end(episode, out)
        return episode
    finally:
        env.close()


def _ask(out: Console) -> str | None:
    """Lines up to an empty one; ``None`` at the end of the input. A pipe gives one reply per line."""
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        return line.rstrip("\n") if line else None
    lines: list[str] = []
    try:
        while line := input("... " if lines else "> "):
            lines.append(line)
    except EOFError:
        out.print()
        return "\n".join(lines) or None
    return "\n".join(lines)


def _dressed(reply: str, contract: str) -> str:
    if contract == "tools" or "\\boxed{" in reply or not reply.strip():
        return reply
    return f"\\boxed{{{reply.strip()}}}"
