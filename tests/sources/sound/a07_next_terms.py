import random
import re


def _polish(items):
    return ", ".join(str(i) for i in items)


class NextTermsEnv:
    """Sequence continuation with three kinds of hidden recurrences; the next three terms are asked for."""

    def __init__(self, max_turns=5):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        if seed is not None:
            random.seed(seed)
        self.turn = 0
        kind = random.randrange(3)
        a, b, c = random.randint(2, 5), random.randint(-9, 9), random.randint(1, 3)
        s = [random.randint(1, 9), random.randint(1, 9)]
        while len(s) < 10:
            n = len(s)
            if kind == 0:
                s.append(s[-1] + a * s[-2] + b)
            elif kind == 1:
                s.append(2 * s[-1] - s[-2] + a * n + b)
            else:
                s.append((a * s[-1] + b) if n % 2 else (s[-1] - s[-2] + 10 * c))
        self.shown, self.rest = s[:7], s[7:]
        self.kind = kind
        return (
            "A machine prints numbers by a fixed rule:\n\n    " + _polish(self.shown) + ", ...\n\n"
            "Which three numbers come next? \\boxed{p, q, r}. Separate them by commas or blanks. "
            "You are told how many of your three stand in the right place."
        ), {"shown": len(self.shown)}

    def step(self, action):
        self.turn += 1
        cut = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        numbers = re.findall(r"[+-]?[0-9]{1,9}", m.group(1)) if m else []
        if len(numbers) != 3:
            return f"Three numbers are expected, {len(numbers)} found.", 0.0, False, cut, {"turn": self.turn}
        right = [int(n) == r for n, r in zip(numbers, self.rest)]
        if all(right):
            return "The machine prints the same.", 1.0, True, False, {"turn": self.turn}
        return f"{sum(right)} of 3 in the right place.", 0.0, False, cut, {"turn": self.turn}

    def solution(self):
        return ["\\boxed{" + _polish(self.rest) + "}"]

    def hint(self):
        return "Write down the differences. If they do not settle, compare each term with the two before it; odd and even places may behave differently."
