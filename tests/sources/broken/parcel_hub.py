# expect: refuse tools.criterion_raises
# defect: the third criterion reads state["vans"][van]["stops"][-1], which raises IndexError in every state where the van is still empty
import json
import random


class ParcelHubEnv(ToolUseBaseEnv):
    """Scan, label and load parcels in a sorting hub (state modification)."""

    TOWNS = ["Arbon", "Bulle", "Chur", "Davos", "Ems", "Flims"]

    def __init__(self, max_turns=12):
        super().__init__(max_turns=max_turns)

    def reset(self, seed=None):
        rng = random.Random(seed)
        towns = rng.sample(self.TOWNS, 4)
        ids = [f"P{n}" for n in rng.sample(range(1000, 9999), 4)]
        vans = [f"V{n}" for n in rng.sample(range(100, 999), 3)]
        self._state = {
            "parcels": {i: {"to": t, "kg": rng.randint(1, 30), "label": "none", "shelf": rng.randint(1, 9)} for i, t in zip(ids, towns)},
            "vans": {v: {"driver": d, "stops": []} for v, d in zip(vans, rng.sample(["Reto", "Sina", "Timo", "Urs"], 3))},
        }
        self.one, self.two, self.three = ids[:3]
        self.van = vans[0]
        driver = self._state["vans"][self.van]["driver"]
        self.new_shelf = rng.randint(11, 19)
        self.label = rng.choice(["fragile", "express"])
        van = self.van
        self._user_messages = [
            f"The parcel to {towns[0]} needs the label '{self.label}'.",
            f"Put the parcel to {towns[1]} on shelf {self.new_shelf}.",
            f"Load the parcel to {towns[2]} into {driver}'s van.",
        ]
        self._message_criteria = [
            lambda state: state["parcels"][self.one]["label"] == self.label,
            lambda state: state["parcels"][self.two]["shelf"] == self.new_shelf,
            lambda state: state["vans"][van]["stops"][-1] == self.three,
        ]
        parcel = {"parcel_id": {"type": "string"}}
        self._tools = {
            "find_parcels": {"description": "All parcels to a town.", "parameters": {
                "type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]}},
            "list_vans": {"description": "Vans, drivers and loads.", "parameters": {"type": "object", "properties": {}}},
            "set_label": {"description": "Stick a label on.", "parameters": {"type": "object", "properties": {
                **parcel, "label": {"type": "string", "enum": ["fragile", "express", "none"]}}, "required": ["parcel_id", "label"]}},
            "move_parcel": {"description": "Move to a shelf.", "parameters": {"type": "object", "properties": {
                **parcel, "shelf": {"type": "integer", "minimum": 1, "maximum": 20}}, "required": ["parcel_id", "shelf"]}},
            "load_parcel": {"description": "Load into a van.", "parameters": {"type": "object", "properties": {
                **parcel, "van_id": {"type": "string"}}, "required": ["parcel_id", "van_id"]}},
        }
        return f"Sorting hub, night shift. Answer <answer>done</answer> when all requests are met.\n{self._user_messages[0]}", {}

    def tool_find_parcels(self, town):
        rows = [f"{i}: {p}" for i, p in self._state["parcels"].items() if p["to"] == town]
        return "\n".join(rows) or "No parcel goes there."

    def tool_list_vans(self):
        return json.dumps(self._state["vans"])

    def tool_set_label(self, parcel_id, label):
        if parcel_id not in self._state["parcels"]:
            return "No such parcel."
        self._state["parcels"][parcel_id]["label"] = label
        return "Labelled."

    def tool_move_parcel(self, parcel_id, shelf):
        if parcel_id not in self._state["parcels"]:
            return "No such parcel."
        self._state["parcels"][parcel_id]["shelf"] = shelf
        return "Moved."

    def tool_load_parcel(self, parcel_id, van_id):
        if parcel_id not in self._state["parcels"] or van_id not in self._state["vans"]:
            return "No such parcel or van."
        for van in self._state["vans"].values():
            if parcel_id in van["stops"]:
                van["stops"].remove(parcel_id)
        self._state["vans"][van_id]["stops"].append(parcel_id)
        return "Loaded."

    def solution(self):
        to = {i: p["to"] for i, p in self._state["parcels"].items()}
        calls = [
            ("find_parcels", {"town": to[self.one]}), ("set_label", {"parcel_id": self.one, "label": self.label}),
            ("find_parcels", {"town": to[self.two]}), ("move_parcel", {"parcel_id": self.two, "shelf": self.new_shelf}),
            ("find_parcels", {"town": to[self.three]}), ("list_vans", {}),
            ("load_parcel", {"parcel_id": self.three, "van_id": self.van}),
        ]
        texts = [json.dumps({"name": n, "arguments": a}) for n, a in calls]
        return [f"<tool_call>{t}</tool_call>" for t in texts] + ["<answer>done</answer>"]
