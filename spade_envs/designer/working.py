"""The work of one slot: ask, check, send findings back, write a hint. Nothing here touches shelf or memory.

All that comes in is written to the log at once; what is in the log is not asked for again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..bulk import Checkers
from ..client import ChatRequest, Client, Message, Reason, RequestFailed
from ..corpus import Corpus
from ..errors import SandboxError, StoreError
from ..hinting import HintError, write_hint
from ..types import EnvSource, Origin, Report, Severity, Verdict
from .attempts import (
    LONGEST_REPLY,
    Attempt,
    attempt_of,
    first_messages,
    has_hint,
    repair_messages,
)
from .known import Known
from .lines import Decision, Header, HintLine, ReplyLine, ReportLine, Said
from .log import Log
from .slots import MOST_HINTS, messages_of, slot_of

AROUND = 16
"""Tokens that a chat template may put around a message, counted generously."""
LEAST_ROOM = 512
"""Tokens of a reply that a short source takes."""
CHECKS = 2
"""How often a source is checked whose check itself failed."""


@dataclass(frozen=True)
class Desk:
    """What every slot works with."""

    client: Client
    agent: Client
    """Writes the hints."""
    checkers: Checkers
    corpus: Corpus | None
    known: Known
    log: Log
    header: Header


@dataclass(frozen=True)
class Outcome:
    """What a slot came to; it is not on the shelf yet."""

    decision: Decision
    attempts: tuple[Attempt, ...] = ()
    admitted: EnvSource | None = None
    """What is to be admitted, with its hint."""
    report: Report | None = None
    """On exactly that."""
    env_id: str = ""
    """Of what is there already."""
    rule: str = ""
    why: str = ""
    hint: str = ""


class Work:
    """One slot at work."""

    def __init__(self, desk: Desk, number: int, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._desk, self._plan = desk, desk.header.identity.plan
        self._slot, self._told = slot_of(self._plan, number), desk.log.told(number)
        self._document = desk.header.grounds[number].document
        self._first: tuple[Said, ...] = ()
        self._fresh: set[tuple[int, int]] = set()
        """Turn and hint of sources that were checked in this process."""

    async def run(self) -> Outcome:
        """Work until the slot has come to something.

        Raises:
            RequestFailed: when a reply does not come.
            SandboxError: when this machine cannot check.
            StoreError: when the log cannot be written, or holds what does not fit together.
        """
        attempts: list[Attempt] = []
        for turn in range(self._plan.repairs + 1):
            line = await self._reply(turn, attempts)
            if line is None:
                return self._given_up(attempts, " The repair did not fit into the model's context.")
            attempt = self._attempt(line, attempts)
            source = attempt.source
            if (source.sha256 if source else "") != line.sha256:
                raise StoreError(
                    f"{self._desk.log.path} does not fit together: the reply of turn {turn} of slot {line.slot} holds "
                    "another source than it says; the file was changed, or written by another version of spade-envs"
                )
            if source is None:
                attempts.append(attempt)
                continue
            there = self._desk.known.same_text(source)
            if there is not None:
                why = f"The same text is on the shelf already: {there.env_id}."
                return Outcome(Decision.DUPLICATE, (*attempts, attempt), env_id=there.env_id, rule="text", why=why)
            report = await self._report(turn, -1, source)
            attempts.append(replace(attempt, report=report))
            if report.verdict is Verdict.ADMIT:
                return await self._hinted(turn, attempts, source, report)
            if report.verdict is Verdict.UNDECIDED and any(one.rule == "gate.error" for one in report.findings):
                break  # ours to mend, not the designer's
        return self._given_up(attempts)

    def _given_up(self, attempts: Sequence[Attempt], more: str = "") -> Outcome:
        last = attempts[-1]
        decision = Decision.UNDECIDED if last.verdict is Verdict.UNDECIDED else Decision.REFUSED
        rule, why = last.rule, last.problem
        if last.findings:
            worst = min(last.findings, key=lambda finding: finding.severity is not Severity.ERROR)
            rule, why = worst.rule, worst.message
        return Outcome(decision, tuple(attempts), rule=rule, why=why + more)

    # -- asking --------------------------------------------------------------------------------------------------

    async def _reply(self, turn: int, attempts: Sequence[Attempt]) -> ReplyLine | None:
        """The reply of a turn; ``None`` when a repair is too long to be asked for."""
        if turn < len(self._told.replies):
            return self._told.replies[turn]
        desk, number = self._desk, self._slot.number
        if not self._first:
            self._first = first_messages(messages_of(self._plan, desk.header, desk.corpus, number))
        added = repair_messages(attempts, self._told.replies[-1].text) if turn else self._first
        messages = (*self._first, *added) if turn else added
        request = ChatRequest(
            messages=tuple(Message(one.role, one.content) for one in messages),
            sampling=replace(self._plan.sampling, seed=self._slot.seeds[turn]),
            deadline_seconds=self._plan.reply_seconds,
        )
        try:
            answer = await desk.client.chat(await self._fitted(request))
        except RequestFailed as error:
            if turn and error.reason is Reason.CONTEXT:
                return None
            raise
        reply, usage = answer.replies[0], answer.usage
        line = ReplyLine(
            slot=number,
            turn=turn,
            messages=added,
            text=reply.text[:LONGEST_REPLY],
            characters=len(reply.text),
            finish_reason=reply.finish_reason,
            reasoning=(reply.reasoning or "")[:LONGEST_REPLY],
            prompt_tokens=usage.prompt_tokens if usage else 0,
            completion_tokens=usage.completion_tokens if usage else 0,
            model=answer.model,
            seconds=round(answer.seconds, 3),
        )
        attempt = self._attempt(line, attempts)
        line = replace(line, sha256=attempt.source.sha256 if attempt.source else "", problem=attempt.problem)
        desk.log.add(line)
        self._changed()
        return line

    async def _fitted(self, request: ChatRequest) -> ChatRequest:
        """A request that asks for no longer reply than the context has room for, where the server tells.

        Raises:
            RequestFailed: when there is not even room for a short source.
        """
        client, most = self._desk.client, request.sampling.max_tokens
        context = client.capabilities.context_of(client.model or "")
        # A token holds at least one byte: most requests need no counting.
        longest = sum(len(one.content.encode("utf-8", "replace")) + AROUND for one in request.messages)
        if context is None or longest + most <= context:
            return request
        count = await client.count(request)
        room = context - count.tokens
        if count.counted_by == "server" and room < min(most, LEAST_ROOM):
            text = f"the prompt has {count.tokens} tokens, and {client.model} reads {context}, the reply included"
            raise RequestFailed(f"{text}: fewer than {LEAST_ROOM} are left for a source", Reason.CONTEXT)
        # Where it is not the server that counted, it is left to find out for itself.
        fitting = min(most, room) if count.counted_by == "server" else most
        return replace(request, sampling=replace(request.sampling, max_tokens=fitting))

    def _attempt(self, line: ReplyLine, attempts: Sequence[Attempt]) -> Attempt:
        plan = self._plan
        step = plan.epoch * plan.count + self._slot.number
        origin = Origin(run=self._desk.log.path.stem, step=step, difficulty=plan.difficulty)
        return attempt_of(line, self._slot, self._document, plan.model or line.model, origin, attempts)

    # -- checking ------------------------------------------------------------------------------------------------

    async def _report(self, turn: int, hint: int, source: EnvSource) -> Report:
        """What the gate says; once more where the check itself failed, or where a log alone says that it passed.

        A log is a file that anybody may have written: nothing goes on a shelf by its word.
        """
        reports = [line.report for line in self._told.reports if (line.turn, line.hint) == (turn, hint)]
        if reports and reports[-1].verdict is Verdict.ADMIT and (turn, hint) not in self._fresh:
            report = await self._checked(source)
            if _timeless(report) != _timeless(reports[-1]):
                reports = [self._noted(turn, hint, report)]
        while not reports or (len(reports) < CHECKS and _failed_itself(reports[-1])):
            reports.append(self._noted(turn, hint, await self._checked(source)))
        self._fresh.add((turn, hint))
        return reports[-1]

    def _noted(self, turn: int, hint: int, report: Report) -> Report:
        """A report, now that it is in the log."""
        self._desk.log.add(ReportLine(self._slot.number, turn, hint, report))
        self._changed()
        return report

    async def _checked(self, source: EnvSource) -> Report:
        # A long source takes a second to parse, in which others would wait.
        known = await asyncio.to_thread(self._desk.known.neighbours, source)
        for last in (False, True):
            try:
                return await asyncio.wrap_future(self._desk.checkers.submit(source, known))
            except SandboxError:
                if last:
                    raise
        raise AssertionError("unreachable")

    # -- hints ---------------------------------------------------------------------------------------------------

    async def _hinted(self, turn: int, attempts: Sequence[Attempt], source: EnvSource, report: Report) -> Outcome:
        """What passed the gate, with a hint that passes too, or without."""

        def admitted(source: EnvSource, report: Report, hint: str) -> Outcome:
            return Outcome(Decision.ADMITTED, tuple(attempts), source, report, hint=hint)

        if has_hint(source.text):
            return admitted(source, report, "author")
        if not self._plan.hints:
            return admitted(source, report, "none")
        refused: list[str] = []
        for number in range(MOST_HINTS):
            line = await self._hint(number, source, report, refused)
            if line.problem:
                refused.append(line.problem)
                continue
            hinted = replace(source, hint=line.hint)
            checked = await self._report(turn, number, hinted)
            if checked.verdict is Verdict.ADMIT:
                return admitted(hinted, checked, "written")
            told = [one.message for one in checked.findings if one.severity is not Severity.WARNING]
            refused.append(told[0])
        return admitted(source, report, f"none: {MOST_HINTS} were refused, the last because: {refused[-1]}")

    async def _hint(self, number: int, source: EnvSource, report: Report, refused: Sequence[str]) -> HintLine:
        if number < len(self._told.hints):
            return self._told.hints[number]
        hint = problem = ""
        try:
            hint = await write_hint(
                self._desk.agent,
                source,
                report.contract,
                seed=self._slot.hint_seeds[number],
                refused=refused,
                deadline_seconds=self._plan.reply_seconds,
            )
        except HintError as error:
            problem = str(error)
        except RequestFailed as error:
            if error.reason is not Reason.CONTEXT:
                raise
            problem = str(error)
        line = HintLine(self._slot.number, number, hint, problem)
        self._desk.log.add(line)
        return line


def _timeless(report: Report) -> Report:
    """A report without what a clock wrote."""
    return replace(report, seconds={})


def _failed_itself(report: Report) -> bool:
    """Whether nothing but the check's own trouble stands in the way."""
    open_ = [finding.rule for finding in report.findings if finding.severity is Severity.UNDECIDED]
    return report.verdict is Verdict.UNDECIDED and all(rule.startswith("gate.") for rule in open_)
