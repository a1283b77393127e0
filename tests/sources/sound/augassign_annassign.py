"""Augmented assignment to attributes and items, annotated assignments everywhere."""
import random
import re
from collections import defaultdict
from typing import Dict, List, Optional


class Counter_:
    count: int = 0
    label: str


class VoteEnv:
    max_turns: int = 4
    NAMES: List[str] = ["Ada", "Ben", "Cleo", "Dov"]

    def __init__(self, max_turns: int = 4, **kwargs) -> None:
        self.max_turns: int = max_turns
        self.votes: Dict[str, int] = {}
        self.answer: Optional[int] = None
        self.reset()

    def reset(self, seed: Optional[int] = None):
        rng: random.Random = random.Random(seed)
        votes: Dict[str, int] = defaultdict(int)
        box: Counter_ = Counter_()
        box.label = "box"
        lines: List[str] = []
        for _ in range(9):
            first, second = rng.sample(self.NAMES, 2)
            weight: int = rng.randint(3, 17)
            votes[first] += 3 * weight
            votes[second] += weight
            box.count += weight
            lines.append(f"{weight} ballots: first {first}, second {second}")
        votes["Dov"] -= 1
        ranked: List[int] = sorted(votes.values())
        self.answer = ranked[-1] * 10
        self.answer += ranked[0] + box.count
        self.answer //= 1
        self.turn: int = 0
        return (
            "A first place gives 3 points per ballot, a second place 1. Dov loses one point as a penalty.\n"
            + "\n".join(lines)
            + "\nTake ten times the greatest score plus the smallest score (of candidates who were named, Dov always counts) "
            "plus the number of ballots. \\boxed{number}"
        ), {}

    def step(self, action: str):
        self.turn += 1
        found: Optional[re.Match] = re.search(r"\\boxed\{\s*(-?\d+)\s*\}", action, re.ASCII)
        good: bool = found is not None and found.group(1) == str(self.answer)
        reward: float = 0.0
        reward += good
        return "Correct" if good else "Wrong", float(reward), good, not good and self.turn >= self.max_turns, {}

    def solution(self) -> List[str]:
        return [f"\\boxed{{{self.answer}}}"]
