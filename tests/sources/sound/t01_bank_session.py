"""Bank desk: sign in, find an account, add up disputed card payments."""

import random

FIRST = ["Nadia", "Piotr", "Leila", "Tomas", "Ingrid", "Kofi", "Yuki", "Marta", "Anders", "Chiara"]
LAST = ["Brandt", "Osei", "Vasquez", "Lund", "Hayashi", "Moretti", "Novak", "Byrne"]
SHOPS = ["Corner Deli", "Blue Cab", "Nordic Books", "Pixel Games", "Garden World", "City Parking", "Spa Verde"]


class BankSessionEnv(ToolUseBaseEnv):
    """Single task: the answer is a sum over transactions that match two conditions."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset()
        rng = random.Random(seed)
        people = rng.sample([f"{f} {l}" for f in FIRST for l in LAST], 12)
        ids = rng.sample(range(10000, 99999), 12)
        accounts = {}
        for number, person in zip(ids, people):
            accounts[f"AC{number}"] = {
                "owner": person,
                "payments": [
                    {"shop": rng.choice(SHOPS), "amount": round(rng.uniform(3, 240), 2), "status": rng.choice(["ok", "ok", "disputed"])}
                    for _ in range(rng.randint(8, 14))
                ],
            }
        self.target = rng.choice(sorted(accounts))
        self.pin = f"{rng.randint(1000, 9999)}"
        chosen = accounts[self.target]["payments"]
        self.shop = rng.choice(SHOPS)
        for p in rng.sample(chosen, 4):
            p.update(shop=self.shop, status="disputed")
        total = round(sum(p["amount"] for p in chosen if p["shop"] == self.shop and p["status"] == "disputed"), 2)
        self._state = {"accounts": accounts, "token": f"tok-{rng.randrange(16 ** 8):08x}", "signed_in": False}
        self._expected_answer = f"{total:.2f}"
        string = {"type": "string"}
        self._tools = {
            "sign_in": {
                "description": "Open a session. Returns a token that the other tools need.",
                "parameters": {"type": "object", "properties": {"pin": string}, "required": ["pin"]},
            },
            "find_account": {
                "description": "Account number of a customer, by full name.",
                "parameters": {"type": "object", "properties": {"token": string, "owner": string}, "required": ["token", "owner"]},
            },
            "list_payments": {
                "description": "Card payments of an account, five per page.",
                "parameters": {
                    "type": "object",
                    "properties": {"token": string, "account": string, "page": {"type": "integer", "minimum": 1}},
                    "required": ["token", "account"],
                },
            },
        }
        return (
            f"Your clerk PIN is {self.pin}. What is the total amount of the disputed payments of {accounts[self.target]['owner']} at "
            f"{self.shop}? Call tools as <tool_call>{{\"name\": ..., \"arguments\": {{...}}}}</tool_call> and give the sum as "
            "<answer>0.00</answer>."
        ), {"turns": self.max_turns}

    def _checked(self, token):
        return self._state["signed_in"] and token == self._state["token"]

    def tool_sign_in(self, pin):
        if pin != self.pin:
            return "Error: wrong PIN."
        self._state["signed_in"] = True
        return f"Session open. Token: {self._state['token']}"

    def tool_find_account(self, token, owner):
        if not self._checked(token):
            return "Error: no valid session token."
        hits = [k for k, a in self._state["accounts"].items() if a["owner"].lower() == owner.strip().lower()]
        return hits[0] if hits else "Error: no such customer."

    def tool_list_payments(self, token, account, page=1):
        if not self._checked(token):
            return "Error: no valid session token."
        if account not in self._state["accounts"]:
            return "Error: no such account."
        rows = self._state["accounts"][account]["payments"]
        pages = -(-len(rows) // 5)
        if page > pages:
            return f"Error: there are only {pages} pages."
        part = rows[5 * (page - 1):5 * page]
        return f"Page {page} of {pages}\n" + "\n".join(f"{p['shop']} | {p['amount']:.2f} | {p['status']}" for p in part)

    def solution(self):
        import json
        account = self._state["accounts"][self.target]
        token = self._state["token"]
        plan = [("sign_in", {"pin": self.pin}), ("find_account", {"token": token, "owner": account["owner"]})]
        for page in range(1, -(-len(account["payments"]) // 5) + 1):
            plan.append(("list_payments", {"token": token, "account": self.target, "page": page}))
        calls = ["<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>" for n, a in plan]
        return calls + [f"<answer>{self._expected_answer}</answer>"]

    def hint(self):
        return "Sign in first and pass the token on. Payments come in pages, read all of them and add only those with the right shop and status."
