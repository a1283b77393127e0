"""`import gym` and old spaces; four return values; module level random."""
import random
import re

import gym
from gym import spaces


class PulleyEnv(gym.Env):
    metadata = {"render.modes": ["human"]}

    def __init__(self, max_turns=4):
        super(PulleyEnv, self).__init__()
        self.action_space = spaces.Discrete(2)
        self.observation_space = spaces.Discrete(2)
        self.max_turns = max_turns
        self.current_turn = 0

    def reset(self, seed=None):
        if seed is not None:
            random.seed(seed)
        self.radii = [random.randint(3, 20) for _ in range(4)]
        self.turns = random.randint(3, 30) * self.radii[1] * self.radii[2] * self.radii[3]
        self.answer = self.turns * self.radii[0] // self.radii[3]
        self.current_turn = 0
        return (
            f"Four belt-driven wheels in a row have radii {self.radii}. The first makes {self.turns} turns. How many does "
            "the last make? \\boxed{number}"
        )

    def step(self, action):
        self.current_turn += 1
        m = re.search(r"\\boxed\{([0-9]{1,9})\}", action)
        correct = m is not None and int(m.group(1)) == self.answer
        done = correct or self.current_turn >= self.max_turns
        return ("Correct" if correct else "Wrong"), (1.0 if correct else 0.0), done, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
