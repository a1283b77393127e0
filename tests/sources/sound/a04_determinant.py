import numpy as np


class DeterminantEnv:
    """Determinant of an integer matrix with a parameter that must be worked out first."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=0):
        rng = np.random.default_rng(seed)
        self.n = int(rng.integers(3, 5))
        self.m = rng.integers(-7, 8, size=(self.n, self.n))
        self.t = int(rng.integers(2, 9))
        self.m[0, 0] = self.t * self.t - self.t
        while self._det() in (0, 1, -1) or abs(self._det()) < 50:
            self.m = rng.integers(-7, 8, size=(self.n, self.n))
            self.m[0, 0] = self.t * self.t - self.t
        self.tries = 0
        rows = []
        for i, row in enumerate(self.m):
            cells = [str(int(v)) for v in row]
            if i == 0:
                cells[0] = "t^2 - t"
            rows.append("[ " + ", ".join(cells) + " ]")
        return (
            "Let t be the positive solution of t^2 + " + str(3 - self.t) + f" t = {3 * self.t}. "
            "Compute the determinant of\n" + "\n".join(rows) + f"\nand answer \\boxed{{value}}. {self.max_turns} tries."
        )

    def _det(self):
        return int(round(float(np.linalg.det(self.m.astype(float)))))

    def step(self, action):
        self.tries += 1
        text = action.replace("\\boxed{", "").replace("}", "").strip()
        try:
            ok = len(text) < 30 and float(text) == self._det()
        except ValueError:
            ok = False
        reward = np.int64(1) if ok else np.int64(0)
        done = np.bool_(ok)
        return ("Correct." if ok else "Incorrect."), reward, done, bool(not ok and self.tries >= self.max_turns), {}

    def solution(self):
        return [f"\\boxed{{{self._det()}}}"]

    def hint(self):
        return "Factor the quadratic first; then expand along the row or column that is easiest."
