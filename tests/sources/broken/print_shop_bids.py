# expect: refuse feasibility.witness | tools.criterion_stuck
# defect: two bids are often equally cheap; solution() takes the first in the list, the criterion wants the quicker one of them, so the witness fails on those seeds.
import json
import random

SHOPS = ["Inkwell", "Pressline", "Quarto", "Rotogram", "Signet", "Typhoon"]
JOBS = ["poster", "leaflet", "menu", "booklet"]


class PrintShopBidsEnv(ToolUseBaseEnv):
    """Choose between bids by price, then by delivery time."""

    def __init__(self, max_turns=18, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._current_msg = 0
        self.job, self.next_job = rng.sample(JOBS, 2)
        bids = {}
        for shop in SHOPS:
            for job in JOBS:
                bids[f"{shop}/{job}"] = {"shop": shop, "job": job, "price": 10 * rng.randint(11, 16), "days": 0}
        for job in JOBS:
            for key, days in zip([k for k in bids if bids[k]["job"] == job], rng.sample(range(2, 12), len(SHOPS))):
                bids[key]["days"] = days
        self._state = {"bids": bids, "accepted": {}, "rejected": []}
        self.wanted = {job: self._winner(job) for job in (self.job, self.next_job)}
        job, next_job, wanted = self.job, self.next_job, dict(self.wanted)
        self._user_messages = [
            f"Accept the cheapest bid for the {job}; among equally cheap ones the quickest.",
            f"Do the same for the {next_job}.",
            f"Turn down the bid of {SHOPS[-1]} for the {job}." if not wanted[job].startswith(SHOPS[-1])
            else f"Turn down the bid of {SHOPS[0]} for the {job}.",
        ]
        refused = f"{SHOPS[0] if wanted[job].startswith(SHOPS[-1]) else SHOPS[-1]}/{job}"
        self.refused = refused
        self._message_criteria = [
            lambda s: s["accepted"].get(job) == wanted[job],
            lambda s: s["accepted"].get(next_job) == wanted[next_job],
            lambda s: refused in s["rejected"],
        ]
        a_job = {"type": "string", "enum": JOBS}
        a_bid = {"type": "string", "description": "Bid as shop/job"}
        self._tools = {
            "list_bids": self._schema("Bids for a job with prices.", job=a_job),
            "delivery_days": self._schema("Days until delivery of a bid.", bid=a_bid),
            "accept_bid": self._schema("Accept a bid for its job; replaces an earlier choice.", bid=a_bid),
            "reject_bid": self._schema("Turn a bid down.", bid=a_bid),
        }
        return (
            "You buy printing. Wishes come one by one; use the tools (several calls per reply are possible) and end with "
            f"<answer>done</answer>. Turns: {self.max_turns}.\n\nWish: {self._user_messages[0]}"
        ), {}

    def _winner(self, job):
        bids = self._state["bids"]
        return min((k for k in bids if bids[k]["job"] == job), key=lambda k: (bids[k]["price"], bids[k]["days"]))

    @staticmethod
    def _schema(text, **properties):
        return {
            "description": text,
            "parameters": {"type": "object", "properties": properties, "required": list(properties)},
        }

    def tool_list_bids(self, job):
        return "\n".join(f"{k}: {b['price']} EUR" for k, b in self._state["bids"].items() if b["job"] == job)

    def tool_delivery_days(self, bid):
        if bid not in self._state["bids"]:
            return "Error: no such bid."
        return f"{bid}: {self._state['bids'][bid]['days']} days"

    def tool_accept_bid(self, bid):
        if bid not in self._state["bids"] or bid in self._state["rejected"]:
            return "Error: that bid cannot be accepted."
        self._state["accepted"][self._state["bids"][bid]["job"]] = bid
        return f"{bid} is accepted."

    def tool_reject_bid(self, bid):
        if bid not in self._state["bids"] or bid in self._state["accepted"].values():
            return "Error: that bid cannot be turned down."
        self._state["rejected"].append(bid)
        return f"{bid} is turned down."

    def solution(self):
        bids = self._state["bids"]
        calls = []
        for job in (self.job, self.next_job):
            offers = [key for key in bids if bids[key]["job"] == job]
            best = min(offers, key=lambda key: bids[key]["price"])
            calls += [("list_bids", {"job": job}), ("delivery_days", {"bid": best}), ("accept_bid", {"bid": best})]
        calls.append(("reject_bid", {"bid": self.refused}))
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in calls] + [
            "<answer>done</answer>"
        ]

    def hint(self):
        return "Watch for equal prices: then the number of days decides, and it has to be asked for bid by bid."
