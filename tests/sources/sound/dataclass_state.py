"""Dataclasses, one of them frozen with a derived field."""
import dataclasses
import random
import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Item:
    name: str
    weight: int
    value: int
    ratio: float = field(init=False, compare=False)

    def __post_init__(self):
        object.__setattr__(self, "ratio", self.value / self.weight)


@dataclass(order=True)
class Load:
    value: int = 0
    weight: int = 0
    items: list = field(default_factory=list, compare=False)

    def plus(self, item: Item) -> "Load":
        return dataclasses.replace(
            self, value=self.value + item.value, weight=self.weight + item.weight, items=self.items + [item.name]
        )


@dataclass
class RucksackEnv:
    max_turns: int = 4
    turn: int = 0
    items: list = field(default_factory=list)
    capacity: int = 0
    best: Load = field(default_factory=Load)

    def __post_init__(self):
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        names = rng.sample(["rope", "lamp", "tent", "stove", "axe", "map", "pan", "boots", "fuel"], 8)
        self.items = [Item(name, rng.randint(2, 13), rng.randint(11, 99)) for name in names]
        self.capacity = sum(item.weight for item in self.items) // 2
        loads = [Load()]
        for item in self.items:
            loads += [load.plus(item) for load in loads if load.weight + item.weight <= self.capacity]
        self.best = max(loads)
        self.turn = 0
        rows = "\n".join(f"{item.name}: {item.weight} kg, worth {item.value}" for item in self.items)
        return f"Carry at most {self.capacity} kg.\n{rows}\nGreatest total worth? \\boxed{{number}}", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{(\d+)\}", action, re.ASCII)
        if m and m.group(1) == str(self.best.value):
            return "Correct.", 1.0, True, False, dataclasses.asdict(Load(self.best.value))
        return "A different worth is the greatest.", 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.best.value}}}"]
