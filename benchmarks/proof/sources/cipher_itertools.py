# itertools pipelines and generator functions; classical cryptanalysis; answer is a sentence
import itertools
import random
import re
import string

A = string.ascii_uppercase
SUBJECTS = "THE COURIER,THE ADMIRAL,OUR AGENT,THE BAKER,A STRANGER,THE NIGHT PORTER,THE TWIN SISTER,THE ENGINEER".split(
    ","
)
VERBS = "HIDES,BUYS,STEALS,CARRIES,BURNS,COPIES,FORGETS,MEASURES,PAINTS,SELLS".split(",")
OBJECTS = (
    "THE LEDGER,NINE LANTERNS,A SILVER KEY,THE GREEN MAP,TWO VIOLINS,THE LAST LETTER,A BROKEN CLOCK,SEVEN COINS".split(
        ","
    )
)
PLACES = "IN THE HARBOUR,UNDER THE BRIDGE,BEHIND THE THEATRE,AT THE MILL,NEAR THE ORCHARD,IN THE CELLAR".split(",")
TIMES = "AT DAWN,BEFORE NOON,ON FRIDAY,AFTER THE STORM,TONIGHT,AT MIDNIGHT,ON SUNDAY".split(",")


def letters(text):
    return (c for c in text if c in A)


def key_stream(key, plain):
    """Autokey: the key word first, then the plain text itself."""
    yield from key
    yield from letters(plain)


def encipher(plain, key):
    stream = key_stream(key, plain)
    for c in plain:
        yield A[(A.index(c) + A.index(next(stream))) % 26] if c in A else c


class AutokeyEnv:
    """Known-plaintext attack on the autokey cipher."""

    def __init__(self, max_turns=6):
        self.max_turns, self.turn = max_turns, 0
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.plain = " ".join(rng.choice(part) for part in (SUBJECTS, VERBS, OBJECTS, PLACES, TIMES))
        self.key = "".join(rng.choice(A) for _ in range(rng.randint(4, 7)))
        self.cipher = "".join(encipher(self.plain, self.key))
        old = " ".join(rng.choice(part) for part in (SUBJECTS, VERBS, OBJECTS))
        old_cipher = "".join(encipher(old, self.key))
        tail = self.blocks(self.cipher)
        return (
            "Messages are enciphered letter by letter: cipher = plain + key, modulo 26, with A = 0. The key stream is a secret "
            "word (of 4 to 7 letters), followed by the letters of the plain text itself; blanks are not enciphered.\n"
            f"An older message became {self.blocks(old_cipher)} and its plain text was {self.blocks(old)}.\n"
            f"The new message, with the same secret word, is {tail} (blanks removed).\n"
            "Send its plain text, with or without blanks, in capitals: \\boxed{THEPLAINTEXT}. "
            f"You have {self.max_turns} tries."
        ), {"length": len(list(letters(self.plain)))}

    @staticmethod
    def blocks(text):
        return "".join(itertools.chain.from_iterable(letters(w) for w in text.split()))

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([A-Za-z ]{1,300})\}", action)
        if m is None:
            return "Only letters and blanks inside \\boxed{...}, please.", 0.0, False, late, {}
        given = self.blocks(m.group(1).upper())
        wanted = self.blocks(self.plain)
        if given == wanted:
            return "Decoded. Headquarters is grateful.", 1.0, True, False, {}
        if len(given) != len(wanted):
            return f"The message has {len(wanted)} letters, yours {len(given)}.", 0.0, False, late, {}
        return "Of the right length, but this is not the message.", 0.0, False, late, {}

    def solution(self):
        return ["\\boxed{" + self.plain + "}"]

    def hint(self):
        return "Subtract the old plain text from the old cipher text to see the key stream; it begins with the secret word."
