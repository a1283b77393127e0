# expect: refuse static.stub
"""reset raises NotImplementedError."""
class LaterEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns

    def reset(self, seed=None):
        raise NotImplementedError

    def step(self, action):
        return "x", 0.0, False, False, {}

    def solution(self):
        return ["x"]
