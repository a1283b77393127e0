"""What a template hands to the frame, and what the generator hands out."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class GeneratedSource:
    """One environment source, with the contract it was written for."""

    name: str
    text: str
    contract: str


@dataclass(frozen=True)
class Command:
    """One verb of an interactive environment; `body` is code in the notation that sees `args`."""

    verb: str
    usage: str
    arity: int
    body: str


@dataclass
class Sketch:
    """The part of an answer or interactive environment that a template writes; the frame lays it out.

    All code is in the notation of `notation.py`. `fields` are the state's names with their types, `setup` draws an
    episode, `task` assigns the first observation to `text`, and `solution` names its actions with SEND.
    """

    class_name: str
    about: str
    contract: str
    max_turns: int
    fields: dict[str, str]
    setup: str
    task: str
    solution: str
    hint: str = ""
    words: dict[str, str] = field(default_factory=dict)
    functions: list[str] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    imports: set[str] = field(default_factory=set)
    # Either verbs, or one body for the whole content of the box.
    commands: list[Command] = field(default_factory=list)
    body: str = ""
    refusal: str = "That makes no sense here."
    one_action: bool = False
    # The solution reads the replies (`reply = SEND ...`), which only a generator can.
    reading: bool = False


Template = Callable[[random.Random], GeneratedSource]
