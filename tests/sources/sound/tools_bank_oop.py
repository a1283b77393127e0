# -*- coding: utf-8 -*-
"""Bank API: decimal money, exceptions, tool objects."""
import json
import random
from abc import ABC, abstractmethod
from collections import defaultdict
from contextlib import contextmanager
from decimal import Decimal, ROUND_HALF_UP, InvalidOperation, getcontext

getcontext().prec = 40
CENT = Decimal("0.01")

class BankError(Exception):
    code = "E000"
class InsufficientFunds(BankError):
    code = "E101"
    def __init__(self, need, have):
        self.need, self.have = need, have
        super().__init__(f"need {need:.2f}, have {have:.2f}")
class UnknownAccount(BankError, LookupError):
    code = "E404"

class Account(ABC):
    registry = {}
    def __init_subclass__(cls, /, kind, **kw):
        super().__init_subclass__(**kw)
        cls.kind = kind
        Account.registry[kind] = cls
    def __init__(self, number, balance):
        self.number = number
        self._balance = Decimal(balance).quantize(CENT)
        self.history = []
    @property
    def balance(self): return self._balance
    @balance.setter
    def balance(self, v):
        self.history.append((self._balance, v))
        self._balance = v.quantize(CENT, rounding=ROUND_HALF_UP)
    @abstractmethod
    def fee(self, amount): ...
class Checking(Account, kind="checking"):
    def fee(self, amount): return Decimal(0)
class Savings(Account, kind="savings"):
    def fee(self, amount): return (amount * Decimal("0.013")).quantize(CENT)

class BankApiEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=10, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._accounts = {}
        for kind in ("checking", "savings"):
            n = "AC" + "".join(rng.choices("0123456789", k=6))
            self._accounts[n] = Account.registry[kind](n, f"{rng.randint(500, 900)}.{rng.randint(10, 99)}")
        self.src = next(n for n, a in self._accounts.items() if a.kind == "savings")
        self.dst = next(n for n in self._accounts if n != self.src)
        self.amount = rng.randint(50, 300)
        a = self._accounts[self.src]
        self._expected_answer = f"{a.balance - self.amount - a.fee(Decimal(self.amount)):.2f}"
        self._state = {"transfers": []}
        st, num = {"type": "string"}, {"type": "number"}
        self._tools = {"accounts": {"description": "List accounts.", "parameters": {"type": "object", "properties": {}}},
            "transfer": {"description": "Move money; savings accounts pay a fee.", "parameters": {"type": "object", "properties": {"source": st, "target": st, "amount": num}, "required": ["source", "target", "amount"]}}}
        return f"Transfer {self.amount} from savings to checking. What is the savings balance afterwards? <answer>0.00</answer>", {}
    def _get(self, n):
        try: return self._accounts[n]
        except KeyError as e: raise UnknownAccount(n) from e
    @contextmanager
    def _transaction(self, *accs):
        saved = [x.balance for x in accs]
        try:
            yield accs
        except BankError:
            for x, b in zip(accs, saved, strict=True): x._balance = b
            raise
        finally:
            self._state["last"] = len(self._state["transfers"])
    def tool_accounts(self): return json.dumps({n: {"kind": a.kind, "balance": str(a.balance)} for n, a in self._accounts.items()})
    def tool_transfer(self, source, target, amount):
        try:
            a, b, amt = self._get(source), self._get(target), Decimal(str(amount))
            if amt <= 0: raise BankError("amount must be positive")
            with self._transaction(a, b):
                total = amt + a.fee(amt)
                if total > a.balance: raise InsufficientFunds(total, a.balance)
                a.balance -= total
                b.balance += amt
            self._state["transfers"].append([source, target, str(amt)])
            return f"ok; balances {a.balance:,.2f} / {b.balance:,.2f}"
        except BankError as e:
            return f"Error {e.code}: {e}"
        except InvalidOperation:
            return "Error: bad amount"
    def solution(self):
        return f"accounts() -> transfer(source='{self.src}', target='{self.dst}', amount={self.amount}) -> ANSWER: {self._expected_answer}"
