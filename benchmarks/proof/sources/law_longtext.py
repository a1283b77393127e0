# long observation (a court register of 15-30 KiB), textwrap, collections.Counter; several tries
import random
import re
import textwrap
from collections import Counter

STATUTES = {
    "S1": "obstruction of a ditch",
    "S2": "keeping geese without a mark",
    "S3": "sale of unripe fruit",
    "S4": "ringing a bell after curfew",
    "S5": "false weights",
    "S6": "fishing in the abbey pond",
}
FIRST = "Agnes Bertram Cecily Drogo Edith Fulk Gunnora Hugh Isolde Joscelin".split()
LAST = "Attwell Brewer Cooper Dyer Fletcher Glover Hayward Mercer Reeve Tanner".split()
FILLER = [
    "The clerk notes that the bench was damp and that the oath was taken twice.",
    "A cousin of the accused spoke at length, and to little purpose.",
    "The bailiff was sent for, and came late, having lost his hat at the ford.",
    "No objection was raised by the neighbours, though several were heard to mutter.",
    "The register for the preceding day was found to be illegible and was copied afresh.",
]


class CourtRegisterEnv:
    """Long-text retrieval with an arithmetic rule on top."""

    def __init__(self, max_turns: int = 5):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.fines = {s: rng.randint(21, 480) for s in STATUTES}
        people = [f"{f} {l}" for f in FIRST for l in LAST]
        people = rng.sample(people, 14)
        self.cases = []
        for number in range(1, rng.randint(75, 105)):
            self.cases.append(
                {
                    "number": number,
                    "who": rng.choice(people),
                    "statute": rng.choice(sorted(STATUTES)),
                    "verdict": rng.choices(["guilty", "not guilty", "guilty, with mercy"], [5, 3, 2])[0],
                    "filler": rng.sample(FILLER, 2),
                }
            )
        # some verdicts are set aside later on
        guilty = [c for c in self.cases if c["verdict"] != "not guilty"]
        self.reversed = sorted(c["number"] for c in rng.sample(guilty, 8))
        counts = Counter(c["who"] for c in guilty)
        ranked = sorted(counts, key=lambda p: (-counts[p], p))
        self.targets = sorted(rng.sample(ranked[:8], 3))
        self.answer = sum(self.owed(p) for p in self.targets)
        return self.text(), {"cases": len(self.cases)}

    def owed(self, person):
        seen, total = Counter(), 0
        for case in self.cases:
            if case["who"] != person or case["verdict"] == "not guilty" or case["number"] in self.reversed:
                continue
            seen[case["statute"]] += 1
            base = self.fines[case["statute"]]
            total += base * seen[case["statute"]] if case["verdict"] == "guilty" else base
        return total

    def text(self):
        out = ["REGISTER OF THE MANOR COURT", "", "Tariff:"]
        out += [f"  {s} ({STATUTES[s]}): {self.fines[s]} pence" for s in sorted(STATUTES)]
        out.append(
            textwrap.fill(
                "A first upheld conviction of a person under a statute costs the tariff, the second under the same statute "
                "twice the tariff, the third three times, and so on. A conviction with mercy costs the plain tariff, but "
                "counts as one for those that follow. A verdict that was set aside counts for nothing.",
                100,
            )
        )
        for case in self.cases:
            body = (
                f"Case {case['number']}. {case['who']} stood accused of {STATUTES[case['statute']]}. {case['filler'][0]} "
                f"{case['filler'][1]} The verdict: {case['verdict']}."
            )
            out += ["", textwrap.fill(body, 100)]
        out += ["", "Set aside on appeal: cases " + ", ".join(map(str, self.reversed)) + ".", ""]
        names = ", ".join(self.targets[:-1]) + " and " + self.targets[-1]
        out.append(
            f"Question: how many pence do {names} owe together? Answer \\boxed{{N}}. You have {self.max_turns} tries."
        )
        return "\n".join(out)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.match(r"^\\boxed\{\s*([0-9]{1,12})\s*(?:pence)?\s*\}$", action.strip())
        if not m:
            return "The court expects a whole number of pence: \\boxed{N}.", 0.0, False, late, {}
        if int(m.group(1)) == self.answer:
            return "The court agrees with the sum.", 1.0, True, False, {}
        return "The sum does not agree with the register.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]

    def hint(self):
        return (
            "Collect each person's convictions in order, strike out those set aside, and multiply repeats per statute."
        )
