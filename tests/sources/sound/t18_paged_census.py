import json
import random


class PagedCensusEnv(ToolUseBaseEnv):
    """Pages of JSON records; the answer is a surname."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        heads = ["Back", "Dahl", "Eke", "Fors", "Gran", "Holm", "Lind", "Nord", "Sjo", "Wall", "Alm", "Hag", "Oster", "Ros"]
        tails = ["berg", "gren", "man", "qvist", "stedt", "strand", "strom", "vall", "blad", "dal"]
        names = rng.sample([h + t for h in heads for t in tails], 30)
        self.people = [{"household": i + 1, "surname": n, "children": rng.randint(0, 9), "cows": rng.randint(0, 30), "parish": rng.choice(["East", "West", "Mid"])} for i, n in enumerate(names)]
        self.parish = rng.choice(["East", "West", "Mid"])
        self.by = rng.choice(["children", "cows"])
        other = "cows" if self.by == "children" else "children"
        floor = rng.randint(2, 5) if other == "children" else rng.randint(5, 15)
        pool = sorted((p for p in self.people if p["parish"] == self.parish and p[other] >= floor), key=lambda p: -p[self.by])
        if len(pool) < 4 or pool[0][self.by] == pool[1][self.by]:
            return self.reset(rng.randrange(2**31))
        self._expected_answer = pool[0]["surname"]
        self._state = {"reads": 0}
        self._tools = {
            "read_page": {
                "description": "One page of the census, six households each.",
                "parameters": {"type": "object", "properties": {"page": {"type": "integer", "minimum": 1, "maximum": 5}}, "required": ["page"]},
            },
            "count": {
                "description": "Number of households of a parish.",
                "parameters": {"type": "object", "properties": {"parish": {"type": "string", "enum": ["East", "West", "Mid"]}}, "required": ["parish"]},
            },
        }
        return (
            f"In an old census, which family of {self.parish} parish with at least {floor} {other} had the most {self.by}? "
            "Look through all pages and answer with the surname: <answer>Surname</answer>."
        ), {"households": 30}

    def tool_read_page(self, page):
        if not 1 <= page <= 5:
            return json.dumps({"error": "there are pages 1 to 5"})
        self._state["reads"] += 1
        return json.dumps({"page": page, "pages": 5, "households": self.people[(page - 1) * 6:page * 6]})

    def tool_count(self, parish):
        return json.dumps({"parish": parish, "households": sum(p["parish"] == parish for p in self.people)})

    def solution(self):
        for page in range(1, 6):
            yield "<tool_call>" + json.dumps({"name": "read_page", "arguments": {"page": page}}) + "</tool_call>"
        yield f"<answer>{self._expected_answer.upper()}</answer>"

    def hint(self):
        return "Read every page before you answer, and write the best family so far down; check both conditions for each."
