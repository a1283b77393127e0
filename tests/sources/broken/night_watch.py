# expect: refuse leak.hint
# defect: hint() tells the safe's combination, which otherwise has to be gathered from the notes in three rooms
import random
import re


class NightWatchEnv:
    """Exploration with memory: gather parts of a combination in a dark museum, then open the safe."""

    ROOMS = ["armoury", "library", "gallery", "crypt", "kitchen", "chapel"]

    def __init__(self, max_turns=16):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.rooms = list(self.ROOMS)
        rng.shuffle(self.rooms)
        self.pairs = [str(rng.randint(11, 99)) for _ in range(3)]
        self.combination = " ".join(self.pairs)
        holders = rng.sample(self.rooms, 3)
        self.notes = {room: (part, self.pairs[part]) for part, room in enumerate(holders)}
        self.safe = rng.choice(self.rooms)
        self.where = rng.choice([r for r in self.rooms if r != self.safe])
        self.tries = 2
        return (
            "You guard a museum with the rooms " + ", ".join(sorted(self.rooms)) + ". Somewhere stands a safe with a "
            "combination of three pairs of digits; the pairs are noted on slips in three rooms.\n"
            "Commands: \\boxed{go ROOM}, \\boxed{search}, \\boxed{dial PAIR PAIR PAIR}. A wrong dial counts; the second locks the safe.\n"
            f"You are in the {self.where}. You have {self.max_turns} turns."
        ), {}

    def _look(self):
        text = f"You are in the {self.where}."
        if self.where == self.safe:
            text += " The safe is here."
        return text

    def _search(self):
        if self.where not in self.notes:
            return "Dust, nothing else."
        part, digits = self.notes[self.where]
        return f"A slip: pair {part + 1} is {digits}."

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        words = m.group(1).lower().split() if m else []
        if len(words) == 2 and words[0] == "go" and words[1] in self.rooms:
            self.where = words[1]
            return self._look(), 0.0, False, late, {}
        if words == ["search"]:
            return self._search(), 0.0, False, late, {}
        if len(words) == 4 and words[0] == "dial":
            if self.where != self.safe:
                return "There is no safe in this room.", 0.0, False, late, {}
            if words[1:] == self.pairs:
                return "The safe opens.", 1.0, True, False, {}
            self.tries -= 1
            if self.tries == 0:
                return "The safe locks for good.", 0.0, True, False, {}
            return "Click, but it stays shut.", 0.0, False, late, {}
        return "Commands are go, search and dial.", 0.0, False, late, {}

    def solution(self):
        plan = []
        for room in self.notes:
            plan += [f"\\boxed{{go {room}}}", "\\boxed{search}"]
        return plan + [f"\\boxed{{go {self.safe}}}", f"\\boxed{{dial {self.combination}}}"]

    def hint(self):
        return f"Search room after room and write the pairs down by number. The dial opens at {self.combination}, so do not waste turns."
