import random, re
from itertools import permutations


class PatchPanelEnv:
    """Hidden wiring between six switches and six lamps, with one inverted lamp. Test sets of switches, then submit."""

    def __init__(self, max_turns=8):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.wire = rng.sample(range(6), 6)              # switch i -> lamp wire[i]
        self.inverted = rng.randrange(6)                 # this lamp burns when its switch is off
        self.turn, self.submitted = 0, 0
        return ("Six switches A-F are wired to six lamps 1-6, one to one, nobody knows how. One lamp is inverted: it burns when "
                "its switch is off.\n\n\\boxed{test ABF} switches on exactly these (\\boxed{test none} for none) and shows the lamps.\n"
                "\\boxed{submit 3 1 6 2 5 4 inv 2} names the lamps of A, B, C, D, E, F in order, and the inverted lamp.\n"
                f"Two submissions, {self.max_turns} turns."), {}

    def lamps(self, on):
        burning = {self.wire[i] for i in range(6) if "ABCDEF"[i] in on}
        burning ^= {self.inverted}
        return " ".join(str(l + 1) if l in burning else "-" for l in range(6))

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        words = m.group(1).split() if m else []
        if len(words) == 2 and words[0] == "test" and (words[1] == "none" or set(words[1]) <= set("ABCDEF")):
            on = "" if words[1] == "none" else words[1]
            return f"Lamps: {self.lamps(on)}", 0.0, False, late, {}
        if len(words) == 9 and words[0] == "submit" and words[7] == "inv":
            self.submitted += 1
            want = [str(w + 1) for w in self.wire] + ["inv", str(self.inverted + 1)]
            if words[1:] == want:
                return "The panel is certified.", 1.0, True, False, {}
            if self.submitted >= 2:
                return "Wrong again; a fuse blows.", 0.0, True, False, {}
            return "Wrong. One more submission.", 0.0, False, late, {}
        return "Use test or submit as described.", 0.0, False, late, {}

    def solution(self):
        plan = ["test none", "test ABC", "test ADE", "test BDF"]
        order = " ".join(str(w + 1) for w in self.wire)
        return [f"\\boxed{{{p}}}" for p in plan] + [f"\\boxed{{submit {order} inv {self.inverted + 1}}}"]

    def hint(self):
        return "First find the inverted lamp with all switches off. Then three tests suffice if every switch gets its own on/off pattern."
