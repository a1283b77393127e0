"""What Gymnasium sees: a boxed source with the manners ``check_env`` asks for."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import seeding

from . import actions
from .episodes import FAULT_STOPS, SUCCESS_REWARD
from .errors import RenderModeError, SourceError
from .sandbox.batches import Begin
from .sandbox.boxed import BoxedEnv
from .sandbox.checked import ResetAnswer, StepAnswer
from .sandbox.host import BoxOptions
from .sandbox.pool import WorkerPool
from .settings import EnvSettings as EnvSettings
from .settings import listed, own_info
from .spaces import UnicodeText
from .types import EnvSource, Fault, FaultKind, Limits, StopReason

SEEDS = 2**31
"""Seeds of episodes lie in ``range(SEEDS)``, for the gate and for training alike."""

_OVER = "The episode is over. Call reset() to begin another."

MOST_TOGETHER = 256
"""Most actions in one message: of 8 KiB each, they fit into a frame."""


class SpadeEnv(gymnasium.Env[str, str]):
    """One source behind ``reset`` and ``step``, in a worker process of its own.

    Observations and actions are text; the action is a model's raw reply, read by :mod:`spade_envs.actions`. A fault of
    the environment never raises here: it ends the episode as ``truncated`` with reward 0.0 and ``info["stop_reason"]``.
    ``terminated`` and ``truncated`` are never both true.

    Raises:
        SandboxError: at the first ``reset``, when this machine cannot isolate the source as required.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  # gymnasium's own spelling

    def __init__(
        self,
        source: EnvSource,
        settings: EnvSettings | None = None,
        *,
        render_mode: str | None = None,
        pool: WorkerPool | None = None,
        limits: Limits | None = None,
        options: BoxOptions | None = None,
    ) -> None:
        self.source = source
        self.settings = settings or EnvSettings()
        if self.settings.tools not in ("info", "text"):
            raise ValueError(f"tools must be 'info' or 'text', not {self.settings.tools!r}")
        if render_mode not in (None, "ansi"):
            raise RenderModeError(f"render_mode must be None or 'ansi', not {render_mode!r}")
        self.render_mode = render_mode
        self._generator: np.random.Generator | None = None
        self._longest = 4 * (limits or Limits()).observation_bytes
        self._owns_pool = pool is None
        self.pool = pool or WorkerPool(limits, options)
        """Where its instance lives."""
        self.boxed: BoxedEnv | None = None
        self.fault: Fault | None = None
        """What the environment did wrong in this episode."""
        self.action = ""
        """The action read from the last reply."""
        self.contract = self.settings.contract
        """The contract in force, known after ``reset``."""
        self.stop_reason: StopReason | None = None
        """Why the episode ended, once it has."""
        self.repairs: set[str] = set()
        """What had to be mended in this episode."""
        self.max_turns = 0
        """Turn limit in force, known after ``reset``."""
        self._turns, self._earned, self._success, self._begun = 0, 0.0, False, False
        self._text = ""
        self._seed = 0
        self._ahead: int | None = None
        self._then: Begin | None = None
        self.history: list[actions.Action] = []
        """Actions of this episode so far."""

    @functools.cached_property
    def action_space(self) -> UnicodeText:  # type: ignore[override]  # gymnasium's plain attribute
        """Raw replies of a player."""
        return UnicodeText(actions.LONGEST_REPLY)

    @functools.cached_property
    def observation_space(self) -> UnicodeText:  # type: ignore[override]
        """What an environment may show."""
        return UnicodeText(self._longest)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: taken modulo 2**31; ``None`` draws one from ``np_random``, so that every episode has a seed on record.
            options: ignored.

        Returns:
            First observation, and info with ``seed`` and, for tools environments, ``tools``.
        """
        return self.begun(self._begin(self.prepare(seed)))

    def prepare(self, seed: int | None) -> int:
        """Forget the last episode, and say with which seed the worker is to be reset: for who asks it otherwise."""
        if type(seed) is int and seed >= 0:
            self._np_random_seed, self._generator = seed, None  # made when it is asked for: most episodes do not
        else:
            super().reset(seed=seed)
        episode_seed = self._next_seed() if seed is None else seed % SEEDS
        self._ahead = self._then = None
        self.fault, self.stop_reason, self.action = None, None, ""
        self._seed, self.history, self._begun = episode_seed, [], False
        self.repairs, self._turns, self._earned, self._success = set(), 0, 0.0, False
        return episode_seed

    def _next_seed(self) -> int:
        """The seed of the next episode that is given none."""
        if self._ahead is None:
            self._ahead = int(self.np_random.integers(SEEDS))
        return self._ahead

    def next_begin(self) -> Begin:
        """The reset that is to follow if the next turn is the last one."""
        last = self._turns + 1 >= self.max_turns
        if self._then is None or last:
            self._then = Begin(self._next_seed(), last)
        return self._then

    def renewed(self) -> tuple[str, dict[str, Any]] | None:
        """What :meth:`reset` returns, where a reset has followed the last turn already; otherwise ``None``."""
        after = self.boxed.after if self.boxed is not None else None
        if self.boxed is None or after is None or after[0] != self._next_seed() or not self.boxed.alive:
            return None
        self.boxed.after = None
        self.prepare(None)
        return self.begun(after[1])

    def begun(self, answer: ResetAnswer | Fault) -> tuple[str, dict[str, Any]]:
        """What :meth:`reset` returns, given the answer to the reset that :meth:`prepare` asked for."""
        episode_seed = self._seed
        self._begun = True
        if isinstance(answer, Fault):
            self._text = f"The environment could not be reset: {answer.kind.value}."
            return self._failed_reset(answer)
        self.repairs.update(answer.repairs)
        offers = answer.tool_base or bool(answer.tools)
        self.contract = self.settings.contract or ("tools" if offers else "interactive")
        self.max_turns = self._turn_limit(answer)
        self._text = self._first_text(answer)
        if self.fault is not None:
            # Without its hint an episode of the hinted arm would be measured as something it is not.
            return self._failed_reset(self.fault)
        info = {**own_info(answer.info), "seed": episode_seed}
        if self.contract == "tools":
            info["tools"] = list(answer.tools)
        return self._text, info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """One turn: read the reply, give its action to the environment.

        Raises:
            TypeError: when ``action`` is no ``str``: that is the caller's mistake, not the environment's.
        """
        if not isinstance(action, str):
            raise TypeError(f"the action must be a str (the player's raw reply), not {type(action).__name__}")
        if self.stop_reason is not None:
            return self._closing(0.0, self._text if self.fault is not None and not self.history else _OVER, {})
        if self.boxed is None or not self._begun:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        read = self.read(action)
        lost = self.revive() if self.boxed.worker.retired else None
        return self.taken(read, lost or self.boxed.step(read.text, read.calls))

    def read(self, reply: str) -> actions.Action:
        """The action in a reply."""
        return actions.read(reply, self.contract)

    def went_on(self, read: actions.Action, text: str, reward: float) -> bool:
        """Note a turn that ended nothing; where a turn limit ends the episode now, it is for :meth:`taken` instead."""
        if self._turns + 1 >= self.max_turns:
            return False
        self.history.append(read)
        self.action, self._text = read.text, text
        self._turns, self._earned = self._turns + 1, self._earned + reward
        return True

    def taken(self, read: actions.Action, answer: StepAnswer | Fault) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """What :meth:`step` returns, given the worker's answer to an action."""
        self.history.append(read)
        self.action = read.text
        self._turns += 1
        if isinstance(answer, Fault):
            self._fail(answer)
            return self._failed()
        text, reward, terminated, truncated, info, repairs = answer
        self._earned += reward
        if repairs:
            self.repairs.update(repairs)
        if not terminated and not truncated and self._turns < self.max_turns:
            self._text = text
            return text, reward, False, False, own_info(info)
        self.stop_reason = StopReason.TERMINATED if terminated else StopReason.TURN_LIMIT
        if not terminated and not truncated:
            self.repairs.add("turns_cut")
        return self._closing(reward, text, info)

    def _failed_reset(self, fault: Fault) -> tuple[str, dict[str, Any]]:
        self._fail(fault)
        return self._text, {"seed": self._seed, "stop_reason": FAULT_STOPS[fault.kind].value, "error": fault.message}

    def _failed(self) -> tuple[str, float, bool, bool, dict[str, Any]]:
        return self._closing(0.0, f"The environment failed: {self.fault.kind.value if self.fault else 'unknown'}.", {})

    def step_many(self, replies: Sequence[str]) -> list[tuple[str, float, bool, bool, dict[str, Any]]]:
        """Several turns in one message to the worker, for replies that do not depend on what comes back.

        Args:
            replies: raw replies in order, at least one.

        Returns:
            What :meth:`step` returns, for as many of the replies as were played: none after the end of the episode, and
            fewer when they took long.
        """
        if len(replies) == 1 or self.stop_reason is not None or self.boxed is None or not self._begun:
            return [self.step(replies[0])]
        most = min(MOST_TOGETHER, max(1, self.max_turns - self._turns))
        read = [actions.read(reply, self.contract) for reply in replies[:most]]
        answers = self.boxed.turns([(one.text, one.calls) for one in read])
        if isinstance(answers, Fault):
            return self._one_by_one(replies[:most], answers)
        results = []
        for one, answer in zip(read, answers, strict=False):
            results.append(self.taken(one, answer))
        return results

    def _one_by_one(self, replies: Sequence[str], fault: Fault) -> list[tuple[str, float, bool, bool, dict[str, Any]]]:
        """The worker ended within a batch: play the episode again in a new one, and step to the turn that does it."""
        failed = fault if fault.kind is FaultKind.LOST else self.revive()
        if failed is not None:
            return [self.taken(self.read(replies[0]), failed)]
        results = []
        for reply in replies:
            results.append(self.step(reply))
            if self.stop_reason is not None:
                return results
        # A new instance does not do it: what the used one did remains its fault.
        self._fail(fault)
        return [*results[:-1], self._failed()]

    def revive(self, *, alone: bool = False) -> Fault | None:
        """Bring an episode back whose worker has ended: reset a new instance with its seed, and play its actions again.

        Args:
            alone: in a worker of its own, where no other instance is in its way, nor it in theirs.

        Returns:
            The fault that prevented it, ``broke`` where the episode comes out otherwise than before; or ``None``.
        """
        self.boxed = None
        begun = self._begin(self._seed, alone=alone)
        if isinstance(begun, Fault):
            return begun
        if self.settings.hinted:
            self.hint()  # which may change what comes
        left, shown = [(one.text, one.calls) for one in self.history], self._text
        while left and self.boxed is not None:
            answers = self.boxed.turns(left[:MOST_TOGETHER])
            answers = [answers] if isinstance(answers, Fault) else answers
            if isinstance(answers[-1], Fault):
                self.boxed = None
                return answers[-1]
            shown = answers[-1].observation
            del left[: len(answers)]
        if shown != self._text:
            self.boxed = None
            message = "plays differently when its episode is played again; `spade-envs check` tells more"
            return Fault(FaultKind.BROKE, "step", message, field="observation")
        return None

    def render(self) -> str | None:
        """The last observation, for ``render_mode="ansi"``."""
        return self._text if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the worker, or let it forget this environment where others share it."""
        if self.boxed is not None:
            self.boxed.drop()
        self.boxed = None
        if self._owns_pool:
            self.pool.close()

    def preload(self) -> None:
        """Make the instance now rather than at the first ``reset``, and complain as an exception if it cannot be made.

        Raises:
            SourceError: the source is refused by the box or fails to load.
            SandboxError: this machine cannot isolate the source as required.
        """
        spawned = self.pool.spawn(self.source, max_turns=self.settings.cap_turns)
        if isinstance(spawned, Fault):
            self.close()
            where = "" if spawned.line is None else f" (line {spawned.line})"
            raise SourceError(f"the source cannot be played: {spawned.message}{where}; `spade-envs check` tells more")
        self.boxed = spawned

    @property
    def _np_random(self) -> np.random.Generator | None:
        if self._generator is None and self._np_random_seed is not None:
            self._generator, _ = seeding.np_random(self._np_random_seed)
        return self._generator

    @_np_random.setter
    def _np_random(self, value: np.random.Generator | None) -> None:
        self._generator = value

    @property
    def has_begun(self) -> bool:
        """Whether there was a ``reset``."""
        return self._begun

    def _begin(self, seed: int, *, alone: bool = False) -> ResetAnswer | Fault:
        if (fault := self.ready(alone=alone)) is not None:
            return fault
        return self.boxed.reset(seed) if self.boxed else Fault(FaultKind.LOST, "reset", "there is no instance")

    def ready(self, *, alone: bool = False) -> Fault | None:
        """See to it that there is an instance to reset; the fault that prevents it, or ``None``.

        Args:
            alone: as for :meth:`revive`; otherwise an instance in a worker of its own makes way for one among others.
        """
        if not alone:
            self.go_home()
        if self.boxed is None or not self.boxed.alive:
            spawned = self.pool.spawn(self.source, max_turns=self.settings.cap_turns, alone=alone)
            if isinstance(spawned, Fault):
                self.boxed = None
                return spawned
            self.boxed = spawned
            self.boxed.again = self.settings.again
        return None

    def go_home(self) -> None:
        """Leave a worker of its own, where others of the source share one: for an episode that is about to begin."""
        if self.boxed is not None and self.boxed.worker.room < self.pool.crowd(self.source):
            self.boxed.drop()
            self.boxed = None

    def _turn_limit(self, answer: ResetAnswer) -> int:
        limits = [n for n in (self.settings.max_turns, self.settings.cap_turns, answer.max_turns) if n]
        return min(limits) if limits else self.pool.limits.max_turns

    def _first_text(self, answer: ResetAnswer) -> str:
        text = answer.observation
        if self.settings.tools == "text":
            text += listed(answer.tools)
        if self.settings.hinted:
            hint = self.hint()
            if isinstance(hint, Fault):
                self._fail(hint)
                return f"The environment could not give its hint: {hint.kind.value}."
            text += f"\n\nHINT: {hint}" if hint else ""
        return text

    def hint(self) -> str | Fault:
        """The static hint, or the author's ``hint()`` for the present episode; empty when there is none."""
        if self.settings.hint or self.boxed is None:
            return self.settings.hint
        # Where the worker has ended since an episode began, that was another's doing.
        lost = self.revive() if self._begun and not self.history and not self.boxed.alive else None
        return lost or self.boxed.hint()

    def _closing(self, reward: float, text: str, info: dict[str, Any]) -> tuple[str, float, bool, bool, dict[str, Any]]:
        reason = self.stop_reason or StopReason.TERMINATED
        terminated = reason is StopReason.TERMINATED
        self._success |= terminated and (reward >= SUCCESS_REWARD or self._earned >= SUCCESS_REWARD)
        self._text = text
        told: dict[str, Any] = {**own_info(info), "stop_reason": reason.value, "success": self._success}
        if self.fault is not None:
            told["error"] = self.fault.message
        return text, reward, terminated, not terminated, told

    def _fail(self, fault: Fault) -> None:
        self.fault = fault
        self.stop_reason = FAULT_STOPS[fault.kind]
        # Its state is whatever the interrupted call left: the next episode gets a new instance.
        if self.boxed is not None and self.boxed.alive:
            self.boxed.drop()
        self.boxed = None
