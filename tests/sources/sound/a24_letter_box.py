import random
import re
from collections import Counter

POOL = (
    "candle basket bottle garden hammer island jacket kitten ladder mirror needle orange pencil rabbit saddle "
    "tunnel violin window yellow zipper anchor button carrot dragon engine forest guitar helmet insect jungle "
    "kettle lemon magnet napkin oyster parrot quiver rocket spider turtle urchin velvet walnut barrel castle donkey"
).split()


class LetterBoxEnv:
    """Four of fourteen words can be laid with a box of letters. Order does not matter; right ones are counted."""

    def __init__(self, max_turns=5):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.words = rng.sample(POOL, 14)
            self.four = frozenset(rng.sample(self.words, 4))
            box = Counter()
            for w in sorted(self.four):
                box |= Counter(w)
            if sum(not (Counter(w) - box) for w in self.words) == 4:
                break
        letters = sorted(box.elements())
        rng.shuffle(letters)
        self.turn = 0
        return (
            f"Letters in the box: {' '.join(letters).upper()}\nWords: {', '.join(self.words)}\n"
            "Exactly four of the words can be laid with the letters of the box (one word at a time, all letters are put back). "
            "Which four? \\boxed{word, word, word, word} in any order. After a miss you hear how many of yours are right."
        ), {}

    def step(self, action):
        self.turn += 1
        out = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        given = {w for w in re.split(r"[^a-z]+", m.group(1).lower()) if w} if m else set()
        foreign = sorted(given - set(self.words))[:2]
        if foreign:
            return f"Not in the list: {', '.join(w[:20] for w in foreign)}.", 0.0, False, out, {}
        if len(given) != 4:
            return f"Four different words are needed, not {len(given)}.", 0.0, False, out, {}
        if given == self.four:
            return "All four can be laid.", 1.0, True, False, {}
        good = len(given & self.four)
        return f"Of {', '.join(sorted(given))}: {good} right.", 0.0, False, out, {}

    def solution(self):
        return ["\\boxed{" + ", ".join(sorted(self.four)) + "}"]
