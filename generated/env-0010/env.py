"""Cask warehouse: a chain of changes to casks of spirit in which every change decides what the next one means."""

import json
import random

DISTILLERIES = ["Ardmoor", "Brannoch", "Carrick Lea", "Dunlossie", "Eskwater", "Finlagh", "Glen Tarn", "Hillbeck"]
WOODS, CLIMATES = ["bourbon", "madeira", "port", "rum", "sherry"], ["cool", "damp", "dry"]
STATUSES = ["maturing", "sampled", "on offer", "empty", "cooperage"]
LEAKS = ["weeps at a stave", "has a cracked head", "drips at the bung", "has sprung a hoop"]
CLERKS = ["Baird", "Colquhoun", "Docherty", "Forsyth", "Gilchrist", "Heriot", "Innes", "Kinnaird", "Lennox", "Menzies"]
PLACES = 5  # of every bay
DRY = {"distillery": "", "year": 0, "filled": 0, "litres": 0, "status": "empty"}  # what a cask without spirit says


def tool(about, required=(), **arguments):
    """Schema of a tool; an argument is its text alone, or its text and its choices."""
    fields = {}
    for name, (text, *choices) in arguments.items():
        fields[name] = {"type": "string", "description": text, **({"enum": choices[0]} if choices else {})}
    return {"description": about, "parameters": {"type": "object", "properties": fields, "required": list(required)}}


CASK = ("Cask number, such as K-000",)
POUR = {"from_cask": ("Cask to draw from",), "to_cask": ("Cask to fill",)}
TOOLS = {
    "find_casks": tool(
        "List casks by any of the three: number, distillery, year, wood and status. Leaves out what they hold.",
        distillery=("Only from here", DISTILLERIES), wood=("Only of this wood", WOODS), status=("Only these", STATUSES),
    ),
    "cask_card": tool("Size, original and present litres, and bay of one cask.", ["cask_id"], cask_id=CASK),
    "bay_plan": tool("All bays with their climate and the casks that lie there."),
    "rerack": tool("Pour all of one cask into an empty one that holds it. Leaves the first one empty.", POUR, **POUR),
    "top_up": tool("Fill a cask to the brim from another of the same distillery, as far as that lasts.", POUR, **POUR),
    "move_cask": tool("Roll a cask to a free place.", ["cask_id", "bay_id"], cask_id=CASK, bay_id=("Bay to go to",)),
    "set_status": tool("Change a cask's status.", ["cask_id", "status"], cask_id=CASK, status=("New status", STATUSES)),
    "undo_last": tool("Take back the latest change; may be repeated, back to the first one."),
}


class CaskWarehouseEnv(ToolUseBaseEnv):  # noqa: F821 - supplied when the source is loaded
    """Trains chains of changes to a state, with look-ups between them.

    Requests speak of casks by what happened to them before, lists hide the contents, and bays fill up. Pouring cannot
    be reversed by pouring, but every change can be taken back.
    """

    def __init__(self, max_turns=44, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def _cask(self, rng, distillery, wood, year, status):
        size = rng.randint(180, 420)
        filled = size - rng.randint(0, 9)
        cask = {"distillery": distillery, "year": year, "wood": wood, "status": status, "size": size, "filled": filled}
        return {**cask, "litres": filled * rng.randint(58, 95) // 100}

    def _draw(self, rng):
        """Nine casks of the house in question, eleven of others and nine empty ones, laid into the bays."""
        kinds = [(self._house, self._wood, "maturing")] * 4
        kinds += [(self._house, rng.choice(WOODS), rng.choice(STATUSES[:3])) for _ in range(5)]
        others = [house for house in DISTILLERIES if house != self._house]
        kinds += [(rng.choice(others), rng.choice(WOODS), rng.choice(STATUSES[:3])) for _ in range(11)]
        years = rng.sample(range(1994, 2020), len(kinds))
        casks = [self._cask(rng, house, wood, year, status) for (house, wood, status), year in zip(kinds, years)]
        casks += [{**self._cask(rng, "", wood, 0, ""), **DRY} for wood in [self._wood] * 6 + rng.choices(WOODS, k=3)]
        bays = {f"B{number}": CLIMATES[i % 3] for i, number in enumerate(rng.sample(range(10, 60), 9))}
        for cask, bay in zip(casks, rng.sample(list(bays) * PLACES, len(casks))):
            cask["bay"] = bay
        numbers = [f"K-{number}" for number in rng.sample(range(100, 999), len(casks))]
        self._state = {"casks": dict(zip(numbers, rng.sample(casks, len(casks)))), "bays": bays, "journal": []}

    def _lying(self, bay):
        return [key for key, cask in self._state["casks"].items() if cask["bay"] == bay]

    def _best_bay(self, climate, score):
        """The bay of a climate with a free place and the highest score; None when two are equal."""
        bays = [b for b, kind in self._state["bays"].items() if kind == climate and len(self._lying(b)) < PLACES]
        best = [bay for bay in bays if score(bay) == max(map(score, bays))]
        return best[0] if len(best) == 1 else None

    def _try_instance(self, rng):
        """Draw a warehouse and follow the requests through it; False when one of them would not be clear."""
        self._draw(rng)
        casks, bays = self._state["casks"], self._state["bays"]
        house = [key for key, cask in casks.items() if cask["distillery"] == self._house]
        kept = {key: casks[key]["litres"] / casks[key]["filled"] for key in house if casks[key]["status"] == "maturing"}
        alike = sorted((key for key in kept if casks[key]["wood"] == self._wood), key=kept.get)
        self._first, level = alike[0], casks[alike[0]]["litres"]
        self._here, self._there, self._last = rng.choices(CLIMATES, k=3)
        empties = [k for k, c in casks.items() if (c["wood"], c["status"]) == (self._wood, "empty")]
        empties = [k for k in empties if bays[casks[k]["bay"]] == self._here and casks[k]["size"] >= level]
        empties.sort(key=lambda key: casks[key]["size"])
        if kept[alike[1]] - kept[alike[0]] < 0.02 or len(empties) < 2 or bays[casks[self._first]["bay"]] == self._there:
            return False
        self._second = empties[0]
        self._source = max((key for key in kept if key != self._first), key=lambda key: casks[key]["year"])
        room, source = casks[self._second]["size"] - level, casks[self._source]
        self._repair = self._best_bay(self._there, lambda bay: PLACES - len(self._lying(bay)))
        if room < 8 or source["litres"] - room < 30 or casks[self._second]["size"] == casks[empties[1]]["size"]:
            return False
        self._left = source["litres"] - room
        share = 100 * self._left / source["size"]
        self._percent = round(share) + rng.choice([-7, -5, -4, 4, 5, 7])
        self._outcome = "on offer" if share < self._percent else "sampled"
        before, casks[self._first]["bay"] = casks[self._first]["bay"], self._repair
        house.remove(self._first)
        self._home = self._best_bay(self._last, lambda bay: sum(casks[key]["bay"] == bay for key in house))
        casks[self._first]["bay"] = before
        return None not in (self._repair, self._home) and self._home != casks[self._second]["bay"]

    def reset(self, seed=None):
        rng = random.Random(seed)
        self._house, self._wood = rng.choice(DISTILLERIES), rng.choice(WOODS)
        while not self._try_instance(rng):
            pass
        self.turn_count, self._current_msg, self._call_history = 0, 0, []
        self._tools, self._expected_answer = TOOLS, "done"
        self._user_messages = [
            f"Of the maturing {self._wood} casks from {self._house}, the one that has lost the largest share of its "
            f"original filling {rng.choice(LEAKS)}. Re-rack it into the smallest empty {self._wood} cask that holds it "
            f"all and lies in a {self._here} bay.",
            f"The cask you emptied goes to the cooperage: give it that status, and roll it to the {self._there} bay "
            "with the most free places.",
            f"Top up the cask you filled. Draw from the youngest other cask from {self._house} that is maturing, "
            "whatever its wood.",
            f"If the cask you drew from is now less than {self._percent} % full by its size, put it on offer, "
            "otherwise mark it sampled.",
            f"Roll the cask you topped up to a {self._last} bay: of those with a free place, the one where most other "
            f"casks from {self._house} lie.",
        ]
        first, second, source, casks = self._first, self._second, self._source, self._state["casks"]
        level, size = casks[first]["litres"], casks[second]["size"]
        self._message_criteria = [
            lambda s: s["casks"][first]["litres"] == 0 and s["casks"][second]["litres"] == level,
            lambda s: (s["casks"][first]["status"], s["casks"][first]["bay"]) == ("cooperage", self._repair),
            lambda s: (s["casks"][second]["litres"], s["casks"][source]["litres"]) == (size, self._left),
            lambda s: s["casks"][source]["status"] == self._outcome and s["casks"][source]["litres"] == self._left,
            lambda s: s["casks"][second]["bay"] == self._home and s["casks"][second]["litres"] == size,
        ]
        return (
            f"You keep the books of a cask warehouse with nine bays of {PLACES} places; clerk {rng.choice(CLERKS)} is "
            f"on duty, week {rng.randint(1, 52)}. Requests come one at a time; do just what each asks. Call tools, one "
            'or several per reply, each as\n<tool_call>{"name": "...", "arguments": {...}}</tool_call>\n'
            f"and reply <answer>done</answer> after the last request. You have {self.max_turns} turns.\n\n"
            f"Request: {self._user_messages[0]}"
        ), {}

    def _write(self, changes):
        """Write new values into casks, and remember the old ones."""
        casks = self._state["casks"]
        self._state["journal"].append({key: dict(casks[key]) for key in changes})
        for key, change in changes.items():
            casks[key].update(change)

    def tool_find_casks(self, distillery=None, wood=None, status=None):
        return "\n".join(
            f"{key}: {c['distillery']} {c['year']}, {c['wood']}, {c['status']}".replace(" 0,", "no spirit,")
            for key, c in self._state["casks"].items()
            if distillery in (None, c["distillery"]) and wood in (None, c["wood"]) and status in (None, c["status"])
        ) or "No cask matches."

    def tool_cask_card(self, cask_id):
        c = self._state["casks"].get(cask_id)
        if c is None:
            return "Error: no cask has that number."
        spirit = f"{c['distillery']} {c['year']}, filled with {c['filled']} litres," if c["year"] else "no spirit,"
        return f"{cask_id}: {c['wood']}, size {c['size']} l, {c['status']}, bay {c['bay']}; {spirit} now {c['litres']}."

    def tool_bay_plan(self):
        return "\n".join(f"{bay} ({kind}): {', '.join(self._lying(bay))}" for bay, kind in self._state["bays"].items())

    def tool_rerack(self, from_cask, to_cask):
        source, target = (self._state["casks"].get(key, {**DRY, "status": ""}) for key in (from_cask, to_cask))
        if not source["litres"] or target["status"] != "empty" or source["litres"] > target["size"]:
            return "Error: rerack needs a cask with spirit, and one with the status empty that holds all of it."
        self._write({from_cask: DRY, to_cask: {key: source[key] for key in DRY}})
        return f"{from_cask} is empty, {to_cask} holds {target['litres']} l of {target['distillery']} {target['year']}."

    def tool_top_up(self, from_cask, to_cask):
        source, target = (self._state["casks"].get(key, DRY) for key in (from_cask, to_cask))
        if from_cask == to_cask or not source["litres"] or source["distillery"] != target["distillery"]:
            return "Error: top_up needs two casks with spirit from the same distillery."
        litres = min(target["size"] - target["litres"], source["litres"] - 1)
        if litres <= 0:
            return "Error: the one is full already, or the other has nothing left to draw."
        full = {"litres": target["litres"] + litres, "year": max(source["year"], target["year"])}
        self._write({from_cask: {"litres": source["litres"] - litres}, to_cask: full})
        return f"{litres} l went from {from_cask} to {to_cask}, which now holds {target['litres']} l."

    def tool_move_cask(self, cask_id, bay_id):
        if cask_id not in self._state["casks"] or bay_id not in self._state["bays"]:
            return "Error: no such cask or bay."
        if len(self._lying(bay_id)) >= PLACES or cask_id in self._lying(bay_id):
            return f"Error: {bay_id} is full, or {cask_id} lies there already."
        self._write({cask_id: {"bay": bay_id}})
        return f"{cask_id} lies in {bay_id}."

    def tool_set_status(self, cask_id, status):
        cask = self._state["casks"].get(cask_id)
        if cask is None or (status in ("empty", "cooperage")) != (cask["litres"] == 0):
            return "Error: no such cask, or the status is not for it: only casks without spirit are empty or cooperage."
        self._write({cask_id: {"status": status}})
        return f"{cask_id} is now marked: {status}."

    def tool_undo_last(self):
        if not self._state["journal"]:
            return "Error: there is no change to take back."
        old = self._state["journal"].pop()
        self._state["casks"].update(old)
        return f"Taken back; as before: {', '.join(old)}."

    def solution(self):
        """Look up what decides each request, then change; look again where changes matter."""
        house, wood, second, source = self._house, self._wood, self._second, self._source
        casks, full, empty = self._state["casks"].items(), (house, wood, "maturing"), ("", wood, "empty")
        cards = {
            kind: [("cask_card", {"cask_id": k}) for k, c in casks if (c["distillery"], c["wood"], c["status"]) == kind]
            for kind in (full, empty)
        }
        plan = [
            ("find_casks", {"distillery": house, "status": "maturing"}), *cards[full], ("bay_plan", {}),
            ("find_casks", {"wood": wood, "status": "empty"}), *cards[empty],
            ("rerack", {"from_cask": self._first, "to_cask": second}),
            ("set_status", {"cask_id": self._first, "status": "cooperage"}),
            ("move_cask", {"cask_id": self._first, "bay_id": self._repair}),
            ("top_up", {"from_cask": source, "to_cask": second}), ("cask_card", {"cask_id": source}),
            ("set_status", {"cask_id": source, "status": self._outcome}),
            ("find_casks", {"distillery": house}), ("bay_plan", {}),
            ("move_cask", {"cask_id": second, "bay_id": self._home}),
        ]
        calls = [json.dumps({"name": name, "arguments": arguments}) for name, arguments in plan]
        return [f"<tool_call>{call}</tool_call>" for call in calls] + ["<answer>done</answer>"]

    def hint(self):
        return (
            "Work out for each request what decides it, and look that up first, several calls in one reply: lists "
            "leave out contents, and only the plan shows places. A share lost is not the amount lost. Note which you "
            "drain and which you fill; later requests mean those. Look again after a change, for contents and free "
            "places are others then. Pouring wrongly cannot be mended by pouring: take it back and start that step "
            "anew. Finish with the word that the task asks for, in answer tags."
        )
