"""Break a Vigenere cipher with a known crib."""
import random
import re
import string

SUBJECTS = ["the old miller", "our captain", "a tired courier", "the night nurse", "every second clerk",
            "the youngest baker", "that stubborn mule", "the harbour pilot", "one honest broker"]
VERBS = ["buried", "repainted", "borrowed", "catalogued", "polished", "smuggled", "weighed", "auctioned"]
OBJECTS = ["seven copper kettles", "the broken sundial", "a crate of lemons", "both silver anchors",
           "the mayor's umbrella", "eleven wooden ducks", "a map of the marshes", "the spare compass"]
PLACES = ["behind the chapel", "under the third bridge", "in the empty theatre", "near the northern quarry",
          "on the upper terrace", "beside the frozen canal"]
TIMES = ["at dawn", "before the storm", "last tuesday", "without a word", "in great haste", "for no reason"]
KEYS = ["MARBLE", "FALCON", "TIMBER", "ORCHID", "PLANET", "SILVER", "WALNUT", "BRIDGE", "COPPER", "VELVET",
        "JUNGLE", "GARNET"]


def encrypt(plain, key):
    out, i = [], 0
    for ch in plain.upper():
        if ch in string.ascii_uppercase:
            out.append(chr((ord(ch) + ord(key[i % len(key)]) - 130) % 26 + 65))
            i += 1
        else:
            out.append(ch)
    return "".join(out)


class VigenereEnv:
    """One message is given in clear and in cipher, the second one has to be read."""

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def _sentence(self, rng):
        return " ".join(rng.choice(part) for part in (SUBJECTS, VERBS, OBJECTS, PLACES, TIMES)).replace("'", "")

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.key = rng.choice(KEYS)
        known = self._sentence(rng)
        self.plain = self._sentence(rng)
        while self.plain.split()[:2] == known.split()[:2]:
            self.plain = self._sentence(rng)
        self.tries = 0
        text = (
            "Two telegrams were sent with the same Vigenere key (an English word of six letters; spaces are kept and "
            "do not advance the key; each telegram starts with the key's first letter).\n\n"
            f"Telegram 1, cipher: {encrypt(known, self.key)}\n"
            f"Telegram 1, clear:  {known.upper()}\n\n"
            f"Telegram 2, cipher: {encrypt(self.plain, self.key)}\n\n"
            "Give the clear text of telegram 2 in \\boxed{...}."
        )
        return text, {"letters": sum(c.isalpha() for c in self.plain)}

    @staticmethod
    def _norm(text):
        return re.sub(r"[^A-Z]+", "", text.upper())

    def step(self, action):
        self.tries += 1
        last = self.tries >= self.max_turns
        m = re.search(r"\\boxed\{(.*)\}", action, re.DOTALL)
        if not m or not self._norm(m.group(1)):
            return "Put the decoded sentence into \\boxed{...}.", -0.1, False, last, {"tries": self.tries}
        guess, want = self._norm(m.group(1)), self._norm(self.plain)
        if guess == want:
            return "Decoded!", 1.0, True, False, {"tries": self.tries}
        if len(guess) != len(want):
            note = f"It should have {len(want)} letters, yours has {len(guess)}."
        else:
            note = f"{sum(a == b for a, b in zip(guess, want))} of {len(want)} letters are right."
        return "Not the message. " + note, 0.0, False, last, {"tries": self.tries}

    def solution(self):
        return self.plain.upper()

    def hint(self):
        return "Subtract the clear letters of the first telegram from its cipher letters: the key repeats every six letters."
