"""Own get_tools, execute_tool and step, without any base class."""
import json
import random
import re


class MetroCardEnv:
    def __init__(self, max_turns=12, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        names = rng.sample(["Alder", "Birch", "Cedar", "Dogwood", "Elder", "Fir", "Ginkgo"], 6)
        self.links = {name: {} for name in names}
        for a, b in zip(names, names[1:]):
            self.links[a][b] = self.links[b][a] = rng.randint(2, 20)
        a, b = names[0], names[3]
        self.links[a][b] = self.links[b][a] = rng.randint(15, 40)
        self.start, self.goal, self.turn = names[0], names[5], 0
        best, queue = {self.start: 0}, [self.start]
        for here in queue:
            for there, minutes in self.links[here].items():
                if best[here] + minutes < best.get(there, 10**9):
                    best[there] = best[here] + minutes
                    queue.append(there)
        self.expected = str(best[self.goal])
        return (
            f"How many minutes takes the fastest metro ride from {self.start} to {self.goal}? Ask the tools, one call per "
            'reply: <tool_call>{"name": "neighbours", "arguments": {"station": "..."}}</tool_call>, then '
            "<answer>minutes</answer>. A wrong answer ends the task."
        ), {}

    def get_tools(self):
        station = {"type": "object", "properties": {"station": {"type": "string"}}, "required": ["station"]}
        return [
            {"type": "function", "function": {"name": "neighbours", "description": "Direct connections in minutes.", "parameters": station}},
            {"type": "function", "function": {"name": "has_lift", "description": "Whether a station has a lift.", "parameters": station}},
        ]

    def execute_tool(self, name, arguments):
        station = arguments.get("station") if isinstance(arguments, dict) else None
        if name not in ("neighbours", "has_lift"):
            return {"output": "Error: no such tool", "returncode": 1}
        if not isinstance(station, str) or station not in self.links:
            return {"output": "Error: no such station", "returncode": 1}
        if name == "has_lift":
            return {"output": "yes", "returncode": 0}
        return {"output": json.dumps(self.links[station]), "returncode": 0}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        call = re.search(r"<tool_call>(.*?)</tool_call>", action, re.DOTALL)
        if call:
            try:
                data = json.loads(call.group(1))
                result = self.execute_tool(data["name"], data.get("arguments", {}))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                return "Malformed tool call.", 0.0, False, late, {}
            return result["output"], 0.0, False, late, {"returncode": result["returncode"]}
        answer = re.search(r"<answer>(.*?)</answer>", action, re.DOTALL)
        if answer:
            won = answer.group(1).strip() == self.expected
            return ("Correct" if won else "Wrong"), float(won), True, False, {}
        return "Call a tool or answer.", 0.0, False, late, {}

    def solution(self):
        calls = [{"name": "neighbours", "arguments": {"station": s}} for s in self.links]
        return [f"<tool_call>{json.dumps(c)}</tool_call>" for c in calls] + [f"<answer>{self.expected}</answer>"]
