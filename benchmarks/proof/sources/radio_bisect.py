# bisect / binary search as a generator solution; nested state dict; partial rewards 1/4 + 1/4 + 1/2
import random
import re


class ShortwaveEnv:
    """Tune in to three hidden stations, one after another."""

    SHARES = (0.25, 0.25, 0.5)

    def __init__(self, max_turns=54):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.state = {"dial": {"low": 1000, "high": 9999}, "stations": [], "found": 0}
        for _ in self.SHARES:
            self.state["stations"].append(
                {
                    "khz": rng.randint(1000, 9999),
                    "call": "".join(rng.choices("BDKLMQRXZ", k=3)),
                    "tone": {"mirrored": rng.random() < 0.5},
                }
            )
        first = self.state["stations"][0]
        return (
            "Find three stations between 1000 and 9999 kHz, in order. \\boxed{4321} tunes to 4321 kHz. Off the mark you hear a "
            "whistle, high or low. Which of both means 'above the station' may differ from station to station, but not for one "
            f"station. First: {first['call']}. You have {self.max_turns} turns."
        ), {"stations": [s["call"] for s in self.state["stations"]]}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.fullmatch(r"\\boxed\{\s*([0-9]{4})(?:\s*kHz)?\s*\}", action.strip())
        if not m or int(m.group(1)) < self.state["dial"]["low"]:
            return "The dial goes from 1000 to 9999, as in \\boxed{4321}.", 0.0, False, late, {}
        k, number = int(m.group(1)), self.state["found"]
        station = self.state["stations"][number]
        if k == station["khz"]:
            self.state["found"] += 1
            if self.state["found"] == 3:
                return f"This is {station['call']}. Well tuned!", self.SHARES[number], True, False, {"found": 3}
            then = self.state["stations"][number + 1]["call"]
            return f"This is {station['call']}. Next: {then}.", self.SHARES[number], False, late, {"found": number + 1}
        high = (k > station["khz"]) != station["tone"]["mirrored"]
        return f"A {'high' if high else 'low'} whistle.", 0.0, False, late, {"found": number}

    def solution(self):
        text, found = "", 0
        while found < 3:
            # the lowest frequency is never above a station: it tells which whistle means "below"
            text = yield "\\boxed{1000}"
            if "This is" in text:
                found += 1
                continue
            below = "high" if "high" in text else "low"
            low, high = 1001, 9999
            while True:
                middle = (low + high) // 2
                text = yield f"\\boxed{{{middle}}}"
                if "This is" in text:
                    found += 1
                    break
                if below in text:
                    low = middle + 1
                else:
                    high = middle - 1

    def hint(self):
        return "An extreme frequency tells what the whistle means for this station; then halve the interval each time."
