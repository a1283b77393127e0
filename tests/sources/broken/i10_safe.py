# expect: refuse leak.hint
# defect: hint() names the hidden stop position of the first wheel, which the player is meant to find by listening
import random
import re


class SafeDialEnv:
    """Find a four-part combination by listening: the dial tells warmer or colder."""

    def __init__(self, max_turns=50):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.stops = [rng.randint(100, 999) for _ in range(4)]
        self.wheel = 0
        self.last = None
        self.turn = 0
        return (
            "A safe has four wheels, each with a secret stop between 100 and 999. Turn the present wheel with "
            "\\boxed{dial N}. The safe clicks when the stop is hit, and the next wheel follows; otherwise it hums high "
            f"(you are above the stop) or low (below). You have {self.max_turns} turns for all four wheels."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*dial\s+([0-9]{1,4})\s*\}", action)
        if not m:
            return "Use \\boxed{dial N}.", 0.0, False, late, {}
        value = int(m.group(1))
        if not 100 <= value <= 999:
            return "The dial runs from 100 to 999.", 0.0, False, late, {}
        stop = self.stops[self.wheel]
        if value == stop:
            self.wheel += 1
            if self.wheel == 4:
                return "Click. The door swings open.", 1.0, True, False, {}
            return f"Click. On to wheel {self.wheel + 1}.", 0.0, False, late, {}
        sound = "high" if value > stop else "low"
        return f"Wheel {self.wheel + 1} hums {sound}.", 0.0, False, late, {"wheel": self.wheel}

    def solution(self):
        return [f"\\boxed{{dial {s}}}" for s in self.stops]

    def hint(self):
        return (
            "Halve the range with every turn, ten turns are enough for a wheel. Start in the middle and keep both "
            f"bounds in mind; the first wheel, for example, is narrowed down to {self.stops[0]} that way."
        )
