import random
import re

ADJ = ["silent", "golden", "broken", "distant", "hollow", "crimson", "frozen", "gentle"]
NOUN = ["falcon", "bridge", "garden", "engine", "window", "harbor", "lantern", "valley"]
VERB = ["follows", "guards", "leaves", "watches", "crosses", "repairs", "finds", "forgets"]


def shift(text, key, sign):
    out, i = [], 0
    for ch in text:
        if ch.isalpha():
            k = ord(key[i % len(key)]) - 97
            out.append(chr((ord(ch) - 97 + sign * k) % 26 + 97))
            i += 1
        else:
            out.append(ch)
    return "".join(out)


class PolyalphabeticEnv:
    """Known-plaintext attack: one pair of texts gives away the key, the second text is to be read."""

    def __init__(self, max_turns=5, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None, options=None):
        rng = random.Random(seed)
        self._key = "".join(rng.choice("bcdefghijklmnopqrstuvwxyz") for _ in range(rng.choice([3, 4, 5])))
        crib = f"the {rng.choice(ADJ)} {rng.choice(NOUN)} {rng.choice(VERB)}"
        self._plain = " ".join([rng.choice(VERB), rng.choice(ADJ), rng.choice(NOUN), rng.choice(VERB), rng.choice(ADJ)])
        self._turn = 0
        self._best = 0
        return (
            "Both lines were enciphered with the same Vigenere key; spaces do not use up key letters and the key starts "
            f"afresh on each line.\nPlain 1:  {crib}\nCipher 1: {shift(crib, self._key, 1)}\n"
            f"Cipher 2: {shift(self._plain, self._key, 1)}\nRead line 2 and answer \\boxed{{five words}}. "
            f"There are {self.max_turns} attempts; you are told how many words are right."
        ), {"key_length": len(self._key)}

    def step(self, action):
        self._turn += 1
        over = self._turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        words = m.group(1).lower().split() if m else []
        target = self._plain.split()
        if words == target:
            return "You can read it.", 1.0, True, False, {}
        if len(words) != 5:
            return "Five words, please, as \\boxed{five words}.", -0.05, False, over, {}
        right = sum(a == b for a, b in zip(words, target))
        return f"{right} of 5 words are right.", 0.0, False, over, {"right": right}

    def solution(self):
        return [f"\\boxed{{{self._plain}}}"]
