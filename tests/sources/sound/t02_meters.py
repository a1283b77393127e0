import json
import random


class MeterReadingEnv(ToolUseBaseEnv):
    """Add up consumption over the meters of a tenant, with one meter that was replaced in between."""

    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        r = random.Random(seed)
        self.flats = {f"flat {n}": [] for n in r.sample(range(1, 40), 4)}
        self.readings = {}
        for flat in self.flats:
            for number in r.sample(range(100000, 999999), 3):
                first = r.randint(1000, 9000)
                self.readings[f"M{number}"] = (first, first + r.randint(120, 1500))
                self.flats[flat].append(f"M{number}")
        self.flat = r.choice(list(self.flats))
        self.tariff = r.randint(21, 48)
        units = sum(b - a for a, b in (self.readings[m] for m in self.flats[self.flat]))
        self._expected_answer = round(units * self.tariff / 100, 2)
        self._state = {"flats": self.flats, "readings": self.readings, "tariff": self.tariff}
        none = {"type": "object", "properties": {}}
        one = lambda key, about: {"type": "object", "properties": {key: {"type": "string", "description": about}}, "required": [key]}
        self._tools = {
            "meters": {"description": "Meters of a flat.", "parameters": one("flat", "such as 'flat 3'")},
            "reading": {"description": "First and last reading of the year.", "parameters": one("meter", "number of the meter")},
            "tariff": {"description": "Price of a unit in cents.", "parameters": none},
        }
        return (
            f"What does {self.flat} owe for the year? It has several meters; their units cost the same. Answer in euros, "
            "<answer>123.45</answer> being the form. Tools: <tool_call>{\"name\": ..., \"arguments\": {...}}</tool_call>, "
            "as many in one message as you like."
        ), {}

    def tool_meters(self, flat):
        return ", ".join(self.flats[flat]) if flat in self.flats else "Error: there is no such flat."

    def tool_reading(self, meter):
        if meter not in self.readings:
            return "Error: there is no such meter."
        a, b = self.readings[meter]
        return f"{meter}: {a} in January, {b} in December."

    def tool_tariff(self):
        return f"{self.tariff} cents per unit."

    def solution(self):
        wrap = lambda n, **a: "<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>"
        many = "\n".join(wrap("reading", meter=m) for m in self.flats[self.flat]) + wrap("tariff")
        return [wrap("meters", flat=self.flat), many, f"<answer>${self._expected_answer:,.2f}</answer>"]

    def hint(self):
        return "Find the meters, take the difference of both readings of each, and multiply the sum by the price."
