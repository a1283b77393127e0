# expect: refuse feasibility.underivable
# defect: redirecting needs the depot code, and no tool output or message ever shows one
import json
import random


class ParcelHubEnv(ToolUseBaseEnv):
    """Trace parcels and send them to other depots."""

    PLACES = ["Amberg", "Basel", "Cork", "Derby", "Emden", "Fulda"]

    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        depots = {f"DP-{rng.randint(100, 999)}-{p[0]}": {"city": p, "load": rng.randint(20, 90)} for p in self.PLACES}
        people = rng.sample(["Ana Brandt", "Joel Reyes", "Mia Novak", "Sven Dahl", "Tara Singh"], 4)
        parcels = {}
        for person in people:
            parcels[f"PX{rng.randint(10000, 99999)}"] = {
                "owner": person, "depot": rng.choice(sorted(depots)), "weight": rng.randint(1, 30)}
        self._state = {"depots": depots, "parcels": parcels}
        self.p1, self.p2 = list(parcels)[:2]
        self.d1 = rng.choice([d for d in sorted(depots) if d != parcels[self.p1]["depot"]])
        self.d2 = rng.choice([d for d in sorted(depots) if d != parcels[self.p2]["depot"]])
        s = {"type": "string"}
        self._tools = {
            "find_parcels": {"description": "Parcels of a person, with number, weight and present city.", "parameters": {
                "type": "object", "properties": {"owner": s}, "required": ["owner"]}},
            "depot_load": {"description": "How full the depot in a city is.", "parameters": {
                "type": "object", "properties": {"city": s}, "required": ["city"]}},
            "redirect": {"description": "Send a parcel to another depot.", "parameters": {
                "type": "object", "properties": {"parcel": s, "depot_code": s}, "required": ["parcel", "depot_code"]}},
        }
        self._user_messages = [
            f"{parcels[self.p1]['owner']} will pick up in {depots[self.d1]['city']}: redirect that parcel.",
            f"Send the parcel of {parcels[self.p2]['owner']} to {depots[self.d2]['city']}.",
        ]
        p1, p2, d1, d2 = self.p1, self.p2, self.d1, self.d2
        self._message_criteria = [
            lambda st: st["parcels"][p1]["depot"] == d1,
            lambda st: st["parcels"][p2]["depot"] == d2,
        ]
        return (
            "You work in a parcel hub. Call tools like <tool_call>{\"name\": \"depot_load\", \"arguments\": {\"city\": "
            "\"Cork\"}}</tool_call>; when all is settled, <answer>done</answer>.\nRequest: " + self._user_messages[0]
        ), {}

    def tool_find_parcels(self, owner):
        rows = []
        for number, p in self._state["parcels"].items():
            if p["owner"].lower() == owner.lower():
                city = self._state["depots"][p["depot"]]["city"]
                rows.append(f"{number}: {p['weight']} kg, in {city}")
        return "\n".join(rows) or "No parcel."

    def tool_depot_load(self, city):
        for depot in self._state["depots"].values():
            if depot["city"].lower() == city.lower():
                return f"The depot in {city} is {depot['load']} % full."
        return "Error: no depot there."

    def tool_redirect(self, parcel, depot_code):
        if parcel not in self._state["parcels"]:
            return "Error: unknown parcel."
        if depot_code not in self._state["depots"]:
            return "Error: unknown depot code."
        self._state["parcels"][parcel]["depot"] = depot_code
        return f"{parcel} is on its way."

    def solution(self):
        plan = []
        for p, d in ((self.p1, self.d1), (self.p2, self.d2)):
            plan.append(("find_parcels", {"owner": self._state["parcels"][p]["owner"]}))
            plan.append(("depot_load", {"city": self._state["depots"][d]["city"]}))
            plan.append(("redirect", {"parcel": p, "depot_code": d}))
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in plan] + [
            "<answer>done</answer>"]
