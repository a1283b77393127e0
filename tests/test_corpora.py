"""The gate over whole folders of sources: sound ones in every manner, hostile and broken ones in both modes.

A hostile source says in its first line what must happen to it; see ``tests/sources/README.md``. Rules that do not
exist yet may be named there: such a source must then at least do no harm.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from spade_envs.admission import rules, validate
from spade_envs.sandbox.host import BoxOptions
from spade_envs.sources import read_source
from spade_envs.types import Isolation, Limits, Severity, Verdict

SOURCES = Path(__file__).parent / "sources"
SOUND = sorted((SOURCES / "sound").glob("*.py"))
HOSTILE = sorted((SOURCES / "hostile").glob("*.py"))
KINDS = ("refuse", "undecided", "warn", "kill", "contain", "accept")
MARKER = Path("/tmp/spade-envs-escape-marker")
HASTY = Limits(
    load_seconds=1.0,
    reset_seconds=1.0,
    step_seconds=0.5,
    grace_seconds=0.5,
    budget_seconds=20.0,
    search_seconds=0.5,
    explore_lists=40,
    explore_examples=10,
)
CONTAINED = dataclasses.replace(
    HASTY, witness_seeds=3, more_seeds=0, explore_examples=0, floor_episodes=2, poke_episodes=2, play_seeds=1
)
"""Enough to let a source do its worst, where the verdict does not matter."""


def expectation(path: Path) -> list[str]:
    """Alternatives such as ``refuse static.import``, ``kill`` or ``contain``."""
    first = path.read_text("utf-8", errors="replace").splitlines()[0]
    assert first.startswith("# expect: "), f"{path} does not say what is expected of it"
    alternatives, kind = [], ""
    for part in first.removeprefix("# expect: ").split("|"):
        words = part.split()
        kind = words[0] if words[0] in KINDS else kind
        alternatives.append(f"{kind} {words[-1]}" if words[-1] != kind else kind)
    return alternatives


def names(paths: list[Path]) -> list[str]:
    return [path.stem for path in paths]


@pytest.fixture(autouse=True)
def nothing_outside_changes() -> Iterator[None]:
    """No marker file appears, and the process that asked is alive to see it."""
    MARKER.unlink(missing_ok=True)
    yield
    assert not MARKER.exists()


@pytest.mark.parametrize("path", SOUND, ids=names(SOUND))
def test_sound_sources_are_admitted(path: Path) -> None:
    report = validate(path)
    assert report.verdict is Verdict.ADMIT, report.findings


@pytest.mark.parametrize("path", HOSTILE, ids=names(HOSTILE))
def test_hostile_sources_are_contained(path: Path) -> None:
    report = validate(path, limits=HASTY)
    blocking = {finding.rule for finding in report.findings if finding.severity is not Severity.WARNING}
    known = rules()
    for part in expectation(path):
        kind, _, name = part.partition(" ")
        if kind in ("contain", "accept"):
            return
        if kind == "kill" and report.verdict is not Verdict.ADMIT:
            return
        if kind in ("refuse", "undecided") and (name in blocking or name not in known):
            return
    pytest.fail(f"expected {expectation(path)}, found {report.verdict.value}: {report.findings}")


@pytest.mark.slow
@pytest.mark.parametrize("path", HOSTILE, ids=names(HOSTILE))
def test_the_kernel_layers_hold_alone(path: Path) -> None:
    """With the language layer off a source is plain Python; whatever it does, nothing outside it changes."""
    options = BoxOptions(language=False, cpu_seconds=30)
    report = validate(read_source(path), limits=CONTAINED, options=options)
    assert report.isolation.rank >= Isolation.SECCOMP.rank
