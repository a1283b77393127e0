"""The drawn habits of an imagined author: layout, names of common things, amount of prose."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """One author's habits; every source draws its own."""

    arity: int
    bare_reset: bool
    state: str
    state_name: str
    turn: str
    flow: str
    parser: str
    parser_place: str
    dispatch: str
    placing: str
    source: str
    rng: str
    solution: str
    box: str
    parent: str
    info: str
    docs: bool
    comments: bool
    typed: bool
    options: bool
    task_method: bool
    hinted: bool
    order: int


def _weighted(rng: random.Random, **weights: int) -> str:
    return rng.choices(list(weights), list(weights.values()))[0]


def draw_style(rng: random.Random) -> Style:
    """Draw habits; independent of each other but for the few that exclude one another."""
    flow = _weighted(rng, inline=4, finish=3, triple=3, base=2)
    source = _weighted(rng, random=6, lcg=2, numpy=2)
    return Style(
        arity=4 if rng.random() < 0.18 else 5,
        bare_reset=rng.random() < 0.15,
        state=_weighted(rng, attributes=4, private=2, dict=2, dataclass=2),
        state_name=rng.choice(["state", "s", "episode", "_state", "data"]),
        turn=rng.choice(["turn", "turns", "turn_count", "step_count", "steps_taken", "used"]),
        flow=flow,
        parser=_weighted(rng, search=3, findall=2, find=2, split=2, balanced=2, slice=2),
        parser_place=_weighted(rng, inline=2, function=2, method=3),
        dispatch=_weighted(rng, elif_chain=4, table=3, getattr=2),
        placing=_weighted(rng, module=4, method=3, static=2),
        source=source,
        rng=rng.choice(["rng", "r", "rnd", "self.rng", "self._rng", "gen"]),
        solution=_weighted(rng, list=6, generator=3, text=2),
        box=rng.choice(["concat", "percent", "format", "function"]),
        # The base of flow "base" is the source's own, so Gym's does not come in there.
        parent="" if flow == "base" else _weighted(rng, none=6, gymnasium=2, gym=1, object=1).replace("none", ""),
        info=_weighted(rng, empty=5, turn=2, left=2),
        docs=rng.random() < 0.6,
        comments=rng.random() < 0.5,
        typed=rng.random() < 0.45,
        options=rng.random() < 0.25,
        task_method=rng.random() < 0.4,
        hinted=rng.random() < 0.85,
        order=rng.randrange(1 << 30),
    )
