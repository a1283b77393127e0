"""What goes wrong: servers, replies, checks and hints; each ends where it should, and nothing slips in."""

from __future__ import annotations

import asyncio
import dataclasses
from pathlib import Path
from typing import Any

import pytest
from judging import Judged, go, of, said
from running import SETTINGS, Place, on_shelf
from scripted import Said, Scripted, good, kinds_of, plan_of
from standin import drop, json_of, status

from spade_envs.client import RequestFailed, Settings
from spade_envs.designer import Decision, DesignPlan
from spade_envs.errors import StoreError
from spade_envs.memory import SqliteMemory
from spade_envs.memory.lineage import family
from spade_envs.memory.seeds import draws_of
from spade_envs.types import EnvSource, Report

# -- servers -----------------------------------------------------------------------------------------------------


def test_a_server_that_dies_midway_and_comes_back(tmp_path: Path) -> None:
    place, undisturbed = Place(tmp_path / "a"), Place(tmp_path / "b")
    scripted = of(*["good"] * 8)
    go(of(*["good"] * 8), undisturbed, concurrency=1)
    answer, count = scripted.handler(), 0

    async def dying(request: Any, body: dict[str, Any]) -> Any:
        nonlocal count
        count += 1
        return await (answer if count <= 5 else drop)(request, body)

    scripted.standin.always = dying
    result = go(scripted, place, concurrency=1)
    assert [end.decision for end in result.ends] == [Decision.ADMITTED] * 2 + [Decision.FAILED] * 6
    # The third reply came, its hint did not: it is not asked for again.
    assert [end.replies for end in result.ends] == [1, 1, 1, 0, 0, 0, 0, 0]
    failed = result.ends[3]
    assert failed.rule == "request.server" and "no answer after 2 attempts" in failed.why
    assert len(on_shelf(place)) == 2

    scripted.standin.always = answer
    asked = len(scripted.asked)
    result = go(scripted, place, concurrency=1)
    assert result.count(Decision.ADMITTED) == 8 and result.asked == 5
    assert (2, 0) not in scripted.asked[asked:]
    assert on_shelf(place) == on_shelf(undisturbed)


def test_a_model_that_is_gone_stops_the_run_and_loses_nothing(tmp_path: Path) -> None:
    place, scripted = Place(tmp_path), of(*["good"] * 6)
    answer, count = scripted.handler(), 0

    async def leaving(request: Any, body: dict[str, Any]) -> Any:
        nonlocal count
        count += 1
        if count == 6:
            scripted.standin.models = [{"id": "other"}]
        return await answer(request, body)

    scripted.standin.always = leaving
    with pytest.raises(RequestFailed, match=r"has no model 'tiny'.*other"):
        go(scripted, place, concurrency=1)
    assert len(on_shelf(place)) == 2 and len(place.lines("reply")) == 3
    scripted.standin.models, scripted.standin.always = [{"id": "tiny"}], answer
    assert go(scripted, place).count(Decision.ADMITTED) == 6


def test_a_refused_request_stops_the_run(tmp_path: Path) -> None:
    scripted = of("good", "good")
    scripted.standin.always = status(400, "no such field")
    with pytest.raises(RequestFailed, match="no such field"):
        go(scripted, Place(tmp_path))


def test_a_prompt_that_is_too_long_fails_its_slot(tmp_path: Path) -> None:
    scripted = of("good", "good")
    scripted.standin.script = [status(400, "This model's maximum context length is 100 tokens.")]
    result = go(scripted, Place(tmp_path), concurrency=1)
    assert [end.decision for end in result.ends] == [Decision.FAILED, Decision.ADMITTED]
    assert result.ends[0].rule == "request.context" and "context" in result.ends[0].why


def test_a_repair_that_is_too_long_ends_with_what_was_found(tmp_path: Path) -> None:
    place, scripted = Place(tmp_path), of("mended")
    answer = scripted.handler()
    too_long = status(400, "This model's maximum context length is 100 tokens.")
    scripted.standin.script = [answer, too_long]
    result = go(scripted, place, Judged(lambda source: said(source, "feasibility.witness")))
    (end,) = result.ends
    assert (end.decision, end.rule) == (Decision.REFUSED, "feasibility.witness")
    assert end.why == "No. The repair did not fit into the model's context."


def test_a_straggler_ends_itself_only(tmp_path: Path) -> None:
    scripted = of("good", "good", "good", slot_seconds=3.0)
    answer = scripted.handler()

    async def straggling(request: Any, body: dict[str, Any]) -> Any:
        if scripted._turns.get(body["seed"]) == (1, 0):
            await asyncio.Event().wait()
        return await answer(request, body)

    scripted.standin.always = straggling
    result = go(scripted, Place(tmp_path))
    assert [end.decision for end in result.ends] == [Decision.ADMITTED, Decision.FAILED, Decision.ADMITTED]
    assert result.ends[1].why == "It did not end within 3 s."


def test_a_token_budget_fails_slots_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    place, scripted = Place(tmp_path), of(*["good"] * 3)
    small = dataclasses.replace(SETTINGS, total_tokens=8_000)
    result = go(scripted, place, settings=small, concurrency=1)
    assert {(end.decision, end.rule) for end in result.ends} == {(Decision.FAILED, "request.budget")}
    assert not scripted.asked
    assert go(scripted, place).count(Decision.ADMITTED) == 3


def test_a_reply_that_is_none_fails_its_slot(tmp_path: Path) -> None:
    scripted = of("good")

    async def nonsense(request: Any, body: dict[str, Any]) -> Any:
        return json_of({"choices": "none"})

    scripted.standin.always = nonsense
    (end,) = go(scripted, Place(tmp_path)).ends
    assert (end.decision, end.rule) == (Decision.FAILED, "request.reply")


# -- replies -----------------------------------------------------------------------------------------------------


def test_replies_without_a_source_say_why(tmp_path: Path) -> None:
    kinds = ("no code", "empty", "cut", "huge", "repeated")
    scripted = of(*kinds, repairs=0)
    ends = go(scripted, Place(tmp_path), Judged(lambda source: said(source, "some.rule"))).ends
    assert [end.rule for end in ends] == ["reply.no_source", "reply.empty", "reply.cut", "reply.long", "some.rule"]
    assert [end.decision for end in ends] == [Decision.REFUSED] * 5
    assert ends[3].why == "The reply has 5000000 characters; at most 524288 are read."
    (line,) = [line for line in Place(tmp_path).lines("reply") if line["slot"] == 3]
    assert len(line["text"]) == 524288 and line["characters"] == 5_000_000


def test_a_source_above_the_limit_is_not_sent_back_whole(tmp_path: Path) -> None:
    scripted = of("good")
    replies = [Said(f"```python\n{good(0)}{'#' * 200_000}\n```"), Said(f"```python\n{good(0)}```")]
    scripted.reply = lambda slot, turn: replies[turn]  # type: ignore[method-assign]
    judge = Judged(lambda source: said(source, "static.syntax") if len(source.text) > 9999 else Judged().judge(source))
    (end,) = go(scripted, Place(tmp_path), judge).ends
    assert end.repaired
    assert len(scripted.standin.log[1]["messages"][2]["content"]) < 3000


def test_the_same_source_again_is_not_checked_again(tmp_path: Path) -> None:
    checkers = Judged(lambda source: said(source, "some.rule"))
    (end,) = go(of("repeated"), Place(tmp_path), checkers).ends
    assert len(checkers.seen) == 2 and end.replies == 3 and end.rule == "some.rule"


# -- the plan of a run -------------------------------------------------------------------------------------------


def test_the_memory_shows_what_fits_and_failed_once_and_for_all(tmp_path: Path) -> None:
    place, plan = Place(tmp_path), plan_of(6)
    seeds = [EnvSource(good(100 + at), "optimization", "answer") for at in range(4)]
    seeds.append(EnvSource(good(200), "optimization", "tools"))
    seeds.append(EnvSource(good(201) + "#" * 20_000, "optimization", "answer"))
    failed = EnvSource(good(300), "optimization", "answer")
    with SqliteMemory(place.memory) as memory:
        for seed in seeds:
            memory.add_source(seed)
            memory.add_report(Report(seed.sha256))
        memory.add_source(failed)
        memory.add_report(said(failed, "some.rule", message="It is dull."))
    scripted = Scripted(plan, ["refused"] * 6)
    go(scripted, place, Judged(lambda source: said(source, "some.rule")))
    (header,) = place.lines("header")
    fitting = {seed.sha256 for seed in seeds[:4]}
    for slot, ground in enumerate(header["grounds"]):
        # Where nothing of a skill is known, something of another is shown; what is too long never is.
        allowed = fitting if plan.skill_of(slot) == "optimization" else fitting | {seeds[4].sha256}
        assert len(set(ground["seeds"])) == 2 and set(ground["seeds"]) <= allowed
        assert ground["negatives"] == [failed.sha256]
    firsts = [body["messages"][1]["content"] for body in scripted.standin.log if len(body["messages"]) == 2]
    texts = {seed.sha256: seed.text.strip() for seed in seeds}
    shown = [[texts[sha256] for sha256 in ground["seeds"]] for ground in header["grounds"]]
    assert len(firsts) == 6 and all(any(all(text in first for text in some) for first in firsts) for some in shown)
    assert all(failed.text.strip() in text and "error some.rule: It is dull." in text for text in firsts)
    # The memory has grown since; the run goes on with what it drew.
    assert go(scripted, place).asked == 0


def test_the_memory_tells_which_seeds_led_to_an_environment(tmp_path: Path) -> None:
    place, plan = Place(tmp_path), plan_of(2)
    seeds = [EnvSource(good(100 + at), "optimization", "answer") for at in range(4)]
    with SqliteMemory(place.memory) as memory:
        for seed in seeds:
            memory.add_source(seed)
            memory.add_report(Report(seed.sha256))
    result = go(Scripted(plan, ["good"] * 2), place, Judged())
    (header,) = place.lines("header")
    with SqliteMemory(place.memory) as memory:
        for slot, end in enumerate(result.ends):
            kin = family(memory, end.sha256).ancestors
            assert {one.sha256 for one in kin if one.kind == "seed"} == set(header["grounds"][slot]["seeds"]) != set()
        seen = [one for seed in seeds for one in draws_of(memory, seed.sha256)]
        assert len(memory.db.run("SELECT 1 FROM draws")) == 2, "each slot drew once"
    assert {(one.run, one.slot, one.role) for one in seen} == {("log", 0, "positive"), ("log", 1, "positive")}


def test_every_slot_is_a_function_of_plan_and_number() -> None:
    from spade_envs.designer.slots import slot_of

    plan = DesignPlan(count=24, window=3, epoch=1)
    assert plan.active == plan.skills[3:6] and DesignPlan(count=1, window=5, epoch=2).active[2:] == plan.skills[:3]
    asked = {(plan.skill_of(slot), plan.contract_of(slot)) for slot in range(24)}
    assert len(asked) == 6, "every skill in both contracts"
    seeds = [seed for slot in range(24) for seed in (*slot_of(plan, slot).seeds, *slot_of(plan, slot).hint_seeds)]
    assert len(set(seeds)) == len(seeds)
    assert slot_of(plan, 3) == slot_of(dataclasses.replace(plan, count=99), 3)
    assert slot_of(plan, 3).seeds != slot_of(dataclasses.replace(plan, seed=1), 3).seeds


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"count": 0}, "count must be a whole number from 1 to 100000, not 0"),
        ({"window": 13}, "window must be a whole number from 0 to 12"),
        ({"skills": ("logical-deductoin",)}, "did you mean logical-deduction"),
        ({"skills": ()}, "skills must name at least one"),
        ({"contract": "tool"}, "did you mean tools"),
        (
            {"contract": "tools", "skills": ("optimization",)},
            "optimization is exercised by answer, interactive, not by",
        ),
        ({"difficulty": "harder"}, "did you mean hard"),
        ({"slot_seconds": 0}, "slot_seconds must be above 0"),
    ],
)
def test_plans_that_make_no_sense(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        DesignPlan(**{"count": 1, **changes})


def test_a_corpus_that_changed_is_another_run(tmp_path: Path) -> None:
    place, scripted = Place(tmp_path), of("good")
    go(scripted, place)
    with open(tmp_path / "corpus.jsonl", "a") as stream:
        stream.write('{"text": "More."}\n')
    with pytest.raises(StoreError, match=r"the corpus is .* in the log and .* now"):
        go(scripted, place)


def test_the_settings_of_the_client_bound_what_is_asked_at_once(tmp_path: Path) -> None:
    scripted = of(*["good"] * 12)
    go(scripted, Place(tmp_path), settings=Settings(concurrency=3), concurrency=12)
    assert scripted.standin.most <= 3
    assert kinds_of(12) == kinds_of(12)
