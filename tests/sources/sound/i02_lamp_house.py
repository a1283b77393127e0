import random
import re


class LampHouseEnv:
    """Text adventure with an inventory. solution() is plain text: commands joined by semicolons."""

    ROOMS = ["hall", "kitchen", "library", "attic", "cellar", "workshop"]
    COLOURS = ["red", "blue", "green", "white"]

    def __init__(self, max_turns=24):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        names = rng.sample(self.ROOMS[1:], 5)
        self.line = ["hall"] + names  # a corridor of doors, each with its own side
        self.doors = {}
        sides = ["north", "east", "south", "west"]
        back = {"north": "south", "south": "north", "east": "west", "west": "east"}
        came = None
        for a, b in zip(self.line, self.line[1:]):
            side = rng.choice([s for s in sides if s != came])
            self.doors[a, side] = b
            self.doors[b, back[side]] = a
            came = back[side]
        self.right = rng.choice(self.COLOURS)
        self.places = {"lamp": self.line[rng.randint(0, 1)], "oil": self.line[2]}
        self.places.update({f"{c} key": self.line[3] for c in self.COLOURS})
        self.room, self.bag, self.lit, self.turn = "hall", set(), False, 0
        self.note = f"The chest obeys the colour that is written on the wall of the {self.line[2]}."
        return (
            "You stand in the hall of a dark house. In the last room stands a chest; open it. "
            f"{self.note}\nCommands: \\boxed{{go north}}, \\boxed{{take THING}}, \\boxed{{light lamp}} (needs lamp and oil), "
            f"\\boxed{{open chest with COLOUR key}}. The chest breaks a wrong key, and then all is lost. {self.max_turns} turns.\n" + self._look()
        ), {}

    def _look(self):
        exits = sorted(side for (room, side) in self.doors if room == self.room)
        text = f"Room: {self.room}. Doors: {', '.join(exits)}. You carry: {', '.join(sorted(self.bag)) or 'nothing'}."
        if self.line.index(self.room) >= 3 and not self.lit:
            return text + " It is too dark to see or do anything."
        things = sorted(t for t, place in self.places.items() if place == self.room)
        text += f" Here: {', '.join(things) or 'nothing'}."
        if self.room == self.line[2]:
            text += f" On the wall is written: {self.right}."
        if self.room == self.line[-1]:
            text += " A chest."
        return text

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        words = m.group(1).lower().split() if m else []
        dark = self.line.index(self.room) >= 3 and not self.lit
        if words[:1] == ["go"] and len(words) == 2 and (self.room, words[1]) in self.doors:
            self.room = self.doors[self.room, words[1]]
        elif words[:1] == ["take"] and not dark and self.places.get(" ".join(words[1:])) == self.room:
            if len(self.bag) >= 3:
                return "Your hands are full. " + self._look(), 0.0, False, late, {}
            thing = " ".join(words[1:])
            self.places[thing] = None
            self.bag.add(thing)
        elif words == ["light", "lamp"] and {"lamp", "oil"} <= self.bag:
            self.lit = True
        elif words[:3] == ["open", "chest", "with"] and len(words) == 5 and self.room == self.line[-1] and not dark:
            key = " ".join(words[3:])
            if key not in self.bag:
                return "You do not have that. " + self._look(), 0.0, False, late, {}
            if words[3] == self.right:
                return "The chest opens.", 1.0, True, False, {}
            return "The key snaps in the lock.", 0.0, True, False, {}
        else:
            return "That does not work here. " + self._look(), 0.0, False, late, {}
        return self._look(), 0.0, False, late, {}

    def solution(self):
        out = []
        for i, room in enumerate(self.line):
            if self.places["lamp"] == room:
                out.append("take lamp")
            if i == 2:
                out += ["take oil", "light lamp"]
            if i == 3:
                out.append(f"take {self.right} key")
            if i == len(self.line) - 1:
                out.append(f"open chest with {self.right} key")
            else:
                out.append("go " + next(s for (r, s), b in self.doors.items() if r == room and b == self.line[i + 1]))
        return "; ".join(out)

    def hint(self):
        return "Carry light before you go far. Read what stands on the wall and keep the colour in mind; your hands hold only three things, so take one key."
