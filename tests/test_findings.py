"""Which rules complain about which flaw: those that should, and no others."""

from __future__ import annotations

import pytest

from spade_envs.admission import validate
from spade_envs.rules import assemble
from spade_envs.trial import derive_seeds
from spade_envs.types import EnvSource, Limits, Report

LIMITS = Limits(witness_seeds=4, play_seeds=2, replay_seeds=1, step_seconds=0.5, search_seconds=0.2)
WON = 'won = action == f"\\\\boxed{{{self.a + self.b}}}"'
RIGHT = (
    "self.tries += 1\n    " + WON + "\n    over = not won and self.tries >= 3\n    text, pay = str(won), float(won)\n"
)
START = "rng = random.Random(seed)\n    self.a, self.b, self.tries = rng.randint(1000, 9999), 7, 0\n"
TASK = 'f"What is {self.a} + 7?"'


def step(answer: str, before: str = "") -> str:
    """The example with another end of ``step``; ``won``, ``over``, ``text`` and ``pay`` are there to use."""
    lines = RIGHT + (f"    {before}\n" if before else "")
    return assemble(f"def step(self, action):\n    {lines}    return {answer}\n")


def reset(body: str) -> str:
    return assemble(f"def reset(self, seed=None):\n    {START}    {body}\n")


def check(text: str) -> tuple[set[str], Report]:
    report = validate(text, limits=LIMITS)
    return {f"{finding.rule} {finding.severity}" for finding in report.findings}, report


FAIR = "text, pay, won, over, {}"
ENDLESS = step("text, pay, won, False, {}")
STUB_BELOW = "class Base:\n    def solution(self):\n        raise NotImplementedError\n"
KEPT = "self.total = getattr(self, 'total', 0) + (self.tries == 1)"


@pytest.mark.parametrize(
    ("text", "findings"),
    [
        (step(FAIR), ""),
        # what the adapter mends, each at the rule it belongs to
        (reset(f"return {TASK}"), "contract.reset warning"),
        (step(f"[{FAIR}]"), "contract.step warning"),
        (step("text, pay, won or over, {}"), "contract.step warning"),
        (step("text, int(won), won, over, {}"), "contract.reward warning"),
        (step("text, pay, won, won or over, {}"), "contract.flags warning"),
        (step("text, pay, won, over, {'o': object()}"), "contract.info warning"),
        (ENDLESS.replace("self.tries = ", "self.max_turns = 5; self.tries = ", 1), "contract.turns warning"),
        (step("text, pay if won else 0.25, won, over, {}"), "contract.reward warning"),
        # what it cannot
        (reset(f"return {TASK}, {{}}, 1"), "contract.reset error"),
        (reset("return '', {}"), "contract.observation error"),
        (step("text, pay, won"), "contract.step error"),
        (step("text, float('nan'), won, over, {}"), "contract.reward error"),
        (step("text, pay, int(won), over, {}"), "contract.flags error"),
        (step("None, pay, won, over, {}"), "contract.observation error"),
        (step("f'{text} {object()}', pay, won, over, {}"), "contract.observation error|determinism.replay error"),
        (step("f'{text} <|im_end|>', pay, won, over, {}"), "contract.observation error"),
        (step("text, pay, won, over, None"), "contract.info error"),
        (step("text, 0.0, False, False, {}"), "contract.turns error|feasibility.witness error"),
        # what players bring about
        (step(FAIR, "int(action[7:-1])"), "robustness.raises error"),
        (assemble("def hint(self):\n    return 7\n"), "robustness.raises error"),
        (assemble("def hint(self):\n    return [][0]\n"), "robustness.raises error"),
        (assemble("def hint(self):\n    return 'add'\n"), ""),
        # what differs when it is played again
        (step("text, pay if won else -0.01 * min(self.total, 5), won, over, {}", KEPT), "determinism.replay error"),
        (step("text if won else f'{text} {self.total}', pay, won, over, {}", KEPT), "determinism.replay error"),
        (step("text, pay, won, over or self.total > 1, {}", KEPT), "determinism.replay error|contract.flags warning"),
        (step("f'{text} ' + str({*'abcdefgh'}), pay, won, over, {}"), "determinism.replay warning"),
        # what the author's solution shows
        (assemble("def solution(self):\n    return ['x']\n"), "feasibility.witness error"),
        (assemble("def solution(self):\n    return ['x'] * 3\n"), "feasibility.witness error"),
        (assemble("def solution(self):\n    return ['x'] * 4\n"), "feasibility.budget error"),
        (assemble("def solution(self):\n    return [][0]\n"), "feasibility.witness error"),
        (assemble("def solution(self):\n    return 'think'\n"), "feasibility.no_witness undecided"),
        # what is seen without running anything
        (assemble("def tool_look(self):\n    pass\n"), "static.stub error"),
        (assemble("def close(self):\n    pass  # TODO\n"), "static.stub warning"),
        (STUB_BELOW + step(FAIR).replace("AddEnv:", "AddEnv(Base):"), ""),
        ("import os\n" + step(FAIR), "static.import error"),
        ("try:\n    import os\nexcept ImportError:\n    os = None\n" + step(FAIR), "static.import warning"),
        ("try:\n    import os\nexcept ValueError:\n    os = None\n" + step(FAIR), "static.import error"),
        ("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import os\n" + step(FAIR), ""),
        ("import random\nx = ().__class__.__mro__\n" + step(FAIR), "static.restricted error"),
    ],
)  # fmt: skip
def test_a_flaw_is_told_by_its_rule_alone(text: str, findings: str) -> None:
    found, report = check(text)
    assert found == set(filter(None, findings.split("|"))), report.findings


def test_a_reset_that_fails_on_some_seeds_only() -> None:
    """The first seed must pass, or loading is what fails; which seeds there are depends on the text."""
    for tag in range(1000):
        text = reset(f"1 / (1 if seed is None else seed % 2)\n    return {TASK}, {{}}") + f"# {tag}\n"
        if [seed % 2 for seed in derive_seeds(EnvSource(text).sha256, 0, 2)] == [1, 0]:
            break
    found, report = check(text)
    assert "contract.reset error" in found, report.findings
    assert found <= {"contract.reset error", "determinism.replay error"}, report.findings


def test_what_is_only_echoed_is_the_players_doing() -> None:
    echoing = step("f'{text} you said {action}', pay, won, over, {}").replace("self.a + self.b", "'<|x|>'")
    assert not [found for found in check(echoing)[0] if found.startswith("contract")]


DESK = """\
class DeskEnv(ToolUseBaseEnv):
    def reset(self, seed=None):
        self.order = {order}
        self._state, self._expected_answer = {{"open": []}}, "done"
        text = {{"type": "object", "properties": {{"{name}": {{}}}}, "required": ["{name}"]}}
        self._tools = {{"cancel": {{"parameters": text}}, "find": {{"parameters": {{}}}}}}
        self._user_messages = ["Cancel the order {shown}."]
        self._message_criteria = [lambda state: self.order in state["open"]]
        return self._user_messages[0], {{}}

    def tool_cancel(self, {name}):
        self._state["open"].append({name})
        return "cancelled"

    def tool_find(self):
        return f"It is {{self.order}}."

    def solution(self):
        calls = [{calls}("cancel", {name}=self.order)]
        call = "<tool_call>{{}}</tool_call>".format
        return [*map(call, calls), "<answer>done</answer>"]
"""
HIDDEN = "'ORD-' + str(random.Random(seed).randint(1000, 9999))"
FIRST = "json.dumps({'name': 'find'}), "


@pytest.mark.parametrize(
    ("order", "name", "before", "findings"),
    [
        (HIDDEN, "order_id", "", {"feasibility.underivable error"}),
        (HIDDEN, "order_id", FIRST, set()),
        ("random.Random(seed).randint(1000, 9999)", "order_id", "", {"feasibility.underivable error"}),
        ("random.Random(seed).randint(1000, 9999)", "amount", "", set()),
        ("random.Random(seed).randint(10, 99)", "order_id", "", set()),
        ("'late'", "order_id", "", set()),
    ],
)
def test_what_no_text_shows_cannot_be_known(order: str, name: str, before: str, findings: set[str]) -> None:
    call = f"{before}(lambda name, **arguments: json.dumps({{'name': name, 'arguments': arguments}}))"
    found, report = check(DESK.format(order=order, name=name, shown="", calls=call))
    assert {one for one in found if one.startswith("feasibility")} == findings, report.findings


@pytest.mark.parametrize(("instances", "told"), [(3, True), (4, True), (12, False)])
def test_a_bank_of_few_instances_is_learned_by_heart(instances: int, told: bool) -> None:
    banked = assemble(
        f"def reset(self, seed=None):\n    rng = random.Random((seed or 0) % {instances})\n"
        f"    self.a, self.b, self.tries = rng.randint(1000, 9999), 7, 0\n    return {TASK}, {{}}\n"
    )
    report = validate(banked)
    assert ("exploits.constant" in {finding.rule for finding in report.findings}) is told, report.findings


def test_a_solution_that_only_the_past_spoils_is_told_without_a_reproduction() -> None:
    """In a new process it wins, so no seed and actions alone could show it."""
    spoiled = "asked = []\n" + assemble(
        "def solution(self):\n    asked.append(1)\n    wrong = len(asked) > 12\n"
        '    return [f"\\\\boxed{{{self.a + self.b + wrong}}}"]\n'
    )
    (finding,) = [one for one in validate(spoiled).findings if one.rule == "feasibility.witness"]
    assert "in a process that has played nothing before" in finding.message and finding.repro is None


def test_a_class_of_its_own_must_offer_what_its_solution_calls() -> None:
    desk = """
class DeskEnv:
    max_turns = 9

    def reset(self, seed=None):
        self.code = f"C-{random.Random(seed).randint(10000, 99999)}"
        return "Ask the desk for the code of room 7 and submit it.", {}

    def get_tools(self):
        schema = {"type": "object", "properties": {"NAME": {"type": "integer"}}, "required": ["NAME"]}
        return [{"type": "function", "function": {"name": "ask", "description": "Ask.", "parameters": schema}}]

    def execute_tool(self, name, arguments):
        right = name == "ask" and (arguments or {}).get("room") == 7
        return {"output": self.code if right else "Which room?", "returncode": 0}

    def step(self, action):
        won = action == f"<answer>{self.code}</answer>"
        return "Right." if won else "Wrong.", float(won), won, False, {}

    def solution(self):
        return ['<tool_call>{"name": "ask", "arguments": {"room": 7}}</tool_call>', f"<answer>{self.code}</answer>"]
"""
    for name, told in (("room", False), ("number", True)):
        report = validate(desk.replace("NAME", name))
        assert ("tools.schema" in {finding.rule for finding in report.findings}) is told, report.findings
