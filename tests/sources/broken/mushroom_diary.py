# expect: refuse determinism.replay
# defect: the basket is a class attribute that is only ever appended to, so a second episode starts with the finds of the first and shows and counts them
import random
import re


class MushroomDiaryEnv:
    """Search a wood by signs and bring home the three kinds on the list."""

    KINDS = ["chanterelle", "morel", "porcini", "parasol", "puffball", "blewit"]
    SIGNS = {"chanterelle": "moss", "morel": "ash", "porcini": "spruce", "parasol": "meadow", "puffball": "clearing", "blewit": "leaf litter"}
    basket = []

    def __init__(self, max_turns=20):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        plots = [f"{c}{n}" for c in "AB" for n in range(1, 6)]
        kinds = list(self.KINDS)
        rng.shuffle(kinds)
        spots = rng.sample(plots, len(kinds))
        self.plots = plots
        self.grows = dict(zip(spots, kinds))
        self.wanted = rng.sample(kinds, 3)
        self.poison = rng.sample([p for p in plots if p not in spots], 2)
        return (
            f"The wood has the plots {', '.join(plots)}. On your list: {', '.join(self.wanted)}. One kind grows per plot at most; two of the "
            "empty plots hold death caps, and picking there ends the day badly. \\boxed{look PLOT} tells the ground, \\boxed{pick PLOT} picks.\n"
            "Known grounds: " + "; ".join(f"{k} likes {s}" for k, s in self.SIGNS.items()) + ". Death caps like oak, and bare ground is bare.\n"
            f"You have {self.max_turns} turns."
        ), {}

    def _ground(self, plot):
        if plot in self.grows:
            return self.SIGNS[self.grows[plot]]
        return "oak" if plot in self.poison else "bare ground"

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(look|pick)\s+([AB][1-5])\s*\}", action)
        if not m:
            return "Use look or pick with a plot.", 0.0, False, late, {}
        verb, plot = m.groups()
        if verb == "look":
            return f"Plot {plot}: {self._ground(plot)}.", 0.0, False, late, {}
        if plot in self.poison:
            return "Death caps! The day is over.", 0.0, True, False, {}
        kind = self.grows.pop(plot, None)
        if kind is None:
            return "Nothing grows here.", 0.0, False, late, {}
        self.basket.append(kind)
        text = f"You pick a {kind}. Basket: {', '.join(self.basket)}."
        if all(k in self.basket for k in self.wanted):
            return text + " The list is complete.", 1.0, True, False, {}
        return text, 0.0, False, late, {}

    def solution(self):
        place = {k: p for p, k in self.grows.items()}
        return [f"\\boxed{{pick {place[k]}}}" for k in self.wanted]
