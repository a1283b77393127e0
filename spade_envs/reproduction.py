"""Playing a source outside the gate: the author's own solution, or the actions of a finding."""

from __future__ import annotations

from collections.abc import Sequence

from .env import EnvSettings, SpadeEnv
from .players import Scripted
from .rollout import play
from .sandbox.host import BoxOptions
from .trial import Trial
from .types import EnvSource, Episode, Limits


def play_witness(
    source: EnvSource,
    seed: int,
    *,
    settings: EnvSettings | None = None,
    options: BoxOptions | None = None,
    env_id: str = "",
) -> Episode:
    """Play the author's own solution for ``seed``.

    Args:
        source: the source, e.g. ``shelf.read_source("env-0001")``.
        seed: seed of the episode.
        settings: how to play it; the declared contract by default.
        options: how to build the box.
        env_id: gymnasium id for the record.

    Returns:
        The episode; without actions when no witness was found.
    """
    options = options or BoxOptions()
    actions = witness_actions(source, seed, options=options)
    env = SpadeEnv(source, settings or EnvSettings(source.contract), options=options)
    try:
        return play(env, Scripted(actions, "witness"), seed, env_id=env_id)
    finally:
        env.close()


def witness_actions(source: EnvSource, seed: int, *, options: BoxOptions | None = None) -> tuple[str, ...]:
    """Replies that win on ``seed``: the author's own solution, or what a bounded search found; empty without either.

    Args:
        source: the source.
        seed: seed of the episode.
        options: how to build the box.

    Raises:
        SandboxError: this machine cannot isolate the source as required.
    """
    trial = Trial(source, Limits(), 0, options or BoxOptions())
    try:
        return tuple(trial.witness(seed))
    finally:
        trial.close()


def reproduce(
    source: EnvSource | str, seed: int, actions: Sequence[str] = (), *, options: BoxOptions | None = None
) -> Episode:
    """Reset a source with ``seed`` and play ``actions``, in the box: what a finding's ``repro`` shows.

    Args:
        source: a source or its text.
        seed: as in the finding.
        actions: raw replies, in order; what comes after the end of the episode is not played.
        options: how to build the box; the default demands isolation ``seccomp``.

    Returns:
        The episode. A fault of the environment is in its ``error``.

    >>> text = "class AEnv:\\n def reset(self, seed=None): return 'x', {}\\n def step(self, a): return 1 / 0\\n"
    >>> reproduce(text, 7, ["go"]).error.message
    'ZeroDivisionError: division by zero'
    """
    taken = source if isinstance(source, EnvSource) else EnvSource(source)
    env = SpadeEnv(taken, EnvSettings(taken.contract), options=options)
    try:
        return play(env, Scripted(actions), seed)
    finally:
        env.close()
