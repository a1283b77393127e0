"""Answer environments whose answer is a text: ciphers and orderings from clues."""

from __future__ import annotations

import random

from .answer_body import answer_body
from .frame import lay_out
from .model import GeneratedSource, Sketch
from .words import COLOURS, GOODS, NATURE, PEOPLE, TOWNS, class_name

_CIPHERS = {
    "progressive": (
        """
        def shift_text(text: str, key: int, step: int, sign: int) -> str:
            out = []
            place = 0
            for letter in text:
                if letter == " ":
                    out.append(letter)
                    continue
                move = sign * (key + step * place)
                out.append(chr((ord(letter) - 97 + move) % 26 + 97))
                place += 1
            return "".join(out)
        """,
        "S.key = R.randint(2, 24)\nS.stride = R.randint(1, 11)",
        "F.shift_text(S.plain, S.key, S.stride, 1)",
        'f"Letter number 0 was moved {S.key} places forward in the alphabet (z is followed by a), and every '
        'next letter {S.stride} places more than the one before it. Spaces stay, and are not counted."',
        {"key": "int", "stride": "int"},
    ),
    "keyword": (
        """
        def mix(text: str, key: str, sign: int) -> str:
            result = ""
            used = 0
            for letter in text:
                if letter != " ":
                    move = ord(key[used % len(key)]) - ord("a")
                    letter = chr((ord(letter) - ord("a") + sign * move) % 26 + ord("a"))
                    used += 1
                result += letter
            return result
        """,
        'S.key = "".join(R.choice("bcdefghijklmnopqrstuvwxyz") for _ in range(<<keylen>>))',
        "F.mix(S.plain, S.key, 1)",
        'f"It is a Vigenere cipher with the key {S.key!r}: the letters of the key, over and over, say how far '
        'each letter was moved forward (a is 0, b is 1, ...). Spaces stay and use up no letter of the key."',
        {"key": "str"},
    ),
    "affine": (
        """
        def affine(text: str, a: int, b: int) -> str:
            alphabet = "abcdefghijklmnopqrstuvwxyz"
            table = {alphabet[i]: alphabet[(a * i + b) % 26] for i in range(26)}
            return "".join(table.get(letter, letter) for letter in text)
        """,
        "S.a = R.choice([3, 5, 7, 9, 11, 15, 17, 19, 21, 23, 25])\nS.b = R.randint(1, 25)",
        "F.affine(S.plain, S.a, S.b)",
        'f"With a = 0 up to z = 25, letter number x became letter number ({S.a} * x + {S.b}) modulo 26. Spaces stay."',
        {"a": "int", "b": "int"},
    ),
}


_CIPHER_SETUP = """
    S.plain = " ".join(R.sample(BANK, <<count>>))
    <<keys>>
"""


_CIPHER_TASK = """
    text = f"<<sender>> sends this: {<<secret>>!r}. "
    text += <<rule>>
    text += "<<last>> What was the text before? Give it in small letters, with its spaces."
"""


def cipher(rng: random.Random) -> GeneratedSource:
    """Decipher random words, with the rule and the key given."""
    kind = rng.choice(list(_CIPHERS))
    function, keys, secret, rule, fields = _CIPHERS[kind]
    bank = [word.lower() for word in rng.sample([*NATURE, *COLOURS, *TOWNS, *GOODS, *PEOPLE], 24)]
    backwards = rng.random() < 0.4
    words = {
        "bank": repr(bank),
        "count": str(rng.randint(3, 5)),
        "keylen": str(rng.randint(3, 6)),
        "keys": keys.replace("<<keylen>>", str(rng.randint(3, 6))),
        "secret": f"({secret})[::-1]" if backwards else secret,
        "rule": rule,
        "last": " Last of all, the whole text was written backwards." if backwards else "",
        "form": rng.choice(["plain text", "words", "TEXT"]),
        "sender": rng.choice(["A courier", "The archive", "A lighthouse", "Your colleague", "A submarine"]),
    }
    sketch = Sketch(
        class_name=class_name(rng, "Cipher", "Decoding", "Message", "SecretText"),
        about="Decipher a short text with a known rule.",
        contract="answer",
        max_turns=rng.randint(1, 4),
        fields={"plain": "str", **fields},
        setup=_CIPHER_SETUP,
        task=_CIPHER_TASK,
        solution="SEND S.plain",
        hint="Undo the steps in the opposite order, one letter at a time; real words tell you that you are on track.",
        words=words,
        functions=[function],
        constants=["BANK = <<bank>>"],
        body=answer_body(rng, "text", "S.plain"),
        one_action=True,
    )
    return lay_out(sketch, rng)


_CLUES = {
    "before": (
        "i < j",
        ["{a} is somewhere before {b}.", "{b} comes later than {a}."],
    ),
    "beside": (
        "abs(i - j) == 1",
        ["{a} and {b} are neighbours.", "{a} is directly next to {b}."],
    ),
    "apart": (
        "abs(i - j) == 2",
        ["Exactly one stands between {a} and {b}.", "{a} and {b} have one other between them."],
    ),
    "notbeside": (
        "abs(i - j) != 1",
        ["{a} is not next to {b}.", "{a} and {b} are no neighbours."],
    ),
    "follows": (
        "j == i + 1",
        ["{b} comes right after {a}.", "{a} is immediately followed by {b}."],
    ),
}


_ELIMINATION_FUNCTIONS = [
    """
    def holds(clue: tuple, order: tuple) -> bool:
        \"\"\"Whether a clue is true of an ordering.\"\"\"
        kind, a, b = clue
        i, j = order.index(a), order.index(b)
        <<tests>>
        return <<lasttest>>
    """,
]


_ELIMINATION_SETUP = """
    chosen = R.sample(NAMES, <<size>>)
    S.order = list(chosen)
    R.shuffle(S.order)
    left = list(itertools.permutations(chosen))
    S.clues = []
    while len(left) > 1:
        a, b = R.sample(chosen, 2)
        clue = (R.choice(<<kinds>>), a, b)
        if not F.holds(clue, S.order):
            continue
        # A clue that excludes nothing new would only be noise.
        fewer = [order for order in left if F.holds(clue, order)]
        if len(fewer) < len(left):
            left = fewer
            S.clues.append(clue)
    S.names = sorted(chosen)
"""


_ELIMINATION_TASK = """
    telling = {
        <<telling>>
    }
    lines = [f"- {telling[kind].format(a=a, b=b)}" for kind, a, b in S.clues]
    text = f"{', '.join(S.names)} <<scene>>. What is known of their order:\\n" + "\\n".join(lines)
    text += "\\nName all of them from first to last, with commas."
"""


def elimination(rng: random.Random) -> GeneratedSource:
    """An ordering that clues pin down; the clues are drawn until one ordering is left."""
    kinds = ["before", *rng.sample(["beside", "apart", "notbeside", "follows"], rng.randint(2, 3))]
    size = rng.choice([6, 6, 7])
    pool = rng.choice([PEOPLE, TOWNS, [word.capitalize() for word in COLOURS]])
    words = {
        "names": repr(rng.sample(pool, rng.randint(9, 13))),
        "size": str(size),
        "kinds": repr(kinds),
        "tests": "\n".join(
            f'{"elif" if at else "if"} kind == "{kind}":\n    return {_CLUES[kind][0]}'
            for at, kind in enumerate(kinds[:-1])
        ),
        "lasttest": _CLUES[kinds[-1]][0],
        "telling": "\n".join(f'"{kind}": "{rng.choice(_CLUES[kind][1])}",' for kind in kinds),
        "scene": rng.choice(
            ["stand in a queue", "finished a race", "are parked along a wall", "gave a talk, one by one"]
        ),
        "form": rng.choice(["A, B, C, ...", "first, second, ...", "names in order"]),
    }
    sketch = Sketch(
        class_name=class_name(rng, "Ordering", "Clues", "LineUp", "Deduction"),
        about="Find the one ordering that fits all clues.",
        contract="answer",
        max_turns=rng.randint(1, 3),
        fields={"order": "list", "clues": "list"},
        setup=_ELIMINATION_SETUP,
        task=_ELIMINATION_TASK,
        solution='SEND ", ".join(S.order)',
        hint="Start with the tightest clues, write down the places that stay possible, and cross out the others.",
        words=words,
        functions=_ELIMINATION_FUNCTIONS,
        constants=["NAMES = <<names>>"],
        body=answer_body(rng, "order", "S.order"),
        one_action=True,
    )
    sketch.fields["names"] = "list"
    return lay_out(sketch, rng)
