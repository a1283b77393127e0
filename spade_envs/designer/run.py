"""The designer at work: many slots at once, committed in their order."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..bulk import Checkers
from ..client import Client, Reason, RequestFailed
from ..corpus import Corpus
from ..errors import SandboxError, StoreError
from ..shelf import Shelf
from ..version import __version__
from .committing import Committer
from .known import Known
from .lines import FORMAT, Decision, EndLine, Header, Identity
from .log import Log, default_log, differences
from .plan import DesignPlan
from .results import DesignResult, OnProgress, Progress, SlotEnd, end_of
from .slots import DesignMemory, draw, prompts_of
from .working import Desk, Outcome, Work

CONCURRENCY = 16
"""Slots at work at the same time."""
MOST_UNANSWERED = 8
"""Slots in a row without an answer after which the server is taken to be gone."""
_STOPPING = (Reason.MODEL, Reason.REQUEST)
"""What no other slot would fare better with."""


async def design(
    plan: DesignPlan,
    client: Client,
    *,
    shelf: Shelf,
    memory: DesignMemory,
    agent: Client | None = None,
    corpus: Corpus | None = None,
    log: Path | None = None,
    checkers: Checkers | None = None,
    others: Sequence[Shelf] = (),
    concurrency: int = CONCURRENCY,
    on_progress: OnProgress | None = None,
) -> DesignResult:
    """Have a model write environments, check them, and put those that pass on a shelf.

    A run that was interrupted goes on where it was when it is started again: replies and reports are in its log. Slots
    are worked on at once and end in order, so that the same replies give the same ids.

    Args:
        plan: what is asked for; the names of its models are taken from the clients.
        client: of the designer's model, opened.
        shelf: where admitted environments go.
        memory: where every source goes, and where environments to learn from come from.
        agent: of the model that writes hints, opened; the designer's by default.
        corpus: documents to build on; none by default.
        log: file of the run; by default ``runs/`` in :func:`spade_envs.store.home`, named after the plan.
        checkers: processes that check, made with ``plan.limits`` and ``plan.seed``; by default some for this run.
        others: further shelves whose environments are not admitted again.
        concurrency: slots at work at the same time.
        on_progress: told of every change.

    Returns:
        How every slot ended.

    Raises:
        RequestFailed: when a server refuses requests or has no such model.
        SandboxError: when this machine cannot check sources.
        StoreError: when shelf, memory, corpus or log cannot be used, or the log is of another plan.
        ValueError: for a concurrency below 1.

    Whatever is raised, what was finished is kept.
    """
    if concurrency < 1:
        raise ValueError(f"concurrency must be at least 1, not {concurrency}")
    writer = agent or client
    plan = replace(plan, model=client.model or "", agent_model=(writer.model or "") if plan.hints else "")
    with open_log(plan, shelf=shelf, memory=memory, corpus=corpus, log=log) as opened:
        assert opened.header is not None, "open_log writes it"
        _check_ends(opened, shelf)
        head = opened.header
        known = Known(shelf, head.next, others, plan.limits.source_bytes, memory, head.remembered)
        own = None if checkers is not None else Checkers(limits=plan.limits, run_seed=plan.seed)
        desk = Desk(client, writer, checkers or _made(own), corpus, known, opened, head)
        run = _Run(desk, Committer(shelf, memory, opened, known, plan.limits), concurrency, on_progress)
        if own is None:
            return await run.all()
        with own:
            return await run.all()


def open_log(plan: DesignPlan, *, shelf: Shelf, memory: DesignMemory, corpus: Corpus | None, log: Path | None) -> Log:
    """The log of a run, with its header: that of an earlier start of the same plan, or a new one.

    Raises:
        StoreError: when it cannot be used, or is of another plan; the message names what differs.
    """
    fingerprint = "" if corpus is None else corpus.fingerprint
    identity = Identity(plan, str(shelf.path), fingerprint, prompts_of(plan))
    opened = Log(log or default_log(identity))
    try:
        if opened.header is None:
            following, remembered = shelf.next, memory.last
            drawn = draw(plan, corpus, memory, run=opened.path.stem)
            told = (drawn.grounds, drawn.seeds, drawn.negatives, remembered)
            opened.begin(Header(FORMAT, identity, __version__, following, *told))
        elif different := differences(opened.header.identity, identity):
            raise StoreError(
                f"{opened.path} is the log of another run: {'; '.join(different)}. Start it with what the log says to "
                "go on with it, or name another --log"
            )
    except BaseException:  # whatever it was, the lock must not stay
        opened.close()
        raise
    return opened


def _check_ends(log: Log, shelf: Shelf) -> None:
    """Raise ``StoreError`` where a log tells of an environment that is not on the shelf."""
    there = {(entry.env_id, entry.sha256) for entry in shelf.entries()}
    for number, told in sorted(log.slots.items()):
        end = told.end
        if end is not None and end.decision is Decision.ADMITTED and (end.env_id, end.sha256) not in there:
            raise StoreError(
                f"{log.path} says that slot {number} was admitted as {end.env_id[:80]!r}, which is not on {shelf.path} "
                "with that text; restore the shelf, or name another --log"
            )


def _made(own: Checkers | None) -> Checkers:
    assert own is not None, "either given or made"
    return own


class _Run:
    """Slots at work, and their ends."""

    def __init__(self, desk: Desk, committer: Committer, concurrency: int, on_progress: OnProgress | None) -> None:
        self._desk, self._committer, self._concurrency = desk, committer, concurrency
        self._plan, self._log = desk.header.identity.plan, desk.log
        self._on_progress = on_progress
        self._unanswered = 0
        """Slots in a row that failed since no answer came of the server."""
        self._outcomes: dict[int, Outcome] = {}
        """Of slots that have come to something and wait for those before."""
        self._open = [number for number in range(self._plan.count) if not self._final(number)]
        """Slots without an end, in order."""
        self._ended: dict[int, SlotEnd] = {}
        for number in range(self._plan.count):
            line = self._log.told(number).end
            if line is not None and self._final(number):
                self._ended[number] = end_of(self._plan, line, self._log.told(number))
        self._counts = Counter(end.decision for end in self._ended.values())
        self._asked_before, self._checked_before = self._log.replies, self._log.reports

    async def all(self) -> DesignResult:
        """Work on every slot that has no end yet."""
        running: dict[asyncio.Task[Outcome], int] = {}
        was_over = not self._open
        todo = iter(list(self._open))
        self._tell(None)
        try:
            while True:
                while len(running) < self._concurrency and (number := next(todo, None)) is not None:
                    running[asyncio.create_task(self._slot(number))] = number
                if not running:
                    break
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                errors = [error for task in done if (error := self._taken(running.pop(task), task)) is not None]
                self._commit()
                if errors:
                    raise errors[0]
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        ends = tuple(self._ended[number] for number in range(self._plan.count))
        return DesignResult(self._plan, ends, self._log.path, self._log.replies - self._asked_before, was_over)

    def _taken(self, number: int, task: asyncio.Task[Outcome]) -> BaseException | None:
        """Keep what a slot came to; the error, if there is one."""
        error = task.exception()
        if error is None:
            self._outcomes[number] = task.result()
        return error

    async def _slot(self, number: int) -> Outcome:
        """Work on one slot; what concerns it alone ends it alone."""
        try:
            async with asyncio.timeout(self._plan.slot_seconds):
                return await Work(self._desk, number, self._changed).run()
        except TimeoutError:
            why = f"It did not end within {self._plan.slot_seconds:g} s."
            return Outcome(Decision.FAILED, rule="request.deadline", why=why)
        except RequestFailed as error:
            if error.reason in _STOPPING:
                raise
            self._unanswered += error.reason is Reason.SERVER
            if self._unanswered >= MOST_UNANSWERED:
                raise RequestFailed(
                    f"{self._unanswered} environments in a row were not answered, the last because {error}. What was "
                    "finished is kept: start it again when the server is back",
                    Reason.SERVER,
                ) from None
            return Outcome(Decision.FAILED, rule=f"request.{error.reason.value}", why=str(error))
        except SandboxError as error:
            if self._log.reports == self._checked_before:
                raise  # no source can be checked on this machine
            return Outcome(Decision.FAILED, rule="gate.sandbox", why=str(error))

    def _commit(self) -> None:
        """Commit what is next in order, as far as it goes."""
        while self._open and self._open[0] in self._outcomes:
            number = self._open[0]
            line = self._committer.commit(number, self._outcomes[number])
            del self._outcomes[number], self._open[0]
            self._end(line)

    def _end(self, line: EndLine) -> None:
        end = end_of(self._plan, line, self._log.told(line.slot))
        self._ended[line.slot] = end
        self._counts[end.decision] += 1
        self._tell(end)

    def _final(self, number: int) -> bool:
        end = self._log.told(number).end
        return end is not None and end.decision is not Decision.FAILED

    def _changed(self) -> None:
        self._unanswered = 0
        self._tell(None)

    def _tell(self, end: SlotEnd | None) -> None:
        if self._on_progress is None:
            return
        admitted = self._counts[Decision.ADMITTED]
        ended = self._counts.total()
        self._on_progress(
            Progress(
                slots=self._plan.count,
                asked=self._log.replies,
                gated=self._log.reports,
                ended=ended,
                admitted=admitted,
                refused=ended - admitted - self._counts[Decision.FAILED],
                tokens=self._log.tokens,
                end=end,
            )
        )
