import json
import random
import re


class OrchardLogEnv:
    """A tools environment on its own feet: get_tools, execute_tool and the reading of replies are written here."""

    def __init__(self, max_turns=15):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        kinds = ["Ashmead", "Bramley", "Cox", "Discovery", "Egremont"]
        self._rows = {}
        for _ in range(6):
            row = f"R{rng.randint(10, 99)}{rng.choice('NSEW')}"
            self._rows[row] = [(rng.choice(kinds), rng.randint(20, 190)) for _ in range(8)]
        self._kind = self._rows[sorted(self._rows)[0]][0][0]
        self._total = sum(kg for trees in self._rows.values() for kind, kg in trees if kind == self._kind)
        self._turn = 0
        return (
            f"How many kilograms of {self._kind} did the whole orchard bear? Tools: list_rows (no arguments), show_row "
            "(row). Call <tool_call>{\"name\": \"list_rows\", \"arguments\": {}}</tool_call>, answer <answer>kilograms"
            f"</answer>. {self.max_turns} turns and one answer."
        ), {}

    def get_tools(self):
        return [
            {"type": "function", "function": {"name": "list_rows", "description": "Names of the rows.",
                                              "parameters": {"type": "object", "properties": {}, "required": []}}},
            {"type": "function", "function": {"name": "show_row", "description": "Trees of a row.", "parameters": {
                "type": "object", "properties": {"row": {"type": "string"}}, "required": ["row"]}}},
        ]

    def execute_tool(self, name, arguments=None):
        arguments = arguments if isinstance(arguments, dict) else {}
        if name == "list_rows":
            return {"output": ", ".join(self._rows), "returncode": 0}
        if name == "show_row":
            trees = self._rows.get(str(arguments.get("row")))
            if trees is None:
                return {"output": "Error: no such row.", "returncode": 1}
            return {"output": "; ".join(f"{k} {kg} kg" for k, kg in trees), "returncode": 0}
        return {"output": "Error: no such tool.", "returncode": 1}

    def step(self, action):
        self._turn += 1
        late = self._turn >= self.max_turns
        outputs = []
        for text in re.findall(r"<tool_call>(.*?)</tool_call>", action, re.DOTALL):
            try:
                call = json.loads(text)
                outputs.append(self.execute_tool(call.get("name"), call.get("arguments"))["output"])
            except (ValueError, AttributeError, RecursionError):
                outputs.append("Error: a call is a JSON object with name and arguments.")
        if outputs:
            return "\n".join(outputs), 0.0, False, late, {}
        answer = re.search(r"<answer>(.*?)</answer>", action, re.DOTALL)
        if not answer:
            return "Call a tool or answer.", 0.0, False, late, {}
        digits = re.sub(r"\s*(kg|kilograms?)?\s*$", "", answer.group(1).strip())
        if digits == str(self._total):
            return "The log agrees.", 1.0, True, False, {}
        return "The log disagrees.", 0.0, True, False, {}

    def solution(self):
        call = lambda n, **a: "<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>"
        return [call("list_rows"), "".join(call("show_row", row=r) for r in self._rows), f"<answer>{self._total} kg</answer>"]
