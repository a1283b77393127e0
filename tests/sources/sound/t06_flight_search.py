import heapq
import json
import random


class FlightSearchEnv(ToolUseBaseEnv):
    """Cheapest itinerary with a minimum connection time; flights are listed airport by airport."""

    AIRPORTS = ["AKX", "BLO", "CET", "DRU", "EMN", "FYS", "GHI"]

    def __init__(self, max_turns=16, **kwargs):
        self.min_connection = 45
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        while True:
            flights = []
            for number in rng.sample(range(100, 999), 34):
                a, b = rng.sample(self.AIRPORTS, 2)
                dep = rng.randint(5 * 60, 18 * 60)
                flights.append({"no": f"ZQ{number}", "from": a, "to": b, "dep": dep, "arr": dep + rng.randint(45, 170), "fare": rng.randint(39, 320)})
            self.origin, self.goal = rng.sample(self.AIRPORTS, 2)
            flights = [f for f in flights if (f["from"], f["to"]) != (self.origin, self.goal)]
            best = self._cheapest(flights)
            if best and len(best[1]) >= 2:
                break
        self._state = {"flights": sorted(flights, key=lambda f: f["no"]), "lookups": 0}
        self.best_fare, self.legs = best
        self._expected_answer = str(self.best_fare)
        self._tools = {
            "departures": {
                "description": "All flights that leave an airport today, with times and fares.",
                "parameters": {"type": "object", "properties": {"airport": {"type": "string", "enum": self.AIRPORTS}}, "required": ["airport"]},
            },
            "airport_info": {
                "description": "Name of an airport and minimum connection time in minutes.",
                "parameters": {"type": "object", "properties": {"airport": {"type": "string", "enum": self.AIRPORTS}}, "required": ["airport"]},
            },
        }
        return (f"What does the cheapest trip from {self.origin} to {self.goal} cost today in total? Connections need the minimum connection "
                "time of the airports (it is the same everywhere here). Answer with the whole number, <answer>N</answer>."), {}

    def _cheapest(self, flights):
        heap = [(0, 0, self.origin, [])]
        tick = 0
        while heap:
            cost, _, where, legs = heapq.heappop(heap)
            if where == self.goal:
                return cost, legs
            ready = legs[-1]["arr"] + self.min_connection if legs else 0
            for f in flights:
                if f["from"] == where and f["dep"] >= ready and all(f["to"] != g["from"] for g in legs):
                    tick += 1
                    heapq.heappush(heap, (cost + f["fare"], tick, f["to"], legs + [f]))
        return None

    @staticmethod
    def _clock(m):
        return f"{m // 60:02d}:{m % 60:02d}"

    def tool_departures(self, airport):
        self._state["lookups"] += 1
        rows = [f"{f['no']}  {airport} {self._clock(f['dep'])} -> {f['to']} {self._clock(f['arr'])}  fare {f['fare']}"
                for f in sorted(self._state["flights"], key=lambda f: f["dep"]) if f["from"] == airport]
        return "\n".join(rows) or "No departures."

    def tool_airport_info(self, airport):
        return json.dumps({"code": airport, "name": f"{airport.title()} Regional", "min_connection": self.min_connection})

    def solution(self):
        acts = [f'<tool_call>{{"name": "departures", "arguments": {{"airport": "{a}"}}}}</tool_call>' for a in self.AIRPORTS]
        acts.insert(0, f'<tool_call>{{"name": "airport_info", "arguments": {{"airport": "{self.origin}"}}}}</tool_call>')
        return acts + [f"<answer>{self.best_fare}</answer>"]

    def hint(self):
        return "Ask for the departures of every airport you can reach and keep, per airport, the pairs of arrival time and cost that are worth keeping."
