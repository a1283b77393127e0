import random
from contextlib import contextmanager
class BankError(Exception):
    def __init__(self, code, msg): super().__init__(msg); self.code = code; self.msg = msg
class Account:
    __slots__ = ("balance", "log")
    def __init__(self, b): self.balance = b; self.log = []
    def withdraw(self, n):
        if n > self.balance: raise BankError(402, f"insufficient funds: {self.balance}")
        self.balance -= n; self.log.append(("w", n))
class BankEnv:
    def __init__(self, max_turns=8): self.max_turns = max_turns; self.reset()
    @contextmanager
    def _guarded(self):
        try: yield
        except BankError as e: self.msg = f"[{e.code}] {e.msg}"
        except (ValueError, IndexError) as e: self.msg = f"bad command: {e.args[0] if e.args else e}"
    def reset(self, seed=None):
        r = random.Random(seed)
        self.acc = Account(r.randint(50, 99)); self.goal = r.randint(1, 20); self.turn = 0; self.msg = ""
        return f"Balance {self.acc.balance}. Withdraw until exactly {self.goal} is left: \\boxed{{withdraw N}}", {}
    def step(self, action):
        self.turn += 1; self.msg = "ok"
        with self._guarded():
            verb, amount = action.replace("\\boxed{", "").replace("}", "").split()
            if verb != "withdraw": raise ValueError(f"unknown verb {verb!r}")
            n = int(amount)
            if n <= 0: raise ValueError("amount must be positive")
            self.acc.withdraw(n)
            self.msg = f"balance {self.acc.balance}"
        done = self.acc.balance == self.goal
        return self.msg, 1.0 if done else 0.0, done, (not done) and self.turn >= self.max_turns, {}
    def solution(self):
        return [f"\\boxed{{withdraw {self.acc.balance - self.goal}}}"]
