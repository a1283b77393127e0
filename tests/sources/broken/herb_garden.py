# expect: refuse contract.observation
# defect: \boxed{count} returns the number of planted beds as an int instead of text
import random
import re


class HerbGardenEnv:
    """Plant herbs so that neighbours get along (graph colouring with wishes)."""

    HERBS = ("basil", "chives", "dill", "mint")

    def __init__(self, max_turns=16):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.bed = {}
        self.solution_beds = {}
        edges = [(i, i + 1) for i in range(1, 7)]
        extra = [(a, b) for a in range(1, 8) for b in range(a + 2, 8)]
        edges += rng.sample(extra, 4)
        self.edges = sorted(edges)
        while True:
            colours = {n: rng.choice(self.HERBS) for n in range(1, 8)}
            if all(colours[a] != colours[b] for a, b in self.edges) and len(set(colours.values())) == 4:
                break
        self.solution_beds = colours
        self.stock = {h: list(colours.values()).count(h) for h in self.HERBS}
        fixed = rng.sample(range(1, 8), 2)
        self.fixed = {n: colours[n] for n in fixed}
        return (
            f"Beds 1 to 7. Neighbours: {', '.join(f'{a}-{b}' for a, b in self.edges)}. Neighbouring beds must not hold the same herb. You have exactly "
            + ", ".join(f"{n} x {h}" for h, n in self.stock.items()) + ". Wishes: "
            + ", ".join(f"{h} in bed {n}" for n, h in self.fixed.items())
            + ".\nCommands: \\boxed{plant HERB BED}, \\boxed{clear BED}, \\boxed{count}. The garden is judged when all beds are planted; a bad garden is lost. "
            f"{self.max_turns} turns."
        ), {}

    def _good(self):
        return (
            all(self.bed[a] != self.bed[b] for a, b in self.edges)
            and all(self.bed[n] == h for n, h in self.fixed.items())
            and all(list(self.bed.values()).count(h) == n for h, n in self.stock.items())
        )

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(?:plant\s+(basil|chives|dill|mint)\s+([1-7])|clear\s+([1-7])|(count))\s*\}", action)
        if m is None:
            return "The gardener waits.", 0.0, False, late, {}
        if m.group(4):
            return len(self.bed), 0.0, False, late, {}
        if m.group(3):
            self.bed.pop(int(m.group(3)), None)
            return f"Bed {m.group(3)} is empty.", 0.0, False, late, {}
        self.bed[int(m.group(2))] = m.group(1)
        if len(self.bed) < 7:
            return f"{m.group(1).capitalize()} in bed {m.group(2)}.", 0.0, False, late, {}
        if self._good():
            return "What a garden!", 1.0, True, False, {}
        return "The herbs quarrel.", 0.0, True, False, {}

    def solution(self):
        return "\n".join(f"\\boxed{{plant {h} {n}}}" for n, h in self.solution_beds.items())
