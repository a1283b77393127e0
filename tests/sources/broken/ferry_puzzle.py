# expect: refuse feasibility.witness
# defect: the plan is only searched when there is none yet, so after a second reset solution() returns the plan of the first task
import random
import re
from collections import deque


class FerryPuzzleEnv:
    """Ferry passengers over a river under pair-wise conflicts."""

    FOLK = ["fox", "goose", "grain", "cat", "mouse", "cheese", "dog"]

    def __init__(self, max_turns=24):
        self.max_turns = max_turns
        self.plan = None
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        while True:
            self.who = rng.sample(self.FOLK, 5)
            pairs = [(a, b) for i, a in enumerate(self.who) for b in self.who[i + 1:]]
            self.fights = [frozenset(p) for p in rng.sample(pairs, 3)]
            found = self._search()
            if found:
                break
        if not self.plan:
            self.plan = found
        self.near, self.far, self.side = set(self.who), set(), "near"
        wars = "; ".join(" and ".join(sorted(f)) for f in self.fights)
        return (
            f"Bring {', '.join(self.who)} over the river. The boat takes you and at most two of them. Without you on their bank these must not "
            f"be left together: {wars}. Command: \\boxed{{cross A B}}, \\boxed{{cross A}} or \\boxed{{cross}}. "
            f"A fight ends the trip. {self.max_turns} crossings."
        ), {}

    def _safe(self, group):
        return not any(f <= group for f in self.fights)

    def _loads(self, bank):
        names = sorted(bank)
        yield ()
        for i, a in enumerate(names):
            yield (a,)
            for b in names[i + 1:]:
                yield (a, b)

    def _search(self):
        start = (frozenset(self.who), "near")
        queue, seen = deque([(start, [])]), {start}
        everyone = frozenset(self.who)
        while queue:
            (near, side), path = queue.popleft()
            if not near and side == "far":
                return path
            here = near if side == "near" else everyone - near
            for load in self._loads(here):
                after = near - set(load) if side == "near" else near | set(load)
                left = after if side == "near" else everyone - after
                state = (after, "far" if side == "near" else "near")
                if self._safe(left) and state not in seen:
                    seen.add(state)
                    queue.append((state, path + [load]))
        return None

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*cross((?:\s+\w+){0,2})\s*\}", action)
        bank = self.near if self.side == "near" else self.far
        load = set(m.group(1).split()) if m else set()
        if m is None or not load <= bank:
            return "The ferryman needs names of passengers on your bank.", 0.0, False, late, {}
        bank -= load
        other = self.far if self.side == "near" else self.near
        other |= load
        if not self._safe(bank):
            return "A fight breaks out behind you.", 0.0, True, False, {}
        self.side = "far" if self.side == "near" else "near"
        if not self.near:
            return "Everybody is over.", 1.0, True, False, {}
        return f"Near: {', '.join(sorted(self.near))}. Far: {', '.join(sorted(self.far)) or 'nobody'}. You: {self.side}.", 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{" + " ".join(("cross",) + tuple(load)) + "}" for load in self.plan]
