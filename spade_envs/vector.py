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
from .quarantine import Quarantine
from .sandbox.pool import WorkerPool
from .spaces import UnicodeText
from .together import begun_by, play_together, taken_by
from .types import Fault

Begun = tuple[str, dict[str, Any]]
Turned = tuple[str, float, bool, bool, dict[str, Any]]


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
        begun = self._play({at: seeds[at] for at in chosen}, {})[0]
        for at, (text, _) in begun.items():
            self._texts[at] = text
        return tuple(self._texts), self._gathered([(at, info) for at, (_, info) in begun.items()])

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
        begun, turned = self._play(dict.fromkeys(waiting), replies)
        rewards, texts = [0.0] * self.num_envs, self._texts
        terminations, truncations = np.zeros_like(self._over), np.zeros_like(self._over)
        for at, (text, reward, terminated, truncated, _) in turned.items():
            texts[at], rewards[at] = text, reward
            if terminated or truncated:
                terminations[at], truncations[at] = terminated, truncated
        self._over = terminations | truncations
        final: dict[int, dict[str, Any]] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._over.any():
            ended = np.flatnonzero(self._over).tolist()
            final = {at: {"final_obs": texts[at], "final_info": turned[at][4]} for at in ended}
            begun = {at: again for at in ended if (again := self.members[at].renewed()) is not None}
            for member in (self.members[at] for at in begun):
                if member.stop_reason is not None:
                    self.quarantine.note(member.source.sha256, member.fault)
            begun.update(self._play({at: None for at in ended if at not in begun}, {})[0])
            self._over[:] = False
        for at, (text, _) in begun.items():
            texts[at] = text
        infos = [begun[at][1] if at in begun else turned[at][4] for at in range(self.num_envs)]
        return tuple(texts), np.array(rewards), terminations, truncations, self._told(infos, final)

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

    def _told(self, infos: Sequence[dict[str, Any]], final: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
        """Infos of all members, and last ones of those that began anew, gathered."""
        if not final and len({tuple(info) for info in infos}) == 1:  # as in most turns
            gathered: dict[str, Any] = {}
            for key in sorted(infos[0], key=_is_late):
                gathered[key], gathered[f"_{key}"] = self._column(key, self._everyone, [info[key] for info in infos])
            return gathered
        told: list[tuple[int, dict[str, Any]]] = []
        for at, info in enumerate(infos):
            if at in final:
                told.append((at, final[at]))
            told.append((at, info))
        return self._gathered(told)

    def _gathered(self, told: Sequence[tuple[int, dict[str, Any]]]) -> dict[str, Any]:
        """Infos of members as Gymnasium gathers them: an array and a mask by key, dicts of them for dicts.

        Values that are not all of one kind, over which ``_add_info`` would stumble, come in an array of objects.
        """
        columns: dict[str, tuple[list[int], list[Any]]] = {}
        for at, info in told:
            for key, value in info.items():
                column = columns.get(key)
                if column is None:
                    column = columns[key] = ([], [])
                column[0].append(at)
                column[1].append(value)
        gathered: dict[str, Any] = {}
        for key, (places, values) in sorted(columns.items(), key=lambda one: _is_late(one[0])):  # masks last
            gathered[key], gathered[f"_{key}"] = self._column(key, places, values)
        return gathered

    def _column(self, key: str, places: Sequence[int], values: Sequence[Any]) -> tuple[Any, np.ndarray[Any, Any]]:
        """Values of one key, and the mask of the members that have it."""
        kinds, count = set(map(type, values)), self.num_envs
        everyone = places == self._everyone
        mask = (np.ones if everyone else np.zeros)(count, dtype=np.bool_)
        for at in () if everyone else places:
            mask[at] = True
        if kinds == {dict} and key != "final_obs":
            return self._gathered(list(zip(places, values, strict=True))), mask
        fits = kinds <= {float} or kinds <= {bool} or (kinds <= {int} and _are_int64(values))
        row = values
        if not everyone:
            row = [0 if fits else None] * count
            for at, value in zip(places, values, strict=True):
                row[at] = value
        return np.fromiter(row, dtype=kinds.pop() if fits else object, count=count), mask

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
        for at, action in enumerate(actions):
            if not isinstance(action, str):
                raise TypeError(f"action {at} must be a str (the player's raw reply), not {type(action).__name__}")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._over.any():
            ended = ", ".join(map(str, np.flatnonzero(self._over)))
            raise gymnasium.error.ResetNeeded(
                f"members {ended} have ended: reset them with options={{'reset_mask': ...}}"
            )

    def _play(
        self, seeds: Mapping[int, int | None], replies: Mapping[int, str]
    ) -> tuple[dict[int, Begun], dict[int, Turned]]:
        """Reset some members and play a turn of others, by number, together."""
        if self.closed:
            raise gymnasium.error.ClosedEnvironmentError("the environments were closed; make others")
        members = self.members
        asked: dict[int, int | Action] = {at: members[at].prepare(seed) for at, seed in seeds.items()}
        turned: dict[int, Turned] = {}
        for at, reply in replies.items():
            member = members[at]
            if member.stop_reason is None:
                asked[at] = read(reply, member.contract)
            else:  # its reset has failed
                turned[at] = member.step(reply)
        same = self.autoreset_mode is AutoresetMode.SAME_STEP
        answers = play_together(self._numbered, asked, self.quarantine, renew=same)
        begun = {}
        for at, wanted in asked.items():
            answer, member = answers[at], members[at]
            if isinstance(wanted, Action):
                turned[at] = taken_by(member, wanted, answer)
            else:
                begun[at] = begun_by(member, answer)
            if member.stop_reason is not None and not isinstance(answer, Fault):
                self.quarantine.note(member.source.sha256, member.fault)
        return begun, turned


def _is_late(key: str) -> bool:
    """Whether a key comes after those that may be named like its mask, which wins."""
    return not key.startswith("_")


def _are_int64(values: Sequence[int]) -> bool:
    return min(values) >= -(2**63) and max(values) < 2**63
