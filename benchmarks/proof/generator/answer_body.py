"""The many ways to grade the content of a box against one right answer."""

from __future__ import annotations

import random

_WRONG = [
    "That is not right.",
    "Wrong.",
    "No, that is not it.",
    "Incorrect; check your steps.",
    "Not the answer.",
]
_RIGHT = ["Right.", "Correct!", "Yes, that is it.", "Well done.", "That is the answer."]
_NO_NUMBER = ["That is no whole number.", "Please give an integer.", "I expected digits only."]

_READ_INT = [
    """
    try:
        given = int(content)
    except ValueError:
        => "{no_number}"
    if given == {expected}:
        => "{right}" ;; WIN
    => "{wrong}"
    """,
    """
    if not re.fullmatch(r"[+-]?[0-9]{{1,15}}", content):
        => "{no_number}"
    if int(content) != {expected}:
        => "{wrong}"
    => "{right}" ;; WIN
    """,
    """
    cleaned = content.replace(",", "").replace(" ", "")
    if not cleaned.lstrip("-").isdecimal():
        => "{no_number}"
    right = cleaned == str({expected})
    if right:
        => "{right}" ;; WIN
    => "{wrong}"
    """,
]
_READ_TEXT = [
    """
    given = " ".join(content.lower().split())
    if not given:
        => "The box is empty."
    if given == {expected}:
        => "{right}" ;; WIN
    => "{wrong}"
    """,
    """
    expected = {expected}
    if content.strip().lower() == expected:
        => "{right}" ;; WIN
    if len(content) != len(expected):
        => f"{wrong} Your answer has {{len(content)}} characters."
    => "{wrong}"
    """,
]
_READ_ORDER = [
    """
    given = [part.strip().lower() for part in content.split(",")]
    expected = [name.lower() for name in {expected}]
    if sorted(given) != sorted(expected):
        => "List every name once, with commas between them."
    if given == expected:
        => "{right}" ;; WIN
    => "{wrong}"
    """,
    """
    given = [word for word in re.split(r"[,;\\s]+", content.lower()) if word]
    if given == [name.lower() for name in {expected}]:
        => "{right}" ;; WIN
    if len(given) != len({expected}):
        => f"{wrong} You named {{len(given)}}."
    => "{wrong}"
    """,
]
_READ_PAIR = [
    """
    match = re.fullmatch(r"\\(?\\s*(-?[0-9]{{1,9}})\\s*,\\s*(-?[0-9]{{1,9}})\\s*\\)?", content)
    if match is None:
        => "I expected two whole numbers with a comma."
    if (int(match.group(1)), int(match.group(2))) == tuple({expected}):
        => "{right}" ;; WIN
    => "{wrong}"
    """,
    """
    parts = content.strip("() ").split(",")
    try:
        given = [int(part) for part in parts]
    except ValueError:
        => "I expected whole numbers with a comma between."
    if given == list({expected}):
        => "{right}" ;; WIN
    => "{wrong}"
    """,
]
_KINDS = {"int": _READ_INT, "text": _READ_TEXT, "order": _READ_ORDER, "pair": _READ_PAIR}


def answer_body(rng: random.Random, kind: str, expected: str) -> str:
    """A body, in the notation, that grades `content` of the kind against the expression `expected`."""
    return rng.choice(_KINDS[kind]).format(
        expected=expected,
        right=rng.choice(_RIGHT),
        wrong=rng.choice(_WRONG),
        no_number=rng.choice(_NO_NUMBER),
    )
