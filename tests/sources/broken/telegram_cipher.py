# expect: refuse determinism.replay | feasibility.witness
# defect: reset shuffles the module's word list in place, so the same seed gives another telegram when the instance has been reset before.
import random
import re
import string

WORDS = [
    "anchor", "barley", "copper", "dragon", "ember", "falcon", "granite", "harvest", "indigo", "juniper", "kettle",
    "lantern", "meadow", "nectar", "orchid", "pepper", "quarry", "ribbon", "saffron", "thistle", "umbrella", "velvet",
    "willow", "yellow", "zephyr",
]


class TelegramCipherEnv:
    """Deciphering: an affine alphabet with a reversed half, and a crib."""

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        rng.shuffle(WORDS)
        self.plain = WORDS[:4]
        self.factor = rng.choice([3, 5, 7, 9, 11, 15, 17, 19, 21, 23, 25])
        self.shift = rng.randrange(1, 26)
        crib, self.cipher = self.plain[0], [self._encode(word) for word in self.plain]
        alphabet = string.ascii_uppercase
        return (
            f"A telegram reads: {' '.join(self.cipher)}\n"
            "It was written with an affine cipher: letter number x (A is 0, Z is 25) became letter number "
            "(a times x + b) modulo 26, and every second word, beginning with the second, was written backwards after "
            f"that. The alphabet is {alphabet[0]} to {alphabet[-1]}. The first word is known to mean {crib.upper()}.\n"
            f"What does the whole telegram say? Answer \\boxed{{word word word word}}. {self.max_turns} tries."
        ), {"words": len(self.plain)}

    def _encode(self, word):
        letters = [chr((self.factor * (ord(c) - 97) + self.shift) % 26 + 65) for c in word]
        text = "".join(letters)
        return text[::-1] if self.plain.index(word) % 2 else text

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{([A-Za-z ]*)\}", action)
        words = match.group(1).lower().split() if match else []
        if len(words) != len(self.plain):
            return "Four plain words, please, with blanks between them.", 0.0, False, late, {}
        if words == self.plain:
            return "Message understood.", 1.0, True, False, {}
        right = sum(a == b for a, b in zip(words, self.plain))
        return f"Words that are right: {right} of 4.", 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{" + " ".join(self.plain) + "}"]

    def hint(self):
        return "Two letters of the known word give two equations for a and b modulo 26; then invert a."
