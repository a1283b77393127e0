"""The designer's part of a cycle: a reply per slot, the gate, repairs, and a hint written outside what is trained.

With a sampler that batches, all slots go together from draw to draw, so that batches do not depend on how long a check
takes; with a server, each slot goes at its own pace.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace

from ..designer.attempts import has_hint
from ..designer.slots import MOST_HINTS
from ..ended import all_of
from ..hinting import SAMPLING as HINT_SAMPLING
from ..memory.records import Drawn as Shown
from ..origins import Origin
from ..types import Severity, Stop, StopReason, Verdict
from .evidence import Design
from .gatekeeper import Gatekeeper, design_of
from .records import Reply
from .sampling import Renderer, Sampler
from .steps import DESIGNER
from .tasks import Refused, Said, Slot, Task, Unread
from .token_player import Manner, Sequence

Told = Callable[[Reply], None]


@dataclass(frozen=True)
class Desk:
    """What all slots share."""

    task: Task
    sampler: Sampler
    renderer: Renderer
    manner: Manner
    """Of the designer."""
    gate: Gatekeeper
    repairs: int
    uniform: bool
    """Whether replies come from the task instead of the policy."""
    run: str
    """Name of the run, for the origin of sources."""
    told: Told
    """Told of each reply once the gate has spoken."""


async def design(desk: Desk, wanted: Iterable[tuple[Slot, Shown]], *, lockstep: bool) -> list[tuple[Reply, ...]]:
    """Replies of every slot, in the order of the slots; the last one is the one that was admitted, if one was.

    Raises:
        SandboxError: when this machine cannot check.
    """
    works = [_Work(desk, slot, shown) for slot, shown in wanted]
    if not lockstep:
        await all_of(work.run() for work in works)
        return [tuple(work.replies) for work in works]
    for _ in range(desk.repairs + 1):
        asking = [work for work in works if work.open]
        await _drawn_together(desk.sampler, asking, _Work.ask)
        for work in asking:
            work.claim()
        await all_of(work.check() for work in asking)
    for _ in range(MOST_HINTS):
        asking = [work for work in works if work.wants_hint]
        await _drawn_together(desk.sampler, asking, _Work.ask_hint)
        await all_of(work.check_hint() for work in asking)
    return [tuple(work.replies) for work in works]


async def _drawn_together(sampler: Sampler, works: list[_Work], ask: Callable[[_Work], Awaitable[None]]) -> None:
    """Everybody sits down before anybody asks: so the sampler knows whom to wait for."""
    with contextlib.ExitStack() as stack:
        seats = [stack.enter_context(contextlib.ExitStack()) for _ in works]
        for seat in seats:
            seat.enter_context(sampler.seat())

        async def asked(work: _Work, seat: contextlib.ExitStack) -> None:
            try:
                await ask(work)
            finally:
                seat.close()

        await all_of(asked(work, seat) for work, seat in zip(works, seats, strict=True))


class _Work:
    """One slot at work."""

    def __init__(self, desk: Desk, slot: Slot, shown: Shown) -> None:
        self.desk, self.slot, self.shown = desk, slot, shown
        self.replies: list[Reply] = []
        self.refused: list[Refused] = []
        self.open = True
        """Whether a reply is to be asked for."""
        self._hints: list[str] = []
        """What was wrong with earlier hints."""
        self._hint: str | Unread = ""

    async def run(self) -> None:
        """From the first reply to the hint, at its own pace."""
        while self.open:
            with self.desk.sampler.seat():
                await self.ask()
            self.claim()
            await self.check()
        while self.wants_hint:
            with self.desk.sampler.seat():
                await self.ask_hint()
            await self.check_hint()

    # -- replies ---------------------------------------------------------------------------------------------------

    async def ask(self) -> None:
        """The next reply, not yet checked."""
        desk, slot, turn = self.desk, self.slot, len(self.replies)
        if desk.uniform:
            reply = desk.task.uniform(slot)
            assert reply is not None, "checked when the run began"
            self._take(Reply(slot, turn, reply, None, Design.STATIC), reply, ended=True)
            return
        said = desk.task.repair(slot, self.shown, self.refused) if turn else desk.task.prompt(slot, self.shown)
        key = f"design:{slot.cycle}:{slot.number}:{turn}"
        sequence = Sequence(desk.sampler, desk.renderer, desk.manner, key, slot.seed + turn)
        heard = await _spoken(sequence, said)
        trajectory = sequence.trajectory(DESIGNER, f"{slot.skill}:{slot.cycle}", _stop(heard))
        if isinstance(heard, Stop) and trajectory is None:
            self.open = False  # nobody's doing
            self._take_none(Reply(slot, turn, "", None, Design.UNDECIDED, rule="request.failed", why=heard.detail))
            return
        text = heard.cut if isinstance(heard, Stop) else heard
        self._take(Reply(slot, turn, text, trajectory, Design.STATIC), text, ended=not isinstance(heard, Stop))

    def _take(self, reply: Reply, text: str, *, ended: bool) -> None:
        read = self.desk.task.read(self.slot, text, ended=ended)
        if isinstance(read, Unread):
            self.replies.append(replace(reply, unread=read, rule=read.rule, why=read.problem))
            return
        earlier = [one.source for one in self.replies if one.source is not None]
        if any(one.sha256 == read.sha256 for one in earlier):
            unread = Unread(
                "reply.repeated", "The reply holds the same source as before; what was found must be mended."
            )
            self.replies.append(replace(reply, unread=unread, rule=unread.rule, why=unread.problem))
            return
        origin = Origin(run=self.desk.run, step=self.slot.cycle)
        parent = earlier[-1].sha256 if earlier else ""
        source = replace(read, skill=read.skill or self.slot.skill, parent=parent, made_by="policy", origin=origin)
        self.replies.append(replace(reply, source=source))

    def _take_none(self, reply: Reply) -> None:
        self.replies.append(reply)
        self.desk.told(reply)

    def claim(self) -> None:
        """Tell the gate which code this slot holds, in the order of slots."""
        if self.replies and self.replies[-1].source is not None:
            self.desk.gate.claim(self.replies[-1].source, self.replies[-1].key)

    async def check(self) -> None:
        """What the gate says about the last reply."""
        if not self.open:
            return
        reply = self.replies[-1]
        if reply.source is not None:
            report = await self.desk.gate.check(reply.source, reply.key)
            design, rule, why = design_of(report)
            reply = replace(reply, report=report, design=design, rule=rule, why=why)
            self.replies[-1] = reply
        self.desk.told(reply)
        self.refused.append(Refused(reply.text, reply.source, reply.report, reply.unread))
        done = reply.design in (Design.ADMITTED, Design.UNDECIDED) or len(self.replies) > self.desk.repairs
        self.open = not done and not self.desk.uniform

    # -- hints -----------------------------------------------------------------------------------------------------

    @property
    def wants_hint(self) -> bool:
        """Whether what was admitted still lacks a hint that a model can write."""
        last = self.replies[-1] if self.replies else None
        if last is None or last.design is not Design.ADMITTED or last.source is None or last.report is None:
            return False
        if last.source.hint or has_hint(last.source.text) or len(self._hints) >= MOST_HINTS:
            return False
        return self.desk.task.hint_prompt(last.source, last.report.contract, self._hints) is not None

    async def ask_hint(self) -> None:
        """The next hint, not yet checked. It is drawn from the policy and never trained on."""
        desk, slot, reply = self.desk, self.slot, self.replies[-1]
        assert reply.source is not None and reply.report is not None, "what is admitted is there"
        said = desk.task.hint_prompt(reply.source, reply.report.contract, self._hints)
        assert said is not None, "wants_hint asked before"
        manner = replace(
            desk.manner,
            temperature=HINT_SAMPLING.temperature,
            max_tokens=min(HINT_SAMPLING.max_tokens, desk.manner.max_tokens),
        )
        number = len(self._hints)
        key = f"hint:{slot.cycle}:{slot.number}:{number}"
        heard = await _spoken(Sequence(desk.sampler, desk.renderer, manner, key, slot.seed + 1000 + number), said)
        if isinstance(heard, Stop) and not heard.cut:
            self._hint = Unread("request.failed", heard.detail or heard.reason.value)
            return
        text = heard.cut if isinstance(heard, Stop) else heard
        self._hint = desk.task.hint(text, ended=not isinstance(heard, Stop))

    async def check_hint(self) -> None:
        """Take the hint where the gate lets the source pass with it."""
        reply = self.replies[-1]
        assert reply.source is not None, "what is admitted is there"
        if isinstance(self._hint, Unread):
            self._hints.append(self._hint.problem)
            return
        hinted = replace(reply.source, hint=self._hint)
        report = await self.desk.gate.check(hinted, reply.key)
        if report.verdict is Verdict.ADMIT:
            self.replies[-1] = replace(reply, source=hinted, report=report)
            return
        told = [one.message for one in report.findings if one.severity is not Severity.WARNING]
        self._hints.append(told[0])


async def _spoken(sequence: Sequence, said: Said) -> str | Stop:
    """What the policy answers to one message."""
    sequence.hear(sequence.renderer.opening(said.system, said.user))
    heard = await sequence.speak()
    return heard if isinstance(heard, Stop) else heard[1]


def _stop(heard: str | Stop) -> StopReason:
    return heard.reason if isinstance(heard, Stop) else StopReason.TERMINATED
