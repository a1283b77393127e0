# expect: refuse robustness.hangs | contract.observation
# defect: \boxed{repeat} doubles the woven cloth without a bound; sent every turn it needs gigabytes after about twenty-five turns
import random
import re


class LoomPatternEnv:
    """Weave a cloth of a given length and colour count with few commands."""

    def __init__(self, max_turns=40):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.cloth = []
        plan = []
        colours = rng.sample(["red", "blue", "gold", "white"], 3)
        for _ in range(rng.randint(3, 5)):
            plan += [f"weave {rng.choice(colours)}" for _ in range(rng.randint(1, 2))] + ["repeat"]
        self.plan = plan + [f"weave {rng.choice(colours)}"]
        cloth = []
        for command in self.plan:
            cloth = cloth + cloth if command == "repeat" else cloth + [command.split()[1]] * 3
        self.goal = {c: cloth.count(c) for c in colours}
        want = ", ".join(f"{n} threads of {c}" for c, n in self.goal.items())
        return (
            f"Weave a cloth of exactly {want}.\nCommands: \\boxed{{weave COLOUR}} adds three threads (colours: {', '.join(colours)}), "
            "\\boxed{repeat} weaves the whole cloth once more behind itself, \\boxed{cut} hands it in, which ends the work. "
            f"You have {self.max_turns} turns."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(?:weave\s+(red|blue|gold|white)|(repeat|cut))\s*\}", action)
        if m is None:
            return "The loom stands still.", 0.0, False, late, {}
        if m.group(1):
            self.cloth.extend([m.group(1)] * 3)
            return f"Woven. The last threads are {m.group(1)}.", 0.0, False, late, {}
        if m.group(2) == "repeat":
            if not self.cloth:
                self.cloth = ["white"] * 3
            self.cloth = self.cloth + self.cloth
            return "The pattern is repeated.", 0.0, False, late, {}
        counts = {c: self.cloth.count(c) for c in set(self.cloth) | set(self.goal)}
        if all(counts[c] == self.goal.get(c, 0) for c in counts):
            return "The weaver is proud of you.", 1.0, True, False, {}
        return "This is not what was ordered.", 0.0, True, False, {}

    def solution(self):
        return [f"\\boxed{{{p}}}" for p in self.plan + ["cut"]]
