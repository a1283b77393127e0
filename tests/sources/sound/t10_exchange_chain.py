import json, random
from tool_use_base_env import ToolUseBaseEnv


class ExchangeDeskEnv(ToolUseBaseEnv):
    """Convert an amount over the best of several routes; the desk rounds each leg and takes a fee."""

    CODES = ["VAL", "KRO", "DIN", "SOL", "PES"]

    def __init__(self, max_turns: int = 16, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed=seed)
        rng = random.Random(seed)
        worth = {c: rng.uniform(0.4, 9) for c in self.CODES}
        self.rates = {}
        for a in self.CODES:
            for b in self.CODES:
                if a != b:
                    self.rates[(a, b)] = round(worth[a] / worth[b] * rng.uniform(0.93, 1.0), 4)
        self.fees = {c: rng.choice([0.5, 1.0, 1.5, 2.5]) for c in self.CODES}
        self.start, self.goal = rng.sample(self.CODES, 2)
        self.amount = rng.randint(300, 2500)
        mids = [m for m in self.CODES if m not in (self.start, self.goal)]
        routes = [[self.start, self.goal]] + [[self.start, m, self.goal] for m in mids]
        self.results = {"-".join(r): self.convert(self.amount, r) for r in routes}
        self.best = max(self.results, key=lambda r: self.results[r])
        self._expected_answer = f"{self.results[self.best]:.2f}"
        self._state = {"quotes": 0}
        code = {"type": "string", "enum": self.CODES}
        self._tools = {
            "quote": {"description": "Rate and percentage fee for one direction of exchange.",
                      "parameters": {"type": "object", "properties": {"sell": code, "buy": code}, "required": ["sell", "buy"]}},
            "rules": {"description": "How an exchange is computed.", "parameters": {"type": "object", "properties": {}, "required": []}},
            "opening_hours": {"description": "When the desk is open.", "parameters": {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]}},
        }
        return (f"I have {self.amount} {self.start} and want {self.goal}. Either directly or through ONE other currency: what is the largest "
                f"amount of {self.goal} I can end up with? Two decimals, as <answer>0.00</answer>. Currencies: {', '.join(self.CODES)}."), {}

    def convert(self, amount, route):
        for a, b in zip(route, route[1:]):
            net = amount * (100 - self.fees[a]) / 100
            amount = round(net * self.rates[(a, b)] + 1e-9, 2)
        return amount

    def tool_quote(self, sell, buy):
        if sell == buy:
            return "Error: choose two different currencies."
        self._state["quotes"] += 1
        return json.dumps({"sell": sell, "buy": buy, "rate": self.rates[(sell, buy)], "fee_percent": self.fees[sell]})

    def tool_rules(self):
        return "The fee (percent of the sold amount, per sold currency) is taken first, then the rate is applied and the result rounded to cents, at every exchange."

    def tool_opening_hours(self, day):
        return "closed" if day.strip().lower().startswith("s") else "9 to 17"

    def solution(self):
        mids = [m for m in self.CODES if m not in (self.start, self.goal)]
        pairs = [(self.start, self.goal)] + [(self.start, m) for m in mids] + [(m, self.goal) for m in mids]
        calls = ["<tool_call>" + json.dumps({"name": "rules", "arguments": {}}) + "</tool_call>"]
        calls += ["<tool_call>" + json.dumps({"name": "quote", "arguments": {"sell": a, "buy": b}}) + "</tool_call>" for a, b in pairs]
        return calls + [f"<answer>{self._expected_answer}</answer>"]

    def hint(self):
        return "Read the rules once, get a quote for every leg you might use, and compare all routes to the cent before you answer."
