import random


class QuarryProseEnv(ToolUseBaseEnv):
    """The solution is prose with calls in it, numbered, followed by the final answer."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        blocks = {}
        for n in rng.sample(range(300, 900), 9):
            blocks[f"BLK-{n}"] = {"stone": rng.choice(["granite", "slate", "marble"]), "tons": rng.randint(8, 60) / 2, "sold": False, "truck": None}
        trucks = {f"TRK-{n}": rng.randint(16, 32) for n in rng.sample(range(10, 99), 3)}
        self._state = {"blocks": blocks, "trucks": trucks}
        stone = rng.choice(["granite", "slate", "marble"])
        mine = sorted((b for b in blocks if blocks[b]["stone"] == stone), key=lambda b: blocks[b]["tons"])
        strong = max(trucks, key=lambda t: (trucks[t], t))
        fits = [b for b in mine if blocks[b]["tons"] <= trucks[strong]]
        if len(mine) < 3 or len(fits) < 2 or len({blocks[b]["tons"] for b in mine}) < len(mine) or sorted(trucks.values())[1] == trucks[strong]:
            return self.reset(rng.randrange(2**31))
        big, small = fits[-1], mine[0]
        self.todo = (stone, big, strong, small)
        self._user_messages = [
            f"Load the heaviest {stone} block that the strongest truck can carry onto that truck.",
            f"Sell the lightest {stone} block, and nothing else.",
        ]
        self._message_criteria = [
            lambda s: [b for b, v in s["blocks"].items() if v["truck"] == strong] == [big],
            lambda s: [b for b, v in s["blocks"].items() if v["sold"]] == [small],
        ]
        stones = {"type": "string", "enum": ["granite", "slate", "marble"]}
        self._tools = {
            "list_blocks": {"description": "Blocks of a kind of stone.", "parameters": {"type": "object", "properties": {"stone": stones}, "required": ["stone"]}},
            "list_trucks": {"description": "Trucks and what they carry.", "parameters": {"type": "object", "properties": {}}},
            "load": {"description": "Load a block onto a truck.", "parameters": {"type": "object", "properties": {"block": {"type": "string"}, "truck": {"type": "string"}}, "required": ["block", "truck"]}},
            "unload": {"description": "Take a block off its truck.", "parameters": {"type": "object", "properties": {"block": {"type": "string"}}, "required": ["block"]}},
            "sell": {"description": "Sell a block, loaded or not.", "parameters": {"type": "object", "properties": {"block": {"type": "string"}}, "required": ["block"]}},
        }
        return f"Office of a quarry. {self._user_messages[0]} There is another request after this one; then <answer>done</answer>.", {}

    def tool_list_blocks(self, stone):
        return "\n".join(f"{b}: {v['tons']} t" for b, v in self._state["blocks"].items() if v["stone"] == stone and not v["sold"]) or "none left"

    def tool_list_trucks(self):
        return "\n".join(f"{t}: up to {tons} t" for t, tons in self._state["trucks"].items())

    def tool_load(self, block, truck):
        b, limit = self._state["blocks"].get(block), self._state["trucks"].get(truck)
        if b is None or limit is None or b["sold"]:
            return "Error: unknown block or truck."
        if b["tons"] > limit:
            return f"Error: {truck} carries {limit} t at most."
        b["truck"] = truck
        return f"{block} lies on {truck}."

    def tool_unload(self, block):
        if block not in self._state["blocks"]:
            return "Error: unknown block."
        self._state["blocks"][block]["truck"] = None
        return f"{block} lies on the ground."

    def tool_sell(self, block):
        if block not in self._state["blocks"]:
            return "Error: unknown block."
        self._state["blocks"][block]["sold"] = True
        return f"{block} is sold."

    def solution(self):
        stone, big, strong, small = self.todo
        return (
            f"1. list_blocks(stone='{stone}') -> shows the weights\n"
            "2. list_trucks() -> shows which truck is the strongest\n"
            f"3. load(block='{big}', truck='{strong}') -> first request fulfilled\n"
            f"4. sell(block='{small}') -> second request fulfilled\n"
            "ANSWER: done"
        )
