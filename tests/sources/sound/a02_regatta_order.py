"""Finishing order of five boats from comparative clues."""
import itertools
import random
import re

BOATS = ["Albatross", "Bonito", "Comet", "Dolphin", "Esprit"]


class RegattaOrderEnv:
    def __init__(self, max_turns: int = 2, **kwargs):
        self.max_turns = max_turns
        self.order = []
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.attempts = 0
        while True:
            order = rng.sample(BOATS, 5)
            pos = {b: i for i, b in enumerate(order)}
            pool = []
            for a, b in itertools.permutations(BOATS, 2):
                if pos[a] < pos[b]:
                    pool.append((f"{a} finished before {b}.", lambda p, a=a, b=b: p[a] < p[b]))
                if abs(pos[a] - pos[b]) == 1 and a < b:
                    pool.append((f"{a} and {b} finished next to each other.", lambda p, a=a, b=b: abs(p[a] - p[b]) == 1))
                if abs(pos[a] - pos[b]) == 2 and a < b:
                    pool.append((f"Exactly one boat came in between {a} and {b}.", lambda p, a=a, b=b: abs(p[a] - p[b]) == 2))
            for b in BOATS:
                if pos[b] not in (0, 4):
                    pool.append((f"{b} was neither first nor last.", lambda p, b=b: p[b] not in (0, 4)))
            clues = rng.sample(pool, 5)
            fitting = [
                p for p in itertools.permutations(BOATS)
                if all(test({b: i for i, b in enumerate(p)}) for _, test in clues)
            ]
            if len(fitting) == 1:
                break
        self.order, self.clues = order, clues
        listing = "\n".join(f"* {text}" for text, _ in clues)
        obs = (
            "Five boats took part in the regatta: " + ", ".join(BOATS) + ".\n" + listing
            + "\nWrite the finishing order from first to last, e.g. \\boxed{" + " > ".join(sorted(BOATS, reverse=True)) + "} (format only)."
            + f"\nAttempts: {self.max_turns}"
        )
        return obs, {}

    def _parse(self, action):
        m = re.search(r"\\boxed\{([^}]*)\}", action)
        if not m:
            return None
        return [w.strip().title() for w in re.split(r"[>,;\n]+", m.group(1)) if w.strip()]

    def step(self, action):
        self.attempts += 1
        truncated = self.attempts >= self.max_turns
        guess = self._parse(action)
        if guess is None:
            return "I could not find a \\boxed{...} answer.", -0.1, False, truncated, {"valid": False}
        if sorted(guess) != sorted(BOATS):
            extra = [g[:20] for g in guess if g not in BOATS][:3]
            return f"All five boats are needed, each once. Not known: {extra}.", -0.1, False, truncated, {"valid": False}
        if guess == self.order:
            return "That is how they came in!", 1.0, True, False, {"valid": True}
        pos = {b: i for i, b in enumerate(guess)}
        bad = sum(not test(pos) for _, test in self.clues)
        return f"With your order {' > '.join(guess)}, {bad} of the 5 clues would be false.", 0.0, False, truncated, {"valid": True}

    def solution(self):
        return ["\\boxed{" + " > ".join(self.order) + "}"]

    def hint(self):
        return "Write five empty places on paper. Put the pair that must stand together in every possible place and cross out what the other clues forbid."


if __name__ == "__main__":
    env = RegattaOrderEnv()
    print(env.reset(seed=1)[0])
    for move in env.solution():
        print(env.step(move))
