import random
import re

COLOURS, TASTES, FORMS = ["red", "blue", "yellow"], ["bitter", "sweet", "sour"], ["root", "leaf", "berry", "bark"]


class CauldronEnv:
    """A recipe in riddles: six stages, at each of which nearly every command is refused; partial pay sums to one."""

    def __init__(self, max_turns=26):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        combos = [(c, t, f) for c in COLOURS for t in TASTES for f in FORMS]
        names = ["alraun", "betony", "cicely", "dittany", "elder", "fennel", "gentian", "hyssop", "iris", "juniper", "kelp", "lovage"]
        while True:
            self.herbs = dict(zip(names, rng.sample(combos, len(names))))
            self.needed, self.riddles = [], []
            for _ in range(4):
                herb = rng.choice([n for n in names if n not in self.needed])
                c, t, f = self.herbs[herb]
                not_c = rng.choice([x for x in COLOURS if x != c])
                riddle = f"a {t} {f} that is not {not_c}"
                fits = [n for n, (cc, tt, ff) in self.herbs.items() if tt == t and ff == f and cc != not_c]
                if len(fits) != 1:
                    break
                self.needed.append(herb)
                self.riddles.append(riddle)
            if len(self.needed) == 4:
                break
        self.heat_first = rng.sample(["simmer", "boil", "cool", "simmer"], 4)
        self.stage, self.heat, self.seen, self.turn = 0, "off", False, 0
        shelf = "\n".join(f"  {n}: {c}, {t}, {f}" for n, (c, t, f) in sorted(self.herbs.items()))
        return (
            f"Herbs on the shelf:\n{shelf}\n\nFour herbs go into the cauldron. \\boxed{{read}} shows the next line of the book, "
            "\\boxed{heat simmer}, \\boxed{heat boil} or \\boxed{heat cool} sets the fire, \\boxed{add HERB} adds a herb, once the line is read and "
            "the fire is as the line wants it. A wrong herb spoils the brew. Every right herb pays a quarter."
        ), {"stage": 0}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        info = {"stage": self.stage, "heat": self.heat}
        m = re.fullmatch(r"\\boxed\{\s*(read|heat\s+(simmer|boil|cool)|add\s+([a-z]+))\s*\}", action.lower())
        if not m:
            return "The book knows read, heat and add.", 0.0, False, late, info
        if m.group(1) == "read":
            if self.seen:
                return "You have read this line; it fades.", 0.0, False, late, info
            self.seen = True
            return f"Line {self.stage + 1}: let it {self.heat_first[self.stage]}, then throw in {self.riddles[self.stage]}.", 0.0, False, late, info
        if m.group(2):
            if not self.seen or self.heat == m.group(2):
                return "The fire does not change.", 0.0, False, late, info
            self.heat = info["heat"] = m.group(2)
            return f"The brew is set to {self.heat}.", 0.0, False, late, info
        if not self.seen or self.heat != self.heat_first[self.stage] or m.group(3) not in self.herbs:
            return "The lid will not open for that.", 0.0, False, late, info
        if m.group(3) != self.needed[self.stage]:
            return "Green smoke: the brew is spoilt.", 0.0, True, False, info
        self.stage, self.seen = self.stage + 1, False
        info["stage"] = self.stage
        if self.stage == 4:
            return "The potion glows. Done!", 0.25, True, False, info
        return "The brew takes it.", 0.25, False, late, info

    def solution(self):
        out, heat = [], "off"
        for herb, want in zip(self.needed, self.heat_first):
            out.append("\\boxed{read}")
            if want != heat:
                out.append(f"\\boxed{{heat {want}}}")
            heat = want
            out.append(f"\\boxed{{add {herb}}}")
        return out
