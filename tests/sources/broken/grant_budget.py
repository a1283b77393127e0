# expect: refuse tools.criterion_stuck | feasibility.witness
# defect: the criterion compares a running float total with a differently ordered float sum by ==, which on part of the seeds is never true.
import json
import random

LINES = ["travel", "equipment", "printing", "catering", "software"]


def _tool(text, **props):
    return {"description": text, "parameters": {"type": "object", "properties": props, "required": sorted(props)}}


class GrantBudgetEnv(ToolUseBaseEnv):
    """Book receipts on the lines of a grant, one request at a time."""

    def __init__(self, max_turns=18, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count, self._current_msg, self._call_history = 0, 0, []
        numbers = rng.sample(range(200, 999), 9)
        receipts = {}
        for number in numbers:
            receipts[f"R{number}"] = {
                "line": rng.choice(LINES), "amount": rng.randint(500, 9000) / 100, "booked": False,
            }
        lines = rng.sample(LINES, 2)
        for index, key in enumerate(receipts):
            if index < 6:
                receipts[key]["line"] = lines[index % 2]
        self._state = {"receipts": receipts, "spent": {line: 0.0 for line in LINES}, "locked": []}
        self.first, self.second = lines
        self._user_messages = [
            f"Book every receipt of the line {self.first}.",
            f"Good. Now lock the line {self.first}.",
            f"And book the receipts of {self.second} as well.",
        ]
        goal = {line: self._total(line) for line in lines}
        first, second = self.first, self.second
        self._message_criteria = [
            lambda s: s["spent"][first] == goal[first],
            lambda s: first in s["locked"],
            lambda s: s["spent"][second] == goal[second],
        ]
        string = {"type": "string"}
        self._tools = {
            "list_receipts": _tool("Receipts of a line.", line={"type": "string", "enum": LINES}),
            "book_receipt": _tool("Book one receipt on its line.", receipt=string),
            "unbook_receipt": _tool("Take the booking of a receipt back.", receipt=string),
            "lock_line": _tool("Close a line for further bookings.", line={"type": "string", "enum": LINES}),
        }
        return (
            "You keep the books of a research grant. Requests arrive one by one; a line must not be locked before it is "
            "asked for. Finish with <answer>done</answer>. "
            f"You have {self.max_turns} turns; one reply may hold several tool calls.\n\n{self._user_messages[0]}"
        ), {}

    def _total(self, line):
        amounts = [r["amount"] for r in self._state["receipts"].values() if r["line"] == line]
        return sum(sorted(amounts))

    def tool_list_receipts(self, line):
        rows = [
            f"{key}: {r['amount']:.2f}{' (booked)' if r['booked'] else ''}"
            for key, r in self._state["receipts"].items() if r["line"] == line
        ]
        return "\n".join(rows) or "No receipts."

    def tool_book_receipt(self, receipt):
        entry = self._state["receipts"].get(receipt)
        if entry is None or entry["booked"]:
            return "Error: no such open receipt."
        if entry["line"] in self._state["locked"]:
            return "Error: that line is locked."
        entry["booked"] = True
        self._state["spent"][entry["line"]] += entry["amount"]
        return f"Booked {entry['amount']:.2f} on {entry['line']}."

    def tool_unbook_receipt(self, receipt):
        entry = self._state["receipts"].get(receipt)
        if entry is None or not entry["booked"]:
            return "Error: no such booked receipt."
        entry["booked"] = False
        self._state["spent"][entry["line"]] -= entry["amount"]
        return f"Taken back: {receipt}."

    def tool_lock_line(self, line):
        self._state["locked"].append(line)
        return f"The line {line} is locked."

    def solution(self):
        calls = []
        for line in (self.first, self.second):
            calls.append(("list_receipts", {"line": line}))
            calls += [("book_receipt", {"receipt": k}) for k, r in self._state["receipts"].items() if r["line"] == line]
            if line == self.first:
                calls.append(("lock_line", {"line": line}))
        out = []
        for name, arguments in calls:
            out.append("<tool_call>" + json.dumps({"name": name, "arguments": arguments}) + "</tool_call>")
        return out + ["<answer>done</answer>"]

    def hint(self):
        return "List the receipts of a line before booking them, and book each of them exactly once."
