import random
import re

_CMD = re.compile(r"\\boxed\{\s*(heat|vent|wait|lock)\s*(\d{1,2})?\s*\}", re.IGNORECASE | re.ASCII)


class FurnaceEnv:
    """Hold a furnace with unknown gain and loss at a target temperature for three readings, then lock it.

    Dynamics: T <- T + gain*units - loss*(T - 20)/10, rounded. gain and loss are hidden and constant.
    """

    BAND = 8

    def __init__(self, max_turns=25, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.gain = rng.randint(7, 15)
        self.loss = rng.randint(1, 3)
        self.target = rng.randint(380, 620)
        self.temp = 20
        self.streak = 0
        self.turn = 0
        self.status = "running"
        return (
            f"Control panel of a furnace. Target: {self.target} degrees, tolerance {self.BAND}.\n"
            "Commands, one per turn:\n"
            "  \\boxed{heat N}   burn N units of fuel, N from 0 to 30\n"
            "  \\boxed{vent N}   open the flap by N, N from 1 to 9: cools by 10 N\n"
            "  \\boxed{wait}     do nothing\n"
            "  \\boxed{lock}     finish; allowed only after three readings in a row inside the tolerance, else the furnace is lost\n"
            "It loses heat by itself: a fixed share of its distance from the room temperature of 20. Neither the share nor the "
            f"effect of a unit of fuel is known. Above 900 degrees it melts. Turns: {self.max_turns}.\nReading: {self.temp}"
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = _CMD.search(action)
        if not m or (m.group(1).lower() in ("heat", "vent")) != bool(m.group(2)):
            return "Unknown command. Reading: " + str(self.temp), -0.02, False, late, self._stats()
        verb, n = m.group(1).lower(), int(m.group(2) or 0)
        if verb == "lock":
            if self.streak >= 3:
                self.status = "locked"
                return "Locked at the target. Shift over!", 1.0, True, False, self._stats()
            self.status = "lost"
            return "You locked an unstable furnace.", -1.0, True, False, self._stats()
        if (verb == "heat" and n > 30) or (verb == "vent" and not 1 <= n <= 9):
            return f"Out of range. Reading: {self.temp}", -0.02, False, late, self._stats()
        drop = round(self.loss * (self.temp - 20) / 10)
        self.temp += (self.gain * n if verb == "heat" else 0) - (10 * n if verb == "vent" else 0) - drop
        if self.temp > 900:
            self.status = "melted"
            return "The lining melts.", -1.0, True, False, self._stats()
        inside = abs(self.temp - self.target) <= self.BAND
        self.streak = self.streak + 1 if inside else 0
        return f"Reading: {self.temp}. In tolerance for {self.streak} reading(s).", 0.0, False, late, self._stats()

    def _stats(self):
        return {"turn": self.turn, "streak": self.streak, "status": self.status}

    def solution(self):
        reading = lambda text: int(re.search(r"Reading: (-?\d+)", text).group(1))
        text = yield "\\boxed{heat 10}"
        gain = (reading(text) - 20) / 10
        before = reading(text)
        text = yield "\\boxed{wait}"
        loss = round((before - reading(text)) * 10 / (before - 20))
        while "for 3" not in text:
            now = reading(text)
            expected = now - round(loss * (now - 20) / 10)
            need = self.target - expected
            if need >= 0:
                units = min(30, round(need / gain))
                text = yield f"\\boxed{{heat {units}}}"
            else:
                text = yield f"\\boxed{{vent {max(1, min(9, round(-need / 10)))}}}"
        yield "\\boxed{lock}"

    def hint(self):
        return "Spend two turns on measuring: one burn from cold shows the gain, one idle turn the loss. Then aim straight at the target."
