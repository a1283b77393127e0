# expect: refuse determinism.replay
# defect: hives without __hash__ sit in a set and the inspection reports them in set order, which follows memory addresses
from dataclasses import dataclass
import random
import re


@dataclass(eq=False)
class Hive:
    name: str
    mites: int
    honey: int
    treated: bool = False


class BeeYardEnv:
    """Decide which hives to treat from partial inspections."""

    NAMES = ["Amber", "Birch", "Clover", "Drone", "Elm", "Fern", "Gorse", "Heath"]

    def __init__(self, max_turns=14):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        names = rng.sample(self.NAMES, 8)
        self.hives = {Hive(n, rng.randint(0, 12), rng.randint(3, 20)) for n in names}
        sick = rng.sample(names, 3)
        for hive in self.hives:
            hive.mites = hive.mites % 6 + (7 if hive.name in sick else 0)
        self.sick = sick
        self.doses = 3
        return (
            f"Eight hives: {', '.join(names)}. Exactly three of them have seven or more mites and need treatment; you have three doses. "
            "\\boxed{weigh} reports the honey of all hives, \\boxed{inspect NAME} counts the mites of one, \\boxed{treat NAME} uses a dose, "
            f"\\boxed{{close}} ends the visit. {self.max_turns} turns."
        ), {}

    def _find(self, name):
        return next((h for h in self.hives if h.name.lower() == name.lower()), None)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(weigh|inspect|treat|close)\s*(\w*)\s*\}", action)
        verb = m.group(1) if m else ""
        if verb == "weigh":
            return "; ".join(f"{h.name} {h.honey} kg" for h in self.hives) + ".", 0.0, False, late, {}
        if verb == "close":
            won = all(h.treated == (h.name in self.sick) for h in self.hives)
            return ("The bees thrive." if won else "Some hives are lost."), 1.0 if won else 0.0, True, False, {}
        hive = self._find(m.group(2)) if m else None
        if hive is None:
            return "Which hive?", 0.0, False, late, {}
        if verb == "inspect":
            return f"{hive.name}: {hive.mites} mites.", 0.0, False, late, {}
        if self.doses == 0 or hive.treated:
            return "That does nothing.", 0.0, False, late, {}
        self.doses -= 1
        hive.treated = True
        return f"{hive.name} is treated, {self.doses} doses left.", 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{weigh}"] + [f"\\boxed{{treat {n}}}" for n in self.sick] + ["\\boxed{close}"]
