from __future__ import annotations
from dataclasses import dataclass, field
from typing import Optional, ClassVar
import re, random
@dataclass(slots=True, order=True)
class Item:
    weight: int
    name: str = field(compare=False)
    tags: list[str] = field(default_factory=list, compare=False)
@dataclass
class PackingEnv:
    max_turns: int = 3
    seed_: Optional[int] = None
    LIMIT: ClassVar[int] = 10
    items: list[Item] = field(default_factory=list)
    def __post_init__(self):
        self.reset(seed=self.seed_)
    def reset(self, *, seed=None, options=None):
        r = random.Random(seed)
        self.items = [Item(r.randint(1, 99), f"box{i}") for i in range(24)]
        self.t = 0
        listing = "\n".join(f"- {it.name}: {it.weight} kg" for it in self.items)
        return f"Which box is heaviest (the first one if tied)?\n{listing}\nAnswer with \\boxed{{name}}.", {"n": len(self.items)}
    def step(self, action: str):
        self.t += 1
        m = re.search(r"\\boxed\{([^}]*)\}", action or "")
        best = max(self.items, key=lambda i: (i.weight))
        if m and m.group(1).strip().lower() == best.name:
            return "Correct.", 1.0, True, False, {}
        return "Incorrect.", 0.0, False, self.t >= self.max_turns, {}
    def solution(self) -> str:
        best = max(self.items, key=lambda i: i.weight)
        return f"\\boxed{{{best.name}}}"
