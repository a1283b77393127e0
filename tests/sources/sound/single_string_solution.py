"""solution returns the bare answer as a string."""
import random
import re


class CaesarSumEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.n = rng.randint(200, 900)
        self.k = rng.randint(3, 9)
        people = list(range(1, self.n + 1))
        at = 0
        while len(people) > 1:
            at = (at + self.k - 1) % len(people)
            people.pop(at)
        self.answer = str(people[0] * 7)
        self.turn = 0
        return (
            f"{self.n} people numbered from 1 stand in a ring; counting starts at 1 and every {self.k}. person leaves until "
            "one is left. What is seven times the number of that person? \\boxed{number}"
        ), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        answer = m.group(1).strip() if m else action.strip()
        if answer == self.answer:
            return "Correct", 1.0, True, False, {}
        return "Wrong", 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return self.answer
