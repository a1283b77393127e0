"""Three linked number-theory questions; each right answer earns a third, the last one uses the other two."""
import math
import random
import re


class TripleQuizEnv:
    def __init__(self, max_turns=6):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.stage = 0
        self.turn = 0
        k = rng.randint(3000, 9000)
        a, b = k * rng.randint(11, 60), k * rng.randint(61, 120)
        g = math.gcd(a, b)
        p = rng.choice([10007, 10009, 10037, 10039, 10061])
        inv = pow(g % p, -1, p)
        e = rng.randint(200, 900)
        self.answers = [g, inv, pow(inv, e, p)]
        self.questions = [
            f"Question 1: compute the greatest common divisor G of {a} and {b}.",
            f"Question 2: {p} is prime. Find H with 0 < H < {p} and G*H = 1 (mod {p}).",
            f"Question 3: compute H to the power of {e} modulo {p}.",
        ]
        return ("Answer three questions in turn, each as \\boxed{integer}. A wrong answer only costs one of your "
                f"{self.max_turns} turns.\n\n" + self.questions[0]), {"stage": 0}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9]{1,20})\s*\}", action)
        if self.stage >= 3:
            return "All questions are answered.", 0.0, True, False, {"stage": 3}
        if m is None:
            return "No integer in a box. " + self.questions[self.stage], 0.0, False, late, {"stage": self.stage}
        if int(m.group(1)) != self.answers[self.stage]:
            return "Wrong. " + self.questions[self.stage], 0.0, False, late, {"stage": self.stage}
        self.stage += 1
        if self.stage == 3:
            return "Right, and that was the last one.", 1 / 3, True, False, {"stage": 3}
        return "Right. " + self.questions[self.stage], 1 / 3, False, late, {"stage": self.stage}

    def solution(self):
        return [f"\\boxed{{{v}}}" for v in self.answers]

    def hint(self):
        return "Euclid's algorithm gives the first answer, its extended form the second, repeated squaring the third."
