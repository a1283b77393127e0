# expect: refuse determinism.replay
# defect: _remember(line, journal=[]) keeps one list for ever, and the journal command shows the entries of earlier episodes
import random
import re


class DuneTracksEnv:
    """Navigate dunes by wind and star bearings; note-keeping is part of the task."""

    STEP = {"n": (0, 1), "s": (0, -1), "e": (1, 0), "w": (-1, 0)}

    def __init__(self, max_turns=30, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.x = self.y = 0
        while True:
            self.well = (rng.randint(-6, 6), rng.randint(-6, 6))
            if abs(self.well[0]) + abs(self.well[1]) >= 6:
                break
        self.ridge = 3
        self.turned = rng.choice([1, 2, 3])
        bearing = self._bearing()
        return (
            "You are lost in dunes and look for a well. Your compass is wrong by a fixed number of quarter turns (unknown). "
            f"The stars say, truly: {bearing}.\nCommands: \\boxed{{n}}, \\boxed{{e}}, \\boxed{{s}}, \\boxed{{w}} walk by the compass, \\boxed{{stars}} asks "
            f"the stars again, \\boxed{{dig}} digs (two digs only), \\boxed{{journal}} shows your notes. {self.max_turns} turns."
        ), {}

    def _bearing(self):
        dx, dy = self.well[0] - self.x, self.well[1] - self.y
        return f"{abs(dx)} leagues {'east' if dx >= 0 else 'west'} and {abs(dy)} leagues {'north' if dy >= 0 else 'south'}"

    def _remember(self, line, journal=[]):
        if line:
            journal.append(line)
        return journal

    def _walk(self, letter):
        order = "nesw"
        true = order[(order.index(letter) + self.turned) % 4]
        dx, dy = self.STEP[true]
        self.x, self.y = self.x + dx, self.y + dy
        self._remember(f"walked {letter}")

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(n|e|s|w|stars|dig|journal)\s*\}", action)
        if m is None:
            return "The wind carries your words away.", 0.0, False, late, {}
        word = m.group(1)
        if word in self.STEP:
            self._walk(word)
            return "You walk a league over the sand.", 0.0, False, late, {}
        if word == "stars":
            return f"The stars say: {self._bearing()}.", 0.0, False, late, {}
        if word == "journal":
            return "Notes: " + ("; ".join(self._remember("")[-40:]) or "none yet") + ".", 0.0, False, late, {}
        if (self.x, self.y) == self.well:
            return "Water!", 1.0, True, False, {}
        self._remember("dug in vain")
        self.ridge -= 1
        if self.ridge <= 1:
            return "Only dry sand, and your shovel breaks.", 0.0, True, False, {}
        return "Only dry sand.", 0.0, False, late, {}

    def solution(self):
        moves = []
        order = "nesw"
        dx, dy = self.well[0] - self.x, self.well[1] - self.y
        for true, count in (("e" if dx > 0 else "w", abs(dx)), ("n" if dy > 0 else "s", abs(dy))):
            moves += [order[(order.index(true) - self.turned) % 4]] * count
        return [f"\\boxed{{{c}}}" for c in moves + ["dig"]]
