import random
class PhoneBookEnv:
    """Tools run through execute_tool(); step() takes the final answer."""
    def __init__(self, max_turns=8): self.max_turns = max_turns; self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.t = 0
        self.book = {n: f"555-{r.randint(1000, 9999)}" for n in ("Ann", "Bob", "Cid")}
        self.who = r.choice(sorted(self.book))
        return f"What is {self.who}'s number? Use lookup(name), then <answer>NUMBER</answer>.", {}
    def get_tools(self):
        return [{"type": "function", "function": {"name": "lookup", "description": "look a name up", "parameters": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}}}]
    def execute_tool(self, name, arguments):
        if name != "lookup": return {"output": f"Error: no tool {name}", "returncode": 1}
        return {"output": str(self.book.get(str(arguments.get("name")), "Error: unknown name")), "returncode": 0}
    def step(self, action):
        self.t += 1
        won = action.strip() == f"<answer>{self.book[self.who]}</answer>"
        return "Correct" if won else "Wrong", float(won), won, not won and self.t >= self.max_turns, {}
    def solution(self):
        return [{"name": "lookup", "arguments": {"name": self.who}}, f"<answer>{self.book[self.who]}</answer>"]
