"""Two sources side by side: what is the same, and what tells them apart."""

from __future__ import annotations

import dataclasses

import pytest

from spade_envs.behaviour import Behaviour, Played, compare
from spade_envs.rules import EXAMPLE
from spade_envs.types import EnvSource

SEEDS = 4


def compared(text: str) -> Behaviour:
    """The example beside ``text``."""
    return compare(EnvSource(EXAMPLE), EnvSource(text), SEEDS)


def of(behaviour: Behaviour, player: str) -> Played:
    return next(one for one in behaviour.played if one.player == player)


def test_a_comment_changes_nothing() -> None:
    behaviour = compared(EXAMPLE + "\n# the same\n")
    assert behaviour.alike
    assert (behaviour.first, behaviour.tools, behaviour.replayed, behaviour.repeated) == (SEEDS, SEEDS, 3, (3, 3))
    assert behaviour.witness == ("list", "list") and behaviour.contract == ("answer", "answer")
    assert [of(behaviour, f"witness of {name}").wins for name in "AB"] == [(SEEDS, SEEDS)] * 2
    assert of(behaviour, "idle").wins == (0, 0)


def test_another_grader_is_seen_by_the_witnesses_only() -> None:
    # Only the true sum wins here; there, one more.
    behaviour = compared(EXAMPLE.replace("self.a + self.b", "self.a + self.b + 1"))
    assert not behaviour.alike and behaviour.first == SEEDS
    assert of(behaviour, "witness of A").wins == (SEEDS, 0)
    assert of(behaviour, "witness of B").wins == (0, SEEDS)
    assert of(behaviour, "witness of A").alike == 0
    assert of(behaviour, "idle").alike == SEEDS


def test_other_words_are_another_first_observation() -> None:
    behaviour = compared(EXAMPLE.replace("What is", "How much is"))
    assert EXAMPLE.replace("What is", "How much is") != EXAMPLE
    assert behaviour.first == 0 and not behaviour.alike
    assert of(behaviour, "witness of A").wins == (SEEDS, SEEDS)


def test_what_cannot_be_played_says_why() -> None:
    behaviour = compared("import os\n" + EXAMPLE)
    assert not behaviour.alike and behaviour.unplayed and not behaviour.played
    assert behaviour.problem[0] == "" and "os" in behaviour.problem[1]
    raising = compared(EXAMPLE.replace("rng = random", "raise ValueError('no'); rng = random"))
    assert "reset: ValueError: no" in raising.problem[1] and not raising.alike


def test_seeds_do_not_depend_on_the_order() -> None:
    one, other = EnvSource(EXAMPLE), EnvSource(EXAMPLE + "\n")
    there, back = compare(one, other, 2), compare(other, one, 2)
    assert there.seeds == back.seeds != compare(one, other, 2, run_seed=1).seeds
    with pytest.raises(ValueError, match="at least 1"):
        compare(one, other, 0)


def test_a_source_that_forgets_its_seed_is_told() -> None:
    # It counts resets, so that the same instance goes on where a new one begins.
    unsteady = (
        EXAMPLE.replace("class AddEnv:", "seen = [0]\n\n\nclass AddEnv:", 1)
        .replace("rng = random", "seen[0] += 1\n        rng = random")
        .replace("random.Random(seed)", "random.Random(seen[0])")
    )
    behaviour = compared(unsteady)
    assert behaviour.repeated[0] == 3 and behaviour.repeated[1] < 3 and not behaviour.alike


def test_a_source_that_hangs_ends_it_early() -> None:
    behaviour = compared(
        EXAMPLE.replace("def step(self, action):", "def step(self, action):\n        while True: pass")
    )
    assert behaviour.problem[0] == "" and "ended early: step hung" in behaviour.problem[1]
    assert not behaviour.alike and not behaviour.unplayed and behaviour.first == SEEDS and not behaviour.played
    words = ("9999", "long", "(((", "test", "not sure", "xyzzy", "no_such", "not json", "-7", "A B C")
    hanging = f"def step(self, action):\n        while any(word in action for word in {words}): pass"
    behaviour = compared(EXAMPLE.replace("def step(self, action):", hanging))
    assert [one.player for one in behaviour.played] == ["witness of A", "witness of B", "idle", "echo"]
    assert "ended early" in behaviour.problem[1] and behaviour.replayed == 0


def test_other_words_in_an_answer_are_seen() -> None:
    behaviour = compared(EXAMPLE.replace("Right.", "Yes."))
    assert of(behaviour, "witness of A").alike == 0 and of(behaviour, "witness of A").wins == (SEEDS, SEEDS)
    assert of(behaviour, "idle").alike == SEEDS and not behaviour.alike


def test_every_part_counts() -> None:
    played = Played("idle", 2, (0, 0), (0.0, 0.0), 2)
    same = Behaviour((1, 2), ("answer",) * 2, (3, 3), 2, 2, ("list", "text"), (played,), 2, (2, 2))
    changes: list[dict[str, object]] = [
        {"contract": ("answer", "tools")},
        {"max_turns": (3, 4)},
        {"first": 1},
        {"tools": 1},
        {"repeated": (2, 1)},
        {"repeated": (1, 1)},
        {"problem": ("", "no")},
        {"played": (dataclasses.replace(played, alike=1),)},
    ]
    assert same.alike and not any(dataclasses.replace(same, **change).alike for change in changes)  # type: ignore[arg-type]
