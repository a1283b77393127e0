"""Find one word of the text by following directions through it."""
import random
import re

WORDS = (
    "amber anchor apple arrow autumn barrel basket beacon bottle branch bridge bronze butter candle canvas "
    "castle cellar chapel cherry copper corner cotton cradle dagger desert dragon engine falcon feather fiddle "
    "forest garden hammer harbor helmet island jacket kettle ladder lantern marble meadow mirror needle orchard "
    "paddle pepper pillow quarry ribbon saddle shadow silver spider temple thunder timber tunnel velvet window "
    "acorn badger blanket button camel carpet chimney cloud cobweb copse crystal curtain diamond donkey eagle ember fabric "
    "flannel fountain gallery ginger glacier goblin gravel hazel hollow insect ivory jungle kitten lagoon lemon lobster"
).split()


class WordInTextEnv:
    def __init__(self, max_turns=2):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.text = rng.sample(WORDS, 84)
        at = rng.randrange(30, 60)
        lines = [f"Begin at the word '{self.text[at]}'."]
        for _ in range(5):
            kind = rng.randrange(3)
            if kind == 0:
                k = rng.randint(7, 25)
                at = (at + k) % 84
                lines.append(f"Go {k} words to the right (after the last word comes the first again).")
            elif kind == 1:
                k = rng.randint(3, 12)
                at = (at - k) % 84
                lines.append(f"Go {k} words to the left (before the first word comes the last).")
            else:
                vowel = rng.choice("aeio")
                nxt = (at + 1) % 84
                while vowel not in self.text[nxt]:
                    nxt = (nxt + 1) % 84
                at = nxt
                lines.append(f"Go right to the next word that contains the letter {vowel}.")
        self.answer = self.text[at]
        self.turn = 0
        rows = "\n".join(" ".join(self.text[i:i + 12]) for i in range(0, 84, 12))
        return rows + "\n\n" + "\n".join(lines) + "\nOn which word do you stand? \\boxed{word}, two tries.", {}

    def step(self, action):
        self.turn += 1
        over = self.turn >= self.max_turns
        m = re.fullmatch(r"\\boxed\{\W*([A-Za-z]+)\W*\}", action)
        if not m:
            return "One word in a box.", 0.0, False, over, {}
        word = m.group(1).lower()
        if word == self.answer:
            return "Correct.", 1.0, True, False, {}
        if word not in self.text:
            return f"'{word[:30]}' does not occur in the text.", 0.0, False, over, {}
        return f"Not '{word}'.", 0.0, False, over, {}

    def solution(self):
        return ["\\boxed{" + self.answer + "}"]

    def hint(self):
        return "Number the words from 0 to 83, and write the number down after every direction. The start does not count as a step."
