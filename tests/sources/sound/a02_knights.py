import random, re
from itertools import product

NAMES = ["Ada", "Bo", "Cyd", "Dax", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jo", "Kit", "Lou", "Mia", "Ned"]


class Claim:
    """A statement made by an islander. kind: 'is', 'same', 'diff', 'atleast'"""
    def __init__(self, kind, *args):
        self.kind = kind
        self.args = args

    def holds(self, world):
        if self.kind == "is":
            who, val = self.args
            return world[who] == val
        if self.kind == "same":
            a, b = self.args
            return world[a] == world[b]
        if self.kind == "xor":
            a, b = self.args
            return world[a] != world[b]
        if self.kind == "or":
            (a, va), (b, vb) = self.args
            return world[a] == va or world[b] == vb
        n = self.args[0]
        return sum(world) >= n

    def text(self, names):
        word = {True: "a knight", False: "a knave"}
        if self.kind == "is":
            return f"{names[self.args[0]]} is {word[self.args[1]]}"
        if self.kind == "same":
            return f"{names[self.args[0]]} and {names[self.args[1]]} are of the same kind"
        if self.kind == "xor":
            return f"{names[self.args[0]]} and {names[self.args[1]]} are of different kinds"
        if self.kind == "or":
            (a, va), (b, vb) = self.args
            return f"{names[a]} is {word[va]} or {names[b]} is {word[vb]}"
        return f"at least {self.args[0]} of us are knights"


class IslandEnv:
    """Knights always tell the truth, knaves always lie. Nine islanders, one consistent world."""

    N = 9

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        self.rng = random.Random(seed)
        while True:
            self.names = self.rng.sample(NAMES, self.N)
            world = tuple(self.rng.random() < 0.5 for _ in range(self.N))
            claims = [self._claim(i, world) for i in range(self.N)]
            models = [w for w in product([False, True], repeat=self.N)
                      if all(c.holds(w) == w[i] for i, c in enumerate(claims))]
            if len(models) == 1:
                break
        self.claims, self.world = claims, models[0]
        self.t = 0
        said = "\n".join(f'  {n}: "{c.text(self.names)}."' for n, c in zip(self.names, claims))
        obs = ("On an island every inhabitant is a knight (always truthful) or a knave (always lying).\n"
               f"You meet {self.N} of them:\n{said}\n\n"
               "Who is what? Write one letter per person in the order above, T for a knight and L for a knave,\n"
               "as one word in \\boxed{...}. You have %d tries." % self.max_turns)
        return obs, {}

    def _claim(self, speaker, world):
        """Random statement whose truth value matches the speaker's kind."""
        others = [i for i in range(self.N) if i != speaker]
        while True:
            kind = self.rng.choice(["is", "same", "xor", "or", "atleast"])
            a, b = self.rng.sample(others, 2)
            if kind == "is":
                c = Claim(kind, a, self.rng.random() < 0.5)
            elif kind == "or":
                c = Claim(kind, (a, self.rng.random() < 0.5), (b, self.rng.random() < 0.5))
            elif kind == "atleast":
                c = Claim(kind, self.rng.randint(2, 7))
            else:
                c = Claim(kind, a, b)
            if c.holds(world) == world[speaker]:
                return c

    @property
    def answer(self):
        return "".join("T" if k else "L" for k in self.world)

    def step(self, action):
        self.t += 1
        done = self.t >= self.max_turns
        m = re.search(r"\\boxed\{\s*([TLtl\s,]+?)\s*\}", action)
        if m is None:
            return "Invalid format: expected letters T and L only in \\boxed{...}", 0.0, False, done, {"valid": False}
        guess = re.sub(r"[\s,]", "", m.group(1)).upper()
        if len(guess) != self.N:
            return f"Your word has {len(guess)} letters, {self.N} are needed.", 0.0, False, done, {"valid": False}
        if guess == self.answer:
            return "Every statement fits. Solved!", 1.0, True, False, {"valid": True}
        world = [ch == "T" for ch in guess]
        clash = [self.names[i] for i, c in enumerate(self.claims) if c.holds(world) != world[i]]
        return (f"That does not work: the statements of {len(clash)} people contradict your assignment, "
                f"the first one being that of {clash[0]}."), 0.0, False, done, {"valid": True}

    def solution(self):
        return self.answer

    def hint(self):
        return ("Assume one person who is mentioned often is truthful, follow the consequences through all statements, "
                "and drop the assumption on the first contradiction.")
