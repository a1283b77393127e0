import json, random
from spade_envs import ToolUseBaseEnv
class DeskEnv(ToolUseBaseEnv):
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.uid = f"user_{rng.randint(100, 999)}"; self.amount = rng.randint(10, 90)
        self._state = {"users": {self.uid: {"credit": 100}}, "log": []}
        self._user_messages = [f"Please charge {self.uid} {self.amount} credits.", "Now tell me you are finished after writing a note 'paid'."]
        self._message_criteria = [lambda s: s["users"][self.uid]["credit"] == 100 - self.amount, lambda s: "paid" in s["log"]]
        self._tools = {
            "charge": {"description": "charge", "parameters": {"type": "object", "properties": {"user_id": {"type": "string"}, "amount": {"type": "number", "minimum": 0}}, "required": ["user_id", "amount"]}},
            "note": {"description": "write a note", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}},
        }
        return self._user_messages[0], {"tools": self.get_tools()}
    def tool_charge(self, user_id, amount):
        u = self._state["users"].get(user_id)
        if not u: return "Error: unknown user"
        u["credit"] -= amount
        return json.dumps(u)
    def tool_note(self, text):
        self._state["log"].append(text); return "noted"
    def solution(self):
        return f'First charge(user_id="{self.uid}", amount={self.amount}), then note(text="paid") and finish with <answer>done</answer>.'
