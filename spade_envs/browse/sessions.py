"""Episodes that a person plays in the page: each in a box of its own, few at once, and ended when nobody goes on.

Everything here waits for a worker process and may be called from any thread; the page does so off its event loop.
"""

from __future__ import annotations

import dataclasses
import secrets
import threading
import time
from collections.abc import Callable

from ..env import SEEDS, EnvSettings, SpadeEnv
from ..errors import SandboxError, SpadeEnvsError
from ..reproduction import witness_actions
from ..rollout import Rollout
from ..sandbox.host import BoxOptions
from ..typed_replies import Tool, dressed, tools_in
from ..types import EnvSource, Episode, Stop, StopReason

MOST = 8
"""Episodes in the making at the same time: each has a process."""
KEPT = 32
"""Episodes that are over and can still be looked at."""
IDLE_SECONDS = 600.0
"""How long an episode may wait for its next reply."""
LONGEST_TYPED = 64 * 1024
"""Characters of one typed reply."""
_LOOK_SECONDS = 15.0


class PlayError(SpadeEnvsError, RuntimeError):
    """An episode cannot be begun or gone on with; says why and what to do."""


class NoEpisodeError(PlayError):
    """There is no such episode, or no longer."""


class FullError(PlayError):
    """As many episodes as may be are being played."""


class BusyError(PlayError):
    """The last reply is still being played."""


@dataclasses.dataclass(frozen=True)
class Start:
    """What is to be played, and how."""

    source: EnvSource
    seed: int
    settings: EnvSettings = EnvSettings()  # noqa: RUF009  # frozen
    env_id: str = ""
    """Gymnasium id for the record, where there is one."""
    witness: bool = False
    """Whether the author's solution plays, turn by turn, rather than a person."""


@dataclasses.dataclass(frozen=True)
class Standing:
    """Where an episode is: what the page shows."""

    key: str
    start: Start
    episode: Episode
    """So far; its ``stop_reason`` counts once it is over."""
    living: bool
    """Whether it goes on."""
    contract: str
    max_turns: int
    """Turn limit in force; 0 when the reset failed."""
    tools: tuple[Tool, ...] = ()
    planned: tuple[str, ...] = ()
    """Replies of the author's solution that are still to come."""


class _Session:
    """One episode in the making, or over."""

    def __init__(self, key: str, start: Start, options: BoxOptions, now: float) -> None:
        self.key, self.start, self.used = key, start, now
        self.env = SpadeEnv(start.source, start.settings, options=options)
        self.rollout = Rollout(
            self.env, start.seed, player="witness" if start.witness else "human", env_id=start.env_id
        )
        self.lock = threading.Lock()
        """Held while something is played."""
        self.planned: tuple[str, ...] = ()
        self.tools: tuple[Tool, ...] = ()
        self.closed = False

    def begin(self) -> None:
        if self.start.witness:
            self.planned = witness_actions(self.start.source, self.start.seed, options=self.env.pool.options)
        self.rollout.begin()
        self.tools = tools_in(self.rollout.infos[0])
        if self.start.witness and not self.planned:
            message = "neither the author's solution nor a short search wins with this seed"
            self.rollout.stop(Stop(StopReason.PLAYER_STOPPED, message))
        self.settle()

    def feed(self, reply: str) -> None:
        try:
            self.rollout.feed(reply)
        except SandboxError as error:
            self.rollout.stop(Stop(StopReason.CANCELLED, str(error)))
        self.settle()

    def settle(self) -> None:
        """Give the process back once the episode is over."""
        if self.rollout.over and not self.closed:
            self.closed = True
            self.env.close()

    def standing(self) -> Standing:
        return Standing(
            self.key,
            self.start,
            self.rollout.episode(),
            not self.rollout.over,
            self.env.contract,
            self.env.max_turns,
            self.tools,
            self.planned,
        )


class PlaySessions:
    """The episodes of one page. Threads may share it.

    Args:
        most: episodes in the making at the same time.
        idle_seconds: how long one may wait for its next reply before :meth:`reap` ends it.
        clock: seconds that only grow.
        options: how to build the boxes.
    """

    def __init__(
        self,
        most: int = MOST,
        idle_seconds: float = IDLE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
        options: BoxOptions | None = None,
    ) -> None:
        self.most, self.idle_seconds = most, idle_seconds
        self._clock, self._options = clock, options or BoxOptions()
        self._lock = threading.Lock()
        self._sessions: dict[str, _Session] = {}
        """By key, oldest first."""
        self._ended = threading.Event()
        self._reaper: threading.Thread | None = None

    def start(self, start: Start) -> Standing:
        """Begin an episode in a box of its own.

        A source that cannot be reset gives an episode that is over, with its fault.

        Raises:
            FullError: as many as may be are being played.
            PlayError: everything was closed.
            SandboxError: this machine cannot isolate the source as required.
        """
        start = dataclasses.replace(start, seed=start.seed % SEEDS)
        session = self._reserved(start)
        try:
            session.begin()
        except BaseException:  # whatever prevented it, its place is free again
            with self._lock:
                self._sessions.pop(session.key, None)
            session.env.close()
            raise
        finally:
            session.used = self._clock()
            session.lock.release()
        return session.standing()

    def _reserved(self, start: Start) -> _Session:
        """A session that takes a place before it has a process, and is locked."""
        self.reap()
        with self._lock:
            if self._ended.is_set():
                raise PlayError("the page is closing; start spade-envs browse again")
            living = sum(not session.rollout.over for session in self._sessions.values())
            if living >= self.most:
                raise FullError(f"{living} episodes are being played, and no more than {self.most} may be; end one")
            session = _Session(secrets.token_hex(6), start, self._options, self._clock())
            session.lock.acquire()
            self._sessions[session.key] = session
            self._forget()
            if self._reaper is None:
                self._reaper = threading.Thread(target=self._watch, name="reaper of play sessions", daemon=True)
                self._reaper.start()
            return session

    def _forget(self) -> None:
        over = [key for key, session in self._sessions.items() if session.rollout.over]
        for key in over[: max(0, len(over) - KEPT)]:
            del self._sessions[key]

    def look(self, key: str) -> Standing:
        """Where an episode is. Raises :class:`NoEpisodeError`."""
        return self._found(key).standing()

    def all(self) -> tuple[Standing, ...]:
        """Every episode that can be looked at, newest first."""
        with self._lock:
            sessions = list(self._sessions.values())
        return tuple(session.standing() for session in reversed(sessions) if session.rollout.infos)

    def act(self, key: str, reply: str, *, turn: int | None = None, bare: bool = True) -> Standing:
        """Play one reply.

        Args:
            key: of the episode.
            reply: what was typed.
            turn: turns the player had seen when replying; where there are more by now, nothing is played, so that a
                reply sent twice counts once.
            bare: whether it may be just the answer or command, which is dressed (:func:`typed_replies.dressed`).

        Raises:
            NoEpisodeError, BusyError: as their names say.
            ValueError: the reply is longer than :data:`LONGEST_TYPED`.
        """
        if len(reply) > LONGEST_TYPED:
            raise ValueError(f"the reply has {len(reply)} characters; allowed are {LONGEST_TYPED}: shorten it")

        def played(session: _Session) -> None:
            session.planned = ()
            session.feed(dressed(reply, session.env.contract, session.rollout.infos[0]) if bare else reply)

        return self._do(key, turn, played)

    def step(self, key: str, *, turn: int | None = None, whole: bool = False) -> Standing:
        """Play the next reply of the author's solution, or with ``whole`` all that are left; as :meth:`act`."""

        def played(session: _Session) -> None:
            left = session.planned if whole else session.planned[:1]
            for reply in left:
                if session.rollout.over:
                    break
                session.planned = session.planned[1:]
                session.feed(reply)
            if not session.planned:
                session.rollout.stop(StopReason.PLAYER_STOPPED)
                session.settle()

        return self._do(key, turn, played)

    def end(self, key: str) -> Standing:
        """End an episode: its player stopped. Raises as :meth:`act`."""

        def ended(session: _Session) -> None:
            session.rollout.stop(StopReason.PLAYER_STOPPED)
            session.settle()

        return self._do(key, None, ended)

    def _do(self, key: str, turn: int | None, what: Callable[[_Session], None]) -> Standing:
        session = self._found(key)
        if not session.lock.acquire(blocking=False):
            raise BusyError("the last reply is still being played; wait for what comes back")
        try:
            session.used = self._clock()
            if not session.rollout.over and turn in (None, len(session.rollout.turns)):
                what(session)
            return session.standing()
        finally:
            session.used = self._clock()
            session.lock.release()

    def _found(self, key: str) -> _Session:
        with self._lock:
            session = self._sessions.get(key)
        if session is None or not session.rollout.infos:
            raise NoEpisodeError("there is no such episode, or no longer; begin another one")
        return session

    def reap(self) -> int:
        """End what nobody went on with for too long; how many."""
        with self._lock:
            sessions = list(self._sessions.values())
        reaped = 0
        for session in sessions:
            if not session.lock.acquire(blocking=False):
                continue  # something is being played
            try:
                if not session.rollout.over and self._clock() - session.used >= self.idle_seconds:
                    minutes = self.idle_seconds / 60
                    session.rollout.stop(Stop(StopReason.CANCELLED, f"nothing was played for {minutes:g} minutes"))
                    session.settle()
                    reaped += 1
            finally:
                session.lock.release()
        return reaped

    def _watch(self) -> None:
        while not self._ended.wait(_LOOK_SECONDS):
            self.reap()

    def close(self) -> None:
        """End every episode and its process, and begin no more; from any thread, and also what is being played."""
        self._ended.set()
        with self._lock:
            sessions = list(self._sessions.values())
        for session in sessions:
            session.rollout.stop(Stop(StopReason.CANCELLED, "the page was closed"))
            session.env.pool.end()
