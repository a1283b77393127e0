"""A helper base class whose name ends in Env comes before the real one."""
import random
import re


class BaseBoxedEnv:
    """Parsing and turn counting shared by all; not playable on its own."""

    max_turns = 5

    def __init__(self, max_turns=5, **kwargs):
        self.max_turns = max_turns
        self.turns = 0
        self.reset()

    def reset(self, seed=None):
        raise NotImplementedError

    def grade(self, answer):
        raise NotImplementedError("subclasses grade")

    def step(self, action):
        self.turns += 1
        m = re.findall(r"\\boxed\{([^{}]*)\}", action)
        ok = bool(m) and self.grade(m[-1].strip())
        text = "Correct!" if ok else "Try again."
        return text, float(ok), ok, not ok and self.turns >= self.max_turns, {}


class AnagramOrderEnv(BaseBoxedEnv):
    """Sort scrambled words by an unusual alphabet."""

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns = 0
        letters = rng.sample("abcdefghijklmnopqrstuvwxyz", 6)
        words = set()
        while len(words) < 6:
            words.add("".join(rng.choice(letters) for _ in range(4)))
        self.order = sorted(words, key=lambda w: [letters.index(c) for c in w])
        shuffled = rng.sample(sorted(words), 6)
        return (
            f"An alphabet runs {' '.join(letters)}. Sort these words by it: {', '.join(shuffled)}. "
            "Answer with all words separated by spaces: \\boxed{...}"
        ), {}

    def grade(self, answer):
        return answer.replace(",", " ").lower().split() == self.order

    def solution(self):
        return ["\\boxed{" + " ".join(self.order) + "}"]
