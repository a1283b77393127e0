import random
F = "Ada Ben Cleo Dan Eva Finn Gus Hana Ivo Jun Kay Leo".split(); L = "King Stone Marsh Vale Frost Reed Cole Nash Webb Lane Boyd Hart".split()
class PayEnv:
    """One of 14 listed people (first and last name), by a computation over the table."""
    def __init__(self, max_turns=2):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        names = rng.sample([f"{f} {l}" for f in F for l in L], 14)
        self.rows = [(n, rng.randint(20, 60), rng.randint(11, 39)) for n in names]; self.turn = 0
        self.ans = sorted(self.rows, key=lambda r: (-r[1] * r[2], r[0]))[1][0]
        return "Hours and wage:\n" + "\n".join(f"{n}: {h} h at {w}" for n, h, w in self.rows) + "\nWho earned the second most (ties by name)? \\boxed{First Last}", {}
    def step(self, action):
        self.turn += 1
        won = action == f"\\boxed{{{self.ans}}}"
        return "Right." if won else "Wrong.", float(won), won, not won and self.turn >= 2, {}
    def solution(self):
        return [f"\\boxed{{{self.ans}}}"]
