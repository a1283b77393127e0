#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""
The Clockwork Museum
====================

A small text adventure with rooms, an inventory and a locked vault.
Commands are registered by a decorator and dispatched from a table.
"""
from __future__ import annotations

import logging
import random
import re
from collections import deque
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Callable, ClassVar, Dict, List, Optional, Set, Tuple

__all__ = ["MuseumEnv"]
__version__ = "1.2.0"

logger = logging.getLogger(__name__)
logger.addHandler(logging.NullHandler())

Handler = Callable[["MuseumEnv", List[str]], str]


class Phase(Enum):
    EXPLORING = auto()
    WON = auto()
    LOST = auto()

    @property
    def is_final(self) -> bool:
        return self in {Phase.WON, Phase.LOST}


class AdventureError(Exception):
    """Raised by handlers; shown to the player."""


def command(*names: str, usage: str = "") -> Callable[[Handler], Handler]:
    def decorate(func: Handler) -> Handler:
        func.aliases = names
        func.usage = usage
        return func
    return decorate


@dataclass
class Room:
    name: str
    description: str
    exits: Dict[str, str] = field(default_factory=dict)
    items: Set[str] = field(default_factory=set)
    locked: bool = False

    def render(self) -> str:
        lines = [f"== {self.name.title()} ==", self.description]
        if self.items:
            lines.append("You see: " + ", ".join(sorted(self.items)))
        lines.append("Exits: " + ", ".join(f"{d} -> {t}" for d, t in sorted(self.exits.items())))
        return "\n".join(lines)


class MuseumEnv:
    """Find the brass key, open the vault and take the automaton."""

    OPPOSITE: ClassVar[Dict[str, str]] = {"north": "south", "east": "west", "south": "north", "west": "east"}
    NAMES: ClassVar[Tuple[str, ...]] = ("foyer", "library", "workshop", "gallery", "cellar", "tower")

    def __init__(self, max_turns: int = 40, **kwargs: Any) -> None:
        self.max_turns = max_turns
        self._handlers: Dict[str, Handler] = {}
        for attr in dir(type(self)):
            member = getattr(type(self), attr)
            if callable(member) and hasattr(member, "aliases"):
                for alias in member.aliases:
                    self._handlers[alias] = member
        self.reset()

    def reset(self, seed: Optional[int] = None, options: Optional[dict] = None) -> Tuple[str, Dict[str, Any]]:
        self.rng = random.Random(seed)
        self.turn_count = 0
        self.phase = Phase.EXPLORING
        self.inventory: List[str] = []
        self.rooms = {n: Room(n, f"The {n} smells of {self.rng.choice(['dust', 'oil', 'wax'])}.") for n in self.NAMES}
        order = list(self.NAMES)
        self.rng.shuffle(order)
        for prev, nxt in zip(order, order[1:]):
            while True:
                src = self.rng.choice(order[: order.index(nxt)])
                free = [d for d in self.OPPOSITE if d not in self.rooms[src].exits and self.OPPOSITE[d] not in self.rooms[nxt].exits]
                if free:
                    break
            d = self.rng.choice(free)
            self.rooms[src].exits[d] = nxt
            self.rooms[nxt].exits[self.OPPOSITE[d]] = src
        self.here = order[0]
        self.vault = order[-1]
        self.rooms[self.vault].locked = True
        self.key_room = self.rng.choice(order[1:-1])
        self.rooms[self.key_room].items.add("key")
        self.rooms[self.vault].items.add("automaton")
        logger.debug("start=%s vault=%s", self.here, self.vault)
        return self._observe(f"Find the key, unlock the {self.vault} and take the automaton."), {"phase": self.phase.name}

    # ------------------------------------------------------------------ helpers
    def _observe(self, message: str) -> str:
        inv = ", ".join(self.inventory) or "nothing"
        return (f"{message}\n\n{self.rooms[self.here].render()}\nYou carry: {inv}.\n"
                f"Turn {self.turn_count}/{self.max_turns}. Commands: go DIR, take ITEM, unlock DIR, look. "
                "Answer with \\boxed{command}.")

    @command("go", "walk", usage="go DIR")
    def do_go(self, args: List[str]) -> str:
        match args:
            case [d] if d in self.rooms[self.here].exits:
                target = self.rooms[self.here].exits[d]
                if self.rooms[target].locked:
                    raise AdventureError(f"The {target} is locked.")
                self.here = target
                return f"You walk {d}."
            case [d, *_]:
                raise AdventureError(f"No exit {d!r} here.")
            case _:
                raise AdventureError("Go where?")

    @command("take", "get", usage="take ITEM")
    def do_take(self, args: List[str]) -> str:
        item = " ".join(args)
        if item not in self.rooms[self.here].items:
            raise AdventureError(f"There is no {item or 'such thing'} here.")
        self.rooms[self.here].items.remove(item)
        self.inventory.append(item)
        if item == "automaton":
            self.phase = Phase.WON
        return f"Taken: {item}."

    @command("unlock", usage="unlock DIR")
    def do_unlock(self, args: List[str]) -> str:
        if "key" not in self.inventory:
            raise AdventureError("You have no key.")
        target = self.rooms[self.here].exits.get(args[0] if args else "", None)
        if target is None or not self.rooms[target].locked:
            raise AdventureError("Nothing to unlock there.")
        self.rooms[target].locked = False
        return f"Click! The {target} is open."

    @command("look", "l")
    def do_look(self, args: List[str]) -> str:
        return "You look around."

    def step(self, action: str) -> Tuple[str, float, bool, bool, Dict[str, Any]]:
        self.turn_count += 1
        truncated = self.turn_count >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action or "")
        words = (m.group(1) if m else "").lower().split()
        if not words:
            return self._observe("Please answer with \\boxed{command}."), -0.01, False, truncated, {}
        verb, *args = words
        handler = self._handlers.get(verb)
        try:
            if handler is None:
                raise AdventureError(f"I do not know how to {verb!r}. Try: {', '.join(sorted(self._handlers))}.")
            message = handler(self, args)
        except AdventureError as exc:
            return self._observe(str(exc)), -0.01, False, truncated, {"error": type(exc).__name__}
        if self.phase.is_final:
            return f"{message} You win! 🎉", 1.0, True, False, {"phase": self.phase.name}
        return self._observe(message), 0.0, False, truncated, {"phase": self.phase.name}

    def _route(self, start: str, goal: str) -> List[str]:
        queue, seen = deque([(start, [])]), {start}
        while queue:
            node, path = queue.popleft()
            if node == goal:
                return path
            for d, t in sorted(self.rooms[node].exits.items()):
                if t not in seen and (not self.rooms[t].locked or t == goal):
                    seen.add(t)
                    queue.append((t, [*path, d]))
        raise RuntimeError("unreachable")

    def solution(self) -> List[str]:
        first = self._route(self.here, self.key_room)
        *approach, last = self._route(self.key_room, self.vault)
        cmds = [f"go {d}" for d in first] + ["take key"] + [f"go {d}" for d in approach] + [f"unlock {last}", f"go {last}", "take automaton"]
        return [f"\\boxed{{{c}}}" for c in cmds]

    def hint(self) -> str:
        return "Explore systematically, pick up the key, then unlock the door next to the locked room."

    def close(self) -> None:
        pass


if __name__ == "__main__":
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    ns = parser.parse_args()
    env = MuseumEnv()
    print(env.reset(seed=ns.seed)[0])
    while True:
        obs, r, t, tr, _ = env.step(input("> "))
        print(obs)
        if t or tr:
            break
