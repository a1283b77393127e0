"""uuid and secrets used for labels that never reach the player."""
import random
import re
import secrets
import uuid


class LotteryDrumEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.session = str(uuid.uuid4())
        self.nonce = secrets.token_hex(8)
        self.reset()

    def reset(self, seed=None):
        self.run_id = uuid.uuid4().hex
        rng = random.Random(seed if seed is not None else secrets.randbelow(2**31))
        self.red, self.blue, self.green = (rng.randint(4, 15) for _ in range(3))
        total = self.red + self.blue + self.green
        self.answer = total * (total - 1) - self.red * (self.red - 1) - self.blue * (self.blue - 1) - self.green * (self.green - 1)
        self.turn = 0
        return (
            f"A drum holds {self.red} red, {self.blue} blue and {self.green} green balls, all numbered. Two are drawn one "
            "after the other and kept. How many ordered draws give two different colours? \\boxed{number}"
        ), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,7})\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
