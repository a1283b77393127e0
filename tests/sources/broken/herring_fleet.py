# expect: refuse determinism.replay | feasibility.witness
# defect: the weather comes from a generator that is made once in __init__ and not restarted by reset, so the same seed meets other weather in a second episode.
import copy
import random
import re

BAYS = ["Auk", "Bell", "Cove", "Dune", "Eel"]
DAYS = 14


class HerringFleetEnv:
    """Exploration against exploitation: find the rich bays while the weather closes some of them each day."""

    def __init__(self, max_turns=18, **kwargs):
        self.max_turns = max_turns
        self.weather = random.Random(1871)
        self.reset()

    @staticmethod
    def _calm(weather):
        """The bays that can be fished on one day."""
        return sorted(weather.sample(BAYS, 3))

    def reset(self, seed=None):
        rng = random.Random(seed)
        tons = rng.sample([2, 3, 5, 8, 12], 5)
        self.stock = dict(zip(BAYS, tons))
        self.catch = 0
        self.day = 1
        self.turn = 0
        self.open = self._calm(self.weather)
        best = self.stock[max(self.open, key=self.stock.get)]
        ahead = copy.deepcopy(self.weather)
        for _ in range(DAYS - 1):
            best += max(self.stock[bay] for bay in self._calm(ahead))
        self.quota = int(best * 0.84)
        return (
            f"You lead a herring boat for {DAYS} days. There are five bays ({', '.join(BAYS)}); each gives a fixed "
            "catch per day, which you learn by fishing there. Every day storms close two of the bays.\n"
            f"Bring in at least {self.quota} tons in all. One command per turn: \\boxed{{FISH bay}} or \\boxed{{REST}}; "
            f"both take a day. Mistyped commands take a turn but no day; there are {self.max_turns} turns.\n"
            + self._report()
        ), {}

    def _report(self):
        return f"Day {self.day} of {DAYS}. Calm: {', '.join(self.open)}. Landed so far: {self.catch} tons."

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.fullmatch(r"\\boxed\{\s*(FISH|REST)\s*([A-Za-z]*)\s*\}", action, re.IGNORECASE)
        if match is None:
            return "Order FISH with a bay, or REST. " + self._report(), 0.0, False, late, {}
        verb, bay = match.group(1).upper(), match.group(2).capitalize()
        if verb == "FISH":
            if bay not in BAYS:
                return "No chart shows that bay. " + self._report(), 0.0, False, late, {}
            if bay not in self.open:
                text = f"A gale drives you back from {bay}; the day is lost."
            else:
                self.catch += self.stock[bay]
                text = f"{bay} yields {self.stock[bay]} tons."
        else:
            text = "The crew mends nets."
        if self.catch >= self.quota:
            return text + " The quota is reached.", 1.0, True, False, {"day": self.day}
        self.day += 1
        if self.day > DAYS:
            return text + " The season ends below the quota.", 0.0, True, False, {}
        self.open = self._calm(self.weather)
        return f"{text}\n{self._report()}", 0.0, False, late, {}

    def solution(self):
        """Fish the richest calm bay every day."""
        while self.day <= DAYS:
            yield f"\\boxed{{FISH {max(self.open, key=self.stock.get)}}}"

    def hint(self):
        return "Try each bay once early, when it is calm, and afterwards take the best one that is open."
