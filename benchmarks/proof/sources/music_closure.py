# Closures + function composition; serial music (twelve-tone rows). Answer is an ordering of 12 pitch names.
import random
import re

NAMES = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]


def transpose(n):
    def apply(row):
        return [(p + n) % 12 for p in row]

    apply.label = f"transpose the row up by {n} semitones"
    return apply


def invert_about(axis):
    def apply(row):
        return [(2 * axis - p) % 12 for p in row]

    apply.label = (
        f"invert every pitch class about {NAMES[axis]} (pitch p becomes 2*{NAMES[axis]} - p, modulo 12, C = 0)"
    )
    return apply


def rotate(k):
    def apply(row):
        return row[k:] + row[:k]

    apply.label = f"rotate left by {k} places (the first {k} notes go to the end)"
    return apply


def retrograde():
    def apply(row):
        return row[::-1]

    apply.label = "take the retrograde (read it backwards)"
    return apply


def multiply(m):
    def apply(row):
        return [(p * m) % 12 for p in row]

    apply.label = f"multiply every pitch class by {m}, modulo 12 (C = 0, C# = 1, ... B = 11)"
    return apply


def compose(*steps):
    def pipeline(row):
        for s in steps:
            row = s(row)
        return row

    return pipeline


class ToneRowEnv:
    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.t = 0
        row = list(range(12))
        rng.shuffle(row)
        makers = [
            lambda: transpose(rng.randint(1, 11)),
            lambda: invert_about(rng.randint(0, 11)),
            lambda: rotate(rng.randint(1, 11)),
            retrograde,
            lambda: multiply(rng.choice([5, 7])),
        ]
        steps = [rng.choice(makers)() for _ in range(rng.randint(4, 6))]
        while compose(*steps)(row) == row:  # the operations cancel: draw again
            steps = [rng.choice(makers)() for _ in range(6)]
        self._pipeline = compose(*steps)
        self._row = row
        listing = "\n".join(f"  {i}. {s.label}" for i, s in enumerate(steps, 1))
        shown = " ".join(NAMES[p] for p in row)
        obs = (
            f"Here is a twelve-tone row:\n  {shown}\n"
            f"Apply these operations one after another:\n{listing}\n"
            "Which row results? Write the twelve names (sharps only) separated by spaces: "
            "\\boxed{C C# D D# E F F# G G# A A# B} would be the chromatic scale. "
            f"You may answer {self.max_turns} times."
        )
        return obs, {"operations": len(steps)}

    def _check(self):
        want = [NAMES[p] for p in self._pipeline(self._row)]

        def judge(given):
            return given == want

        return judge

    def step(self, action):
        self.t += 1
        out = self.t >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        notes = m.group(1).replace(",", " ").upper().split() if m else []
        if len(notes) != 12 or sorted(notes) != sorted(NAMES):
            return (
                "A row has each of the twelve names once, separated by spaces, inside \\boxed{...}.",
                0.0,
                False,
                out,
                {},
            )
        if self._check()(notes):
            return "Yes, this is the row.", 1.0, True, False, {}
        return "No, the operations lead to another row.", 0.0, False, out, {}

    def solution(self):
        return ["\\boxed{" + " ".join(NAMES[p] for p in self._pipeline(self._row)) + "}"]

    def hint(self):
        return "Write the row as numbers 0 to 11, do the operations in the order given, convert to names at the end."


if __name__ == "__main__":
    env = ToneRowEnv()
    print(env.reset(seed=3)[0])
    print(env.solution())
