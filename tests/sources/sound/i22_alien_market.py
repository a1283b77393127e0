import random
import re

GOODS = ["rope", "salt", "bread", "knife", "cloth", "oil", "honey", "nails", "paper", "soap"]


class AlienMarketEnv:
    """Learn words by pointing, then hand over what the alien asks for, in order."""

    def __init__(self, max_turns=20):
        self.max_turns = max_turns
        self.reset()

    def _words(self, rng):
        seen = set()
        while True:
            word = "".join(rng.choice("kmptvz") + rng.choice("aeiou") for _ in range(rng.randint(2, 3)))
            if word not in seen:
                seen.add(word)
                yield word

    def reset(self, seed=None):
        rng = random.Random(seed)
        words = self._words(rng)
        self.name = {good: next(words) for good in GOODS}
        self.no, self.then = next(words), next(words)
        order = rng.sample(GOODS, 5)
        refused = order.pop(rng.randrange(1, 4))
        self.order = order
        parts = [self.name[g] for g in order]
        parts.insert(rng.randint(1, 3), f"{self.no} {self.name[refused]}")
        self.sentence = f" {self.then} ".join(parts)
        self.given, self.turn = 0, 0
        return (
            f"An alien stands at your stall and says: '{self.sentence}'. It wants several things one after another, and one thing it does not want at all. "
            f"On your stall lie {', '.join(GOODS)}. \\boxed{{point rope}} makes the alien name the thing; \\boxed{{give rope}} hands it over. "
            f"If it gets a wrong thing it leaves. {self.max_turns} turns."
        ), {"given": 0}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.fullmatch(r"\\boxed\{\s*(point|give)\s+(?:at\s+|to\s+)?([a-z]+)\s*\}", action.lower())
        if not m or m.group(2) not in GOODS:
            return "The alien waits.", 0.0, False, late, {"given": self.given}
        if m.group(1) == "point":
            return f"The alien says '{self.name[m.group(2)]}'.", 0.0, False, late, {"given": self.given}
        if m.group(2) != self.order[self.given]:
            return f"The alien says '{self.no}' and leaves.", 0.0, True, False, {"given": self.given}
        self.given += 1
        if self.given == len(self.order):
            return "The alien pays with a pearl.", 1.0, True, False, {"given": self.given}
        return f"The alien nods and says '{self.then}'.", 0.0, False, late, {"given": self.given}

    def solution(self):
        heard = {}
        for good in GOODS:
            seen = yield f"\\boxed{{point {good}}}"
            heard[re.search(r"'(\w+)'", seen).group(1)] = good
        words = self.sentence.split()
        previous = None
        for word in words:
            if word in heard and previous not in (self.no,):
                yield f"\\boxed{{give {heard[word]}}}"
            previous = word
