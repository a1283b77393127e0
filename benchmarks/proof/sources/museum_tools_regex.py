# prose solution() with calls in it ("1. search(...) -> ..."), regex search tool over a catalogue, single answer
import random
import re
import textwrap

MATERIALS = ["bronze", "oak", "ivory", "basalt", "silk", "glass"]
THINGS = ["mask", "bowl", "comb", "figurine", "casket", "pendant", "lamp"]
ORIGINS = ["Varna", "Isfahan", "Cusco", "Kyoto", "Lagos", "Uppsala"]


class MuseumCatalogueEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed=seed)
        rng = random.Random(seed)
        objects = {}
        for number in rng.sample(range(10000, 99999), 60):
            objects[f"M{number}"] = {
                "thing": rng.choice(THINGS), "material": rng.choice(MATERIALS), "origin": rng.choice(ORIGINS),
                "year": rng.randint(300, 1800), "grams": rng.randint(40, 9000), "room": rng.choice(["store", "hall A", "hall B", "loan"]),
            }
        self._state = {"objects": objects}
        while True:
            wanted = rng.choice(list(objects.values()))
            self.thing, self.origin = wanted["thing"], wanted["origin"]
            self.hits = sorted(i for i, o in objects.items() if o["thing"] == self.thing and o["origin"] == self.origin)
            years = [objects[i]["year"] for i in self.hits]
            if len(self.hits) >= 2 and len(set(years)) == len(years):
                break
            objects[f"M{rng.randint(10000, 99999)}"] = dict(wanted, year=rng.randint(300, 1800), grams=rng.randint(40, 9000))
        self.oldest = min(self.hits, key=lambda i: objects[i]["year"])
        self.newest = max(self.hits, key=lambda i: objects[i]["year"])
        self._expected_answer = str(objects[self.oldest]["grams"] * 10000 + objects[self.newest]["year"])
        self._tools = {
            "search": {"description": "Inventory numbers of objects of one kind.",
                       "parameters": {"type": "object", "properties": {"thing": {"type": "string"}}, "required": ["thing"]}},
            "origin_of": {"description": "Where the objects come from; several inventory numbers separated by blanks.",
                          "parameters": {"type": "object", "properties": {"numbers": {"type": "string"}}, "required": ["numbers"]}},
            "card": {"description": "The full card of one object.",
                     "parameters": {"type": "object", "properties": {"number": {"type": "string"}}, "required": ["number"]}},
        }
        return textwrap.dedent(f"""\
            The museum owns several objects of the kind '{self.thing}' from {self.origin}. Take the weight in grams of the oldest
            one, multiply it by 10000, and add the year of the youngest one. Tools: search(thing), origin_of(numbers), card(number);
            call them as <tool_call>{{"name": "card", "arguments": {{"number": "M00000"}}}}</tool_call>.
            Reply <answer>NUMBER</answer> at the end. {self.max_turns} turns."""), {}

    def tool_search(self, thing):
        found = sorted(i for i, o in self._state["objects"].items() if o["thing"] == thing.strip().lower())
        return " ".join(found) or "nothing of that kind"

    def tool_origin_of(self, numbers):
        ids = re.findall(r"M[0-9]{5}", numbers)[:40]
        lines = [f"{i}: {self._state['objects'][i]['origin']}" for i in ids if i in self._state["objects"]]
        return "\n".join(lines) or "no known inventory number in this list"

    def tool_card(self, number):
        o = self._state["objects"].get(number)
        if not o:
            return "no such object"
        return f"{number}: {o['material']} {o['thing']}, {o['origin']}, year {o['year']}, {o['grams']} g, {o['room']}"

    def solution(self):
        """Told the way I would tell it to a colleague."""
        every = sorted(i for i, o in self._state["objects"].items() if o["thing"] == self.thing)
        lines = [f"1. search(thing='{self.thing}') -> all objects of this kind",
                 f"2. origin_of(numbers='{' '.join(every)}') -> those from {self.origin}"]
        lines += [f"{k}. card(number='{i}') -> note year and weight" for k, i in enumerate(self.hits, 3)]
        lines.append(f"ANSWER: {self._expected_answer}")
        return "\n".join(lines)

    def hint(self):
        return "Filter by kind, then by place of origin, and read the cards of what is left."
