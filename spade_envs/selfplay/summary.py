"""The numbers of a cycle. None of them depends on the clock, so that a run taken up again writes the same."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from .evidence import Design, Evidence
from .records import Collected
from .remember import decision_of, pairs
from .rewarding import Paid
from .rewards import noise_floor, regret
from .steps import StepBatch, Update


def metrics_of(
    collected: Collected, paid: Paid, batch: StepBatch, update: Update, checks: Mapping[str, float]
) -> dict[str, float]:
    """What goes into the log for one cycle.

    ``regret`` and ``plain``, ``hinted`` are means over the environments played in both arms, ``noise_floor`` what a
    floored regret would average without any; ``designs/<step>`` are shares of the replies.
    """
    found: dict[str, float] = {"policy_version": float(update.policy_version)}
    found |= _played(collected)
    found |= _designs(paid.evidence.values())
    for role, some in (("agent", paid.agent), ("designer", paid.designer)):
        if some:
            found[f"{role}/reward"] = math.fsum(one.reward for one in some) / len(some)
            found[f"{role}/trajectories"] = float(len(some))
            found[f"{role}/length"] = sum(sum(one.loss_mask) for one in some) / len(some)
    if collected.held_out:
        seen = [one for one in collected.held_out if one is not None]
        if seen:
            found["held_out/outcome"] = math.fsum(seen) / len(seen)
            found["held_out/success"] = sum(one >= 1.0 for one in seen) / len(seen)
    found["tokens"] = float(sum(collected.tokens.values()))
    found["waiting"] = float(len(paid.buffer))
    found |= {f"left_out/{why}": float(count) for why, count in sorted(batch.dropped.items())}
    found["padding"] = float(batch.padding)
    found |= {f"trouble/{what}": float(count) for what, count in sorted(collected.troubles.items())}
    return {**found, **update.metrics, **checks}


def _designs(evidence: Iterable[Evidence]) -> dict[str, float]:
    """Shares of replies by what became of them."""
    every = list(evidence)
    if not every:
        return {}
    counts = Counter(one.design for one in every)
    return {f"designs/{step.value}": counts[step] / len(every) for step in Design}


def _played(collected: Collected) -> dict[str, float]:
    found: dict[str, float] = {}
    bands: Counter[str] = Counter()
    plain, hinted, regrets, floors = [], [], [], []
    for one in collected.played:
        outcomes = [play.episode.outcome for play in one.plain if play.episode.outcome is not None]
        with_hint = [play.episode.outcome for play in one.hinted if play.episode.outcome is not None]
        if outcomes:
            plain.append(math.fsum(outcomes) / len(outcomes))
        if not with_hint or not outcomes:
            continue
        hinted.append(math.fsum(with_hint) / len(with_hint))
        seen = regret(*pairs(one))
        if seen is not None:
            regrets.append(seen)
            rate = min(1.0, max(0.0, plain[-1]))
            floors.append(noise_floor(rate, len(outcomes)))
        bands[decision_of(one).band] += 1
    for name, values in (("plain", plain), ("hinted", hinted), ("regret", regrets), ("noise_floor", floors)):
        if values:
            found[name] = math.fsum(values) / len(values)
    found |= {f"bands/{name}": count / bands.total() for name, count in sorted(bands.items())}
    if collected.played:
        found["environments"] = float(len(collected.played))
    return found
