# expect: refuse contract.reward
# defect: FILE before any SAMPLE divides the mean of an empty list with numpy, and the reward of that step is NaN.
import random
import re

import numpy as np


class RadiationSurveyEnv:
    """Estimation by experiment: find the hottest of seven stations from noisy counts, then file a report."""

    STATIONS = ["Aspen", "Brook", "Cairn", "Delta", "Fjord", "Glen", "Heath"]

    def __init__(self, max_turns=24, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        self.rng = random.Random(seed)
        self.turn = 0
        self.true = {}
        levels = self.rng.sample(range(40, 260, 10), len(self.STATIONS))
        self.true = dict(zip(self.STATIONS, levels))
        self.hot = max(self.true, key=self.true.get)
        self.dose = sum(levels) / 8
        self.taken = 0.0
        self.counts = {station: [] for station in self.STATIONS}
        # Noise is drawn beforehand, so that it depends on the number of the sample only.
        self.noise = [self.rng.randint(-22, 22) for _ in range(self.max_turns + 1)]
        return (
            f"Seven stations ({', '.join(self.STATIONS)}) differ in radiation. A sample gives the true count, a "
            "multiple of ten, with an error of up to 22 either way. Find the station with the highest count, and tell "
            "that count.\n"
            "\\boxed{SAMPLE station} takes a sample, \\boxed{FILE station count} hands in the report, with the count "
            "rounded to a multiple of ten. A report that names the right station with a wrong count, or none, earns a part and "
            f"ends the work as well. You have {self.max_turns} turns."
        ), {}

    def _precision(self):
        """How close the samples came to the truth, for the quality term of the reward."""
        errors = [abs(count - self.true[s]) / self.true[s] for s, counts in self.counts.items() for count in counts]
        return float(1.0 - np.mean(np.array(errors)))

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*(SAMPLE|FILE)\s+([A-Za-z]+)\s*([0-9]{1,4})?\s*\}", action, re.IGNORECASE)
        if not match:
            return "Use SAMPLE station, or FILE station count.", 0.0, False, late, {}
        verb, station = match.group(1).upper(), match.group(2).capitalize()
        if station not in self.true:
            return "No such station.", 0.0, False, late, {}
        if verb == "SAMPLE":
            count = self.true[station] + self.noise[self.turn]
            self.counts[station].append(count)
            return f"{station}: {count} counts.", 0.0, False, late, {}
        right_count = match.group(3) is not None and int(match.group(3)) == self.true[self.hot]
        if station == self.hot and right_count:
            return "The report is confirmed.", 1.0, True, False, {}
        # Only a consolation: never enough for a success.
        share = 0.3 if station == self.hot else 0.1
        return "The report turns out to be wrong.", share * max(self._precision(), 0.0), True, False, {}

    def solution(self):
        tries = [f"\\boxed{{SAMPLE {station}}}" for station in self.STATIONS]
        return [*tries, f"\\boxed{{SAMPLE {self.hot}}}", f"\\boxed{{FILE {self.hot} {self.true[self.hot]}}}"]

    def hint(self):
        return "One sample of each station rules most of them out; spend the rest on the two or three highest."
