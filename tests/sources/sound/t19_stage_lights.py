import random

SCENES = ["dawn", "storm", "market", "feast", "funeral"]
COLOURS = ["amber", "blue", "rose", "white"]


class StageLightsEnv(ToolUseBaseEnv):
    """_expected_answer stays None; messages and criteria decide alone."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self._expected_answer = None
        lamps = rng.sample([f"lamp-{c}{n}" for c in "abc" for n in range(10, 40)], 7)
        self._state = {
            "lamps": {name: {"place": rng.choice(["left", "right", "back"]), "watt": rng.choice([300, 500, 650, 1000]), "level": 0, "colour": "white"} for name in lamps},
            "cues": {},
        }
        places = [v["place"] for v in self._state["lamps"].values()]
        if len(set(places)) < 3:
            return self.reset(rng.randrange(2**31))
        self.place = rng.choice(["left", "right", "back"])
        self.level, self.colour = rng.randint(15, 95), rng.choice(["amber", "blue", "rose"])
        self.scene = rng.choice(SCENES)
        self.group = sorted(n for n, v in self._state["lamps"].items() if v["place"] == self.place)
        group, level, colour, scene = self.group, self.level, self.colour, self.scene
        self._user_messages = [
            f"Bring the lamps on the {self.place} side to {level} percent, and no other lamp.",
            f"Turn the same lamps {colour}; the others stay white.",
            f"Store the look as the cue '{scene}'. Then black everything out.",
        ]

        def lit(s):
            return all((v["level"] == level) if n in group else v["level"] == 0 for n, v in s["lamps"].items())

        def coloured(s):
            return all((v["colour"] == colour) == (n in group) and (n in group or v["colour"] == "white") for n, v in s["lamps"].items())

        def stored(s):
            cue = s["cues"].get(scene)
            return bool(cue) and cue == {n: (level, colour) for n in group} and not any(v["level"] for v in s["lamps"].values())

        self._message_criteria = [lit, coloured, stored]
        self._tools = {
            "list_lamps": {"description": "All lamps with side, watts, level and colour.", "parameters": {"type": "object", "properties": {}}},
            "set_level": {"description": "Set the level of a lamp in percent.", "parameters": {"type": "object", "properties": {
                "lamp": {"type": "string"}, "percent": {"type": "integer", "minimum": 0, "maximum": 100}}, "required": ["lamp", "percent"]}},
            "set_colour": {"description": "Set the colour of a lamp.", "parameters": {"type": "object", "properties": {
                "lamp": {"type": "string"}, "colour": {"type": "string", "enum": COLOURS}}, "required": ["lamp", "colour"]}},
            "store_cue": {"description": "Store the lamps that are lit under a name.", "parameters": {"type": "object", "properties": {"name": {"type": "string", "enum": SCENES}}, "required": ["name"]}},
            "blackout": {"description": "All lamps to 0 percent.", "parameters": {"type": "object", "properties": {}}},
        }
        return f"Lighting desk. The director says: {self._user_messages[0]} (Reply <answer>done</answer> when the director is silent.)", {}

    def tool_list_lamps(self):
        return "\n".join(f"{n}: {v['place']}, {v['watt']} W, {v['level']} percent, {v['colour']}" for n, v in sorted(self._state["lamps"].items()))

    def tool_set_level(self, lamp, percent):
        if lamp not in self._state["lamps"] or not 0 <= percent <= 100:
            return "Error: no such lamp or level."
        self._state["lamps"][lamp]["level"] = percent
        return f"{lamp} at {percent} percent."

    def tool_set_colour(self, lamp, colour):
        if lamp not in self._state["lamps"]:
            return "Error: no such lamp."
        self._state["lamps"][lamp]["colour"] = colour
        return f"{lamp} is {colour}."

    def tool_store_cue(self, name):
        lit = {n: (v["level"], v["colour"]) for n, v in self._state["lamps"].items() if v["level"]}
        if not lit:
            return "Error: no lamp is lit."
        self._state["cues"][name] = lit
        return f"Cue {name} holds {len(lit)} lamps."

    def tool_blackout(self):
        for v in self._state["lamps"].values():
            v["level"] = 0
        return "Dark."

    def solution(self):
        import json
        calls = [{"name": "list_lamps", "arguments": {}}]
        calls += [{"name": "set_level", "arguments": {"lamp": n, "percent": self.level}} for n in self.group]
        calls += [{"name": "set_colour", "arguments": {"lamp": n, "colour": self.colour}} for n in self.group]
        calls += [{"name": "store_cue", "arguments": {"name": self.scene}}, {"name": "blackout", "arguments": {}}]
        return [f"<tool_call>{json.dumps(c)}</tool_call>" for c in calls] + ["<answer>done</answer>"]

    def hint(self):
        return "List the lamps once and write the names of the group down. Levels first, then colour, then the cue; the dark comes last."
