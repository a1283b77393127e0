"""Probes: paired seeds, arms that differ in the hint alone, missing outcomes, and faults that are none."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from standin import StandIn, saying, status
from test_model_player import SUM, added, model, playing

from spade_envs import probe as probe_module
from spade_envs.client import Sampling
from spade_envs.model_player import Agent
from spade_envs.probe import Probed, ProbePlan, Subject, missing_reasons, probe_many, probe_one
from spade_envs.seeds import derive_seeds
from spade_envs.types import EnvSource, Episode, StopReason

HINTED = Subject(SUM, "lab/env-0001", "answer", 4, hint="Add the two.")
AGENT = Agent(sampling=Sampling(max_tokens=64))
PLAN = ProbePlan(agent=AGENT)
Say = Callable[[list[dict[str, Any]], dict[str, Any]], "str | dict[str, Any]"]


def first(messages: list[dict[str, Any]]) -> str:
    """What the player was shown first."""
    return next(str(message["content"]) for message in messages if message["role"] == "user")


def right(messages: list[dict[str, Any]]) -> str:
    """The right answer."""
    task = [message for message in messages if message["role"] == "user"][:1]
    return added([{**task[0], "content": task[0]["content"].partition("\n")[0]}] * 2, {})


def knowing(plain: int, hinted: int) -> Say:
    """A model that is right in so many of ten seeds without and with the hint, whatever the turn."""

    def say(messages: list[dict[str, Any]], body: dict[str, Any]) -> str:
        shown = first(messages)
        luck = sum(map(ord, shown.partition("\n")[0])) % 10
        return right(messages) if luck < (hinted if "HINT" in shown else plain) else "\\boxed{0}"

    return say


def probed(standin: StandIn, *subjects: Subject, plan: ProbePlan = PLAN, **settings: Any) -> list[Probed]:
    """Probe with the model of that server, in the order of the subjects."""

    async def main() -> list[Probed]:
        async with playing(standin, **settings) as (client, envs):
            found = [one async for one in probe_many(subjects or [HINTED], client, envs, plan)]
        order = [subject.env_id for subject in subjects or [HINTED]]
        return sorted(found, key=lambda one: order.index(one.subject.env_id))

    return asyncio.run(main())


def test_a_hint_that_helps_is_decided_early() -> None:
    (found,) = probed(model(knowing(0, 10)))
    probe = found.probe
    assert probe is not None and not found.problem and found.fault is None
    assert (probe.band, probe.regret, len(probe.seeds)) == ("frontier", 1.0, 8)
    assert (probe.plain, probe.hinted) == ((0.0,) * 8, (1.0,) * 8)
    assert probe.seeds == derive_seeds(SUM.sha256, 0, 8) and probe.model == "tiny" and probe.hint == "Add the two."
    assert json.loads(probe.sampling)["max_tokens"] == 64 and len(probe.prompt_sha) == 64
    assert "8 pairs" in probe.reason and len(found.episodes) == 16


@pytest.mark.parametrize(
    ("plain", "hinted", "band"), [(0, 0, "unreachable"), (10, 10, "trivial"), (4, 4, "no_regret"), (2, 9, "frontier")]
)
def test_bands(plain: int, hinted: int, band: str) -> None:
    (found,) = probed(model(knowing(plain, hinted)))
    assert found.probe is not None and found.probe.band == band


def test_arms_differ_in_the_hint_alone() -> None:
    standin = model(knowing(3, 8))
    (found,) = probed(standin)
    assert found.probe is not None
    plain, hinted = ([e for e in found.episodes if e.hinted is arm] for arm in (False, True))
    assert [one.seed for one in plain] == [one.seed for one in hinted] == list(found.probe.seeds)

    def told(body: dict[str, Any]) -> str:
        """A request, less the hint."""
        return json.dumps(body, sort_keys=True).replace("\\n\\nHINT: Add the two.", "")

    openings = [body for body in standin.log if len(body["messages"]) == 2]
    arms = [sorted(told(b) for b in openings if ("HINT" in first(b["messages"])) is arm) for arm in (False, True)]
    assert arms[0] == arms[1] and len(set(arms[0])) == len(found.probe.seeds)
    assert len({body["seed"] for body in openings}) == len(found.probe.seeds), "pairs are drawn independently"


def test_the_same_again_and_another_with_another_seed() -> None:
    one, same = (probed(model(knowing(3, 6))), probed(model(knowing(3, 6)), concurrency=2))
    assert one[0].episodes == same[0].episodes
    other = probed(model(knowing(3, 6)), plan=dataclasses.replace(PLAN, run_seed=1))
    assert other[0].probe is not None and one[0].probe is not None
    assert not set(other[0].probe.seeds) & set(one[0].probe.seeds)


def test_no_more_pairs_are_played_than_allowed() -> None:
    (found,) = probed(model(knowing(4, 5)), plan=dataclasses.replace(PLAN, most_pairs=12))
    assert found.probe is not None and (found.probe.band, len(found.probe.seeds)) == ("uncertain", 12)
    with pytest.raises(ValueError, match="most_pairs"):
        ProbePlan(most_pairs=13)
    with pytest.raises(ValueError, match="cap_turns"):
        ProbePlan(cap_turns=0)


def test_turns_may_be_capped() -> None:
    (found,) = probed(model(lambda messages, body: "\\boxed{0}"), plan=dataclasses.replace(PLAN, cap_turns=2))
    assert {len(episode.turns) for episode in found.episodes} == {2}


def test_the_authors_hint_is_asked_where_there_is_no_static_one() -> None:
    (found,) = probed(model(knowing(0, 10)), dataclasses.replace(HINTED, hint=""))
    assert found.probe is not None and found.probe.band == "frontier" and found.probe.hint == ""
    assert found.episodes[1].observation.endswith("HINT: Add the two numbers.")


@pytest.mark.parametrize(
    ("hint", "problem"), [("return ''", "has no hint"), ("raise ValueError('no')", "hint() fails (raised): ")]
)
def test_without_a_hint_there_is_nothing_to_compare(hint: str, problem: str) -> None:
    source = EnvSource(SUM.text.replace('return "Add the two numbers."', hint))
    standin = model(knowing(0, 10))
    (found,) = probed(standin, dataclasses.replace(HINTED, source=source, hint=""))
    assert found.probe is None and problem in found.problem and not standin.log
    # A hint that is missing is nobody's fault; one that fails is the environment's.
    assert (found.fault is not None and found.fault.stop_reason is StopReason.ENV_RAISED) == ("raise" in hint)


def test_an_environment_that_fails_is_at_fault_and_no_missing_outcome() -> None:
    source = EnvSource(SUM.text.replace("self.turn += 1", "self.turn += 1 if self.a % 2 else [][0]"))
    subjects = [dataclasses.replace(HINTED, source=source), dataclasses.replace(HINTED, env_id="lab/env-0002")]
    bad, good = probed(model(knowing(0, 10)), *subjects)
    assert bad.probe is None and bad.fault is not None and bad.fault.stop_reason is StopReason.ENV_RAISED
    assert f"seed {bad.fault.seed}" in bad.problem and "IndexError" in bad.problem
    assert good.probe is not None and good.probe.band == "frontier"


def test_a_dead_server_is_no_measurement_and_ends_the_probe() -> None:
    standin = model(knowing(0, 10))
    standin.always = status(503, "out of order")
    (found,) = probed(standin)
    assert found.probe is None and found.fault is None and "out of order" in found.problem
    assert len(found.episodes) == 8 and missing_reasons(found.episodes) == {StopReason.SERVER_ERROR: 8}


def test_a_server_that_dies_midway_leaves_what_was_measured() -> None:
    standin = model(knowing(4, 5))
    alive, broken = saying(standin, knowing(4, 5)), status(503, "out of order")

    async def mortal(request: Any, body: dict[str, Any]) -> Any:
        return await (alive if len(standin.answered) < 60 else broken)(request, body)

    standin.always = mortal
    (found,) = probed(standin, concurrency=1)
    assert found.probe is not None and found.probe.band == "uncertain" and "out of order" in found.problem
    assert None in found.probe.plain and 1.0 in found.probe.hinted


def test_outcomes_missing_in_one_arm_alone_decide_nothing() -> None:
    standin = model(knowing(0, 10))
    alive, broken = saying(standin, knowing(0, 10)), status(503)

    async def partial(request: Any, body: dict[str, Any]) -> Any:
        shown = first(body["messages"])
        lost = "HINT" in shown and sum(map(ord, shown.partition("\n")[0])) % 3 == 0
        return await (broken if lost else alive)(request, body)

    standin.always = partial
    (found,) = probed(standin)
    assert found.probe is not None and found.probe.band == "uncertain" and "miss" in found.probe.reason
    assert found.probe.missing[0] == 0 and found.probe.missing[1] >= 12


def test_arms_that_begin_otherwise_are_no_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    play = probe_module.play_one

    async def shifting(envs: Any, assignment: Any) -> Episode:
        # The box lets no environment do this; a hint that slipped into the plain arm would look like it.
        episode = await play(envs, assignment)
        return episode if episode.hinted else dataclasses.replace(episode, observation="Elsewhere.")

    monkeypatch.setattr(probe_module, "play_one", shifting)
    (found,) = probed(model(knowing(0, 10)))
    assert "same in both arms" in found.problem and found.probe is None


def test_the_box_that_cannot_be_had_is_heard_of() -> None:
    class Broken(Exception):
        pass

    async def main() -> None:
        async with playing(model(knowing(0, 10))) as (client, envs):

            def heard(episode: object) -> None:
                raise Broken

            await probe_one(HINTED, client, envs, PLAN, heard=heard)

    with pytest.raises(Broken):
        asyncio.run(main())


def test_many_are_probed_as_single_ones_are() -> None:
    texts: Sequence[str] = [SUM.text.replace("Right.", f"Right {at}.") for at in range(6)]
    subjects = [Subject(EnvSource(text), f"lab/env-{at:04}", "answer", 4, "Add.") for at, text in enumerate(texts)]
    together = probed(model(knowing(3, 7)), *subjects, concurrency=64)
    alone = [probed(model(knowing(3, 7)), subject)[0] for subject in subjects]
    assert [one.episodes for one in together] == [one.episodes for one in alone]


# -- what would earn a band that is not deserved ---------------------------------------------------------------


def test_what_the_call_of_hint_changes_is_not_played() -> None:
    easy = SUM.text.replace('return "Add the two numbers."', 'self.easy = True\n        return "Add."')
    source = EnvSource(easy.replace("won = action", 'won = getattr(self, "easy", False) or action'))
    (found,) = probed(model(knowing(0, 0)), dataclasses.replace(HINTED, source=source, hint=""))
    assert found.probe is not None and found.probe.band == "unreachable" and set(found.probe.hinted) == {0.0}
    assert [one.hinted for one in found.episodes] == [False, True] * 16
    assert found.episodes[1].observation.endswith("HINT: Add.")


@pytest.mark.parametrize("body", ["return 'Add.' if self.a % 2 else [][0]", "return 'Add.' if self.a % 2 else 7"])
def test_a_hint_that_fails_on_some_seeds_is_a_fault_of_the_environment(body: str) -> None:
    source = EnvSource(SUM.text.replace('return "Add the two numbers."', body))
    at = next(run for run in range(9) if _odd(source, run))
    (found,) = probed(
        model(knowing(0, 10)),
        dataclasses.replace(HINTED, source=source, hint=""),
        plan=dataclasses.replace(PLAN, run_seed=at),
    )
    assert found.probe is None and found.fault is not None and found.fault.hinted
    assert found.fault.error is not None and found.fault.error.phase == "hint"


def _odd(source: EnvSource, run_seed: int) -> bool:
    """Whether the first number of the first seed is odd, and that of one of the next three is not."""
    firsts = [random.Random(seed).randint(10, 99) % 2 for seed in derive_seeds(source.sha256, run_seed, 4)]
    return firsts[0] == 1 and 0 in firsts


def test_a_context_that_holds_no_task_is_no_measurement() -> None:
    standin = model(knowing(0, 10), context=1)
    (found,) = probed(standin)
    assert found.probe is None and found.fault is None and "never came to a reply" in found.problem
    assert not standin.log and len(found.episodes) == 8
