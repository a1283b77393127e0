"""What once blinded a rule: odd states, odd schemas, faults on seeds that few rules look at."""

from __future__ import annotations

import pytest

from spade_envs.admission import rules, validate
from spade_envs.answer_texts import answer_of, tokens
from spade_envs.players import changed, pokes
from spade_envs.rules import EXAMPLE, assemble
from spade_envs.sandbox.mentions import commands, offers
from spade_envs.schema_calls import Seen, calls_of
from spade_envs.types import Severity, Verdict

BIN = rules()["tools.criterion_free"].example("Refused")
BELL = rules()["tools.broken"].example("Accepted")


def blocking(text: str) -> set[str]:
    return {f.rule for f in validate(text).findings if f.severity is not Severity.WARNING}


@pytest.mark.parametrize(
    "line",
    [
        "self.extra = 10 ** 5000",
        "self._state['huge'] = -(10 ** 5000)",
        "self._state['wide'] = wide()",
        "self._state['loop'] = self._state",
    ],
)
def test_an_odd_state_hides_no_criterion(line: str) -> None:
    text = BIN.replace("        self._user_messages", f"        {line}\n        self._user_messages", 1)
    text += "\ndef wide():\n    rows = [0] * 50\n    for _ in range(8):\n        rows = [rows] * 50\n    return rows\n"
    assert "tools.criterion_free" in blocking(text)


def test_huge_numbers_in_an_observation_leave_tools_judged() -> None:
    text = BELL.replace('"Ring, read', 'f"{9 * 10 ** 400} bells. Ring, read', 1)
    assert text != BELL and validate(text).verdict is Verdict.ADMIT


def test_an_answer_with_its_unit_glued_on_is_told() -> None:
    assert "leak.observation" in blocking(
        EXAMPLE.replace("; three tries.", "; three tries. That is {self.a + self.b}kg.")
    )


def test_an_id_in_the_schema_of_its_own_seed_was_shown() -> None:
    text = rules()["feasibility.underivable"].example("Refused")
    text = text.replace('{"type": "string"}', '{"type": "string", "enum": [self.order, "ORD-0000"]}', 1)
    assert "feasibility.underivable" not in blocking(text)


def test_a_fault_on_few_seeds_is_found() -> None:
    rare = "        if seed is not None and seed % 16 == 5:\n            raise ValueError('unlucky')\n"
    text = EXAMPLE.replace("        rng = ", rare + "        rng = ", 1)
    assert blocking(text) & {"contract.reset", "feasibility.witness", "determinism.replay", "load.error"}


def test_a_difference_between_hash_seeds_hides_no_other() -> None:
    counted = """\
wins = []

def step(self, action):
    self.tries += 1
    won = action == f"\\\\boxed{{{self.a + self.b}}}"
    if won:
        wins.append(1)
    shown = f"Right, as {len(wins)} before." if won else "Wrong: " + " ".join({"a", "b", "c", "d", "e"})
    return shown, float(won), won, not won and self.tries >= 3, {}
"""
    assert "determinism.replay" in blocking(assemble(counted))


LONG = {
    "lines": "\n" * 60_000,
    "blanks": " " * 60_000,
    "letters": "a" * 60_000,
    "quotes": "a'" * 30_000,
    "dashes": "a1-" * 20_000,
    "boxes": "\\boxed{" * 9_000,
    "tags": "<tool_call>" * 6_000 + "<answer>" * 6_000,
    "digits": "1," * 30_000,
    "bullets": "\n- " * 20_000,
    "commands": "option: " * 8_000,
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", LONG)
def test_long_texts_are_read_in_one_pass(kind: str) -> None:
    """What reads texts of an environment in our own process must not be stopped by them: these took minutes."""
    text = LONG[kind]
    offers(text, text)
    commands(text, text)
    tokens(text)
    Seen().add(text)
    pokes(text, (), 1)
    changed(f"\\boxed{{{text}}}")
    assert calls_of(text) == [] and answer_of(text) is None
