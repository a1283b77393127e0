"""Sources with one semantic defect each: refused for the right reason, with a reproduction that reproduces."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from test_corpora import SOURCES, expectation, names

from spade_envs import reproduce
from spade_envs.admission import validate
from spade_envs.exploration import unshowable
from spade_envs.sources import read_source
from spade_envs.types import Episode, Finding, Limits, Severity

BROKEN = sorted((SOURCES / "broken").glob("*.py"))
QUICK = Limits(load_seconds=2.0, reset_seconds=2.0, step_seconds=1.0, grace_seconds=0.5)

SHOWN: dict[str, Callable[[Episode], bool]] = {
    "robustness.": lambda episode: episode.error is not None,
    "contract.reset": lambda episode: episode.error is not None,
    "contract.step": lambda episode: episode.error is not None,
    "contract.flags": lambda episode: episode.error is not None,
    "contract.info": lambda episode: episode.error is not None,
    "contract.reward": lambda episode: episode.error is not None or episode.total_reward > 1.0,
    "contract.observation": lambda episode: (
        episode.error is not None or unshowable(episode) is not None or not episode.observation.strip()
    ),
    "feasibility.witness": lambda episode: not episode.success,
    "feasibility.budget": lambda episode: not episode.success,
    "exploits.floor": lambda episode: episode.success,
    "exploits.blind": lambda episode: episode.success,
    "exploits.constant": lambda episode: episode.success,
    "exploits.farming": lambda episode: episode.total_reward > 1.0,
}
"""What the replayed episode of a finding shows, where an episode alone can show it."""


def shown_again(finding: Finding, path: Path) -> bool:
    """Whether a finding's reproduction shows the fault in a new process."""
    assert finding.repro is not None
    shows = next((check for rule, check in SHOWN.items() if finding.rule.startswith(rule)), None)
    return shows is None or shows(reproduce(read_source(path), finding.repro.seed, finding.repro.actions))


@pytest.mark.parametrize("path", BROKEN, ids=names(BROKEN))
def test_a_defect_is_found_for_the_right_reason(path: Path) -> None:
    report = validate(path, limits=QUICK)
    wanted = expectation(path)
    severe = {finding.rule for finding in report.findings if finding.severity is not Severity.WARNING}
    every = {finding.rule for finding in report.findings}
    found = [part for part in wanted if part.partition(" ")[2] in (every if part.startswith("warn ") else severe)]
    assert found or "accept" in wanted, f"expected {wanted}, found {report.verdict.value}: {report.findings}"
    if any(name.startswith("determinism.") for name in severe):
        return  # nothing plays twice alike
    for finding in report.findings:
        # A sum of rewards above 1, say, is told with a reproduction too; a static finding points at a line instead.
        if finding.repro is not None and finding.rule.partition(".")[0] in ("robustness", "exploits", "contract"):
            assert shown_again(finding, path), finding
