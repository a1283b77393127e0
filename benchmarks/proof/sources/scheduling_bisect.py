# bisect + dynamic programming, generator solution(), any optimal selection accepted
import bisect
import random
import re


class BoatHireEnv:
    """Weighted interval scheduling: choose bookings for the only boat."""

    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        self.turnaround = rng.choice([5, 10, 15, 20])
        self.bookings = []
        for label in "ABCDEFGHIJKLMNOP":
            start = rng.randrange(8 * 60, 18 * 60, 5)
            length = rng.randrange(30, 200, 5)
            self.bookings.append((start, start + length, length // 2 + rng.randint(5, 90), label))
        listing = "\n".join(
            f"  {label}: {self.clock(s)}-{self.clock(e)}, pays {pay}" for s, e, pay, label in self.bookings
        )
        return (
            f"One boat, sixteen requests:\n{listing}\n"
            f"Between two hires the boat needs at least {self.turnaround} minutes of cleaning. Accept the requests that bring "
            "the most money. Answer with the letters in alphabetical order and the total pay, as in \\boxed{ACF 314}. "
            f"You have {self.max_turns} tries."
        ), {"requests": 16}

    @staticmethod
    def clock(minutes):
        return f"{minutes // 60:02d}:{minutes % 60:02d}"

    def optimum(self):
        jobs = sorted(self.bookings, key=lambda b: b[1])
        ends = [b[1] for b in jobs]
        best = [(0, "")]
        for i, (start, _, pay, label) in enumerate(jobs):
            k = bisect.bisect_right(ends, start - self.turnaround, 0, i)
            take = (best[k][0] + pay, best[k][1] + label)
            best.append(max(best[-1], take, key=lambda pair: pair[0]))
        total, letters = best[-1]
        return total, "".join(sorted(letters))

    def clash(self, letters):
        chosen = sorted(b for b in self.bookings if b[3] in letters)
        for before, after in zip(chosen, chosen[1:]):
            if after[0] < before[1] + self.turnaround:
                return True
        return False

    def step(self, action):
        self.turns += 1
        m = re.search(r"\\boxed\{\s*([A-P]{1,16})\s+([0-9]{1,7})\s*\}", action)
        if not m:
            return self.fail("Letters A to P, a space and a sum are expected: \\boxed{ACF 314}.")
        letters, total = m.group(1), int(m.group(2))
        if list(letters) != sorted(set(letters)):
            return self.fail("Name every request once, in alphabetical order.")
        if self.clash(letters):
            return self.fail("These hires do not fit one boat.")
        if total != sum(b[2] for b in self.bookings if b[3] in letters):
            return self.fail("The hires fit, but do not pay that sum.")
        if total < self.optimum()[0]:
            return self.fail("Feasible and well added up, but more money can be made.")
        return "Nobody could do better.", 1.0, True, False, {}

    def fail(self, text):
        return text, 0.0, False, self.turns >= self.max_turns, {}

    def solution(self):
        total, letters = self.optimum()
        yield "\\boxed{%s %d}" % (letters, total)

    def hint(self):
        return "Sort by end time; for each request compare skipping it with taking it on top of the best plan that is over early enough."
