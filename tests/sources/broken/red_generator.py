# expect: refuse feasibility.witness
# defect: solution() is a generator that changes the played instance, so that only it can win
import random
import re
class DoorEnv:
    """Unwinnable: the door only opens after solution() flipped a flag on the played instance."""
    def __init__(self, max_turns=12):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        self.code = random.Random(seed).randint(1000, 9999)
        self.turn, self.unlocked = 0, False
        return f"A door with number {self.code}. Commands: \\boxed{{knock}}, \\boxed{{enter N}}.", {}
    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.fullmatch(r"\\boxed\{enter (\d+)\}", action)
        if match and int(match.group(1)) == self.code and self.unlocked:
            return "You are in.", 1.0, True, False, {}
        if "knock" in action:
            return "Nobody answers.", 0.0, False, late, {}
        return f"The door stays shut ({self.turn}).", 0.0, False, late, {}
    def solution(self):
        self.unlocked = True
        yield "\\boxed{knock}"
        yield f"\\boxed{{enter {self.code}}}"
