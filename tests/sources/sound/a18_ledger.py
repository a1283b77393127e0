import random
import re
from decimal import Decimal, InvalidOperation

PEOPLE = ["Okafor", "Lindgren", "Marchetti", "Suzuki", "Delgado", "Whitlock"]


class LedgerEnv:
    """Reconstruct a balance from a messy ledger: reversals, fees, exchange, pending lines."""

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        cents = lambda a, b: Decimal(rng.randint(a, b)) / 100
        self.owner = rng.choice(PEOPLE)
        self.rate = Decimal(rng.randint(1050, 1290)) / 1000
        self.fee = cents(35, 250)
        balance = opening = cents(20000, 90000)
        rows, bookings = [], {}
        for i in range(1, rng.randint(11, 15)):
            kind = rng.choices(["debit", "credit", "foreign", "pending", "reversal"], [4, 3, 2, 1.5, 2])[0]
            ref = f"R{i:02d}"
            if kind == "reversal":
                open_refs = [r for r in bookings if not bookings[r][1]]
                if not open_refs:
                    kind = "credit"
                else:
                    target = rng.choice(open_refs)
                    delta, _ = bookings[target]
                    bookings[target] = (delta, True)
                    balance -= delta
                    rows.append((ref, f"reversal of {target} in full, fee included"))
                    continue
            amount = cents(500, 19000)
            if kind == "debit":
                delta = -amount
                rows.append((ref, f"debit {amount} EUR"))
            elif kind == "credit":
                delta = amount
                rows.append((ref, f"credit {amount} EUR"))
            elif kind == "foreign":
                whole = Decimal(rng.randint(10, 150))
                delta = -(whole * self.rate).quantize(Decimal("0.01")) - self.fee
                rows.append((ref, f"card payment {whole} GBP"))
            else:
                rows.append((ref, f"PENDING debit {amount} EUR"))
                continue
            bookings[ref] = (delta, False)
            balance += delta
        self.opening, self.rows, self.balance = opening, rows, balance
        self.attempts = 0
        return self._text(), {"rows": len(rows)}

    def _text(self):
        body = "\n".join(f"  {ref}  {what}" for ref, what in self.rows)
        return (f"Account of {self.owner}. Opening balance: {self.opening} EUR.\n{body}\n\n"
                f"Rules: 1 GBP = {self.rate} EUR, the product is rounded to cents; every GBP payment also costs a fee of {self.fee} EUR. "
                "Pending lines are not booked. A reversal gives back everything its line had booked.\n"
                "Closing balance in EUR with two decimals? \\boxed{0.00} is the format; negative numbers get a minus sign.")

    def step(self, action):
        self.attempts += 1
        m = re.search(r"\\boxed\{([^{}]{1,30})\}", action)
        text = re.sub(r"[\s,$\u20ac]|EUR", "", m.group(1)) if m else ""
        last = self.attempts >= self.max_turns
        try:
            value = Decimal(text)
        except InvalidOperation:
            return "An amount was expected.", 0.0, False, last, {}
        if not value.is_finite():
            return "An amount was expected.", 0.0, False, last, {}
        if value == self.balance:
            return "The books agree.", 1.0, True, False, {}
        return "The books do not agree with that.", 0.0, False, last, {}

    def solution(self):
        return [f"\\boxed{{{self.balance}}}"]

    def hint(self):
        return "Cross out the lines that are reversed together with their reversals, drop pending lines, convert the rest, then add once."
