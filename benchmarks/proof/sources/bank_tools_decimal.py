# tool use (ToolUseBaseEnv), single question, Decimal arithmetic, paginated data retrieval
import json
import random
from decimal import Decimal, ROUND_HALF_UP


class BankLedgerEnv(ToolUseBaseEnv):
    """One number from many pages of transactions."""

    PAGE = 6

    def __init__(self, max_turns=30, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed=seed)
        rng = random.Random(seed)
        owners = rng.sample(["Adeyemi", "Bianchi", "Chandra", "Dubois", "Eriksen", "Fonseca", "Grabowski", "Hansen"], 5)
        self.owner = owners[0]
        accounts, rates = {}, {"EUR": "1", "NOK": f"0.0{rng.randint(800, 950)}", "PLN": f"0.2{rng.randint(100, 500)}"}
        for owner in owners:
            for _ in range(rng.randint(1, 2)):
                number = f"AC{rng.randint(10000, 99999)}"
                accounts[number] = {"owner": owner, "currency": rng.choice(sorted(rates)), "entries": []}
                for k in range(rng.randint(8, 17)):
                    cents = rng.randint(-90000, 120000)
                    accounts[number]["entries"].append(
                        {"day": k + 1, "amount": f"{Decimal(cents) / 100:.2f}", "status": rng.choice(["booked"] * 4 + ["reversed"])})
        self._state = {"accounts": accounts, "rates": rates}
        self._tools = {
            "list_accounts": {"description": "Account numbers and currencies of an owner.",
                              "parameters": {"type": "object", "properties": {"owner": {"type": "string"}}, "required": ["owner"]}},
            "get_entries": {"description": f"Entries of an account, {self.PAGE} per page; pages start at 1.",
                            "parameters": {"type": "object", "properties": {"account": {"type": "string"}, "page": {"type": "integer"}},
                                           "required": ["account", "page"]}},
            "get_rate": {"description": "Euro per unit of a currency.",
                         "parameters": {"type": "object", "properties": {"currency": {"type": "string"}}, "required": ["currency"]}},
        }
        self._expected_answer = str(self._total())
        return (
            f"What do all booked entries (reversed ones do not count) on all accounts of {self.owner} add up to, in euro? Add per "
            "account in its own currency, convert the sum with the bank's rate, round each account to the cent (half away from "
            "zero), then add. Use the tools with <tool_call>{\"name\": ..., \"arguments\": {...}}</tool_call>: list_accounts(owner), "
            "get_entries(account, page), get_rate(currency). Finally <answer>1234.56</answer>. "
            f"You have {self.max_turns} turns."
        ), {}

    def _total(self):
        total = Decimal(0)
        for account in self._state["accounts"].values():
            if account["owner"] == self.owner:
                booked = sum((Decimal(e["amount"]) for e in account["entries"] if e["status"] == "booked"), Decimal(0))
                rate = Decimal(self._state["rates"][account["currency"]])
                total += (booked * rate).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
        return total

    def tool_list_accounts(self, owner):
        found = [f"{n} ({a['currency']})" for n, a in self._state["accounts"].items() if a["owner"].lower() == owner.lower()]
        return "; ".join(found) or "No account of that owner."

    def tool_get_entries(self, account, page):
        data = self._state["accounts"].get(account)
        if data is None:
            return "Unknown account number."
        pages = -(-len(data["entries"]) // self.PAGE)
        if not 1 <= page <= pages:
            return f"This account has pages 1 to {pages}."
        rows = data["entries"][(page - 1) * self.PAGE: page * self.PAGE]
        return json.dumps({"page": page, "pages": pages, "entries": rows})

    def tool_get_rate(self, currency):
        return self._state["rates"].get(currency.upper(), "The bank does not trade this currency.")

    def solution(self):
        calls = [("list_accounts", {"owner": self.owner})]
        for number, account in self._state["accounts"].items():
            if account["owner"] == self.owner:
                pages = -(-len(account["entries"]) // self.PAGE)
                calls += [("get_entries", {"account": number, "page": p + 1}) for p in range(pages)]
                calls.append(("get_rate", {"currency": account["currency"]}))
        out = ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in calls]
        return out + [f"<answer>{self._expected_answer}</answer>"]

    def hint(self):
        return "Find the accounts first, read every page, drop what was reversed, and convert only at the end."
