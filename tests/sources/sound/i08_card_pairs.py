import random
import re


class CardPairsEnv:
    """Memory: seven pairs lie face down; two cards are turned per turn. Every pair pays one seventh."""

    SYMBOLS = ["anvil", "bell", "crown", "dove", "ear", "flag", "gate", "hare", "iron", "jewel"]

    def __init__(self, max_turns=22):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        r = random.Random(seed)
        chosen = r.sample(self.SYMBOLS, 7)
        self.cards = chosen * 2
        r.shuffle(self.cards)
        self.found = set()
        self.turn = 0
        return (
            "Fourteen cards lie face down, numbered 1 to 14: seven pairs. Turn two of them with \\boxed{flip 3 9}. "
            f"Equal cards stay open, others are turned back. Find all pairs in {self.max_turns} turns.\n" + self._table()
        ), {"pairs": 0}

    def _table(self):
        return "Table: " + " ".join(f"{i + 1}:{c if i in self.found else '?'}" for i, c in enumerate(self.cards))

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*flip\s+([0-9]{1,2})\s*(?:,|and)?\s+([0-9]{1,2})\s*\}", action.lower())
        i, j = (int(m.group(1)) - 1, int(m.group(2)) - 1) if m else (0, 0)
        n = len(self.found) // 2
        if i == j or not (0 <= i < 14 and 0 <= j < 14) or i in self.found or j in self.found:
            return "Name two different cards that lie face down.\n" + self._table(), 0.0, False, late, {"pairs": n}
        seen = f"Card {i + 1} is {self.cards[i]}, card {j + 1} is {self.cards[j]}."
        if self.cards[i] != self.cards[j]:
            return seen + "\n" + self._table(), 0.0, False, late, {"pairs": n}
        self.found |= {i, j}
        if len(self.found) == 14:
            return seen + " That was the last pair!", 1 / 7, True, False, {"pairs": 7}
        return seen + " A pair!\n" + self._table(), 1 / 7, False, late, {"pairs": n + 1}

    def solution(self):
        out = []
        for symbol in dict.fromkeys(self.cards):
            i = self.cards.index(symbol)
            j = self.cards.index(symbol, i + 1)
            out.append(f"\\boxed{{flip {i + 1} {j + 1}}}")
        return out

    def hint(self):
        return "First turn cards that you have not seen. As soon as a symbol comes up whose partner you remember, turn both."
