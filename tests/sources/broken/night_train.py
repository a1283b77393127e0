# expect: refuse contract.observation
# defect: the transcript command ends its lines with <|end|> tokens as soon as a stop has been called
import random
import re


class NightTrainEnv:
    """Memory and inference: which compartments hold which passengers on a night train?"""

    PEOPLE = ["baker", "cellist", "diver", "envoy", "florist", "gambler"]

    def __init__(self, max_turns=20, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.people = rng.sample(self.PEOPLE, 5)
        self.leaves = dict(zip(self.people, rng.sample(range(1, 6), 5)))
        self.spy, self.courier = rng.sample(self.people, 2)
        self.stop = 0
        self.log = []
        return (
            f"Five passengers ride the night train: {', '.join(sorted(self.people))}. Each leaves at another one of the stops 1 to 5. The spy "
            f"leaves at stop {self.leaves[self.spy]}, the courier at stop {self.leaves[self.courier]}. You only hear the conductor.\n"
            "Commands: \\boxed{ride} to the next stop, \\boxed{ask PERSON} whether they are still on board, \\boxed{transcript} of what you heard, "
            f"\\boxed{{accuse SPY COURIER}}, once. {self.max_turns} turns."
        ), {}

    def _aboard(self, person):
        return self.leaves[person] > self.stop

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(ride|ask|transcript|accuse)\s*(\w*)\s*(\w*)\s*\}", action)
        if m is None:
            return "The wheels clatter.", 0.0, False, late, {}
        verb, person, other = m.group(1), m.group(2).lower(), m.group(3).lower()
        if verb == "ride":
            if self.stop < 5:
                self.stop += 1
            line = f"Stop {self.stop}. One passenger gets off."
            self.log.append(line)
            return line, 0.0, False, late, {}
        if verb == "transcript":
            text = "\n".join(f"{line}<|end|>" for line in self.log)
            return text or "Nothing heard yet.", 0.0, False, late, {}
        if person not in self.people:
            return "Nobody of that kind is on this train.", 0.0, False, late, {}
        if verb == "ask":
            line = f"The {person} is {'on board' if self._aboard(person) else 'gone'}."
            self.log.append(line)
            return line, 0.0, False, late, {}
        if (person, other) == (self.spy, self.courier):
            return "Arrested!", 1.0, True, False, {}
        return "You accuse the wrong one.", 0.0, True, False, {}

    def solution(self):
        plan = []
        for stop in range(1, max(self.leaves[self.spy], self.leaves[self.courier]) + 1):
            plan.append("ride")
            plan += [f"ask {p}" for p in (self.spy, self.courier) if self.leaves[p] == stop]
        return [f"\\boxed{{{p}}}" for p in plan + [f"accuse {self.spy} {self.courier}"]]
