import json, random
class SpreadsheetEnv(ToolUseBaseEnv):
    """Cells such as B12 are written by the agent; the rule is in the task."""
    COLS = "ABCDEF"
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        self.rows = rng.randint(12, 20)
        self.vals = [[rng.randint(1, 99) for _ in self.COLS] for _ in range(self.rows)]
        self.col = rng.randrange(6)
        self._state = {"cells": {}}
        self._tools = {
            "show": {"description": "Show the whole sheet.", "parameters": {"type": "object", "properties": {}}},
            "set_cell": {"description": "Write a cell.", "parameters": {"type": "object", "properties": {"cell": {"type": "string", "description": "column letter then row number"}, "value": {"type": "integer"}}, "required": ["cell", "value"]}},
            "check": {"description": "Check the sheet; says the receipt word.", "parameters": {"type": "object", "properties": {}}},
        }
        best = max(range(self.rows), key=lambda r: (self.vals[r][self.col], -r))
        self.cell = f"{self.COLS[self.col]}{best + 1}"
        self.word = rng.choice(["amber", "cobalt", "sienna", "ochre", "violet", "teal"]) + rng.choice(["fox", "owl", "elk", "cat"])
        self._expected_answer = self.word
        return f"Overwrite the first largest value of column {self.COLS[self.col]} with 0 (rows count from 1), then call check and submit its word as <answer>word</answer>.", {}
    def tool_show(self):
        return "\n".join(["   " + " ".join(f"{c:>3}" for c in self.COLS)] + [f"{i + 1:>2} " + " ".join(f"{v:>3}" for v in r) for i, r in enumerate(self.vals)])
    def tool_set_cell(self, cell, value):
        self._state["cells"][cell] = value
        return "ok"
    def tool_check(self):
        return f"Receipt word: {self.word}" if self._state["cells"] == {self.cell: 0} else "Not right yet."
    def solution(self):
        return f"First show(), then set_cell(cell='{self.cell}', value=0), then check(), and the answer is {self.word}."
