"""Vocabulary that several templates share."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

PEOPLE = (
    "Amara Boris Chidi Dagny Elif Farid Greta Hiro Ines Jonas Kofi Leila Marek Nadia Oskar Priya Quinn Rosa Sven Tomas"
    " Uma Viktor Wanda Yusuf Zoe"
).split()
TOWNS = "Arden Brill Corvo Dunmere Eskby Farrow Galt Holm Irva Jorvik Kessel Lorne Mirow Norsa Orley Penwick".split()
GOODS = "bolts cables drills filters gaskets hinges lamps motors nozzles pumps rivets sensors valves washers".split()
COLOURS = "amber black coral denim ebony green ivory khaki lilac mauve olive pink red silver teal white".split()
NATURE = (
    "acorn basalt cedar delta ember fjord glacier heron island juniper kelp lagoon meadow nettle otter pebble quartz"
    " raven saddle thistle umber valley willow yarrow"
).split()
_ENDINGS = ["Env", "Env", "Env", "Environment", "TaskEnv", "PuzzleEnv"]


def class_name(rng: random.Random, *stems: str) -> str:
    """A class name on one of the stems."""
    return rng.choice(stems) + rng.choice(_ENDINGS)


def pick(rng: random.Random, items: Sequence[Item], count: int) -> list[Item]:
    """Some of the items, in their own order."""
    chosen = sorted(rng.sample(range(len(items)), count))
    return [items[index] for index in chosen]
