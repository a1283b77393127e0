import copy
import random


class LedgerCommitEnv(ToolUseBaseEnv):
    """Tools without parameters frame every change: begin, commit, rollback, report."""

    def __init__(self, max_turns=24, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        names = rng.sample(["rent", "tools", "travel", "food", "books", "power", "post", "gifts"], 6)
        accounts = {n: rng.randint(200, 990) for n in names}
        self._state = {"accounts": accounts, "draft": None, "commits": 0}
        a, b, c, d = rng.sample(names, 4)
        x, y, z = rng.randint(21, 149), rng.randint(21, 149), rng.randint(10, 80)
        after1 = dict(accounts)
        after1[a] -= x
        after1[b] += x
        richest = max(after1, key=lambda n: (after1[n], n))
        poorest = min(after1, key=lambda n: (after1[n], n))
        after2 = dict(after1)
        after2[richest] -= y
        after2[poorest] += y
        after3 = dict(after2)
        after3[c] -= z
        after3[d] += z
        self.moves = [(a, b, x), (richest, poorest, y), (c, d, z)]
        self._user_messages = [
            f"Move {x} from {a} to {b}. As always: begin, transfer, commit.",
            f"Now move {y} from the fullest account to the emptiest one (of equals, the later in the alphabet is the fullest, the earlier the emptiest).",
            f"Last, {z} from {c} to {d}.",
        ]
        # Criteria written over a zip of targets: bound now, not later.
        self._message_criteria = [
            (lambda s, target=target: s["accounts"] == target) for target in (after1, after2, after3)
        ]
        amount = {"type": "integer", "minimum": 1, "maximum": 1000}
        self._tools = {
            "begin": {"description": "Open a transaction.", "parameters": {"type": "object", "properties": {}}},
            "commit": {"description": "Make the changes of the open transaction good.", "parameters": {}},
            "rollback": {"description": "Forget the open transaction."},
            "report": {"description": "Balances as they stand.", "parameters": {"type": "object", "properties": {}, "required": []}},
            "transfer": {"description": "Move money between two accounts.", "parameters": {"type": "object", "properties": {
                "source": {"type": "string", "enum": names}, "target": {"type": "string", "enum": names}, "amount": amount},
                "required": ["source", "target", "amount"]}},
        }
        return "You keep a small ledger; nothing counts until it is committed. " + self._user_messages[0] + " After the last request: <answer>done</answer>", {}

    def tool_begin(self):
        if self._state["draft"] is not None:
            return "Error: a transaction is open."
        self._state["draft"] = copy.deepcopy(self._state["accounts"])
        return "Transaction opened."

    def tool_commit(self):
        if self._state["draft"] is None:
            return "Error: no transaction is open."
        self._state["accounts"], self._state["draft"] = self._state["draft"], None
        self._state["commits"] += 1
        return f"Commit number {self._state['commits']}."

    def tool_rollback(self):
        if self._state["draft"] is None:
            return "Error: no transaction is open."
        self._state["draft"] = None
        return "Forgotten."

    def tool_report(self):
        return ", ".join(f"{n} {v}" for n, v in sorted(self._state["accounts"].items()))

    def tool_transfer(self, source, target, amount):
        draft = self._state["draft"]
        if draft is None:
            return "Error: begin a transaction first."
        if draft[source] < amount or source == target:
            return "Error: that transfer is not possible."
        draft[source] -= amount
        draft[target] += amount
        return f"Noted: {amount} from {source} to {target}."

    def solution(self):
        out = []
        for i, (a, b, n) in enumerate(self.moves):
            if i == 1:
                out.append('<tool_call>{"name": "report", "arguments": {}}</tool_call>')
            out.append('<tool_call>{"name": "begin", "arguments": {}}</tool_call>')
            out.append('<tool_call>{"name": "transfer", "arguments": {"source": "%s", "target": "%s", "amount": %d}}</tool_call>' % (a, b, n))
            out.append('<tool_call>{"name": "commit"}</tool_call>')
        return out + ["<answer>done</answer>"]
