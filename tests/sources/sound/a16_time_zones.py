import random
import re

CITIES = ["Aldport", "Brinmouth", "Cassel", "Dunmere", "Eastvale", "Farlow"]


class TimeZonesEnv:
    """One try. After a wrong answer the episode is over, and the closing text tells what was right."""

    def __init__(self, max_turns=1):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        offsets = {c: rng.choice(range(-600, 700, 15)) for c in CITIES}
        route = rng.sample(CITIES, 5)
        clock = rng.randrange(0, 1440)
        text = [f"{c} is {abs(o)} minutes {'ahead of' if o >= 0 else 'behind'} the harbour clock." for c, o in offsets.items()]
        text.append(f"A courier leaves {route[0]} at {self._show(clock + offsets[route[0]])} local time.")
        for a, b in zip(route, route[1:]):
            ride, rest = rng.randint(35, 400), rng.randint(5, 90)
            clock += ride + rest
            text.append(f"The ride from {a} to {b} takes {ride} minutes; there the courier rests {rest} minutes.")
        self.right = self._show(clock + offsets[route[-1]])
        text.append(f"What is the local time in {route[-1]} when the last rest is over? One try: \\boxed{{HH:MM}} (24 hours).")
        return "\n".join(text), {"tries": 1}

    def _show(self, minutes):
        return "%02d:%02d" % divmod(minutes % 1440, 60)

    def step(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,2})[:.h]([0-9]{2})\s*\}", action)
        given = "%02d:%s" % (int(m.group(1)), m.group(2)) if m else "no time"
        if given == self.right:
            return "On the minute!", 1.0, True, False, {"tries": 0}
        return f"You said {given}. It would have been {self.right}.", 0.0, True, False, {"tries": 0}

    def solution(self):
        return [f"\\boxed{{{self.right}}}"]

    def hint(self):
        return "Bring the departure to the harbour clock, add all rides and rests, and only then go to the local time of the last city. Midnight may pass."
