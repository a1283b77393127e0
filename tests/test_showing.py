"""Findings show again in the source they are about, and no longer once its text is mended."""

from __future__ import annotations

import dataclasses

import pytest

from spade_envs import shows_again, validate
from spade_envs.admission import rules
from spade_envs.rules import EXAMPLE, assemble
from spade_envs.sandbox.host import BoxOptions
from spade_envs.trial import Trial
from spade_envs.types import EnvSource, Finding, Limits, Repro, Severity

LIMITS = Limits(
    load_seconds=1.0, reset_seconds=0.5, step_seconds=0.5, grace_seconds=0.3, search_seconds=0.2, witness_seeds=12,
    more_seeds=40, play_seeds=2, replay_seeds=1, explore_examples=0,
)  # fmt: skip


def found(name: str, text: str, contract: str = "") -> Finding:
    """What one rule says of a source, with what the rules before it leave behind."""
    trial = Trial(EnvSource(text, contract=contract), LIMITS, 0, BoxOptions())
    try:
        trial.start()
        trial.attempts()
        for seed in trial.seeds * 6 if name == "determinism.worn" else ():
            trial.quick(seed, ["x"])
        (finding,) = [one for one in rules()[name](trial) if one.repro is not None]
        return finding
    finally:
        trial.close()


def shown(name: str, broken: str, mended: str, contract: str = "") -> list[bool | None]:
    """Whether the finding of a broken source shows again in it, and in the mended one."""
    assert broken != mended
    finding = found(name, broken, contract)
    return [shows_again(EnvSource(text, contract=contract), finding, limits=LIMITS) for text in (broken, mended)]


def refused(name: str) -> str:
    """The source that the page of a rule refuses."""
    return assemble(rules()[name].example("Refused"))


def test_what_validate_finds_shows_again() -> None:
    step = "def step(self, action):\n    won = int(action[7:-1]) == self.a + self.b + self.a % 2\n"
    text = assemble(f"{step}    return 'Well.', float(won), True, False, {{}}\n")
    repros = [finding for finding in validate(text, limits=LIMITS).findings if finding.repro is not None]
    assert {finding.rule for finding in repros} >= {"robustness.raises", "feasibility.witness"}
    assert [shows_again(text, finding, limits=LIMITS) for finding in repros] == [True] * len(repros)
    assert [shows_again(EXAMPLE, finding, limits=LIMITS) for finding in repros] == [False] * len(repros)


BY_EXAMPLES = (
    "load.error", "load.timeout", "load.memory", "load.output", "contract.reset", "contract.step", "contract.reward",
    "contract.flags", "contract.observation", "contract.info", "robustness.raises", "robustness.hangs",
    "feasibility.underivable", "determinism.replay", "determinism.worn", "determinism.seed", "exploits.blind",
    "exploits.floor", "exploits.constant", "exploits.farming", "leak.feedback", "leak.info", "leak.schema",
    "tools.criterion_free", "tools.criterion_raises", "interactive.static",
)  # fmt: skip
"""Rules whose accepted example is their refused one, mended."""


@pytest.mark.parametrize("name", BY_EXAMPLES)
def test_a_finding_shows_again_until_it_is_mended(name: str) -> None:
    assert shown(name, refused(name), assemble(rules()[name].example("Accepted"))) == [True, False]


RESET = "def reset(self, seed=None):\n    self.a, self.b, self.tries = 1, 2, 0\n    return "
STEP = "def step(self, action):\n    self.tries += 1\n    return "
SOLUTION = "def solution(self):\n    return [f'\\\\boxed{{{self.a + self.c}}}']\n"
HASHED = assemble(RESET + "' '.join(list({'Ann', 'Bo', 'Cy', 'Dee', 'Eve'})), {}\n")
OFF_BY_ONE = refused("feasibility.witness")
GRADER = 'self.b}}}"\n        return'
MENDED: dict[str, tuple[str, str, str, str]] = {
    "no first text": ("contract.observation", assemble(RESET + "' ', {}\n"), "' '", "'1 + 2?'"),
    "long text": ("contract.observation", assemble(STEP + "'x' * 70_000, 0.0, True, False, {}\n"), "_000", ""),
    "sum": ("contract.reward", assemble(STEP + "'Paid.', 0.5, False, self.tries >= 3, {}\n"), "0.5", "0.3"),
    "grader": ("feasibility.witness", OFF_BY_ONE, GRADER, GRADER.replace("self.b", "self.b + self.a % 2")),
    "no solution": ("feasibility.witness", assemble(SOLUTION), "self.c", "self.b"),
    "told": ("leak.observation", refused("leak.observation"), " {debug}", ""),
    "stuck": ("tools.criterion_stuck", refused("tools.criterion_stuck"), "self.label in", "str(self.label) in"),
    "hash seed": ("determinism.replay", HASHED, "list(", "sorted("),
}
"""Rule, broken source, and what to replace by what."""


@pytest.mark.parametrize("case", MENDED)
def test_a_finding_shows_again_until_the_text_is_mended(case: str) -> None:
    name, text, old, new = MENDED[case]
    assert shown(name, text, text.replace(old, new)) == [True, False]


def test_an_instance_is_worn_by_won_episodes_too() -> None:
    text = EXAMPLE.replace("    def reset", "    wins = 0\n\n    def reset", 1)
    text = text.replace('        return "Right', '        self.wins += won\n        return "Right')
    text = text.replace("three tries.", "three tries. {self.wins > 9}")
    finding = Finding("determinism.worn", Severity.ERROR, "", repro=Repro(3))
    assert [shows_again(one, finding, limits=LIMITS) for one in (text, EXAMPLE)] == [True, False]


def test_a_warning_about_hash_seeds_is_looked_for_under_another_one_only() -> None:
    finding = found("determinism.replay", HASHED)
    assert finding.severity is Severity.WARNING
    severe = dataclasses.replace(finding, severity=Severity.ERROR)
    counting = refused("determinism.replay")
    assert [shows_again(counting, one, limits=LIMITS) for one in (finding, severe)] == [False, True]


@pytest.mark.parametrize(
    "name", ["leak.hint", "tools.schema", "tools.broken", "tools.criterion_order", "tools.unstable", "static.stub"]
)
def test_what_an_episode_cannot_show(name: str) -> None:
    assert shows_again(EXAMPLE, Finding(name, Severity.ERROR, "", repro=Repro(3)), limits=LIMITS) is None


def test_what_has_no_reproduction() -> None:
    assert shows_again("no source", Finding("load.error", Severity.ERROR, "")) is None
    nothing_told = Finding("feasibility.underivable", Severity.ERROR, "", repro=Repro(3))
    assert shows_again(EXAMPLE, nothing_told, limits=LIMITS) is None
    free = Finding("tools.criterion_free", Severity.ERROR, "", repro=Repro(3))
    raising = assemble(RESET + "1 / 0\n")
    assert shows_again(raising, free, limits=LIMITS) is None, "where nothing can be looked at"


# -- mended texts ----------------------------------------------------------------------------------------------

HINT = "def hint(self):\n    return 1 / 0\n"
WALK = refused("interactive.static").replace('return "You walk."', 'return "You found it." if won else "You walk."')
MORE_MENDED: dict[str, tuple[str, str, str, str]] = {
    "turns": ("contract.turns", refused("contract.turns"), "False, False", "True, False"),
    "turns, cut": ("contract.turns", refused("contract.turns"), "False, False", "False, True"),
    "solution": ("feasibility.witness", OFF_BY_ONE, " + self.a % 2", ""),
    "budget": ("feasibility.budget", refused("feasibility.budget"), "max_turns=3", "max_turns=20"),
    "text": ("feasibility.no_witness", refused("feasibility.no_witness"), '"add the two numbers"', "self.a + self.b"),
    "one shot": ("interactive.one_shot", refused("interactive.one_shot"), "won), True", "won), won"),
    "closing text": ("interactive.static", WALK, 'else "You walk."', 'else f"You are at {self.at}."'),
    "hint": ("robustness.raises", assemble(HINT), "1 / 0", "'Add.'"),
}


@pytest.mark.parametrize("case", MORE_MENDED)
def test_what_took_a_closer_look_shows_again_until_mended(case: str) -> None:
    name, text, old, new = MORE_MENDED[case]
    contract = "interactive" if name == "interactive.one_shot" else ""
    assert shown(name, text, text.replace(old, new), contract) == [True, False]
