"""From what a cycle collected to what is trained on: outcomes, regrets, rewards and advantages of both roles.

A pure function of the cycle and of the state before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ..types import ENV_FAULTS, StopReason, Trajectory
from .advantages import advantages
from .config import Config
from .delay import DesignerBuffer, DesignSample
from .evidence import Design, Evidence
from .outcomes import agent_reward
from .priors import Prior
from .records import Collected, Play, Played, Reply
from .remember import outcomes
from .rewards import designer_rewards
from .trackers import Tracker


@dataclass(frozen=True)
class Paid:
    """What a cycle is trained on, and the state after it."""

    agent: tuple[Trajectory, ...]
    """With rewards and advantages; episodes without an outcome are not there."""
    designer: tuple[Trajectory, ...]
    """Of this cycle, or of an earlier one whose delay has ended; likewise."""
    evidence: dict[str, Evidence]
    """By reply of this cycle."""
    prior: Prior
    tracker: Tracker
    buffer: DesignerBuffer


def pay(
    collected: Collected, config: Config, prior: Prior, tracker: Tracker, buffer: DesignerBuffer, *, last: bool
) -> Paid:
    """Rewards and advantages of one cycle.

    Args:
        collected: what was drawn.
        config: of the run.
        prior: of regrets, as earlier cycles left it: it is frozen while a cycle is paid.
        tracker: of learning potential.
        buffer: designs that wait.
        last: whether no cycle follows: then no design is left waiting.

    Raises:
        ValueError: for a reward that is NaN.
    """
    played = {one.key: one for one in collected.played}
    evidence = {reply.key: evidence_of(reply, played.get(reply.key)) for reply in collected.replies}
    if buffer.waiting:
        again = {key: one for key, one in played.items() if key not in evidence}
        failed = {key: fault for key, one in again.items() if (fault := fault_of(one)) is not None}
        for key, fault in failed.items():
            buffer = buffer.failed(key, fault)
        later = {key: outcomes(one.plain) for key, one in again.items() if key not in failed}
        buffer = buffer.played(collected.cycle, later)
    trained = config.design.designer == "trained"
    if trained:
        samples = [
            DesignSample(reply.trajectory, evidence[reply.key], reply.key)
            for reply in collected.replies
            if reply.trajectory is not None and _is_sample(evidence[reply.key], config)
        ]
        buffer = buffer.add(collected.cycle, samples)
    agent = agent_trajectories(collected.played, config)
    paying = _Paying(config, prior, tracker, len(agent))
    buffer, due = buffer.flush(paying.pay) if last else buffer.pop(collected.cycle, paying.pay)
    designer = tuple(
        one for batch in due for one in _advantaged([sample.trajectory for sample in batch.samples], "centred")
    )
    measured = [one for one in evidence.values() if one.design is Design.ADMITTED]
    return Paid(agent, designer, evidence, prior.seen(measured), paying.tracker, buffer)


class _Paying:
    """Pays batches of designs, one after the other; the tracker goes from each to the next."""

    def __init__(self, config: Config, prior: Prior, tracker: Tracker, agents: int) -> None:
        self._config, self._prior, self.tracker, self._agents = config, prior, tracker, agents

    def pay(self, evidence: Sequence[Evidence]) -> Sequence[float | None]:
        # The paper's code moves its tracker by a batch before it pays the batch.
        self.tracker = self.tracker.seen([one for one in evidence if one.design is Design.ADMITTED])
        return designer_rewards(evidence, self._config.design, self._prior, self.tracker, self._agents)


def _is_sample(evidence: Evidence, config: Config) -> bool:
    if evidence.design is Design.UNDECIDED:
        return False
    return config.design.refusals or evidence.design in (Design.ADMITTED, Design.FAULTY, Design.HUNG)


def evidence_of(reply: Reply, played: Played | None) -> Evidence:
    """What is known about a reply; a fault while its environment was played weighs more than any outcome."""
    design = reply.design
    plain: tuple[float | None, ...] = ()
    hinted: tuple[float | None, ...] = ()
    if played is not None:
        plain, hinted = outcomes(played.plain), outcomes(played.hinted)
        if hinted:  # arms of unlike length are filled up with what is missing
            longest = max(len(plain), len(hinted))
            plain, hinted = ((*arm, *(None,) * (longest - len(arm))) for arm in (plain, hinted))
        design = fault_of(played) or design
    return Evidence(reply.slot.skill, design, plain, hinted, repaired=reply.turn > 0)


def fault_of(played: Played) -> Design | None:
    """``HUNG`` or ``FAULTY`` where an environment failed while it was played; ``None`` where it did not."""
    faults = {play.episode.stop_reason for play in (*played.plain, *played.hinted)} & ENV_FAULTS
    if not faults:
        return None
    return Design.HUNG if StopReason.ENV_HUNG in faults else Design.FAULTY


def agent_trajectories(played: Iterable[Played], config: Config) -> tuple[Trajectory, ...]:
    """The agent's plain episodes, rewarded by outcome, with advantages inside each group; hinted ones are measured
    only. An environment that failed gives none at all: its outcomes say nothing about the agent."""
    found = []
    for one in played:
        if fault_of(one) is not None:
            continue
        found += [rewarded for play in one.plain if (rewarded := _rewarded(play, config.play.overlong)) is not None]
    return tuple(_advantaged(found, config.train.advantage))


def _rewarded(play: Play, overlong: str) -> Trajectory | None:
    reward = agent_reward(play.episode.outcome, play.episode.stop_reason, overlong)
    if reward is None or play.trajectory is None:
        return None
    return replace(play.trajectory, reward=reward)


def _advantaged(trajectories: Sequence[Trajectory], convention: str) -> list[Trajectory]:
    found = advantages([one.reward for one in trajectories], [one.group for one in trajectories], convention)
    return [replace(one, advantage=value) for one, value in zip(trajectories, found, strict=True)]
