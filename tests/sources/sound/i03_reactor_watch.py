import random
import re


class ReactorWatchEnv:
    """Keep a temperature inside a narrow band for twelve ticks. Each survived tick pays a twelfth; the last ends it."""

    TICKS = 12
    MOVES = {"rods in": -14, "rods half": -6, "hold": 0, "rods out": 11, "flare": 23}

    def __init__(self, max_turns=16):
        self.max_turns = max_turns
        self.reset()

    def _safe(self, temperature):
        return 290 <= temperature <= 310

    def _plan(self, temperature, tick, fuel):
        """Depth first over the five moves; None when the drift cannot be answered."""
        if tick == self.TICKS:
            return []
        for name, change in self.MOVES.items():
            cost = 2 if name == "flare" else 0
            after = temperature + change + self.drift[tick]
            if cost <= fuel and self._safe(after):
                rest = self._plan(after, tick + 1, fuel - cost)
                if rest is not None:
                    return [name] + rest
        return None

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.start = rng.randint(293, 307)
            self.drift = [rng.choice([-21, -12, -9, -4, 3, 7, 12, 16]) + rng.randint(-1, 1) for _ in range(self.TICKS)]
            self.plan = self._plan(self.start, 0, 6)
            if self.plan is not None:
                break
        self.temperature, self.fuel, self.tick, self.turn = self.start, 6, 0, 0
        return (
            "You watch a small reactor. It must stay between 290 and 310 degrees for twelve ticks; outside, it scrams and you are relieved. "
            "In every tick your command and the drift are added up. Commands: " + ", ".join(f"\\boxed{{{n}}} ({c:+d})" for n, c in self.MOVES.items())
            + ". A flare burns 2 of your 6 units of fuel. Only the drifts of the next three ticks are forecast.\n" + self._panel()
        ), {"tick": 0}

    def _panel(self):
        ahead = ", ".join(f"{d:+d}" for d in self.drift[self.tick:self.tick + 3])
        return f"Tick {self.tick + 1}: {self.temperature} degrees, fuel {self.fuel}, forecast drift {ahead}."

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.fullmatch(r"\\boxed\{\s*([a-z ]+?)\s*\}", action.lower())
        name = m.group(1) if m else ""
        if name not in self.MOVES or self.tick >= self.TICKS:
            return "No such command. " + self._panel(), 0.0, False, late, {"tick": self.tick}
        if name == "flare" and self.fuel < 2:
            return "No fuel for a flare. " + self._panel(), 0.0, False, late, {"tick": self.tick}
        self.fuel -= 2 if name == "flare" else 0
        self.temperature += self.MOVES[name] + self.drift[self.tick]
        self.tick += 1
        if not self._safe(self.temperature):
            return f"{self.temperature} degrees: the reactor scrams.", 0.0, True, False, {"tick": self.tick}
        if self.tick == self.TICKS:
            return "Your watch is over, everything is quiet.", 1 / self.TICKS, True, False, {"tick": self.tick}
        return self._panel(), 1 / self.TICKS, False, late, {"tick": self.tick}

    def solution(self):
        return [f"\\boxed{{{name}}}" for name in self.plan]
