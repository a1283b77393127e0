# expect: refuse robustness.raises
import random, json, re
class DeskEnv:
    """Handmade tools environment that reads tool calls in step()."""
    def __init__(self, max_turns=8): self.max_turns = max_turns; self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.id = f"ORD-{r.randint(1000, 9999)}"; self.t = 0; self.done = False
        return f"Cancel {self.id} with the tool cancel(order_id), then <answer>done</answer>.", {}
    def get_tools(self):
        return [{"type": "function", "function": {"name": "cancel", "description": "cancel", "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}}}]
    def step(self, action):
        self.t += 1
        cut = self.t >= self.max_turns
        m = re.search(r"<tool_call>(.*?)</tool_call>", action, re.DOTALL)
        if m:
            try: call = json.loads(m.group(1))
            except ValueError: return "bad json", 0.0, False, cut, {}
            self.done |= (call.get("arguments") or {}).get("order_id") == self.id
            return "ok", 0.0, False, cut, {}
        won = "<answer>done</answer>" in action and self.done
        return "end" if won else "?", float(won), won, not won and cut, {}
    def solution(self): return [json.dumps({"x": 1}) and '<tool_call>{"name": "cancel", "arguments": {"order_id": "%s"}}</tool_call>' % self.id, "<answer>done</answer>"]
