import math
import random
import re

UNITS = {"n": 1.0, "kn": 1000.0}


class BeamUnitsEnv:
    """Support reactions of a beam: numeric answer with a unit, half a percent of tolerance."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.length = rng.randint(40, 90) / 10
        self.loads = sorted((round(rng.uniform(0.4, self.length - 0.4), 1), rng.randint(30, 260) / 10) for _ in range(4))
        scale = 10 ** rng.uniform(-1, 2)
        self.loads = [(x, float(f'{f * scale:.3g}')) for x, f in self.loads]
        self.own = float(f'{rng.randint(8, 30) / 10 * scale:.3g}')
        moment = sum(x * f for x, f in self.loads) + self.own * self.length ** 2 / 2
        right = moment / self.length
        left = sum(f for _, f in self.loads) + self.own * self.length - right
        self.side = rng.choice(["left", "right"])
        self.value = left if self.side == "left" else right
        rows = "\n".join(f"  {f} kN at {x} m from the left end" for x, f in self.loads)
        return (
            f"A beam, {self.length} m long, rests on a support at either end and weighs {self.own} kN per metre. It carries\n{rows}\n"
            f"How large is the force in the {self.side} support? Answer with a unit, e.g. \\boxed{{12.3 kN}} or \\boxed{{12300 N}} "
            "(half a percent off is fine, a bare number counts as kN)."
        ), {}

    def step(self, action):
        self.turn += 1
        over = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9]{1,9}(?:[.,][0-9]{1,9})?)\s*(?:\\?,|~|\\text\{)?\s*(k?N)?\}?\s*\}?$", action, re.I)
        if not m:
            return "A number and a unit are needed.", 0.0, False, over, {}
        force = float(m.group(1).replace(",", ".")) * UNITS[(m.group(2) or "kN").lower()] / 1000
        if math.isclose(force, self.value, rel_tol=0.005):
            return "The support holds.", 1.0, True, False, {}
        ratio = force / self.value
        comment = "Look at the unit again." if ratio > 500 or ratio < 0.002 else "The moments do not balance."
        return comment, 0.0, False, over, {}

    def solution(self):
        return [f"\\boxed{{{self.value:.3f} kN}}"]

    def hint(self):
        return "Take moments about the other support; the weight of the beam acts in its middle."
