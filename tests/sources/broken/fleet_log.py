# expect: refuse tools.schema
# defect: two parameters are declared with the types "str" and "int", which are no JSON Schema types
import random


class FleetLogEnv(ToolUseBaseEnv):
    """Combine trip logs with fuel receipts of a small fleet."""

    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        plates = [f"{a}{b}-{n}" for a, b, n in zip(rng.sample("BDFHKM", 4), rng.sample("AEGLNP", 4), rng.sample(range(100, 999), 4))]
        self._state = {
            "drivers": dict(zip(rng.sample(["Nadia", "Oskar", "Petra", "Rui", "Selma"], 4), plates)),
            "trips": {p: [(day, rng.randint(20, 480)) for day in range(1, 8)] for p in plates},
            "fuel": {p: rng.randint(40, 180) for p in plates},
        }
        self.driver = rng.choice(sorted(self._state["drivers"]))
        self.plate = self._state["drivers"][self.driver]
        self.first, self.last = sorted(rng.sample(range(1, 8), 2))
        km = sum(d for day, d in self._state["trips"][self.plate] if self.first <= day <= self.last)
        self._expected_answer = str(km * 10 + self._state["fuel"][self.plate])
        self._tools = {
            "vehicle_of": {
                "description": "Plate of the vehicle a driver uses.",
                "parameters": {"type": "object", "properties": {"driver": {"type": "str"}}, "required": ["driver"]},
            },
            "trip_on": {
                "description": "Kilometres of a vehicle on a day of the week (1 to 7).",
                "parameters": {
                    "type": "object",
                    "properties": {"plate": {"type": "string"}, "day": {"type": "int"}},
                    "required": ["plate", "day"],
                },
            },
            "fuel_of": {
                "description": "Litres a vehicle was given this week.",
                "parameters": {"type": "object", "properties": {"plate": {"type": "string"}}, "required": ["plate"]},
            },
        }
        return (
            f"Take the kilometres of {self.driver}'s vehicle from day {self.first} to day {self.last}, both included, multiply them by 10 "
            "and add the litres of fuel of that vehicle. Use the tools and reply <answer>NUMBER</answer>."
        ), {}

    def tool_vehicle_of(self, driver):
        return str(self._state["drivers"].get(driver, "No such driver."))

    def tool_trip_on(self, plate, day):
        for number, distance in self._state["trips"].get(plate, []):
            if number == day:
                return f"{distance} km"
        return "No trip found."

    def tool_fuel_of(self, plate):
        if plate not in self._state["fuel"]:
            return "No such vehicle."
        return f"{self._state['fuel'][plate]} l"

    def solution(self):
        lines = [f"vehicle_of(driver='{self.driver}')"]
        lines += [f"trip_on(plate='{self.plate}', day={d})" for d in range(self.first, self.last + 1)]
        lines.append(f"fuel_of(plate='{self.plate}')")
        numbered = [f"{i}. {line}" for i, line in enumerate(lines, 1)]
        return "\n".join(numbered) + f"\nANSWER: {self._expected_answer}"
