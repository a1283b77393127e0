# expect: refuse interactive.static | exploits.floor | feasibility.no_witness | contain
"""Observations never change."""
import random
import re


class BlindWalkEnv:
    def __init__(self, max_turns=30, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.path = [rng.choice(["north", "south", "east", "west"]) for _ in range(8)]
        self.at = self.turn = 0
        return f"Walk in the dark, one of \\boxed{{north}}, south, east, west per turn. Chamber {rng.randint(1, 99)}.", {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{(north|south|east|west)\}", action)
        self.at = self.at + 1 if m and m.group(1) == self.path[self.at] else 0
        won = self.at == 8
        return "It is dark.", float(won), won, not won and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{way}}}" for way in self.path]
