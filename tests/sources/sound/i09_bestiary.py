import random
import re
from itertools import product

TRAITS = {
    "skin": ["scales", "fur", "feathers", "shell"],
    "legs": ["two", "four", "six", "none"],
    "diet": ["moss", "fish", "ore", "nectar"],
    "voice": ["hum", "click", "howl", "silent"],
}
SYL = ["ba", "do", "fi", "gu", "ka", "lo", "mi", "nu", "pa", "ro", "si", "tu", "ve", "wo", "xa", "zi"]


class BestiaryEnv:
    """Identify one of 48 creatures by asking about traits; a wrong guess loses at once."""

    def __init__(self, max_turns=10, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        combos = rng.sample(list(product(*TRAITS.values())), 48)
        names = set()
        while len(names) < 48:
            names.add("".join(rng.sample(SYL, 2)) + rng.choice("lmnrst"))
        self.creatures = dict(zip(sorted(names), combos))
        self.hidden = rng.choice(sorted(names))
        self.turn = 0
        self.finished = False
        rows = "\n".join(f"{n:<7}" + "".join(f"{v:<10}" for v in t) for n, t in self.creatures.items())
        head = f"{'name':<7}" + "".join(f"{k:<10}" for k in TRAITS)
        return (f"One creature of this list hides in the fog.\n{head}\n{rows}\n\n"
                "\\boxed{ask TRAIT VALUE} gets a yes or no, for example \\boxed{ask legs six}; \\boxed{name CREATURE} is your final "
                f"guess and must be right the first time. Turns: {self.max_turns}."), {"creatures": 48}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(ask|name)\s+(\w+)(?:\s+(\w+))?\s*\}", action, re.I)
        if not m:
            return "The fog does not understand you.", 0.0, False, late, {}
        verb, one, two = m.group(1).lower(), m.group(2).lower(), (m.group(3) or "").lower()
        if verb == "name":
            if one not in self.creatures:
                return "There is no such creature on the list.", 0.0, False, late, {}
            if one == self.hidden:
                return f"The {one} steps out of the fog.", 1.0, True, False, {}
            return f"Nothing stirs. It was the {self.hidden}.", -1.0, True, False, {}
        if one not in TRAITS or two not in TRAITS[one]:
            return "Ask about a trait and one of its values.", 0.0, False, late, {}
        k = list(TRAITS).index(one)
        answer = "Yes" if self.creatures[self.hidden][k] == two else "No"
        return f"{answer}.", 0.0, False, late, {}

    def solution(self):
        """Greedy halving; falls back to the hidden entry never: the answers decide."""
        pool = list(self.creatures)
        while len(pool) > 1:
            best = min(((t, v) for t in TRAITS for v in TRAITS[t]),
                       key=lambda q: abs(sum(self.creatures[n][list(TRAITS).index(q[0])] == q[1] for n in pool) * 2 - len(pool)))
            k = list(TRAITS).index(best[0])
            reply = yield f"\\boxed{{ask {best[0]} {best[1]}}}"
            pool = [n for n in pool if (self.creatures[n][k] == best[1]) == reply.startswith("Yes")]
        yield f"\\boxed{{name {pool[0]}}}"

    def hint(self):
        return "Ask the question that splits the remaining creatures as evenly as possible, and cross out rows after each answer."
