import random
import re
from typing import Any, Dict, Optional, Tuple


class FerryFuelEnv:
    """Multi-leg consumption, graded with too high / too low feedback."""

    def __init__(self, max_turns: int = 4, **_: Any) -> None:
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed: Optional[int] = None) -> Tuple[str, Dict[str, Any]]:
        rng = random.Random(seed)
        self.turn = 0
        self.legs = []
        ports = ["Arn", "Beck", "Cove", "Dune", "Egg", "Fell", "Gull"]
        for a, b in zip(ports, ports[1:]):
            self.legs.append((a, b, rng.randint(12, 60), rng.choice(["calm", "choppy", "rough"])))
        self.rates = {"calm": rng.randint(7, 11), "choppy": rng.randint(12, 16), "rough": rng.randint(17, 25)}
        self.trips = rng.randint(3, 9)
        self.idle = rng.randint(15, 45)
        one_way = sum(d * self.rates[s] for _, _, d, s in self.legs)
        self.answer = self.trips * (2 * one_way) + self.trips * 2 * len(self.legs) * self.idle
        lines = [f"{a} -> {b}: {d} km, usually {s} water" for a, b, d, s in self.legs]
        rates = ", ".join(f"{v} litres per km in {k} water" for k, v in self.rates.items())
        text = (
            "A ferry sails the whole line and back again, every day.\n" + "\n".join(lines) + "\n"
            f"The engine burns {rates}. At the end of every leg, in both directions, it burns another {self.idle} litres while docking.\n"
            f"How many litres does the ferry burn on a day with {self.trips} round trips?\n"
            "Answer as \\boxed{number litres}. Tries: " + str(self.max_turns)
        )
        return text, {"turn": 0, "tries_left": self.max_turns}

    def step(self, action: str) -> Tuple[str, float, bool, bool, Dict[str, Any]]:
        self.turn += 1
        info = {"turn": self.turn, "tries_left": max(0, self.max_turns - self.turn)}
        truncated = self.turn >= self.max_turns
        m = re.fullmatch(r"\\boxed\{\s*([0-9]{1,3}(?:,?[0-9]{3}){0,3})\s*(?:l|litres?|liters?)?\s*\}", action.strip(), re.I)
        if m is None:
            return "Write a whole number of litres, like \\boxed{1234 litres}.", 0.0, False, truncated, info
        value = int(m.group(1).replace(",", ""))
        if value == self.answer:
            return "Exactly right.", 1.0, True, False, info
        side = "less" if value > self.answer else "more"
        return f"Not {value}; the ferry burns {side} than that.", 0.0, False, truncated, info

    def solution(self):
        return [f"\\boxed{{{self.answer} litres}}"]

    def hint(self) -> str:
        return f"Add up one way first, double it, then think about how often the ferry docks on {self.trips} round trips."
