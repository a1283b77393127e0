import random


class ParcelChainEnv(ToolUseBaseEnv):
    """Single task whose answer, a locker number, appears in the last tool output of a chain of look-ups."""

    def __init__(self, max_turns=16, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        streets = ["Ash Lane", "Birch Row", "Cedar Walk", "Elm Rise", "Fir Close", "Hazel Way"]
        people = rng.sample(["Adler", "Brook", "Cross", "Dale", "Evans", "Frost", "Grant", "Hunt", "Irwin", "Jones", "Keller", "Lamb"], 10)
        addresses = [f"{rng.randint(1, 80)} {rng.choice(streets)}" for _ in people]
        codes = [f"{rng.choice('KLMNP')}{n}" for n in rng.sample(range(10000, 99999), 40)]
        lockers = [f"L-{n}" for n in rng.sample(range(100, 999), 40)]
        parcels = {}
        for i, code in enumerate(codes):
            parcels[code] = {"to": people[i % 10], "from": rng.choice(people), "grams": rng.randint(80, 9000), "locker": lockers[i]}
        self._state = {"people": dict(zip(people, addresses)), "parcels": parcels}
        self.person = rng.choice(people)
        self.heavy = rng.choice([True, False])
        mine = [c for c in codes if parcels[c]["to"] == self.person]
        self.pick = (max if self.heavy else min)(mine, key=lambda c: parcels[c]["grams"])
        self._expected_answer = parcels[self.pick]["locker"]
        self._tools = {
            "resident_at": {"description": "Who lives at an address.", "parameters": {"type": "object", "properties": {"address": {"type": "string"}}, "required": ["address"]}},
            "parcels_for": {"description": "Codes of the parcels addressed to a person.", "parameters": {"type": "object", "properties": {"person": {"type": "string"}}, "required": ["person"]}},
            "weigh": {"description": "Weight of a parcel.", "parameters": {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}},
            "locate": {"description": "Locker in which a parcel lies.", "parameters": {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}},
        }
        self.codes = mine
        return (
            f"Someone at {self._state['people'][self.person]} asks where the {'heaviest' if self.heavy else 'lightest'} parcel addressed to them lies. "
            "Find the locker with the tools and reply <answer>LOCKER</answer>. A wrong locker may be corrected, as long as turns are left."
        ), {}

    def tool_resident_at(self, address):
        found = [p for p, a in self._state["people"].items() if a.lower() == address.strip().lower()]
        return ", ".join(found) if found else "Nobody is registered there."

    def tool_parcels_for(self, person):
        found = [c for c, p in self._state["parcels"].items() if p["to"].lower() == person.strip().lower()]
        return " ".join(found) if found else "No parcels."

    def tool_weigh(self, code):
        parcel = self._state["parcels"].get(code)
        return f"{code} weighs {parcel['grams']} g." if parcel else "No such parcel."

    def tool_locate(self, code):
        parcel = self._state["parcels"].get(code)
        return f"{code} lies in {parcel['locker']}." if parcel else "No such parcel."

    def solution(self):
        tags = lambda name, key, value: '<tool_call>{"name": "%s", "arguments": {"%s": "%s"}}</tool_call>' % (name, key, value)
        return [
            tags("resident_at", "address", self._state["people"][self.person]),
            tags("parcels_for", "person", self.person),
            "\n".join(tags("weigh", "code", c) for c in self.codes),
            tags("locate", "code", self.pick),
            f"<answer>{self._expected_answer}</answer>",
        ]
