"""Oracles: properties that a mutant violates, with a seed and actions that show it. They know no rule of the gate.

Every oracle compares a mutant with what is known of the good source it was made from. None may hold of a good source.
"""

from . import faults, texts, wins
from .case import Case, Exhibit, Oracle

ORACLES: dict[str, Oracle] = {
    "own solution loses": faults.loses,
    "own solution loses later": faults.loses_later,
    "fails": faults.fails,
    "differs": faults.differs,
    "same for every seed": faults.same,
    "deaf": faults.deaf,
    "mindless win": wins.mindless,
    "lax grader": wins.lax,
    "crumb wins": wins.crumb,
    "constant wins": wins.constant,
    "free reward": wins.free,
    "tells first": texts.tells_first,
    "tells after": texts.tells_after,
    "tells by hint": texts.tells_hint,
    "tells by schema": texts.tells_schema,
    "chat tokens": texts.chat_tokens,
    "empty first text": texts.empty_first,
    "bad schema": texts.bad_schema,
    "unseen id": texts.unseen_id,
    "tool fails": texts.tool_fails,
    "step not needed": wins.needless,
    "true before its turn": wins.true_early,
    "criterion raises": wins.raising,
    "pays twice": wins.pays,
    "runs on": faults.runs_on,
    "differs by hash seed": faults.differs_by_hash,
}
"""Oracles by the name of the property."""

ASKED = ("step not needed", "tells by schema", "bad schema", "free reward", "deaf")
"""Properties that are looked at only where an operator names them."""
MINOR = ("pays twice", "runs on", "differs by hash seed")
"""Properties whose violation the gate tells and does not refuse."""

__all__ = ["ASKED", "MINOR", "ORACLES", "Case", "Exhibit", "Oracle"]
