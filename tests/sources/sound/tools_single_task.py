"""One question, answered after tool calls; no multi-turn fields."""
import random


class LibraryEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=10, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        shelves = rng.sample(["A1", "A2", "B1", "B2", "C1", "C2"], 3)
        self._state = {
            "members": {f"M{n}": rng.choice(shelves) for n in rng.sample(range(100, 999), 5)},
            "books": {f"B{n}": {"shelf": rng.choice(shelves), "fee": rng.randint(11, 95)} for n in rng.sample(range(1000, 9999), 15)},
        }
        self.member = rng.choice(sorted(self._state["members"]))
        self.rate = rng.randint(3, 9)
        shelf = self._state["members"][self.member]
        self._expected_answer = str(self.rate * sum(b["fee"] for b in self._state["books"].values() if b["shelf"] == shelf))
        self._tools = {
            "member_shelf": {
                "description": "The favourite shelf of a member.",
                "parameters": {"type": "object", "properties": {"member_id": {"type": "string"}}, "required": ["member_id"]},
            },
            "list_shelf": {
                "description": "Books on a shelf with their daily fee in cents.",
                "parameters": {
                    "type": "object",
                    "properties": {"shelf": {"type": "string", "enum": ["A1", "A2", "B1", "B2", "C1", "C2"]}},
                    "required": ["shelf"],
                },
            },
            "opening_hours": {"description": "When the library is open.", "parameters": {"type": "object", "properties": {}}},
        }
        return (
            f"Member {self.member} borrows every book of their favourite shelf for {self.rate} days. What is the total fee in "
            "cents? Use the tools, then reply <answer>number</answer>."
        ), {}

    def tool_member_shelf(self, member_id):
        return self._state["members"].get(member_id, "Error: no such member")

    def tool_list_shelf(self, shelf):
        rows = [f"{key}: {b['fee']}" for key, b in self._state["books"].items() if b["shelf"] == shelf]
        return "\n".join(rows) or "The shelf is empty."

    def tool_opening_hours(self):
        return "Nine to six."

    def solution(self):
        shelf = self._state["members"][self.member]
        calls = [("member_shelf", {"member_id": self.member}), ("list_shelf", {"shelf": shelf})]
        texts = ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in calls]
        return texts + [f"<answer>{self._expected_answer}</answer>"]
