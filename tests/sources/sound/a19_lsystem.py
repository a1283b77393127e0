import random, re
from collections import Counter


class LSystemEnv:
    """String rewriting: how often does a letter occur after n parallel rewriting steps?"""

    def __init__(self, max_turns=5, **kw):
        self.max_turns = max_turns
        self.reset()

    @property
    def observation(self):
        rules = "\n".join(f"    {k} -> {v}" for k, v in self.rules.items())
        return f"""Rewriting system. In one step every letter of the string is replaced at the same time:
{rules}

Start: {self.axiom}
After {self.depth} steps, how many letters {self.letter} does the string hold?
Answer with \\boxed{{count}}. Wrong answers so far: {len(self.wrong)} of {self.max_turns}."""

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.wrong = []
        count = 0
        while not 400 <= count <= 20000:
            letters = rng.sample("FGKLRX", 3)
            self.rules = {c: "".join(rng.choice(letters) for _ in range(rng.randint(1, 3))) for c in letters}
            self.axiom = rng.choice(letters)
            self.depth = rng.randint(7, 11)
            self.letter = rng.choice(letters)
            count = self.count(self.depth)[self.letter]
        self.expected = count
        return self.observation, {"rules": len(self.rules)}

    def count(self, depth):
        bag = Counter(self.axiom)
        for _ in range(depth):
            new = Counter()
            for c, n in bag.items():
                for d in self.rules[c]:
                    new[d] += n
            bag = new
        return bag

    def step(self, action):
        m = re.search(r"\\boxed\{\s*(\d{1,8})\s*\}", action, re.A)
        guess = int(m.group(1)) if m else None
        if guess == self.expected:
            return "Correct.", 1.0, True, False, {}
        self.wrong.append(guess)
        note = "No number found. " if guess is None else "Not correct. "
        return note + self.observation, 0.0, False, len(self.wrong) >= self.max_turns, {"wrong": len(self.wrong)}

    def solution(self):
        return f"The count is \\boxed{{{self.expected}}}"

    def hint(self):
        return "Do not write the strings out: keep three counts and update them in each step from the right-hand sides."
