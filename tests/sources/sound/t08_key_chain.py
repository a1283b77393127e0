"""Follow a chain of lockers: every locker holds the key of the next one; requests are metered."""
import json
import random


class KeyChainEnv(ToolUseBaseEnv):
    """The meter allows only a few openings, so reading the index in the right way matters."""

    def __init__(self, max_turns=24, difficulty=5, **kwargs):
        self.length = difficulty
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        n = 20
        lockers = [f"L{k}" for k in rng.sample(range(100, 1000), n)]
        keys = [f"{rng.choice('BDGKMPRT')}{rng.randint(1000, 9999)}" for _ in range(n)]
        owners = [f"{a} {b}" for a in ("Sir", "Dame", "Squire", "Abbot") for b in ("Osric", "Maud", "Wulf", "Edith", "Hilda")]
        rng.shuffle(owners)
        self._lockers = {l: {"key": k, "owner": o} for l, k, o in zip(lockers, keys, owners)}
        chain = rng.sample(lockers, self.length)
        for a, b in zip(chain, chain[1:]):
            self._lockers[a]["note"] = {"belongs_to": self._lockers[b]["owner"], "key": self._lockers[b]["key"]}
        for l in lockers:
            if "note" not in self._lockers[l]:
                other = rng.choice([x for x in lockers if x not in chain])
                self._lockers[l]["note"] = {"belongs_to": self._lockers[other]["owner"], "key": self._lockers[other]["key"]}
        self.secret = "-".join(rng.choice(["fig", "oat", "rye", "yam", "nut", "pea"]) + str(rng.randint(10, 99)) for _ in range(2))
        self._lockers[chain[-1]]["note"] = {"inscription": self.secret}
        self.chain = chain
        self._state = {"meter": 12}
        self._expected_answer = self.secret
        self._tools = {
            "index": {"description": "Locker of an owner.", "parameters": {
                "type": "object", "properties": {"owner": {"type": "string", "enum": sorted(owners)}}, "required": ["owner"]}},
            "open_locker": {"description": "Open a locker with its key and read what is inside. Metered.", "parameters": {
                "type": "object", "properties": {"locker": {"type": "string"}, "key": {"type": "string"}}, "required": ["locker", "key"]}},
            "meter": {"description": "Openings left.", "parameters": {"type": "object", "properties": {}, "required": []}},
        }
        first = self._lockers[chain[0]]
        return (f"{first['owner']} hands you the key {first['key']}. Somewhere at the end of a chain of lockers stands an inscription. "
                "Find it and answer with it exactly."), {"lockers": n}

    def tool_index(self, owner):
        return next(l for l, d in self._lockers.items() if d["owner"] == owner)

    def tool_open_locker(self, locker, key):
        if self._state["meter"] <= 0:
            return "Error: the meter is used up."
        self._state["meter"] -= 1
        d = self._lockers.get(locker)
        if d is None or d["key"] != key:
            return "Error: the key does not turn."
        return json.dumps(d["note"])

    def tool_meter(self):
        return str(self._state["meter"])

    def solution(self):
        out = []
        for l in self.chain:
            d = self._lockers[l]
            for name, args in (("index", {"owner": d["owner"]}), ("open_locker", {"locker": l, "key": d["key"]})):
                out.append(f"<tool_call>\n{json.dumps({'name': name, 'arguments': args})}\n</tool_call>")
        out.append(f"The inscription reads <answer>{self.secret}</answer>")
        return out
