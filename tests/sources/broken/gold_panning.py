# expect: refuse contract.reward | exploits.floor | exploits.constant
# defect: panning one of five lucky bends among twenty-four pays a step reward of 2.5, outside [-1, 1]; most exploring episodes meet one
import random
import re


class GoldPanningEnv:
    """Choose where to pan along a river from the mineral traces."""

    BENDS = [f"{side}{n}" for side in "LR" for n in range(1, 13)]

    def __init__(self, max_turns=12, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.bends = list(self.BENDS)
        rng.shuffle(self.bends)
        self.source = rng.randint(3, 20)
        self.lucky = set(rng.sample([b for i, b in enumerate(self.bends) if i != self.source], 5))
        self.claims = 1
        return (
            f"A river passes, from spring to mouth, the bends {', '.join(self.bends)}. A vein feeds one of them. Downstream of it every pan holds gold dust, "
            "above it none; at the vein itself it holds flakes.\n"
            f"Commands: \\boxed{{pan BEND}}, \\boxed{{claim BEND}} (once). Claim the bend with the vein within {self.max_turns} turns."
        ), {}

    def _trace(self, bend):
        place = self.bends.index(bend)
        if place == self.source:
            return "flakes"
        return "dust" if place > self.source else "nothing"

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(pan|claim)\s+(\w+)\s*\}", action)
        if not m or m.group(2).upper() not in self.bends:
            return "You stand by the water and wonder.", 0.0, False, late, {}
        verb, bend = m.group(1), m.group(2).upper()
        if verb == "pan":
            reward = 0.0
            text = f"The pan holds {self._trace(bend)}."
            if bend in self.lucky:
                self.lucky.discard(bend)
                text += " And a lost ring!"
                reward = 2.5
            return text, reward, False, late, {}
        if self.bends.index(bend) == self.source:
            return "The vein is yours.", 1.0, True, False, {}
        return "Only gravel here. The claim is lost.", 0.0, True, False, {}

    def solution(self):
        return [f"\\boxed{{pan {self.bends[self.source]}}}", f"\\boxed{{claim {self.bends[self.source]}}}"]
