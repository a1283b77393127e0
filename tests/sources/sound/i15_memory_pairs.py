import random
import re


class MemoryPairsEnv:
    """Concentration: turn two cards per turn, find all pairs. Each pair pays an equal share of the reward."""

    SYMBOLS = ["anchor", "bridge", "candle", "dragon", "engine", "feather", "guitar", "hammer"]

    def __init__(self, max_turns=18, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        deck = self.SYMBOLS * 2
        rng.shuffle(deck)
        spots = [f"{r}{c}" for r in "ABCD" for c in "1234"]
        self.cards = dict(zip(spots, deck))
        self.open = set()
        self.turn = 0
        return ("Sixteen cards lie face down in rows A to D, columns 1 to 4: eight pairs. Each turn you turn two of them over, one after the other; "
                "equal ones stay open, others are turned back.\n\\boxed{flip A1 B2}\n"
                f"Find all pairs within {self.max_turns} turns.\n{self._table()}"), {}

    def _table(self):
        width = 8
        out = ["    " + "".join(f"{c:<{width}}" for c in "1234")]
        for r in "ABCD":
            out.append(f"{r}   " + "".join(f"{self.cards[r + c] if r + c in self.open else '[]':<{width}}" for c in "1234"))
        return "\n".join(out)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*flip\s+([A-Da-d][1-4])[\s,]+([A-Da-d][1-4])\s*\}", action, re.ASCII)
        if not m:
            return "Please flip two cards, as in \\boxed{flip A1 B2}.", 0.0, False, late, {"pairs": len(self.open) // 2}
        a, b = m.group(1).upper(), m.group(2).upper()
        if a == b or a in self.open or b in self.open:
            return "Choose two different cards that are still face down.", 0.0, False, late, {"pairs": len(self.open) // 2}
        text = f"{a} shows {self.cards[a]}, {b} shows {self.cards[b]}."
        if self.cards[a] != self.cards[b]:
            return text + " No pair.\n" + self._table(), 0.0, False, late, {"pairs": len(self.open) // 2}
        self.open |= {a, b}
        share = 1.0 / len(self.SYMBOLS)
        if len(self.open) == len(self.cards):
            return text + " The last pair!", share, True, False, {"pairs": 8}
        return text + " A pair!\n" + self._table(), share, False, late, {"pairs": len(self.open) // 2}

    def solution(self):
        """Perfect memory, no peeking."""
        known, left = {}, sorted(self.cards)
        unseen = list(left)
        while unseen or known:
            match = next(((a, b) for a in known for b in known if a < b and known[a] == known[b]), None)
            pair = match or tuple(unseen[:2])
            if len(pair) < 2:                      # a single unseen card: its partner is known already
                partner = next(iter(known))
                pair = (pair[0], partner)
            reply = yield f"\\boxed{{flip {pair[0]} {pair[1]}}}"
            for spot, symbol in re.findall(r"([A-D][1-4]) shows (\w+)", reply):
                known[spot] = symbol
                if spot in unseen:
                    unseen.remove(spot)
            if "pair!" in reply:
                known.pop(pair[0])
                known.pop(pair[1])
