"""Structural equations: evaluate a counterfactual."""

import random
import re

VARS = ["rain", "soil", "seed", "yield", "price", "debt"]


class CounterfactualEnv:
    """Abduction, action, prediction with linear equations and unknown noise terms."""

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.coef = {}
            for i, child in enumerate(VARS[1:], 1):
                parents = rng.sample(VARS[:i], min(i, rng.randint(1, 2)))
                if VARS[i - 1] not in parents and rng.random() < 0.6:
                    parents[0] = VARS[i - 1]
                self.coef[child] = {p: rng.choice([-7, -5, -4, -3, 2, 3, 4, 6, 8]) for p in sorted(set(parents))}
            noise = {v: rng.randint(-60, 60) for v in VARS}
            self.fact = self._evaluate(noise, {})
            self.cause = rng.choice(VARS[:4])
            self.setting = self.fact[self.cause] + rng.choice([-1, 1]) * rng.randint(3, 25)
            self.world = self._evaluate(noise, {self.cause: self.setting})
            self.query = VARS[-1] if rng.random() < 0.7 else VARS[-2]
            shown = set(self.fact.values()) | {self.setting}
            value = self.world[self.query]
            if value != self.fact[self.query] and abs(value) > 100 and value not in shown:
                break
        self.turn_count = 0
        return self._describe(), {"variables": len(VARS)}

    def _evaluate(self, noise, do):
        values = {}
        for v in VARS:
            if v in do:
                values[v] = do[v]
            else:
                values[v] = noise[v] + sum(k * values[p] for p, k in self.coef.get(v, {}).items())
        return values

    def _describe(self):
        eqs = []
        for v in VARS:
            terms = " ".join(f"{'+' if k > 0 else '-'} {abs(k)}*{p}" for p, k in self.coef.get(v, {}).items())
            eqs.append(f"  {v} := u_{v} {terms}".rstrip())
        seen = ", ".join(f"{v} = {x}" for v, x in self.fact.items())
        return ("A model of a farm, each quantity is computed from those before it plus an unknown constant u of its own:\n"
                + "\n".join(eqs)
                + f"\n\nThis year was observed: {seen}.\n\n"
                f"Had {self.cause} been set to {self.setting} by hand (its own equation ignored, all u unchanged), what would "
                f"{self.query} have been?\nOne integer in \\boxed{{}}; {self.max_turns} tries.")

    def step(self, action):
        self.turn_count += 1
        finished = self.turn_count >= self.max_turns
        m = re.search(r"\\boxed\{\s*([+-]?\d{1,15})\s*\}", action.replace("\u2212", "-"), re.ASCII)
        if m is None:
            return "Answer with one integer, please.", 0.0, False, finished, {}
        guess = int(m.group(1))
        if guess == self.world[self.query]:
            return "Right.", 1.0, True, False, {}
        if guess == self.fact[self.query]:
            return "That is the observed value; the intervention does reach it.", 0.0, False, finished, {}
        return "Wrong.", 0.0, False, finished, {}

    def solution(self):
        return str(self.world[self.query])

    def hint(self):
        return ("You need not know the constants: only the change matters. Follow the change of the manipulated quantity "
                "along every path, multiplying the factors, and add the paths up.")
