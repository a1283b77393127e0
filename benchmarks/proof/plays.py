"""Variations of winning plays: what a player who is nearly right, careless or confused would send."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence

from spade_envs.actions import boxed

MOST_ACTIONS = 24
"""Longest list of actions."""
ODD = (
    "",
    " ",
    "0",
    "-1",
    "-7",
    "999999999999",
    "1e9",
    "0.5",
    "nan",
    "None",
    "help",
    "?",
    "quit",
    "١٢",
    "naïve café",
    "a" * 300,
    "x y z",
    "1,2,3",
    "1 2 3 4 5 6 7 8 9",
    "(1, 2)",
    "[]",
    "{}",
    "{not json",
    "\n",
    "yes",
    "no",
    "look",
    "status",
)
"""Texts that are legal to send and seldom expected."""

_NUMBER = re.compile(r"-?\d+")
_WORD = re.compile(r"[A-Za-z][\w-]*")


def varied(actions: Sequence[str], texts: Sequence[str], contract: str, rng: random.Random) -> tuple[str, ...]:
    """A winning play with one to three changes.

    Args:
        actions: raw replies that win.
        texts: what was shown on the way; words and numbers are taken from it.
        contract: how an odd text is sent.
        rng: decides.
    """
    changed = list(actions)
    for _ in range(rng.choice((1, 1, 2, 3))):
        rng.choice(_CHANGES)(changed, texts, contract, rng)
    return tuple(changed[:MOST_ACTIONS])


def sent(text: str, contract: str, rng: random.Random) -> str:
    """An odd text in the manner of a contract: boxed, as an answer, or inside a tool call's place."""
    if contract == "tools":
        return rng.choice((f"<answer>{text}</answer>", text))
    return boxed(text) if rng.random() < 0.9 else text


def _insert(actions: list[str], texts: Sequence[str], contract: str, rng: random.Random) -> None:
    actions.insert(rng.randint(0, len(actions)), sent(rng.choice(ODD), contract, rng))


def _drop(actions: list[str], texts: Sequence[str], contract: str, rng: random.Random) -> None:
    if actions:
        del actions[rng.randrange(len(actions))]


def _repeat(actions: list[str], texts: Sequence[str], contract: str, rng: random.Random) -> None:
    if actions:
        at = rng.randrange(len(actions))
        actions[at:at] = [actions[at]] * rng.choice((1, 1, 2, 5))


def _swap(actions: list[str], texts: Sequence[str], contract: str, rng: random.Random) -> None:
    if len(actions) > 1:
        at = rng.randrange(len(actions) - 1)
        actions[at], actions[at + 1] = actions[at + 1], actions[at]


def _number(actions: list[str], texts: Sequence[str], contract: str, rng: random.Random) -> None:
    """Another number in an action: near, far, negative, or one that was shown."""
    places = [at for at, action in enumerate(actions) if _NUMBER.search(action)]
    if not places:
        return _insert(actions, texts, contract, rng)
    at = rng.choice(places)
    match = rng.choice(list(_NUMBER.finditer(actions[at])))
    value = int(match.group()[:15].rstrip("-") or 0)
    shown = _NUMBER.findall("\n".join(texts)[:4000]) or ["3"]
    near = rng.choice((str(value + 1), str(value - 1), str(-value), str(value * 1000), "0", rng.choice(shown)))
    wrong = actions[at][: match.start()] + near + actions[at][match.end() :]
    _place(actions, at, wrong, rng)
    return None


def _word(actions: list[str], texts: Sequence[str], contract: str, rng: random.Random) -> None:
    """Another word in an action: one that was shown, or none."""
    places = [at for at, action in enumerate(actions) if _inner(action)]
    if not places:
        return _insert(actions, texts, contract, rng)
    at = rng.choice(places)
    start, end = _inner(actions[at]) or (0, 0)
    match = rng.choice(list(_WORD.finditer(actions[at], start, end)) or [re.match("", "")])
    if match is None or not match.group():
        return _insert(actions, texts, contract, rng)
    shown = _WORD.findall("\n".join(texts)[:4000]) or ["word"]
    wrong = actions[at][: match.start()] + rng.choice((rng.choice(shown), "", "zzz")) + actions[at][match.end() :]
    _place(actions, at, wrong, rng)
    return None


def _argument(actions: list[str], texts: Sequence[str], contract: str, rng: random.Random) -> None:
    """A tool call with an argument missing, added, of another type, or odd."""
    calls = [at for at, action in enumerate(actions) if _call(action) is not None]
    if not calls:
        return _number(actions, texts, contract, rng)
    at = rng.choice(calls)
    call = _call(actions[at]) or {}
    given = call.get("arguments")
    arguments = dict(given) if isinstance(given, dict) else {}
    name = rng.choice(sorted(arguments) or ["x"])
    odd: list[object] = [None, 7, -1, 1.5, True, [], {}, "", "zzz", ["a"], "x" * 300, 10**12]
    arguments[name] = rng.choice(odd)
    if rng.random() < 0.3:
        del arguments[name]
    wrong = {**call, "arguments": arguments}
    if rng.random() < 0.1:
        wrong["name"] = "no_such_tool"
    _place(actions, at, "<tool_call>" + json.dumps(wrong) + "</tool_call>", rng)
    return None


def _place(actions: list[str], at: int, wrong: str, rng: random.Random) -> None:
    """In place of the right action, or before it."""
    if rng.random() < 0.5:
        actions[at] = wrong
    else:
        actions.insert(at, wrong)


def _inner(action: str) -> tuple[int, int] | None:
    """Where the content of a boxed action lies."""
    start, end = action.find("\\boxed{"), action.rfind("}")
    return (start + 7, end) if 0 <= start < end and _WORD.search(action, start + 7, end) else None


def _call(action: str) -> dict[str, object] | None:
    match = re.search(r"<tool_call>(.*?)</tool_call>", action, re.DOTALL)
    try:
        call = json.loads(match.group(1)) if match else None
    except json.JSONDecodeError:
        return None
    return call if isinstance(call, dict) else None


_CHANGES: tuple[Callable[[list[str], Sequence[str], str, random.Random], None], ...] = (
    _insert,
    _insert,
    _drop,
    _repeat,
    _repeat,
    _swap,
    _number,
    _number,
    _word,
    _word,
    _argument,
    _argument,
)
