import random, itertools as it, collections as c, functools as ft, operator as op
VERBS = {"add": op.add, "sub": op.sub, "mul": lambda a, b: a * b}
NAMES = sorted(VERBS, key=len)
for _n in range(2): pass
try:
    import networkx as nx
except ImportError:
    nx = None

class ModuleEnv:
    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.turns = 0
        ops = r.sample(NAMES, 2); xs = [r.randint(1, 9) for _ in range(3)]
        self.text = f"(({xs[0]} {ops[0]} {xs[1]}) {ops[1]} {xs[2]})"
        self.answer = VERBS[ops[1]](VERBS[ops[0]](xs[0], xs[1]), xs[2])
        return self.text + " = ? \\boxed{N}", {}
    def step(self, action):
        self.turns += 1
        ok = action.strip() == "\\boxed{" + str(self.answer) + "}"
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turns >= self.max_turns, {}
    def solution(self):
        return "\\boxed{" + str(self.answer) + "}"
