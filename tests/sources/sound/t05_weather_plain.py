"""Tool environment without the base class: get_tools, execute_tool and its own step."""
import json
import random
import re


class WeatherDeskEnv:
    """Average of station readings in mixed units."""

    CITIES = ["Bergen", "Cusco", "Dakar", "Galway", "Hobart", "Izmir", "Jaipur", "Kochi", "Lagos", "Muscat"]

    def __init__(self, max_turns=12, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.calls = []
        self.stations = {}
        for city in self.CITIES:
            unit = rng.choice(["C", "F", "K"])
            temps = [round(rng.uniform(-5, 42), 1) for _ in range(3)]
            self.stations[city] = {"code": f"WX{rng.randint(100, 999)}", "unit": unit,
                                   "readings": [self._to(t, unit) for t in temps]}
        self.asked = rng.sample(self.CITIES, 3)
        celsius = [self._back(v, self.stations[c]["unit"]) for c in self.asked for v in self.stations[c]["readings"]]
        self.answer = round(sum(celsius) / len(celsius), 2)
        text = ("You have tools; call one or several with <tool_call>{\"name\": \"...\", \"arguments\": {...}}</tool_call>. Finish with "
                f"<answer>NUMBER</answer>.\n\nWhat is the mean of all nine readings of the stations in {', '.join(self.asked)}, in degrees "
                "Celsius, to two decimals? K = C + 273.15, F = 1.8 C + 32.")
        return text, {"turn": 0}

    @staticmethod
    def _to(c, unit):
        return round({"C": c, "F": c * 1.8 + 32, "K": c + 273.15}[unit], 2)

    @staticmethod
    def _back(v, unit):
        return {"C": v, "F": (v - 32) / 1.8, "K": v - 273.15}[unit]

    def get_tools(self):
        def fn(name, text, **props):
            return {"type": "function", "function": {"name": name, "description": text,
                    "parameters": {"type": "object", "properties": props, "required": sorted(props)}}}
        return [
            fn("station_of", "Code of the weather station in a city.", city={"type": "string", "enum": list(self.CITIES)}),
            fn("readings", "The three readings of a station, with their unit.", code={"type": "string"}),
            fn("forecast", "Tomorrow's outlook for a city, in words.", city={"type": "string"}),
        ]

    def execute_tool(self, name, arguments):
        args = arguments if isinstance(arguments, dict) else {}
        self.calls.append(name)
        if name == "station_of":
            data = self.stations.get(str(args.get("city")))
            return {"output": data["code"] if data else "Error: unknown city", "returncode": 0 if data else 1}
        if name == "readings":
            for data in self.stations.values():
                if data["code"] == args.get("code"):
                    return {"output": json.dumps({"unit": data["unit"], "values": data["readings"]}), "returncode": 0}
            return {"output": "Error: unknown station", "returncode": 1}
        if name == "forecast":
            words = ["sunny", "cloudy", "windy", "wet"]
            return {"output": words[len(str(args.get("city"))) % 4], "returncode": 0}
        return {"output": f"Error: no tool named {name}", "returncode": 1}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        info = {"turn": self.turn, "calls": len(self.calls)}
        blocks = re.findall(r"<tool_call>(.*?)</tool_call>", action, re.S)
        if blocks:
            outputs = []
            for block in blocks:
                try:
                    call = json.loads(block)
                    name, args = call["name"], call.get("arguments", {})
                except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                    outputs.append("Error: malformed tool call")
                    continue
                outputs.append(self.execute_tool(str(name), args)["output"])
            return "\n".join(outputs), 0.0, False, late, info
        m = re.search(r"<answer>(.*?)</answer>", action, re.S)
        if not m:
            return "Use <tool_call> or <answer>.", 0.0, False, late, info
        number = re.fullmatch(r"\s*(-?\d{1,6}(?:\.\d{1,8})?)\s*(?:\u00b0?C)?\s*", m.group(1), re.A)
        if number and abs(float(number.group(1)) - self.answer) < 0.006:
            return "Correct.", 1.0, True, False, info
        return "That is not the mean.", 0.0, False, late, info

    def solution(self):
        call = lambda n, a: f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>"
        first = "".join(call("station_of", {"city": c}) for c in self.asked)
        second = "".join(call("readings", {"code": self.stations[c]["code"]}) for c in self.asked)
        return [first, second, f"<answer>{self.answer}</answer>"]
