import random
import re

FIRST = "brave calm clever eager fierce gentle golden hidden humble jolly lonely mighty noble quiet rapid silent stormy subtle tender wicked".split()
SECOND = "baker bishop captain dancer doctor farmer fisher hunter jester knight mason miller painter pirate potter sailor singer smith weaver wizard".split()
KEYS = "orbit maple canyon pebble violet marsh tulip comet raven flint".split()


class KeywordCipherEnv:
    """Polyalphabetic cipher with a known key; the plain text never appears. Grading ignores case and blanks."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.plain = f"{rng.choice(FIRST)} {rng.choice(SECOND)} {rng.choice(FIRST)}"
        self.key = rng.choice(KEYS)
        self.sign = rng.choice([1, -1])
        self.turn = 0
        flat = self.plain.replace(" ", "")
        coded = "".join(chr((ord(c) - 97 + self.sign * (ord(self.key[i % len(self.key)]) - 97)) % 26 + 97) for i, c in enumerate(flat))
        groups = " ".join(coded[i:i + 5].upper() for i in range(0, len(coded), 5))
        how = "forwards" if self.sign == 1 else "backwards"
        return (
            f"Telegram: {groups}\nThe sender wrote the key word {self.key.upper()} again and again under the text and moved each letter "
            f"{how} in the alphabet by the number of its key letter (A = 0, B = 1, ..., Z = 25); blanks were dropped.\n"
            "What is the plain text? Three English words: \\boxed{word word word}. Case and blanks do not matter."
        ), {"letters": len(flat)}

    def step(self, action):
        self.turn += 1
        over = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{(.*)\}", action, re.S)
        said = "".join(ch for ch in (m.group(1) if m else "").lower() if "a" <= ch <= "z")
        flat = self.plain.replace(" ", "")
        if said == flat:
            return "The telegram makes sense now.", 1.0, True, False, {"letters": len(flat)}
        if not said:
            return "Put the three words in the box.", 0.0, False, over, {"letters": len(flat)}
        if len(said) != len(flat):
            return f"Your text has {len(said)} letters, the telegram has {len(flat)}.", 0.0, False, over, {"letters": len(flat)}
        return "The number of letters is right, the text is not.", 0.0, False, over, {"letters": len(flat)}

    def solution(self):
        return [self.plain]
