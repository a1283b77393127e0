"""Tools environments that end with an answer: chains of records, totals over pages."""

from __future__ import annotations

import random

from .model import GeneratedSource
from .tools_frame import Tool, ToolSketch, lay_out_tools
from .words import GOODS, PEOPLE, TOWNS, class_name

_RECORD_CHAIN_TOOLS = [
    Tool(
        "<<find>>",
        "Find the number of a person by name.",
        {"name": ("string", "First name")},
        """
        for number, record in self._state["people"].items():
            if record["name"].lower() == name.strip().lower():
                return f"{record['name']} has the number {number}."
        return "There is no person of that name."
        """,
    ),
    Tool(
        "<<get>>",
        "Read the record of a person.",
        {"<<id>>": ("string", "Number of the person")},
        """
        record = self._state["people"].get(<<id>>)
        if record is None:
            return "There is no record of that number."
        return ", ".join(f"{key}: {value}" for key, value in record.items())
        """,
    ),
    Tool(
        "<<site>>",
        "Read what is known of a site.",
        {"site_id": ("string", "Number of the site")},
        """
        found = self._state["sites"].get(site_id)
        if found is None:
            return "There is no site of that number."
        return f"Site {site_id}: {found['town']}, <<rate>> {found['<<rate>>']}"
        """,
    ),
]


_RECORD_CHAIN_SETUP = """
    names = R.sample(NAMES, <<size>>)
    towns = R.sample(TOWNS, 5)
    numbers = [f"<<mark>>-{n}" for n in R.sample(range(1000, 9999), <<size>>)]
    sites = [f"L{n}" for n in R.sample(range(100, 999), 5)]
    self._state = {"people": {}, "sites": {}}
    for number, town in zip(sites, towns):
        self._state["sites"][number] = {"town": town, "<<rate>>": R.randint(21, 98)}
    for at, number in enumerate(numbers):
        self._state["people"][number] = {
            "name": names[at],
            "<<leader>>": numbers[at - 1],
            "site": R.choice(sites),
            "<<amount>>": R.randint(31, 199),
        }
    S.who, S.flat = R.choice(names), R.randint(100, 999)
"""


_RECORD_CHAIN_ASK = """
    number, leader = F.pair(self._state["people"], S.who)
    total = F.cost(self._state, number) + F.cost(self._state, leader) + S.flat
    self._expected_answer = str(total)
    text = f"For {S.who} and for {S.who}'s <<leader>>, multiply the <<amount>> of the person "
    text += "by the <<rate>> of the site of that person. What is the sum of the two products "
    text += f"and a flat {S.flat}? "
    text += "Use the tools, then give the number as <answer>NUMBER</answer>."
"""


_RECORD_CHAIN_SOLUTION = """
    number, leader = F.pair(self._state["people"], S.who)
    CALL <<find>>(name=S.who)
    CALL <<get>>(<<id>>=number)
    CALL <<get>>(<<id>>=leader)
    for person in (number, leader):
        CALL <<site>>(site_id=self._state["people"][person]["site"])
    ANSWER self._expected_answer
"""


_RECORD_CHAIN_FUNCTIONS = [
    """
    def pair(people: dict, who: str) -> tuple:
        for number, record in people.items():
            if record["name"] == who:
                return number, record["<<leader>>"]
        return "", ""
    """,
    """
    def cost(state: dict, number: str) -> int:
        record = state["people"][number]
        return record["<<amount>>"] * state["sites"][record["site"]]["<<rate>>"]
    """,
]


def record_chain(rng: random.Random) -> GeneratedSource:
    """From a name to a number, from there to a record, its superior and their sites."""
    leader = rng.choice(["mentor", "supervisor", "lead", "deputy"])
    find, get, site = (
        rng.choice(["find_person", "search_staff", "lookup_name"]),
        rng.choice(["get_record", "read_file_card", "fetch_employee"]),
        rng.choice(["get_site", "site_info", "describe_site"]),
    )
    amount, rate = rng.choice([("hours", "rate"), ("trips", "fare"), ("samples", "fee"), ("pages", "price")])
    words = {
        "leader": leader,
        "find": find,
        "get": get,
        "site": site,
        "amount": amount,
        "rate": rate,
        "id": rng.choice(["person_id", "number", "staff_id"]),
        "names": repr(rng.sample(PEOPLE, 12)),
        "towns": repr(rng.sample(TOWNS, 8)),
        "size": str(rng.randint(7, 10)),
        "mark": rng.choice(["P", "EMP", "S", "X"]),
    }
    sketch = ToolSketch(
        class_name=class_name(rng, "Directory", "Staff", "Records", "Lookup"),
        about="Follow numbers from record to record and work out a total.",
        tools=_RECORD_CHAIN_TOOLS,
        setup=_RECORD_CHAIN_SETUP,
        ask=_RECORD_CHAIN_ASK,
        solution=_RECORD_CHAIN_SOLUTION,
        hint="Get the number of the person first; the record names the <<leader>> and the site by their numbers.",
        words=words,
        functions=_RECORD_CHAIN_FUNCTIONS,
        constants=["NAMES = <<names>>", "TOWNS = <<towns>>"],
    )
    return lay_out_tools(sketch, rng)


_PAGED_TOTAL_TOOLS = [
    Tool(
        "<<listing>>",
        "One page of the list of orders: numbers, goods and status.",
        {"page": ("integer", "Number of the page, from 1")},
        """
        page = int(page)
        if not 1 <= page <= <<pages>>:
            return "Pages go from 1 to <<pages>>."
        rows = list(self._state["orders"].items())[(page - 1) * <<size>> : page * <<size>>]
        lines = [f"{number}: {row['goods']}, {row['status']}" for number, row in rows]
        return f"Page {page} of <<pages>>\\n" + "\\n".join(lines)
        """,
    ),
    Tool(
        "<<detail>>",
        "Pieces and price per piece of one order.",
        {"order_id": ("string", "Number of the order")},
        """
        row = self._state["orders"].get(order_id)
        if not row:
            return "No such order."
        return f"{order_id}: {row['pieces']} pieces at {row['price']} <<unit>> each."
        """,
    ),
]


_PAGED_TOTAL_SETUP = """
    count = <<pages>> * <<size>>
    numbers = [f"<<mark>>{n}" for n in R.sample(range(10000, 99999), count)]
    S.goods, S.status, S.fee = R.choice(GOODS), R.choice(STATES), R.randint(5, 95)
    wanted = R.sample(range(count), <<few>>)
    self._state = {"orders": {}}
    for at, number in enumerate(numbers):
        goods, status = S.goods, S.status
        # All but the wanted ones differ in the goods, the status or both.
        while at not in wanted and (goods, status) == (S.goods, S.status):
            goods, status = R.choice(GOODS), R.choice(STATES)
        row = {"goods": goods, "status": status, "pieces": R.randint(3, 40), "price": R.randint(11, 95)}
        self._state["orders"][number] = row
"""


_PAGED_TOTAL_ASK = """
    found = F.matching(self._state["orders"], S.goods, S.status)
    self._expected_answer = str(sum(row["pieces"] * row["price"] + S.fee for row in found.values()))
    text = f"What are all orders of {S.goods} with the status {S.status} worth together, in <<unit>>, "
    text += f"with a fee of {S.fee} added for each of them? "
    text += "The list has several pages. Answer with <answer>NUMBER</answer> once you know."
"""


_PAGED_TOTAL_SOLUTION = """
    for page in range(1, <<pages>> + 1):
        CALL <<listing>>(page=page)
    for number in F.matching(self._state["orders"], S.goods, S.status):
        CALL <<detail>>(order_id=number)
    ANSWER self._expected_answer
"""


_PAGED_TOTAL_FUNCTIONS = [
    """
    def matching(orders: dict, goods: str, status: str) -> dict:
        return {n: row for n, row in orders.items() if row["goods"] == goods and row["status"] == status}
    """
]


def paged_total(rng: random.Random) -> GeneratedSource:
    """A list in pages, to be read to the end, filtered and summed up."""
    words = {
        "listing": rng.choice(["list_orders", "orders_page", "read_orders"]),
        "detail": rng.choice(["order_detail", "get_order", "show_order"]),
        "goods": repr(rng.sample(GOODS, 5)),
        "states": repr(rng.choice([["open", "paid", "late"], ["new", "sent", "lost"], ["draft", "final", "void"]])),
        "pages": str(rng.randint(3, 4)),
        "size": str(rng.randint(4, 6)),
        "few": str(rng.randint(3, 4)),
        "mark": rng.choice(["ORD", "A", "Z", "NR"]),
        "unit": rng.choice(["crowns", "euros", "points", "credits"]),
    }
    sketch = ToolSketch(
        class_name=class_name(rng, "Orders", "Pages", "Totals", "Billing"),
        about="Read a list to its end and sum up what fits.",
        tools=_PAGED_TOTAL_TOOLS,
        setup=_PAGED_TOTAL_SETUP,
        ask=_PAGED_TOTAL_ASK,
        solution=_PAGED_TOTAL_SOLUTION,
        hint="Read every page, note the numbers that fit in both goods and status, then look at each of these.",
        words=words,
        functions=_PAGED_TOTAL_FUNCTIONS,
        constants=["GOODS = <<goods>>", "STATES = <<states>>"],
    )
    return lay_out_tools(sketch, rng)
