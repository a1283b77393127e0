# expect: refuse exploits.constant
# defect: the seed only changes names and water marks; the same twelve commands pass the lock on every seed
import random
import re


class CanalLocksEnv:
    """Procedure under safety rules: take a boat down a staircase lock without flooding it."""

    def __init__(self, max_turns=28):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.boat = rng.choice(["Marigold", "Kestrel", "Old Tom", "Pernille", "Saskia", "Brigand"])
        self.levels = {"upper": rng.randint(40, 70), "middle": rng.randint(20, 39), "lower": rng.randint(2, 19)}
        self.place = 0
        self.gates = [False, False, False, False]
        self.equal = [False, False, False, False]
        marks = ", ".join(f"{k} {v} dm" for k, v in self.levels.items())
        return (
            f"The boat {self.boat} lies above a staircase of two lock chambers with three gates, 1 (top) to 3 (bottom). Water marks: {marks}.\n"
            "Before a gate can be opened the water on both sides has to be levelled at that gate, and no other gate may be open. "
            "The boat can only move down through an open gate.\n"
            "Commands: \\boxed{level N}, \\boxed{open N}, \\boxed{close N}, \\boxed{move}. An error that lets water through ends "
            f"the passage. The passage is done when the boat lies below gate 3 and gate 3 is closed behind it. {self.max_turns} turns."
        ), {}

    def _flood(self, text):
        return f"{text} Water rushes through the lock and the passage fails.", 0.0, True, False, {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(level|open|close|move)\s*([1-3])?\s*\}", action)
        if not m or (m.group(1) != "move" and not m.group(2)):
            return "The lock keeper waits for a proper command.", 0.0, False, late, {}
        verb, gate = m.group(1), int(m.group(2) or 0)
        if verb == "move":
            if self.place < 3 and self.gates[self.place + 1]:
                self.place += 1
                return f"{self.boat} glides through gate {self.place}.", 0.0, False, late, {}
            return "A closed gate lies ahead.", 0.0, False, late, {}
        if verb == "level":
            if any(self.gates):
                return self._flood("A gate was open while you levelled.")
            self.equal = [False] * 4
            self.equal[gate] = True
            return f"The water is even at gate {gate}.", 0.0, False, late, {}
        if verb == "open":
            if not self.equal[gate] or any(self.gates):
                return self._flood(f"Gate {gate} was opened too soon.")
            self.gates[gate] = True
            return f"Gate {gate} swings open.", 0.0, False, late, {}
        self.gates[gate] = False
        if self.place == 3 and gate == 3 and not any(self.gates):
            return f"{self.boat} is through.", 1.0, True, False, {}
        return f"Gate {gate} is shut.", 0.0, False, late, {}

    def solution(self):
        plan = []
        for gate in (1, 2, 3):
            plan += [f"level {gate}", f"open {gate}", "move", f"close {gate}"]
        return [f"\\boxed{{{p}}}" for p in plan]
