"""Interactive environments of devices: dials with hidden targets, buttons with hidden effects."""

from __future__ import annotations

import random

from .frame import lay_out
from .model import Command, GeneratedSource, Sketch
from .words import COLOURS, class_name

_SMALL = """
    def small(text: str):
        \"\"\"A whole number of few digits, or None.\"\"\"
        return int(text) if re.fullmatch(r"[+-]?[0-9]{1,4}", text) else None
"""


_DIAL_LOCK_SETUP = """
    S.target = [R.randint(0, <<size>> - 1) for _ in DIALS]
    S.places = [(place + R.randint(1, <<size>> - 1)) % <<size>> for place in S.target]
    S.fails = 0
"""


_DIAL_LOCK_TASK = """
    text = f"<<door>> has the dials {', '.join(DIALS)}, each with the places 0 to {<<size>> - 1} in a ring. "
    text += f"They show {' '.join(map(str, S.places))}. <<geared>><<heard>>"
    text += "Positive notches go forward, negative ones back. It opens only when all of them are right; "
    text += "two failures to open jam it."
"""


_DIAL_LOCK_SOLUTION = """
    places = list(S.places)
    # From the first on, for a dial moves only those after it.
    for at, name in enumerate(DIALS):
        steps = (S.target[at] - places[at]) % <<size>>
        if steps:
            SEND f"<<turn>> {name} {steps}"
            places = F.turned(places, at, steps)
    SEND "<<unlock>>"
"""


_DIAL_LOCK_FUNCTIONS = [
    _SMALL,
    """
    def turned(places: list, at: int, steps: int) -> list:
        places = list(places)
        places[at] = (places[at] + steps) % <<size>>
        if at + 1 < len(places):
            places[at + 1] = (places[at + 1] + <<gear>> * steps) % <<size>>
        return places
    """,
]


_DIAL_LOCK_COMMANDS = [
    Command(
        "<<turn>>",
        "<<turn>> DIAL NOTCHES",
        2,
        """
        steps = F.small(args[1])
        if args[0] not in DIALS or steps is None:
            => f"Name one of {', '.join(DIALS)} and a whole number of notches."
        at = DIALS.index(args[0])
        S.places = F.turned(S.places, at, steps)
        => "The dials show " + " ".join(map(str, S.places)) + "."
        """,
    ),
    Command(
        "<<listen>>",
        "<<listen>> DIAL",
        1,
        """
        if args[0] not in DIALS:
            => f"The dials are {', '.join(DIALS)}."
        at = DIALS.index(args[0])
        gap = (S.target[at] - S.places[at]) % <<size>>
        => <<spoken>>
        """,
    ),
    Command(
        "<<unlock>>",
        "<<unlock>>",
        0,
        """
        if S.places == S.target:
            => "It swings open." ;; WIN
        S.fails += 1
        if S.fails == 2:
            => "It does not move, and now the bolt is stuck for good." ;; LOSE
        => "It does not move. Another failure will jam the bolt."
        """,
    ),
]


def dial_lock(rng: random.Random) -> GeneratedSource:
    """Bring all dials to hidden positions by listening; neighbours may be geared."""
    turn, listen, unlock = (
        rng.choice(["turn", "rotate", "spin"]),
        rng.choice(["listen", "probe", "test"]),
        rng.choice(["open", "unlock", "pull"]),
    )
    names = rng.choice([["a", "b", "c", "d"], ["red", "blue", "green"], ["left", "middle", "right"], list("wxyz")])
    geared = rng.random() < 0.5
    gear = rng.randint(2, 5)
    far = rng.random() < 0.5
    answer = (
        'f"Dial {args[0]} is {min(gap, <<size>> - gap)} notches off, one way or the other."'
        if far
        else '"It rests." if gap == 0 else ("It pulls forward." if gap * 2 <= <<size>> else "It pulls back.")'
    )
    size = rng.choice([12, 16, 20, 24, 30])
    words = {
        "turn": turn,
        "listen": listen,
        "unlock": unlock,
        "names": repr(names),
        "size": str(size),
        "gear": str(gear if geared else 0),
        "geared": (
            f"Turning a dial turns the next one by {gear} times as many notches (the last moves alone). "
            if geared
            else "The dials do not touch each other. "
        ),
        "heard": (
            "Listening tells how many notches a dial is off. "
            if far
            else "Listening tells on which side the right place of a dial is (the shorter way). "
        ),
        "spoken": answer.replace("<<size>>", str(size)),
        "door": rng.choice(["A safe", "The vault", "An old gate", "A strongbox"]),
    }
    sketch = Sketch(
        class_name=class_name(rng, "Safe", "Dials", "Lock", "Vault"),
        about="Find the hidden places of all dials.",
        contract="interactive",
        max_turns=rng.randint(30, 50),
        fields={"target": "list", "places": "list", "fails": "int"},
        setup=_DIAL_LOCK_SETUP,
        task=_DIAL_LOCK_TASK,
        solution=_DIAL_LOCK_SOLUTION,
        hint="Settle the dials from the first to the last, listen again after every turn, and open at the very end.",
        words=words,
        functions=_DIAL_LOCK_FUNCTIONS,
        constants=["DIALS = <<names>>"],
        commands=rng.sample(_DIAL_LOCK_COMMANDS, len(_DIAL_LOCK_COMMANDS)),
        refusal="The lock knows nothing of that.",
    )
    return lay_out(sketch, rng)


_BUTTON_MACHINE_EFFECTS = {
    "add": "values[i] += k",
    "pair": "values[i] += k * values[j]",
    "swap": "values[i], values[j] = values[j], values[i]",
    "rotate": "values = values[1:] + values[:1]",
}


_BUTTON_MACHINE_SETUP = """
    S.wanted, S.start, S.wiring = [], [], {}
    # Buttons can cancel each other out; draw again where a few presses would do.
    while tuple(S.wanted) in F.near(S.start, S.wiring):
        S.wiring = {}
        for button in BUTTONS:
            i, j = R.sample(range(<<count>>), 2)
            S.wiring[button] = (R.choice(<<kinds>>), i, j, R.randint(1, 9))
        S.start = [R.randint(0, <<modulus>> - 1) for _ in range(<<count>>)]
        S.plan = [R.choice(BUTTONS) for _ in range(<<depth>>)]
        S.wanted = list(S.start)
        for button in S.plan:
            S.wanted = F.effect(S.wanted, S.wiring[button])
    S.values = list(S.start)
"""


_BUTTON_MACHINE_TASK = """
    text = f"A <<device>> shows {S.values}; all numbers count modulo <<modulus>>. "
    text += f"It has the buttons {', '.join(BUTTONS)}, and nobody knows any more what they do, "
    text += f"except that each does the same every time. Make it show {S.wanted}, "
    text += "then <<submit>>; a wrong <<submit>> ends everything. You can go back to the beginning at any time."
    text += " <<depth>> presses are enough."
"""


_BUTTON_MACHINE_SOLUTION = """
    for button in S.plan:
        SEND "<<press>> " + button
    SEND "<<submit>>"
"""


_BUTTON_MACHINE_FUNCTIONS = [
    """
    def effect(values: list, wire: tuple) -> list:
        \"\"\"What one button does.\"\"\"
        kind, i, j, k = wire
        values = list(values)
        <<branches>>
        return [value % <<modulus>> for value in values]
    """,
    """
    def near(start: list, wiring: dict) -> set:
        states = {tuple(start)}
        for _ in range(5):
            states |= {tuple(F.effect(list(state), wire)) for state in states for wire in wiring.values()}
        return states
    """,
]


_BUTTON_MACHINE_COMMANDS = [
    Command(
        "<<press>>",
        "<<press>> BUTTON",
        1,
        """
        if args[0] not in BUTTONS:
            => f"The buttons are {', '.join(BUTTONS)}."
        S.values = F.effect(S.values, S.wiring[args[0]])
        => f"The <<device>> now shows {S.values}."
        """,
    ),
    Command(
        "<<restart>>",
        "<<restart>>",
        0,
        """
        S.values = list(S.start)
        => f"Back at the beginning: {S.values}."
        """,
    ),
    Command(
        "<<submit>>",
        "<<submit>>",
        0,
        """
        if S.values == S.wanted:
            => "Accepted." ;; WIN
        => f"Rejected: {S.values} is not what was asked for. The <<device>> shuts down." ;; LOSE
        """,
    ),
]


def button_machine(rng: random.Random) -> GeneratedSource:
    """Learn what the buttons do to some registers, and bring these to a wanted state."""
    press, submit, restart = (
        rng.choice(["press", "push", "hit"]),
        rng.choice(["submit", "confirm", "commit"]),
        rng.choice(["restart", "clear", "rewind"]),
    )
    buttons = rng.choice([["p", "q", "r", "s"], ["1", "2", "3", "4", "5"], rng.sample(COLOURS, 4)])
    kinds = rng.sample(["add", "pair", "swap", "rotate"], 2)
    if "add" not in kinds:
        kinds[0] = "add"
    words = {
        "press": press,
        "submit": submit,
        "restart": restart,
        "buttons": repr(buttons),
        "kinds": repr(["add", *kinds]),
        "count": str(rng.randint(3, 4)),
        "modulus": str(rng.randint(11, 30)),
        "depth": str(rng.randint(7, 11)),
        "device": rng.choice(["machine", "console", "gadget", "terminal"]),
        "branches": "\n".join(
            f'{"elif" if at else "if"} kind == "{kind}":\n    {_BUTTON_MACHINE_EFFECTS[kind]}'
            for at, kind in enumerate(kinds)
        ),
    }
    sketch = Sketch(
        class_name=class_name(rng, "Machine", "Console", "Buttons", "BlackBox"),
        about="Find out what the buttons do, then reach the wanted state.",
        contract="interactive",
        max_turns=rng.randint(35, 60),
        fields={"wiring": "dict", "start": "list", "values": "list", "wanted": "list", "plan": "list"},
        setup=_BUTTON_MACHINE_SETUP,
        task=_BUTTON_MACHINE_TASK,
        solution=_BUTTON_MACHINE_SOLUTION,
        hint="Press every button at least twice and compare the numbers before and after; then plan on paper.",
        words=words,
        functions=_BUTTON_MACHINE_FUNCTIONS,
        constants=["BUTTONS = <<buttons>>"],
        commands=rng.sample(_BUTTON_MACHINE_COMMANDS, len(_BUTTON_MACHINE_COMMANDS)),
        refusal="Nothing happens.",
    )
    return lay_out(sketch, rng)
