"""Counting: buckets of steps, values that are too many, and what cannot be told apart."""

from __future__ import annotations

import json

import pytest

from spade_envs.codec import from_json, to_json
from spade_envs.importing import Census, Counting
from spade_envs.importing.census import MOST_STEPS, MOST_VALUES, OTHERS, bucket_width


@pytest.mark.parametrize("first", [0, 1, 7, 99, 12_345])
@pytest.mark.parametrize("span", [1, 2, 11, 12, 13, 60, 100, 397, 10_000])
def test_steps_fall_into_few_buckets_of_even_width(first: int, span: int) -> None:
    counting = Counting("p")
    for step in range(first, first + span):
        counting.add("admit", step=step)
    steps = counting.census().steps
    assert len(steps) <= MOST_STEPS
    assert {one.last - one.first + 1 for one in steps} == {bucket_width(span)}
    assert sum(one.tally.sources for one in steps) == span
    assert steps[0].first <= first <= steps[0].last and all(one.first % bucket_width(span) == 0 for one in steps)


def test_a_step_from_nowhere_costs_nothing() -> None:
    counting = Counting("p")
    for step in (0, 2**53, None):
        counting.add("refuse", step=step, rule="static.import")
    census = counting.census()
    assert [one.tally.refused for one in census.steps] == [1, 1]
    assert census.total.refused == 3


def test_values_beyond_the_most_are_counted_together() -> None:
    counting = Counting("p")
    for number in range(MOST_VALUES + 5):
        counting.add("admit", skill=f"skill-{number:03d}", times=2)
    counting.add("refuse", skill="skill-004", rule="static.import")
    skills = counting.census().skills
    assert len(skills) == MOST_VALUES + 1
    assert (skills[-1].value, skills[-1].admitted) == (OTHERS, 10)
    assert next(one for one in skills if one.value == "skill-004").sources == 3
    assert sum(one.sources for one in skills) == counting.census().total.sources


def test_the_unknown_comes_last_and_rules_by_weight() -> None:
    counting = Counting("p")
    counting.add("undecided", rule="gate.budget", skill="b", made_by="m", scale="4B")
    counting.add("refuse", rule="gate.budget", skill="")
    counting.add("refuse", rule="load.error", skill="a", scale="4B")
    counting.problem("missing", 3)
    counting.problem("checksum")
    census = counting.census()
    assert [one.value for one in census.skills] == ["a", "b", ""]
    assert [one.value for one in census.models] == ["4B", "m, 4B", ""]
    assert [(one.rule, one.refused, one.undecided) for one in census.rules] == [
        ("gate.budget", 1, 1),
        ("load.error", 1, 0),
    ]
    assert [(one.kind, one.count) for one in census.problems] == [("missing", 3), ("checksum", 1)]
    assert from_json(Census, json.loads(json.dumps(to_json(census)))) == census
