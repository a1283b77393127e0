import random
import re

ROWS = [f"R{i:02d}" for i in range(1, 91)]
METALS = ["copper", "nickel", "zinc", "tin", "lead"]


class NinetyRowsEnv:
    """A long table of drill cores. The label asked for stands in the table, as do eighty-nine others."""

    def __init__(self, max_turns=2):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.cores = {
                key: (rng.choice(METALS), rng.randint(20, 400), round(rng.uniform(0.2, 9.9), 1), rng.choice(["wet", "dry"]))
                for key in ROWS
            }
            self.metal, self.state = rng.choice(METALS), rng.choice(["wet", "dry"])
            self.depth = rng.randrange(100, 300, 10)
            ranked = sorted(
                (k for k, v in self.cores.items() if v[0] == self.metal and v[3] == self.state and v[1] >= self.depth),
                key=lambda k: self.cores[k][2] * self.cores[k][1], reverse=True,
            )
            values = [self.cores[k][2] * self.cores[k][1] for k in ranked]
            if len(ranked) >= 3 and values[0] - values[1] > 1 and values[1] - values[2] > 1:
                break
        self.answer = ranked[1]
        self.turn = 0
        table = "\n".join(f"| {k} | {m:6s} | {d:3d} m | {g:3.1f} % | {s} |" for k, (m, d, g, s) in self.cores.items())
        return (
            "| core | metal | depth | grade | state |\n|------|-------|-------|-------|-------|\n" + table
            + f"\n\nConsider the {self.state} {self.metal} cores from {self.depth} m or deeper. Which of them has the second largest "
            "product of depth and grade? Answer with its label: \\boxed{label}. Two tries."
        ), {"rows": 90}

    def step(self, action):
        self.turn += 1
        cut = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*[Rr]?([0-9]{1,2})\s*\}", action)
        key = f"R{int(m.group(1)):02d}" if m else ""
        if key not in self.cores:
            return "There is no such core.", 0.0, False, cut, {}
        if key == self.answer:
            return f"{key} it is.", 1.0, True, False, {}
        metal, depth, _, state = self.cores[key]
        if (metal, state) != (self.metal, self.state) or depth < self.depth:
            return f"{key} is a {state} {metal} core from {depth} m: not among those meant.", 0.0, False, cut, {}
        return f"{key} is among those meant, but not second.", 0.0, False, cut, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]

    def hint(self):
        return f"Cross out every row that is not {self.metal} first, then those of the wrong state. Second largest is not the same as second deepest."
