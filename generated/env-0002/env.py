"""Organ console: find out which stop moves which gauge, then bring all gauges to their marks."""

import random
import re

STOPS = "ABCDEF"
SIZE = 9
GAUGES = 5
SHOWN = 3


class OrganConsoleEnv:
    """Trains causal inference by intervention.

    Six stops move five wind gauges that count round a dial. Each stop moves two gauges directly; a leak carries
    some movement on from one gauge to another; and one stop only works while a certain gauge stands high. None of
    this is told. Two gauges are covered and cost a turn to read. The agent can hold a gauge fixed during one pull
    to tell a direct effect from a carried one, has to separate cause from side effect with few experiments, and
    must then plan a sequence that brings every gauge to its mark and seal it.
    """

    def __init__(self, max_turns=40, **kwargs):
        self.max_turns = max_turns
        self.reset()

    # ---------------------------------------------------------------- the hidden machine

    def _build(self, rng):
        self.effect = {}
        for stop in STOPS:
            first, second = rng.sample(range(GAUGES), 2)
            self.effect[stop] = {first: rng.randint(1, 4), second: rng.randint(5, SIZE - 1)}
        self.leak_from, self.leak_to = rng.sample(range(GAUGES), 2)
        self.leak_by = rng.randint(1, SIZE - 1)
        self.gated = rng.choice(STOPS)
        self.gate = rng.choice([gauge for gauge in range(SHOWN) if gauge not in self.effect[self.gated]] or [0])
        self.start = [rng.randrange(SIZE) for _ in range(GAUGES)]

    def _pulled(self, gauges, stop, held=None):
        """Gauges after a pull: direct effects first, then the leak if its source moved."""
        if stop == self.gated and gauges[self.gate] < 4:
            return list(gauges)
        after = list(gauges)
        for gauge, change in self.effect[stop].items():
            if gauge != held:
                after[gauge] = (after[gauge] + change) % SIZE
        if after[self.leak_from] != gauges[self.leak_from] and self.leak_to != held:
            after[self.leak_to] = (after[self.leak_to] + self.leak_by) % SIZE
        return after

    def _plan(self, rng):
        """A walk of 7 or 8 pulls with at least four different stops; its end becomes the target."""
        gauges, walk = list(self.start), []
        for _ in range(rng.randint(7, 8)):
            live = [stop for stop in STOPS if self._pulled(gauges, stop) != gauges]
            stop = rng.choice(live)
            gauges = self._pulled(gauges, stop)
            walk.append(stop)
        return walk, gauges

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self._build(rng)
            self.walk, self.target = self._plan(rng)
            apart = sum(a != b for a, b in zip(self.start, self.target))
            touched = {gauge for effects in self.effect.values() for gauge in effects}
            if apart >= 4 and len(touched) == GAUGES and len(set(self.walk)) >= 4 and self.gated in self.walk:
                break
        self.gauges = list(self.start)
        self.held = None
        self.seals = 2
        self.turn = 0
        self.outcome = None
        return self._intro() + "\n\n" + self._state(), {}

    # ---------------------------------------------------------------- text

    def _intro(self):
        marks = ", ".join(f"g{index + 1}={value}" for index, value in enumerate(self.target))
        return (
            f"You stand at an old organ console with six stops ({', '.join(STOPS)}) and five wind gauges g1..g5. "
            f"Every gauge counts 0..{SIZE - 1} and wraps round. Nobody wrote down what the stops do. Known is only this:\n"
            "- each stop adds a fixed amount to two gauges; the amounts never change;\n"
            "- there is one leak: whenever a certain gauge moves in a pull, a certain other gauge gets an extra push;\n"
            "- one stop does nothing while a certain gauge (one of g1..g3) stands below 4.\n"
            "g4 and g5 are covered: you see them only by reading them.\n\n"
            f"Goal: all five gauges at their marks ({marks}), then seal the console.\n\n"
            "One command per turn, in a box:\n"
            "  \\boxed{PULL A}   pull a stop\n"
            "  \\boxed{READ g4}  read a covered gauge\n"
            "  \\boxed{HOLD g2}  keep a gauge from moving during your next pull\n"
            "  \\boxed{SEAL}     finish; a seal with any gauge off its mark fails, and the second failure ends it\n"
            f"You have {self.max_turns} turns."
        )

    def _state(self):
        shown = "  ".join(f"g{index + 1}={self.gauges[index]}" for index in range(SHOWN))
        held = f" Held for the next pull: g{self.held + 1}." if self.held is not None else ""
        return (
            f"Gauges: {shown}  g4=?  g5=?.{held} "
            f"Turn {self.turn} of {self.max_turns}, seals left: {self.seals}."
        )

    # ---------------------------------------------------------------- play

    def _gauge(self, word):
        match = re.fullmatch(r"[gG]?([1-5])", word, re.ASCII)
        return int(match.group(1)) - 1 if match else None

    def _obey(self, action):
        """Carry one command out; returns the sentence to show."""
        match = re.search(r"\\boxed\{([^{}]*)\}", action)
        words = match.group(1).upper().split() if match else []
        if not words:
            return "No boxed command found. For example: \\boxed{PULL A}."
        verb, rest = words[0], words[1:]
        if verb == "SEAL" and not rest:
            if self.gauges == self.target:
                self.outcome = "won"
                return "Every gauge stands at its mark. The console is sealed. Well done!"
            self.seals -= 1
            if self.seals <= 0:
                self.outcome = "lost"
                return "The seal breaks a second time. The console is ruined."
            return "The seal breaks: at least one gauge is off its mark."
        if verb == "PULL" and len(rest) == 1 and rest[0] in self.effect:
            before = self.gauges
            self.gauges = self._pulled(before, rest[0], self.held)
            self.held = None
            moved = [
                f"g{index + 1} {before[index]} -> {self.gauges[index]}"
                for index in range(SHOWN)
                if before[index] != self.gauges[index]
            ]
            return f"You pull {rest[0]}. Seen: {', '.join(moved) if moved else 'no open gauge moves'}."
        gauge = self._gauge(rest[0]) if len(rest) == 1 else None
        if verb == "READ" and gauge is not None:
            return f"g{gauge + 1} reads {self.gauges[gauge]}."
        if verb == "HOLD" and gauge is not None:
            self.held = gauge
            return f"g{gauge + 1} will not move in your next pull."
        return "That is no command. Use PULL <stop>, READ <gauge>, HOLD <gauge> or SEAL."

    def step(self, action):
        if self.outcome is not None:
            return "The episode is over.", 0.0, True, False, {}
        self.turn += 1
        text = self._obey(str(action))
        if self.outcome == "won":
            return text, 1.0, True, False, {}
        if self.outcome == "lost":
            return text, 0.0, True, False, {}
        return text + "\n" + self._state(), 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        """The walk that produced the marks, then the seal."""
        return [f"\\boxed{{PULL {stop}}}" for stop in self.walk] + ["\\boxed{SEAL}"]

    def hint(self):
        return (
            "Spend about half of the turns on experiments. Read g4 and g5 once at the start, then pull each stop once "
            "and note what every gauge did; read the covered ones again only where the open gauges leave a doubt. "
            "If a gauge gets the same extra push with several stops, it is fed by the leak: hold the suspected source "
            "and pull again to be sure. A stop that seems dead may work once some open gauge stands at 4 or more. "
            "Amounts add up modulo the dial size and, apart from the leak, the order of pulls does not matter, so "
            "solve for how often each stop is needed. Read both covered gauges before SEAL."
        )

    def close(self):
        pass
