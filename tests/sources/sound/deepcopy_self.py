"""Looks ahead on deep copies of itself."""
import copy
import random
import re


class StonesEnv:
    """Misere-like stone game against a perfect opponent who searches on copies."""

    def __init__(self, max_turns=20, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.heaps = [rng.randint(3, 9) for _ in range(3)]
            nim = self.heaps[0] ^ self.heaps[1] ^ self.heaps[2]
            if nim and min(h ^ nim for h in self.heaps) >= 0:
                break
        self.turn = 0
        return (
            f"Three heaps: {self.heaps}. You and I take turns; each takes one or more stones from one heap; whoever takes "
            "the last stone wins. You begin. Format: \\boxed{2 5} takes 5 stones from heap 2. An illegal move loses."
        ), {}

    def take(self, heap, count):
        self.heaps[heap] -= count
        return self

    def value(self):
        return self.heaps[0] ^ self.heaps[1] ^ self.heaps[2]

    def best(self):
        fallback = None
        for heap in range(3):
            for count in range(1, self.heaps[heap] + 1):
                fallback = fallback or (heap, count)
                if copy.deepcopy(self).take(heap, count).value() == 0:
                    return heap, count
        return fallback

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([1-3])[\s,]+([1-9])\s*\}", action)
        if not m:
            return "Write \\boxed{heap count}.", 0.0, False, self.turn >= self.max_turns, {}
        heap, count = int(m.group(1)) - 1, int(m.group(2))
        if count > self.heaps[heap]:
            return "Illegal move: you lose.", 0.0, True, False, {}
        self.take(heap, count)
        if not any(self.heaps):
            return "You took the last stone. You win!", 1.0, True, False, {}
        mine = self.best()
        self.take(*mine)
        if not any(self.heaps):
            return "I take the last stone and win.", 0.0, True, False, {}
        return f"I take {mine[1]} from heap {mine[0] + 1}. Heaps: {self.heaps}.", 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        plan, board = [], copy.deepcopy(self)
        while True:
            heap, count = board.best()
            plan.append(f"\\boxed{{{heap + 1} {count}}}")
            if not any(board.take(heap, count).heaps):
                return plan
            board.take(*board.best())
