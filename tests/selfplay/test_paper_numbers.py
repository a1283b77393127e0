"""The paper's rewards are those that its own code pays (record_paper.py), to rounding."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from spade_envs.selfplay.config import DesignSection
from spade_envs.selfplay.evidence import Design, Evidence
from spade_envs.selfplay.rewards import OF_THE_PAPER, designer_rewards
from spade_envs.selfplay.trackers import Tracker

NUMBERS: dict[str, Any] = json.loads(Path(__file__).with_name("paper_numbers.json").read_text("utf-8"))
HUNG_IS_PAID = OF_THE_PAPER - {"regret_floored"}
"""Rewards for which the paper's code forgets that an environment hung, which ours does not."""


def evidence(given: Mapping[str, Any], reward: str) -> Evidence:
    hung = given["hung"] and reward not in HUNG_IS_PAID
    return Evidence(
        given["skill"],
        Design.HUNG if hung else Design.ADMITTED,
        tuple(given["plain"]),
        tuple(given["hinted"]),
        tuple(tuple(arm) for arm in given["later"]),
    )


def test_the_numbers_are_of_this_commit() -> None:
    assert NUMBERS["commit"] == "9b2b813e8e2bd35d5923c96aa7500e24704b2d8f"
    assert any(one["hung"] for case in NUMBERS["cases"] for one in case["batch"])


@pytest.mark.parametrize("reward", sorted(OF_THE_PAPER))
def test_designers_are_paid_as_by_the_papers_code(reward: str) -> None:
    section = DesignSection(reward=reward, guard=False, refusals=False, weight=0, interval=4)
    tracker = Tracker()
    for case in NUMBERS["cases"]:
        batch = [evidence(one, reward) for one in case["batch"]]
        tracker = tracker.seen(batch)
        # 8 agents' trajectories for each design over an interval of 4 make the scale of 32.
        found = designer_rewards(batch, section, tracker=tracker, agents=8 * len(batch))
        assert found == pytest.approx(case[reward], abs=1e-12 * NUMBERS["scale"])
        assert max(abs(value) for value in case[reward]) > 1
