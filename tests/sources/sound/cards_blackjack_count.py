"""Card counting drill: prose answer."""
import random
from collections import Counter, namedtuple
from functools import reduce
from itertools import product, groupby
from fractions import Fraction as Frac

Card = namedtuple("Card", "rank suit")
Card.__str__ = lambda self: f"{self.rank}{self.suit}"
RANKS = "A 2 3 4 5 6 7 8 9 10 J Q K".split()
SUITS = "♠ ♥ ♦ ♣".split()

class Deck:
    def __init__(self, rng=None):
        self._cards = [Card(r, s) for s, r in product(SUITS, RANKS)]
        if rng: rng.shuffle(self._cards)
    def __len__(self): return len(self._cards)
    def __getitem__(self, i): return self._cards[i]
    def deal(self, n=1):
        hand, self._cards = self._cards[:n], self._cards[n:]
        return hand
    def __contains__(self, card): return card in self._cards

def value(card):
    return {"A": 11, **{f: 10 for f in "JQK"}}.get(card.rank) or int(card.rank)

def best_total(hand):
    total = reduce(lambda acc, c: acc + value(c), hand, 0)
    aces = sum(c.rank == "A" for c in hand)
    while total > 21 and aces:
        total, aces = total - 10, aces - 1
    return total

class BustOddsEnv:
    def __init__(self, max_turns=6, **kwargs):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            deck = Deck(rng)
            seen = deck.deal(rng.randint(6, 16))
            hand = deck.deal(3)
            bust = sum(best_total(hand + [c]) > 21 for c in deck)
            if best_total(hand) <= 21 and 0 < bust < len(deck):
                break
        self.answer = Frac(bust, len(deck))
        self.turns = 0
        suits = {s: len(list(g)) for s, g in groupby(sorted(c.suit for c in seen))}
        return (f"From a 52-card deck these are gone: {' '.join(map(str, seen))} ({len(suits)} suits).\n"
                f"Your blackjack hand: {' '.join(str(c) for c in hand)}. What is the probability that the next card busts you "
                f"(aces count 11 or 1)? Answer a fraction: \\boxed{{p/q}}."), {}
    def _grade(self, text):
        try:
            return Frac(text.strip().replace("\\frac", "").strip("{}").replace("}{", "/")) == self.answer
        except (ValueError, ZeroDivisionError):
            return False
    def step(self, action):
        self.turns += 1
        i = action.rfind("\\boxed{")
        if i < 0 or not action.rstrip().endswith("}"):
            return "Use \\boxed{p/q}.", 0.0, False, self.turns >= self.max_turns, {}
        ok = self._grade(action.rstrip()[i + 7:-1][:200])
        if ok: return "Correct!", 1, True, False, {}
        t = self.turns >= self.max_turns
        return (f"No; it was {self.answer}." if t else "Not correct."), 0, False, t, {}
    def solution(self):
        n, d = self.answer.numerator, self.answer.denominator
        return f"Count busting cards among the unseen ones. The answer is \\boxed{{{n}/{d}}}."
    def close(self): pass
