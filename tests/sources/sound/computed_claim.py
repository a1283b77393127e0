"""Interactive: readings first, then a claim of a computed number that no text shows."""
import random
import re


class WellEnv:
    """Three wells fill by hidden linear laws; read them on two days each and claim the day-100 total."""

    def __init__(self, max_turns=12, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.laws = {name: (rng.randint(3, 60), rng.randint(2, 19)) for name in ("east", "west", "north")}
        self.turn, self.read = 0, set()
        example = rng.choice(sorted(self.laws))
        return (
            "Three wells (east, west, north) each start at some level on day 0 and rise by a fixed amount a day. "
            f"\\boxed{{read {example} 1}} tells a level on a day from 0 to 9. \\boxed{{claim NUMBER}}: the three levels added "
            "up on day 100. A claim before all wells have been read is void; a wrong claim ends the task."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(?:read\s+(east|west|north)\s+([0-9])|claim\s+([0-9]{1,6}))\s*\}", action.lower())
        if not m:
            return "Read or claim.", 0.0, False, late, {}
        well, day, claim = m.groups()
        if well:
            self.read.add(well)
            base, rate = self.laws[well]
            return f"{well} on day {day}: {base + rate * int(day)}.", 0.0, False, late, {}
        if len(self.read) < 3:
            return "Void: read every well first.", 0.0, False, late, {}
        won = int(claim) == sum(base + 100 * rate for base, rate in self.laws.values())
        return ("Right." if won else "Wrong."), float(won), True, False, {}

    def solution(self):
        reads = [f"\\boxed{{read {well} {day}}}" for well in self.laws for day in (0, 1)]
        return reads + [f"\\boxed{{claim {sum(base + 100 * rate for base, rate in self.laws.values())}}}"]
