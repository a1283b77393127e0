"""Every rule's page, and the two examples in it: one accepted, one refused by exactly that rule."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from spade_envs.admission import STAGES, admit, rules, validate
from spade_envs.memory import SqliteMemory
from spade_envs.rules import EXAMPLE, GateRule, assemble
from spade_envs.shelf import Shelf
from spade_envs.types import EnvSource, Limits, Severity, Verdict

QUICK = Limits(load_seconds=1.0, reset_seconds=1.0, step_seconds=0.5, grace_seconds=0.5)
RULES = list(rules().values())


DECLARED = {"interactive.one_shot": "interactive"}
"""Rules whose examples declare a contract."""


def findings_of(rule: GateRule, text: str) -> list[Severity]:
    report = validate(EnvSource(text, contract=DECLARED.get(rule.name, "")), limits=QUICK)
    return [finding.severity for finding in report.findings if finding.rule == rule.name]


def test_the_base_example_is_admitted_without_a_finding() -> None:
    report = validate(EXAMPLE)
    assert (report.verdict, report.findings, report.not_reached) == (Verdict.ADMIT, (), ())
    assert (report.contract, report.witness_kind, report.instances) == ("answer", "list", 20)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_accepted_example(rule: GateRule) -> None:
    text = assemble(rule.example("Accepted"))
    report = validate(EnvSource(text, contract=DECLARED.get(rule.name, "")), limits=QUICK)
    assert report.verdict is Verdict.ADMIT, report.findings
    assert (rule.name, rule.severity) not in {(finding.rule, finding.severity) for finding in report.findings}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_refused_example(rule: GateRule) -> None:
    if rule.stage == "static" and rule.name.startswith("duplicates."):
        return  # it takes something known: see the tests below
    assert rule.severity in findings_of(rule, assemble(rule.example("Refused")))


def test_the_same_code_in_another_layout_is_refused_on_a_shelf(tmp_path: Path) -> None:
    shelf = Shelf.create(tmp_path / "lab", "lab", 1)
    first = admit(EXAMPLE, shelf, limits=QUICK)
    again = admit(assemble(rules()["duplicates.exact"].example("Refused")), shelf, limits=QUICK)
    assert first.card is not None and again.card is None
    (finding,) = again.report.findings
    assert (finding.rule, finding.severity) == ("duplicates.exact", Severity.ERROR)
    assert first.env_id in finding.message
    same = admit(EXAMPLE, shelf, limits=QUICK)
    assert (same.known, same.env_id) == (True, first.env_id)


def test_the_same_code_about_another_theme_is_told_and_refused_in_self_play(tmp_path: Path) -> None:
    shelf = Shelf.create(tmp_path / "lab", "lab", 1)
    near = rules()["duplicates.near"]
    other = assemble(near.example("Refused"))
    strict = replace(Limits.selfplay(), grace_seconds=0.5)
    with SqliteMemory(tmp_path / "memory.db") as memory:
        first = admit(EXAMPLE, shelf, limits=QUICK, memory=memory)
        assert first.card is not None and first.card.neighbours == ()
        refused = admit(other, shelf, limits=strict, memory=memory)
        passed = admit(other, shelf, limits=QUICK, memory=memory)
    assert refused.card is None and passed.card is not None
    for done, severity in ((refused, Severity.ERROR), (passed, Severity.WARNING)):
        (finding,) = done.report.findings
        assert (finding.rule, finding.severity) == ("duplicates.near", severity)
        assert f"AddEnv ({first.card.sha256[:12]}), 9" in finding.message
    (neighbour,) = shelf.read_card(passed.card.name).neighbours
    assert neighbour.sha256 == first.card.sha256 and 0.8 <= neighbour.similarity < 1


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_page_says_why(rule: GateRule) -> None:
    assert len(rule.page.splitlines()) >= 2 or "Accepted" in (rule.check.__doc__ or "")
    assert "::" not in rule.page
    assert rule.example("Accepted") and rule.example("Refused")


def test_names_are_unique_and_stages_known() -> None:
    listed = [rule.name for _, stage in STAGES for rule in stage]
    assert len(listed) == len(set(listed))
    for stage, stage_rules in STAGES:
        assert all(rule.stage == stage for rule in stage_rules)
