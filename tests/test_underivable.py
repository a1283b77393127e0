"""What wins must be shown somewhere: where seeds are few of a kind, too."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from spade_envs.types import Episode, StopReason, Turn
from spade_envs.validators.feasibility import underivable


def context(winning: list[str], observation: str = "Say it.") -> Any:
    """A rule's context over twelve seeds, in which every wrong word is answered alike."""

    def quick(seed: int, actions: tuple[str, ...]) -> Episode:
        turns = tuple(Turn(action, action, "No.", 0.0) for action in actions)
        return Episode(
            "e", seed, "p", observation.replace("SEED", str(seed)), turns, False, True, StopReason.TURN_LIMIT
        )

    return SimpleNamespace(
        contract="interactive",
        seeds=tuple(range(len(winning))),
        witness=lambda seed: (winning[seed],),
        quick=quick,
        budget=SimpleNamespace(left=lambda: 1.0),
    )


PROBED = ["a", "a", "a", "a"]
"""What wins on the last four seeds, which is tried on the others."""


@pytest.mark.parametrize(
    ("winning", "observation", "told"),
    [
        (["b", "c", "d", "e", "f", "g", "h", "i"], "Say it.", True),
        (["b", "c", "d", "e", "f", "g", "h", "i"], "Say it to SEED.", False),
        (["a", "c", "d", "e", "f", "a", "h", "i"], "Say it.", True),
        (["a", "c", "d", "e", "f", "a", "h", "i"], "Say it to SEED.", False),
    ],
)
def test_seeds_that_look_alike_are_not_won_differently(winning: list[str], observation: str, told: bool) -> None:
    assert len(list(underivable(context(winning + PROBED, observation)))) == told
