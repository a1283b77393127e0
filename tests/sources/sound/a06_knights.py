import random
import re
from itertools import product


class IslandEnv:
    """Knights and knaves, seven islanders, one consistent reading; answer as a word over K and N."""

    NAMES = ["Ava", "Bo", "Cy", "Di", "Ed", "Fay", "Gus"]

    def __init__(self, max_turns=2):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.truth = [rng.random() < 0.5 for _ in self.NAMES]
            claims = [self._claim(rng, i) for i in range(7)] + [self._claim(rng, rng.randrange(7)) for _ in range(3)]
            models = [m for m in product([True, False], repeat=7) if all(m[i] == test(m) for i, _, test in claims)]
            if models == [tuple(self.truth)]:
                break
        self.turn = 0
        self.word = "".join("K" if t else "N" for t in self.truth)
        lines = [f'{self.NAMES[i]}: "{text}"' for i, text, _ in claims]
        return (
            "Knights always tell the truth, knaves always lie.\n" + "\n".join(lines) + "\nDecide for "
            + ", ".join(self.NAMES) + " in this order: K for knight, N for knave, as in \\boxed{KKNNKNK} (only the form). "
            "Two attempts."
        ), {}

    def _claim(self, rng, speaker):
        others = [i for i in range(7) if i != speaker]
        a, b = rng.sample(others, 2)
        na, nb = self.NAMES[a], self.NAMES[b]
        kind = rng.randrange(4)
        forms = [
            (f"{na} and {nb} are of the same kind.", lambda m: m[a] == m[b]),
            (f"{na} is a knave or {nb} is a knight.", lambda m: not m[a] or m[b]),
            (f"{na} and {nb} are both knaves.", lambda m: not m[a] and not m[b]),
            (f"Exactly one of {na} and me is a knight.", lambda m: m[a] != m[speaker]),
        ]
        text, test = forms[kind]
        if test(self.truth) != self.truth[speaker]:
            text, test = "It is not so that: " + text, (lambda t: lambda m: not t(m))(test)
        return speaker, text, test

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([KNkn]{7})\s*\}", action)
        if m and m.group(1).upper() == self.word:
            return "Consistent.", 1.0, True, False, {}
        text = "Somebody contradicts that." if m else "Seven letters, K or N, in a box."
        return text, 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.word}}}"]
