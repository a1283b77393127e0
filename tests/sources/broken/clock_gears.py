# expect: refuse leak.hint
# defect: hint() states the combined period of the three wheels (hidden state, in no observation), which is most of the work.
import math
import random
import re


class ClockGearsEnv:
    """Number theory: when do three wheels and a cuckoo show the wanted position again?"""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        while True:
            self.teeth = rng.sample(range(9, 34), 3)
            self.period = math.lcm(*self.teeth)
            moment = rng.randrange(self.period)
            if 700 <= self.period <= 9000 and moment > 300:
                break
        self.wanted = [moment % tooth for tooth in self.teeth]
        self.rounds = rng.randint(3, 9)
        # The answer is the n-th time the position comes up, counted from second 0.
        self.answer = moment + (self.rounds - 1) * self.period
        rows = "\n".join(
            f"- wheel {label}: {tooth} teeth, moves one tooth per second, wanted tooth {want}"
            for label, tooth, want in zip("ABC", self.teeth, self.wanted)
        )
        return (
            "A tower clock has three wheels. At second 0 each shows tooth 0; after the last tooth comes tooth 0 again.\n"
            f"{rows}\n"
            "The cuckoo calls whenever all three wheels show their wanted teeth at the same time.\n"
            f"At which second does it call for the {self.rounds}th time? "
            f"Answer \\boxed{{seconds}}; {self.max_turns} tries."
        ), {}

    def _read(self, action):
        match = re.search(r"\\boxed\{\s*([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9})\s*(?:s|sec|seconds)?\s*\}", action)
        return int(match.group(1).replace(",", "")) if match else None

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        second = self._read(action)
        if second is None:
            return "Tell me a second, as in \\boxed{1234}.", 0.0, False, late, {}
        if second == self.answer:
            return "Cuckoo! Exactly then.", 1.0, True, False, {}
        silent = [label for label, tooth, want in zip("ABC", self.teeth, self.wanted) if second % tooth != want]
        if silent:
            return f"Silence. Wheel {silent[0]} is not on its tooth then.", 0.0, False, late, {}
        return "It calls then, but it is another of its calls.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]

    def hint(self):
        return (
            "Solve the congruences two at a time with the Chinese remainder theorem, substituting one into the other. "
            f"The whole position repeats every {self.period} seconds, so add that for each further call. "
            "Mind that the first call is not at second 0."
        )
