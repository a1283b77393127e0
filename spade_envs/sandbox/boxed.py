"""One environment instance seen from outside the box: typed answers, or a fault.

What a worker sends is checked again here, after decoding (``checked``). A wrong shape is
:attr:`~spade_envs.types.FaultKind.LIED` and ends the worker.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ..types import Fault, FaultKind
from .checked import (
    Look,
    ResetAnswer,
    SolutionAnswer,
    StepAnswer,
    optional_text,
    plain_text,
    read_look,
    read_reset,
    read_solution,
    read_step,
)
from .host import Worker

T = TypeVar("T")


class BoxedEnv:
    """A handle on one instance in a worker. Made by :meth:`spade_envs.sandbox.pool.WorkerPool.spawn`."""

    def __init__(self, worker: Worker, number: int) -> None:
        self.worker = worker
        self.number = number
        self.again = False
        """Whether ``reset`` may begin an episode of a seed it has seen from a copy of the state; for explorations."""
        self.after: tuple[int, ResetAnswer | Fault] | None = None
        """Seed and answer of a reset that followed the last step at once."""

    @property
    def alive(self) -> bool:
        """Whether the worker still answers."""
        return self.worker.dead is None

    def _ask(self, op: str, soft: float, read: Callable[[Any], T], **fields: Any) -> T | Fault:
        answer = self.worker.ask(op, soft, id=self.number, **fields)
        if isinstance(answer, Fault):
            return answer
        return self.read(answer, op, read)

    def read(self, answer: Any, op: str, read: Callable[[Any], T]) -> T | Fault:
        """Read a decoded answer; a wrong shape ends the worker."""
        try:
            return read(answer)
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError, OverflowError):
            fault = Fault(FaultKind.LIED, op, "answered in a shape that no environment can have")
            self.worker.kill(fault)
            return fault

    def reset(self, seed: int) -> ResetAnswer | Fault:
        """Begin an episode with ``seed`` (0 <= seed < 2**31)."""
        return self._ask("reset", self.worker.limits.reset_seconds, read_reset, seed=seed, again=self.again)

    def step(self, text: str, calls: tuple[str, ...] = ()) -> StepAnswer | Fault:
        """Give the environment one action, as the action reader made it."""
        return self._ask("step", self.worker.limits.step_seconds, read_step, action=text, calls=list(calls))

    def turns(self, actions: Sequence[tuple[str, tuple[str, ...]]]) -> list[StepAnswer | Fault] | Fault:
        """Give the environment several actions in one message.

        Returns:
            The answers of as many turns as were played (at least one): a fault or an end of the episode comes last. Or
            the fault of the worker as a whole, when nobody knows which turn it belongs to.
        """
        answers = self.worker.ask_turns(self.number, actions, self.worker.limits.step_seconds)
        if isinstance(answers, Fault):
            return answers
        read = [one if isinstance(one, Fault) else self.read(one, "step", read_step) for one in answers]
        for at, one in enumerate(read[:-1]):
            if isinstance(one, Fault) or one.terminated or one.truncated:
                lied = Fault(FaultKind.LIED, "step", "answered turns after the end of the episode")
                self.worker.kill(lied)
                return [*read[:at], one if isinstance(one, Fault) else lied]
        return read

    def solution(self, seed: int, *, used: bool = False) -> SolutionAnswer | Fault:
        """What the author's ``solution()`` says for ``seed``; with ``used``, asked of a twin that was asked before."""
        return self._ask("solution", self.worker.limits.reset_seconds, read_solution, seed=seed, used=used)

    def advance(self, observation: str | None) -> str | Fault | None:
        """Next action of a generator solution; ``None`` when it is exhausted."""
        limit = self.worker.limits.step_seconds
        return self._ask("advance", limit, lambda answer: optional_text(answer["action"]), observation=observation)

    def hint(self) -> str | Fault:
        """The author's ``hint()`` for the present episode, or an empty string."""
        return self._ask("hint", self.worker.limits.step_seconds, lambda answer: plain_text(answer["hint"]))

    def search(self, seed: int) -> tuple[str, ...] | Fault:
        """A winning action list found by bounded search, or an empty tuple."""
        limits = self.worker.limits
        soft = limits.search_seconds * 2 + limits.reset_seconds
        return self._ask(
            "search",
            soft,
            lambda answer: tuple(plain_text(action) for action in answer["actions"]),
            seed=seed,
            seconds=limits.search_seconds,
            nodes=limits.search_nodes,
        )

    def look(self) -> Look | Fault:
        """State, criteria and tool methods of the present moment."""
        return self._ask("look", self.worker.limits.step_seconds, read_look)

    def drop(self) -> None:
        """Let the worker forget the instance, with the next message it gets."""
        self.worker.drop(self.number)

    def __del__(self) -> None:
        self.drop()
