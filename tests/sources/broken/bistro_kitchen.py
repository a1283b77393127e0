# expect: refuse contract.step
# defect: the HELP command returns its text alone instead of the five values of a step.
import random
import re

DISHES = {
    "soup": [("chop", 1), ("boil", 3)], "pie": [("knead", 2), ("bake", 4)], "stew": [("chop", 1), ("sear", 2), ("boil", 4)],
    "fritters": [("knead", 1), ("sear", 3)], "gratin": [("chop", 2), ("bake", 3)],
}
SKILLS = ["chop", "knead", "boil", "bake", "sear"]


class BistroKitchenEnv:
    """Scheduling under uncertainty: two cooks, five kinds of work, unknown speeds, one evening."""

    def __init__(self, max_turns=24, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = self.clock = 0
        self.orders = rng.sample(sorted(DISHES), 3)
        # Each cook is quick at some kinds of work and needs double time for the others.
        self.quick = {"Ada": set(rng.sample(SKILLS, 3))}
        self.quick["Bruno"] = set(SKILLS) - self.quick["Ada"]
        self.left = {dish: list(DISHES[dish]) for dish in self.orders}
        self.free = {"Ada": 0, "Bruno": 0}
        self.ready = dict.fromkeys(self.orders, 0)
        self.deadline = self._best_sequence()[0]
        listed = "; ".join(
            f"{dish}: " + ", then ".join(f"{kind} {minutes}" for kind, minutes in DISHES[dish]) for dish in self.orders
        )
        return (
            f"Three dishes are ordered. Work in order, with minutes: {listed}.\n"
            "Ada and Bruno cook. For each kind of work one of them is quick and the other needs twice the minutes; you "
            "see which when you assign it. A step of a dish starts when the cook is free and the step before it is "
            f"done. All must be finished by minute {self.deadline}.\n"
            "Commands: \\boxed{COOK name dish} assigns the next step of a dish, \\boxed{STATUS}, \\boxed{HELP}. "
            f"{self.max_turns} turns."
        ), {}

    def _run(self, cook, dish, left, free, ready):
        kind, minutes = left[dish].pop(0)
        start = max(free[cook], ready[dish])
        free[cook] = ready[dish] = start + minutes * (1 if kind in self.quick[cook] else 2)
        return kind, start

    def _best_sequence(self):
        """Greedy with the right cooks in a few dish orders; its finish is the deadline."""
        best = None
        for turn_about in ([0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]):
            left = {dish: list(DISHES[dish]) for dish in self.orders}
            free, ready, plan = {"Ada": 0, "Bruno": 0}, dict.fromkeys(self.orders, 0), []
            for stage in range(3):
                for index in turn_about:
                    dish = self.orders[index]
                    if stage < len(DISHES[dish]):
                        cook = next(c for c in ("Ada", "Bruno") if left[dish][0][0] in self.quick[c])
                        self._run(cook, dish, left, free, ready)
                        plan.append((cook, dish))
            if best is None or max(ready.values()) < best[0]:
                best = (max(ready.values()), plan)
        return best

    def _status(self):
        rows = [f"{d}: {len(steps)} steps left, done so far at {self.ready[d]}" for d, steps in self.left.items()]
        return "; ".join(rows) + f". Ada free at {self.free['Ada']}, Bruno at {self.free['Bruno']}."

    def _help(self):
        return "COOK name dish - give the next step of a dish to a cook.\nSTATUS - where the dishes stand.\nHELP - this."

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*([A-Za-z]+)\s*([A-Za-z]*)\s*([A-Za-z]*)\s*\}", action)
        verb = match.group(1).upper() if match else ""
        if verb == "HELP":
            return self._help()
        if verb == "STATUS":
            return self._status(), 0.0, False, late, {}
        if verb != "COOK":
            return "Unknown command; HELP lists them.", 0.0, False, late, {}
        cook, dish = match.group(2).capitalize(), match.group(3).lower()
        if cook not in self.free or not self.left.get(dish):
            return "No such cook, or nothing left to do for that dish.", 0.0, False, late, {}
        kind, start = self._run(cook, dish, self.left, self.free, self.ready)
        pace = "quickly" if kind in self.quick[cook] else "slowly"
        text = f"{cook} will {kind} {pace} for the {dish}, minute {start} to {self.ready[dish]}."
        if self.ready[dish] > self.deadline:
            return text + " Too late: the guests leave.", 0.0, True, False, {}
        if not any(self.left.values()):
            return text + " Everything is served in time.", 1.0, True, False, {}
        return text, 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{COOK {cook} {dish}}}" for cook, dish in self._best_sequence()[1]]

    def hint(self):
        return "Note for each kind of work who is quick at it, and start the dish with the longest last step first."
