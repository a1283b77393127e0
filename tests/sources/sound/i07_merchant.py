"""Trading on a loop of towns with known but changing prices; reach a target purse."""
import random
import re
from typing import Any, Dict, List, Optional, Tuple

GOODS = ("salt", "wool", "wine")
TOWNS = ("Arlen", "Borsk", "Civita", "Dunmore")


class MerchantEnv:
    """State: town, day, purse, load (one kind of good at a time fills the whole cart)."""

    def __init__(self, max_turns: int = 18, **kwargs: Any):
        self.max_turns = max_turns
        self.days = 5
        self.reset()

    def reset(self, seed: Optional[int] = None) -> Tuple[str, Dict]:
        rng = random.Random(seed)
        while True:
            base = {g: rng.randint(14, 34) for g in GOODS}
            self.price = {(t, g): max(5, base[g] + rng.randint(-9, 9)) for t in TOWNS for g in GOODS}
            self.drift = {(t, g): rng.choice([-2, -1, 0, 1, 2]) for t in TOWNS for g in GOODS}
            self.toll = {frozenset((a, b)): rng.randint(3, 15) for a in TOWNS for b in TOWNS if a != b}
            self.home = rng.choice(TOWNS)
            self.start = rng.randint(60, 120)
            best, plan = self._plan()
            if best >= self.start * 2.5:
                break
        self.plan = plan
        self.target = self.start + int((best - self.start) * 0.9)
        self.town, self.day, self.purse, self.load = self.home, 0, self.start, None
        self.turn = 0
        return self._rules() + "\n\n" + self._status(), {"best_known": None}

    def _cost(self, town, good, day):
        return max(5, self.price[(town, good)] + self.drift[(town, good)] * day)

    def _plan(self):
        """Dynamic programming: every day sell everything, buy one good (or none), travel."""
        front = {self.home: (self.start, [])}
        for day in range(self.days):
            new = {}
            for town, (money, acts) in front.items():
                for good in GOODS + (None,):
                    units = money // self._cost(town, good, day) if good else 0
                    rest = money - units * self._cost(town, good, day) if good else money
                    for dest in TOWNS:
                        if dest == town:
                            continue
                        toll = self.toll[frozenset((town, dest))]
                        end = rest + (units * self._cost(dest, good, day + 1) if good else 0) - toll
                        step = ([f"buy {good}"] if good and units else []) + [f"go {dest}"] + (["sell"] if good and units else [])
                        if end > 0 and (dest not in new or end > new[dest][0]):
                            new[dest] = (end, acts + step)
            if not new:
                break
            front = new
        return max(front.values(), key=lambda v: v[0]) if front else (0, [])

    def _rules(self):
        head = "day-0 price (change per day)"
        rows = [f"{t:<8}" + "".join(f"  {g}: {self.price[(t, g)]:>2} ({self.drift[(t, g)]:+d})" for g in GOODS) for t in TOWNS]
        tolls = ", ".join(f"{'-'.join(sorted(k))} {v}" for k, v in sorted(self.toll.items(), key=lambda kv: sorted(kv[0])))
        return ("You are a merchant with one cart that holds any amount of ONE good.\n" + head + "\n" + "\n".join(rows)
                + f"\n(no price falls below 5)\nTolls, may be owed and are taken from your purse: {tolls}. A journey takes one day.\n"
                "Commands: \\boxed{buy GOOD} spends all you can on it, \\boxed{sell} sells the load, \\boxed{go TOWN}.\n"
                f"You win as soon as your purse holds at least {self.target} with an empty cart; after day {self.days} it is over. "
                "A purse below zero on arrival, after a sale made there, loses.")

    def _status(self):
        load = f"{self.load[1]} {self.load[0]}" if self.load else "empty"
        return f"Day {self.day}, {self.town}. Purse {self.purse}, cart: {load}."

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(\w+)\s*(\w+)?\s*\}", action)
        verb, arg = (m.group(1).lower(), (m.group(2) or "")) if m else ("", "")
        note = "Done."
        if verb == "buy" and arg.lower() in GOODS and self.load is None:
            unit = self._cost(self.town, arg.lower(), self.day)
            if self.purse >= unit:
                self.load = (arg.lower(), self.purse // unit)
                self.purse -= self.load[1] * unit
            else:
                note = "You cannot afford any."
        elif verb == "sell" and self.load and not arg:
            self.purse += self.load[1] * self._cost(self.town, self.load[0], self.day)
            self.load = None
        elif verb == "go" and arg.capitalize() in TOWNS and arg.capitalize() != self.town:
            if self.purse < 0:
                return "The toll keeper takes you to the debtors' prison.", 0.0, True, False, {}
            if self.day >= self.days:
                return "The season is over. " + self._status(), 0.0, True, False, {}
            self.purse -= self.toll[frozenset((self.town, arg.capitalize()))]
            self.town, self.day = arg.capitalize(), self.day + 1
        else:
            note = "That is not possible."
        if self.load is None and self.purse >= self.target:
            return "Your purse is full. " + self._status(), 1.0, True, False, {"purse": self.purse}
        return f"{note} {self._status()}", 0.0, False, late, {"purse": self.purse}

    def solution(self) -> List[str]:
        return [f"\\boxed{{{a}}}" for a in self.plan]

    def hint(self):
        return "For each day and pair of towns compute the best ratio of selling to buying price, then chain the ratios backwards from the last day."
