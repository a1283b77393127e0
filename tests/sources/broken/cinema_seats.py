# expect: refuse feasibility.witness | tools.broken
# defect: the hall is kept as a generator, which the first reservation uses up, so the second reservation never finds its seat
import json
import random


class CinemaSeatsEnv(ToolUseBaseEnv):
    """Reserve seats that satisfy the customers' wishes."""

    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        seats = {}
        for row in "ABCDE":
            for number in rng.sample(range(10, 40), 4):
                seats[f"{row}{number}"] = {
                    "price": rng.randint(60, 190) / 10, "aisle": rng.random() < 0.4, "holder": None, "zone": rng.choice(["front", "rear"])}
        self._state = {"seats": seats}
        self.open_seats = (code for code in list(seats))
        self.people = rng.sample(["Ilse", "Jarek", "Kirsi", "Loic", "Mette"], 2)
        self.zones = rng.sample(["front", "rear"], 2)
        self.picks = []
        for person, zone in zip(self.people, self.zones):
            pool = [c for c, s in seats.items() if s["zone"] == zone]
            self.picks.append(min(pool, key=lambda c: (seats[c]["price"], c)))
        self._user_messages = [
            f"{p} wants the cheapest seat in the {z} of the hall; of equally cheap ones the first by code."
            for p, z in zip(self.people, self.zones)
        ]
        self._message_criteria = [
            (lambda s, c=c, p=p: s["seats"][c]["holder"] == p) for c, p in zip(self.picks, self.people)
        ]
        self._tools = {
            "seat_map": {"description": "Seats of a zone with prices.", "parameters": {
                "type": "object", "properties": {"zone": {"type": "string", "enum": ["front", "rear"]}}, "required": ["zone"]}},
            "reserve": {"description": "Reserve a seat for a person.", "parameters": {
                "type": "object", "properties": {"seat": {"type": "string"}, "person": {"type": "string"}}, "required": ["seat", "person"]}},
            "release": {"description": "Give a seat back.", "parameters": {
                "type": "object", "properties": {"seat": {"type": "string"}}, "required": ["seat"]}},
        }
        return "Cinema counter; end with <answer>done</answer>.\n" + self._user_messages[0], {}

    def tool_seat_map(self, zone):
        rows = [f"{c} {s['price']}{' aisle' if s['aisle'] else ''}{' taken' if s['holder'] else ''}"
                for c, s in self._state["seats"].items() if s["zone"] == zone]
        return "\n".join(rows)

    def tool_reserve(self, seat, person):
        known = sorted(self.open_seats)
        if seat not in known:
            return f"Error: {seat!r} is no seat of this hall."
        if self._state["seats"][seat]["holder"]:
            return "Error: taken."
        self._state["seats"][seat]["holder"] = person
        return f"{seat} is reserved for {person}."

    def tool_release(self, seat):
        if seat not in self._state["seats"]:
            return "Error: unknown seat."
        self._state["seats"][seat]["holder"] = None
        return "Released."

    def solution(self):
        out = []
        for person, zone, seat in zip(self.people, self.zones, self.picks):
            out.append({"name": "seat_map", "arguments": {"zone": zone}})
            out.append({"name": "reserve", "arguments": {"seat": seat, "person": person}})
        return [f"<tool_call>{json.dumps(c)}</tool_call>" for c in out] + ["<answer>done</answer>"]
