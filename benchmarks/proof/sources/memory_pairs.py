# memory game, generator solution that remembers, properties; reward per pair
import random
import re


class PairsEnv:
    WORDS = "anchor bell candle drum ember feather glove hammer island jacket kettle ladder mirror needle".split()

    def __init__(self, max_turns=40):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.cards = rng.sample(self.WORDS, 10) * 2
        rng.shuffle(self.cards)
        self.gone = set()
        self.turn = 0
        return (
            f"Twenty face-down cards, numbered 1 to 20, form ten pairs. \\boxed{{3 17}} turns up two of them; equal ones are "
            f"removed and earn a tenth, others are turned down again. Remove all pairs in {self.max_turns} turns."
        ), {}

    @property
    def pairs(self):
        return len(self.gone) // 2

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([0-9]{1,2})[\s,]+([0-9]{1,2})\s*\}", action)
        if not m:
            return "Two card numbers please, as in \\boxed{3 17}.", 0.0, False, late, {}
        a, b = int(m.group(1)), int(m.group(2))
        if a == b or not (1 <= a <= 20 and 1 <= b <= 20):
            return "Two different cards from 1 to 20, please.", 0.0, False, late, {}
        if a in self.gone or b in self.gone:
            return "One of these cards has been removed already.", 0.0, False, late, {}
        seen = f"Card {a} is {self.cards[a - 1]}, card {b} is {self.cards[b - 1]}."
        if self.cards[a - 1] != self.cards[b - 1]:
            return seen + " No pair.", 0.0, False, late, {"pairs": self.pairs}
        self.gone |= {a, b}
        if self.pairs == 10:
            return seen + " The last pair!", 0.1, True, False, {"pairs": 10}
        return seen + f" A pair! {10 - self.pairs} to go.", 0.1, False, late, {"pairs": self.pairs}

    def solution(self):
        known, unseen, removed = {}, list(range(1, 21)), 0
        ready = []
        while removed < 10:
            if ready:
                a, b = ready.pop()
            elif len(unseen) >= 2:
                a, b = unseen.pop(0), unseen.pop(0)
            else:
                return
            text = yield f"\\boxed{{{a} {b}}}"
            if "air!" in text:
                removed += 1
                continue
            for number, word in re.findall(r"ard (\d+) is (\w+)", text):
                if word in known:
                    ready.append((known[word], int(number)))
                known[word] = int(number)

    def hint(self):
        return "Turn up unknown cards systematically and write down every word with its number."

    def render(self, mode="human"):
        print([w if i + 1 in self.gone else "?" for i, w in enumerate(self.cards)])
