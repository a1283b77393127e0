# decimal.Decimal money arithmetic, generator helper (amortisation schedule), answer contract.
import random
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal, InvalidOperation

CENT = Decimal("0.01")


class LoanScheduleEnv:
    """
    A borrower repays a loan in fixed instalments with a few special events.
    The player has to follow the schedule to the cent and report the balance.
    """

    def __init__(self, max_turns: int = 5):
        self.max_turns = max_turns
        self.turns_used = 0
        self.reset()

    # ------------------------------------------------------------------ setup
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns_used = 0
        self.principal = Decimal(rng.randrange(8000, 60000, 50))
        self.rate = Decimal(rng.randrange(180, 960)) / Decimal(100)  # per cent per year
        self.instalment = Decimal(rng.randrange(210, 480))
        self.months = rng.randint(6, 11)
        self.events = {}
        for month in rng.sample(range(1, self.months + 1), 3):
            kind = rng.choice(["extra", "skip", "fee"])
            amount = Decimal(rng.randrange(1000, 90000)) / 100
            self.events[month] = (kind, amount)
        return self._task_text(), {"months": self.months}

    def _task_text(self):
        lines = [
            f"A loan of {self.principal} has a yearly interest rate of {self.rate} %.",
            "At the end of every month, in this order:",
            " 1. interest of one twelfth of the yearly rate is computed on the balance, rounded to the cent "
            "(half a cent goes up), and added to the balance;",
            f" 2. the instalment of {self.instalment} is subtracted.",
            "Exceptions:",
        ]
        for month in sorted(self.events):
            kind, amount = self.events[month]
            if kind == "extra":
                lines.append(f" - month {month}: an extra {amount} is paid together with the instalment.")
            elif kind == "skip":
                lines.append(f" - month {month}: no instalment is paid; interest is still added.")
            else:
                lines.append(f" - month {month}: a fee of {amount} is added before the interest is computed.")
        lines.append(f"What is the balance after month {self.months}, to the cent? Answer as \\boxed{{12345.67}}.")
        lines.append(f"{self.max_turns} attempts are allowed.")
        return "\n".join(lines)

    # --------------------------------------------------------------- the truth
    def _schedule(self):
        """Yields the balance at the end of each month."""
        balance = self.principal
        for month in range(1, self.months + 1):
            kind, amount = self.events.get(month, (None, Decimal(0)))
            if kind == "fee":
                balance += amount
            interest = (balance * self.rate / Decimal(1200)).quantize(CENT, rounding=ROUND_HALF_UP)
            balance += interest
            if kind != "skip":
                balance -= self.instalment
            if kind == "extra":
                balance -= amount
            yield balance

    def _final(self):
        *_, last = self._schedule()
        return last

    # ------------------------------------------------------------------- play
    def step(self, action):
        self.turns_used += 1
        truncated = self.turns_used >= self.max_turns
        text = action.strip()
        if not (text.startswith("\\boxed{") and text.endswith("}")) or len(text) > 60:
            return "Please answer as \\boxed{12345.67}.", 0.0, False, truncated, {}
        inner = text[len("\\boxed{") : -1].replace(",", "").replace("$", "").strip()
        try:
            value = Decimal(inner)
        except InvalidOperation:
            return "That is not an amount of money. Example: \\boxed{12345.67}.", 0.0, False, truncated, {}
        if not value.is_finite():
            return "The balance is a finite amount.", 0.0, False, truncated, {}
        if value == self._final():
            return "Correct to the cent.", 1.0, True, False, {}
        left = self.max_turns - self.turns_used
        return f"This is not the balance. {left} attempts left.", 0.0, False, truncated, {}

    def solution(self):
        return [f"\\boxed{{{self._final()}}}"]

    def hint(self):
        return "Keep a table with one row per month and round the interest in every row, not at the end."

    def _unused_bankers_rounding(self, x):
        return Decimal(x).quantize(CENT, rounding=ROUND_HALF_EVEN)
