"""TYPE_CHECKING imports, overload, cast, NewType, Literal, Annotated; class decorators; a frozen config with defaults."""
from __future__ import annotations

import random
import re
from dataclasses import asdict, astuple, dataclass, fields, replace
from typing import TYPE_CHECKING, Annotated, Literal, NewType, cast, overload

if TYPE_CHECKING:
    from collections.abc import Sequence

Cents = NewType("Cents", int)
Mode = Literal["solo", "pair"]


def named(cls):
    cls.title = cls.__name__.replace("Env", "")
    return cls


@dataclass(frozen=True, slots=True)
class Config:
    base: int = 250
    per_km: int = 45
    night: bool = False


@overload
def price(km: int, config: Config) -> Cents: ...
@overload
def price(km: float, config: Config) -> Cents: ...
def price(km, config):
    """Fare in cents."""
    total = config.base + config.per_km * km
    return cast(Cents, total * 6 // 5 if config.night else total)


@named
class TaxiEnv:
    def __init__(self, max_turns: Annotated[int, "turns"] = 4, mode: Mode = "solo", **kwargs) -> None:
        self.max_turns = max_turns
        self.mode = mode
        self.reset()

    def reset(self, seed: int | None = None):
        rng = random.Random(seed)
        config = replace(Config(), base=10 * rng.randint(20, 60), per_km=5 * rng.randint(5, 30))
        rides: Sequence[tuple[int, bool]] = [(rng.randint(2, 40), rng.random() < 0.5) for _ in range(4)]
        self.answer = sum(price(km, replace(config, night=night)) for km, night in rides)
        assert len(fields(config)) == len(astuple(config)) == len(asdict(config)) == 3
        self.turn = 0
        text = ", ".join(f"{km} km by {'night' if night else 'day'}" for km, night in rides)
        return (
            f"{self.title}: a ride costs {config.base} cents plus {config.per_km} per km; at night the sum is multiplied by "
            f"6/5 and rounded down. Rides: {text}. Total in cents? \\boxed{{number}}"
        ), {}

    def step(self, action: str):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,7})\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self) -> list[str]:
        return [f"\\boxed{{{self.answer}}}"]
