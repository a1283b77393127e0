# multi-turn tools, rebooking under constraints, dataclass records inside self, terse
import json
import random
from dataclasses import dataclass, asdict

CITIES = ["Bergen", "Porto", "Riga", "Split", "Turin", "Vigo"]


@dataclass
class Flight:
    code: str
    origin: str
    target: str
    departs: int
    seats: int


def hhmm(m):
    return f"{m // 60:02d}:{m % 60:02d}"


class RebookEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed=seed)
        rng = random.Random(seed)
        a, b, c = rng.sample(CITIES, 3)
        codes = iter(rng.sample(range(100, 999), 30))
        self.flights = {}
        for o, t in ((a, b), (b, c), (a, c)):
            for _ in range(6):
                f = Flight(f"QZ{next(codes)}", o, t, rng.randrange(6 * 60, 22 * 60, 5), rng.choice([0, 0, 1, 2, 4]))
                self.flights[f.code] = f
        p, q = rng.sample(["Ansel", "Birgit", "Dario", "Eun", "Faye", "Goran"], 2)
        refs = ["".join(rng.choices("ABCDEFGHJKLMNPQRSTUVWXYZ", k=6)) for _ in range(2)]
        ab = self.sort(a, b)
        for f in self.sort(a, b)[-1:] + self.sort(b, c)[-1:]:
            f.seats += 2
        self.after = rng.randrange(7 * 60, ab[-1].departs, 5)
        self.best1 = next(f.code for f in ab if f.departs >= self.after and f.seats)
        self.best2 = next(f.code for f in self.sort(b, c) if f.seats)
        old1 = rng.choice([f for f in ab if f.code != self.best1]).code
        old2 = rng.choice([f for f in self.sort(b, c) if f.code != self.best2]).code
        self._state = {"bookings": {refs[0]: {"name": p, "flight": old1}, refs[1]: {"name": q, "flight": old2}}}
        self.refs = refs
        s = {"type": "string"}
        self._tools = {
            "find_booking": {"description": "Booking reference and flight of a passenger.",
                             "parameters": {"type": "object", "properties": {"name": s}, "required": ["name"]}},
            "flights": {"description": "Flights between two cities with departure and free seats, unsorted.",
                        "parameters": {"type": "object", "properties": {"origin": s, "target": s}, "required": ["origin", "target"]}},
            "rebook": {"description": "Put a booking on another flight of the same route.",
                       "parameters": {"type": "object", "properties": {"reference": s, "flight": s}, "required": ["reference", "flight"]}},
        }
        self._user_messages = [
            f"Please move {p} ({a} to {b}) to the first flight with a free seat that leaves at {hhmm(self.after)} or later.",
            f"{q} flies from {b} to {c}. Take the very first flight of the day that has a seat.",
        ]
        self._message_criteria = [
            lambda st: st.get("bookings", {}).get(refs[0], {}).get("flight") == self.best1,
            lambda st: st.get("bookings", {}).get(refs[1], {}).get("flight") == self.best2,
        ]
        return self._user_messages[0] + f" (Tools: find_booking, flights, rebook. Conclude with <answer>done</answer>. {self.max_turns} turns.)", {}

    def sort(self, o, t):
        return sorted((f for f in self.flights.values() if (f.origin, f.target) == (o, t)), key=lambda f: (f.departs, f.code))

    def tool_find_booking(self, name):
        hits = [f"{r}: {b['name']}, flight {b['flight']}" for r, b in self._state["bookings"].items() if b["name"] == name]
        return "\n".join(hits) or "no booking under this name"

    def tool_flights(self, origin, target):
        rows = [asdict(f) for f in self.flights.values() if (f.origin, f.target) == (origin, target)]
        return "\n".join(f"{r['code']} {hhmm(r['departs'])} free seats: {r['seats']}" for r in rows) or "no flights on this route"

    def tool_rebook(self, reference, flight):
        booking, new = self._state["bookings"].get(reference), self.flights.get(flight)
        if not booking or not new:
            return "unknown reference or flight"
        old = self.flights[booking["flight"]]
        if (old.origin, old.target) != (new.origin, new.target):
            return "that flight is on another route"
        if not new.seats:
            return "that flight is full"
        new.seats -= 1
        old.seats += 1
        booking["flight"] = new.code
        return f"{booking['name']} is now on {new.code}"

    def solution(self):
        out = []
        for ref, code in zip(self.refs, (self.best1, self.best2)):
            f = self.flights[code]
            for name, args in (("find_booking", {"name": self._state["bookings"][ref]["name"]}),
                               ("flights", {"origin": f.origin, "target": f.target}), ("rebook", {"reference": ref, "flight": code})):
                out.append("<tool_call>" + json.dumps({"name": name, "arguments": args}) + "</tool_call>")
        return out + ["<answer>done</answer>"]
