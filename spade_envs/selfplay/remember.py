"""What a cycle leaves in the memory and on a shelf. Killed at any point, doing it again changes nothing twice."""

from __future__ import annotations

import datetime
from collections.abc import Sequence

from ..admission import card_of
from ..memory import SqliteMemory
from ..memory.seeds import Wanted, record
from ..probe_records import FAULT
from ..prompts import agent_system
from ..sequential import Decision, band
from ..shelf import Shelf
from ..types import ENV_FAULTS, Finding, Probe, Report, Repro, Severity
from .evidence import Design
from .records import Collected, Living, Play, Played, Reply, Showing


class Rememberer:
    """Writes cycles down.

    Args:
        memory: where sources, reports, probes and episodes go.
        shelf: where what was admitted goes; ``None`` for nowhere.
        run: name of the run.
        conditions: how episodes are drawn, as JSON text: what two probes must have in common to be compared.
        strategy: of the draws from the memory.
        samples: episodes of each arm that are kept of an environment.
    """

    def __init__(
        self, memory: SqliteMemory, shelf: Shelf | None, *, run: str, conditions: str, strategy: str, samples: int
    ) -> None:
        self._memory, self._shelf = memory, shelf
        self._run, self._conditions, self._strategy, self._samples = run, conditions, strategy, samples

    def remember(self, collected: Collected, before: Sequence[Living], slots: int) -> None:
        """Write a cycle down.

        Args:
            collected: the cycle.
            before: environments of the cycle before, of which some may have been played again.
            slots: of a cycle, so that every slot of a run has a number of its own.

        Raises:
            StoreError: when memory or shelf cannot be written; the same call may be made again.
        """
        known = {one.key: one for one in (*before, *collected.failed, *collected.living)}
        for reply in collected.replies:
            living = self._reply(reply)
            if living is not None:
                known[living.key] = living
        for showing in collected.showings:
            self._showing(showing, slots)
        for played in collected.played:
            if played.key in known and not played.key.startswith("held-out:"):
                self._played(known[played.key], played, collected.policy_version)
        seeds = {showing.slot.number: showing.positives for showing in collected.showings}
        for reply in collected.replies:
            if reply.source is not None and seeds.get(reply.slot.number):
                self._memory.add_lineage(reply.source.sha256, seeds[reply.slot.number])

    def _reply(self, reply: Reply) -> Living | None:
        if reply.source is None:
            return None
        self._memory.add_source(reply.source)
        if reply.report is not None:
            self._report(reply.report)
        if reply.design is not Design.ADMITTED or reply.report is None:
            return None
        report, env_id = reply.report, ""
        if self._shelf is not None:
            card = self._shelf.add(reply.source, card_of(reply.source, report))
            env_id = f"{self._shelf.namespace}/{card.name}"
            self._memory.shelve(reply.source.sha256, env_id)
        slot = reply.slot
        return Living(reply.key, reply.source, report.contract, report.max_turns, slot.skill, slot.cycle, env_id)

    def _report(self, report: Report) -> None:
        if report not in self._memory.reports(report.source_sha256):
            self._memory.add_report(report)

    def _showing(self, showing: Showing, slots: int) -> None:
        if not showing.positives and not showing.negatives:
            return
        slot = showing.slot
        wanted = Wanted(
            skill=slot.skill,
            contract=slot.contract,
            strategy=self._strategy,
            seed=slot.seed,
            run=self._run,
            slot=slot.cycle * slots + slot.number,
        )
        record(self._memory, wanted, showing.positives, showing.negatives)

    def _played(self, living: Living, played: Played, version: int) -> None:
        sha256 = living.source.sha256
        self._memory.add_source(living.source)
        every = (*played.plain, *played.hinted)
        fault = next((play.episode for play in every if play.episode.stop_reason in ENV_FAULTS), None)
        if fault is not None:
            what = fault.error.message if fault.error is not None else fault.stop_reason.value
            message = f"It failed on seed {fault.seed} while it was trained on ({fault.stop_reason.value}): {what}"
            finding = Finding(FAULT, Severity.ERROR, message, repro=Repro(fault.seed, fault.actions))
            self._report(Report(sha256, (finding,)))
            return
        label = f"{self._run}-v{version}"
        if played.hinted and all(one.policy_version != label for one in self._memory.probes(sha256)):
            self._memory.add_probe(sha256, self._probe(living, played, label))
        there = self._memory.episodes(sha256) if self._samples else ()
        for arm in (played.plain, played.hinted):
            for play in [one for one in arm if one.episode.outcome is not None][: self._samples]:
                if play.episode not in there:
                    self._memory.add_episode(sha256, play.episode)

    def _probe(self, living: Living, played: Played, label: str) -> Probe:
        plain, hinted = pairs(played)
        decision = decision_of(played)
        return Probe(
            seeds=tuple(play.episode.seed for play in played.plain[: len(plain)]),
            plain=plain,
            hinted=hinted,
            regret=decision.regret,
            interval=decision.interval,
            band=decision.band,
            model="policy",
            policy_version=label,
            sampling=self._conditions,
            prompt_sha=agent_system(living.contract).sha256 if living.contract else "",
            date=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            hint=living.source.hint,
            reason=decision.reason,
        )


def outcomes(plays: Sequence[Play]) -> tuple[float | None, ...]:
    """Outcome of each episode."""
    return tuple(play.episode.outcome for play in plays)


def pairs(played: Played) -> tuple[tuple[float | None, ...], tuple[float | None, ...]]:
    """Outcomes of both arms, as long as both have one seed."""
    both = min(len(played.plain), len(played.hinted))
    return outcomes(played.plain[:both]), outcomes(played.hinted[:both])


def decision_of(played: Played) -> Decision:
    """The band of what was played in one cycle."""
    plain, hinted = pairs(played)
    graded = any(one not in (None, 0.0, 1.0) for one in (*plain, *hinted))
    return band(plain, hinted, graded=graded)
