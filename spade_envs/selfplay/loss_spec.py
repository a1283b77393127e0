"""Which loss is minimised, by name and numbers, which :mod:`~spade_envs.selfplay.losses` explains. Needs no PyTorch."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from .config import TrainSection
from .failures import ConfigError

LOSSES = ("grpo", "dapo", "dr_grpo", "bnpo", "cispo")
LEVELS = ("token", "sequence")
CORRECTIONS = ("none", "token_truncate", "token_mask", "sequence_truncate", "sequence_mask")


@dataclass(frozen=True, kw_only=True)
class LossSpec:
    """What is minimised.

    Raises:
        ConfigError: when a value is not allowed.
    """

    max_length: int
    """Constant that ``dr_grpo`` divides by, in tokens."""
    loss: str = "dr_grpo"
    level: str = "token"
    eps_low: float = 0.2
    eps_high: float = 0.28
    delta: float = 0.0
    """0 for none."""
    kl: float = 0.0
    kl_ratio: bool = False
    correction: str = "token_truncate"
    correction_cap: float = 2.0

    def __post_init__(self) -> None:
        for name, allowed in (("loss", LOSSES), ("level", LEVELS), ("correction", CORRECTIONS)):
            if (found := getattr(self, name)) not in allowed:
                raise ConfigError(f"train.{name} is {found!r}. Choose one of: {', '.join(allowed)}.")
        checks = (
            (self.max_length >= 1, "max_length", "at least 1"),
            (0 <= self.eps_low <= 1, "eps_low", "between 0 and 1"),
            (self.eps_high >= 0 and math.isfinite(self.eps_high), "eps_high", "0 or more"),
            (self.delta == 0 or self.delta >= 1 + self.eps_high, "delta", "0 for none, or at least 1 + eps_high"),
            (self.kl >= 0 and math.isfinite(self.kl), "kl", "0 or more"),
            (self.correction_cap > 0, "correction_cap", "above 0"),
            (not (self.loss == "cispo" and self.delta), "delta", "0 with cispo, which has no second clip"),
        )
        for fine, name, allowed_values in checks:
            if not fine:
                raise ConfigError(f"train.{name} is {getattr(self, name)!r}. It has to be {allowed_values}.")

    @classmethod
    def of(cls, section: TrainSection, max_length: int) -> LossSpec:
        """The loss that a run asks for."""
        names = {field.name for field in fields(cls)} - {"max_length"}
        return cls(max_length=max_length, **{name: getattr(section, name) for name in names})
