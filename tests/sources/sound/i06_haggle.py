import random
import re
from dataclasses import dataclass


@dataclass
class Seller:
    name: str
    ware: str
    asks: int
    floor: int
    patience: int = 6
    sold_for: int = 0


class HaggleEnv:
    """Negotiation with hidden floors: buy all three wares within the purse; each seller has little patience."""

    def __init__(self, max_turns=22):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        names = rng.sample(["Amina", "Boris", "Chiara", "Daoud", "Elif", "Farid"], 3)
        wares = rng.sample(["carpet", "saddle", "kettle", "mirror", "drum", "lantern"], 3)
        self.sellers = []
        for n, w in zip(names, wares):
            asks = rng.randint(150, 900)
            self.sellers.append(Seller(n, w, asks, round(asks * rng.uniform(0.5, 0.92))))
        self.purse = sum(s.floor for s in self.sellers) + sum(s.asks for s in self.sellers) * 2 // 100 + 3
        self.turn = 0
        lines = "\n".join(f"- {s.name} wants {s.asks} for the {s.ware}" for s in self.sellers)
        return (
            f"You need all three wares, and your purse holds {self.purse} coins.\n{lines}\n"
            "Make offers with \\boxed{offer NAME COINS}. A seller takes any offer at or above a secret floor (somewhere between half and all of the "
            "price asked), and you pay what you offered. A lower offer is refused with a face that shows how far off it was, and "
            f"after six refusals a seller packs up. {self.max_turns} turns."
        ), {"purse": self.purse}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        info = {"purse": self.purse}
        m = re.fullmatch(r"\\boxed\{\s*offer\s+([a-z]+)\s+([0-9]{1,6})\s*\}", action.lower())
        seller = next((s for s in self.sellers if m and s.name.lower() == m.group(1)), None)
        if seller is None:
            return "Say \\boxed{offer NAME COINS}.", 0.0, False, late, info
        coins = int(m.group(2))
        if seller.sold_for:
            return f"The {seller.ware} is yours already.", 0.0, False, late, info
        if coins > self.purse:
            return f"You have only {self.purse} coins.", 0.0, False, late, info
        if coins < seller.floor:
            seller.patience -= 1
            if seller.patience == 0:
                return f"{seller.name} packs up and leaves. You will not get the {seller.ware}.", 0.0, True, False, info
            gap = (seller.floor - coins) / seller.asks
            face = "laughs out loud" if gap > 0.25 else "shakes the head" if gap > 0.1 else "hesitates" if gap > 0.03 else "almost nods"
            return f"{seller.name} {face}.", 0.0, False, late, info
        seller.sold_for = coins
        self.purse -= coins
        info["purse"] = self.purse
        if all(s.sold_for for s in self.sellers):
            return "You own all three wares.", 1.0, True, False, info
        return f"Done! The {seller.ware} is yours; {self.purse} coins are left.", 0.0, False, late, info

    def solution(self):
        return [f"\\boxed{{offer {s.name} {s.floor + s.asks // 100}}}" for s in self.sellers]

    def hint(self):
        return "Begin a little above half of the price, and go up in steps that get smaller as the face gets friendlier."
