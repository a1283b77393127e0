"""Ski pass refunds: pay out claims through services that expire, slow down, and refuse what has changed meanwhile."""

import json
import random

AREAS = ["Glacier", "Larch Bowl", "North Ridge", "Summit"]
MONTHS = {"December": 31, "January": 31, "February": 28, "March": 31}
CLERKS = ["Aebi", "Brunner", "Caduff", "Egger", "Furrer", "Gasser", "Hofer", "Imhof", "Jenny", "Kaufmann"]
CAUSES = ["a storm", "an avalanche warning", "a power cut", "a broken cable", "thick fog"]
LINES = 4  # claims in one payment order


def tool(about, **properties):
    """Schema of a tool whose arguments are all required."""
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"description": about, "parameters": parameters}


def text(about, choices=None):
    """Schema of a text argument, closed when there are choices."""
    return {"type": "string", "description": about, **({"enum": choices} if choices else {})}


CLAIM, SESSION = text("Claim number"), text("Number of the open session")
ORDER = {"type": "array", "items": CLAIM, "minItems": 1, "maxItems": LINES, "description": "Claims, first to last"}
TOOLS = {
    "list_claims": tool("Claims about one area: number and status.", area=text("Which area", AREAS)),
    "claim_card": tool("Day, holder, status, version and account of one claim.", claim_id=CLAIM),
    "estimate_refund": tool("What the claimant was told to expect, before fees. Pays nothing.", claim_id=CLAIM),
    "holder_register": tool("Name and present account of a pass holder.", holder_id=text("Number of the holder")),
    "open_session": tool("Open a session for confirming and paying; it ends the one before."),
    "confirm_claim": tool(
        "Confirm an approved claim for payment to an account. Confirming again replaces the account.",
        session_id=SESSION, claim_id=CLAIM, version=text("Version of the claim, from its card"),
        account=text("Account to be paid"),
    ),
    "pay_claims": tool(
        f"Order payment of up to {LINES} confirmed claims. Every line is paid or refused by itself.",
        session_id=SESSION, claim_ids=ORDER,
    ),
    "wait_for_window": tool("Wait until the bank opens its next payment window."),
}


class PassRefundsEnv(ToolUseBaseEnv):  # noqa: F821 - supplied when the source is loaded
    """Trains recovery from errors that say what is wrong.

    A session lasts for a few calls, the bank takes a few payments per window, an account turns out to be closed, and
    two claims are edited just as they are confirmed: one gets another account, the other drops out. No error undoes
    what was done before. What a claim pays is only known from its receipt; estimates leave the fees out.
    """

    def __init__(self, max_turns=50, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def _claim(self, rng, area, day, status):
        """A new claim with its holder, filed under fresh numbers."""
        number, holder = f"C-{self._numbers.pop()}", f"H-{self._numbers.pop()}"
        account, cents = f"A-{rng.randint(100000, 999999)}", rng.randint(4000, 39999)
        self._state["holders"][holder] = account
        self._state["claims"][number] = {
            "area": area, "day": day, "holder": holder, "status": status, "version": f"v{self._numbers.pop()}",
            "account": account, "cents": cents, "fees": cents * rng.randint(2, 9) // 100, "confirmed": "",
        }
        return number

    def reset(self, seed=None):
        rng = random.Random(seed)
        self._area, month = rng.choice(AREAS), rng.choice(sorted(MONTHS))
        days = [f"{day} {month}" for day in rng.sample(range(1, MONTHS[month] + 1), 3)]
        self._day = days[0]
        self._numbers = rng.sample(range(1000, 9999), 120)
        self._state = {
            "claims": {}, "holders": {}, "edits": {}, "paid": [], "opened": 0, "left": 0, "in_window": 0,
            "limit": rng.randint(2, 3), "calls": rng.randint(4, 5), "series": rng.randint(1000, 8000),
        }
        wanted = [(self._area, self._day, "approved")] * 5
        others = [(self._area, day, "approved") for day in days[1:]]
        others += [(self._area, self._day, status) for status in ("rejected", "on hold")]
        others += [(area, rng.choice(days), "approved") for area in AREAS if area != self._area for _ in range(3)]
        self._due = [self._claim(rng, *kind) for kind in wanted]
        for kind in others:
            self._claim(rng, *kind)
        claims = self._state["claims"]
        self._state["claims"] = dict(sorted(claims.items()))
        # The last but two has a closed account, the last but one gets a new one, and the last one drops out.
        closed, moved, dropped = self._due[2:]
        self._state["holders"][claims[closed]["holder"]] = f"A-{rng.randint(100000, 999999)}"
        fresh = {"account": f"A-{rng.randint(100000, 999999)}", "version": f"v{self._numbers.pop()}"}
        gone = rng.choice([{"status": "withdrawn"}, {"day": days[1]}])
        self._state["edits"] = {moved: fresh, dropped: {**gone, "version": f"v{self._numbers.pop()}"}}
        self._asked = rng.sample(self._due, 5)
        cents = sum(claims[key]["cents"] for key in self._due[:4])
        if cents % 100 in (0, 1, 2, 98, 99):  # a round sum could be guessed
            claims[self._due[0]]["cents"], cents = claims[self._due[0]]["cents"] + 37, cents + 37
        self._expected_answer = f"{cents / 100:.2f}"
        self.turn_count, self._call_history, self._tools = 0, [], TOOLS
        return (
            f"You settle refunds for a lift company. The area {self._area} was closed on {self._day} by "
            f"{rng.choice(CAUSES)}. Clerk {rng.choice(CLERKS)} writes in request {rng.randint(100, 999)}: \"Pay every "
            f"approved claim about {self._area} for that day, and tell me how much was paid out on them in all.\"\n\n"
            "A claim is confirmed by its version first and then paid, both within a session. Only claims that are "
            "approved for that day when you confirm them count. Errors say what to do. Call tools, one or several per "
            "reply, each as\n"
            '<tool_call>{"name": "...", "arguments": {...}}</tool_call>\n'
            "and reply with the sum of the receipts in francs, for example <answer>0.00</answer> (only the form is "
            f"meant). You have {self.max_turns} turns."
        ), {}

    def tool_list_claims(self, area):
        rows = [f"{key}: {claim['status']}" for key, claim in self._state["claims"].items() if claim["area"] == area]
        return "\n".join(rows)

    def tool_claim_card(self, claim_id):
        claim = self._state["claims"].get(claim_id)
        if claim is None:
            return "Error: no claim has that number."
        paid = f"; paid {claim['cents'] / 100:.2f} francs" if claim_id in self._state["paid"] else ""
        return (
            f"{claim_id}: {claim['area']}, {claim['day']}, holder {claim['holder']}, {claim['status']}, version "
            f"{claim['version']}, account {claim['account']}{paid}"
        )

    def tool_estimate_refund(self, claim_id):
        claim = self._state["claims"].get(claim_id)
        return f"About {(claim['cents'] + claim['fees']) // 100} francs." if claim else "Error: no such claim."

    def tool_holder_register(self, holder_id):
        account = self._state["holders"].get(holder_id)
        return f"{holder_id}: present account {account}." if account else "Error: no holder has that number."

    def tool_open_session(self):
        self._state["opened"] += 1
        self._state["left"] = self._state["calls"]
        return f"Session {self._session()} is open, for {self._state['calls']} calls."

    def _session(self):
        return f"S-{self._state['series'] + 7 * self._state['opened']}"

    def _use_session(self, session_id):
        """Count a call within a session; the error when it is not open."""
        if not self._state["opened"] or session_id != self._session():
            return "Error: no such session is open. Open one with open_session and use its number."
        if self._state["left"] <= 0:
            return "Error: the session has expired and nothing was done. What was done before stays. Open a new one."
        self._state["left"] -= 1
        return ""

    def tool_confirm_claim(self, session_id, claim_id, version, account):
        problem = self._use_session(session_id)
        claim = self._state["claims"].get(claim_id)
        if problem or claim is None:
            return problem or "Error: no claim has that number."
        if claim_id in self._state["edits"] and version == claim["version"]:
            change = self._state["edits"].pop(claim_id)
            claim.update(change)
            if "account" in change:
                self._state["holders"][claim["holder"]] = change["account"]
        if version != claim["version"]:
            return "Error: this is not the present version, the claim was edited meanwhile. Read its card again."
        if claim["status"] != "approved" or claim_id in self._state["paid"]:
            return "Error: only approved claims that are not paid yet can be confirmed."
        if account not in (claim["account"], self._state["holders"][claim["holder"]]):
            return "Error: that account does not belong to the holder."
        claim["confirmed"] = account
        return f"{claim_id} is confirmed for {account}."

    def _pay(self, claim_id):
        """Pay one line of an order; its result."""
        claim = self._state["claims"].get(claim_id) if isinstance(claim_id, str) else None
        if claim is None:
            return "refused, a line holds no claim number"
        if claim_id in self._state["paid"]:
            return f"{claim_id} was paid before, {claim['cents'] / 100:.2f} francs"
        if not claim["confirmed"]:
            return f"{claim_id} refused, not confirmed"
        if claim["confirmed"] != self._state["holders"][claim["holder"]]:
            claim["confirmed"] = ""
            return f"{claim_id} refused, account closed: confirm it again for the account in holder_register"
        if self._state["in_window"] >= self._state["limit"]:
            limit = self._state["limit"]
            return f"{claim_id} refused, limit of {limit} payments per window: wait_for_window, then order it again"
        self._state["in_window"] += 1
        self._state["paid"].append(claim_id)
        return f"{claim_id} paid, receipt over {claim['cents'] / 100:.2f} francs"

    def tool_pay_claims(self, session_id, claim_ids):
        problem = self._use_session(session_id)
        if problem or not 1 <= len(claim_ids) <= LINES:
            return problem or f"Error: an order has 1 to {LINES} lines."
        return "\n".join(self._pay(claim_id) for claim_id in claim_ids)

    def tool_wait_for_window(self):
        self._state["in_window"] = 0
        return "A new payment window is open."

    def solution(self):
        """Read, confirm, run into every error that cannot be foreseen, and do what it says."""
        state, plan = self._state, [("list_claims", {"area": self._area})]
        claims, due = state["claims"], self._due[:4]
        for key, claim in claims.items():
            if (claim["area"], claim["status"]) == (self._area, "approved"):
                plan.append(("claim_card", {"claim_id": key}))

        def confirm(key, **changed):
            values = {**claims[key], **changed}
            return "confirm_claim", {"claim_id": key, "version": values["version"], "account": values["account"]}

        for key in self._asked:
            plan.append(confirm(key))
            if key in state["edits"]:
                plan.append(("claim_card", {"claim_id": key}))
            if key in state["edits"] and key in due:
                plan.append(confirm(key, **state["edits"][key]))
        late, holder = due[2], claims[due[2]]["holder"]
        order = [key for key in due if key != late] + [late]
        plan += [("pay_claims", {"claim_ids": order}), ("holder_register", {"holder_id": holder})]
        plan += [confirm(late, account=state["holders"][holder]), ("wait_for_window", {})]
        plan += [("pay_claims", {"claim_ids": order[state["limit"]:]})]
        actions, opened, left = [], 0, 0
        for name, arguments in plan:
            if name in ("confirm_claim", "pay_claims"):
                if not left:
                    actions.append(("open_session", {}))
                    opened, left = opened + 1, state["calls"]
                arguments, left = {"session_id": f"S-{state['series'] + 7 * opened}", **arguments}, left - 1
            actions.append((name, arguments))
        calls = [json.dumps({"name": name, "arguments": arguments}) for name, arguments in actions]
        return [f"<tool_call>{call}</tool_call>" for call in calls] + [f"<answer>{self._expected_answer}</answer>"]

    def hint(self):
        return (
            "Find the claims that match area and day first, by their cards, several in one reply. An error undoes "
            "nothing: read what it asks for, do that, and repeat only the line that failed. After a changed version "
            "check the whole card anew, not the version alone; it may no longer match. Take numbers from the latest "
            "answer, never from an older one. Estimates are not receipts. Keep a list of what was really paid, and add "
            "the receipts at the end. Answer with a plain number to two decimals in answer tags."
        )
