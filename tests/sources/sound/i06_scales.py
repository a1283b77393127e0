import random
import re


class BalanceEnv:
    """Order seven stones with a balance and few weighings, then name the order; the witness really weighs."""

    def __init__(self, max_turns=17):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.labels = list("PQRSTUV")
        weights = rng.sample(range(50, 400), 7)
        self.weights = dict(zip(self.labels, weights))
        self.turn = 0
        return (
            "Seven stones P, Q, R, S, T, U, V have different weights. \\boxed{weigh P Q} compares two of them. Name them all "
            "from light to heavy with \\boxed{order ...}, seven letters with spaces between; a wrong order ends the "
            f"episode. {self.max_turns} turns, the last one included."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(weigh|order)\s+([P-Vp-v ]+?)\s*\}", action)
        stones = m.group(2).upper().split() if m else []
        if any(s not in self.weights for s in stones) or len(set(stones)) != len(stones):
            stones = []
        if m and m.group(1) == "weigh" and len(stones) == 2:
            a, b = stones
            light, heavy = (a, b) if self.weights[a] < self.weights[b] else (b, a)
            return f"{heavy} is heavier than {light}.", 0.0, False, late, {}
        if m and m.group(1) == "order" and len(stones) == 7:
            good = stones == sorted(self.labels, key=self.weights.get)
            return ("Sorted." if good else "That is not the order."), float(good), True, False, {}
        return "weigh takes two stones, order all seven.", 0.0, False, late, {}

    def solution(self):
        done = []
        for stone in self.labels:
            low, high = 0, len(done)
            while low < high:
                middle = (low + high) // 2
                text = yield f"\\boxed{{weigh {stone} {done[middle]}}}"
                if text.startswith(stone):
                    low = middle + 1
                else:
                    high = middle
            done.insert(low, stone)
        yield "\\boxed{order " + " ".join(done) + "}"
