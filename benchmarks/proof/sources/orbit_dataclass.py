# dataclass state with dunder methods (__add__), integer physics; interactive control
import random
import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Vec:
    x: int
    y: int

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __str__(self):
        return f"({self.x}, {self.y})"


def plan_axis(distance, velocity, turns):
    """Thrusts in [-2, 2] that end at distance 0 with velocity 0 after exactly this many turns, or None."""
    frontier = {(distance, velocity): ()}
    for left in range(turns, 0, -1):
        following = {}
        for (d, v), done in frontier.items():
            for a in (-2, -1, 0, 1, 2):
                w = v + a
                e = d - w
                if abs(w) <= 2 * (left - 1) and abs(w) <= 9 and abs(e) <= 9 * left and (e, w) not in following:
                    following[(e, w)] = done + (a,)
        frontier = following
    return frontier.get((0, 0))


class DockingEnv:
    """Dock with a station: the right place and no speed at all."""

    def __init__(self, max_turns=30):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.ship = Vec(rng.randint(-40, 40), rng.randint(-40, 40))
        self.speed = Vec(rng.randint(-4, 4), rng.randint(-4, 4))
        angle = Vec(rng.choice([-1, 1]) * rng.randint(12, 40), rng.choice([-1, 1]) * rng.randint(12, 40))
        self.station = self.ship + angle
        self.wind = Vec(rng.choice([-1, 0, 1]), rng.choice([-1, 0, 1]))
        return (
            f"The station is at {self.station}. Every turn has three stages: your thrust is added to the speed; the speed is added "
            f"to the position; the pull of a moon adds {self.wind} to the speed. You dock if you are at the station with speed "
            "(0, 0) after the second stage of a turn. \\boxed{1 -2} thrusts; both numbers from -2 to 2. A speed beyond 14 on an axis "
            f"breaks the ship. {self.max_turns} turns.\n" + self._view()
        ), {}

    def _view(self):
        return f"Position {self.ship}, speed {self.speed}."

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*([-+]?[0-9])[\s,]+([-+]?[0-9])\s*\}", action)
        thrust = Vec(int(m.group(1)), int(m.group(2))) if m else None
        if thrust is None or max(abs(thrust.x), abs(thrust.y)) > 2:
            thrust, note = Vec(0, 0), "No valid thrust (as in \\boxed{1 -2}), the ship drifts. "
        else:
            note = ""
        self.speed = self.speed + thrust
        self.ship = self.ship + self.speed
        if self.ship == self.station and self.speed == Vec(0, 0):
            return "Docked.", 1.0, True, False, {"turn": self.turn}
        self.speed = self.speed + self.wind
        if max(abs(self.speed.x), abs(self.speed.y)) > 14:
            return "The hull breaks.", 0.0, True, False, {"turn": self.turn}
        return note + self._view(), 0.0, False, late, {"turn": self.turn}

    def solution(self):
        gap = self.station - self.ship
        for turns in range(8, 29):
            axes = []
            for d, v, w in ((gap.x, self.speed.x, self.wind.x), (gap.y, self.speed.y, self.wind.y)):
                axes.append(self._axis(d, v, w, turns))
            if all(a is not None for a in axes):
                return [f"\\boxed{{{x} {y}}}" for x, y in zip(*axes)]
        return []

    @staticmethod
    def _axis(distance, velocity, wind, turns):
        states = {(distance, velocity): ()}
        for left in range(turns, 0, -1):
            after = {}
            for (d, v), done in states.items():
                for a in (0, -1, 1, -2, 2):
                    w = v + a
                    carry = w + wind if left > 1 else w
                    if abs(w) <= 10 and abs(d - w) <= 8 * left and (d - w, carry) not in after:
                        after[(d - w, carry)] = done + (a,)
            states = after
        return states.get((0, 0))

    def hint(self):
        return "Treat the axes separately; count the moon's pull as part of each thrust and begin to brake halfway."
