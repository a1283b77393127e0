# expect: refuse robustness.hangs
# defect: the rink wraps round, and a stone pushed along a line without any rock slides for ever: step never returns.
"""Curling on a ring-shaped rink: slide until a rock stops you."""
import random
import re
from collections import deque
from typing import Dict, List, Optional, Tuple

Cell = Tuple[int, int]
PUSHES: Dict[str, Cell] = {"LEFT": (-1, 0), "RIGHT": (1, 0), "UP": (0, -1), "DOWN": (0, 1)}


class CurlingTorusEnv:
    WIDTH, HEIGHT = 8, 8

    def __init__(self, max_turns: int = 18):
        self.max_turns = max_turns
        self.rocks: set = set()
        self.stone: Cell = (0, 0)
        self.goal: Cell = (0, 0)
        self.turn = 0
        self.reset()

    def reset(self, seed: Optional[int] = None) -> Tuple[str, dict]:
        rng = random.Random(seed)
        self.turn = 0
        cells = [(x, y) for x in range(self.WIDTH) for y in range(self.HEIGHT)]
        while True:
            chosen = rng.sample(cells, 10)
            self.stone, self.rocks = chosen[0], set(chosen[1:])
            reached = self._explore()
            deep = [cell for cell, way in reached.items() if 4 <= len(way) <= 9]
            if deep:
                break
        self.goal = rng.choice(sorted(deep))
        self.way = reached[self.goal]
        return self._intro() + "\n" + self._board(), {}

    def _blocked(self, cell: Cell, push: str) -> bool:
        """Whether anything lies in the line of the push."""
        x, y = cell
        if push in ("LEFT", "RIGHT"):
            return any(rock[1] == y for rock in self.rocks)
        return any(rock[0] == x for rock in self.rocks)

    def _slide(self, cell: Cell, push: str) -> Cell:
        dx, dy = PUSHES[push]
        while True:
            ahead = ((cell[0] + dx) % self.WIDTH, (cell[1] + dy) % self.HEIGHT)
            if ahead in self.rocks:
                return cell
            cell = ahead

    def _explore(self) -> Dict[Cell, List[str]]:
        reached, queue = {self.stone: []}, deque([self.stone])
        while queue:
            cell = queue.popleft()
            for push in PUSHES:
                if not self._blocked(cell, push):
                    continue
                after = self._slide(cell, push)
                if after not in reached:
                    reached[after] = reached[cell] + [push]
                    queue.append(after)
        return reached

    def _intro(self) -> str:
        return (
            "A curling stone (S) lies on a rink with rocks (#) and a mark (X). Pushed, it slides until the next square "
            "holds a rock; the edges are joined, left with right and top with bottom. Make it stop on the mark.\n"
            "Push with \\boxed{LEFT}, \\boxed{RIGHT}, \\boxed{UP} or \\boxed{DOWN}. "
            f"You have {self.max_turns} pushes."
        )

    def _board(self) -> str:
        rows = []
        for y in range(self.HEIGHT):
            row = ""
            for x in range(self.WIDTH):
                cell = (x, y)
                row += "S" if cell == self.stone else "#" if cell in self.rocks else "X" if cell == self.goal else "."
            rows.append(row)
        return "\n".join(rows)

    def step(self, action: str) -> Tuple[str, float, bool, bool, dict]:
        self.turn += 1
        late = self.turn >= self.max_turns
        match = re.search(r"\\boxed\{\s*(\w+)\s*\}", action)
        push = match.group(1).upper() if match else ""
        if push not in PUSHES:
            return "Push LEFT, RIGHT, UP or DOWN.\n" + self._board(), 0.0, False, late, {}
        self.stone = self._slide(self.stone, push)
        if self.stone == self.goal:
            return self._board() + "\nIt stops on the mark!", 1.0, True, False, {}
        return self._board(), 0.0, False, late, {}

    def solution(self) -> List[str]:
        return [f"\\boxed{{{push}}}" for push in self.way]

    def hint(self) -> str:
        return "Look from the mark outwards: beside which rocks would the stone stop there, and from which lines?"
