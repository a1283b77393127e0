"""An episode to take along: as JSON, and as a test that plays it again."""

from __future__ import annotations

import json
from pathlib import Path

from ..codec import to_json
from ..types import Episode

_HEAD = '''\
"""An episode with seed {seed}, to be played again."""

'''

_BY_ID = """\
import gymnasium
import pytest

import spade_envs  # noqa: F401  # registers the ids

REPLIES = {replies}
REWARDS = {rewards}


def test_it_plays_the_same_again():
    env = gymnasium.make({env_id!a}{hint})
    env.reset(seed={seed})
    turns = [env.step(reply) for reply in REPLIES]
    env.close()
    assert [reward for _, reward, *_ in turns] == pytest.approx(REWARDS)
"""

_BY_SHA = """\
import pytest

from spade_envs import reproduce
from spade_envs.memory import SqliteMemory

REPLIES = {replies}
REWARDS = {rewards}


def test_it_plays_the_same_again():
    with SqliteMemory({memory}write=False) as memory:
        source = memory.source({sha256!a})
    episode = reproduce(source, {seed}, REPLIES)
    assert [turn.reward for turn in episode.turns] == pytest.approx(REWARDS)
"""


def as_json(episode: Episode) -> str:
    """The episode as one JSON object, in ASCII: what others wrote must not hide in it."""
    said = {**to_json(episode), "success": episode.success, "outcome": episode.outcome}
    return json.dumps(said, indent=2, allow_nan=False)


def as_test(episode: Episode, sha256: str, *, memory: Path | None = None) -> str:
    """A pytest file, in ASCII, that plays the replies again and compares the rewards.

    Args:
        episode: what to play again.
        sha256: of its source.
        memory: where the source is kept, unless that is the usual place.
    """
    by_id = "/" in episode.env_id
    text = _HEAD.format(seed=episode.seed)
    text += (_BY_ID if by_id else _BY_SHA).format(
        replies=_listed(episode.actions),
        rewards=repr([turn.reward for turn in episode.turns]),
        env_id=episode.env_id,
        hint=", hint=True" if episode.hinted else "",
        seed=episode.seed,
        sha256=sha256,
        memory="" if memory is None else f"{str(memory)!a}, ",
    )
    if not episode.turns or episode.error is not None:
        return text
    if by_id and (episode.terminated or episode.stop_reason == "turn_limit"):
        text += f"    assert turns[-1][2:4] == ({episode.terminated}, {episode.truncated})\n"
        text += f'    assert turns[-1][4]["success"] is {episode.success}\n'
    elif not by_id:
        text += f"    assert episode.success is {episode.success}\n"
    return text


def _listed(replies: tuple[str, ...]) -> str:
    if not replies:
        return "[]"
    return "[\n" + "".join(f"    {reply!a},\n" for reply in replies) + "]"
