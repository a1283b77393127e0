from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from enum import Enum


class Heading(Enum):
    N = (-1, 0)
    E = (0, 1)
    S = (1, 0)
    W = (0, -1)

    def turned(self, by: int) -> "Heading":
        order = list(Heading)
        return order[(order.index(self) + by) % 4]


@dataclass
class Robot:
    row: int
    col: int
    heading: Heading
    carried: list = field(default_factory=list)

    def ahead(self):
        return self.row + self.heading.value[0], self.col + self.heading.value[1]


class BoxedCommands:
    """Helper base: reads the box, counts turns, hands the command to ``obey``."""

    max_turns = 60

    def step(self, action: str):
        self.turn += 1
        text = action[7:-1] if action.startswith("\\boxed{") and action.endswith("}") else action
        said, reward, over = self.obey(text.strip().upper())
        return said, reward, over, not over and self.turn >= self.max_turns, {"turn": self.turn}


class ShelfRobotEnv(BoxedCommands):
    """Collect four coloured boxes in the order of the slip; picking out of order ends the shift."""

    H, W = 6, 7

    def __init__(self, max_turns: int = 60):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        cells = [(r, c) for r in range(self.H) for c in range(self.W)]
        while True:
            spots = rng.sample(cells, 5 + 7)
            self.boxes = dict(zip(spots[:4], rng.sample("RGBYV", 4)))
            self.robot = Robot(*spots[4], rng.choice(list(Heading)))
            self.racks = set(spots[5:])
            self.slip = rng.sample(sorted(self.boxes.values()), 4)
            self.plan = self._plan()
            if self.plan and len(self.plan) <= 46:
                break
        self.turn = 0
        return (
            f"Warehouse robot. Collect the boxes in this order: {', '.join(self.slip)}. Commands: \\boxed{{F}} forward, \\boxed{{L}} and \\boxed{{R}} turn, "
            f"\\boxed{{PICK}} lifts the box under the robot. A box out of order ends the shift, each right one pays 0.25. {self.max_turns} turns.\n" + self._map()
        ), {"turn": 0}

    def _map(self):
        icon = {Heading.N: "^", Heading.E: ">", Heading.S: "v", Heading.W: "<"}[self.robot.heading]
        rows = []
        for r in range(self.H):
            rows.append("".join(icon if (r, c) == (self.robot.row, self.robot.col) else "#" if (r, c) in self.racks
                                else self.boxes.get((r, c), ".") for c in range(self.W)))
        under = self.boxes.get((self.robot.row, self.robot.col))
        return "\n".join(rows) + (f"\nUnder the robot: box {under}." if under else "")

    def _free(self, cell):
        return 0 <= cell[0] < self.H and 0 <= cell[1] < self.W and cell not in self.racks

    def _plan(self):
        where = {colour: cell for cell, colour in self.boxes.items()}
        at, out = (self.robot.row, self.robot.col, self.robot.heading), []
        for colour in self.slip:
            todo, prev, end = deque([at]), {at: None}, None
            while todo and end is None:
                s = todo.popleft()
                if s[:2] == where[colour]:
                    end = s
                    break
                bot = Robot(*s)
                for key, nxt in (("F", (*bot.ahead(), s[2])), ("L", (s[0], s[1], s[2].turned(-1))), ("R", (s[0], s[1], s[2].turned(1)))):
                    if nxt not in prev and self._free(nxt[:2]):
                        prev[nxt] = (s, key)
                        todo.append(nxt)
            if end is None:
                return None
            leg, s = [], end
            while prev[s]:
                s, key = prev[s]
                leg.append(key)
            out += leg[::-1] + ["PICK"]
            at = end
        return out

    def obey(self, command):
        bot = self.robot
        if command in ("L", "R"):
            bot.heading = bot.heading.turned(1 if command == "R" else -1)
        elif command == "F" and self._free(bot.ahead()):
            bot.row, bot.col = bot.ahead()
        elif command == "PICK" and (bot.row, bot.col) in self.boxes:
            colour = self.boxes.pop((bot.row, bot.col))
            if colour != self.slip[len(bot.carried)]:
                return f"Box {colour} was not due. The shift is over.", 0.0, True
            bot.carried.append(colour)
            return ("All boxes are aboard." if len(bot.carried) == 4 else "Lifted.\n" + self._map()), 0.25, len(bot.carried) == 4
        else:
            return "The robot beeps and stays.\n" + self._map(), 0.0, False
        return self._map(), 0.0, False

    def solution(self):
        return ["\\boxed{" + key + "}" for key in self.plan]

    def hint(self):
        return "A turn costs as much as a step, so plan legs with few corners. Walking over a box without lifting it is fine."
