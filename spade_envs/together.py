"""Resets and turns of several environments in one message per worker, and what becomes of them when a worker ends.

The member that ended a worker has its fault. The others are brought back: their episodes are played again in a new
worker, from seed and actions, compared with what was seen, and then their call is made.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, TypeVar

from .actions import Action
from .env import SpadeEnv
from .episodes import Fault, FaultKind
from .sandbox.batches import Call, exchange
from .sandbox.boxed import ResetAnswer, StepAnswer

Answer = ResetAnswer | StepAnswer | Fault
K = TypeVar("K", bound=Hashable)


def play_together(members: Mapping[K, SpadeEnv], asked: Mapping[K, int | Action]) -> dict[K, Answer]:
    """What the workers answer.

    Args:
        members: environments by any key; none has another call under way.
        asked: by the same keys the seed of a reset, after :meth:`SpadeEnv.prepare`, or the action of a turn.

    Returns:
        Answers for :func:`begun_by` and :func:`taken_by`. A ``lost`` one is nobody's fault: its worker was closed.
    """
    answers: dict[K, Answer] = {}
    suspects: set[K] = set()
    left = list(asked)
    # Every round answers the call that ended a worker, or makes it a suspect.
    for _ in range(2 * len(left) + 1):
        left = _recovered(left, members, asked, answers)
        calls = [_call(members[at], asked[at]) for at in left]
        answers.update(zip(left, exchange(calls), strict=True))
        again = {at for at in left if _is_death(answers[at])} - suspects
        suspects |= again
        left = [at for at in left if at in again or _is_lost(answers[at])]
        if not left:
            break
    return answers


def _recovered(
    wanted: Sequence[K], members: Mapping[K, SpadeEnv], asked: Mapping[K, int | Action], answers: dict[K, Answer]
) -> list[K]:
    """Those of the wanted members that have an instance now; faults of the others go to ``answers``."""
    left = list(wanted)
    while True:
        dead = next((at for at in left if (box := members[at].boxed) is None or not box.alive), None)
        if dead is None:
            return left
        member = members[dead]
        fault = member.revive() if isinstance(asked[dead], Action) else member.ready()
        if fault is not None:
            answers[dead] = fault
            left.remove(dead)


def _call(member: SpadeEnv, wanted: int | Action) -> Call:
    if member.boxed is None:
        raise AssertionError("a member without an instance is called")
    if isinstance(wanted, Action):
        return Call(member.boxed, (wanted.text, wanted.calls))
    return Call(member.boxed, seed=wanted)


def _is_lost(answer: Answer) -> bool:
    return isinstance(answer, Fault) and answer.kind is FaultKind.LOST


def _is_death(answer: Answer) -> bool:
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
