import json
import random
import re


class MuseumHandmadeEnv:
    """No base class: get_tools, execute_tool and step are written by hand."""

    def __init__(self, max_turns=20):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.rooms = {f"hall {c}": {"humidity": rng.randint(20, 80), "slots": rng.randint(1, 3)} for c in "ABCDE"}
        kinds = rng.sample(["mask", "scroll", "vase", "sabre", "globe", "tapestry"], 4)
        self.pieces = {f"P{n}": {"kind": k, "low": 0, "high": 0, "room": None} for n, k in zip(rng.sample(range(10, 99), 4), kinds)}
        homes = {}
        free = {r: v["slots"] for r, v in self.rooms.items()}
        for key, piece in self.pieces.items():
            room = rng.choice([r for r in sorted(free) if free[r]])
            free[room] -= 1
            homes[key] = room
            h = self.rooms[room]["humidity"]
            piece["low"], piece["high"] = h - rng.randint(0, 6), h + rng.randint(0, 6)
        self.homes = homes
        return (
            "Place all four new pieces of the museum in halls A to E. A hall must have a free slot, and its humidity must lie within the limits of the piece. "
            "Write <tool_call>{\"name\": ..., \"arguments\": {...}}</tool_call>. When all is placed, write <answer>placed</answer>; "
            "if something is wrong then, the task is lost."
        ), {"pieces": 4}

    def get_tools(self):
        def tool(name, about, props):
            return {"type": "function", "function": {"name": name, "description": about, "parameters": {"type": "object", "properties": props, "required": list(props)}}}
        piece = {"type": "string", "description": "piece number"}
        hall = {"type": "string", "enum": sorted(self.rooms)}
        return [tool("list_pieces", "Numbers and kinds.", {}), tool("piece", "Limits of a piece.", {"number": piece}),
                tool("hall", "Humidity and free slots of a hall.", {"hall": hall}), tool("place", "Place or move a piece.", {"number": piece, "hall": hall})]

    def _free(self, hall):
        return self.rooms[hall]["slots"] - sum(p["room"] == hall for p in self.pieces.values())

    def execute_tool(self, name, arguments=None):
        args = arguments if isinstance(arguments, dict) else {}
        number, hall = str(args.get("number")), str(args.get("hall"))
        if name == "list_pieces":
            return {"output": ", ".join(f"{k}: {p['kind']}, {p['room'] or 'in the store'}" for k, p in self.pieces.items()), "returncode": 0}
        if name in ("piece", "place") and number not in self.pieces:
            return {"output": f"Error: no piece {number[:20]}", "returncode": 1}
        if name in ("hall", "place") and hall not in self.rooms:
            return {"output": f"Error: no hall {hall[:20]}", "returncode": 1}
        if name == "piece":
            p = self.pieces[number]
            return {"output": f"{number} ({p['kind']}) needs {p['low']} to {p['high']} percent.", "returncode": 0}
        if name == "hall":
            return {"output": f"{hall}: {self.rooms[hall]['humidity']} percent, {self._free(hall)} free slots.", "returncode": 0}
        if name == "place":
            if self.pieces[number]["room"] != hall and self._free(hall) == 0:
                return {"output": f"Error: {hall} is full.", "returncode": 1}
            self.pieces[number]["room"] = hall
            return {"output": f"{number} stands in {hall}.", "returncode": 0}
        return {"output": f"Error: unknown tool {str(name)[:40]}", "returncode": 1}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"<tool_call>(.*?)</tool_call>", action, re.S)
        if m:
            try:
                call = json.loads(m.group(1))
            except (ValueError, RecursionError):
                call = None
            if not isinstance(call, dict):
                return "Error: the call is no JSON object.", 0.0, False, late, {"pieces": 4}
            return self.execute_tool(call.get("name"), call.get("arguments"))["output"], 0.0, False, late, {"pieces": 4}
        m = re.search(r"<answer>\s*placed\s*</answer>", action, re.I)
        if not m:
            return "Use a tool, or <answer>placed</answer>.", 0.0, False, late, {"pieces": 4}
        good = all(p["room"] and p["low"] <= self.rooms[p["room"]]["humidity"] <= p["high"] for p in self.pieces.values())
        return ("The curator is content." if good else "The curator shakes her head."), float(good), True, False, {"pieces": 4}

    def solution(self):
        yield '<tool_call>{"name": "list_pieces", "arguments": {}}</tool_call>'
        for number in self.pieces:
            yield '<tool_call>{"name": "piece", "arguments": {"number": "%s"}}</tool_call>' % number
        for number, hall in self.homes.items():
            yield '<tool_call>{"name": "place", "arguments": {"number": "%s", "hall": "%s"}}</tool_call>' % (number, hall)
        yield "<answer>placed</answer>"
