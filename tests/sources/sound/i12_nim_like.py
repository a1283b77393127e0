import random
import re


class StoneMarketEnv:
    """Two-player take-away game against a perfect opponent. The agent starts in a winning position.

    From one heap, take 1, 2, 3 or 4 stones; whoever takes the last stone of all wins.
    """

    def __init__(self, max_turns=25, **kwargs):
        self.max_turns = max_turns
        self.heaps = []
        self.reset()

    @staticmethod
    def _grundy(n):
        return n % 5

    def _nim(self, heaps):
        x = 0
        for h in heaps:
            x ^= self._grundy(h)
        return x

    def _best(self, heaps):
        """A move to a position of value 0, or the smallest legal nuisance."""
        for i, h in enumerate(heaps):
            for k in range(1, min(4, h) + 1):
                if self._nim(heaps[:i] + [h - k] + heaps[i + 1:]) == 0:
                    return i, k
        i = max(range(len(heaps)), key=lambda j: (heaps[j], -j))
        return i, 1

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.heaps = [rng.randint(5, 14) for _ in range(4)]
            if self._nim(self.heaps) != 0:
                break
        self.turn = 0
        self.over = False
        return ("You and a shrewd dealer take turns. A move takes 1 to 4 stones from ONE heap. Whoever takes the very last stone "
                "wins. You begin.\nMove: \\boxed{take K from H}, H is the heap's letter.\n" + self._board()), {}

    def _board(self):
        return "\n".join(f"{'ABCD'[i]}: {'o' * h or '(empty)'} {h if h else ''}".rstrip() for i, h in enumerate(self.heaps))

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*take\s+([1-4])\s+from\s+([A-D])\s*\}", action, re.IGNORECASE | re.ASCII)
        if not m:
            return "Illegal move, say for instance take 2 from A.\n" + self._board(), -0.1, False, late, {}
        k, i = int(m.group(1)), "ABCD".index(m.group(2).upper())
        if self.heaps[i] < k:
            return "There are not that many stones.\n" + self._board(), -0.1, False, late, {}
        self.heaps[i] -= k
        if not any(self.heaps):
            return "You took the last stone. You win!", 1.0, True, False, {"winner": "agent"}
        j, t = self._best(self.heaps)
        self.heaps[j] -= t
        told = f"The dealer takes {t} from {'ABCD'[j]}."
        if not any(self.heaps):
            return told + " That was the last stone. You lose.", -1.0, True, False, {"winner": "dealer"}
        return told + "\n" + self._board(), 0.0, False, late, {"stones": sum(self.heaps)}

    def solution(self):
        heaps, moves = list(self.heaps), []
        while any(heaps):
            i, k = self._best(heaps)
            moves.append(f"\\boxed{{take {k} from {'ABCD'[i]}}}")
            heaps[i] -= k
            if any(heaps):
                j, t = self._best(heaps)
                heaps[j] -= t
        return moves

    def hint(self):
        return "Only the remainder of each heap modulo five matters; combine the remainders with exclusive or and always leave zero."
