"""What a slot came to goes to the memory and the shelf; killed at any point, doing it again changes nothing twice."""

from __future__ import annotations

from dataclasses import replace

from ..admission import card_of, together
from ..fingerprints import fingerprint
from ..shelf import Shelf
from ..types import EnvSource, Limits, Neighbour
from .known import Admitted, Known
from .lines import Decision, EndLine, IntentLine
from .log import Log
from .slots import DesignMemory
from .working import Outcome


class Committer:
    """Commits outcomes, one slot after the other.

    Args:
        shelf: where admitted sources go.
        memory: where every source and report goes.
        log: of the run.
        known: what was there before the run.
        limits: of the run.

    Raises:
        StoreError: when what the run admitted before cannot be read.
    """

    def __init__(self, shelf: Shelf, memory: DesignMemory, log: Log, known: Known, limits: Limits) -> None:
        self._shelf, self._memory, self._log, self._known, self._limits = shelf, memory, log, known, limits
        ends = [told.end for _, told in sorted(log.slots.items()) if told.end is not None]
        ids = [end.env_id for end in ends if end.decision is Decision.ADMITTED]
        self._admitted = Admitted((shelf.read_source(env_id.rpartition("/")[2]), env_id) for env_id in ids)

    def commit(self, number: int, outcome: Outcome) -> EndLine:
        """Commit what slot ``number`` came to, and write its end.

        Raises:
            StoreError: when shelf, memory or log cannot be written; the same call may be made again.
        """
        if outcome.decision is not Decision.FAILED:
            outcome = self._settled(number, outcome)
            self._remember(number, outcome)
        env_id = outcome.env_id
        if outcome.decision is Decision.ADMITTED and not env_id:
            assert outcome.admitted is not None and outcome.report is not None, "what is admitted is there"
            beside = together((), self._beside(outcome.admitted))
            card = self._shelf.add(outcome.admitted, card_of(outcome.admitted, outcome.report, beside))
            env_id = f"{self._shelf.namespace}/{card.name}"
        if outcome.decision is Decision.ADMITTED and outcome.admitted is not None:
            self._admitted.add(outcome.admitted, env_id)
            self._memory.shelve(outcome.admitted.sha256, env_id)
        sources = [one.source for one in outcome.attempts if one.source is not None]
        sha256 = sources[-1].sha256 if sources else ""
        line = EndLine(number, outcome.decision, env_id, sha256, outcome.rule, outcome.why, outcome.hint)
        self._log.add(line)
        return line

    def _settled(self, number: int, outcome: Outcome) -> Outcome:
        """The outcome, now that all slots before are on the shelf."""
        source = outcome.admitted
        if source is None:
            return outcome
        there = self._shelf.find(source.sha256)
        if self._log.told(number).intent is not None:
            # This very slot was being committed when the process was killed.
            return replace(outcome, env_id=there.env_id) if there is not None else outcome
        same = [there] if there is not None else self._shelf.same_code(fingerprint(source.text))
        if same:
            why = f"The same code is on the shelf already: {same[0].env_id}."
            return replace(
                outcome, decision=Decision.DUPLICATE, env_id=same[0].env_id, rule="duplicates.exact", why=why, hint=""
            )
        near = [one for one in self._admitted.neighbours(source) if one.similarity >= self._limits.near_similarity]
        if near and not self._limits.near_may_pass:
            # The gate compared with what was there before the run; slots before this one were still at work then.
            why = f"Nearly the same code was admitted by this run: {near[0].name}."
            return replace(
                outcome, decision=Decision.DUPLICATE, env_id=near[0].name, rule="duplicates.near", why=why, hint=""
            )
        self._log.add(IntentLine(number, source.sha256))
        return outcome

    def _beside(self, source: EnvSource) -> tuple[Neighbour, ...]:
        """What was known before the run and what the run has admitted."""
        return (*self._known.neighbours(source), *self._admitted.neighbours(source))

    def _remember(self, number: int, outcome: Outcome) -> None:
        """Every attempt, what it was built on and every report on it, once."""
        reports = self._log.told(number).reports
        assert self._log.header is not None, "a log that is committed to has one"
        grounds = self._log.header.grounds[number]
        if grounds.document:
            self._memory.add_document(grounds.document, grounds.name, "")
        for turn, attempt in enumerate(outcome.attempts):
            source = attempt.source
            if source is None:
                continue
            admitted = outcome.admitted
            self._memory.add_source(admitted if admitted is not None and admitted.sha256 == source.sha256 else source)
            self._memory.add_lineage(source.sha256, grounds.seeds)
            known = self._memory.reports(source.sha256)
            for line in reports:
                if line.turn == turn and line.report not in known:
                    self._memory.add_report(line.report)
