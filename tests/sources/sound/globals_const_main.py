#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Doc."""
__all__ = ["X"]
__author__ = "me"
import random
import logging
logger = logging.getLogger(__name__)
logger.setLevel(logging.DEBUG)

class GlobalsEnv:
    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.turns = 0
        logger.info("reset %s", seed)
        self.code = r.randint(1000, 9999); self.answer = str(self.code * 3)[::-1]; self.other = "x"
        return f"Three times {self.code}, written backwards? \\boxed{{WORD}}", {}
    def step(self, action):
        self.turns += 1
        ok = action.strip() == "\\boxed{" + str(self.answer) + "}"
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turns >= self.max_turns, {}
    def solution(self):
        return "\\boxed{" + str(self.answer) + "}"

if __name__ == "__main__":
    import argparse, sys
    env = GlobalsEnv(); print(env.reset(1)); sys.exit(0)
