"""A gymnasium subclass with spaces, metadata and np_random."""
import re

import gymnasium as gym
import numpy as np
from gymnasium import spaces


class TreasureEnv(gym.Env):
    """Find a buried chest from the compass answers of a metal detector."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, max_turns=12, render_mode=None, **kwargs):
        super().__init__()
        self.max_turns = max_turns
        self.render_mode = render_mode
        self.observation_space = spaces.Text(max_length=4096)
        self.action_space = spaces.Text(max_length=256)
        self.size = 40
        self.chest = np.array([0, 0])
        self.turn = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.chest = self.np_random.integers(0, self.size, size=2)
        self.start = self.np_random.integers(0, self.size, size=2)
        self.turn = 0
        clue = int(abs(self.chest - self.start).sum())
        obs = (
            f"A chest lies on a {self.size} by {self.size} beach (x and y from 0). The Manhattan distance from "
            f"({self.start[0]}, {self.start[1]}) to it is {clue}. Dig with \\boxed{{x y}}; a wrong dig tells the distance."
        )
        return obs, {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9]{1,2})[\s,]+([0-9]{1,2})\s*\}", action)
        if m is None:
            return "Say where to dig.", 0.0, False, late, {}
        spot = np.array([int(m.group(1)), int(m.group(2))])
        distance = int(np.abs(self.chest - spot).sum())
        if distance == 0:
            return "You hit the chest!", 1.0, True, False, {}
        return f"Nothing here. Distance {distance}.", 0.0, False, late, {"distance": distance}

    def render(self):
        return f"turn {self.turn}"

    def solution(self):
        return [f"\\boxed{{{self.chest[0]} {self.chest[1]}}}"]
