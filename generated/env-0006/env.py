"""Folded card: fold a card so that a few punches through all layers make exactly the holes that were ordered."""

import random
import re
from itertools import zip_longest

SIDES = {"left": "L", "right": "R", "top": "T", "bottom": "B"}
PUNCHES = 3
STIFF = 3


def turned(packet):
    """The packet with rows and columns exchanged."""
    return [list(column) for column in zip(*packet)]


def folded(packet, side, count):
    """The packet after its first ``count`` columns or rows from ``side`` are turned over onto the rest.

    A packet is a list of rows; a cell of it holds the cells of the card that lie there, one above the other.
    """
    if side in ("top", "bottom"):
        return turned(folded(turned(packet), "left" if side == "top" else "right", count))
    if side == "right":
        return [row[::-1] for row in folded([row[::-1] for row in packet], "left", count)]
    return [[a + b for a, b in zip_longest(row[count:], row[:count][::-1], fillvalue=())] for row in packet]


class FoldedCardEnv:
    """Trains mental folding: reflection, layers, and planning backwards from a pattern.

    A card is shown with the holes that it shall have. There are far fewer punches than holes, so each punch has to go
    through several layers, and nothing of the folded packet is ever shown but its size. The agent must see which holes
    are mirror images of each other, choose creases, keep track of where every cell of the card has come to lie, also
    when a flap is longer than what it is turned onto, and must undo creases between punches.
    """

    def __init__(self, max_turns=40, **kwargs):
        self.max_turns = max_turns
        self.reset()

    # ---------------------------------------------------------------- instances

    def _flat(self):
        return [[((row, column),) for column in range(self.columns)] for row in range(self.rows)]

    @staticmethod
    def _size(packet, side):
        return len(packet) if side in ("top", "bottom") else len(packet[0])

    def _draw(self, rng):
        """Fold and punch at random; the holes become the order. Returns whether the order asks for enough."""
        self.rows, self.columns = rng.randint(5, 7), rng.randint(6, 8)
        self.order, self.plan = set(), []
        stacks, creases = [self._flat()], []
        for _ in range(PUNCHES):
            keep = rng.randint(0, min(1, len(creases)))
            self.plan += ["unfold"] * (len(creases) - keep)
            stacks, creases = stacks[: keep + 1], creases[:keep]
            while len(creases) < rng.randint(2, STIFF):
                packet = stacks[-1]
                side = rng.choice([side for side in SIDES if self._size(packet, side) > 2])
                count = rng.randint(1, self._size(packet, side) - 1)
                creases.append((side, count))
                stacks.append(folded(packet, side, count))
                self.plan.append(f"fold {side} {count}")
            packet = stacks[-1]
            free = [
                (row, column)
                for row, line in enumerate(packet) for column, cell in enumerate(line)
                if len(cell) >= 3 and not self.order & set(cell)
            ]
            if not free:
                return False
            row, column = rng.choice(free)
            self.order |= set(packet[row][column])
            self.plan.append(f"punch {row + 1} {column + 1}")
        return 11 <= len(self.order) <= 18

    def reset(self, seed=None):
        rng = random.Random(seed)
        while not self._draw(rng):
            pass
        self.cards = 2
        self.turn = 0
        self.outcome = None
        self._fresh_card()
        return self._describe() + "\n\n" + self._state(), {}

    def _fresh_card(self):
        self.holes, self.punches = set(), PUNCHES
        self.stacks = [self._flat()]

    # ---------------------------------------------------------------- text

    def _describe(self):
        rows = "\n".join(
            f"{row + 1}  " + " ".join("o" if (row, column) in self.order else "." for column in range(self.columns))
            for row in range(self.rows)
        )
        return (
            f"A card of {self.rows} rows and {self.columns} columns shall get holes just where this order has an o:\n\n"
            f"   {' '.join(str(column + 1) for column in range(self.columns))}\n{rows}\n\n"
            f"You have {PUNCHES} punches for it; a punch goes through all layers that lie under it. So fold first. "
            "One command per turn, in a box:\n"
            "  \\boxed{fold left 2}  turn the 2 leftmost columns over onto the rest; the crease is then the left edge\n"
            "  \\boxed{fold right 2}  the same with the 2 rightmost columns; the crease is then the right edge\n"
            "  \\boxed{fold top 1}, \\boxed{fold bottom 1}  the same with rows\n"
            f"  \\boxed{{unfold}}  undo the latest fold. The card is stiff: at most {STIFF} folds at the same time\n"
            "  \\boxed{feel 1 2}  count the layers at row 1, column 2 of the packet as it lies\n"
            "  \\boxed{punch 1 2}  punch there\n"
            "A flap may be longer than what it is turned onto, and then reaches beyond it. Rows and columns of the "
            "packet are always counted anew from its top left corner. Punching where there is a hole already does no "
            "harm, but uses a punch. A hole where the order has none spoils the card, and so does running out of "
            f"punches; you have {self.cards} cards. The job is done as soon as a card has all holes of the order. "
            f"You have {self.max_turns} turns."
        )

    def _state(self):
        packet = self.stacks[-1]
        return (
            f"Packet: {len(packet)} rows, {len(packet[0])} columns, {len(self.stacks) - 1} folds. "
            f"Punches left: {self.punches}. Cards left, with this one: {self.cards}. "
            f"Turn {self.turn} of {self.max_turns}."
        )

    # ---------------------------------------------------------------- play

    def _punch(self, cell):
        self.holes |= set(cell)
        self.punches -= 1
        text = f"The punch goes through {len(cell)} layers."
        if self.holes == self.order:
            self.outcome = "won"
            return text + " Unfolded, the card has exactly the holes that were ordered. Well done!"
        wrong = len(self.holes - self.order)
        if not wrong and self.punches:
            return text + " All of its holes are in the order."
        self.cards -= 1
        why = "A hole is where none was ordered." if wrong else "Holes are missing and no punch is left."
        if not self.cards:
            self.outcome = "lost"
            return f"{text} {why} That was the last card."
        self._fresh_card()
        return f"{text} {why} The card is thrown away; a new one lies before you, flat."

    def _obey(self, action):
        """Carry one command out; returns the sentence to show."""
        boxes = re.findall(r"\\boxed\{([^{}]*)\}", action)
        words = boxes[-1].lower().split() if boxes else []
        numbers = [int(word) for word in words if re.fullmatch(r"[0-9]{1,2}", word)]
        packet = self.stacks[-1]
        if words == ["unfold"]:
            if len(self.stacks) == 1:
                return "The card is flat already."
            self.stacks.pop()
            return "You undo the latest fold."
        if len(words) == 3 and words[0] == "fold" and words[1] in SIDES and len(numbers) == 1:
            side, count = words[1], numbers[0]
            if len(self.stacks) > STIFF:
                return "The packet is too stiff for another fold."
            if not 1 <= count < self._size(packet, side):
                return "A fold needs at least one row or column on either side of the crease."
            self.stacks.append(folded(packet, side, count))
            return f"You fold {side} {count}."
        if len(words) == 3 and words[0] in ("feel", "punch") and len(numbers) == 2:
            row, column = numbers
            if not (1 <= row <= len(packet) and 1 <= column <= len(packet[0])):
                return "That is beside the packet."
            cell = packet[row - 1][column - 1]
            return self._punch(cell) if words[0] == "punch" else f"You feel {len(cell)} layers there."
        return "That is no command. Use fold SIDE COUNT, unfold, feel ROW COLUMN or punch ROW COLUMN, in a box."

    def step(self, action):
        if self.outcome is not None:
            return "The episode is over.", 0.0, True, False, {}
        self.turn += 1
        text = self._obey(str(action))
        if self.outcome is not None:
            return text, 1.0 if self.outcome == "won" else 0.0, True, False, {}
        return f"{text}\n{self._state()}", 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        """The folds and punches that the order was made with."""
        return [f"\\boxed{{{command}}}" for command in self.plan]

    def hint(self):
        return (
            "Think backwards from the order. A crease between two neighbouring columns lays cells on each other that "
            "are equally far from it, so the two columns of such a pair have an odd difference; rows likewise. Two "
            "creases, one upright and one across, join the corners of a rectangle; a third crease doubles that again, "
            "and cells beyond the end of a flap have fewer layers. Split the holes into as many such families as there "
            "are punches, largest first. For each family name the creases, fold, and write down the whole packet, cell "
            "by cell, before you punch; feel a cell if in doubt. Then undo folds and go on."
        )

    def close(self):
        pass
