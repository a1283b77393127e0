import random
import re


class HummingSafeEnv:
    """Four wheels of forty marks, higher/lower by the pitch of a hum; strain ends it early."""

    def __init__(self, max_turns=40):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.wheels = dict(zip("PQRS", (rng.randint(1, 40) for _ in range(4))))
        self.set_right = set()
        self.low_means = {w: rng.choice(["above", "below"]) for w in self.wheels}
        self.strain = 0
        self.turn = 0
        return (
            "A safe has four wheels P, Q, R and S with the marks 1 to 40. \\boxed{P 17} puts wheel P to 17. A wheel that is off hums low or high: "
            "each wheel hums low on one side of its mark and high on the other, but which is which differs from wheel to wheel. A wheel on its mark "
            "clicks and stays. Every miss adds strain; at 28 the safe locks for good. Open it."
        ), {"strain": 0, "seated": 0}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        stats = lambda: {"strain": self.strain, "seated": len(self.set_right)}
        m = re.fullmatch(r"\\boxed\{\s*([PQRS])\s*[=:]?\s*([0-9]{1,2})\s*\}", action, re.I)
        if not m or not 1 <= int(m.group(2)) <= 40:
            return "A wheel and a mark, such as \\boxed{P 17}.", 0.0, False, late, stats()
        wheel, mark = m.group(1).upper(), int(m.group(2))
        if wheel in self.set_right:
            return f"Wheel {wheel} has clicked already.", 0.0, False, late, stats()
        if mark == self.wheels[wheel]:
            self.set_right.add(wheel)
            if len(self.set_right) == 4:
                return "The fourth click. The door swings open.", 1.0, True, False, stats()
            return f"Click! Wheel {wheel} stays.", 0.0, False, late, stats()
        self.strain += 1
        if self.strain >= 28:
            return "A bolt snaps. The safe is locked for good.", -0.5, True, False, stats()
        above = mark > self.wheels[wheel]
        low = above == (self.low_means[wheel] == "above")
        return f"Wheel {wheel} hums {'low' if low else 'high'}. Strain {self.strain}.", 0.0, False, late, stats()

    def solution(self):
        """Reads the hum: the ends of a wheel tell which side is which."""
        for wheel in self.wheels:
            seen = yield f"\\boxed{{{wheel} 40}}"
            if "hums" not in seen:
                continue
            above_word = "low" if "hums low" in seen else "high"
            low, high = 1, 39
            while low <= high:
                mid = (low + high) // 2
                seen = yield f"\\boxed{{{wheel} {mid}}}"
                if "hums" not in seen:
                    break
                if "hums " + above_word in seen:
                    high = mid - 1
                else:
                    low = mid + 1

    def hint(self):
        return "Try the highest mark of a wheel first; it tells you which pitch means too far up. After that halve what is left."
