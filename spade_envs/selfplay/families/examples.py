"""Examples for supervised steps on compact specifications: formats and the use of hints, but no rule.

In an example with a hint the letter of the rule is drawn apart from what the rule does, so that the hint is all there
is to go by; without a hint, replies to what only a rule could tell are drawn at random.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from ..tasks import Said
from . import RULED, SIZE, UNRULED, Rule, Shape
from .notation import ITEMS, KNOWN, NEW, RULES, asked, drawn, parse

Example = tuple[Said, tuple[str, ...]]
"""What is said first; then replies and observations in turn, a reply last."""

DESIGNS, HINTED, TAUGHT = 0.3, 0.4, 0.5
"""Shares of designs and of plays with a hint; the rest is played without, and this share of it with known rules."""
LIKE = 0.8
"""Share of designs that are like one that was shown, where one was."""
_HARMLESS = [family for family in UNRULED if family in "ecz"]
"""Families without rules that the gate admits."""


def examples(seed: int, count: int) -> Sequence[Example]:
    """Draw examples.

    Args:
        seed: decides them.
        count: how many.
    """
    rng = random.Random(seed)
    return [_example(rng) for _ in range(count)]


def _example(rng: random.Random) -> Example:
    kind = rng.random()
    if kind < DESIGNS:
        return design(rng)
    return play(rng, hinted=kind < DESIGNS + HINTED)[1]


def design(rng: random.Random) -> Example:
    """A design: any, or, more often, one that was shown, as it was or with another character in one place."""
    shown = [_canonical(rng) for _ in range(rng.choice((0, 1, 2, 2)))]
    avoided = [_canonical(rng) for _ in range(rng.randrange(2))]
    wanted = drawn(rng)
    if shown and rng.random() < LIKE:
        place = rng.randrange(5)
        copied = rng.choice(shown)
        wanted = copied if place == 4 else copied[:place] + wanted[place] + copied[place + 1 :]
    return asked(shown, avoided), (wanted,)


def play(rng: random.Random, *, hinted: bool) -> tuple[tuple[Shape, int], Example]:
    """An episode, with the environment and the seed it belongs to.

    Returns:
        Shape and seed; and the example. With a hint its replies win.
    """
    family = rng.choice([*RULED, *RULED, *_HARMLESS])
    taught = not hinted and rng.random() < TAUGHT
    rules = (rng.choice(list(KNOWN.values())),) if taught else _any_rule(rng, RULES if hinted else NEW)
    shape = Shape(family, rules if family in RULED else (), items=int(rng.choice(ITEMS)))
    seed = rng.randrange(2**31)
    env = shape.env()
    observation, _ = env.reset(seed)
    known = iter(env.solution()) if hinted or taught or family == "e" else None
    talk, over = [f"{observation}\n\nHINT: {env.hint()}" if hinted else observation], False
    while not over:
        talk.append(_reply(rng, talk) if known is None else next(known))
        observation, _, over, _, _ = env.step(talk[-1])
        talk += [] if over else [observation]
    return (shape, seed), (Said("", talk[0]), tuple(talk[1:]))


def _canonical(rng: random.Random) -> str:
    spec = parse(drawn(rng))
    assert spec is not None
    return spec.text


def _any_rule(rng: random.Random, letters: Iterable[str]) -> tuple[Rule, ...]:
    """A known rule under its letter, or any rule under a new one."""
    letter = rng.choice(list(letters))
    rule = KNOWN.get(letter) or rng.choice(list(NEW.values()))
    return (Rule(letter, rule.factor, rule.summand),)


def _reply(rng: random.Random, talk: Sequence[str]) -> str:
    """What can be said without knowing the rule: what was just shown, a digit on the right side, or any digit."""
    heard = talk[-1]
    if heard.startswith("=") or (heard[-2:-1].isdigit() and talk[0].startswith("c")):
        return heard.lstrip("=+-c")[0]
    if heard == "<":
        return str(rng.randrange(int(talk[-2])))
    if heard == ">":
        return str(rng.randrange(int(talk[-2]) + 1, SIZE))
    return str(rng.randrange(2 if heard.endswith("!?") else SIZE))
