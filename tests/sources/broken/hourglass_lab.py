# expect: refuse robustness.hangs
# defect: \boxed{wait N} simulates N seconds one by one without a bound, and \boxed{wait 999999999} does not come back
import random
import re
from collections import deque


class HourglassLabEnv:
    """Time reactions with unlabelled hourglasses."""

    def __init__(self, max_turns=15, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.period = {"amber": rng.randint(7, 19), "cobalt": rng.randint(20, 41)}
        self.clock = 0
        self.times = {"amber": deque(maxlen=3), "cobalt": deque(maxlen=3)}
        while True:
            self.phase = {k: rng.randrange(1, v) for k, v in self.period.items()}
            both = [s for s in range(40, 400) if self._both(s)]
            if both:
                break
        self.goal = both[0]
        return (
            "Two hourglasses, amber and cobalt, turn over by themselves, each with its own fixed hidden period in seconds. You may wait and watch: "
            "\\boxed{wait N} lets N seconds pass and reports when each glass turned over last. \\boxed{stop} must be called exactly in a second in which "
            f"both turn over; it may be used once. You have {self.max_turns} turns."
        )

    def _both(self, second):
        return all((second + self.phase[k]) % p == 0 for k, p in self.period.items())

    def _tick(self):
        self.clock += 1
        for name, period in self.period.items():
            if (self.clock + self.phase[name]) % period == 0:
                self.times[name].append(self.clock)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*wait\s+([0-9]{1,12})\s*\}", action)
        if m:
            for _ in range(int(m.group(1))):
                self._tick()
            seen = "; ".join(f"{k}: {', '.join(map(str, v)) or 'not yet'}" for k, v in self.times.items())
            return f"Turned over at: {seen}. It is second {self.clock}.", 0.0, False, late, {}
        if re.search(r"\\boxed\{\s*stop\s*\}", action):
            if self.clock and self._both(self.clock):
                return "Both glasses turn. Perfect.", 1.0, True, False, {}
            return "Not at the same time. The experiment is void.", 0.0, True, False, {}
        return "Wait or stop.", 0.0, False, late, {}

    def solution(self):
        waits = [45] * (self.goal // 45) + [self.goal % 45]
        return [f"\\boxed{{wait {n}}}" for n in waits if n] + ["\\boxed{stop}"]
