# expect: refuse tools.schema | tools.broken
# defect: the schema of convert_currency calls its parameters amount and currency, the method takes amount and to_currency: every call by the schema fails.
import json
import random

PORTS = ["Bergen", "Cadiz", "Dover", "Esbjerg", "Ferrol", "Gdansk"]
RATES = {"EUR": 100, "NOK": 1150, "DKK": 746, "PLN": 430}


class FreightQuotesEnv(ToolUseBaseEnv):
    """Read-then-write: compare freight quotes and book the cheapest that arrives in time."""

    def __init__(self, max_turns=18, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count, self._call_history, self._current_msg = 0, [], 0
        while True:
            self.origin, self.target = rng.sample(PORTS, 2)
            quotes = {}
            for number in rng.sample(range(100, 999), 10):
                origin, target = (self.origin, self.target) if len(quotes) < 5 else rng.sample(PORTS, 2)
                quotes[f"Q-{number}"] = {
                    "from": origin, "to": target, "price": rng.randint(210, 940), "days": rng.randint(3, 14),
                }
            self.limit = rng.randint(6, 10)
            fitting = sorted(
                (q["price"], key) for key, q in quotes.items()
                if (q["from"], q["to"]) == (self.origin, self.target) and q["days"] <= self.limit
            )
            if len(fitting) >= 2 and fitting[0][0] < fitting[1][0]:
                break
        self.best = fitting[0][1]
        self._state = {"quotes": quotes, "booked": None, "insured": []}
        best = self.best
        self._user_messages = [
            f"Book the cheapest quote from {self.origin} to {self.target} that takes at most {self.limit} days.",
            "Insure that booking too.",
        ]
        self._message_criteria = [lambda s: s["booked"] == best, lambda s: best in s["insured"]]
        port, quote = {"type": "string", "enum": PORTS}, {"type": "string", "description": "Quote number"}
        self._tools = {
            "search_quotes": self._spec("Quotes between two ports with their prices.", origin=port, target=port),
            "quote_days": self._spec("How many days a quote takes.", quote=quote),
            "book_quote": self._spec("Book a quote; replaces an earlier booking.", quote=quote),
            "insure_quote": self._spec("Insure the shipment of a quote.", quote=quote),
            "convert_currency": self._spec(
                "What an amount of euro is in another currency. Changes nothing.",
                amount={"type": "integer", "minimum": 1},
                currency={"type": "string", "enum": sorted(RATES)},
            ),
        }
        return (
            "You arrange freight with tools, several calls per reply if you like, and finish with "
            f"<answer>done</answer>. Turns: {self.max_turns}. All prices are in euro.\n\n{self._user_messages[0]}"
        ), {}

    @staticmethod
    def _spec(description, **properties):
        return {
            "description": description,
            "parameters": {"type": "object", "properties": properties, "required": list(properties)},
        }

    def tool_search_quotes(self, origin, target):
        rows = [
            f"{key}: {q['price']} EUR" for key, q in self._state["quotes"].items()
            if q["from"] == origin and q["to"] == target
        ]
        return "\n".join(rows) or "No quotes."

    def tool_quote_days(self, quote):
        if quote not in self._state["quotes"]:
            return "Error: unknown quote."
        return f"{quote} takes {self._state['quotes'][quote]['days']} days."

    def tool_book_quote(self, quote):
        if quote not in self._state["quotes"]:
            return "Error: unknown quote."
        self._state["booked"] = quote
        return f"{quote} is booked."

    def tool_insure_quote(self, quote):
        if self._state["booked"] != quote:
            return "Error: only the booked quote can be insured."
        self._state["insured"].append(quote)
        return f"{quote} is insured."

    def tool_convert_currency(self, amount, to_currency):
        return f"{amount} EUR are {amount * RATES[to_currency] / 100:.2f} {to_currency}."

    def solution(self):
        route = [
            key for key, q in self._state["quotes"].items() if (q["from"], q["to"]) == (self.origin, self.target)
        ]
        calls = [("search_quotes", {"origin": self.origin, "target": self.target})]
        calls += [("quote_days", {"quote": key}) for key in route]
        calls += [("book_quote", {"quote": self.best}), ("insure_quote", {"quote": self.best})]
        texts = [json.dumps({"name": name, "arguments": arguments}) for name, arguments in calls]
        return [f"<tool_call>{text}</tool_call>" for text in texts] + ["<answer>done</answer>"]

    def hint(self):
        return "The search tells prices only; ask for the days of each quote on the route before you book."
