# expect: refuse robustness.raises
# defect: step reads call["arguments"] without looking whether it is there, so a tool call that leaves the key out (natural for list_zones) raises KeyError.
import json
import random
import re

ZONES = ["ferns", "cacti", "orchids", "palms", "herbs"]


class GreenhouseConsoleEnv:
    """A console with its own tool protocol: read sensors, adjust, and report.

    Not built on a base class: get_tools lists the tools, step carries calls out.
    """

    def __init__(self, max_turns=16):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.warmth = dict(zip(ZONES, rng.sample(range(120, 340), len(ZONES))))
        self.moisture = dict(zip(ZONES, rng.sample(range(15, 95), len(ZONES))))
        self.targets = {zone: 5 * rng.randint(4, 18) for zone in ZONES}
        order = sorted(ZONES, key=self.warmth.get)
        self.coldest, self.hottest = order[0], order[-1]
        self.vents = {zone: "closed" for zone in ZONES}
        self.watered = {}
        need = abs(self.targets[self.coldest] - self.moisture[self.coldest])
        self.report = str(need + self.warmth[self.hottest])
        return (
            "A greenhouse has five zones. Open the vent of the hottest zone and close all others; then report one "
            "number: how far the moisture of the coldest zone is from its target (without sign), plus the temperature "
            "of the hottest zone in tenths of a degree.\n"
            'Use <tool_call>{"name": ..., "arguments": {...}}</tool_call> and finally <answer>number</answer>. A wrong '
            f"report can be corrected. Turns: {self.max_turns}."
        ), {}

    def get_tools(self):
        zone = {"zone": {"type": "string", "enum": ZONES}}
        return [
            self._tool("list_zones", "Names of the zones and the state of their vents.", {}, []),
            self._tool("read_sensors", "Temperature in tenths, and moisture, of a zone.", zone, ["zone"]),
            self._tool("read_target", "Moisture wanted in a zone.", zone, ["zone"]),
            self._tool(
                "set_vent", "Open or close a vent.",
                {**zone, "position": {"type": "string", "enum": ["open", "closed"]}}, ["zone", "position"],
            ),
        ]

    @staticmethod
    def _tool(name, description, properties, required):
        parameters = {"type": "object", "properties": properties, "required": required}
        return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}

    def _run(self, name, arguments):
        zone = arguments.get("zone") if isinstance(arguments, dict) else None
        if name == "list_zones":
            return ", ".join(f"{zone} (vent {state})" for zone, state in self.vents.items())
        if zone not in ZONES:
            return "Error: a zone is needed: " + ", ".join(ZONES)
        if name == "read_sensors":
            return f"{zone}: {self.warmth[zone]} tenths, moisture {self.moisture[zone]}"
        if name == "read_target":
            return f"{zone}: moisture {self.targets[zone]} wanted"
        if name == "set_vent" and arguments.get("position") in ("open", "closed"):
            self.vents[zone] = arguments["position"]
            return f"The vent of {zone} is {self.vents[zone]}."
        return "Error: no such tool or position."

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        calls = re.findall(r"<tool_call>(.*?)</tool_call>", action, re.DOTALL)
        if calls:
            outputs = []
            for text in calls:
                try:
                    call = json.loads(text)
                except (ValueError, RecursionError):
                    outputs.append("Error: a call must be JSON.")
                    continue
                if not isinstance(call, dict) or "name" not in call:
                    outputs.append("Error: a call needs a name.")
                    continue
                outputs.append(self._run(call["name"], call["arguments"]))
            return "\n".join(outputs), 0.0, False, late, {}
        match = re.search(r"<answer>(.*?)</answer>", action, re.DOTALL)
        if not match:
            return "Send a tool call or an answer.", 0.0, False, late, {}
        vents = all((state == "open") == (zone == self.hottest) for zone, state in self.vents.items())
        if match.group(1).strip() == self.report and vents:
            return "Report accepted.", 1.0, True, False, {}
        return "The report or the vents are not right.", 0.0, False, late, {}

    def solution(self):
        def call(name, **arguments):
            return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"

        return [
            "\n".join(call("read_sensors", zone=zone) for zone in ZONES),
            call("read_target", zone=self.coldest),
            call("set_vent", zone=self.hottest, position="open"),
            f"<answer>{self.report}</answer>",
        ]

    def hint(self):
        return "Read the sensors of all zones in one reply, then the target of one zone only."
