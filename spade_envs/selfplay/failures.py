"""Why a run of self-play stops."""

from __future__ import annotations

from ..errors import SpadeEnvsError


class TrainingError(SpadeEnvsError, RuntimeError):
    """A run cannot go on; the message says why, and that it goes on from its last checkpoint."""


class SyncError(TrainingError):
    """The sampler does not draw from the learner's weights, or one cannot tell."""


class ConfigError(SpadeEnvsError, ValueError):
    """A configuration that cannot be run; the message says what was found, what is allowed and what to do."""


class RewardError(SpadeEnvsError, ValueError):
    """An outcome, reward or advantage that is no finite number, or numbers that do not belong together."""
