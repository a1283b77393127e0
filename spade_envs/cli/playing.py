"""``play``: an environment by hand, in the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import sys
from collections.abc import Mapping
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console

from ..asynchronous import AsyncEnvs
from ..codec import to_json
from ..env import SEEDS, EnvSettings, SpadeEnv
from ..model_player import ModelPlayer
from ..prompts import agent_system
from ..reproduction import play_witness
from ..rollout import Rollout, converse
from ..rollout import play as run_player
from ..sandbox.host import BoxOptions
from ..terminal import shown
from ..typed_replies import dressed, tools_in
from ..types import Card, EnvSource, Episode, Isolation, StopReason
from ..weak import Experience, weak_player
from . import screen
from .asking import ASKED, ModelFlags
from .naming import find
from .whole import Whole

PLAYERS = ("random", "idle", "echo", "junk")
"""Players that understand nothing: random gives commands that are listed, or calls tools that are shown."""


def play(
    env_id: Annotated[str, Parameter(name="ID")],
    /,
    *,
    seed: Whole | None = None,
    hint: Annotated[bool, Parameter(negative="")] = False,
    witness: Annotated[bool, Parameter(negative="")] = False,
    player: str | None = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
    isolation: Isolation = Isolation.SECCOMP,
    asked: Annotated[ModelFlags, Parameter(name="*")] = ASKED,
) -> int:
    """Play an environment by hand: type replies, an empty line ends one, Ctrl-D stops. Or watch a model play it.

    A reply may be just the answer or command: it is boxed for you unless it holds a tag or a box already.

    Examples:

      spade-envs play env-0001
      spade-envs play env-0001 --seed 7 --hint
      spade-envs play env-0001 --witness
      spade-envs play env-0001 --player random
      spade-envs play env-0001 --base-url http://localhost:8000 --hint

    Args:
        env_id: Such as spade/env-0001, or env-0001.
        seed: Seed of the episode; drawn when left out, and shown.
        hint: Append the hint to the first observation.
        witness: Replay the author's solution instead of asking.
        player: Watch one that understands nothing: random, idle, echo or junk.
        as_json: Print the episode as one JSON object at the end.
        isolation: Least isolation to accept.
    """
    if seed is not None and seed < 0:
        raise ValueError(f"--seed must be at least 0, not {seed}")
    shelf, entry = find(env_id)
    card, source = shelf.read_card(entry.name), shelf.read_source(entry.name)
    if seed is None:
        import secrets

        seed = secrets.randbelow(SEEDS)
    options = BoxOptions(require=isolation)
    by_model = asked != ASKED
    if sum((by_model, witness, player is not None)) > 1:
        raise ValueError("a model, --witness and --player are three ways to have it played: name one of them")
    out = Console(stderr=True, markup=False, highlight=False) if as_json else screen.console()
    if witness:
        settings = EnvSettings(card.contract, card.max_turns or None, hint=card.hint, hinted=hint)
        episode = play_witness(source, seed, settings=settings, options=options, env_id=entry.env_id)
        show_episode(episode, out)
    elif player is not None:
        settings = EnvSettings(card.contract, card.max_turns or None, hint=card.hint, hinted=hint)
        episode = _by_program(player, source, seed, settings, options, entry.env_id)
        show_episode(episode, out)
    elif by_model:
        asked.check()
        settings = EnvSettings(card.contract, card.max_turns or None, hint=card.hint, hinted=hint)
        episode = asyncio.run(_by_model(source, seed, settings, options, out, entry.env_id, asked))
    else:
        episode = _by_hand(source, card, seed, hint, options, out, entry.env_id)
    if as_json:
        print(json.dumps({**to_json(episode), "success": episode.success, "outcome": episode.outcome}))
    return 0


def _by_program(
    name: str, source: EnvSource, seed: int, settings: EnvSettings, options: BoxOptions, env_id: str
) -> Episode:
    """An episode of a player that understands nothing."""
    if name not in PLAYERS:
        raise ValueError(f"--player must be one of {', '.join(PLAYERS)}, not {name!r}")
    kind = {"random": "random call" if settings.contract == "tools" else "random command"}.get(name, name)
    env = SpadeEnv(source, settings, options=options)
    try:
        return run_player(env, weak_player(kind, seed, Experience(settings.contract, {}, {})), seed, env_id=env_id)
    finally:
        env.close()


async def _by_model(
    source: EnvSource,
    seed: int,
    settings: EnvSettings,
    options: BoxOptions,
    out: Console,
    env_id: str,
    asked: ModelFlags,
) -> Episode:
    """Let a model play, and show each turn as it comes."""
    agent = asked.agent()
    settings = dataclasses.replace(settings, tools="text" if agent.tools == "text" else "info")
    async with asked.opened() as client:
        with AsyncEnvs(options=options) as envs:
            player = ModelPlayer(client, agent, system=agent_system(settings.contract).text, seed=seed)
            env = envs.make(source, settings)
            episode = await converse(env, player, seed, env_id=env_id, watch=_Watch(out, env_id))
    if episode.cut:
        out.print(shown(episode.cut, "dim", limit=4000))
    _say_end(episode, out)
    return episode


class _Watch:
    """Prints an episode while it is played."""

    def __init__(self, out: Console, env_id: str) -> None:
        self.out, self.env_id, self.seen = out, env_id, 0

    def __call__(self, rollout: Rollout) -> None:
        if not rollout.turns:
            self.out.print(shown(f"{self.env_id}, seed {rollout.seed}, played by {rollout.player}", "dim"))
            self.out.print(shown(rollout.first, limit=4000))
            if rollout.env.settings.hinted and "\n\nHINT: " not in rollout.first:
                self.out.print(_NO_HINT, style="yellow")
        for number, turn in enumerate(rollout.turns[self.seen :], self.seen + 1):
            self.out.print(shown(turn.reply, "dim", limit=4000))
            for line in screen.turn_lines(number, turn):
                self.out.print(line)
        self.seen = len(rollout.turns)


def show_episode(episode: Episode, out: Console, *, most: int | None = None) -> None:
    """An episode turn by turn, up to ``most`` of them."""
    out.print(shown(f"{episode.env_id}, seed {episode.seed}", "dim"))
    out.print(shown(episode.observation, limit=4000))
    if episode.hinted and "\n\nHINT: " not in episode.observation:
        out.print(_NO_HINT, style="yellow")
    for number, turn in enumerate(episode.turns[:most], 1):
        for line in screen.turn_lines(number, turn):
            out.print(line)
    if most is not None and len(episode.turns) > most:
        out.print(f"... and {len(episode.turns) - most} more turns", style="dim")
    _say_end(episode, out)


def _say_end(episode: Episode, out: Console) -> None:
    style = "bold green" if episode.success else "bold"
    how = "won" if episode.success else "not won"
    text = f"{how}: {episode.stop_reason.value} after {_turns(episode)}, return {episode.total_reward:g}"
    out.print(text, style=style)
    if episode.detail:
        out.print(shown(episode.detail, "yellow", limit=600))
    if episode.error is not None:
        out.print(shown(f"{episode.error.kind.value}: {episode.error.message}", "red"))


def _turns(episode: Episode) -> str:
    return "1 turn" if len(episode.turns) == 1 else f"{len(episode.turns)} turns"


def _by_hand(
    source: EnvSource, card: Card, seed: int, hint: bool, options: BoxOptions, out: Console, env_id: str
) -> Episode:
    settings = EnvSettings(card.contract, card.max_turns or None, hint=card.hint, hinted=hint)
    env = SpadeEnv(source, settings, options=options)
    rollout = Rollout(env, seed, player="human", env_id=env_id)
    try:
        rollout.begin()
        tools_info = rollout.infos[-1]
        out.print(shown(f"{env_id}, seed {seed}", "bold"))
        out.print(_HOW, style="dim")
        _show_tools(tools_info, out)
        out.print(shown(rollout.observation))
        while not rollout.over:
            reply = _ask(out)
            if reply is None or reply.strip() == ":quit":
                rollout.stop(StopReason.PLAYER_STOPPED)
            elif reply.strip() == ":task":
                out.print(shown(rollout.first))
            elif reply.strip() == ":tools":
                _show_tools(tools_info, out)
            else:
                rollout.feed(dressed(reply, env.contract, tools_info))
                out.print(shown(rollout.observation))
                out.print(f"reward {rollout.turns[-1].reward:g}", style="dim")
        episode = rollout.episode()
        _say_end(episode, out)
        return episode
    finally:
        env.close()


_NO_HINT = "It has no hint."
_HOW = (
    "Type a reply; an empty line sends it. Commands and answers are boxed for you; a tool is called as"
    ' name(key="value") or as JSON. :task and :tools show these again; :quit or Ctrl-D stops.'
)


def _show_tools(info: Mapping[str, object], out: Console) -> None:
    """Tools as signatures, one per line: a person reads these, not JSON Schemas."""
    for tool in tools_in(info):
        out.print(shown(f"  {tool.signature}", "cyan").append(shown(f"  {tool.about}", "default")))


def _ask(out: Console) -> str | None:
    """Lines up to an empty one; ``None`` at the end of the input. A pipe gives one reply per line."""
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        return line.rstrip("\n") if line else None
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # editing and history for input()
    lines: list[str] = []
    try:
        while True:
            line = input("... " if lines else "> ")
            if line.startswith(":") and not lines:
                return line
            if line:
                lines.append(line)
            elif lines:
                return "\n".join(lines)
    except EOFError:
        out.print()
        return "\n".join(lines) or None
    except KeyboardInterrupt:
        out.print()
        raise
