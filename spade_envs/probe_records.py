"""What probes leave in the memory: measurements, and reports on environments that failed while they were measured."""

from __future__ import annotations

from .memory import SqliteMemory
from .probe import Probed, ProbePlan, Subject
from .prompts import agent_system
from .seeds import derive_seeds
from .sequential import band
from .types import Finding, Memory, Probe, Report, Repro, Severity

FAULT = "probe.fault"
"""Rule of a report on an environment that failed in a probe: with it, it is no seed for a designer any more."""


def remember(probed: Probed, memory: Memory) -> None:
    """Append what came of a probe; where nothing did, only the source is remembered.

    Raises:
        StoreError: the memory cannot be written.
    """
    memory.add_source(probed.subject.source)
    sha256 = probed.subject.source.sha256
    if probed.probe is not None:
        memory.add_probe(sha256, probed.probe)
    elif probed.fault is not None:
        repro = Repro(probed.fault.seed, probed.fault.actions)
        message = f"A model that played it met a fault: {probed.problem}."
        memory.add_report(Report(sha256, (Finding(FAULT, Severity.ERROR, message, repro=repro),)))


def keep_episodes(probed: Probed, memory: SqliteMemory, most: int) -> int:
    """Keep the first ``most`` episodes of each arm that have an outcome; how many were kept.

    What the memory does not hold any more than so many of per arm, it drops: the oldest.

    Raises:
        StoreError: the memory cannot be written, or does not know the source.
    """
    kept = 0
    for hinted in (False, True):
        arm = [one for one in probed.episodes if one.hinted is hinted and one.outcome is not None]
        for episode in arm[:most]:
            memory.add_episode(probed.subject.source.sha256, episode)
            kept += 1
    return kept


def probed_before(
    subject: Subject, plan: ProbePlan, model: str, memory: SqliteMemory, *, written: bool = False
) -> Probe | None:
    """The last probe that another one would repeat: of the same model, weights, prompt, hint, sampling and seeds.

    One that was broken off, or that had fewer pairs and decided nothing, would be no repetition.

    Args:
        subject, plan: of the probe that is to be made.
        model: that plays.
        memory: where probes are.
        written: whether a hint is to be written where there is none; then one that was written before counts.

    Raises:
        StoreError: the memory cannot be read.
    """
    prompt, first = agent_system(subject.contract).sha256, derive_seeds(subject.source.sha256, plan.run_seed, 1)
    for probe in reversed(memory.probes(subject.source.sha256)):
        same = (probe.model, probe.policy_version, probe.sampling) == (model, plan.policy_version, plan.conditions())
        alike = same and probe.prompt_sha == prompt and probe.seeds[:1] == first
        if alike and (probe.hint == subject.hint or (written and not subject.hint)) and _whole(probe, plan):
            return probe
    return None


def _whole(probe: Probe, plan: ProbePlan) -> bool:
    """Whether more pairs would not have been played."""
    pairs = sum(None not in pair for pair in zip(probe.plain, probe.hinted, strict=False))
    try:
        return pairs >= plan.most_pairs or band(probe.plain, probe.hinted, graded=plan.graded).look is not None
    except ValueError:
        return False  # these are no outcomes of ours
