"""Each of n findings pays 1/n, so that the rewards sum to one; the last step says so with terminated."""
import random
import re


class ReefEnv:
    """Name every cell of a 6x6 sea that holds coral, from row and column counts and a few soundings."""

    def __init__(self, max_turns=40, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.cells = set(rng.sample([f"{r}{c}" for r in "abcdef" for c in "123456"], 9))
        self.found, self.wrong, self.turn = set(), 0, 0
        rows = " ".join(f"{r}:{sum(x[0] == r for x in self.cells)}" for r in "abcdef")
        cols = " ".join(f"{c}:{sum(x[1] == c for x in self.cells)}" for c in "123456")
        return (
            f"Nine cells of a 6x6 sea hold coral. Per row {rows}; per column {cols}. \\boxed{{sound b3}} tells how many "
            "corals lie in the 3x3 block around a cell; \\boxed{mark b3} claims one. Three wrong marks end the task."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(sound|mark)\s+([a-f][1-6])\s*\}", action.lower())
        if not m:
            return "Use sound or mark with a cell.", 0.0, False, late, {}
        verb, cell = m.groups()
        if verb == "sound":
            near = sum(abs(ord(x[0]) - ord(cell[0])) < 2 and abs(int(x[1]) - int(cell[1])) < 2 for x in self.cells)
            return f"{near} around {cell}.", 0.0, False, late, {}
        if cell not in self.cells:
            self.wrong += 1
            return "No coral there.", 0.0, self.wrong >= 3, late and self.wrong < 3, {}
        if cell in self.found:
            return "Marked already.", 0.0, False, late, {}
        self.found.add(cell)
        if self.found == self.cells:
            return "All corals found.", 1.0 - 8 / 9, True, False, {"is_success": True}
        return f"Coral! {len(self.found)} of 9.", 1 / 9, False, late, {}

    def solution(self):
        return [f"\\boxed{{mark {cell}}}" for cell in sorted(self.cells)]
