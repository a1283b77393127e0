"""The errors this package raises, and the one rule behind them.

A bad *environment* is data: it becomes a :class:`~spade_envs.types.Fault` inside an episode or a
:class:`~spade_envs.types.Finding` inside a report, never an exception in the caller's loop. A bad
*request* (an unreadable file, an unknown id, a full disk) is one of the errors below. Each message says
what was found, what is allowed, and what to do next.
"""

from __future__ import annotations


class SpadeEnvsError(Exception):
    """Root of every error of this package."""


class SourceError(SpadeEnvsError, ValueError):
    """The text cannot be taken as an environment source at all (not UTF-8, too large, no code in a reply)."""


class SandboxError(SpadeEnvsError, RuntimeError):
    """The box could not be built: the required isolation is out of reach, or the worker did not start."""


class WorkerTimeout(SandboxError, TimeoutError):
    """A worker did not become ready in time. Retrying may help; the environment is not to blame."""


class WorkerDied(SandboxError):
    """A worker ended before it was ready, which somebody else may have done: the system, short of memory."""


class ClientError(SpadeEnvsError, RuntimeError):
    """A model server refused, failed or answered something that is not an answer."""


class StoreError(SpadeEnvsError, OSError):
    """A shelf, the memory or a corpus could not be read or written, or holds something it should not."""


class RenderModeError(SpadeEnvsError, ValueError, TypeError):
    """No environment renders in this mode.

    A ``TypeError`` too: Stable-Baselines3's ``make_vec_env`` asks for ``rgb_array``, and when it meets one, makes the
    environment without a render mode.
    """


class UnknownEnv(SpadeEnvsError, KeyError):
    """No environment has this id."""

    def __str__(self) -> str:
        # KeyError shows the repr of its argument, which would quote a whole sentence.
        return str(self.args[0]) if self.args else ""
