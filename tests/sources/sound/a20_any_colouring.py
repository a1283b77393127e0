import random
import re


class AnyColouringEnv:
    """Any proper colouring wins: the grader checks the rules instead of comparing with one stored answer."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.n = 12
        secret = [rng.choice("RGB") for _ in range(self.n)]
        pairs = [(i, j) for i in range(self.n) for j in range(i + 1, self.n) if secret[i] != secret[j]]
        self.edges = sorted(rng.sample(pairs, min(25, len(pairs))))
        self.secret = "".join(secret)
        self.turn = 0
        lines = ", ".join(f"{a + 1}-{b + 1}" for a, b in self.edges)
        return (
            f"Twelve lighthouses, numbered 1 to 12, get red, green or blue lamps. These pairs see each other: {lines}.\n"
            "Lighthouses that see each other need different colours. Write the colours of 1 to 12 as twelve letters, "
            "for example \\boxed{RRGGBBRRGGBB} (the form only). Every choice that obeys the rule is accepted."
        ), {"edges": len(self.edges)}

    def step(self, action):
        self.turn += 1
        over = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        letters = re.sub(r"[\s,;-]+", "", m.group(1).upper()) if m else ""
        if len(letters) != self.n or set(letters) - set("RGB"):
            return "Twelve letters out of R, G and B are needed.", 0.0, False, over, {"edges": len(self.edges)}
        clashes = [(a, b) for a, b in self.edges if letters[a] == letters[b]]
        if not clashes:
            return "No captain can mistake them.", 1.0, True, False, {"edges": len(self.edges)}
        a, b = clashes[0]
        return (
            f"{len(clashes)} pair(s) clash in your plan, {a + 1} and {b + 1} among them.",
            0.0, False, over, {"edges": len(self.edges)},
        )

    def solution(self):
        return ["\\boxed{" + self.secret + "}"]

    def hint(self):
        return "Begin with the lighthouse that sees the most others, then always colour the one with the fewest colours left."
