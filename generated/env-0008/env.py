"""Museum loans desk: chain catalogue, packing and courier services into one outgoing loan."""

import json
import random

PIECES = {
    "ceramics": ["tulip vase", "puzzle jug", "salt cellar", "stove tile", "lidded tureen"],
    "clocks": ["lantern clock", "carriage clock", "table regulator", "equation dial", "turret movement"],
    "instruments": ["brass sextant", "hurdy-gurdy", "orrery", "glass harmonica", "spinet"],
    "textiles": ["altar frontal", "bridal shawl", "guild banner", "sampler", "tapestry border"],
}
PURPOSES = {
    "exhibition": "for their summer show", "research": "to be measured by two of their scholars",
    "conservation": "so that their workshop can clean it", "filming": "as a prop for a television programme",
}
MEASURES = {"heaviest": "kg", "longest": "cm", "most valuable": "euros"}
HOUSES, PLACES = ["Abbey", "Town", "Maritime", "Crafts"], ["store", "gallery 1", "gallery 2", "lent until spring"]
CITIES = ["Arles", "Bergen", "Coimbra", "Dubrovnik", "Ghent", "Lucca", "Malmo", "Olomouc", "Tartu", "York"]
REGISTRARS = ["Adeyemi", "Brandt", "Castellano", "Duarte", "Fischer", "Haugen", "Ivanova", "Keller", "Novak", "Orban"]
DAYS, SECTIONS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"], ["borrowers", "crates", "couriers"]
SPARE = 6  # centimetres that a crate must be longer than its piece


def tool(about, **arguments):
    """Schema of a tool; an argument is its text alone, or its text and its choices. All are required."""
    fields = {}
    for name, (text, *choices) in arguments.items():
        fields[name] = {"type": "string", "description": text, **({"enum": list(choices[0])} if choices else {})}
    return {"description": about, "parameters": {"type": "object", "properties": fields, "required": list(fields)}}


LOAN, PIECE = ("Number of the loan, as given when it was opened",), ("Catalogue number of the piece",)
TOOLS = {
    "search_pieces": tool("List one collection: number and title only.", collection=("Which one", PIECES)),
    "piece_record": tool("Condition, place, size, weight and value of one piece.", piece_id=PIECE),
    "directory": tool("List the museums that borrow, all crates, or all couriers.", section=("Which list", SECTIONS)),
    "open_loan": tool(
        "Open an empty loan and get its number.", borrower_id=("Borrower number",), purpose=("What for", PURPOSES)
    ),
    "pack_piece": tool(
        "Put a piece into a crate as part of a loan; packing it again changes its crate.",
        loan_id=LOAN, piece_id=PIECE, crate_id=("Number of the crate; the word unpack takes the piece out again",),
    ),
    "book_courier": tool(
        "Book a courier, in place of any before.", loan_id=LOAN, courier_id=("Courier number",), day=("Which day", DAYS)
    ),
    "quote_premium": tool("What insurance of one piece would cost a week. Books nothing.", piece_id=PIECE),
}


def suits(crate, piece):
    """Whether a piece may go into a crate, if that is free."""
    dry = crate["walls"] == "sealed" or piece["damp"] == "safe"
    return dry and crate["inside cm"] >= piece["cm"] + SPARE and crate["carries kg"] >= piece["kg"]


def row(key, record):
    return f"{key}: " + "; ".join(f"{name} {value}" for name, value in record.items())


class MuseumLoansEnv(ToolUseBaseEnv):  # noqa: F821 - supplied when the source is loaded
    """Trains orchestration: four requests build up one loan from services that hand numbers on to each other.

    Lists leave the deciding facts to the records, the obvious crate or courier is too weak or taken, and a second piece
    makes the first courier's van too small. Every booking can be replaced.
    """

    def __init__(self, max_turns=40, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def _draw_books(self, rng):
        """Borrowers, pieces and crates; the other borrowers share a name or a city with the one that asks."""
        self._asking = {"museum": f"{rng.choice(HOUSES)} Museum", "city": rng.choice(CITIES)}
        others = [{"museum": f"{house} Museum", "city": city} for house in HOUSES for city in CITIES]
        alike = [o for o in others if sum(o[key] == self._asking[key] for key in o) == 1]
        pieces = [
            {
                "title": title, "collection": collection, "condition": rng.choice(["sound", "sound", "fragile"]),
                "place": rng.choice(PLACES), "cm": rng.randint(24, 149), "kg": rng.randint(15, 420) / 10,
                "euros": rng.randint(8, 190) * 500, "damp": rng.choice(["sensitive", "safe"]),
            }
            for collection, titles in PIECES.items() for title in titles
        ]
        crates = [
            {
                "inside cm": length, "carries kg": rng.randint(8, 48), "tare kg": rng.randint(30, 140) / 10,
                "walls": rng.choice(["sealed", "slatted"]), "now": rng.choice(["free", "free", "free", "in repair"]),
            }
            for length in rng.sample(range(30, 185), 14)
        ]
        self._state = {"loans": {}, "series": rng.randint(1000, 8000)}
        self._number(rng, borrowers=[self._asking, *rng.sample(alike, 7)], pieces=pieces, crates=crates)

    def _number(self, rng, **books):
        """Put records into the state, shuffled and numbered."""
        for kind, rows in books.items():
            numbers = [f"{kind[:2].upper()}-{number}" for number in rng.sample(range(1000, 9999), len(rows))]
            self._state[kind] = dict(zip(numbers, rng.sample(rows, len(rows))))

    def _choose_pieces(self, rng):
        """Draw the books, and say which pieces the requests mean, each with its crate; False when that is unclear."""
        self._draw_books(rng)
        self._packed, crates = {}, sorted(self._state["crates"].items(), key=lambda row: row[1]["inside cm"])
        for collection, key, sign in ((self._one, MEASURES[self._measure], -1), (self._two, "kg", 1)):
            rows = [row for row in self._state["pieces"].items() if row[1]["collection"] == collection]
            rows = [row for row in rows if row[1]["condition"] == "sound" and "lent" not in row[1]["place"]]
            rows.sort(key=lambda row: sign * row[1][key])
            if len(rows) < 2 or rows[0][1][key] == rows[1][1][key]:
                return False
            good = [c for c, crate in crates if crate["now"] == "free" and suits(crate, rows[0][1])]
            self._packed[rows[0][0]] = next((c for c in good if c not in self._packed.values()), None)
        return None not in self._packed.values()

    def _draw_couriers(self, rng):
        """By rising fee, on the day: too weak, enough for one piece, too weak, enough for both, and two stronger."""
        kilos = [self._state["pieces"][k]["kg"] + self._state["crates"][c]["tare kg"] for k, c in self._packed.items()]
        one, both = int(kilos[0]), int(sum(kilos))
        loads = [one - 2, rng.randint(one + 1, both - 1), one - 1, both + rng.randint(1, 9), both + 20, both + 30]
        fees, rest = sorted(rng.sample(range(120, 900), 6)), [day for day in DAYS if day != self._day]
        rows = [(load, [self._day, *rng.sample(rest, 2)], fee) for load, fee in zip(loads, fees)]
        rows += [(both + rng.randint(5, 40), rng.sample(rest, 3), fee) for fee in rng.sample(range(60, 120), 3)]
        rows = [{"load kg": load, "drives": ", ".join(sorted(days)), "fee": fee} for load, days, fee in rows]
        self._number(rng, couriers=rows)
        self._couriers = [k for fee in fees[1:4:2] for k, c in self._state["couriers"].items() if c["fee"] == fee]

    def reset(self, seed=None):
        rng = random.Random(seed)
        self._one, self._two = rng.sample(sorted(PIECES), 2)
        self._measure, self._purpose, self._day = (rng.choice(sorted(kinds)) for kinds in (MEASURES, PURPOSES, DAYS))
        while not self._choose_pieces(rng):
            pass
        self._draw_couriers(rng)
        self.turn_count, self._current_msg, self._call_history = 0, 0, []
        self._tools, self._expected_answer = TOOLS, "done"
        self._user_messages = [
            f"The {self._asking['museum']} in {self._asking['city']} asks for our {self._measure} piece from the "
            f"{self._one} that may travel, {PURPOSES[self._purpose]}. Open the loan and pack the piece.",
            f"Book a courier to collect that loan on {self._day}.",
            f"They would like one more: the lightest piece from the {self._two} that may travel. Pack it into the same "
            "loan, in a crate of its own.",
            "That is too much for the van that was booked. Book another courier for the same day, who can take it all.",
        ]
        van, bigger = ({"courier": key, "day": self._day} for key in self._couriers)
        self._message_criteria = [
            lambda state: self._has(state, 1), lambda state: self._has(state, 1, **van),
            lambda state: self._has(state, 2), lambda state: self._has(state, 2, **bigger),
        ]
        return (
            f"You run the loans desk of a museum; registrar {rng.choice(REGISTRARS)} left these house rules for week "
            f"{rng.randint(2, 51)}:\n"
            "- Only pieces in sound condition that are in the house may travel.\n"
            f"- A crate must be free, at least {SPARE} cm longer than its piece and strong enough for it; pieces "
            "sensitive to damp need a sealed one. Of the crates that suit, take the shortest.\n"
            "- A courier's load counts the pieces and the tare of their crates. Of the couriers who drive on the day "
            "and can carry the load, take the one with the lowest fee.\n\n"
            "Requests come one at a time. Call tools, one or several per reply, each as "
            '<tool_call>{"name": "...", "arguments": {...}}</tool_call>, '
            f"and reply <answer>done</answer> after the last request. You have {self.max_turns} turns.\n\n"
            f"Request: {self._user_messages[0]}"
        ), {}

    def _has(self, state, count, **booked):
        """Whether a loan to the right museum holds just the first pieces, rightly packed, and has the booking."""
        contents = dict(list(self._packed.items())[:count])
        return any(
            state["borrowers"][loan["borrower"]] == self._asking and loan["purpose"] == self._purpose
            and loan["contents"] == contents and all(loan[key] == value for key, value in booked.items())
            for loan in state["loans"].values()
        )

    def tool_search_pieces(self, collection):
        pieces = self._state["pieces"].items()
        return "\n".join(f"{key}: {piece['title']}" for key, piece in pieces if piece["collection"] == collection)

    def tool_piece_record(self, piece_id):
        pieces = self._state["pieces"]
        return row(piece_id, pieces[piece_id]) if piece_id in pieces else "Error: no piece has that number."

    def tool_directory(self, section):
        return "\n".join(row(key, record) for key, record in self._state[section].items())

    def tool_open_loan(self, borrower_id, purpose):
        if borrower_id not in self._state["borrowers"]:
            return "Error: no borrower has that number."
        loan_id = f"LO-{self._state['series'] + len(self._state['loans'])}"
        self._state["loans"][loan_id] = dict(borrower=borrower_id, purpose=purpose, contents={}, courier="", day="")
        return f"Loan {loan_id} to {borrower_id} is open, purpose {purpose}; it is empty."

    def tool_pack_piece(self, loan_id, piece_id, crate_id):
        loans, crates, piece = self._state["loans"], self._state["crates"], self._state["pieces"].get(piece_id)
        crate = crates.get(crate_id)
        if loan_id not in loans or piece is None or (crate is None and crate_id != "unpack"):
            return "Error: no such loan, piece or crate."
        elsewhere = [key for key, loan in loans.items() if key != loan_id and piece_id in loan["contents"]]
        if elsewhere:
            return f"Error: {piece_id} is packed for {elsewhere[0]}; unpack it there first."
        if crate and not (suits(crate, piece) and crate["now"] in ("free", f"holds {piece_id}")):
            return f"Error: crate {crate_id} is not free, or does not suit {piece_id}."
        contents = loans[loan_id]["contents"]
        if piece_id in contents:
            crates[contents.pop(piece_id)]["now"] = "free"
        if crate:
            contents[piece_id], crate["now"] = crate_id, f"holds {piece_id}"
        return f"{loan_id} now holds: " + (", ".join(f"{key} in {box}" for key, box in contents.items()) or "nothing")

    def tool_book_courier(self, loan_id, courier_id, day):
        loan, courier = self._state["loans"].get(loan_id), self._state["couriers"].get(courier_id)
        if loan is None or courier is None or day not in courier["drives"]:
            return "Error: no such loan or courier, or the courier does not drive on that day."
        loan.update(courier=courier_id, day=day)
        return f"{courier_id} collects {loan_id} on {day}."

    def tool_quote_premium(self, piece_id):
        piece = self._state["pieces"].get(piece_id)
        return f"{piece['euros'] // 250} euros a week." if piece else "Error: no piece has that number."

    def solution(self):
        """List, read every record that could matter, then change."""
        looks = {name: [("search_pieces", {"collection": name})] for name in (self._one, self._two)}
        for key, piece in self._state["pieces"].items():
            looks.get(piece["collection"], []).append(("piece_record", {"piece_id": key}))
        borrower = next(key for key, museum in self._state["borrowers"].items() if museum == self._asking)
        loan = {"loan_id": f"LO-{self._state['series']}"}
        plan = [("directory", {"section": section}) for section in SECTIONS]
        opening = [("open_loan", {"borrower_id": borrower, "purpose": self._purpose})]
        steps = zip((self._one, self._two), self._packed.items(), self._couriers, (opening, []))
        for collection, (piece, crate), courier, first in steps:
            plan += [*looks[collection], *first, ("pack_piece", {**loan, "piece_id": piece, "crate_id": crate})]
            plan += [("book_courier", {**loan, "courier_id": courier, "day": self._day})]
        calls = [json.dumps({"name": name, "arguments": arguments}) for name, arguments in plan]
        return [f"<tool_call>{call}</tool_call>" for call in calls] + ["<answer>done</answer>"]

    def hint(self):
        return (
            "A list shows names only: read the record of every candidate before you rank them, several calls a reply, "
            "and strike out those that may not go. Check every house rule for a crate, not its length alone, and look "
            "at the whole list before you take the shortest or cheapest. Turn the reason in the request into a purpose "
            "on offer. Keep the number that a new loan gets. Add up weights and tares for the van. A booking can be "
            "made anew. Finish with the word that the task asks for, in answer tags."
        )
