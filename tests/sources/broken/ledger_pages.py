# expect: refuse robustness.hangs
# defect: list_entries loops "start += page_size" and never ends when page_size is 0, which the schema allows
import json
import random


class LedgerPagesEnv(ToolUseBaseEnv):
    """Page through a ledger and report the balance of one account."""

    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        owners = rng.sample(["Quill", "Ramos", "Suter", "Thorn", "Ueda", "Vance"], 4)
        self.accounts = {o: f"AC{n}" for o, n in zip(owners, rng.sample(range(1000, 9999), 4))}
        self._state = {"entries": []}
        for index in range(24):
            owner = rng.choice(owners)
            self._state["entries"].append({
                "no": index + 1, "account": self.accounts[owner], "kind": rng.choice(["credit", "debit"]), "cents": rng.randint(500, 99999)})
        self.owner = rng.choice(owners)
        self.balance = sum(
            e["cents"] if e["kind"] == "credit" else -e["cents"]
            for e in self._state["entries"] if e["account"] == self.accounts[self.owner]
        )
        self._expected_answer = str(self.balance)
        self._tools = {
            "account_of": {
                "description": "Account number of an owner.",
                "parameters": {"type": "object", "properties": {"owner": {"type": "string"}}, "required": ["owner"]},
            },
            "list_entries": {
                "description": "One page of the ledger. Pages are numbered from 1.",
                "parameters": {
                    "type": "object",
                    "properties": {
                        "page": {"type": "integer", "minimum": 1},
                        "page_size": {"type": "integer", "description": "entries per page, at most 10"},
                    },
                    "required": ["page", "page_size"],
                },
            },
        }
        return (
            f"What is the balance of {self.owner}'s account in cents, credits minus debits, over the whole ledger of 24 entries? "
            "Answer <answer>N</answer>."
        ), {}

    def tool_account_of(self, owner):
        return self.accounts.get(owner, "No such owner.")

    def tool_list_entries(self, page, page_size):
        if page_size < 0 or page_size > 10:
            return "Error: page_size is at most 10."
        entries = self._state["entries"]
        pages, start = [], 0
        while start < len(entries):
            pages.append((start, min(start + page_size, len(entries))))
            start += page_size
        if not 1 <= page <= len(pages):
            return f"Error: there are {len(pages)} pages."
        low, high = pages[page - 1]
        return "\n".join(json.dumps(e) for e in entries[low:high])

    def solution(self):
        calls = [{"name": "account_of", "arguments": {"owner": self.owner}}]
        calls += [{"name": "list_entries", "arguments": {"page": p, "page_size": 8}} for p in (1, 2, 3)]
        return [f"<tool_call>{json.dumps(c)}</tool_call>" for c in calls] + [f"<answer>{self.balance}</answer>"]
