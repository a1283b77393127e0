# expect: refuse feasibility.witness
# defect: the harbour network is drawn without a check, so on some seeds no route leads to the destination at all
import random
import re
from collections import deque


class FerryEnv:
    """Hop between islands; a ferry leaves only on the days it runs."""

    ISLANDS = ["Aster", "Borea", "Corva", "Delos", "Evora", "Faro", "Goza", "Hydra"]

    def __init__(self, max_turns=25):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        names = list(self.ISLANDS)
        rng.shuffle(names)
        self.lines = {}
        for a in names:
            for b in rng.sample([n for n in names if n != a], 2):
                self.lines[(a, b)] = rng.randrange(3)
        self.here, self.goal = names[0], names[-1]
        for pair in [(self.here, self.goal)]:
            self.lines.pop(pair, None)
        for pair in [p for p in self.lines if p[1] == self.goal][1:]:
            del self.lines[pair]
        self.day = 0
        return (
            f"Travel from {self.here} to {self.goal}. Each turn is a day. A ferry runs every third day. "
            "\\boxed{board Name} takes the ferry to that island, \\boxed{wait} lets a day pass.\n" + self._port()
            + f"\nYou have {self.max_turns} days."
        ), {}

    def _port(self):
        rows = [f"{b} (day {d}, {d + 3}, {d + 6} and so on)" for (a, b), d in self.lines.items() if a == self.here]
        return f"Day {self.day}, at {self.here}. Ferries: " + ("; ".join(rows) or "none") + "."

    def step(self, action):
        today = self.day
        self.day += 1
        late = self.day >= self.max_turns
        m = re.search(r"\\boxed\{\s*(wait|board\s+(\w+))\s*\}", action)
        if not m:
            return "The harbour master shrugs. " + self._port(), 0.0, False, late, {}
        if m.group(2):
            runs = self.lines.get((self.here, m.group(2)))
            if runs is None or runs != today % 3:
                return "That ferry does not leave today. " + self._port(), 0.0, False, late, {}
            self.here = m.group(2)
            if self.here == self.goal:
                return f"You land on {self.goal}.", 1.0, True, False, {}
        return self._port(), 0.0, False, late, {}

    def solution(self):
        queue, seen = deque([(self.here, self.day % 3, [])]), {(self.here, self.day % 3)}
        plan = []
        while queue:
            isle, phase, plan = queue.popleft()
            if isle == self.goal:
                break
            options = [(isle, "wait")] + [(b, f"board {b}") for (a, b), d in self.lines.items() if a == isle and d == phase]
            for nxt, word in options:
                key = (nxt, (phase + 1) % 3)
                if key not in seen:
                    seen.add(key)
                    queue.append((key[0], key[1], plan + [f"\\boxed{{{word}}}"]))
        return plan
