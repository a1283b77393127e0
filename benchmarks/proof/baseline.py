"""The reference's smoke test, as its paper's code has it, for comparison (SPADE, arXiv 2608.19197, released code).

Load; ``reset(seed=42)`` gives text and a dict; three fixed boxed actions give five values of the right types, a reward
in [-10, 10]; ``reset(seed=123)`` does not raise. Of multi-turn tool environments it also asks every criterion at the
resets of seeds 0, 1 and 2, and refuses where some criterion raises at all of them. It is run in the box here.
"""

from __future__ import annotations

import re

from spade_envs.sandbox.checked import Look
from spade_envs.types import Episode, FaultKind

from .specimens import Specimen

ACTIONS = ("\\boxed{1}", "\\boxed{test}", "\\boxed{42}")
WIDE = 10.0
"""Its bound on rewards."""


def smoke(text: str) -> bool:
    """Whether the reference's smoke test accepts a source."""
    with Specimen(text) as specimen:
        played = specimen.play(42, ACTIONS)
        if _failed(played) or not played.observation.strip() or any("flag" in repair for repair in played.repairs):
            return False
        return not _failed(specimen.play(123, ())) and not _criteria_raise(specimen)


def _failed(episode: Episode) -> bool:
    """Whether it would have stopped here: our bound on rewards is narrower than its own."""
    error = episode.error
    if error is None:
        return False
    said = re.search(r"the reward is (\S+?);", error.message)
    if error.kind is not FaultKind.BROKE or error.field != "reward" or said is None:
        return True
    value = float(said[1])
    return value < -WIDE or value > WIDE  # NaN passes, as there


def _criteria_raise(specimen: Specimen) -> bool:
    looks: list[Look] = [look for seed in (0, 1, 2) for look, _ in specimen.trial.looks(seed, ())]
    if not looks or not looks[0].criteria:
        return False
    return any(all(look.criteria[at].startswith("raises") for look in looks) for at in range(len(looks[0].criteria)))
