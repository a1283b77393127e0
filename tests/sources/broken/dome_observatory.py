# expect: accept | refuse feasibility.underivable
# defect: the notebook that should tell the code of the dome prints the code of the cellar a second time, so no text ever shows the code that is needed.
import random
import re


class DomeObservatoryEnv:
    """Exploration and memory: collect codes from notes and open the dome before the eclipse."""

    PLACES = {
        "porch": ["hall"], "hall": ["porch", "library", "workshop", "stairs"], "library": ["hall"],
        "workshop": ["hall"], "stairs": ["hall", "cellar door", "dome door"], "cellar door": ["stairs"],
        "dome door": ["stairs"],
    }

    def __init__(self, max_turns=28, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        numbers = rng.sample(range(1000, 9999), 4)
        self.codes = {"cellar": str(numbers[0]), "dome": str(numbers[1])}
        self.star, self.lamp = numbers[2], numbers[3]
        self.where = "porch"
        self.cellar_open = False
        self.power = False
        self.failures = 0
        desk = rng.choice(["library", "workshop"])
        self.notes = {
            desk: f"A slip in the drawer: 'Cellar {self.codes['cellar']}. Lamp type {self.lamp}.'",
            "library" if desk == "workshop" else "workshop": f"A star chart, plate {self.star}, and nothing else.",
            "cellar door": self._cellar_note(),
        }
        return (
            "The observatory must be opened before the eclipse. Find out how to open the cellar, switch the power on "
            "there, and open the dome. Three wrong codes set off the alarm.\n"
            "Commands: \\boxed{GO place}, \\boxed{SEARCH}, \\boxed{ENTER code} (at a door), \\boxed{SWITCH}. "
            f"You have {self.max_turns} turns.\n" + self._here()
        ), {}

    def _cellar_note(self):
        code = self.codes["cellar"]
        return f"On the fuse box lies a notebook: 'The keypad upstairs takes {code}, but only with the power on.'"

    def _here(self):
        return f"You are at: {self.where}. From here: {', '.join(self.PLACES[self.where])}."

    def _enter(self, code):
        if self.where not in ("cellar door", "dome door"):
            return "There is no keypad here.", 0.0, False
        name = self.where.split()[0]
        if name == "dome" and not self.power:
            return "The keypad is dead.", 0.0, False
        if code != self.codes[name]:
            self.failures += 1
            if self.failures >= 3:
                return "The alarm howls. It is over.", 0.0, True
            return "The keypad buzzes: wrong code.", 0.0, False
        if name == "dome":
            return "The dome opens, and the sky with it.", 1.0, True
        self.cellar_open = True
        return "The cellar door opens. Inside are a fuse box with a switch, and papers.", 0.0, False

    def step(self, action):
        self.turn += 1
        match = re.search(r"\\boxed\{\s*([A-Za-z]+)\s*([^{}]*?)\s*\}", action)
        verb, rest = (match.group(1).upper(), match.group(2).lower()) if match else ("", "")
        reward, over = 0.0, False
        if verb == "GO" and rest in self.PLACES[self.where]:
            self.where = rest
            text = self._here()
        elif verb == "SEARCH":
            hidden = self.where == "cellar door" and not self.cellar_open
            text = self.notes.get(self.where, "Dust.") if not hidden else "A locked door with a keypad."
        elif verb == "ENTER" and rest:
            text, reward, over = self._enter(rest)
        elif verb == "SWITCH" and self.where == "cellar door" and self.cellar_open:
            self.power = True
            text = "The lamps come on, the keypad upstairs beeps."
        else:
            text = "That does not work here. " + self._here()
        return text, reward, over, not over and self.turn >= self.max_turns, {}

    def solution(self):
        desk = next(place for place, note in self.notes.items() if "drawer" in note)
        way = ["GO hall", f"GO {desk}", "SEARCH", "GO hall", "GO stairs", "GO cellar door"]
        way += [f"ENTER {self.codes['cellar']}", "SEARCH", "SWITCH", "GO stairs", "GO dome door"]
        return [f"\\boxed{{{command}}}" for command in [*way, f"ENTER {self.codes['dome']}"]]

    def hint(self):
        return "Search every place before you try a keypad, and keep the numbers of the notes apart."
