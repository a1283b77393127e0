"""Actions are JSON objects inside the box; parsing with json and regular expressions."""
import json
import random
import re


class TransferEnv:
    """Settle debts between accounts with few transfers."""

    def __init__(self, max_turns=16, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        names = ["ann", "bob", "cem", "dia", "eli", "fay"]
        self.balance = {n: rng.randint(-60, 60) for n in names[:-1]}
        self.balance["fay"] = -sum(self.balance.values())
        if list(self.balance.values()).count(0) > 1:
            self.balance["ann"] += 7
            self.balance["bob"] -= 7
        self.turn = 0
        return (
            "Bring every balance to zero by transfers. " + json.dumps(self.balance) + "\nOne transfer per turn, as JSON: "
            '\\boxed{"from": "ann", "to": "bob", "amount": 5} (braces of the object left out or doubled, as you like). '
            "Amounts are positive whole numbers; only who has a positive balance can send, and not more than that."
        ), {}

    def _read(self, action):
        m = re.search(r"\\boxed\{+(.*?)\}+", action, re.DOTALL)
        if not m:
            raise ValueError("no box")
        data = json.loads("{" + m.group(1) + "}")
        return data["from"], data["to"], data["amount"]

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        try:
            source, target, amount = self._read(action)
        except (ValueError, KeyError, TypeError, RecursionError):
            return "Unreadable transfer.", 0.0, False, late, {}
        if type(amount) is not int or not isinstance(source, str) or not isinstance(target, str) or source == target:
            return "Malformed transfer.", 0.0, False, late, {}
        if target not in self.balance or not 0 < amount <= self.balance.get(source, 0):
            return "Refused.", 0.0, False, late, {}
        self.balance[source] -= amount
        self.balance[target] += amount
        if not any(self.balance.values()):
            return "All settled.", 1.0, True, False, {}
        return json.dumps(self.balance, sort_keys=True), 0.0, False, late, {}

    def solution(self):
        left, plan = dict(self.balance), []
        while any(left.values()):
            source, target = max(left, key=left.get), min(left, key=left.get)
            amount = min(left[source], -left[target])
            left[source] -= amount
            left[target] += amount
            plan.append("\\boxed{" + json.dumps({"from": source, "to": target, "amount": amount})[1:-1] + "}")
        return plan
