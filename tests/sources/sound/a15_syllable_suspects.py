import random
import re


class SyllableSuspectsEnv:
    """Two dozen freshly invented names per episode; opinions about them single one out."""

    HEADS = ["Bal", "Cor", "Dem", "Fen", "Gal", "Hes", "Jor", "Kel", "Lum", "Mor", "Nar", "Pel"]
    TAILS = ["ak", "ent", "ius", "om", "ura", "ys", "eth", "ido", "anu", "ole"]

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        everyone = [h + t for h in self.HEADS for t in self.TAILS]
        while True:
            self.names = rng.sample(everyone, 24)
            self.seat = {n: i + 1 for i, n in enumerate(self.names)}
            self.culprit = rng.choice(self.names)
            s = self.seat[self.culprit]
            facts = []
            for _ in range(5):
                kind = rng.randrange(4)
                if kind == 0:
                    other = rng.choice([n for n in self.names if n != self.culprit])
                    bound = max(1, abs(self.seat[other] - s) - rng.randint(0, 2))
                    facts.append((f"at least {bound} seats away from {other}", lambda n, o=other, d=bound: abs(self.seat[n] - self.seat[o]) >= d))
                elif kind == 1:
                    k = rng.choice([2, 3, 4])
                    facts.append((f"on a seat whose number leaves {s % k} when divided by {k}", lambda n, k=k: self.seat[n] % k == s % k))
                elif kind == 2:
                    letter = self.culprit[-1]
                    facts.append((f"called by a name that ends in '{letter}'", lambda n, l=letter: n.endswith(l)))
                else:
                    left = s > 12
                    facts.append(("in the back half (13 to 24)" if left else "in the front half (1 to 12)", lambda n, l=left: (self.seat[n] > 12) == l))
            facts = list(dict(facts).items())
            fits = [n for n in self.names if all(f(n) for _, f in facts)]
            if fits == [self.culprit]:
                break
        self.facts = facts
        self.turn = 0
        rows = [", ".join(f"{self.seat[n]} {n}" for n in self.names[i:i + 6]) for i in range(0, 24, 6)]
        told = "\n".join(f"- The thief sat {t}." if not t.startswith("called") else f"- The thief is {t}." for t, _ in facts)
        return "Seats and passengers of a coach:\n" + "\n".join(rows) + "\n" + told + "\nWho is the thief? \\boxed{name}", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([a-z]+)\s*\}", action.lower())
        name = m.group(1).capitalize() if m else None
        if name == self.culprit:
            return "The thief confesses.", 1.0, True, False, {}
        cut = self.turn >= self.max_turns
        tail = f" The thief was {self.culprit}." if cut else ""
        if name not in self.seat:
            return "Nobody of that name was on the coach." + tail, 0.0, False, cut, {}
        ok = sum(f(name) for _, f in self.facts)
        return f"{name} fits {ok} of {len(self.facts)} statements only." + tail, 0.0, False, cut, {}

    def solution(self):
        return ["\\boxed{" + self.culprit + "}"]
