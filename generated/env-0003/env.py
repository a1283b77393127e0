"""Harbour desk: four requests to a berth planner, each needing look-ups before a change."""

import random

CARGOES = ["grain", "timber", "reefer", "ore", "cars"]
SIDES = ["north", "south", "east"]
SHIFTS = ["early", "late", "night"]
REASONS = {
    "engine": ["smoke from the main engine", "a seized fuel pump", "a cracked cylinder head"],
    "customs": ["seals that do not match the papers", "containers missing from the manifest", "undeclared spirits on board"],
    "medical": ["two crew members with a high fever", "a case of measles on board", "a sailor with a suspected infection"],
    "pilot": ["that no pilot has come on board", "that the pilot had to leave", "a pilot ladder that is not safe"],
}
SHIPS = [
    "Alba", "Borealis", "Corrib", "Dunlin", "Estuary", "Fulmar", "Gannet", "Harrier", "Isbjorn", "Jackdaw",
    "Kestrel", "Lapwing", "Merlin", "Nightjar", "Osprey", "Petrel", "Quail", "Redshank", "Sanderling", "Tern",
]
CAPTAINS = [
    "Abara", "Bergstrom", "Costa", "Dlamini", "Eriksen", "Farouk", "Gupta", "Horvat", "Ito", "Jansen",
    "Kowalski", "Lindqvist", "Moreau", "Nwosu", "Okafor", "Petrov", "Quiroga", "Rossi", "Sato", "Tamm",
]


MONTHS = ["January", "February", "March", "April", "May", "June", "August", "September", "October", "November"]
STATUSES = ["waiting", "inbound", "moored", "held"]
NOTICES = ["own_power", "tow_required", "shift_change", "welcome"]


def tool(about, required, **fields):
    """Schema of one tool; a field is its text alone, or its text and its options."""
    properties = {}
    for name, (text, *options) in fields.items():
        properties[name] = {"type": "string", "description": text}
        properties[name].update({"enum": options[0]} if options else {})
    return {"description": about, "parameters": {"type": "object", "properties": properties, "required": required}}


SHIP = ("Ship number, such as MV-000",)
TOOLS = {
    "search_ships": tool(
        "List ships by cargo and status: number, name, cargo and status of each.",
        [], cargo=("Only this cargo", CARGOES), status=("Only this status", STATUSES),
    ),
    "ship_details": tool(
        "Everything known about one ship, with captain, draught and length.", ["ship_id"], ship_id=SHIP
    ),
    "list_berths": tool(
        "Berths of one quay: depth, length, crane and the ship moored there.", ["side"], side=("Which quay", SIDES)
    ),
    "assign_berth": tool(
        "Moor a ship at a free berth, or move her there; lifts a hold.", ["ship_id", "berth_id", "shift"],
        ship_id=SHIP, berth_id=("Berth, such as N1",), shift=("Gang that handles her", SHIFTS),
    ),
    "hold_ship": tool(
        "Put a ship on hold; holding her again replaces the reason.", ["ship_id", "reason"],
        ship_id=SHIP, reason=("Why", sorted(REASONS)),
    ),
    "post_notice": tool(
        "Send a standard notice to a ship; a new one replaces the last.", ["ship_id", "template"],
        ship_id=SHIP, template=("Which notice", NOTICES),
    ),
    "quote_fee": tool("Calculate the fee for a stay. Books nothing.", ["ship_id", "nights"], ship_id=SHIP),
}
TOOLS["quote_fee"]["parameters"]["properties"]["nights"] = {
    "type": "integer", "minimum": 1, "maximum": 30, "description": "Length of the stay"
}


class HarbourDeskEnv(ToolUseBaseEnv):  # noqa: F821 - supplied when the source is loaded
    """Trains multi-step tool use: look up, compare, change, and remember earlier steps.

    Twelve ships and twelve berths; four requests that come one at a time. The look-ups give lists first and the
    deciding numbers only ship by ship or quay by quay, two tools look alike (the fee calculator changes nothing),
    a request hides its reason code in plain words, and the last one refers back to the first. Every change can be
    made again, so a wrong one can be put right.
    """

    def __init__(self, max_turns=30, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def _ships(self, rng):
        """Twelve ships; at least three wait with the cargo that the first request is about."""
        numbers = rng.sample(range(110, 990), 12)
        names, captains = rng.sample(SHIPS, 12), rng.sample(CAPTAINS, 12)
        draughts = rng.sample(range(52, 118), 12)
        lengths = rng.sample(range(90, 235), 12)
        cargoes = [self._cargo] * 4 + [rng.choice(CARGOES) for _ in range(8)]
        ships = {}
        for index in range(12):
            ships[f"MV-{numbers[index]}"] = {
                "name": names[index], "captain": captains[index], "cargo": cargoes[index],
                "draught": draughts[index] / 10, "length": lengths[index],
                "status": "waiting" if index < 3 or rng.random() < 0.5 else "inbound",
                "reason": "", "berth": "", "shift": "",
            }
        return ships

    def _berths(self, rng):
        depths = rng.sample(range(66, 140), 12)
        berths = {}
        for index in range(12):
            side = SIDES[index % 3]
            berths[f"{side[0].upper()}{index // 3 + 1}"] = {
                "side": side, "depth": depths[index] / 10, "length": rng.randint(140, 250),
                "crane": rng.random() < 0.5, "ship": "",
            }
        return berths

    def _fits(self, ship, berth, margin=0.5):
        return berth["depth"] >= ship["draught"] + margin - 1e-9 and berth["length"] >= ship["length"]

    def _try_instance(self, rng):
        """Draw one instance; False when it would have no clear answer."""
        self._cargo = rng.choice(CARGOES)
        ships, berths = self._ships(rng), self._berths(rng)
        self._state = {"ships": ships, "berths": berths, "notices": {}}
        others = [key for key, ship in ships.items() if ship["cargo"] != self._cargo]
        if len(others) < 5:
            return False
        moored = rng.sample(others, 3)
        for key in moored:
            options = [b for b, berth in berths.items() if not berth["ship"] and self._fits(ships[key], berth)]
            if not options:
                return False
            place = rng.choice(options)
            berths[place]["ship"] = key
            ships[key].update(berth=place, shift=rng.choice(SHIFTS), status="moored")
        candidates = [key for key, ship in ships.items() if ship["cargo"] == self._cargo and ship["status"] == "waiting"]
        if len(candidates) < 3:
            return False
        self._extreme = rng.choice(["deepest draught", "greatest length"])
        self._first = max(candidates, key=lambda key: ships[key][self._extreme.split()[1]])
        self._margin = rng.randint(5, 17) / 10
        free = [k for k, berth in berths.items() if not berth["ship"] and self._fits(ships[self._first], berth, self._margin)]
        cranes = [key for key in free if berths[key]["crane"]]
        if len(free) < 3 or len(cranes) < 2:
            return False
        self._berth_one = min(free, key=lambda key: berths[key]["depth"])
        self._berth_two = max(cranes, key=lambda key: berths[key]["depth"])
        if self._berth_one == self._berth_two:
            return False
        self._shift = rng.choice(SHIFTS)
        self._holder = rng.choice([key for key, ship in ships.items() if key != self._first and not ship["berth"]])
        self._reason = rng.choice(sorted(REASONS))
        self._addressee = rng.choice(moored)
        self._limit = ships[self._addressee]["length"] + rng.choice([-9, -6, -3, 4, 7, 11])
        self._template = "tow_required" if ships[self._addressee]["length"] > self._limit else "own_power"
        return True

    def reset(self, seed=None):
        rng = random.Random(seed)
        while not self._try_instance(rng):
            pass
        ships, berths = self._state["ships"], self._state["berths"]
        self.turn_count, self._current_msg, self._call_history = 0, 0, []
        self._expected_answer = "done"
        self._user_messages = [
            f"Of the waiting {self._cargo} ships, the one with the {self._extreme} gets a berth: the shallowest free "
            f"berth on any side that is long enough for her and has at least {self._margin} m more water than she draws. "
            f"Put her on the {self._shift} shift.",
            f"Captain {ships[self._holder]['captain']} ({ships[self._holder]['cargo']}) reports "
            f"{rng.choice(REASONS[self._reason])}. Put that ship on hold, with the reason that fits.",
            f"Look at the ship moored at berth {ships[self._addressee]['berth']}. If she is longer than {self._limit} m "
            "post her the tow_required notice, otherwise own_power.",
            f"Change of plan for the {self._cargo} ship you placed first: move her to the deepest free berth with a "
            "crane that fits her by the same two rules. Same shift as before.",
        ]
        first, one, two, shift = self._first, self._berth_one, self._berth_two, self._shift
        holder, reason, addressee, template = self._holder, self._reason, self._addressee, self._template
        self._message_criteria = [
            lambda s: s["ships"][first]["berth"] == one and s["ships"][first]["shift"] == shift,
            lambda s: s["ships"][holder]["status"] == "held" and s["ships"][holder]["reason"] == reason,
            lambda s: s["notices"].get(addressee) == template,
            lambda s: s["ships"][first]["berth"] == two and s["ships"][first]["shift"] == shift,
        ]
        self._tools = TOOLS
        return (
            f"You run the berth desk of a small harbour. It is the {rng.randint(2, 28)}. of {rng.choice(MONTHS)}. "
            "Requests come one at a time; the next one is shown as soon as the present one is fulfilled. Use the tools, one or several calls per reply, each written as\n"
            '<tool_call>{"name": "...", "arguments": {...}}</tool_call>\n'
            f"When every request is fulfilled, reply <answer>done</answer>. You have {self.max_turns} turns. The quays "
            f"are {', '.join(SIDES)}; a berth such as {next(iter(berths))} lies on the quay its letter names.\n\n"
            f"Request: {self._user_messages[0]}"
        ), {}

    def _with_next(self, text):
        """Append the next request once the present one is fulfilled."""
        if self._current_msg < len(self._user_messages) and self._message_criteria[self._current_msg](self._state):
            self._current_msg += 1
            if self._current_msg < len(self._user_messages):
                return f"{text}\n\nNext request: {self._user_messages[self._current_msg]}"
            return text + "\n\nThat was the last request."
        return text

    def tool_search_ships(self, cargo=None, status=None):
        rows = [
            f"{key}: {ship['name']}, {ship['cargo']}, {ship['status']}"
            for key, ship in self._state["ships"].items()
            if cargo in (None, ship["cargo"]) and status in (None, ship["status"])
        ]
        return "\n".join(rows) if rows else "No ship matches."

    def tool_ship_details(self, ship_id):
        ship = self._state["ships"].get(ship_id)
        if ship is None:
            return f"Error: no ship has the number {ship_id}."
        place = f"at {ship['berth']}, {ship['shift']} shift" if ship["berth"] else "without a berth"
        reason = f" ({ship['reason']})" if ship["reason"] else ""
        return (
            f"{ship_id}: {ship['name']}, captain {ship['captain']}, {ship['cargo']}, draught {ship['draught']} m, "
            f"length {ship['length']} m, {ship['status']}{reason}, {place}."
        )

    def tool_list_berths(self, side):
        rows = []
        for key, berth in self._state["berths"].items():
            if berth["side"] == side:
                crane = "crane" if berth["crane"] else "no crane"
                rows.append(f"{key}: {berth['depth']} m deep, {berth['length']} m long, {crane}, {berth['ship'] or 'free'}")
        return "\n".join(rows) if rows else "Error: there is no such quay."

    def tool_assign_berth(self, ship_id, berth_id, shift):
        ship, berth = self._state["ships"].get(ship_id), self._state["berths"].get(berth_id)
        if ship is None or berth is None:
            return "Error: unknown ship or berth."
        if berth["ship"] not in ("", ship_id):
            return f"Error: {berth_id} is taken by {berth['ship']}."
        if not self._fits(ship, berth):
            return f"Error: {berth_id} is too short or too shallow for {ship['name']}."
        if ship["berth"]:
            self._state["berths"][ship["berth"]]["ship"] = ""
        berth["ship"] = ship_id
        ship.update(berth=berth_id, shift=shift, status="moored", reason="")
        return self._with_next(f"{ship['name']} lies at {berth_id}, {shift} shift.")

    def tool_hold_ship(self, ship_id, reason):
        ship = self._state["ships"].get(ship_id)
        if ship is None:
            return f"Error: no ship has the number {ship_id}."
        ship.update(status="held", reason=reason)
        return self._with_next(f"{ship['name']} is on hold: {reason}.")

    def tool_post_notice(self, ship_id, template):
        if ship_id not in self._state["ships"]:
            return f"Error: no ship has the number {ship_id}."
        self._state["notices"][ship_id] = template
        return self._with_next(f"Notice {template} posted to {ship_id}.")

    def tool_quote_fee(self, ship_id, nights):
        ship = self._state["ships"].get(ship_id)
        if ship is None:
            return f"Error: no ship has the number {ship_id}."
        return f"{nights} nights for {ship['name']}: {nights * (40 + ship['length'])} crowns. Nothing was booked."

    def solution(self):
        """The shortest look-ups that show every number used, then the changes."""
        berths, ships = self._state["berths"], self._state["ships"]
        plan = [
            ("search_ships", {"cargo": self._cargo, "status": "waiting"}),
            ("ship_details", {"ship_id": self._first}),
            ("list_berths", {"side": berths[self._berth_one]["side"]}),
            ("assign_berth", {"ship_id": self._first, "berth_id": self._berth_one, "shift": self._shift}),
            ("search_ships", {"cargo": ships[self._holder]["cargo"]}),
            ("ship_details", {"ship_id": self._holder}),
            ("hold_ship", {"ship_id": self._holder, "reason": self._reason}),
            ("list_berths", {"side": berths[ships[self._addressee]["berth"]]["side"]}),
            ("ship_details", {"ship_id": self._addressee}),
            ("post_notice", {"ship_id": self._addressee, "template": self._template}),
            ("list_berths", {"side": berths[self._berth_two]["side"]}),
            ("assign_berth", {"ship_id": self._first, "berth_id": self._berth_two, "shift": self._shift}),
        ]
        calls = [json.dumps({"name": name, "arguments": arguments}) for name, arguments in plan]  # noqa: F821
        return [f"<tool_call>{call}</tool_call>" for call in calls] + ["<answer>done</answer>"]

    def hint(self):
        return (
            "Look before you change anything. The list of ships leaves out the numbers that decide, so ask for the "
            "particulars of every ship that could be meant, several calls in one reply. Read all three quays before "
            "you choose a berth, and check both rules, water and room, for each free one; take the extreme that the "
            "request names, not the first that fits. For a hold, think which of the codes on offer the words of the "
            "report describe. Compare metres exactly. Keep the number of the first ship in mind, it is needed again. "
            "A mistaken change can be made again. Finish with the answer in its tags."
        )
