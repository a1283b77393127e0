"""Many environments behind one ``step``: what ``gymnasium.make_vec`` gives.

Members are :class:`~spade_envs.env.SpadeEnv` objects that share a few workers, none of which ever holds two sources. A
step is one message per worker. When a worker ends, the member that ended it has its fault, and the others go on: their
episodes are played again in a new worker, from seed and actions, and compared with what was seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from .actions import Action, read
from .env import SpadeEnv
from .infos import Infos
from .quarantine import Quarantine
from .sandbox.batches import Answer
from .sandbox.checked import Turns
from .sandbox.pool import WorkerPool
from .settings import RESERVED, own_info
from .spaces import UnicodeText
from .together import begun_by, play_together, taken_by
from .types import Fault


class SpadeVectorEnv(gymnasium.vector.VectorEnv[tuple[str, ...], tuple[str, ...], "np.ndarray[Any, Any]"]):
    """Environments of one source or of several, stepped together. Closing it ends its workers.

    Observations and actions are tuples of ``num_envs`` texts, rewards ``float64`` arrays, ends ``bool`` arrays, all of
    shape ``(num_envs,)``. Episodes are the same as those of single environments with the same seeds and actions. A
    member that fails is truncated with ``infos["stop_reason"]`` and ``infos["error"]``, and begins anew at its next
    reset.

    Args:
        members: the environments; they are reset by this class only.
        pools: the pools of workers they run in; closed with this environment.
        quarantine: failed episodes among the last 8 of a source after which it is not run any more; its members are
            then truncated at every turn, and ``infos["error"]`` says why. 0 never does that.
        autoreset_mode: when a member that has ended is reset, as in Gymnasium: at the next step (which ignores its
            action), in the same step (its last observation and info are then in ``final_obs`` and ``final_info``), or
            not at all.

    Raises:
        ValueError: no members.
    """

    def __init__(
        self,
        members: Sequence[SpadeEnv],
        pools: Sequence[WorkerPool] = (),
        *,
        quarantine: int = 5,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        if not members:
            raise ValueError("a vector environment needs at least one member")
        self.members = tuple(members)
        self.num_envs = len(self.members)
        self._numbered, self._everyone = dict(enumerate(self.members)), list(range(self.num_envs))
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1, "autoreset_mode": self.autoreset_mode}
        self.render_mode = self.members[0].render_mode
        longest = max(member.observation_space.max_length for member in self.members)
        self.single_action_space = self.members[0].action_space
        self.single_observation_space = UnicodeText(longest)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.quarantine = Quarantine(quarantine)
        """Who failed how often (``faults``), and who is not run any more (``shut_out``), by the hash of its text."""
        self._pools = tuple(pools)
        self._texts = [""] * self.num_envs
        self._over = np.zeros(self.num_envs, dtype=np.bool_)
        """Members whose episode has ended."""
        self._begun = False

    # -- gymnasium -----------------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[tuple[str, ...], dict[str, Any]]:
        """Begin an episode of every member, or of those in ``options["reset_mask"]``.

        Args:
            seed: one for the first member, counted up for the others; one per member; or ``None``, which lets every
                member draw its own.
            options: ``reset_mask``, a ``bool`` array of shape ``(num_envs,)`` with at least one ``True``.

        Returns:
            All observations, and infos of the members that were reset.

        Raises:
            ValueError: another number of seeds, or a mask that is none.
            SandboxError: this machine cannot isolate the sources as required.
        """
        seeds = self._seeds(seed)
        chosen = self._chosen(options)
        self._begun = True
        moment = _Moment(self, self._texts)
        self._play(moment, {at: seeds[at] for at in chosen}, {})
        return tuple(self._texts), moment.infos.gathered()

    def step(
        self, actions: Sequence[str]
    ) -> tuple[tuple[str, ...], np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any], dict[str, Any]]:
        """One turn of every member.

        Raises:
            ValueError: another number of actions than members.
            TypeError: an action is no ``str``.
            gymnasium.error.ResetNeeded: before the first ``reset``; or, without autoreset, for a member that has ended.
        """
        self._check(actions)
        waiting: list[int] = []
        if self.autoreset_mode is AutoresetMode.NEXT_STEP and self._over.any():
            waiting = np.flatnonzero(self._over).tolist()
        replies = dict(enumerate(actions))
        for at in waiting:
            del replies[at]
        moment = _Moment(self, self._texts)
        try:
            self._play(moment, dict.fromkeys(waiting), replies)
        finally:  # after Ctrl-C too: who has ended waits for its reset
            if self.autoreset_mode is not AutoresetMode.SAME_STEP:
                moment.note_ends(self._over)
        moment.renew()
        if moment.ended:
            self._play(moment, dict.fromkeys(sorted(moment.ended)), {})
        terminations, truncations = np.array(moment.terminations), np.array(moment.truncations)
        return tuple(self._texts), np.array(moment.rewards), terminations, truncations, moment.infos.gathered()

    def render(self) -> tuple[str | None, ...] | None:  # type: ignore[override]  # gymnasium allows None only as a whole
        """The last observations, for ``render_mode="ansi"``."""
        return tuple(self._texts) if self.render_mode == "ansi" else None

    def close_extras(self, **kwargs: Any) -> None:
        """End the workers."""
        for member in self.members:
            member.close()
        for pool in self._pools:
            pool.close()

    # -- inside --------------------------------------------------------------------------------------------

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, (int, np.integer)):
            return [int(seed) + at for at in range(self.num_envs)]
        seeds = [None if one is None else int(one) for one in seed]
        if len(seeds) != self.num_envs:
            raise ValueError(
                f"{len(seeds)} seeds for {self.num_envs} members; give one per member, one in all, or None"
            )
        return seeds

    def _chosen(self, options: dict[str, Any] | None) -> list[int]:
        mask = (options or {}).get("reset_mask")
        if mask is None:
            self._over[:] = False
            return list(range(self.num_envs))
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask must be a bool array of shape ({self.num_envs},), not {mask!r}")
        if not mask.any():
            raise ValueError("reset_mask must hold at least one True: nothing would be reset")
        self._over &= ~mask
        return [int(at) for at in np.flatnonzero(mask)]

    def _check(self, actions: Sequence[str]) -> None:
        if not self._begun:
            raise gymnasium.error.ResetNeeded("call reset() before step()")
        if isinstance(actions, str) or not hasattr(actions, "__len__"):
            raise ValueError(f"step() needs {self.num_envs} actions, one per member, not one {type(actions).__name__}")
        if len(actions) != self.num_envs:
            raise ValueError(f"step() needs {self.num_envs} actions, one per member, found {len(actions)}")
        for at, action in enumerate(actions) if set(map(type, actions)) != {str} else ():
            if not isinstance(action, str):
                raise TypeError(f"action {at} must be a str (the player's raw reply), not {type(action).__name__}")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            ended = ", ".join(map(str, np.flatnonzero(self._over)))
            raise gymnasium.error.ResetNeeded(
                f"members {ended} have ended: reset them with options={{'reset_mask': ...}}"
            )

    def _play(self, moment: _Moment, seeds: Mapping[int, int | None], replies: Mapping[int, str]) -> None:
        """Reset some members and play a turn of others, by number, together."""
        if self.closed:
            raise gymnasium.error.ClosedEnvironmentError("the environments were closed; make others")
        members = self.members
        asked: dict[int, int | Action] = {at: members[at].prepare(seed) for at, seed in seeds.items()}
        for at, reply in replies.items():
            member = members[at]
            if member.stop_reason is None:
                asked[at] = read(reply, member.contract)
            else:  # its reset has failed
                moment.turned(at, member.step(reply))
        moment.asks(asked)
        same = self.autoreset_mode is AutoresetMode.SAME_STEP
        answers = play_together(self._numbered, asked, self.quarantine, renew=same, listener=moment)
        for at in sorted(moment.left()):
            moment.hear(at, answers[at])


class _Moment:
    """What comes of one step or reset of all, put in its place as the answers arrive."""

    def __init__(self, env: SpadeVectorEnv, texts: list[str]) -> None:
        self._members, self._quarantine, count = env.members, env.quarantine, env.num_envs
        self._same = env.autoreset_mode is AutoresetMode.SAME_STEP
        self._asked: dict[int, int | Action] = {}
        self.texts, self.infos = texts, Infos(count)
        self.rewards, self.terminations, self.truncations = [0.0] * count, [False] * count, [False] * count
        self.ended: list[int] = []
        """Members that are to be reset in this step, and were not."""
        self._heard: set[int] = set()
        self._later: list[int] = []
        """Members whose reset has followed, and that ask their worker for more: not while its answers are taken."""

    def asks(self, asked: dict[int, int | Action]) -> None:
        """Seeds and actions of members that are to be heard, once each."""
        self._asked, self._heard = asked, set()

    def left(self) -> set[int]:
        """Members that were asked and are not heard yet."""
        return self._asked.keys() - self._heard

    def hear_turns(self, names: Sequence[int], turns: Turns) -> None:
        """Take turns of several members that ended nothing."""
        members, asked, texts, rewards = self._members, self._asked, self.texts, self.rewards
        ended: list[int] = []
        self._heard.update(names)
        for at, text, reward in zip(names, turns.observations, turns.rewards, strict=True):
            texts[at], rewards[at] = text, reward
            action = asked[at]
            assert isinstance(action, Action), "only turns are told so"
            if not members[at].went_on(action, text, reward):
                ended.append(at)
        if not ended and RESERVED.isdisjoint(turns.names):
            self.infos.add_many(names, turns.names, turns.values)
            return
        for at, answer in zip(names, turns.answers(), strict=True):
            if at in ended:
                self.hear(at, answer)
            else:
                self.infos.add(at, own_info(answer.info))

    def hear(self, at: int, answer: Answer) -> None:
        """Take the answer for a member."""
        self._heard.add(at)
        member, wanted = self._members[at], self._asked[at]
        if type(wanted) is Action:
            turn = taken_by(member, wanted, answer)
            if member.stop_reason is None:
                self.texts[at], self.rewards[at] = turn[0], turn[1]
                self.infos.add(at, turn[4])
                return
            self._note(member, answer)
            self.turned(at, turn)
        else:
            self.begun(at, begun_by(member, answer))
            self._note(member, answer)

    def turned(self, at: int, turn: tuple[str, float, bool, bool, dict[str, Any]]) -> None:
        """Take what a step of a member returns that ends its episode, and begin the next one where that is due."""
        text, self.rewards[at], self.terminations[at], self.truncations[at], info = turn
        self.texts[at] = text
        if not self._same:
            self.infos.add(at, info)
            return
        self.infos.add(at, {"final_obs": text, "final_info": info})
        member = self._members[at]
        if member.settings.hinted:
            self._later.append(at)
        else:
            self._renew(at, member)

    def renew(self) -> None:
        """Begin the episodes that could not begin while the answers were taken."""
        for at in sorted(self._later):
            self._renew(at, self._members[at])

    def _renew(self, at: int, member: SpadeEnv) -> None:
        if (begun := member.renewed()) is None:
            self.ended.append(at)
            return
        self.begun(at, begun)
        self._note(member, None)

    def note_ends(self, over: np.ndarray[Any, Any]) -> None:
        """Mark in ``over`` the members that have ended, and no others of those that were heard."""
        over[list(self._heard)] = False
        over |= np.array(self.terminations) | np.array(self.truncations)

    def begun(self, at: int, begun: tuple[str, dict[str, Any]]) -> None:
        """Take what a reset of a member returns."""
        self.texts[at], info = begun
        self.infos.add(at, info)

    def _note(self, member: SpadeEnv, answer: Answer | None) -> None:
        if member.stop_reason is not None and not isinstance(answer, Fault):
            self._quarantine.note(member.source.sha256, member.fault)
