"""Shared household account: amounts have to be worked out before they are transferred."""
import json
import random


class HouseholdBankEnv(ToolUseBaseEnv):

    def __init__(self, max_turns=22, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        who = rng.sample(["Elin", "Marco", "Priya", "Sven", "Tess", "Umar"], 3)
        self.me, self.a, self.b = who
        iban = {p: f"XB{rng.randint(10, 99)}{rng.randint(100000, 999999)}" for p in who}
        rent = rng.randint(60, 120) * 12
        self.share = rent // 3
        meter_old = rng.randint(1000, 4000)
        used = rng.randint(90, 320)
        price = rng.choice([0.25, 0.3, 0.4, 0.5])
        self.power = round(used * price, 2)
        self._state = {
            "iban": iban,
            "balances": {p: rng.randint(4000, 9000) for p in who},
            "bills": {"rent": {"total": rent, "split": "three equal parts"},
                      "power": {"meter_before": meter_old, "meter_now": meter_old + used, "price_per_kwh": price}},
            "transfers": [],
            "standing": None,
        }
        self.day = rng.randint(1, 28)
        self._user_messages = [
            f"Hi, I am {self.me}. Please pay my third of the rent to {self.a}.",
            f"{self.b} paid the whole power bill. Send {self.b} the full amount of it, I take it on me this time.",
            f"And make the rent a standing order: the same amount to {self.a}, on day {self.day} of every month.",
        ]
        paid = lambda s, to, amount: any(t["to"] == s["iban"][to] and abs(t["amount"] - amount) < 0.005 for t in s["transfers"])
        self._message_criteria = [
            lambda s: paid(s, self.a, self.share),
            lambda s: paid(s, self.b, self.power),
            lambda s: s["standing"] == (s["iban"][self.a], float(self.share), self.day),
        ]
        string, amount = {"type": "string"}, {"type": "number", "exclusiveMinimum": 0}
        self._tools = {
            "get_bill": {"description": "Details of a bill.", "parameters": {"type": "object", "properties": {"name": {"type": "string", "enum": ["rent", "power"]}}, "required": ["name"]}},
            "lookup_account": {"description": "Account number of a flatmate.", "parameters": {"type": "object", "properties": {"person": string}, "required": ["person"]}},
            "transfer": {"description": "Transfer money now.", "parameters": {"type": "object", "properties": {"to": string, "amount": amount, "text": string}, "required": ["to", "amount"]}},
            "standing_order": {"description": "Create or replace the standing order.", "parameters": {
                "type": "object", "properties": {"to": string, "amount": amount, "day": {"type": "integer", "minimum": 1, "maximum": 28}}, "required": ["to", "amount", "day"]}},
            "balance": {"description": "Balance of your account.", "parameters": {"type": "object", "properties": {}}},
        }
        return "You are the teller of a small bank and help flatmates with their bills.\n\n" + self._user_messages[0], {}

    def tool_get_bill(self, name):
        return json.dumps(self._state["bills"][name])

    def tool_lookup_account(self, person):
        return self._state["iban"].get(person.strip().title(), "Error: nobody of that name lives here.")

    def tool_transfer(self, to, amount, text=""):
        if to not in self._state["iban"].values():
            return "Error: unknown account."
        if amount <= 0 or amount > self._state["balances"][self.me]:
            return "Error: the amount is not covered."
        self._state["balances"][self.me] = round(self._state["balances"][self.me] - amount, 2)
        self._state["transfers"].append({"to": to, "amount": float(amount), "text": text})
        return f"Transferred {amount:.2f}."

    def tool_standing_order(self, to, amount, day):
        if to not in self._state["iban"].values():
            return "Error: unknown account."
        self._state["standing"] = (to, float(amount), day)
        return f"Standing order set: {amount:.2f} on day {day}."

    def tool_balance(self):
        return f"{self._state['balances'][self.me]:.2f}"

    def solution(self):
        i = self._state["iban"]
        plan = [("get_bill", {"name": "rent"}), ("lookup_account", {"person": self.a}),
                ("transfer", {"to": i[self.a], "amount": self.share, "text": "rent"}),
                ("get_bill", {"name": "power"}), ("lookup_account", {"person": self.b}),
                ("transfer", {"to": i[self.b], "amount": self.power}),
                ("standing_order", {"to": i[self.a], "amount": self.share, "day": self.day})]
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in plan] + ["<answer>done</answer>"]
