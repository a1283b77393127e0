# expect: refuse static.class | load.error
"""There is no step."""
class LonelyEnv:
    def __init__(self, max_turns=4):
        self.max_turns = max_turns

    def reset(self, seed=None):
        return "x", {}

    def solution(self):
        return ["x"]
