import json
import random
from typing import Any, Callable, Dict, List


class CrmEnv(ToolUseBaseEnv):
    """CRM clean-up: update a phone, merge duplicates, log a free-text note, change the stage of a deal."""

    STAGES = ["lead", "qualified", "proposal", "won", "lost"]

    def __init__(self, max_turns: int = 20, **kwargs: Any):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        firms = rng.sample(["Arbor", "Belltown", "Cadence", "Driftwood", "Everglen", "Foxglove", "Grantham", "Hollis"], 6)
        persons = rng.sample(["Ilya Roth", "June Abbott", "Karim Saleh", "Lena Fuchs", "Moses Adeyemi", "Nora Quist", "Otto Brand", "Paula Reyes"], 7)
        ids = [f"C-{n}" for n in rng.sample(range(1000, 9999), 8)]
        contacts = {i: {"name": p, "firm": rng.choice(firms), "phone": f"+{rng.randint(20, 98)} {rng.randint(1000000, 9999999)}", "notes": [], "merged_into": None}
                    for i, p in zip(ids, persons)}
        self.keep, self.twin, self.noted, self.dealer = ids[0], ids[7], ids[2], ids[3]
        contacts[self.twin] = dict(contacts[self.keep], phone="", notes=[])
        deals = {f"D-{n}": {"contact": c, "value": rng.randint(5, 90) * 1000, "stage": rng.choice(self.STAGES[:2])}
                 for n, c in zip(rng.sample(range(100, 999), 7), ids[:7])}
        self.deal = next(k for k, d in deals.items() if d["contact"] == self.dealer)
        self.stage = rng.choice(self.STAGES[2:])
        self.phone = f"+{rng.randint(20, 98)} {rng.randint(1000000, 9999999)}"
        self.word = rng.choice(["warranty", "delivery dates", "a discount", "training", "spare parts"])
        self._state = {"contacts": contacts, "deals": deals}
        c = contacts
        self._user_messages: List[str] = [
            f"{c[self.keep]['name']} is in the system twice. Merge the record without a phone number into the other one.",
            f"Set the phone number of {c[ids[4]]['name']} to {self.phone}.",
            f"Log a note for {c[self.noted]['name']} of {c[self.noted]['firm']}: the customer asked about {self.word}.",
            f"The deal with {c[self.dealer]['name']} has moved on: its stage is now {self.stage}.",
        ]
        self.fourth = ids[4]
        self._message_criteria: List[Callable[[Dict], bool]] = [
            lambda s: s["contacts"][self.twin]["merged_into"] == self.keep,
            lambda s: s["contacts"][self.fourth]["phone"] == self.phone,
            lambda s: any(self.word in n.lower() for n in s["contacts"][self.noted]["notes"]),
            lambda s: s["deals"][self.deal]["stage"] == self.stage,
        ]
        S = {"type": "string"}
        mk = lambda d, req, **p: {"description": d, "parameters": {"type": "object", "properties": p, "required": req}}
        self._tools = {
            "find_contact": mk("Contacts by part of the name.", ["name"], name=S),
            "merge_contacts": mk("Merge `source` into `target`; cannot be undone.", ["source", "target"], source=S, target=S),
            "update_contact": mk("Change a field of a contact.", ["contact_id", "field", "value"], contact_id=S, field={"type": "string", "enum": ["phone", "firm"]}, value=S),
            "add_note": mk("Append a note to a contact.", ["contact_id", "text"], contact_id=S, text=S),
            "list_deals": mk("Deals of a contact.", ["contact_id"], contact_id=S),
            "set_stage": mk("Change the stage of a deal.", ["deal_id", "stage"], deal_id=S, stage={"type": "string", "enum": self.STAGES}),
        }
        return self._user_messages[0], {"contacts": 8}

    def tool_find_contact(self, name):
        rows = [f"{i}: {c['name']}, {c['firm']}, phone {c['phone'] or '-'}" for i, c in self._state["contacts"].items()
                if name.lower() in c["name"].lower() and not c["merged_into"]]
        return "\n".join(rows) or "No contact found."

    def tool_merge_contacts(self, source, target):
        cs = self._state["contacts"]
        if source not in cs or target not in cs or source == target:
            return "Error: two different existing contacts are needed."
        if cs[source]["name"] != cs[target]["name"]:
            return "Error: refused, the names differ."
        if not cs[target]["phone"]:
            return "Error: refused, the target has less data than the source."
        cs[source]["merged_into"] = target
        return f"{source} is now part of {target}."

    def tool_update_contact(self, contact_id, field, value):
        self._state["contacts"][contact_id][field] = value
        return f"{contact_id}: {field} updated."

    def tool_add_note(self, contact_id, text):
        self._state["contacts"][contact_id]["notes"].append(text)
        return "Note added."

    def tool_list_deals(self, contact_id):
        return json.dumps({k: {"value": d["value"], "stage": d["stage"]} for k, d in self._state["deals"].items() if d["contact"] == contact_id})

    def tool_set_stage(self, deal_id, stage):
        self._state["deals"][deal_id]["stage"] = stage
        return f"{deal_id} is now at stage {stage}."

    def solution(self):
        c = self._state["contacts"]
        steps = [
            ("find_contact", {"name": c[self.keep]["name"]}), ("merge_contacts", {"source": self.twin, "target": self.keep}),
            ("find_contact", {"name": c[self.fourth]["name"].split()[0]}), ("update_contact", {"contact_id": self.fourth, "field": "phone", "value": self.phone}),
            ("find_contact", {"name": c[self.noted]["name"]}), ("add_note", {"contact_id": self.noted, "text": f"Customer asked about {self.word}."}),
            ("find_contact", {"name": c[self.dealer]["name"]}), ("list_deals", {"contact_id": self.dealer}), ("set_stage", {"deal_id": self.deal, "stage": self.stage}),
        ]
        return [f'<tool_call>{json.dumps({"name": n, "arguments": a})}</tool_call>' for n, a in steps] + ["<answer>done</answer>"]
