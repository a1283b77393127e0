import json
import random


class FleetDeepStateEnv(ToolUseBaseEnv):
    """Criteria read a nested state with .get all the way down."""

    REGIONS = {"alps": ["Brig", "Chur"], "coast": ["Dover", "Essen Bay"], "plain": ["Fargo", "Gyor"]}

    def __init__(self, max_turns=20, **kw):
        super().__init__(max_turns=max_turns, **kw)

    def reset(self, seed=None):
        rng = random.Random(seed)
        fleet = {}
        numbers = iter(rng.sample(range(100, 999), 18))
        for region, depots in self.REGIONS.items():
            fleet[region] = {d: {"vans": {f"V{next(numbers)}": {"km": rng.randrange(12000, 98000), "state": {"service": "ok", "driver": None}} for _ in range(3)}} for d in depots}
        self._state = {"fleet": fleet, "notes": {}}
        region = rng.choice(sorted(fleet))
        depot = rng.choice(sorted(fleet[region]))
        vans = fleet[region][depot]["vans"]
        worn = max(vans, key=lambda v: vans[v]["km"])
        region2 = rng.choice([r for r in sorted(fleet) if r != region])
        depot2 = rng.choice(sorted(fleet[region2]))
        vans2 = fleet[region2][depot2]["vans"]
        young = min(vans2, key=lambda v: vans2[v]["km"])
        driver = rng.choice(["Kofi", "Lena", "Marek", "Nils", "Oana", "Priya"])
        self.where = (region, depot, worn, region2, depot2, young, driver)
        crew = ["Kofi", "Lena", "Marek", "Nils", "Oana", "Priya"]
        self._tools = {
            "list_depots": {"description": "Depots of a region.", "parameters": {"type": "object", "properties": {"region": {"type": "string", "enum": sorted(self.REGIONS)}}, "required": ["region"]}},
            "list_vans": {"description": "Vans of a depot.", "parameters": {"type": "object", "properties": {"region": {"type": "string"}, "depot": {"type": "string"}}, "required": ["region", "depot"]}},
            "set_service": {"description": "Set the service state of a van.", "parameters": {"type": "object", "properties": {
                "van": {"type": "string"}, "service": {"type": "string", "enum": ["ok", "inspection", "repair", "scrap"]}}, "required": ["van", "service"]}},
            "assign_driver": {"description": "Assign a driver to a van.", "parameters": {"type": "object", "properties": {"van": {"type": "string"}, "driver": {"type": "string", "enum": crew}}, "required": ["van", "driver"]}},
        }
        self._user_messages = [
            f"Send the van with the most kilometres at {depot} ({region}) to inspection.",
            f"{driver} starts today at {depot2} ({region2}): assign the van with the fewest kilometres there.",
            f"The inspection of the first van found a crack. It needs repair now; all other vans stay as they are.",
        ]

        def van(s, r, d, v):
            return s.get("fleet", {}).get(r, {}).get(d, {}).get("vans", {}).get(v, {}).get("state", {})

        def others_ok(s):
            return all(x.get("state", {}).get("service") == "ok" for r in s.get("fleet", {}).values() for d in r.values()
                       for k, x in d.get("vans", {}).items() if k != worn)

        self._message_criteria = [
            lambda s: van(s, region, depot, worn).get("service") == "inspection",
            lambda s: van(s, region2, depot2, young).get("driver") == driver,
            lambda s: van(s, region, depot, worn).get("service") == "repair" and others_ok(s),
        ]
        return "Fleet office. " + self._user_messages[0] + " Answer <answer>done</answer> when there are no more requests.", {"requests": 3}

    def _find(self, van):
        for region in self._state["fleet"].values():
            for depot in region.values():
                if van in depot["vans"]:
                    return depot["vans"][van]["state"]
        return None

    def tool_list_depots(self, region):
        return json.dumps(list(self._state["fleet"][region]))

    def tool_list_vans(self, region, depot):
        try:
            vans = self._state["fleet"][region][depot]["vans"]
        except KeyError:
            return json.dumps({"error": "no such depot"})
        return json.dumps({k: {"km": v["km"], **v["state"]} for k, v in vans.items()})

    def tool_set_service(self, van, service):
        state = self._find(van)
        if state is None:
            return json.dumps({"error": "no such van"})
        state["service"] = service
        return json.dumps({"van": van, **state})

    def tool_assign_driver(self, van, driver):
        state = self._find(van)
        if state is None:
            return json.dumps({"error": "no such van"})
        state["driver"] = driver
        return json.dumps({"van": van, **state})

    def solution(self):
        r, d, worn, r2, d2, young, driver = self.where
        calls = [("list_depots", {"region": r}), ("list_vans", {"region": r, "depot": d}), ("set_service", {"van": worn, "service": "inspection"}),
                 ("list_vans", {"region": r2, "depot": d2}), ("assign_driver", {"van": young, "driver": driver}), ("set_service", {"van": worn, "service": "repair"})]
        return ["<tool_call>%s</tool_call>" % json.dumps({"name": n, "arguments": a}) for n, a in calls] + ["<answer>done</answer>"]
