# cursor pagination with opaque tokens, base64/hmac-free hashing by zlib, tool selection (decoy tool), single answer
import json
import random
import zlib


class PermitRegistryEnv(ToolUseBaseEnv):
    """A registry that lists permits page by page; the token of the next page comes with the page before."""

    STREETS = ["Elm Row", "Quay Street", "Mill Lane", "North Gate", "Long Acre"]
    KINDS = ["fence", "well", "kiln", "barn"]

    def __init__(self, max_turns=36, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed=seed)
        rng = random.Random(seed)
        permits = []
        for number in sorted(rng.sample(range(10000, 99999), rng.randint(34, 46))):
            permits.append({"number": number, "street": rng.choice(self.STREETS), "kind": rng.choice(self.KINDS), "fee": rng.randint(13, 900),
                            "status": rng.choice(["granted", "granted", "refused", "pending"])})
        salt = rng.randrange(10 ** 9)
        starts = list(range(0, len(permits), 7))
        self.tokens = {f"{zlib.crc32(f'{salt}:{s}'.encode()):08x}": s for s in starts[1:]}
        self._state = {"permits": permits}
        granted = [(p["street"], p["kind"]) for p in permits if p["status"] == "granted"]
        self.street, self.kind = rng.choice(granted)
        total = sum(p["fee"] for p in permits if (p["street"], p["status"]) == (self.street, "granted") and p["kind"] != self.kind)
        latest = max(p["number"] for p in permits if (p["street"], p["kind"], p["status"]) == (self.street, self.kind, "granted"))
        self._expected_answer = str(latest * 3 + total)
        self._tools = {
            "list_permits": {"description": "Seven permits in order of their numbers; an empty token gives the first page.",
                             "parameters": {"type": "object", "properties": {"token": {"type": "string"}}, "required": ["token"]}},
            "get_permit": {"description": "Fee and status of one permit.",
                           "parameters": {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}},
            "opening_hours": {"description": "When the office is open.", "parameters": {"type": "object", "properties": {}, "required": []}},
        }
        return (f"Consider the granted permits for {self.street}. Take three times the highest permit number among those of the kind '{self.kind}', "
                "and add the fees of all those of other kinds. Tools: list_permits(token), get_permit(number), opening_hours(); a call is "
                "<tool_call>{\"name\": \"list_permits\", \"arguments\": {\"token\": \"\"}}</tool_call>, and a turn may hold many. "
                f"Then <answer>NUMBER</answer>. {self.max_turns} turns."), {}

    def tool_list_permits(self, token):
        start = self.tokens.get(token.strip()) if token.strip() else 0
        if start is None:
            return "Error: this token is not valid; tokens come with the page before."
        rows = [{k: p[k] for k in ("number", "street", "kind")} for p in self._state["permits"][start:start + 7]]
        following = next((t for t, s in self.tokens.items() if s == start + 7), None)
        return json.dumps({"permits": rows, "next_token": following})

    def tool_get_permit(self, number):
        for p in self._state["permits"]:
            if p["number"] == number:
                return f"Permit {number}: {p['status']}, fee {p['fee']}."
        return "There is no permit with this number."

    def tool_opening_hours(self):
        return "Tuesdays and Fridays, 9 to 12, except in August."

    def solution(self):
        """Works like a player: page by page, then the details of what matters."""
        token, numbers, kinds = "", [], {}
        while token is not None:
            page = yield "<tool_call>" + json.dumps({"name": "list_permits", "arguments": {"token": token}}) + "</tool_call>"
            page = json.loads(page)
            for row in page["permits"]:
                if row["street"] == self.street:
                    numbers.append(row["number"])
                    kinds[row["number"]] = row["kind"]
            token = page["next_token"]
        best = total = 0
        for n in numbers:
            text = yield "<tool_call>" + json.dumps({"name": "get_permit", "arguments": {"number": n}}) + "</tool_call>"
            if "granted" in text:
                if kinds[n] == self.kind:
                    best = max(best, n)
                else:
                    total += int(text.rstrip(".").split()[-1])
        yield f"<answer>{3 * best + total}</answer>"

    def hint(self):
        return "Read all pages before you ask for details, and ask for the details of several permits in one turn."
