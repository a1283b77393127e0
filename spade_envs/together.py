"""Resets and turns of several environments in one message per worker, and what becomes of them when a worker ends.

The member that ended a worker has its fault. The others are brought back: their episodes are played again in a new
worker, from seed and actions, compared with what was seen, and then their call is made.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Generic, TypeGuard, TypeVar

from .actions import Action
from .env import SpadeEnv
from .episodes import Fault, FaultKind
from .quarantine import Quarantine
from .sandbox.batches import Answer, Begin, Calls, Listener, exchange
from .sandbox.checked import ResetAnswer, StepAnswer
from .sandbox.host import Worker
from .sandbox.pool import PoolFullError

K = TypeVar("K", bound=Hashable)


def play_together(
    members: Mapping[K, SpadeEnv],
    asked: Mapping[K, int | Action],
    quarantine: Quarantine | None = None,
    *,
    renew: bool = False,
    listener: Listener | None = None,
) -> dict[K, Answer]:
    """What the workers answer.

    Args:
        members: environments by any key; none has another call under way.
        asked: by the same keys the seed of a reset, after :meth:`SpadeEnv.prepare`, or the action of a turn.
        quarantine: hears of every fault; members of a source it shuts out are not called.
        renew: have a turn that ends its episode followed by a reset, where that is no trouble:
            :meth:`SpadeEnv.renewed` has it then.
        listener: is told by their keys the answers of most turns as they come, while the workers compute the others.
            These are certain; what is returned for them is of no use.

    Returns:
        Answers for :func:`begun_by` and :func:`taken_by`. A ``lost`` one is nobody's fault: its worker was closed.
    """
    return _Together(members, asked, quarantine or Quarantine(after=0), renew, listener).answers()


class _Together(Generic[K]):
    """The calls of one moment: rounds of them, until each has its answer."""

    def __init__(
        self,
        members: Mapping[K, SpadeEnv],
        asked: Mapping[K, int | Action],
        quarantine: Quarantine,
        renew: bool,
        listener: Listener | None,
    ) -> None:
        self._members, self._asked, self._quarantine, self._renew = members, asked, quarantine, renew
        self._listener = listener
        self._resets = set(map(type, asked.values())) != {Action}
        self._answers: dict[K, Answer] = {}
        self._suspects: dict[K, Fault] = {}
        """Members in whose call a worker ended: they are tried a second time, in a worker of their own."""
        self._hogs: set[str] = set()
        """Sources with a member that takes much of a worker's memory for itself."""

    def answers(self) -> dict[K, Answer]:
        """All of them."""
        left = list(self._asked)
        # Every round has an answer, or a suspect; where many workers are lost to somebody else, it has neither.
        for count in range(4 * len(left) + 4):
            if not left:
                break
            pinned: list[Worker] = []
            try:
                self._round(left, pinned, exact=count > 0)
            finally:
                for worker in pinned:
                    worker.pinned = False
            left = [at for at in left if at not in self._answers]
        for at in left:
            self._answers[at] = Fault(FaultKind.LOST, "step", "its worker was ended again and again")
        return self._answers

    def _round(self, wanted: Sequence[K], pinned: list[Worker], *, exact: bool) -> None:
        """Call whatever has an instance or can be given one now."""
        if self._quarantine.shut_out:
            for at in wanted:
                if (shut := self._quarantine.fault(self._members[at].source.sha256)) is not None:
                    self._answers[at] = shut
            wanted = [at for at in wanted if at not in self._answers]
        ready = self._ready(wanted, pinned)
        members, asked = self._members, self._asked
        then: Sequence[Begin | None] = ()
        if self._renew and not exact:  # who is under suspicion does one thing at a time
            then = [members[at].next_begin() if type(asked[at]) is Action else None for at in ready]
        boxes = [box for at in ready if (box := members[at].boxed) is not None]
        listener = None if exact else self._listener
        answers = exchange(Calls(boxes, [asked[at] for at in ready], then, ready), exact=exact, listener=listener)
        if self._suspects or Fault in map(type, answers):
            for at, answer in zip(ready, answers, strict=True):
                self._note(at, answer)
        else:
            self._answers.update(zip(ready, answers, strict=True))
        for worker in pinned:
            for at in [at for at, box in zip(ready, boxes, strict=True) if box.worker is worker][:1]:
                members[at].pool.watch(members[at].source, worker)

    def _ready(self, wanted: Sequence[K], pinned: list[Worker]) -> list[K]:
        """Those of the wanted members that have an instance; others wait for a place, or have their fault."""
        later: set[K] = set()
        self._pin(wanted, pinned)
        for at in wanted if self._resets else ():
            if not isinstance(self._asked[at], Action):
                self._members[at].go_home()
        while True:
            alive = self._alive(wanted)
            if len(alive) == len(wanted):
                return alive
            lives = set(alive)
            dead = [at for at in wanted if at not in later and at not in self._answers and at not in lives]
            if not dead:
                return alive
            for at in dead:
                try:
                    fault = self._revived(at)
                except PoolFullError:
                    later.update(other for other in dead if self._members[other].pool is self._members[at].pool)
                    break
                if fault is not None:
                    self._note(at, fault)
                    later.update([at] if fault.kind is FaultKind.LOST else [])
                self._pin([at], pinned)

    def _alive(self, wanted: Sequence[K]) -> list[K]:
        members = self._members
        return [at for at in wanted if (box := members[at].boxed) is not None and box.worker.dead is None]

    def _pin(self, wanted: Sequence[K], pinned: list[Worker]) -> None:
        members = self._members
        for worker in {box.worker for at in wanted if (box := members[at].boxed) is not None}:
            if not worker.pinned and worker.dead is None:
                worker.pinned = True
                pinned.append(worker)

    def _revived(self, at: K) -> Fault | None:
        member, alone = self._members[at], at in self._suspects
        if not isinstance(self._asked[at], Action):
            return member.ready(alone=alone)
        fault = member.revive(alone=alone)
        if fault is None and member.boxed is not None and member.pool.is_hungry(member.boxed.worker):
            self._hogs.add(member.source.sha256)
            if len(member.boxed.worker.held) > 1:
                member.boxed.drop()  # the others would feel it
                return member.revive(alone=True)
        return fault

    def _note(self, at: K, answer: Answer) -> None:
        """Keep an answer, unless its worker ended: another member may be the cause of that, or nobody."""
        if isinstance(answer, Fault) and answer.kind is FaultKind.LOST:
            return
        if _is_death(answer) and at not in self._suspects:
            self._suspects[at] = answer
            return
        self._answers[at] = answer
        if isinstance(answer, Fault):
            self._quarantine.note(self._members[at].source.sha256, answer)
        if (first := self._suspects.get(at)) is None or first.kind is not FaultKind.MEMORY or _is_death(answer):
            return
        source = self._members[at].source
        if source.sha256 not in self._hogs:
            self._members[at].pool.spread(source)  # alone, it has enough, and none of the others takes too much


def _is_death(answer: Answer) -> TypeGuard[Fault]:
    """Whether a worker died, of itself or from outside, or had no memory left: another member may be the cause."""
    return isinstance(answer, Fault) and answer.kind in (FaultKind.DIED, FaultKind.MEMORY)


def begun_by(member: SpadeEnv, answer: Answer) -> tuple[str, dict[str, Any]]:
    """What ``reset`` of a member returns."""
    if isinstance(answer, StepAnswer):
        raise AssertionError("a reset was answered as a turn")
    return member.begun(answer)


def taken_by(member: SpadeEnv, action: Action, answer: Answer) -> tuple[str, float, bool, bool, dict[str, Any]]:
    """What ``step`` of a member returns."""
    if isinstance(answer, ResetAnswer):
        raise AssertionError("a turn was answered as a reset")
    return member.taken(action, answer)
