# expect: refuse load.error
"""__init__ wants arguments nobody has."""
class PickyEnv:
    def __init__(self, database, max_turns=4):
        self.database, self.max_turns = database, max_turns

    def reset(self, seed=None):
        return str(self.database[seed]), {}

    def step(self, action):
        return "x", 0.0, False, False, {}

    def solution(self):
        return ["x"]
