import numpy as np
import gymnasium as gym
from gymnasium import spaces
from typing import Optional, Dict, Any, Tuple
import re

class LightsOutEnv(gym.Env):
    metadata = {"render_modes": ["ansi", "human"], "render_fps": 4}
    def __init__(self, size: int = 4, max_turns: int = 30, render_mode: Optional[str] = None):
        super().__init__()
        self.size = size
        self.max_turns = max_turns
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(size * size)
        self.observation_space = spaces.Box(low=0, high=1, shape=(size, size), dtype=np.int8)
        self.board = np.zeros((size, size), dtype=np.int8)
        self._presses: set = set()
        self._steps = 0
    def _toggle(self, r: int, c: int) -> None:
        for dr, dc in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
            rr, cc = r + dr, c + dc
            if 0 <= rr < self.size and 0 <= cc < self.size:
                self.board[rr, cc] ^= 1
    def reset(self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> Tuple[str, Dict[str, Any]]:
        super().reset(seed=seed)
        self.board[:] = 0
        self._steps = 0
        k = int(self.np_random.integers(3, 7))
        idx = self.np_random.choice(self.size * self.size, size=k, replace=False)
        self._presses = {(int(i) // self.size, int(i) % self.size) for i in idx}
        for r, c in sorted(self._presses):
            self._toggle(r, c)
        if not self.board.any():
            self._presses ^= {(0, 0)}
            self._toggle(0, 0)
        return self._obs("Turn all lights off."), self._info()
    def _obs(self, msg):
        rows = ["".join("●" if v else "○" for v in row) for row in self.board]
        return msg + "\n┌" + "─" * self.size + "┐\n" + "\n".join(f"│{r}│" for r in rows) + "\n└" + "─" * self.size + "┘\nPress with \\boxed{ROW COL} (from 0)."
    def _info(self): return {"lit": self.board.sum(), "ratio": self.board.mean(), "board": self.board.copy()}
    def render(self): return self._obs("")
    def step(self, action):
        self._steps += 1
        m = re.search(r"\\boxed\{\s*(\d{1,3})[\s,]+(\d{1,3})\s*\}", action, re.ASCII)
        done = False
        reward = np.float32(-0.01)
        if m:
            r, c = int(m.group(1)), int(m.group(2))
            if r < self.size and c < self.size:
                self._toggle(r, c)
                self._presses ^= {(r, c)}
                done = not self.board.any()
                reward = 1.0 if done else np.float64(0)
                msg = "Pressed."
            else:
                msg = "Out of range."
        else:
            msg = "Format: \\boxed{ROW COL}."
        return self._obs(msg), reward, np.bool_(done), bool(not done and self._steps >= self.max_turns), self._info()
    def solution(self):
        for press in sorted(self._presses):
            yield "\\boxed{%d %d}" % press
    def close(self):
        super().close()
