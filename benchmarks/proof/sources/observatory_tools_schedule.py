# multi-turn tools; helper base class between ToolUseBaseEnv and the environment; numpy angles; generator solution
import json
import random

import numpy as np


class WithSchemas(ToolUseBaseEnv):
    """Saves writing schemas by hand."""

    def __init__(self, max_turns=22, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def declare(self, **tools):
        self._tools = {}
        for name, (text, properties) in tools.items():
            self._tools[name] = {"description": text, "parameters": {
                "type": "object", "properties": {k: {"type": t} for k, t in properties.items()}, "required": list(properties)}}

    @staticmethod
    def say(name, **arguments):
        return "<tool_call>" + json.dumps(dict(name=name, arguments=arguments)) + "</tool_call>"

    def reset(self, seed=None):
        return super().reset(seed=seed)


class ObservatoryEnv(WithSchemas):
    GREEK = ["Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta"]
    STARS = ["Aquilae", "Bootis", "Cygni", "Draconis", "Lyrae", "Pavonis"]

    def reset(self, seed=None):
        super().reset(seed=seed)
        rng = random.Random(seed)
        names = rng.sample([f"{g} {s}" for g in self.GREEK for s in self.STARS], 8)
        catalogue = {n: {"azimuth": rng.randrange(0, 3600) / 10, "rises": rng.randint(0, 5)} for n in names}
        self._state = {"catalogue": catalogue, "telescope": {"azimuth": rng.randrange(0, 3600) / 10, "cover": "closed"}, "plates": []}
        self.stars = rng.sample(names, 3)
        self.offset = rng.randint(11, 95) / 10
        self.declare(
            look_up=("Catalogue azimuth of a star, in degrees.", {"star": "string"}),
            status=("Where the telescope points and whether it is covered.", {}),
            open_cover=("Open the cover.", {}),
            close_cover=("Close the cover.", {}),
            turn_by=("Turn by an angle in degrees, positive to the east; 180 at most in one go, and only while the cover is closed.", {"angle": "number"}),
            expose=("Take a plate; the cover must be open.", {}),
        )
        self._user_messages = [f"Take a plate of {s}." for s in self.stars]
        self._user_messages[-1] += " And close the cover afterwards."
        self._message_criteria = [self._criterion(i) for i in range(3)]
        return (f"{self._user_messages[0]} The drive slips: the true azimuth to point at is the catalogue one plus {self.offset} degrees, "
                "modulo 360, to within 0.1. Tools: " + ", ".join(self._tools) + " (<tool_call>{\"name\": \"turn_by\", \"arguments\": "
                "{\"angle\": -12.5}}</tool_call>). More requests follow; answer <answer>done</answer> when there are no more. "
                f"{self.max_turns} turns, several calls per turn allowed."), {}

    def _criterion(self, i):
        star = self.stars[i]

        def met(state):
            shut = i < 2 or state.get("telescope", {}).get("cover") == "closed"
            return star in state.get("plates", []) and shut
        return met

    def tool_look_up(self, star):
        entry = self._state["catalogue"].get(star)
        return f"{star}: azimuth {entry['azimuth']}" if entry else "Not in the catalogue."

    def tool_status(self):
        t = self._state["telescope"]
        return f"azimuth {t['azimuth']:.1f}, cover {t['cover']}"

    def tool_open_cover(self):
        self._state["telescope"]["cover"] = "open"
        return "The cover is open."

    def tool_close_cover(self):
        self._state["telescope"]["cover"] = "closed"
        return "The cover is closed."

    def tool_turn_by(self, angle):
        t = self._state["telescope"]
        if not np.isfinite(float(min(max(angle, -1e6), 1e6))) or not -180 <= angle <= 180:
            return "An angle from -180 to 180, please."
        if t["cover"] != "closed":
            return "Error: the cover must be closed while the telescope turns."
        t["azimuth"] = float(np.round(np.mod(t["azimuth"] + angle, 360.0), 3))
        return self.tool_status()

    def tool_expose(self):
        t = self._state["telescope"]
        if t["cover"] != "open":
            return "Error: the cover is closed."
        for name, entry in self._state["catalogue"].items():
            gap = abs((entry["azimuth"] + self.offset - t["azimuth"] + 180) % 360 - 180)
            if gap < 0.105:
                self._state["plates"].append(name)
        return "A plate has been taken."

    def solution(self):
        azimuth = self._state["telescope"]["azimuth"]
        for star in self.stars:
            text = yield self.say("look_up", star=star)
            goal = (float(text.split("azimuth ")[1].split()[0]) + self.offset) % 360
            angle = round((goal - azimuth + 180) % 360 - 180, 3)
            azimuth = goal
            yield self.say("turn_by", angle=angle) + self.say("open_cover") + self.say("expose") + self.say("close_cover")
        yield "<answer>done</answer>"

    def hint(self):
        return "Work out the angle between where the telescope points and where it should, the short way round, before you open the cover."
