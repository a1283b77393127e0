# expect: refuse determinism.replay | determinism.seed | feasibility.witness
# defect: all draws come from one generator made when the module is loaded, reset(seed) never seeds it, so the same seed gives another task each time
import random
import re

RNG = random.Random(2024)


def ring(order, swaps):
    row = list(order)
    for group in swaps:
        for i in group:
            row[i], row[i + 1] = row[i + 1], row[i]
    return row


class BellRingingEnv:
    """Change ringing: apply place notation to a row of bells."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        self.turn = 0
        self.bells = list(range(1, 9))
        RNG.shuffle(self.bells)
        self.method = []
        for _ in range(RNG.randint(3, 4)):
            start = RNG.choice([0, 1])
            group = [i for i in range(start, 7, 2) if RNG.random() < 0.8]
            self.method.append(group or [0])
        self.leads = RNG.randint(3, 6)
        row = self.bells
        for _ in range(self.leads):
            row = ring(row, self.method)
        self.row = row
        changes = "\n".join(
            f"  change {n}: swap the bells in places " + ", ".join(f"{i + 1}-{i + 2}" for i in g) for n, g in enumerate(self.method, 1)
        )
        return (
            f"Eight bells start in the row {' '.join(map(str, self.bells))}. One lead consists of these changes:\n{changes}\n"
            f"Which row stands after {self.leads} leads? Reply \\boxed{{b b b b b b b b}}; {self.max_turns} tries."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([1-8 ,]+)\}", action)
        row = [int(c) for c in re.findall(r"[1-8]", m.group(1))] if m else []
        if len(row) != 8:
            return "Give eight bell numbers.", 0.0, False, late, {}
        if row == self.row:
            return "Well rung.", 1.0, True, False, {}
        return "The row is wrong.", 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{" + " ".join(map(str, self.row)) + "}"]
