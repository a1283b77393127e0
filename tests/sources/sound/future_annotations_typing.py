"""Postponed annotations, generics, Protocol, TypedDict."""
from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, Iterator, Protocol, TypedDict, TypeVar

T = TypeVar("T")
LIMIT: Final = 4


class Row(TypedDict):
    city: str
    north: int


class Scorer(Protocol):
    def score(self, row: Row) -> int: ...


class Stack(Generic[T]):
    def __init__(self) -> None:
        self._items: list[T] = []

    def push(self, item: T) -> Stack[T]:
        self._items.append(item)
        return self

    def __iter__(self) -> Iterator[T]:
        return iter(self._items)


@dataclass
class Linear:
    slope: int
    def score(self, row: Row) -> int:
        return self.slope * row["north"]


class WeatherEnv:
    cities: ClassVar[tuple[str, ...]] = ("Oslo", "Lima", "Cairo", "Perth", "Quito")

    def __init__(self, max_turns: int = LIMIT, **kwargs: Any) -> None:
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed: int | None = None) -> tuple[str, dict[str, Any]]:
        rng = random.Random(seed)
        rows: Stack[Row] = Stack()
        for city in self.cities:
            rows.push({"city": city, "north": rng.randint(-60, 60)})
        scorer: Scorer = Linear(rng.randint(2, 9))
        scores = [scorer.score(row) for row in rows]
        self.answer: int = max(scores) - min(scores) + sum(scores)
        self.turn = 0
        listing = ", ".join(f"{row['city']} {row['north']}" for row in rows)
        return (
            f"Stations: {listing}. A station's score is {scorer.slope} times its number. Give the greatest minus the "
            "smallest score plus the sum of all scores as \\boxed{integer}."
        ), {}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        self.turn += 1
        m = re.search(r"\\boxed\{\s*(-?[0-9]{1,7})\s*\}", action)
        ok = m is not None and int(m.group(1)) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self) -> list[str]:
        return [f"\\boxed{{{self.answer}}}"]
