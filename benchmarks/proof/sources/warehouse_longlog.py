# long event log (10-30 KiB), deeply nested state, defaultdict of dicts of lists; verbose docstrings
import random
import re
from collections import defaultdict


class WarehouseAuditEnv:
    """
    Audit of a warehouse from its event log.

    State layout (``self.sites``)::

        {site: {"aisles": {aisle: {"bins": {bin: {"sku": str | None, "qty": int}}}}}}

    The player sees only the log, and answers with the stock of three bins.
    """

    SITES = ("north", "south")
    AISLES = ("P", "Q", "R")
    BINS = (1, 2, 3, 4)
    SKUS = ("bolt", "gasket", "hinge", "pulley", "spring", "washer")

    def __init__(self, max_turns: int = 4):
        """Create the environment; ``max_turns`` is the number of tries."""
        self.max_turns = max_turns
        self.turn = 0
        self.reset()

    def reset(self, seed=None):
        """Start a new audit."""
        rng = random.Random(seed)
        self.turn = 0
        self.sites = {
            s: {"aisles": {a: {"bins": {b: {"sku": None, "qty": 0} for b in self.BINS}} for a in self.AISLES}}
            for s in self.SITES
        }
        self.log = []
        minute = 360
        for _ in range(rng.randint(190, 260)):
            minute += rng.randint(1, 4)
            self._event(rng, f"{minute // 60 % 24:02d}:{minute % 60:02d}")
        full = [(s, a, b) for s, a, b in self._all_bins() if self._bin(s, a, b)["qty"] > 0]
        while len(full) < 3:
            self._event(rng, "24:00")
            full = [(s, a, b) for s, a, b in self._all_bins() if self._bin(s, a, b)["qty"] > 0]
        self.asked = rng.sample(full, 3)
        text = "Event log of a warehouse whose bins were all empty at first:\n\n" + "\n".join(self.log)
        text += (
            "\n\nA bin holds one kind of article at a time. A cancelled receipt is as if it had never been booked. "
            "A swap exchanges the full contents of two bins.\nWhat do these bins hold at the end: "
            + ", ".join(f"{s}-{a}{b}" for s, a, b in self.asked)
            + "? Answer with article and quantity for each, in this order: \\boxed{bolt 12; hinge 3; spring 40}. "
            f"You have {self.max_turns} tries."
        )
        return text, {"events": len(self.log)}

    def _all_bins(self):
        """Yield the address of every bin."""
        for site, content in self.sites.items():
            for aisle, rows in content["aisles"].items():
                for number in rows["bins"]:
                    yield site, aisle, number

    def _bin(self, site, aisle, number):
        """The innermost dictionary."""
        return self.sites[site]["aisles"][aisle]["bins"][number]

    def _event(self, rng, clock):
        """One line of the log, together with its effect."""
        places = list(self._all_bins())
        by_state = defaultdict(list)
        for address in places:
            by_state["full" if self._bin(*address)["qty"] else "empty"].append(address)
        kind = rng.choices(["receive", "pick", "swap", "void"], [5, 4, 2, 1])[0]
        name = "{}-{}{}".format
        if kind == "pick" and by_state["full"]:
            place = rng.choice(by_state["full"])
            content = self._bin(*place)
            amount = rng.randint(1, content["qty"])
            content["qty"] -= amount
            self.log.append(f"[{clock}] picker {rng.randint(10, 99)} takes {amount} pcs from bin {name(*place)}")
        elif kind == "swap":
            one, two = rng.sample(places, 2)
            first, second = self._bin(*one), self._bin(*two)
            saved = dict(first)
            first.update(second)
            second.update(saved)
            self.log.append(
                f"[{clock}] forklift {rng.choice('XYZ')} swaps the contents of bins {name(*one)} and {name(*two)}"
            )
        else:
            place = rng.choice(places)
            content = self._bin(*place)
            sku = content["sku"] if content["qty"] else rng.choice(self.SKUS)
            amount = rng.randint(5, 60)
            line = f"[{clock}] receipt {rng.randint(10000, 99999)}: {amount} pcs of {sku} into bin {name(*place)}"
            if kind == "void":
                self.log.append(line + " -- CANCELLED before unloading, paper only")
            else:
                content.update(sku=sku, qty=content["qty"] + amount)
                self.log.append(line + f", checked by {rng.choice(['Ines', 'Omar', 'Pia', 'Tadeo'])}")

    def _expected(self):
        return [f"{self._bin(*p)['sku']} {self._bin(*p)['qty']}" for p in self.asked]

    def step(self, action):
        """Compare an answer with the stock."""
        self.turn += 1
        truncated = self.turn >= self.max_turns
        match = re.fullmatch(r"\\boxed\{([^{}]{1,120})\}", action.strip())
        parts = [" ".join(p.lower().split()) for p in match.group(1).split(";")] if match else []
        if len(parts) != 3 or not all(re.fullmatch(r"[a-z]+ [0-9]{1,6}", p) for p in parts):
            return (
                "Three articles with quantities are expected: \\boxed{bolt 12; hinge 3; spring 40}.",
                0.0,
                False,
                truncated,
                {},
            )
        if parts == self._expected():
            return "The audit agrees.", 1.0, True, False, {}
        return "The audit does not agree.", 0.0, False, truncated, {}

    def solution(self):
        """The winning answer."""
        return ["\\boxed{" + "; ".join(self._expected()) + "}"]

    def hint(self):
        """About the approach only."""
        return "Follow the three bins backwards through the swaps first, then add and subtract along their history."
