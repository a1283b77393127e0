import numpy as np
class MatrixEnv:
    metadata = {"render_modes": []}
    def __init__(self, size=3, max_turns=3):
        self.size, self.max_turns = size, max_turns
        self.rng = np.random.default_rng()
        self.reset()
    def reset(self, seed=None, options=None):
        if seed is not None: self.rng = np.random.default_rng(seed)
        self.A = self.rng.integers(0, 10, size=(self.size, self.size))
        self.t = 0
        return "Trace of\n" + "\n".join(" ".join(map(str, row)) for row in self.A) + "\nReply \\boxed{N}.", {"shape": self.A.shape}
    def step(self, action):
        self.t += 1
        ok = action.strip() == "\\boxed{%d}" % np.trace(self.A)
        return "ok" if ok else "no", np.float32(ok), np.bool_(ok), bool(not ok and self.t >= self.max_turns), {"t": np.int64(self.t)}
    def solution(self):
        return "\\boxed{" + str(int(np.trace(self.A))) + "}"
