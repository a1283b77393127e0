"""Rewards and flags come straight out of numpy."""
import numpy as np
import re


class MatrixTraceEnv:
    def __init__(self, max_turns=5, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = np.random.default_rng(seed)
        self.a = rng.integers(-6, 10, size=(3, 3))
        self.b = rng.integers(-6, 10, size=(3, 3))
        self.answer = np.trace(self.a @ self.b) * 2 + self.a.max()
        self.turn = 0
        return (
            f"A = {self.a.tolist()}\nB = {self.b.tolist()}\n"
            "Compute 2 * trace(A B) + max(A). Answer with a signed integer: \\boxed{n}."
        ), {"shape": self.a.shape[0]}

    def step(self, action):
        self.turn += 1
        match = re.search(r"\\boxed\{\s*(-?[0-9]{1,8})\s*\}", action)
        value = np.int64(int(match.group(1))) if match else np.int64(10**9)
        correct = value == self.answer
        reward = np.where(correct, 1.0, 0.0).max()
        text = "Correct" if correct else "Not the value"
        return text, np.float64(reward), correct, np.bool_(self.turn >= self.max_turns and not correct), {"turn": np.int32(self.turn)}

    def solution(self):
        return [f"\\boxed{{{int(self.answer)}}}"]
