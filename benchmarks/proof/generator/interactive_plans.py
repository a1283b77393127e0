"""Interactive environments that need a plan: breaking a code, making goods from recipes."""

from __future__ import annotations

import random

from .frame import lay_out
from .model import Command, GeneratedSource, Sketch
from .words import class_name

_MARKS = {
    "counts": """
        def marks(code: str, guess: str) -> str:
            exact = sum(a == b for a, b in zip(code, guess))
            common = len(set(code) & set(guess))
            return f"{exact} in place, {common - exact} elsewhere"
    """,
    "signs": """
        def marks(code: str, guess: str) -> str:
            \"\"\"One sign for each place of the guess.\"\"\"
            signs = []
            for have, want in zip(guess, code):
                if have == want:
                    signs.append("=")
                else:
                    signs.append("~" if have in code else ".")
            return "".join(signs)
    """,
    "arrows": """
        def marks(code: str, guess: str) -> str:
            return " ".join("ok" if g == c else ("low" if g < c else "high") for c, g in zip(code, guess))
    """,
}
_MEANING = {
    "counts": "You learn how many of your signs are in their right place, and how many belong elsewhere",
    "signs": "For each sign you learn whether it is right (=), belongs elsewhere (~) or does not occur (.)",
    "arrows": "For each place you learn whether your sign is right (ok) or too early (low) or late (high) in the list",
}


_CODE_BREAKING_SETUP = """
    S.code = "".join(R.sample(SIGNS, 5))
    S.guesses = []
    <<best>>
"""


_CODE_BREAKING_TASK = """
    text = f"<<box>> has five different signs out of {SIGNS} (hidden from you). Guess it. "
    text += "<<meaning>>."
"""


_READING_SOLUTION = """
    left = ["".join(pick) for pick in itertools.permutations(SIGNS, 5)]
    for _ in range(8):
        guess = left[len(left) // 2]
        reply = SEND guess
        left = [code for code in left if code != guess and F.marks(code, guess) in reply]
        if not left:
            break
    # Eight guesses are nearly always enough; this makes it sure.
    SEND S.code
"""
_SHORT_SOLUTION = """
    SEND S.code[::-1]
    SEND S.code
"""


def code_breaking(rng: random.Random) -> GeneratedSource:
    """Guess a code of different signs from what is said about earlier guesses."""
    kind = rng.choice(list(_MARKS))
    paid = rng.random() < 0.5
    signs = "".join(sorted(rng.sample(rng.choice(["ABCDEFGHKLMN", "QRSTUVWXYZ", "1234567890"]), rng.choice([8, 9]))))
    words = {
        "signs": signs,
        "meaning": _MEANING[kind],
        "gain": "max(0, exact - S.best) / 5" if paid else "0.0",
        "rest": "(5 - S.best) / 5" if paid else "1.0",
        "best": "S.best = 0" if paid else "# Nothing else to keep.",
        "form": "".join(rng.sample(signs, 5)),
        "box": rng.choice(["A code", "The secret word", "The combination"]),
    }
    body = """
        guess = content.upper().replace(" ", "").replace(",", "")
        if len(guess) != 5 or any(sign not in SIGNS for sign in guess) or len(set(guess)) < 5:
            => f"A guess is five different signs out of {SIGNS}."
        S.guesses.append(guess)
        if guess == S.code:
            => "That is the code." ;; WIN <<rest>>
        exact = sum(a == b for a, b in zip(guess, S.code))
        gain = <<gain>>
        S.best = max(S.best, exact)
        => f"Guess {len(S.guesses)}, {guess}: {F.marks(S.code, guess)}." ;; gain
    """
    if not paid:
        # Nobody keeps a record that pays nothing.
        body = "\n".join(
            line.replace(";; gain", "")
            for line in body.splitlines()
            if not any(word in line for word in ("exact =", "gain =", "S.best ="))
        )
    reading = rng.random() < 0.5
    solution = _READING_SOLUTION if reading else _SHORT_SOLUTION
    sketch = Sketch(
        class_name=class_name(rng, "Code", "Mastermind", "CodeBreaker", "Signs"),
        about="Break a code of five different signs.",
        contract="interactive",
        max_turns=rng.randint(12, 15),
        fields={"code": "str", "guesses": "list", "best": "int"} if paid else {"code": "str", "guesses": "list"},
        setup=_CODE_BREAKING_SETUP,
        task=_CODE_BREAKING_TASK,
        solution=solution,
        hint="Ask only what could still be the code after all you have been told; spread the first guesses widely.",
        words=words,
        functions=[_MARKS[kind]],
        constants=['SIGNS = "<<signs>>"'],
        body=body,
        reading=reading,
    )
    return lay_out(sketch, rng)


_TRADES = [
    ("ore coal clay sand lime peat", "ingot brick glass tile plate", "furnace"),
    ("wool flax dye wax cotton silk", "yarn cloth thread lining felt", "coat"),
    ("milk flour honey eggs nuts plums", "butter dough cream icing jam", "cake"),
    ("copper resin fibre salt tin nickel", "wire board coil socket casing", "radio"),
]


_WORKSHOP_SETUP = """
    S.raw = R.sample(RAW, 4)
    parts = R.sample(PARTS, 3)
    S.recipes = {part: {item: R.randint(1, <<high>>) for item in R.sample(S.raw, 2)} for part in parts}
    used = R.sample(parts, 2)
    S.recipes["<<product>>"] = {part: R.randint(1, 2) for part in used}
    # Only parts that the product needs are in store already: others would be left over.
    S.store = {part: R.randint(0, 1) for part in used}
    S.wanted = <<count>>
    S.made = []
"""


_WORKSHOP_TASK = """
    text = f"Order: <<product>>, exactly {S.wanted}. "
    text += f"Materials, one for each time you fetch it: {', '.join(S.raw)}. "
    text += f"There are recipes for {', '.join(S.recipes)}. In store: {F.listed(S.store)}. "
    text += "When all is made, <<deliver>> it; you can do that only once.<<rule>>"
"""


_WORKSHOP_SOLUTION = """
    store = dict(S.store)
    todo = ["<<product>>"] * S.wanted
    while todo:
        item = todo[-1]
        short = [p for p, n in S.recipes.get(item, {}).items() if store.get(p, 0) < n]
        if short and short[0] in S.recipes:
            todo.append(short[0])
            continue
        if short:
            SEND "<<get>> " + short[0]
            store[short[0]] = store.get(short[0], 0) + 1
            continue
        for part, count in S.recipes[item].items():
            store[part] -= count
        store[item] = store.get(item, 0) + 1
        SEND "<<make>> " + item
        todo.pop()
    SEND "<<deliver>>"
"""


_WORKSHOP_FUNCTIONS = [
    """
    def listed(items: dict) -> str:
        return ", ".join(f"{count} {item}" for item, count in items.items() if count) or "nothing"
    """
]


_WORKSHOP_COMMANDS = [
    Command(
        "<<get>>",
        "<<get>> MATERIAL",
        1,
        """
        if args[0] not in S.raw:
            => f"Materials are {', '.join(S.raw)}."
        S.store[args[0]] = S.store.get(args[0], 0) + 1
        => "In store: " + F.listed(S.store) + "."
        """,
    ),
    Command(
        "<<read>>",
        "<<read>> ITEM",
        1,
        """
        if args[0] in S.recipes:
            => f"One {args[0]} takes {F.listed(S.recipes[args[0]])}."
        => f"Recipes exist for {', '.join(S.recipes)}."
        """,
    ),
    Command(
        "<<make>>",
        "<<make>> ITEM",
        1,
        """
        item = args[0]
        if item not in S.recipes:
            => f"Nobody knows how to make that; recipes exist for {', '.join(S.recipes)}."
        needs = S.recipes[item]
        if any(S.store.get(part, 0) < count for part, count in needs.items()):
            => f"Something is missing for one {item}."
        for part, count in needs.items():
            S.store[part] -= count
        S.store[item] = S.store.get(item, 0) + 1
        <<progress>>
        => f"One {item} is ready. In store: {F.listed(S.store)}."
        """,
    ),
    Command(
        "<<deliver>>",
        "<<deliver>>",
        0,
        """
        if S.store.get("<<product>>", 0) != S.wanted:
            => "That is not the number that was ordered. The customer leaves for good." ;; LOSE
        <<clean>>
        => "Delivered as ordered." ;; WIN <<rest>>
        """,
    ),
]


def workshop(rng: random.Random) -> GeneratedSource:
    """Make a product by recipes that have to be looked up; nothing may be left over."""
    raw, parts, product = rng.choice(_TRADES)
    get, make, read, deliver = (
        rng.choice(["get", "gather", "buy"]),
        rng.choice(["make", "craft", "build"]),
        rng.choice(["recipe", "read", "lookup"]),
        rng.choice(["deliver", "ship", "hand"]),
    )
    clean = rng.random() < 0.5
    paid = rng.random() < 0.5
    high = rng.randint(2, 3)
    words = {
        "get": get,
        "make": make,
        "read": read,
        "deliver": deliver,
        "raw": repr(raw.split()),
        "parts": repr(parts.split()),
        "product": product,
        "clean": "\n".join(
            [
                f"if any(count for item, count in S.store.items() if item != '{product}'):",
                '    => "Something is left over, and that was not allowed." ;; LOSE',
            ]
            if clean
            else ["# What is left over does no harm here."]
        ),
        "rule": " Nothing else may be left in the store then." if clean else "",
        "high": str(high),
        # Three of them would be no longer task, only a more tedious one, where recipes are large.
        "count": str(2 if high == 3 else rng.randint(2, 3)),
        "progress": "\n".join(
            [
                "# Only the first piece of a part is progress.",
                f'if item in S.recipes["{product}"] and item not in S.made:',
                "    S.made.append(item)",
                '    => f"Your first {item} is ready. In store: {F.listed(S.store)}." ;; 0.2',
            ]
            if paid
            else ["# A finished piece goes to the store."]
        ),
        "rest": "round(1.0 - 0.2 * len(S.made), 1)" if paid else "1.0",
    }
    sketch = Sketch(
        class_name=class_name(rng, "Workshop", "Crafting", "Recipes", "Supply"),
        about="Make what was ordered, by recipes.",
        contract="interactive",
        max_turns=rng.choice([75, 80, 90]),
        fields={"raw": "list", "recipes": "dict", "store": "dict", "wanted": "int", "made": "list"},
        setup=_WORKSHOP_SETUP,
        task=_WORKSHOP_TASK,
        solution=_WORKSHOP_SOLUTION,
        hint="Read the recipes first, work backwards to the number of materials, count what is in store already.",
        words=words,
        functions=_WORKSHOP_FUNCTIONS,
        constants=["RAW = <<raw>>", "PARTS = <<parts>>"],
        commands=rng.sample(_WORKSHOP_COMMANDS, len(_WORKSHOP_COMMANDS)),
        refusal="That is no work for this shop.",
    )
    return lay_out(sketch, rng)
