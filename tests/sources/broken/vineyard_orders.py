# expect: refuse determinism.replay | feasibility.witness
# defect: the cellar is a module-level table whose inner dicts the tools change, so stock sold in one episode is gone in the next one with the same seed.
import json
import random

CELLAR = {
    "Riesling": {"2019": 30, "2020": 24, "2021": 41},
    "Silvaner": {"2019": 18, "2021": 36},
    "Merlot": {"2017": 22, "2018": 27, "2020": 33},
    "Malbec": {"2016": 19, "2018": 28},
    "Grenache": {"2015": 25, "2019": 31, "2020": 29},
}
BUYERS = ["Bistro Lune", "Hotel Krone", "Taverna Elia", "Cafe Orso"]


def tool(description, required, **properties):
    return {
        "description": description,
        "parameters": {"type": "object", "properties": properties, "required": required},
    }


class VineyardOrdersEnv(ToolUseBaseEnv):
    """Orders of a wine cellar, one after another."""

    def __init__(self, max_turns=14, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._current_msg = 0
        self._state = {"cellar": CELLAR, "invoices": [], "labels": {}}
        self.buyer, self.second = rng.sample(BUYERS, 2)
        self.wine, self.other = rng.sample(sorted(CELLAR), 2)
        self.bottles = rng.randint(2, 5)
        self.more = rng.randint(2, 5)
        self.year = min(CELLAR[self.wine])
        self.last_year = max(CELLAR[self.other])
        one = [self.buyer, self.wine, self.year, self.bottles]
        two = [self.second, self.other, self.last_year, self.more]
        self._user_messages = [
            f"{self.buyer} wants {self.bottles} bottles of our oldest {self.wine}.",
            f"{self.second} orders {self.more} of the youngest {self.other}.",
            f"Label the {self.wine} of {self.year} as 'last bottles', please.",
        ]
        key = f"{self.wine} {self.year}"
        self._message_criteria = [
            lambda s: one in s["invoices"],
            lambda s: two in s["invoices"],
            lambda s: s["labels"].get(key) == "last bottles",
        ]
        wine = {"type": "string", "enum": sorted(CELLAR)}
        year = {"type": "string", "description": "Vintage, four digits"}
        self._tools = {
            "vintages": tool("Vintages of a wine with the bottles left.", ["wine"], wine=wine),
            "sell": tool(
                "Sell bottles to a buyer.", ["buyer", "wine", "year", "bottles"],
                buyer={"type": "string", "enum": BUYERS}, wine=wine, year=year,
                bottles={"type": "integer", "minimum": 1, "maximum": 12},
            ),
            "put_label": tool(
                "Put a label on a vintage.", ["wine", "year", "label"], wine=wine, year=year,
                label={"type": "string", "enum": ["new", "award", "last bottles"]},
            ),
        }
        return (
            "You keep the cellar of a vineyard. Orders come one at a time; fulfil each with the tools and finish with "
            f"<answer>done</answer>. You have {self.max_turns} turns.\n\nOrder: {self._user_messages[0]}"
        ), {}

    def tool_vintages(self, wine):
        return f"{wine}: " + ", ".join(f"{year} ({left} bottles)" for year, left in self._state["cellar"][wine].items())

    def tool_sell(self, buyer, wine, year, bottles):
        stock = self._state["cellar"][wine]
        if year not in stock:
            return f"Error: there is no {wine} of {year}."
        if stock[year] < bottles:
            return f"Error: only {stock[year]} bottles are left."
        stock[year] -= bottles
        self._state["invoices"].append([buyer, wine, year, bottles])
        return f"Sold {bottles} {wine} {year} to {buyer}; {stock[year]} left."

    def tool_put_label(self, wine, year, label):
        if year not in self._state["cellar"][wine]:
            return f"Error: there is no {wine} of {year}."
        self._state["labels"][f"{wine} {year}"] = label
        return f"{wine} {year}: {label}."

    def solution(self):
        calls = [
            ("vintages", {"wine": self.wine}),
            ("sell", {"buyer": self.buyer, "wine": self.wine, "year": self.year, "bottles": self.bottles}),
            ("vintages", {"wine": self.other}),
            ("sell", {"buyer": self.second, "wine": self.other, "year": self.last_year, "bottles": self.more}),
            ("put_label", {"wine": self.wine, "year": self.year, "label": "last bottles"}),
        ]
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in calls] + [
            "<answer>done</answer>"
        ]

    def hint(self):
        return "Ask for the vintages first; oldest means the smallest year."
