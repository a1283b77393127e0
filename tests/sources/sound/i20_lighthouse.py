"""Text adventure with a small parser."""
import random
import re
from enum import Enum, auto


class Item(Enum):
    LAMP = auto()
    ROPE = auto()
    CRANK = auto()
    OIL = auto()


ROOMS = {
    "beach": {"up": "path", "east": "boathouse"},
    "boathouse": {"west": "beach"},
    "path": {"down": "beach", "north": "cottage", "east": "tower"},
    "cottage": {"south": "path", "down": "cellar"},
    "cellar": {"up": "cottage"},
    "tower": {"west": "path", "up": "lantern room"},
    "lantern room": {"down": "tower"},
}
RUNES = ["alder", "birch", "cedar", "elder", "hawthorn", "ivy", "larch", "maple", "oak", "pine", "rowan", "sloe", "yew"]


class LighthouseEnv:
    """Fill and light the lamp, read the wall of the dark cellar, crank the beam and speak the three words in order."""

    def __init__(self, max_turns=40, **kw):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.room = "beach"
        self.words = rng.sample(RUNES, 3)
        spots = rng.sample(["beach", "boathouse", "path", "cottage", "tower"], 3)
        self.where = {Item.LAMP: spots[0], Item.OIL: spots[1], Item.CRANK: spots[2], Item.ROPE: "boathouse"}
        self.lit = self.cranked = False
        intro = ("A lighthouse went dark. Make it shine again and speak the three words of the keeper, in the order in which they "
                 "stand on the cellar wall, in the lantern room.\n"
                 "Commands: \\boxed{go up}, \\boxed{look}, \\boxed{take lamp}, \\boxed{use oil}, \\boxed{use crank}, \\boxed{read wall}, "
                 f"\\boxed{{say word word word}}.\nTurns: {self.max_turns}.\n\n")
        return intro + self._describe(), {}

    def _describe(self):
        if self.room == "cellar" and not self.lit:
            return "The cellar. It is pitch dark here. Exits: up."
        things = sorted(i.name.lower() for i, r in self.where.items() if r == self.room)
        text = f"The {self.room}. Exits: {', '.join(ROOMS[self.room])}."
        if things:
            text += " You see: " + ", ".join(things) + "."
        if self.room == "cellar":
            text += " There is writing on the wall."
        return text

    def _has(self, item):
        return self.where[item] == "bag"

    def _do(self, verb, rest):
        if verb == "go":
            if rest not in ROOMS[self.room]:
                return "You cannot go there."
            self.room = ROOMS[self.room][rest]
            return self._describe()
        if verb == "look":
            return self._describe()
        if verb == "take":
            item = next((i for i in Item if i.name.lower() == rest), None)
            if item is None or self.where[item] != self.room:
                return "That is not here."
            self.where[item] = "bag"
            return f"You take the {rest}."
        if verb == "use" and rest == "oil":
            if not (self._has(Item.OIL) and self._has(Item.LAMP)):
                return "You would need oil and a lamp."
            self.lit = True
            return "The lamp burns with a steady flame."
        if verb == "use" and rest == "crank":
            if not self._has(Item.CRANK) or self.room != "lantern room":
                return "There is nothing to turn."
            self.cranked = True
            return "The great lens begins to turn."
        if verb == "read" and rest == "wall":
            if self.room != "cellar" or not self.lit:
                return "You can read nothing here."
            return "Carved into the stone: " + ", ".join(self.words) + "."
        return None

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([a-z]+)\s*([^{}]*?)\s*\}", action.lower())
        if not m:
            return "Pardon?", 0.0, False, late, {"lit": self.lit}
        verb, rest = m.groups()
        if verb == "say":
            if self.room != "lantern room" or not self.cranked:
                return "Your words fade away unheard.", 0.0, False, late, {"lit": self.lit}
            if re.findall(r"[a-z]+", rest) == self.words:
                return "The beam sweeps across the sea. The keeper can rest.", 1.0, True, False, {"lit": self.lit}
            self.cranked = False
            return "The lens grinds to a halt. Those were not the words.", -0.1, False, late, {"lit": self.lit}
        text = self._do(verb, rest)
        return (text or "Pardon?"), 0.0, False, late, {"lit": self.lit}

    def solution(self):
        routes = {"beach": [], "boathouse": ["go east"], "path": ["go up"], "cottage": ["go up", "go north"], "tower": ["go up", "go east"]}
        back = {"go east": "go west", "go up": "go down", "go north": "go south"}
        plan = []
        for item in (Item.LAMP, Item.OIL, Item.CRANK):
            way = routes[self.where[item]]
            plan += way + [f"take {item.name.lower()}"] + [back[w] for w in reversed(way)]
        plan += ["use oil", "go up", "go north", "go down", "read wall", "go up", "go south", "go east", "go up", "use crank",
                 "say " + " ".join(self.words)]
        return ["\\boxed{%s}" % p for p in plan]
