import random
import re
from enum import Enum


class Stage(Enum):
    SEARCH = 0
    OPENED = 1
    LIT = 2


class OldHouseEnv:
    """Text adventure: find a key, open the matching chest, light the lamp, read the inscription. Partial rewards of 0.25."""

    ROOMS = ["attic", "cellar", "kitchen", "library", "parlour", "pantry", "study", "workshop"]
    METALS = ["brass", "copper", "iron", "silver"]

    def __init__(self, max_turns=40):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        rooms = list(self.ROOMS)
        rng.shuffle(rooms)
        self.key_room, self.plaque_room = rooms[0], rooms[1]
        self.chests = dict(zip(rooms[2:6], rng.sample(self.METALS, 4)))
        self.metal = rng.choice(self.METALS)
        self.word = "".join(rng.choice("bdfgklmnprst") + rng.choice("aeiou") for _ in range(4))
        self.room, self.has_key, self.stage, self.turn = "hall", False, Stage.SEARCH, 0
        return (
            "You stand in the hall of an old house; every room opens onto every other: " + ", ".join(self.ROOMS) + ". "
            "Somewhere lies a key, and in the chest of its metal a lamp. By its light a plaque in another room can be read; "
            "then \\boxed{say WORD} with the word it bears ends the matter. \\boxed{go ROOM}, \\boxed{look}, \\boxed{take key}, "
            "\\boxed{open chest}, \\boxed{read}. Key, chest, plaque and word are worth a quarter each; a wrong word ends it too. "
            f"{self.max_turns} turns."
        ), {}

    def _look(self):
        seen = [f"You are in the {self.room}."]
        if self.room == self.key_room and not self.has_key:
            seen.append(f"A {self.metal} key hangs on a nail.")
        if self.room in self.chests:
            seen.append(f"There is a chest with {self.chests[self.room]} fittings.")
        if self.room == self.plaque_room:
            seen.append("A plaque is on the wall, too dark to read.")
        return " ".join(seen)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([^{}]*?)\s*\}", action)
        verb, _, rest = (m.group(1).lower() if m else "").partition(" ")
        rest = rest.strip()
        reward = 0.0
        text = "You can go, look, take key, open chest, read, or say a word."
        if verb == "go" and rest in self.ROOMS:
            self.room = rest
            text = self._look()
        elif verb == "look":
            text = self._look()
        elif (verb, rest) == ("take", "key"):
            text = "There is no key here."
            if self.room == self.key_room and not self.has_key:
                self.has_key, reward, text = True, 0.25, f"You take the {self.metal} key."
        elif (verb, rest) == ("open", "chest"):
            text = "It does not open, or there is none."
            if self.has_key and self.chests.get(self.room) == self.metal and self.stage is Stage.SEARCH:
                self.stage, reward, text = Stage.OPENED, 0.25, "The chest opens. You take the lamp."
        elif verb == "read":
            text = "There is nothing you could read."
            if self.stage is not Stage.SEARCH and self.room == self.plaque_room:
                reward = 0.25 if self.stage is Stage.OPENED else 0.0
                self.stage, text = Stage.LIT, f"The plaque says: {self.word}."
        elif verb == "say":
            good = self.stage is Stage.LIT and rest == self.word
            return ("The house sighs." if good else "Nothing answers."), 0.25 if good else 0.0, True, False, {}
        return text, reward, False, late, {"stage": self.stage.name}

    def solution(self):
        chest = next(r for r, metal in self.chests.items() if metal == self.metal)
        words = [f"go {self.key_room}", "take key", f"go {chest}", "open chest", f"go {self.plaque_room}", "read",
                 f"say {self.word}"]
        return [f"\\boxed{{{w}}}" for w in words]
