"""Record what the paper's code pays designers and agents on small batches, for test_paper_numbers.py.

    python tests/selfplay/record_paper.py FOLDER COMMIT

FOLDER is a checkout of github.com/spade-rl/spade at COMMIT. Its ``spade/core/utils/delayed_env_rewards.py`` and
``spade/core/learning_potential.py`` run as they are; packages around them, whose ``__init__`` would import what needs a
GPU, are replaced by empty ones. Needs NumPy.
"""

from __future__ import annotations

import importlib
import json
import random
import sys
import types
from pathlib import Path
from typing import Any

OUT = Path(__file__).with_name("paper_numbers.json")
SKILLS, SCALE, BAND = ("a", "b"), 32.0, (0.4, 0.6, 0.25)


def batch(draw: random.Random) -> list[dict[str, Any]]:
    """Environments of two skills: plain outcomes, hinted ones, plain ones of later cycles."""

    def arm(count: int) -> list[float]:
        rate = draw.random()
        return [float(draw.random() < rate) if draw.random() < 0.8 else draw.uniform(-1, 1) for _ in range(count)]

    return [
        {
            "skill": draw.choice(SKILLS),
            "hung": draw.random() < 0.15,
            "plain": arm(4),
            "hinted": arm(4),
            "later": [arm(4) for _ in range(draw.randrange(4))],
        }
        for _ in range(7)
    ]


def main() -> None:
    """Write the numbers beside this file."""
    folder, commit = Path(sys.argv[1]), sys.argv[2]
    sys.path.insert(0, str(folder))
    for name in ("spade", "spade.core", "spade.core.utils"):
        package = sys.modules[name] = types.ModuleType(name)
        package.__path__ = [str(folder / name.replace(".", "/"))]
    delayed = importlib.import_module("spade.core.utils.delayed_env_rewards")
    potential = importlib.import_module("spade.core.learning_potential").LearningPotential
    draw, cases = random.Random(3), []
    trackers = {skill: potential(0.98, 0.85) for skill in SKILLS}
    for _ in range(6):
        given = batch(draw)
        names = [str(number) for number in range(len(given))]
        cycles = {name: dict(enumerate([one["plain"], *one["later"]])) for name, one in zip(names, given, strict=True)}
        every = {name: [value for arm in arms.values() for value in arm] for name, arms in cycles.items()}
        hinted = {name: sum(one["hinted"]) / 4 for name, one in zip(names, given, strict=True)}

        def paid(function: str, *args: Any, given: Any = given, names: Any = names, **more: Any) -> list[float]:
            samples = [
                types.SimpleNamespace(
                    reward=None, metadata={"game_file": name, "skill": one["skill"], "step_timeout": one["hung"]}
                )
                for name, one in zip(names, given, strict=True)
            ]
            getattr(delayed, function)(samples, *args, **more)
            return [sample.reward for sample in samples]

        lo, hi, ramp = BAND
        weights = {"regret_weight": 0.4, "micro_lp_weight": 0.0, "plateau_weight": 0.6, "regret_floor": True}
        band = {"plateau_lo": lo, "plateau_hi": hi, "plateau_ramp": ramp}
        name = "recompute_delayed_env_rewards"
        cases.append(
            {
                "batch": given,
                "regret_floored": paid(f"{name}_regret", every, hinted, SCALE),
                "blend": paid(f"{name}_blend", cycles, hinted, SCALE, **weights, **band),
                "solve_rate": paid(
                    f"{name}_blend", cycles, hinted, SCALE, **{**weights, "regret_weight": 0.0, "plateau_weight": 1.0}
                ),
                "micro_lp": paid(f"{name}_micro_lp", cycles, SCALE),
                "learning_potential": paid(name, every, trackers, SCALE, update_lp=True),
            }
        )
    OUT.write_text(json.dumps({"commit": commit, "scale": SCALE, "cases": cases}) + "\n", "utf-8")


if __name__ == "__main__":
    main()
