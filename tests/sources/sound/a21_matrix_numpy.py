import numpy as np


class MatrixNumpyEnv:
    """Uses numpy for everything, down to its scalar rewards and flags."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = np.random.default_rng(seed)
        self.m = rng.integers(-6, 7, size=(3, 3))
        self.v = rng.integers(-9, 10, size=3)
        self.power = int(rng.integers(3, 5))
        self.result = np.linalg.matrix_power(self.m, self.power) @ self.v
        self.count = 0
        rows = "\n".join("[ " + "  ".join(f"{x:3d}" for x in row) + " ]" for row in self.m.tolist())
        vec = ", ".join(str(x) for x in self.v.tolist())
        return (
            f"M =\n{rows}\nv = ({vec})\n\nApply M to v {self.power} times in a row. "
            "Answer with the three entries: \\boxed{a, b, c}."
        ), {"power": self.power}

    def step(self, action):
        self.count += 1
        over = np.bool_(self.count >= self.max_turns)
        body = action.replace("\\boxed{", "").replace("}", "").strip(" ()[]")
        parts = [p.strip() for p in body.replace(";", ",").split(",")]
        ok = len(parts) == 3 and all(p.lstrip("-").isascii() and p.lstrip("-").isdigit() and len(p) < 12 and p.count("-") < 2 for p in parts)
        if not ok:
            return "Three integers separated by commas, please.", np.float64(0.0), np.bool_(False), over, {}
        given = np.array([int(p) for p in parts])
        if np.array_equal(given, self.result):
            return "Right in all three entries.", np.float64(1.0), np.bool_(True), np.bool_(False), {}
        off = int(np.sum(given != self.result))
        return f"{off} of the three entries are wrong.", np.float64(0.0), np.bool_(False), over, {"wrong": np.int64(off)}

    def solution(self):
        return ["\\boxed{" + ", ".join(str(int(x)) for x in self.result) + "}"]
