import random
from gymnasium import Env, spaces
import gymnasium as gym
class MemoEnv(gym.Env):
    def __init__(self, **kwargs):
        super().__init__()
        self.observation_space = spaces.Text(1000); self.action_space = spaces.Text(100)
        self.max_turns = kwargs.get("max_turns", 6)
    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.seq = [int(x) for x in self.np_random.integers(0, 10, size=4)]
        self.i = 0; self.turn = 0
        return f"Remember: {self.seq}. Say them one by one as \\boxed{{digit}}.", {}
    def step(self, action):
        self.turn += 1
        if action != f"\\boxed{{{self.seq[self.i]}}}":
            return "Wrong, game over.", -1.0, True, False, {"at": self.i}
        self.i += 1
        done = self.i == len(self.seq)
        return ("Done." if done else "Next."), 1.0 / len(self.seq), done, False, {}
    def solution(self):
        return [f"\\boxed{{{d}}}" for d in self.seq]
