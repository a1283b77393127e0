"""Tools environments with several instructions that change records: bookings, ledgers, devices."""

from __future__ import annotations

import random

from .model import GeneratedSource
from .tools_frame import Tool, ToolSketch, lay_out_tools
from .words import PEOPLE, TOWNS, class_name

_DONE = "When there is nothing left to do, reply <answer>done</answer>."


_BOOKING_TOOLS = [
    Tool(
        "<<search>>",
        "Numbers and prices of the offers in a town.",
        {"town": ("string", "Name of the town")},
        """
        rows = [f"{n} for {o['price']}" for n, o in self._state["offers"].items() if o["town"] == town]
        if not rows:
            return "Nothing on offer in a town of that name."
        return f"In {town}: " + "; ".join(rows)
        """,
    ),
    Tool(
        "<<detail>>",
        "What comes with an offer.",
        {"offer_id": ("string", "Number of the offer")},
        """
        offer = self._state["offers"].get(offer_id)
        if offer is None:
            return "No offer has that number."
        return f"{offer_id} in {offer['town']} has {offer['perk']} and costs {offer['price']}."
        """,
    ),
    Tool(
        "<<book>>",
        "Book an offer for a guest. A booking is final, and every guest gets one only.",
        {"offer_id": ("string", "Number of the offer"), "guest": ("string", "Name of the guest")},
        """
        if offer_id not in self._state["offers"]:
            return "No offer has that number."
        if guest not in self._state["guests"]:
            return "No guest of that name is registered."
        if guest in self._state["bookings"]:
            return f"{guest} has a booking already, which is final."
        self._state["bookings"][guest] = offer_id
        return f"{offer_id} is booked for {guest}."
        """,
    ),
]


_BOOKING_SETUP = """
    guests = R.sample(NAMES, 3)
    towns = R.sample(TOWNS, 3)
    numbers = R.sample(range(1000, 9999), 3 * <<each>>)
    self._state = {"offers": {}, "guests": guests, "bookings": {}}
    S.wishes = []
    for guest, town in zip(guests, towns):
        prices = R.sample(range(40, 400), <<each>>)
        for at, price in enumerate(prices):
            # Each perk occurs at least twice, so that the price decides among them.
            row = {"town": town, "price": price, "perk": PERKS[at % len(PERKS)]}
            self._state["offers"][f"<<offer>>-{numbers.pop()}"] = row
        S.wishes.append((guest, town, R.choice(PERKS)))
"""


_BOOKING_ASK = """
    ways = [
        "Please book a <<offer>> in {town} for {guest}: the <<rule>> one that has {perk}.",
        "Next, {guest} goes to {town} and wants {perk}. Of what fits, book the <<rule>>.",
        "And at last the <<rule>> <<offer>> with {perk} in {town}, for {guest}.",
    ]
    self._user_messages = [
        way.format(guest=guest, town=town, perk=perk) for way, (guest, town, perk) in zip(ways, S.wishes)
    ]
    rights = [(wish[0], F.best_offer(self._state["offers"], wish[1], wish[2])) for wish in S.wishes]
    self._message_criteria = [
        lambda state, guest=guest, right=right: state.get("bookings", {}).get(guest) == right
        for guest, right in rights
    ]
    self._user_messages[0] += " <<done>>"
    text = self._user_messages[0]
"""


_BOOKING_SOLUTION = """
    for guest, town, perk in S.wishes:
        CALL <<search>>(town=town)
        CALL <<book>>(offer_id=F.best_offer(self._state["offers"], town, perk), guest=guest)
    ANSWER "done"
"""


_BOOKING_FUNCTIONS = [
    """
    def best_offer(offers: dict, town: str, perk: str) -> str:
        fits = [number for number, row in offers.items() if row["town"] == town and row["perk"] == perk]
        return <<best>>(fits, key=lambda number: offers[number]["price"])
    """
]


def booking(rng: random.Random) -> GeneratedSource:
    """Book the cheapest offer that fits, for one guest after another; bookings are final."""
    offer, perks = rng.choice(
        [
            ("room", ["breakfast", "a balcony", "parking"]),
            ("boat", ["a cabin", "a skipper", "a radio"]),
            ("hall", ["a stage", "a kitchen", "a projector"]),
            ("van", ["a ramp", "cooling", "a winch"]),
        ]
    )
    words = {
        "offer": offer,
        "perks": repr(perks),
        "search": rng.choice(["search_offers", f"find_{offer}s", f"list_{offer}s"]),
        "detail": rng.choice(["offer_details", f"show_{offer}", "inspect_offer"]),
        "book": rng.choice([f"book_{offer}", "make_booking", "reserve"]),
        "names": repr(rng.sample(PEOPLE, 20)),
        "towns": repr(rng.sample(TOWNS, 14)),
        "each": str(rng.randint(6, 8)),
        "rule": rng.choice(["cheapest", "dearest"]),
        "done": _DONE,
    }
    words["best"] = "min" if words["rule"] == "cheapest" else "max"
    sketch = ToolSketch(
        class_name=class_name(rng, "Booking", "Reservation", "Travel", "Rental"),
        about="Book the right <<offer>> for each of three guests.",
        tools=_BOOKING_TOOLS,
        setup=_BOOKING_SETUP,
        ask=_BOOKING_ASK,
        solution=_BOOKING_SOLUTION,
        hint="Look at the details of all offers of the town before you book, for nothing can be cancelled.",
        words=words,
        functions=_BOOKING_FUNCTIONS,
        constants=["NAMES = <<names>>", "TOWNS = <<towns>>", "PERKS = <<perks>>"],
    )
    return lay_out_tools(sketch, rng)


_LEDGER_TOOLS = [
    Tool(
        "<<show>>",
        "Numbers, kinds and balances of the accounts of one <<owner>>.",
        {"<<owner>>": ("string", "First name")},
        """
        found = {n: a for n, a in self._state["accounts"].items() if a["owner"] == <<owner>>}
        if not found:
            return "There are no accounts under that name."
        return "; ".join(f"{n} ({a['kind']}): {a['balance']}" for n, a in found.items())
        """,
    ),
    Tool(
        "<<move>>",
        "Move a whole amount from one account to another.",
        {
            "source": ("string", "Number of the account that pays"),
            "target": ("string", "Number of the account that receives"),
            "amount": ("integer", "Whole amount, at least 1"),
        },
        """
        accounts = self._state["accounts"]
        amount = int(amount)
        if source not in accounts or target not in accounts:
            return "At least one of these account numbers does not exist."
        if source == target or amount < 1:
            return "Name two different accounts and an amount of at least 1."
        if accounts[source]["balance"] < amount:
            return f"Not enough money: {source} holds {accounts[source]['balance']}."
        accounts[source]["balance"] -= amount
        accounts[target]["balance"] += amount
        return f"Moved {amount}. {source}: {accounts[source]['balance']}, {target}: {accounts[target]['balance']}."
        """,
    ),
]


_LEDGER_SETUP = """
    S.people = R.sample(NAMES, 4)
    numbers = [f"<<mark>>{n}" for n in R.sample(range(10000, 99999), 8)]
    self._state = {"accounts": {}}
    for at, number in enumerate(numbers):
        kind = "<<daily>>" if at % 2 == 0 else "<<purse>>"
        row = {"owner": S.people[at // 2], "kind": kind, "balance": R.randint(1200, 4800)}
        self._state["accounts"][number] = row
    S.numbers = numbers
    S.goal = self._state["accounts"][numbers[1]]["balance"] + R.randint(101, 900)
"""


_LEDGER_ASK = """
    first, second = S.people[:2]
    moves = F.wanted_moves(self._state["accounts"], S.numbers, S.goal)
    stages = F.balances_after(self._state["accounts"], moves)
    self._user_messages = [
        f"Bring the <<purse>> account of {first} to exactly {S.goal}, "
        f"with money from {first}'s <<daily>> account; change no other account. <<done>>",
        f"Now move a <<spoken>> of what is on {second}'s <<daily>> account (round down) "
        f"to {first}'s <<daily>> account.",
    ]
    self._message_criteria = [
        lambda state, stage=stage: {n: a.get("balance") for n, a in state.get("accounts", {}).items()} == stage
        for stage in stages
    ]
    text = self._user_messages[0]
"""


_LEDGER_SOLUTION = """
    for name in S.people[:2]:
        CALL <<show>>(<<owner>>=name)
    for source, target, amount in F.wanted_moves(self._state["accounts"], S.numbers, S.goal):
        CALL <<move>>(source=source, target=target, amount=amount)
    ANSWER "done"
"""


_LEDGER_FUNCTIONS = [
    """
    def wanted_moves(accounts: dict, numbers: list, goal: int) -> list:
        need = goal - accounts[numbers[1]]["balance"]
        part = accounts[numbers[2]]["balance"] // <<part>>
        return [(numbers[0], numbers[1], need), (numbers[2], numbers[0], part)]
    """,
    """
    def balances_after(accounts: dict, moves: list) -> list:
        \"\"\"All balances after each of the moves.\"\"\"
        balances = {number: account["balance"] for number, account in accounts.items()}
        stages = []
        for source, target, amount in moves:
            balances[source] -= amount
            balances[target] += amount
            stages.append(dict(balances))
        return stages
    """,
]


def ledger(rng: random.Random) -> GeneratedSource:
    """Move exact amounts between accounts whose numbers and balances have to be looked up."""
    words = {
        "show": rng.choice(["accounts_of", "list_accounts", "get_accounts"]),
        "move": rng.choice(["transfer", "move_money", "send_funds"]),
        "owner": rng.choice(["owner", "customer", "holder"]),
        "names": repr(rng.sample(PEOPLE, 10)),
        "purse": rng.choice(["savings", "reserve", "deposit"]),
        "daily": rng.choice(["current", "daily", "giro"]),
        "mark": rng.choice(["AC", "K", "N"]),
        "done": _DONE,
    }
    words["part"], words["spoken"] = rng.choice([("3", "third"), ("4", "quarter"), ("6", "sixth"), ("7", "seventh")])
    sketch = ToolSketch(
        class_name=class_name(rng, "Ledger", "Bank", "Accounts", "Treasury"),
        about="Bring accounts to exact balances, without touching any other.",
        tools=_LEDGER_TOOLS,
        setup=_LEDGER_SETUP,
        ask=_LEDGER_ASK,
        solution=_LEDGER_SOLUTION,
        hint="Read the balances before you move anything, and work out the one amount that is needed.",
        words=words,
        functions=_LEDGER_FUNCTIONS,
        constants=["NAMES = <<names>>"],
    )
    return lay_out_tools(sketch, rng)
