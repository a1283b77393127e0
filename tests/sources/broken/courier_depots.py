# expect: refuse exploits.floor
# defect: the answer is one of four depots that the prompt lists, so a guess without any tool call is right on a quarter of the seeds at the first try.
import json
import random

DEPOTS = ["Northgate", "Eastfield", "Southbank", "Westhaven"]
CLASSES = ["express", "standard", "bulk"]


class CourierDepotsEnv(ToolUseBaseEnv):
    """Aggregation over records: which depot loses most, once refunds are taken off?"""

    def __init__(self, max_turns=16, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._current_msg = 0
        while True:
            parcels = []
            for number in rng.sample(range(100, 999), 24):
                parcels.append({
                    "id": f"PX{number}", "depot": rng.choice(DEPOTS), "class": rng.choice(CLASSES),
                    "late": rng.randint(0, 5), "value": rng.randint(15, 240),
                })
            refunded = rng.sample([p["id"] for p in parcels], 6)
            rates = {c: rng.randint(2, 9) for c in CLASSES}
            loss = {depot: 0 for depot in DEPOTS}
            for parcel in parcels:
                if parcel["id"] not in refunded:
                    loss[parcel["depot"]] += parcel["late"] * rates[parcel["class"]]
            ranked = sorted(loss.values())
            if ranked[-1] - ranked[-2] >= 4:
                break
        self._state = {"parcels": parcels, "refunded": refunded, "rates": rates}
        self._expected_answer = max(loss, key=loss.get)
        self._tools = {
            "list_parcels": {
                "description": "Parcels of a depot and class: number, days late and value.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "depot": {"type": "string", "enum": DEPOTS},
                        "class_name": {"type": "string", "enum": CLASSES},
                    },
                    "required": ["depot", "class_name"],
                },
            },
            "penalty_rate": {
                "description": "Penalty per day of delay for a class.",
                "parameters": {
                    "type": "object",
                    "properties": {"class_name": {"type": "string", "enum": CLASSES}},
                    "required": ["class_name"],
                },
            },
            "list_refunds": {
                "description": "Numbers of parcels that were refunded and carry no penalty any more.",
                "parameters": {"type": "object", "properties": {}},
            },
        }
        return (
            "A courier pays a penalty for every day that a parcel is late, at a rate that depends on its class; refunded "
            f"parcels cost no penalty. Which of the depots {', '.join(DEPOTS)} causes the largest total penalty?\n"
            "Find out with the tools, several calls per reply if you like, and send <answer>Depot</answer>. "
            f"Turns: {self.max_turns}."
        ), {}

    def tool_list_parcels(self, depot, class_name):
        rows = [
            f"{p['id']}: {p['late']} days late, value {p['value']}"
            for p in self._state["parcels"] if p["depot"] == depot and p["class"] == class_name
        ]
        return "\n".join(rows) or "None."

    def tool_penalty_rate(self, class_name):
        return f"{class_name}: {self._state['rates'][class_name]} per day"

    def tool_list_refunds(self):
        return ", ".join(sorted(self._state["refunded"]))

    def solution(self):
        def call(name, **arguments):
            return f"<tool_call>{json.dumps({'name': name, 'arguments': arguments})}</tool_call>"

        rates = "\n".join(call("penalty_rate", class_name=c) for c in CLASSES)
        lists = "\n".join(call("list_parcels", depot=d, class_name=c) for d in DEPOTS for c in CLASSES)
        return [rates + "\n" + call("list_refunds"), lists, f"<answer>{self._expected_answer}</answer>"]

    def hint(self):
        return "Twelve lists, three rates and one list of refunds are all there is; sum days times rate by depot."
