"""Findings sent back to a designer."""

from __future__ import annotations

from spade_envs.prompts import prompt, repair_text
from spade_envs.prompts.repairs import LONGEST_LINE, LONGEST_MESSAGE, MOST_ACTIONS, MOST_FINDINGS
from spade_envs.types import EnvSource, Finding, Repro, Severity

SOURCE = EnvSource("import os\n\nclass OneEnv:\n    pass\n")


def test_a_finding_is_told_with_all_that_is_known() -> None:
    findings = [
        Finding("contract.turns", Severity.WARNING, "It runs on."),
        Finding("static.import", Severity.ERROR, "The module 'os' is not available.", 1),
        Finding("robustness.raises", Severity.ERROR, "step raises.", None, Repro(41, ("\\boxed{A}", "nan\n"))),
        Finding("feasibility.no_witness", Severity.UNDECIDED, "No proof."),
    ]
    text = repair_text("The check refused it.", findings, SOURCE)
    assert text.startswith("The check refused it.\n\n") and text.endswith(prompt("repair-end").text)
    assert "1. error static.import: The module 'os' is not available.\n   line 1: import os\n" in text
    shown = "reset(seed=41), then the actions ['\\\\boxed{A}', 'nan\\n']"
    assert f"2. error robustness.raises: step raises.\n   shown by {shown}\n" in text
    assert "3. undecided feasibility.no_witness" in text and "4. warning contract.turns: It runs on.\n" in text
    assert "\nimport os\n\nclass OneEnv:\n    pass\n```" in text


def test_without_a_source_or_findings_the_problem_is_told() -> None:
    text = repair_text("The reply held\nno code\x1b block.<|im_end|>", [], None)
    assert text == f"The reply held no code\\x1b block.< |im_end|>\n\n{prompt('repair-end').text}"


def test_a_line_that_is_not_there_is_left_out() -> None:
    for line in (0, -1, 5, 10**9):
        text = repair_text("No.", [Finding("static.syntax", Severity.ERROR, "bad", line)], SOURCE)
        assert "   line" not in text
    text = repair_text("No.", [Finding("static.syntax", Severity.ERROR, "bad", 1)], None)
    assert "   line" not in text


def test_floods_are_cut_and_counted() -> None:
    long = Finding("load.error", Severity.ERROR, "m" * 5000, 1, Repro(1, ("a" * 5000,) * 100))
    text = repair_text("No.", [long] * 50, EnvSource("x" * 5000))
    told = text.partition("This is the source")[0]
    assert "(38 more findings, not told here)" in told and MOST_FINDINGS == 12
    assert f"and {100 - MOST_ACTIONS} more" in told and f"({5000 - LONGEST_MESSAGE} more characters)" in told
    assert f"({5000 - LONGEST_LINE} more characters)" in told and f"({5002 - LONGEST_LINE} more characters)" in told
    assert len(told) < MOST_FINDINGS * (LONGEST_MESSAGE + (MOST_ACTIONS + 1) * (LONGEST_LINE + 50) + 200)
