# expect: refuse contract.info
# defect: coupling in an empty yard returns the list of wagons as info instead of a dict
import random
import re


class SwitchYardEnv:
    """Sort wagons with three sidings (stack moves)."""

    def __init__(self, max_turns=30, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.wagons = rng.sample("KLMNPRST", 4)
        start = (tuple(self.wagons), (), ())
        plans = self._plans(start)
        goal = rng.choice(sorted(t for t, plan in plans.items() if 7 <= len(plan) <= 14))
        self.plan = plans[goal]
        self.goal_tracks = {k: list(v) for k, v in zip("123", goal)}
        self.tracks = {k: list(v) for k, v in zip("123", start)}
        return (
            "Three sidings hold wagons; only the rightmost wagon of a siding can move.\n" + self._show(self.tracks, "Now") + "\n"
            + self._show(self.goal_tracks, "Wanted")
            + f"\nCommand: \\boxed{{couple A B}} takes the last wagon of siding A to siding B (1, 2, 3). {self.max_turns} moves."
        ), {}

    @staticmethod
    def _plans(start):
        plans, queue = {start: []}, [start]
        for state in queue:
            for a in range(3):
                for b in range(3):
                    if a != b and state[a]:
                        after = list(state)
                        after[b] = after[b] + (after[a][-1],)
                        after[a] = after[a][:-1]
                        after = tuple(after)
                        if after not in plans:
                            plans[after] = plans[state] + [(a + 1, b + 1)]
                            queue.append(after)
        return plans

    @staticmethod
    def _show(tracks, title):
        return f"{title}: " + "; ".join(f"{k}: {' '.join(v) or 'empty'}" for k, v in tracks.items())

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*couple\s+([123])\s+([123])\s*\}", action)
        if m is None or m.group(1) == m.group(2):
            return "The shunter waits for two different sidings.", 0.0, False, late, {}
        source, target = m.groups()
        if not self.tracks[source]:
            return f"Siding {source} is empty.", 0.0, False, late, self.tracks[source]
        self.tracks[target].append(self.tracks[source].pop())
        if self.tracks == self.goal_tracks:
            return "The train is made up as ordered.", 1.0, True, False, {"moves": self.turn}
        return self._show(self.tracks, "Now"), 0.0, False, late, {"moves": self.turn}

    def solution(self):
        return [f"\\boxed{{couple {a} {b}}}" for a, b in self.plan]
