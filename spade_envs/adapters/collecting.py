"""What adapters have in common: where trajectories come from, and how they are cut into a prompt and the rest."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterable, Sequence
from typing import Protocol

from ..selfplay.failures import ConfigError
from ..selfplay.trajectories import INERT, MISSING_ENDS, TrajectoryError, checked
from ..types import Trajectory


class Collector(Protocol):
    """Self-play up to the update: designs, plays, rewards, advantages."""

    async def collect(self) -> Sequence[Trajectory]:
        """Trajectories for one optimizer step, of both roles in any order, each with its advantage."""


class Collecting:
    """Collects from code that is not asynchronous, as rollout functions of engines are.

    All calls run on one event loop in a thread of its own, so that connections live on from one to the next, and so
    that it works inside a loop of the engine as well.
    """

    def __init__(self, collector: Collector) -> None:
        self._collector = collector
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="spade-envs-collect", daemon=True)
        self._thread.start()

    def collect(self) -> list[Trajectory]:
        """One step's trajectories, checked, without those that have no outcome.

        Raises:
            TrajectoryError: when one is not fit to train on, or has no advantage.
        """
        done = asyncio.run_coroutine_threadsafe(_collect(self._collector), self._loop)
        return usable(done.result())

    def close(self) -> None:
        """End the thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _collect(collector: Collector) -> Sequence[Trajectory]:
    return await collector.collect()


def usable(trajectories: Iterable[Trajectory]) -> list[Trajectory]:
    """Those with an outcome, checked.

    Raises:
        TrajectoryError: when one is not fit to train on, or has no advantage.
    """
    return [ready(one) for one in trajectories if one.stop_reason not in MISSING_ENDS]


def ready(trajectory: Trajectory) -> Trajectory:
    """Return the trajectory if it can be trained on as it is.

    Raises:
        TrajectoryError: when it is not fit to train on, or has no advantage.
    """
    if checked(trajectory).advantage is None:
        raise TrajectoryError(f"Trajectory {trajectory.episode_id!r} ({trajectory.role}) has no advantage.")
    return trajectory


def advantage_of(trajectory: Trajectory) -> float:
    """Its advantage.

    Raises:
        TrajectoryError: when it has none.
    """
    return float(ready(trajectory).advantage or 0.0)


def prompt_length(trajectory: Trajectory) -> int:
    """Tokens before the first one the policy sampled; of one without any, all but the last.

    Engines that know a prompt and a response are given this cut; what stands between turns is masked in the response.

    >>> from spade_envs.selfplay.trajectories import EXAMPLE, inert
    >>> prompt_length(EXAMPLE), prompt_length(inert(EXAMPLE, 3))
    (2, 2)
    """
    mask = trajectory.loss_mask
    return mask.index(1) if 1 in mask else max(len(mask) - 1, 1)


def per_token(trajectory: Trajectory, value: float) -> list[float]:
    """``value`` where the policy sampled a token, 0.0 elsewhere; as long as the trajectory."""
    return [value if mask else 0.0 for mask in trajectory.loss_mask]


def numbered(names: Iterable[str]) -> list[int]:
    """A number for each distinct name, in order of appearance.

    >>> numbered(["a", "b", "a"])
    [0, 1, 0]
    """
    numbers: dict[str, int] = {}
    return [numbers.setdefault(name, len(numbers)) for name in names]


def check_temperature(trajectories: Iterable[Trajectory], temperature: float, setting: str) -> None:
    """See that the engine divides logits by what tokens were sampled with.

    Raises:
        ConfigError: when it does not.
    """
    for one in trajectories:
        if one.group != INERT and abs(one.temperature - temperature) > 1e-6:
            raise ConfigError(
                f"{one.episode_id!r} ({one.role}) was sampled at temperature {one.temperature}, but {setting} is "
                f"{temperature}, so that the engine would compute other log-probabilities. Set both to the same value."
            )
