# expect: refuse contract.observation
# defect: export_all prints every sheet with its full measuring series, some 100 KiB of text, far over the limit of an observation.
import json
import random

GENERA = ["Acer", "Bellis", "Carex", "Daphne", "Erica", "Festuca", "Galium", "Hedera"]
SITES = ["bog", "dune", "heath", "meadow", "scree"]


class HerbariumExportEnv(ToolUseBaseEnv):
    """Data retrieval in a herbarium: a number from many measuring series."""

    SHEETS = 240

    def __init__(self, max_turns=16, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self._call_history = []
        self._current_msg = 0
        sheets = {}
        for number in rng.sample(range(10000, 99999), self.SHEETS):
            sheets[f"HB{number}"] = {
                "genus": rng.choice(GENERA), "site": rng.choice(SITES), "year": rng.randint(1880, 1990),
                "leaves": rng.choices(range(11, 481), k=90),
            }
        self.genus, self.site = rng.choice(GENERA), rng.choice(SITES)
        chosen = [k for k, s in sheets.items() if (s["genus"], s["site"]) == (self.genus, self.site)]
        while len(chosen) < 3:
            key = rng.choice(list(sheets))
            sheets[key].update(genus=self.genus, site=self.site)
            chosen = [k for k, s in sheets.items() if (s["genus"], s["site"]) == (self.genus, self.site)]
        self.chosen = chosen
        self.index = rng.randint(5, 80)
        self._state = {"sheets": sheets}
        self._expected_answer = str(sum(sheets[k]["leaves"][self.index - 1] for k in chosen))
        pair = {"genus": {"type": "string", "enum": GENERA}, "site": {"type": "string", "enum": SITES}}
        sheet = {"type": "string", "description": "Sheet number"}
        self._tools = {
            "find_sheets": {
                "description": "Numbers of the sheets of a genus from a site.",
                "parameters": {"type": "object", "properties": pair, "required": ["genus", "site"]},
            },
            "leaf_length": {
                "description": "Length of one leaf of a sheet, in tenths of a millimetre. Leaves count from 1.",
                "parameters": {
                    "type": "object",
                    "properties": {"sheet": sheet, "leaf": {"type": "integer", "minimum": 1, "maximum": 90}},
                    "required": ["sheet", "leaf"],
                },
            },
            "sheet_year": {
                "description": "Year in which a sheet was collected.",
                "parameters": {"type": "object", "properties": {"sheet": sheet}, "required": ["sheet"]},
            },
            "export_all": {
                "description": "Export the whole collection as text.",
                "parameters": {"type": "object", "properties": {}},
            },
        }
        return (
            f"A herbarium has {self.SHEETS} sheets with 90 measured leaves each. Take all sheets of {self.genus} from "
            f"the {self.site}: what is the sum of the lengths of their leaf number {self.index}, in tenths of a "
            "millimetre? Use the tools, several calls per reply if you like, and send <answer>N</answer>. "
            f"Turns: {self.max_turns}."
        ), {}

    def tool_find_sheets(self, genus, site):
        found = [k for k, s in self._state["sheets"].items() if (s["genus"], s["site"]) == (genus, site)]
        return ", ".join(found) or "No sheets."

    def _sheet(self, sheet):
        if sheet not in self._state["sheets"]:
            raise KeyError(f"no sheet {sheet}")
        return self._state["sheets"][sheet]

    def tool_leaf_length(self, sheet, leaf):
        leaves = self._sheet(sheet)["leaves"]
        if not 1 <= leaf <= len(leaves):
            return "Error: leaves are numbered 1 to 90."
        return f"{sheet} leaf {leaf}: {leaves[leaf - 1]}"

    def tool_sheet_year(self, sheet):
        return f"{sheet}: {self._sheet(sheet)['year']}"

    def tool_export_all(self):
        rows = []
        for key, s in self._state["sheets"].items():
            rows.append(f"{key};{s['genus']};{s['site']};{s['year']};" + " ".join(str(v) for v in s["leaves"]))
        return "\n".join(rows)

    def solution(self):
        find = {"name": "find_sheets", "arguments": {"genus": self.genus, "site": self.site}}
        reads = [{"name": "leaf_length", "arguments": {"sheet": k, "leaf": self.index}} for k in self.chosen]
        return [
            f"<tool_call>{json.dumps(find)}</tool_call>",
            "\n".join(f"<tool_call>{json.dumps(call)}</tool_call>" for call in reads),
            f"<answer>{self._expected_answer}</answer>",
        ]

    def hint(self):
        return "Find the sheets first, then read the same leaf of each; the year does not matter here."
