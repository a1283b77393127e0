"""Answer environments whose answer is a number: chains, schedules, inventories, distances."""

from __future__ import annotations

import random

from .answer_body import answer_body
from .frame import lay_out
from .model import GeneratedSource, Sketch
from .words import GOODS, class_name, pick

_ARITHMETIC_CHAIN_OPERATIONS = {
    "add": ('f"add {k}"', "value + k"),
    "multiply": ('f"multiply by {k}"', "value * k"),
    "subtract": ('f"subtract {k}"', "value - k"),
    "square": ('f"square it and add {k}"', "value * value + k"),
    "reverse": ('f"write its decimal digits backwards and add {k}"', "int(str(value)[::-1]) + k"),
    "digits": ('f"add {k} times its digit sum"', "value + k * sum(int(d) for d in str(value))"),
    "double": ('f"double it and take away {k}"', "2 * value - k"),
}


_ARITHMETIC_CHAIN_FUNCTIONS = [
    """
    def run(start: int, program: list) -> int:
        \"\"\"Run the operations one after the other.\"\"\"
        value = start
        for kind, k in program:
            <<chain>>
            # Keep every intermediate value small and positive.
            value %= <<modulus>>
        return value
    """,
    """
    def spell(kind: str, k: int) -> str:
        return {
            <<spoken>>
        }[kind]
    """,
]


_ARITHMETIC_CHAIN_SETUP = """
    S.start = R.randint(10, <<modulus>> - 1)
    S.program = [(R.choice(<<names>>), R.randint(3, <<high>>)) for _ in range(<<length>>)]
"""


_ARITHMETIC_CHAIN_TASK = """
    lines = [f"{i}. {F.spell(kind, k)}" for i, (kind, k) in enumerate(S.program, 1)]
    text = f"The <<noun>> holds {S.start}. After every operation it keeps only the remainder "
    text += "modulo <<modulus>> (never negative). The operations:\\n" + "\\n".join(lines)
    text += "\\nWhat does the <<noun>> hold at the end?"
"""


def arithmetic_chain(rng: random.Random) -> GeneratedSource:
    """A register runs through drawn operations, modulo a large number."""
    noun = rng.choice(["register", "accumulator", "counter", "display", "cell"])
    chosen = pick(rng, list(_ARITHMETIC_CHAIN_OPERATIONS), rng.randint(3, 6))
    chain = "\n".join(
        f'{"if" if index == 0 else "elif"} kind == "{kind}":\n    value = {_ARITHMETIC_CHAIN_OPERATIONS[kind][1]}'
        for index, kind in enumerate(chosen)
    )
    spoken = "\n".join(f'"{kind}": {_ARITHMETIC_CHAIN_OPERATIONS[kind][0]},' for kind in chosen)
    words = {
        "noun": noun,
        "modulus": str(rng.choice([9973, 10007, 65521, 99991, 7919, 100003])),
        "length": str(rng.randint(5, 10)),
        "names": repr(chosen),
        "chain": chain,
        "spoken": spoken,
        "high": str(rng.randint(40, 99)),
        "form": rng.choice(["N", "NUMBER", "integer"]),
    }
    sketch = Sketch(
        class_name=class_name(rng, "Register", "Chain", "Arithmetic", "Modular"),
        about="Run a short program on one number, modulo <<modulus>>.",
        contract="answer",
        max_turns=rng.randint(1, 4),
        fields={"start": "int", "program": "list"},
        setup=_ARITHMETIC_CHAIN_SETUP,
        task=_ARITHMETIC_CHAIN_TASK,
        solution="SEND str(F.run(S.start, S.program))",
        hint="Go line by line, and reduce modulo <<modulus>> after each one before you go on.",
        words=words,
        functions=_ARITHMETIC_CHAIN_FUNCTIONS,
        body=answer_body(rng, "int", "F.run(S.start, S.program)"),
        one_action=True,
    )
    return lay_out(sketch, rng)


_SCHEDULE_FUNCTIONS = [
    """
    def total_for(jobs: list) -> int:
        \"\"\"Simulate the day and sum up.\"\"\"
        jobs = <<ordered>>
        free = [0] * <<workers>>
        ends = []
        for job in jobs:
            <<find>>
            free[w] += job[1]
            ends.append(free[w])
        return <<total>>
    """
]


_SCHEDULE_SETUP = """
    S.jobs = []
    for number in range(1, <<count>> + 1):
        S.jobs.append((f"<<job>>-{number}", R.randint(<<low>>, <<high>>), R.randint(2, 19)))
"""


_SCHEDULE_TASK = """
    lines = [<<listed>> for name, minutes, weight in S.jobs]
    text = "<<workers>> machines (<<worker>> 1 to <<worker>> <<workers>>) are all free at minute 0. "
    text += "Jobs are started <<rule>>, "
    text += "each on the machine that is free first (the lowest number if several are). The jobs:\\n"
    text += "\\n".join(lines) + "\\nTo answer, <<question>>."
"""


def schedule(rng: random.Random) -> GeneratedSource:
    """List scheduling on several workers; weighted finish times, or waiting times."""
    worker, job = rng.choice([("oven", "loaf"), ("printer", "order"), ("crane", "ship"), ("bench", "engine")])
    weighted = rng.random() < 0.5
    question = (
        "add up over all <<job>> entries: the minute it is finished times its weight"
        if weighted
        else "add up the finishing minutes of all of them, and multiply the sum by the minute the last one is finished"
    )
    total = "sum(end * job[2] for end, job in zip(ends, jobs))" if weighted else "sum(ends) * max(ends)"
    rule = rng.choice(["queue", "longest", "shortest"])
    order = {
        "queue": ("in the order of the list", "list(jobs)"),
        "longest": (
            "longest first (equal ones in the order of the list)",
            "sorted(jobs, key=lambda job: -job[1])",
        ),
        "shortest": (
            "shortest first (equal ones in the order of the list)",
            "sorted(jobs, key=lambda job: job[1])",
        ),
    }[rule]
    find = rng.choice(["w = free.index(min(free))", "w = min(range(<<workers>>), key=lambda i: free[i])"])
    words = {
        "worker": worker,
        "job": job,
        "workers": str(rng.randint(2, 4)),
        "count": str(rng.randint(6, 11)),
        "low": str(rng.randint(3, 9)),
        "high": str(rng.randint(30, 60)),
        "rule": order[0],
        "ordered": order[1],
        "total": total,
        "find": find,
        "question": question.replace("<<job>>", job),
        "form": rng.choice(["N", "TOTAL", "number"]),
    }
    listed = 'f"{name}: {minutes} min, weight {weight}"' if weighted else 'f"{name}: {minutes} min"'
    words["listed"] = listed
    sketch = Sketch(
        class_name=class_name(rng, "Schedule", "Shift", "Workshop", "Dispatch"),
        about="Simulate a greedy schedule on <<workers>> machines.",
        contract="answer",
        max_turns=rng.randint(1, 3),
        fields={"jobs": "list"},
        setup=_SCHEDULE_SETUP,
        task=_SCHEDULE_TASK,
        solution="SEND str(F.total_for(S.jobs))",
        hint="Keep one clock per machine, always give the next job to the smallest clock, note every finish.",
        words=words,
        functions=_SCHEDULE_FUNCTIONS,
        body=answer_body(rng, "int", "F.total_for(S.jobs)"),
        one_action=True,
    )
    return lay_out(sketch, rng)


_INVENTORY_TOLD = {
    "arrive": 'f"{n} {item} arrive at the {place}."',
    "sold": 'f"{n} {item} of the {place} are sold (or all it has, if fewer)."',
    "move": 'f"{n} {item} go from the {place} to the {other} (or all it has, if fewer)."',
    "back": 'f"Customers bring {n} {item} back to the {place}."',
    "broken": 'f"Of the {item} in the {place}, one in {n} is broken and thrown away (round down)."',
}


_INVENTORY_DONE = {
    "arrive": "stock[place][item] += n",
    "sold": "stock[place][item] -= min(n, stock[place][item])",
    "move": "n = min(n, stock[place][item])\n    stock[place][item] -= n\n    stock[other][item] += n",
    "back": "stock[place][item] += n",
    "broken": "stock[place][item] -= stock[place][item] // n",
}


_INVENTORY_FUNCTIONS = [
    """
    def value_of(stock: dict, prices: dict, events: list, wanted: str) -> int:
        \"\"\"What the wanted place is worth after all events.\"\"\"
        # The given stock is the start of the episode and stays as it is.
        stock = {place: dict(items) for place, items in stock.items()}
        for kind, n, item, place, other in events:
            <<branches>>
        return sum(prices[item] * count for item, count in stock[wanted].items())
    """,
    """
    def tell(kind: str, n: int, item: str, place: str, other: str) -> str:
        return {
            <<spoken>>
        }[kind]
    """,
]


_INVENTORY_SETUP = """
    goods = <<goods>>
    places = ["<<first>>", "<<second>>"]
    S.prices = {item: R.randint(11, 97) for item in goods}
    S.stock = {place: {item: R.randint(15, 90) for item in goods} for place in places}
    S.events = []
    for _ in range(<<length>>):
        place, other = R.sample(places, 2)
        S.events.append((R.choice(<<kinds>>), R.randint(<<low>>, <<high>>), R.choice(goods), place, other))
    S.wanted = R.choice(places)
"""


_INVENTORY_TASK = """
    lines = []
    for place, items in S.stock.items():
        lines.append(f"In the {place}: " + ", ".join(f"{count} {item}" for item, count in items.items()) + ".")
    prices = ", ".join(f"{item} {price}" for item, price in S.prices.items())
    lines.append(f"Prices in <<coin>> per piece: {prices}.")
    lines += [f"{i}) {F.tell(*event)}" for i, event in enumerate(S.events, 1)]
    text = "\\n".join(lines)
    text += f"\\nHow many <<coin>> are the goods in the {S.wanted} worth after all of this?"
"""


def inventory(rng: random.Random) -> GeneratedSource:
    """Deliveries, sales, losses and moves between two stores; the value of one store at the end."""
    first, second = rng.choice([("shop", "cellar"), ("depot", "yard"), ("north hall", "south hall"), ("van", "office")])
    kinds = pick(rng, ["arrive", "sold", "move", "back", "broken"], rng.randint(3, 5))
    words = {
        "first": first,
        "second": second,
        "kinds": repr(kinds),
        "goods": repr(rng.sample(GOODS, rng.randint(3, 4))),
        "spoken": "\n".join(f'"{kind}": {_INVENTORY_TOLD[kind]},' for kind in kinds),
        "branches": "\n".join(
            f'{"elif" if at else "if"} kind == "{kind}":\n    {_INVENTORY_DONE[kind]}' for at, kind in enumerate(kinds)
        ),
        "length": str(rng.randint(6, 11)),
        "low": str(rng.randint(2, 5)),
        "high": str(rng.randint(12, 25)),
        "coin": rng.choice(["crowns", "euros", "dollars", "credits"]),
        "form": rng.choice(["N", "AMOUNT", "value"]),
    }
    sketch = Sketch(
        class_name=class_name(rng, "Inventory", "Stock", "Warehouse", "Ledger"),
        about="Follow the goods of two places through a list of events.",
        contract="answer",
        max_turns=rng.randint(1, 4),
        fields={"stock": "dict", "prices": "dict", "events": "list", "wanted": "str"},
        setup=_INVENTORY_SETUP,
        task=_INVENTORY_TASK,
        solution="SEND str(F.value_of(S.stock, S.prices, S.events, S.wanted))",
        hint="Keep one table of counts per place, cross each event off, and multiply by the prices at the very end.",
        words=words,
        functions=_INVENTORY_FUNCTIONS,
        body=answer_body(rng, "int", "F.value_of(S.stock, S.prices, S.events, S.wanted)"),
        one_action=True,
    )
    return lay_out(sketch, rng)
