"""Acid-base titration with a limited supply of samples."""

import math
import random
import re


class TitrationEnv:
    """Find an unknown concentration by adding base to samples and watching an indicator.

    A sample is 20 mL of acid of unknown concentration. Adding exactly the equivalent volume turns the indicator; it
    only tells colours, so the agent must bisect cleverly over a few samples.
    """

    COLOURS = ((-0.8, "red"), (-0.15, "orange"), (0.15, "yellow"), (0.8, "green"), (math.inf, "blue"))

    def __init__(self, max_turns=30, samples=4, **kwargs):
        self.max_turns = max_turns
        self.samples = samples
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.base_molarity = rng.choice([0.05, 0.08, 0.1, 0.2, 0.25])
        self.equivalent = rng.randint(81, 420)              # tenths of a millilitre
        self.left = self.samples
        self.added = 0
        self.turn = 0
        self.reports = 2
        return (
            f"You have {self.samples} samples of 20.0 mL of the same acid (one acid group) and a burette of base, "
            f"{self.base_molarity} mol/L. Equivalence lies between 8.0 and 42.0 mL, at a whole number of tenths.\n"
            "Commands:\n"
            "  \\boxed{add X}       let X mL run into the present sample (0.1 to 45.0)\n"
            "  \\boxed{new}         throw it away and take the next sample\n"
            "  \\boxed{report C}    the concentration of the acid in mol/L, six decimals are enough; two reports are allowed\n"
            "Indicator: red while more than 0.8 mL are missing, orange from 0.8 mL on, yellow within 0.15 mL of equivalence, "
            f"green above it, blue from 0.8 mL too much.\nTurns: {self.max_turns}. Present sample: 0.0 mL added, red."
        ), {}

    def _colour(self):
        over = (self.added - self.equivalent) / 10
        return next(name for bound, name in self.COLOURS if over < bound)

    @property
    def concentration(self):
        return self.equivalent / 10 * self.base_molarity / 20

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(add|new|report)\b\s*([0-9]{0,6}\.?[0-9]{0,10})\s*\}", action)
        info = {"samples_left": self.left - 1, "ml": self.added / 10}
        if not m:
            return "Command not recognised.", 0.0, False, late, info
        verb, number = m.groups()
        if verb == "new":
            if self.left <= 1:
                return "That was the last sample.", 0.0, False, late, info
            self.left -= 1
            self.added = 0
            return f"Fresh sample, {self.left - 1} more in stock. 0.0 mL added, red.", 0.0, False, late, info
        try:
            value = float(number)
        except ValueError:
            return f"{verb} needs a number.", 0.0, False, late, info
        if verb == "add":
            tenths = round(value * 10)
            if not 1 <= tenths <= 450 or abs(tenths - value * 10) > 1e-6:
                return "Volumes are multiples of 0.1 mL between 0.1 and 45.0.", 0.0, False, late, info
            self.added += tenths
            return f"{self.added / 10:.1f} mL added, {self._colour()}.", 0.0, False, late, info
        if math.isclose(value, self.concentration, rel_tol=0.001, abs_tol=1e-9):
            return "The reference laboratory agrees.", 1.0, True, False, info
        self.reports -= 1
        if self.reports == 0:
            return "The reference laboratory disagrees again.", 0.0, True, False, info
        return "The reference laboratory disagrees. One report left.", 0.0, False, late, info

    def solution(self):
        reading = lambda text: round(float(re.search(r"([\d.]+) mL added", text).group(1)) * 10)
        text = yield "\\boxed{add 8.0}"
        while "red" in text:                      # first sample: 4 mL at a time
            text = yield "\\boxed{add 4.0}"
        low = max(40, reading(text) - 40)
        yield "\\boxed{new}"
        text = yield f"\\boxed{{add {low / 10}}}"
        while "red" in text:                      # second sample: 0.6 mL cannot jump over the orange zone
            text = yield "\\boxed{add 0.6}"
        while "orange" in text:
            text = yield "\\boxed{add 0.1}"
        volume = (reading(text) + 1) / 10         # yellow begins one drop before equivalence
        yield f"\\boxed{{report {volume * self.base_molarity / 20:.8f}}}"

    def hint(self):
        return ("Sacrifice the first sample to bracket the turning point with large portions, then creep up on it with the next one. "
                "Amount of acid equals amount of base at equivalence.")
