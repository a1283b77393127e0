# expect: refuse interactive.static
# defect: the reply to a command depends on the turn alone; whatever is sent, the same texts come back, so nothing can be learnt by acting.
import random
import re

TOWNS = ["Ashby", "Brimley", "Corfe", "Denby", "Esher", "Frome"]
BAYS = ["W", "X", "Y", "Z"]


class ParcelSorterEnv:
    """Rule following under exceptions: send each parcel on the belt to the right bay.

    The rules are told once; parcels come one at a time; late changes of the rules arrive in between.
    """

    def __init__(self, max_turns=12, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.limit = rng.randint(8, 15)
        towns = rng.sample(TOWNS, 6)
        self.home = {town: BAYS[i % 3] for i, town in enumerate(towns)}
        self.swap = tuple(rng.sample(["W", "X", "Y"], 2))
        self.swap_from = rng.randint(4, 6)
        self.parcels = [
            (rng.choice(TOWNS), rng.randint(1, 22), rng.random() < 0.35) for _ in range(9)
        ]
        self.right = [self._bay(i) for i in range(9)]
        self.faults = 0
        rules = "; ".join(f"{town} to {bay}" for town, bay in sorted(self.home.items()))
        return (
            "Nine parcels come along a belt and are sent to the bays W, X, Y and Z, one order per turn, as in "
            "\\boxed{SEND W}.\n"
            f"By town: {rules}.\n"
            f"A parcel heavier than {self.limit} kg goes to Z, unless it is fragile: then it goes by town all the same. "
            "A fragile parcel of 3 kg or less goes to Z too.\n"
            "If a change of bays is announced, it holds from the parcel shown with it.\n"
            "One mistake is forgiven. The count is made after the last parcel.\n"
        ) + self._belt(), {}

    def _bay(self, index):
        town, weight, fragile = self.parcels[index]
        if (weight > self.limit and not fragile) or (fragile and weight <= 3):
            return "Z"
        bay = self.home[town]
        if index >= self.swap_from and bay in self.swap:
            bay = self.swap[1 - self.swap.index(bay)]
        return bay

    def _belt(self):
        town, weight, fragile = self.parcels[self.turn]
        change = ""
        if self.turn == self.swap_from:
            change = f"Change: the bays {self.swap[0]} and {self.swap[1]} have swapped their towns. "
        return f"{change}Parcel {self.turn + 1}: {town}, {weight} kg{', fragile' if fragile else ''}."

    def step(self, action):
        match = re.search(r"\\boxed\{\s*(?:SEND\s+)?([WXYZwxyz])\s*\}", action)
        bay = match.group(1).upper() if match else None
        if bay != self.right[self.turn]:
            self.faults += 1
        self.turn += 1
        if self.turn == len(self.parcels):
            reward = 1.0 if self.faults <= 1 else 0.0
            return "The belt stops. The count goes to the office.", reward, True, False, {}
        return self._belt(), 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{SEND {bay}}}" for bay in self.right]

    def hint(self):
        return "Ask of each parcel in this order: fragile and light, heavy and sturdy, town, and only then the change."
