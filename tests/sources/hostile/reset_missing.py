# expect: refuse static.class | load.error
"""There is no reset."""
class LonelyEnv:
    def __init__(self, max_turns=4):
        self.max_turns = max_turns

    def step(self, action):
        return "x", 1.0, True, False, {}

    def solution(self):
        return ["x"]
