# expect: refuse leak.schema
# defect: the description of a parameter gives an example lot number, and the example is made from the lot that is the answer.
import json
import random

MAKERS = ["Aubert", "Bellini", "Crane", "Drouet", "Ewald"]
KINDS = ["clock", "vase", "desk", "mirror", "lamp"]


class AuctionCatalogueEnv(ToolUseBaseEnv):
    """Tool selection: catalogue, condition reports and past sales; which lot is the best buy?"""

    def __init__(self, max_turns=15, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        while True:
            lots = {}
            for number in rng.sample(range(1000, 9999), 14):
                lots[f"LOT-{number}"] = {
                    "maker": rng.choice(MAKERS), "kind": rng.choice(KINDS), "estimate": 10 * rng.randint(20, 160),
                    "condition": rng.choice(["fine", "fair", "poor"]), "sold": 10 * rng.randint(20, 160),
                }
            self.kind = rng.choice(KINDS)
            margin = sorted(
                (lot["sold"] - lot["estimate"], key) for key, lot in lots.items()
                if lot["kind"] == self.kind and lot["condition"] != "poor"
            )
            if len(margin) >= 3 and margin[-1][0] > margin[-2][0]:
                break
        best = margin[-1][1]
        self._state = {"lots": lots}
        self._expected_answer = best
        lot_schema = {"type": "string", "description": f"Lot number, e.g. {best}"}
        self._tools = {
            "browse_catalogue": {
                "description": "Lots of a kind with maker and estimate.",
                "parameters": {
                    "type": "object",
                    "properties": {"kind": {"type": "string", "enum": KINDS}},
                    "required": ["kind"],
                },
            },
            "condition_report": {
                "description": "Condition of one lot.",
                "parameters": {"type": "object", "properties": {"lot": lot_schema}, "required": ["lot"]},
            },
            "past_sale": {
                "description": "What a comparable piece fetched before.",
                "parameters": {"type": "object", "properties": {"lot": lot_schema}, "required": ["lot"]},
            },
            "maker_biography": {
                "description": "A line about a maker.",
                "parameters": {
                    "type": "object",
                    "properties": {"maker": {"type": "string", "enum": MAKERS}},
                    "required": ["maker"],
                },
            },
        }
        return (
            f"A dealer wants to buy one {self.kind}. Of those that are not in poor condition, which lot has the largest "
            "difference between the price of a comparable past sale and the present estimate? Use the tools (several "
            "calls per reply are fine) and answer with the lot number, <answer>LOT-...</answer>. "
            f"You have {self.max_turns} turns."
        ), {}

    def tool_browse_catalogue(self, kind):
        rows = [
            f"{key}: {lot['kind']} by {lot['maker']}, estimate {lot['estimate']}"
            for key, lot in self._state["lots"].items() if lot["kind"] == kind
        ]
        return "\n".join(rows) or "No such lots."

    def tool_condition_report(self, lot):
        if lot not in self._state["lots"]:
            return f"Error: no lot {lot}."
        return f"{lot} is in {self._state['lots'][lot]['condition']} condition."

    def tool_past_sale(self, lot):
        if lot not in self._state["lots"]:
            return f"Error: no lot {lot}."
        return f"A piece like {lot} fetched {self._state['lots'][lot]['sold']}."

    def tool_maker_biography(self, maker):
        return f"{maker} kept a workshop for {len(maker) * 4} years."

    def solution(self):
        keys = [key for key, lot in self._state["lots"].items() if lot["kind"] == self.kind]
        turns = [[("browse_catalogue", {"kind": self.kind})]]
        turns.append([("condition_report", {"lot": key}) for key in keys])
        turns.append([("past_sale", {"lot": key}) for key in keys])
        replies = []
        for calls in turns:
            texts = [json.dumps({"name": name, "arguments": arguments}) for name, arguments in calls]
            replies.append("\n".join(f"<tool_call>{text}</tool_call>" for text in texts))
        return [*replies, f"<answer>{self._expected_answer}</answer>"]

    def hint(self):
        return "Browse the kind, ask for condition and past sale of every lot in one reply each, and subtract."
