"""What models are told: every text fills, says what the gate tests, and is known by its hash."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from string import Template

import pytest

from spade_envs.admission import check_options, rules, validate
from spade_envs.cli import main
from spade_envs.contract import CONTRACTS, SKILLS
from spade_envs.encodings import encoding
from spade_envs.limits import Limits
from spade_envs.prompts import (
    DIFFICULTIES,
    BadExample,
    Design,
    Messages,
    Prompt,
    agent_system,
    designer_messages,
    hint_messages,
    names,
    prompt,
    texts,
)
from spade_envs.prompts.examples import example
from spade_envs.types import EnvSource, Finding, Severity, Verdict

SOURCE = EnvSource("class OneEnv:\n    price = '$5'\n")
BAD = BadExample("x = 1", "It was too easy.")
MOST_BYTES = 14_500
"""Of a designer's messages without a document: about 3,600 tokens of a vocabulary such as Qwen's."""

ALL = {
    "static.syntax": "parsing, below 128 KiB",
    "static.class": "whose name ends in Env",
    "static.stub": "No stubs",
    "static.import": "Import only pure standard modules",
    "static.restricted": "metaclasses, frames or dunder walks",
    "duplicates.exact": "same code as a known environment is refused",
    "duplicates.near": "nearly the same code about another theme",
    "load.error": "parameters of __init__ and reset have defaults",
    "load.timeout": "finishes in well under a second",
    "load.memory": "stays below 512 MiB",
    "load.output": "Print nothing",
    "determinism.replay": "Same seed and same actions must give the same texts and rewards",
    "determinism.worn": "after hundreds of episodes",
    "determinism.seed": "Seeds give thousands of different instances",
    "contract.reset": "reset returns (observation, {})",
    "contract.step": "step returns (observation, reward, terminated, truncated, {}) from every branch",
    "contract.reward": "Rewards are finite, within [-1, 1]",
    "contract.flags": "both flags are never true together",
    "contract.observation": "never object addresses, and never chat control tokens",
    "contract.info": "info is {} or harmless counters",
    "contract.turns": "Every episode ends",
    "robustness.raises": "step never raises",
    "robustness.hangs": "answers in milliseconds, whatever the text",
    "feasibility.witness": "it wins, on each of 80 seeds",
    "feasibility.no_witness": "returns a list of action texts, exactly as a player would send them",
    "feasibility.budget": "within max_turns",
    "feasibility.underivable": "A player can know all that the solution uses",
    "exploits.blind": "Winning depends on the actions alone",
    "exploits.floor": "win on fewer than 5 % of seeds",
    "exploits.constant": "No fixed list of actions wins on more than a fifth of the seeds",
    "exploits.farming": "never again after undoing it",
    "leak.observation": "The answer stands nowhere before it is found: not in the first observation",
    "leak.info": "in info",
    "leak.hint": "Do not write a hint method",
}
"""Rules for every contract, and what tells a designer to keep them."""
SOME = {
    "feasibility.retry": ("answer", "The task stays what it is after a wrong try"),
    "leak.feedback": ("answer", "or in feedback on a wrong try"),
    "leak.schema": ("tools", "the same for every seed"),
    "interactive.static": ("interactive", "What is shown depends on what was done"),
    "interactive.one_shot": ("interactive", "costs a turn, not the episode"),
    "tools.schema": ("tools", "Its parameters are exactly the schema's properties"),
    "tools.broken": ("tools", "Every tool works for sensible arguments"),
    "tools.criterion_free": ("tools", "A criterion is false at reset"),
    "tools.criterion_raises": ("tools", "never raises: use `.get()`"),
    "tools.criterion_order": ("tools", "is not fulfilled by doing an earlier one"),
    "tools.criterion_stuck": ("tools", "Compare with what the tools really write"),
    "tools.unstable": ("tools", "the same call in the same state gives the same text"),
    "tools.trap": ("tools", "calling an unneeded tool must not spoil the task"),
    "tools.shortcut": ("tools", "No call shows everything"),
}
"""Rules for one contract, and what tells its designer."""


def told(contract: str) -> str:
    """The system message of a designer, without the example."""
    return designer_messages(Design("optimization", contract, "easy")).system.replace(example(contract).strip("\n"), "")


def python(code: str) -> str:
    """What code prints in a fresh interpreter, with hashes of texts seeded anew."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    return done.stdout.strip()


# -- texts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names())
def test_every_text_fills(name: str) -> None:
    one = prompt(name)
    filled = one.fill(**{field: f"<{field}>" for field in one.fields})
    assert Template(filled).get_identifiers() == [] and "$" not in filled
    assert all(f"<{field}>" in filled for field in one.fields)
    assert one.text == one.text.strip() and one.text.isascii(), "a text begins and ends with a letter, in ASCII"


def test_a_field_too_few_or_too_many_is_named() -> None:
    one = Prompt("letter", "Dear $who, $text")
    with pytest.raises(ValueError, match="'letter' lacks text; its fields are: who, text"):
        one.fill(who="Ada")
    with pytest.raises(ValueError, match="'letter' has no extra; its fields are: who, text"):
        one.fill(who="Ada", text="hello", extra="!")
    with pytest.raises(ValueError, match="lacks who, text and has no whom"):
        one.fill(whom="Ada")


def test_values_are_not_read_as_fields() -> None:
    assert Prompt("x", "$a ${b}$$").fill(a="$b $$ ${c}", b="\\1") == "$b $$ ${c} \\1$"


def test_a_lone_dollar_sign_is_no_text() -> None:
    with pytest.raises(ValueError, match=r"'price' holds a \$ that begins no field"):
        Prompt("price", "It costs $5.")


def test_an_unknown_name_is_told_the_nearest() -> None:
    with pytest.raises(ValueError, match="no prompt is named 'designer-tool'; did you mean designer-tools"):
        prompt("designer-tool")
    with pytest.raises(ValueError, match="There are: agent-answer, "):
        prompt("")


def test_every_skill_difficulty_and_contract_has_its_texts() -> None:
    assert {name.removeprefix("skill-") for name in names() if name.startswith("skill-")} == set(SKILLS)
    assert {name.removeprefix("difficulty-") for name in names() if name.startswith("difficulty-")} == set(DIFFICULTIES)
    for kind in ("designer", "agent", "hint"):
        assert {f"{kind}-{contract}" for contract in CONTRACTS} <= set(names())
    bodies = [prompt(name).text for name in names()]
    assert len(set(bodies)) == len(bodies)


def test_every_text_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    used = {"repair", "repair-findings", "repair-source", "repair-end"}  # these are told of in test_repairs.py
    monkeypatch.setattr(Prompt, "fill", lambda self, **fields: used.add(self.name) or "")
    for contract in CONTRACTS:
        agent_system(contract).fill()
        hint_messages(SOURCE, contract, ["too long"])
        for skill in SKILLS:
            for difficulty in DIFFICULTIES:
                designer_messages(Design(skill, contract, difficulty, "text", (SOURCE,), (BAD,)))
    assert used == set(names())


# -- hashes ----------------------------------------------------------------------------------------------------


def every_message() -> dict[str, Messages]:
    """Messages of every kind, by a name."""
    found = {}
    for contract in CONTRACTS:
        found[f"hint {contract}"] = hint_messages(SOURCE, contract)
        found[f"refused {contract}"] = hint_messages(SOURCE, contract, ["too long"])
        for skill in SKILLS:
            for difficulty in DIFFICULTIES:
                found[f"{skill} {contract} {difficulty}"] = designer_messages(Design(skill, contract, difficulty))
        found[f"document {contract}"] = designer_messages(Design(SKILLS[0], contract, "easy", "text"))
        found[f"seeds {contract}"] = designer_messages(Design(SKILLS[0], contract, "easy", "", (SOURCE,)))
        found[f"negatives {contract}"] = designer_messages(Design(SKILLS[0], contract, "easy", negatives=(BAD,)))
    return found


def test_a_hash_tells_the_texts_and_nothing_else() -> None:
    hashes = [messages.sha256 for messages in every_message().values()]
    assert len(set(hashes)) == len(hashes)
    assert prompt("repair").sha256 == hashlib.sha256(prompt("repair").text.encode()).hexdigest()
    design = Design(SKILLS[0], "tools", "hard", "one document", (SOURCE,))
    other = Design(SKILLS[0], "tools", "hard", "another", (EnvSource("x = 1"), SOURCE))
    assert designer_messages(design).sha256 == designer_messages(other).sha256
    assert designer_messages(design).user != designer_messages(other).user


def test_a_changed_text_changes_the_hashes_of_what_uses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    before = every_message()
    changed: dict[str, set[str]] = {}
    for name in names():
        with monkeypatch.context() as patch:
            for module in ("filled", "fences"):
                patch.setattr(f"spade_envs.prompts.{module}.prompt", lambda one, name=name: _edited(one, name))
            after = every_message()
        changed[name] = {key for key in before if before[key].sha256 != after[key].sha256}
        texts_changed = {key for key in before if (before[key].system, before[key].user) != _both(after[key])}
        assert texts_changed <= changed[name], name
    assert changed["hint-tools"] == {"hint tools", "refused tools"}
    assert changed["design-document"] == {f"document {contract}" for contract in CONTRACTS}
    assert all("optimization" in key for key in changed["skill-optimization"])
    assert changed["skill-optimization"] and changed["fence"] == set(before)
    assert not changed["repair"] and not changed["agent-tools"]


def _both(messages: Messages) -> tuple[str, str]:
    return messages.system, messages.user


def _edited(asked: str, name: str) -> Prompt:
    one = texts.prompt(asked)
    return Prompt(one.name, f"{one.text} More.") if asked == name else one


def test_hashes_are_the_same_in_every_process() -> None:
    code = (
        "from spade_envs.prompts import *\n"
        "print(prompt('repair').sha256, designer_messages(Design('optimization', 'answer', 'easy')).sha256)"
    )
    mine = [prompt("repair").sha256, designer_messages(Design("optimization", "answer", "easy")).sha256]
    assert python(code).split() == mine


def test_reading_texts_loads_nothing_heavy() -> None:
    heavy = "('openai', 'aiohttp', 'tiktoken', 'rich', 'cyclopts', 'hypothesis', 'torch')"
    assert python(f"import sys, spade_envs.prompts\nprint([m for m in {heavy} if m in sys.modules])") == "[]"


# -- what designers are told -----------------------------------------------------------------------------------


def test_every_rule_is_told() -> None:
    assert not set(ALL) & set(SOME)
    ours = {name for name in rules() if name.partition(".")[0] != "gate"}
    assert ours == set(ALL) | set(SOME), "name the phrase that tells designers of this rule"
    assert {rule.name for rule in rules().values() if rule.severity is Severity.ERROR} <= set(ALL) | set(SOME)


@pytest.mark.parametrize("contract", CONTRACTS)
def test_rules_are_told_in_these_words(contract: str) -> None:
    text = " ".join(told(contract).split())
    wanted = ALL | {rule: phrase for rule, (where, phrase) in SOME.items() if where == contract}
    missing = {rule: phrase for rule, phrase in wanted.items() if phrase not in text}
    assert not missing, missing


def test_the_rates_told_are_the_limits() -> None:
    limits, text = Limits.selfplay(), prompt("designer-rules").text
    assert f"fewer than {limits.floor_rate:.0%} of seeds".replace("%", " %") in text
    assert f"fewer than {limits.guess_rate:.0%}".replace("%", " %") in text
    assert "well below half" in text and limits.listed_rate == 0.5 < limits.again_rate
    assert "a fifth of the seeds" in text and limits.constant_rate == 0.2
    assert f"{limits.witness_seeds + limits.more_seeds} seeds" in text
    assert f"{limits.source_bytes // 1024} KiB" in text and f"{limits.observation_bytes // 1024} KiB" in text
    assert f"{limits.memory_mb} MiB" in text


@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_example_is_admitted_and_shown_whole(contract: str) -> None:
    source = EnvSource(example(contract), contract=contract)
    report = validate(source, limits=Limits.selfplay(), options=check_options())
    assert (report.verdict, report.findings) == (Verdict.ADMIT, ())
    messages = designer_messages(Design("optimization", contract, "medium"))
    assert EnvSource.from_reply(messages.system).text == source.text
    assert "def hint" not in source.text and "def close" not in source.text and "def solution" in source.text


@pytest.mark.parametrize("contract", CONTRACTS)
def test_designer_prompts_are_short(contract: str) -> None:
    for skill in SKILLS:
        for difficulty in DIFFICULTIES:
            messages = designer_messages(Design(skill, contract, difficulty))
            assert len((messages.system + messages.user).encode()) <= MOST_BYTES
            assert skill.replace("-", " ").lower() in messages.user.lower().replace("-", " ")
            assert prompt(f"difficulty-{difficulty}").text in messages.user
    assert "tool_call" not in told("answer") + told("interactive")


def test_the_system_message_depends_on_the_contract_alone() -> None:
    seen = {
        (contract, designer_messages(Design(skill, contract, difficulty, document, seeds)).system)
        for contract in CONTRACTS
        for skill, difficulty, document, seeds in (
            ("optimization", "easy", "", ()),
            (SKILLS[-1], "hard", "x", (SOURCE,)),
        )
    }
    assert len(seen) == len(CONTRACTS)


def test_a_bad_example_is_told_with_its_reason_and_finding() -> None:
    finding = Finding("load.error", Severity.ERROR, "It raises\n````\nKeyError.", 3)
    bad = (BadExample("class OneEnv: ...", "The check\n refused it.", finding), BAD)
    user = designer_messages(Design("optimization", "answer", "easy", negatives=bad)).user
    told = user[user.index(prompt("design-negatives").text.partition("\n")[0]) :]
    order = [
        "Failure 1. The check refused it.",
        "`````finding",
        "error load.error: It raises",
        "class OneEnv",
        "Failure 2. It",
    ]
    places = [told.index(part) for part in order]
    assert places == sorted(places), "reason, finding and source come in this order"
    assert told.count("(finding) is data") == 1 and told.count("(failed environment 2) is data") == 1
    assert told.endswith(prompt("design-end").text) and "worth training on" not in user


def test_a_design_is_checked() -> None:
    for wrong, said in (
        (("optimisation", "answer", "easy"), "did you mean optimization"),
        (("optimization", "tool", "easy"), "did you mean tools"),
        (("optimization", "tools", "Hard"), "easy, medium, hard"),
    ):
        with pytest.raises(ValueError, match=said):
            Design(*wrong)
    for call in (agent_system, lambda contract: hint_messages(SOURCE, contract)):
        with pytest.raises(ValueError, match="no contract is named 'x'"):
            call("x")


# -- agents and writers of hints -------------------------------------------------------------------------------


@pytest.mark.parametrize("contract", CONTRACTS)
def test_agents_are_told_the_format_and_no_more(contract: str) -> None:
    text = agent_system(contract).text
    assert agent_system(contract).fields == () and len(text) < 500
    assert ("\\boxed{...}" in text) == (contract != "tools")
    assert ('<tool_call>{"name": "...", "arguments": {...}}</tool_call>' in text) == (contract == "tools")
    assert "hint" not in text.lower(), "both arms of a probe are told the same"


@pytest.mark.parametrize("contract", CONTRACTS)
def test_writers_of_hints_are_told_the_limits(contract: str) -> None:
    messages = hint_messages(SOURCE, contract)
    assert "120 words" in messages.system and "Never tell" in messages.system
    assert ("command" if contract == "interactive" else "form") in messages.system
    assert ("placeholders" in messages.system) == (contract == "tools")
    assert "price = '$5'" in messages.user and "refused" not in messages.user
    again = hint_messages(SOURCE, contract, ["It tells 'x'.\nAsk\nless.", "too long"])
    assert "- It tells 'x'. Ask less.\n- too long\n" in again.user and again.system == messages.system


# -- the command -----------------------------------------------------------------------------------------------


def test_the_command_lists_and_prints(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    assert encoding("cl100k_base") is None
    assert main(["prompts"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["name", *names()] and "bytes" in lines[0]
    for line in lines[1:]:
        one = prompt(line.split()[0])
        assert line.split()[1:3] == [f"{len(one.text.encode()):,}", one.sha256[:12]]
    assert main(["prompts", "hint-tools"]) == 0
    assert capsys.readouterr().out == prompt("hint-tools").text + "\n"


def test_the_command_speaks_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prompts", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["name"] for row in rows] == list(names())
    assert all(row["sha256"] == prompt(row["name"]).sha256 and row["tokens"] > 0 for row in rows)
    assert main(["prompts", "design", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["fields"] == ["contract", "skill", "difficulty"] and row["text"] == prompt("design").text
    assert main(["prompts", "desing"]) == 2
    assert re.search("did you mean design\\?", capsys.readouterr().err)
