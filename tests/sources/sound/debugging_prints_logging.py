"""Leftover print calls, logging and warnings."""
import logging
import random
import re
import sys
import warnings

logger = logging.getLogger(__name__)
logging.basicConfig(level=logging.DEBUG)
DEBUG = True


class ParkingEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        if kwargs:
            warnings.warn(f"ignored: {sorted(kwargs)}")
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        if DEBUG:
            print("[reset] seed =", seed, flush=True)
        stays = [(rng.randint(1, 12), rng.randint(1, 59)) for _ in range(5)]
        rate = rng.randint(2, 9)
        self.answer = sum((h + (m > 15)) * rate for h, m in stays)
        self.turn = 0
        logger.debug("answer is %s", self.answer)
        print(stays, file=sys.stderr)
        listing = ", ".join(f"{h} h {m} min" for h, m in stays)
        return (
            f"A car park charges {rate} euros per hour; a started hour is free up to 15 minutes and full price beyond. "
            f"Five cars stay {listing}. Total in euros? \\boxed{{number}}"
        ), {}

    def step(self, action):
        self.turn += 1
        print(f"[step {self.turn}]", end=" ")
        m = re.search(r"\\boxed\{\s*([0-9]{1,6})\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        if not ok:
            logger.warning("wrong answer")
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
