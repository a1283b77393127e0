# expect: refuse robustness.raises | tools.broken
# defect: the listed tool compare_routes is dispatched to a method that is called _do_compare_route, so every call of it raises AttributeError out of step()
import json
import random
import re


class RoutePlannerEnv:
    """A planner with tools of its own: look up legs and report the length of the best route."""

    CITIES = ["Graz", "Linz", "Wels", "Steyr", "Enns", "Lienz", "Villach"]

    def __init__(self, max_turns=14):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.cities = rng.sample(self.CITIES, 5)
        self.legs = {}
        for i, a in enumerate(self.cities):
            for b in self.cities[i + 1:]:
                self.legs[a, b] = self.legs[b, a] = rng.randint(101, 499)
        self.start, self.goal = self.cities[0], self.cities[4]
        middle = self.cities[1:4]
        self.answer = min(
            self.legs[self.start, m] + self.legs[m, n] + self.legs[n, self.goal] for m in middle for n in middle if m != n
        )
        return (
            f"Cities: {', '.join(sorted(self.cities))}. Find the shortest way from {self.start} to {self.goal} that passes exactly two "
            "other cities. Ask for the legs with tool calls and give its length as <answer>N</answer>."
        ), {}

    def get_tools(self):
        city = {"type": "string", "enum": sorted(self.CITIES)}

        def tool(name, description, properties):
            return {"type": "function", "function": {"name": name, "description": description, "parameters": {
                "type": "object", "properties": properties, "required": list(properties)}}}

        return [
            tool("leg_length", "Length of one leg.", {"a": city, "b": city}),
            tool("neighbours", "All legs from one city.", {"city": city}),
            tool("compare_routes", "Which of two stopovers between two cities is shorter.", {"a": city, "b": city, "via": city, "or_via": city}),
        ]

    def execute_tool(self, name, arguments):
        specs = {t["function"]["name"]: t["function"]["parameters"]["required"] for t in self.get_tools()}
        if name not in specs:
            return {"output": f"Error: there is no tool {name}.", "returncode": 1}
        if not isinstance(arguments, dict) or sorted(arguments) != sorted(specs[name]):
            return {"output": f"Error: {name} takes {', '.join(specs[name])}.", "returncode": 1}
        if any(not isinstance(v, str) or v not in self.cities for v in arguments.values()):
            return {"output": "Error: unknown city.", "returncode": 1}
        handler = getattr(self, "_do_" + name)
        return {"output": handler(**arguments), "returncode": 0}

    def _do_leg_length(self, a, b):
        return str(self.legs.get((a, b), 0))

    def _do_neighbours(self, city):
        return ", ".join(f"{b} {self.legs[city, b]}" for b in self.cities if b != city)

    def _do_compare_route(self, a, b, via, or_via):
        one, two = (self.legs.get((a, v), 0) + self.legs.get((v, b), 0) for v in (via, or_via))
        return via if one <= two else or_via

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        answer = re.search(r"<answer>\s*([0-9]{1,6})\s*</answer>", action)
        call = re.search(r"<tool_call>(.*?)</tool_call>", action, re.DOTALL)
        if call:
            try:
                data = json.loads(call.group(1))
            except (ValueError, RecursionError):
                return "Error: no JSON.", 0.0, False, late, {}
            if not isinstance(data, dict) or not isinstance(data.get("name"), str):
                return "Error: name and arguments are needed.", 0.0, False, late, {}
            return self.execute_tool(data["name"], data.get("arguments", {}))["output"], 0.0, False, late, {}
        if answer and int(answer.group(1)) == self.answer:
            return "That is the shortest.", 1.0, True, False, {}
        return "Call a tool, or answer with a length; yours is not right yet.", 0.0, False, late, {}

    def solution(self):
        calls = [json.dumps({"name": "neighbours", "arguments": {"city": c}}) for c in self.cities[:4]]
        return [f"<tool_call>{c}</tool_call>" for c in calls] + [f"<answer>{self.answer}</answer>"]
