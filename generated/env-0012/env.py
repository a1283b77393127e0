"""Flower auction invoice: choose between look-alike sources of prices, counts and terms, and total one buyer's day."""

import json
import random

CLOCKS = ["A", "B", "C"]
DAYS = ["Monday", "Tuesday", "Wednesday"]
FLOWERS = ["anemone", "calla", "freesia", "gerbera", "iris", "lily", "peony", "ranunculus", "rose", "statice", "tulip"]
FAMILIES = ["Aalders", "Bakker", "Cuypers", "Dekker", "Evers", "Franken", "Groot", "Hoekstra", "Jonker", "Kuipers"]
FIRMS = ["Blooms", "Cut Flowers", "Florists", "Flower Export", "Bouquets"]
TOWNS = ["Almelo", "Breda", "Delft", "Ede", "Gouda", "Hoorn", "Lisse", "Meppel", "Sneek", "Tiel", "Venlo", "Zwolle"]
GROWERS = ["Noordhof", "Oosterlaan", "Westkas", "Zuiderduin", "Middelveld", "Lagewaard"]


def tool(about, **arguments):
    """Schema of a tool; an argument is its text alone, or its text and its choices. All are required."""
    fields = {}
    for name, (text, *choices) in arguments.items():
        fields[name] = {"type": "string", "description": text, **({"enum": choices[0]} if choices else {})}
    return {"description": about, "parameters": {"type": "object", "properties": fields, "required": list(fields)}}


SALE = {"clock": ("Auction clock", CLOCKS), "day": ("Day of the sale", DAYS)}
BUYER, LOT = ("Number of the buyer, as find_buyer gives it",), ("Number of the lot",)
TOOLS = {
    "find_buyer": tool("Buyers registered in a town: number and firm.", town=("Name of the town",)),
    "lot_announcements": tool("Lots of one clock and day as put up before the sale, with the price asked.", **SALE),
    "clock_results": tool("Lots of one clock and day as knocked down: price a stem, buckets and buyer.", **SALE),
    "grower_label": tool("What the grower wrote on a lot: flower and stems in each bucket.", lot_id=LOT),
    "inspection_note": tool("What the inspectors counted in the buckets of a lot, if they opened them.", lot_id=LOT),
    "house_terms": tool("Terms of the auction house for buyers without an agreement of their own."),
    "agreed_terms": tool("Terms that one buyer has agreed with the auction house, if any.", buyer_id=BUYER),
    "bucket_account": tool("Buckets that a buyer handed back, day by day.", buyer_id=BUYER),
}


class FlowerInvoiceEnv(ToolUseBaseEnv):  # noqa: F821 - supplied when the source is loaded
    """Trains the choice between tools that answer nearly the same question.

    Announced or paid price, declared or counted stems, the house's terms or the buyer's own: which one is right depends
    on the case, lot by lot. Two firms of one family share a town, sales are annulled, and other days lie next to the
    one in question. The total is shown nowhere.
    """

    def __init__(self, max_turns=30, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    # ---------------------------------------------------------------- instances

    def _terms(self, rng):
        """Commission in tenths of a per cent, then cents for each lot and for each bucket."""
        return {"commission": rng.randint(21, 89), "lot": rng.randint(65, 245), "bucket": rng.randint(110, 495)}

    def _buyers(self, rng):
        """Eighteen buyers; the town in question has two firms of the family that is asked about, and two more."""
        family, town = rng.choice(FAMILIES), rng.choice(TOWNS)
        firms = rng.sample(FIRMS, 2)
        others = [name for name in FAMILIES if name != family]
        rows = [(family, firm, town) for firm in firms] + [(rng.choice(others), firm, town) for firm in firms]
        rows += [(rng.choice(others), rng.choice(FIRMS), place) for place in TOWNS if place != town]
        rows += [(family, firms[0], rng.choice([place for place in TOWNS if place != town])) for _ in range(3)]
        numbers = rng.sample(range(1000, 9999), len(rows))
        buyers = {
            f"B{number}": {
                "called": f"{name} {firm}", "town": place, "agreed": self._terms(rng) if rng.random() < 0.6 else None,
                "returned": {day: rng.randint(1, 9) for day in DAYS},
            }
            for number, (name, firm, place) in zip(numbers, rows)
        }
        self._buyer, self._twin = f"B{numbers[0]}", f"B{numbers[1]}"
        return dict(sorted(buyers.items()))

    def _lots(self, rng, buyers):
        """Nine lots for every clock and day; the buyer in question takes two or three of them on every clock."""
        numbers = iter(rng.sample(range(10000, 99999), 81))
        strangers = [key for key in buyers if key not in (self._buyer, self._twin)]
        lots = {}
        for clock in CLOCKS:
            for day in DAYS:
                holders = [self._buyer] * rng.randint(1, 3) + [self._twin] * rng.randint(1, 2)
                holders += [rng.choice(strangers) for _ in range(9 - len(holders))]
                for holder in rng.sample(holders, 9):
                    asked, stems = rng.randint(14, 88), rng.choice([20, 25, 30, 40, 50, 60, 80])
                    lots[f"L{next(numbers)}"] = {
                        "clock": clock, "day": day, "flower": rng.choice(FLOWERS), "grower": rng.choice(GROWERS),
                        "buckets": rng.randint(2, 9), "buyer": holder, "annulled": rng.random() < 0.2,
                        "asked": asked, "price": max(9, asked + rng.randint(-12, 15)), "stems": stems,
                        "counted": stems - rng.randint(1, 9) if rng.random() < 0.6 else None,
                    }
        return lots

    def reset(self, seed=None):
        rng = random.Random(seed)
        self._day = rng.choice(DAYS)
        mine = []
        while not (3 <= len(mine) <= 5 and len({lot["counted"] is None for lot in mine}) == 2):
            buyers = self._buyers(rng)
            lots = self._lots(rng, buyers)
            sales = {key: lot for key, lot in lots.items() if (lot["buyer"], lot["day"]) == (self._buyer, self._day)}
            mine = [lot for lot in sales.values() if not lot["annulled"]]
        self._state = {"buyers": buyers, "lots": lots, "house": self._terms(rng)}
        self._mine = [key for key, lot in sales.items() if not lot["annulled"]]
        # No whole number of euros, which could be guessed, and no tie in rounding.
        while not 2 < self._cents() % 100 < 97 or abs(self._cents() % 1 - 0.5) < 0.05:
            self._state["house"] = self._terms(rng)
            buyers[self._buyer]["agreed"] = buyers[self._buyer]["agreed"] and self._terms(rng)
        self.turn_count, self._call_history, self._tools = 0, [], TOOLS
        self._expected_answer = f"{round(self._cents()) / 100:.2f}"
        return (
            f"You write invoices at a flower auction. Week {rng.randint(1, 52)}: what does "
            f"{buyers[self._buyer]['called']} of {buyers[self._buyer]['town']} owe for its purchases on {self._day}, "
            f"over the clocks {', '.join(CLOCKS)} together?\n\n"
            "For each lot, the price paid counts for every stem that was in the buckets: as counted where the buckets "
            "were opened, as declared where they were not. An annulled sale does not exist. The sum of these gets the "
            "commission on top; then comes a fee for each lot, and a deposit for each bucket bought on the day less "
            "one for each bucket handed back on it. A buyer's own terms apply where there are any.\n\n"
            "Call tools, one or several per reply, each as\n"
            '<tool_call>{"name": "...", "arguments": {...}}</tool_call>\n'
            "and reply with euros to two decimals, rounded once at the end, for example <answer>0.00</answer> (only "
            f"the form is meant). You have {self.max_turns} turns."
        ), {}

    def _cents(self):
        """What the buyer owes, in cents."""
        buyer, lots = self._state["buyers"][self._buyer], [self._state["lots"][key] for key in self._mine]
        terms = buyer["agreed"] or self._state["house"]
        goods = sum(lot["price"] * lot["buckets"] * (lot["counted"] or lot["stems"]) for lot in lots)
        buckets = sum(lot["buckets"] for lot in lots) - buyer["returned"][self._day]
        return goods * (1000 + terms["commission"]) / 1000 + terms["lot"] * len(lots) + terms["bucket"] * buckets

    # ---------------------------------------------------------------- tools

    def _sale(self, clock, day):
        return [(key, lot) for key, lot in self._state["lots"].items() if (lot["clock"], lot["day"]) == (clock, day)]

    def _terms_text(self, terms):
        lot, bucket = terms["lot"] / 100, terms["bucket"] / 100
        return f"commission {terms['commission'] / 10} %, fee {lot:.2f} euros a lot, deposit {bucket:.2f} a bucket"

    def tool_find_buyer(self, town):
        rows = [f"{key}: {buyer['called']}" for key, buyer in self._state["buyers"].items() if buyer["town"] == town]
        return "\n".join(rows) or "Error: no buyer is registered in such a town."

    def tool_lot_announcements(self, clock, day):
        return "\n".join(
            f"{key}: {lot['flower']} by {lot['grower']}, {lot['buckets']} buckets, asks {lot['asked']} ct a stem"
            for key, lot in self._sale(clock, day)
        )

    def tool_clock_results(self, clock, day):
        return "\n".join(
            f"{key}: {lot['price']} ct a stem, {lot['buckets']} buckets, to {lot['buyer']}"
            f"{', annulled' if lot['annulled'] else ''}"
            for key, lot in self._sale(clock, day)
        )

    def tool_grower_label(self, lot_id):
        lot = self._state["lots"].get(lot_id)
        if lot is None:
            return "Error: no lot has that number."
        return f"{lot_id}: {lot['flower']} by {lot['grower']}, declared as {lot['stems']} stems in each bucket."

    def tool_inspection_note(self, lot_id):
        lot = self._state["lots"].get(lot_id)
        if lot is None:
            return "Error: no lot has that number."
        return f"{lot_id}: " + (f"{lot['counted']} stems in each bucket." if lot["counted"] else "buckets not opened.")

    def tool_house_terms(self):
        return f"Without an agreement: {self._terms_text(self._state['house'])}."

    def tool_agreed_terms(self, buyer_id):
        buyer = self._state["buyers"].get(buyer_id)
        if buyer is None:
            return "Error: no buyer has that number."
        return f"{buyer_id}: {self._terms_text(buyer['agreed']) if buyer['agreed'] else 'nothing was agreed'}."

    def tool_bucket_account(self, buyer_id):
        buyer = self._state["buyers"].get(buyer_id)
        if buyer is None:
            return "Error: no buyer has that number."
        return f"{buyer_id} handed back: " + ", ".join(f"{day} {count}" for day, count in buyer["returned"].items())

    # ---------------------------------------------------------------- the way through

    def solution(self):
        """Buyer, results of all clocks, a count for every lot, then terms and buckets."""
        buyer = self._state["buyers"][self._buyer]
        plan = [("find_buyer", {"town": buyer["town"]})]
        plan += [("clock_results", {"clock": clock, "day": self._day}) for clock in CLOCKS]
        for key in self._mine:
            plan.append(("inspection_note", {"lot_id": key}))
            if not self._state["lots"][key]["counted"]:
                plan.append(("grower_label", {"lot_id": key}))
        plan += [("agreed_terms", {"buyer_id": self._buyer}), ("bucket_account", {"buyer_id": self._buyer})]
        if not buyer["agreed"]:
            plan.append(("house_terms", {}))
        calls = [json.dumps({"name": name, "arguments": arguments}) for name, arguments in plan]
        return [f"<tool_call>{call}</tool_call>" for call in calls] + [f"<answer>{self._expected_answer}</answer>"]

    def hint(self):
        return (
            "Read the descriptions of tools that look alike against the task, and ask which of them says what was "
            "really paid, found or settled; fall back on the other one only where that has nothing. Take the firm "
            "whose whole name fits, and go through every clock for its number, leaving out what was undone. Several "
            "calls fit into one reply. Write one line per lot, add up in cents, put the percentage on, then fees and "
            "deposits, and round once. Answer with a plain number to two decimals in answer tags."
        )
