"""An author's solution that does not do what it should, and limits that leave it no room."""

from __future__ import annotations

import ast
import random

from ..operator import operator
from ..trees import wrap

WITNESS = "feasibility.witness | feasibility.no_witness"
LOSES = "own solution loses"
_SEEN = "self.seed_seen = ACTION or 0\nreturn self.first_reset(ACTION)"


def _listed(tree: ast.Module, deed: str) -> bool:
    body = (
        f"actions = self.first_solution()\nactions = [actions] if isinstance(actions, str) else list(actions)\n{deed}"
    )
    return wrap(tree, "solution", body)


@operator("solution wrong on some seeds", shows=LOSES, rules=WITNESS)
def wrong_on_some(tree: ast.Module, rng: random.Random) -> bool:
    """On some seeds the last action is missing."""
    every = rng.choice((5, 8, 12))
    deed = f"return actions[:-1] if self.seed_seen % {every} == {rng.randrange(every)} else actions"
    return wrap(tree, "reset", _SEEN) and _listed(tree, deed)


@operator("solution of an earlier episode", shows=LOSES + " | own solution loses later", rules=WITNESS)
def stale(tree: ast.Module, rng: random.Random) -> bool:
    """The solution is kept from the first time it was asked for."""
    deed = "KNOWN.setdefault('actions', actions)\nreturn KNOWN['actions']"
    done = _listed(tree, deed)
    at = next((i for i, node in enumerate(tree.body) if isinstance(node, ast.ClassDef)), 0)
    tree.body[at:at] = ast.parse("KNOWN = {}").body
    return done


@operator("solution raises on some seeds", shows=LOSES, rules=WITNESS)
def raises_on_some(tree: ast.Module, rng: random.Random) -> bool:
    """On some seeds the solution cannot be made."""
    every = rng.choice((5, 8, 12))
    met = f"self.seed_seen % {every} == {rng.randrange(every)}"
    deed = f"if {met}:\n    raise IndexError('pop from empty list')\nreturn actions"
    return wrap(tree, "reset", _SEEN) and _listed(tree, deed)


@operator("solution in the wrong order", shows=LOSES, rules=WITNESS)
def reversed_order(tree: ast.Module, rng: random.Random) -> bool:
    """The actions are listed backwards."""
    return _listed(tree, "return actions[::-1]")


@operator("solution off by one", shows=LOSES, rules=WITNESS)
def off_by_one(tree: ast.Module, rng: random.Random) -> bool:
    """Every number in the last action is one too large."""
    deed = """
import re
actions[-1] = re.sub(r"\\d+", lambda match: str(int(match.group()) + 1), str(actions[-1]))
return actions
"""
    return _listed(tree, deed.strip())


@operator("solution leaves out a step", shows=LOSES, rules=WITNESS)
def left_out(tree: ast.Module, rng: random.Random) -> bool:
    """One action is missing."""
    return _listed(tree, "del actions[len(actions) // 2]\nreturn actions")


@operator(
    "limit too tight",
    shows=LOSES,
    rules="feasibility.budget | feasibility.witness | feasibility.no_witness",
    contracts="interactive tools",
)
def tight_limit(tree: ast.Module, rng: random.Random) -> bool:
    """There are fewer turns than the solution needs."""
    return "max_turns" in ast.unparse(tree) and wrap(
        tree, "reset", f"self.max_turns = {rng.choice((1, 2))}\nreturn self.first_reset(ACTION)"
    )
