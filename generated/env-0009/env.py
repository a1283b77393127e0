"""Seed vault ledger: find the right accessions, their lots and the tests that count, and total the viable seed."""

import json
import random

GENERA = ["Allium", "Campanula", "Dianthus", "Gentiana", "Primula", "Salvia", "Saxifraga", "Silene"]
SPECIES = ["alpina", "aucheri", "caucasica", "farinosa", "graeca", "montana", "nivalis", "persica", "rupestris"]
COUNTRIES = ["Albania", "Armenia", "Bulgaria", "Georgia", "Greece", "Lebanon", "Morocco", "Romania", "Spain", "Turkey"]
COLLECTORS = ["Abadi", "Bekele", "Calloway", "Dvorak", "Esposito", "Farkas", "Grigoryan", "Hakimi", "Ilves", "Jansson"]
BANKED = ["base vault", "active store"]
ELSEWHERE = ["display drawer", "exchange tray"]
PAGE = 5
HANDBOOK = {
    "altitude": "Altitudes stand as the collector reported them. Those in feet are converted at 0.3048 m a foot.",
    "banked lots": "A lot counts as banked if it lies in the base vault or the active store. Seed in a display drawer "
    "or an exchange tray is promised to others and does not count.",
    "current weight": "Take the deposit, subtract the withdrawals, add the returns. An entry marked cancelled never "
    "happened. Entries are in grams (g) or milligrams (mg), as the balance gave them.",
    "labels": "Labels carry the accession number, the genus and the year. Use pencil; ink fades in the cold.",
    "viable weight": "The current weight of a lot times the share of seeds that germinated in its newest valid test. "
    "A test on fewer than 20 seeds decides nothing, valid or not. Round to 0.01 g once, after everything is added up.",
}


def tool(about, **properties):
    """Schema of a tool whose arguments are all required."""
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"description": about, "parameters": parameters}


LOT = {"type": "string", "description": "Lot number, as the accession card gives it"}
GENUS = {"type": "string", "enum": GENERA, "description": "Genus"}
TOOLS = {
    "handbook": tool(
        "What the house means by a term.",
        topic={"type": "string", "enum": sorted(HANDBOOK), "description": "Which entry"},
    ),
    "search_accessions": tool(
        f"Accessions of one genus, {PAGE} to a page: number, species, country and year.",
        genus=GENUS, page={"type": "integer", "minimum": 1, "description": "Which page"},
    ),
    "accession_card": tool(
        "Collector, altitude and lots of one accession.",
        accession_id={"type": "string", "description": "Accession number, as a search gives it"},
    ),
    "lot_ledger": tool("All entries about one lot: deposit, withdrawals and returns.", lot_id=LOT),
    "germination_tests": tool("All germination tests of one lot, in the order of their lab numbers.", lot_id=LOT),
    "predicted_viability": tool("Viability of a lot by the ageing model, where no test can be had.", lot_id=LOT),
    "exchange_value": tool("What a gram of seed of a genus is worth to the exchange scheme.", genus=GENUS),
}


class SeedVaultEnv(ToolUseBaseEnv):  # noqa: F821 - supplied when the source is loaded
    """Trains retrieval through several joined records, under definitions that have to be read.

    The search pages through a genus and filters nothing; altitude stands on the card, in metres or feet; only some lots
    count; a ledger holds cancelled entries and two units; the newest test may be void or too small. The total is shown
    nowhere, and the modelled viability and the deposit alone lead astray.
    """

    def __init__(self, max_turns=50, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    # ---------------------------------------------------------------- instances

    def _dates(self, rng, first, last, count):
        """Rising dates, all in different years."""
        years = sorted(rng.sample(range(first, last), count))
        return [f"{year}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}" for year in years]

    def _entries(self, rng):
        """Ledger of one lot as (date, kind, milligrams, unit, cancelled); something is always left."""
        entries = [(*self._dates(rng, 2009, 2012, 1), "deposit", 100 * rng.randint(400, 1600), "g", False)]
        for date in self._dates(rng, 2012, 2025, rng.randint(3, 5)):
            kind = rng.choice(["withdrawal", "withdrawal", "return"])
            amount = 100 * (rng.randint(8, 70) if kind == "withdrawal" else rng.randint(3, 15))
            entries.append((date, kind, amount, rng.choice(["g", "mg"]), rng.random() < 0.25))
        return entries

    def _trials(self, rng):
        """Tests of one lot as (lab number, date, germinated, sown, status); the oldest one always counts."""
        dates, trials = self._dates(rng, 2012, 2025, rng.randint(3, 5)), []
        for number, date in zip(rng.sample(range(100, 999), len(dates)), dates):
            sown, status = rng.choice([8, 10, 20, 25, 40, 50, 50]), rng.choice(["valid", "valid", "void", "draft"])
            if not trials:
                sown, status = rng.choice([20, 25, 40, 50]), "valid"
            trials.append((f"T{number}", date, rng.randint(sown // 4, sown - 1), sown, status))
        return sorted(trials)

    def _try_instance(self, rng):
        """Draw the vault and a height that parts it; False when the question is too small, too large or too close."""
        origins = [(self._genus, self._country)] * rng.randint(6, 7)
        origins += [(self._genus, country) for country in rng.choices(COUNTRIES, k=6)]
        origins += [(genus, rng.choice(COUNTRIES)) for genus in GENERA if genus != self._genus]
        lots, numbers = iter(rng.sample(range(1000, 9999), 90)), rng.sample(range(10000, 99999), len(origins))
        self._state = {"accessions": {}, "lots": {}}
        for number, (genus, country) in zip(numbers, rng.sample(origins, len(origins))):
            own = {f"L-{next(lots)}": rng.choice(BANKED * 2 + ELSEWHERE) for _ in range(rng.randint(1, 3))}
            self._state["lots"].update({lot: {"place": place} for lot, place in own.items()})
            self._state["accessions"][f"A-{number}"] = {
                "genus": genus, "species": rng.choice(SPECIES), "origin": country, "year": rng.randint(1994, 2008),
                "collector": rng.choice(COLLECTORS), "metres": rng.randint(700, 2900), "feet": rng.random() < 0.5,
                "lots": list(own),
            }
        accessions, wanted = self._state["accessions"], (self._genus, self._country)
        self._asked = [key for key, a in accessions.items() if (a["genus"], a["origin"]) == wanted]
        asked, count = sorted((accessions[key] for key in self._asked), key=lambda a: -a["metres"]), rng.randint(2, 3)
        high, low = asked[:count], asked[count]["metres"]
        self._above = (high[-1]["metres"] + low) // 20 * 10
        self._counted = [lot for a in high for lot in a["lots"] if self._state["lots"][lot]["place"] in BANKED]
        return high[-1]["metres"] - low > 80 and 3 <= len(self._counted) <= 5

    def _viable(self, lot):
        """Viable milligrams of one lot."""
        record, sign = self._state["lots"][lot], {"deposit": 1, "withdrawal": -1, "return": 1}
        weight = sum(sign[kind] * amount for _, kind, amount, _, cancelled in record["entries"] if not cancelled)
        valid = [trial[1:4] for trial in record["trials"] if trial[4] == "valid" and trial[3] >= 20]
        _, grown, sown = max(valid)
        return weight * grown / sown

    def reset(self, seed=None):
        rng = random.Random(seed)
        self._genus, self._country = rng.choice(GENERA), rng.choice(COUNTRIES)
        while not self._try_instance(rng):
            pass
        total = 0
        while not 2 < total % 100 < 97 or abs(total % 1 - 0.5) < 0.05:  # neither a whole number nor a tie in rounding
            for record in self._state["lots"].values():
                record.update(entries=self._entries(rng), trials=self._trials(rng))
            total = sum(map(self._viable, self._counted)) / 10
        self._expected_answer = f"{round(total) / 100:.2f}"
        self.turn_count, self._call_history, self._tools = 0, [], TOOLS
        return (
            f"You answer enquiries about a seed vault. {rng.choice(COLLECTORS)} writes on day {rng.randint(1, 365)} of "
            f"the year: \"How much viable seed of {self._genus}, collected in {self._country} at more than "
            f"{self._above} m, do you hold in banked lots, all together, in grams?\"\n\n"
            "The handbook says what viable, banked and the like mean here. Call tools, one or several per reply, each "
            'as\n<tool_call>{"name": "...", "arguments": {...}}</tool_call>\n'
            "and reply with grams to two decimals, for example <answer>0.00</answer> (only the form is meant). "
            f"You have {self.max_turns} turns."
        ), {}

    # ---------------------------------------------------------------- tools

    def tool_handbook(self, topic):
        return HANDBOOK.get(topic, "Error: the handbook has no such entry.")

    def tool_search_accessions(self, genus, page):
        found = [(key, a) for key, a in self._state["accessions"].items() if a["genus"] == genus]
        pages = -(-len(found) // PAGE)
        if not 1 <= page <= pages:
            return f"Error: the pages of this search go from 1 to {pages}."
        shown = found[PAGE * (page - 1) : PAGE * page]
        rows = [f"{key}: {genus} {a['species']}, {a['origin']}, {a['year']}" for key, a in shown]
        return "\n".join([*rows, f"(page {page} of {pages})"])

    def tool_accession_card(self, accession_id):
        a = self._state["accessions"].get(accession_id)
        if a is None:
            return "Error: no accession has that number."
        altitude = f"{round(a['metres'] / 0.3048)} ft" if a["feet"] else f"{a['metres']} m"
        lots = ", ".join(f"{lot} ({self._state['lots'][lot]['place']})" for lot in a["lots"])
        return (
            f"{accession_id}: {a['genus']} {a['species']}, {a['origin']}, {a['year']}, collected by {a['collector']} "
            f"at {altitude}. Lots: {lots}."
        )

    def tool_lot_ledger(self, lot_id):
        if lot_id not in self._state["lots"]:
            return "Error: no lot has that number."
        rows = []
        for date, kind, amount, unit, cancelled in self._state["lots"][lot_id]["entries"]:
            weight = f"{amount / 1000:.1f} g" if unit == "g" else f"{amount} mg"
            rows.append(f"{date} {kind} {weight}{' (cancelled)' if cancelled else ''}")
        return f"{lot_id}:\n" + "\n".join(rows)

    def tool_germination_tests(self, lot_id):
        if lot_id not in self._state["lots"]:
            return "Error: no lot has that number."
        rows = [
            f"{number}, {date}: {grown} of {sown} germinated, {status}"
            for number, date, grown, sown, status in self._state["lots"][lot_id]["trials"]
        ]
        return f"{lot_id}:\n" + "\n".join(rows)

    def tool_predicted_viability(self, lot_id):
        if lot_id not in self._state["lots"]:
            return "Error: no lot has that number."
        age = 2025 - int(self._state["lots"][lot_id]["entries"][0][0][:4])
        return f"{lot_id}: {97 - 3 * age} % by the ageing model, for an age of {age} years. This is no test."

    def tool_exchange_value(self, genus):
        return f"{genus}: {2 + len(genus) % 5}.50 tokens a gram."

    # ---------------------------------------------------------------- the way through

    def solution(self):
        """Definitions, all pages, the cards of the country, then ledger and tests of every lot that counts."""
        plan = [("handbook", {"topic": topic}) for topic in sorted(HANDBOOK) if topic != "labels"]
        found = [a for a in self._state["accessions"].values() if a["genus"] == self._genus]
        for page in range(1, -(-len(found) // PAGE) + 1):
            plan.append(("search_accessions", {"genus": self._genus, "page": page}))
        plan += [("accession_card", {"accession_id": key}) for key in self._asked]
        for lot in self._counted:
            plan += [("lot_ledger", {"lot_id": lot}), ("germination_tests", {"lot_id": lot})]
        calls = [json.dumps({"name": name, "arguments": arguments}) for name, arguments in plan]
        return [f"<tool_call>{call}</tool_call>" for call in calls] + [f"<answer>{self._expected_answer}</answer>"]

    def hint(self):
        return (
            "Begin with the definitions: each says what to leave out. Go through every page of the search, pick the "
            "rows that fit yourself, and open their cards, several calls in one reply. Bring heights to one unit "
            "before you compare. For each lot that counts take its book and its trial sowings; sort the sowings by "
            "date, drop those the handbook rules out, and take the last that is left. A model is no sowing. Multiply "
            "lot by lot with all digits, add, and round once. Answer with a plain number to two decimals in answer "
            "tags."
        )
