# multi-turn state modification, enum statuses in nested state, heapq for "nearest" picks, no hint
import heapq
import json
import random
from enum import Enum


class Status(str, Enum):
    STORED = "stored"
    PICKED = "picked"
    SHIPPED = "shipped"


class DepotEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=24, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed=seed)
        rng = random.Random(seed)
        goods = rng.sample(["cable", "filter", "lamp", "pump", "relay", "valve"], 4)
        pallets, spots = {}, rng.sample(range(2, 400), 16)
        for i, (number, metres) in enumerate(zip(rng.sample(range(1000, 9999), 16), spots)):
            pallets[f"P{number}"] = {"goods": goods[i % 4], "metres": metres, "expires": rng.randint(1, 365), "status": Status.STORED.value}
        days = rng.sample(range(1, 366), 16)
        for p, day in zip(pallets.values(), days):
            p["expires"] = day
        self._state = {"pallets": pallets, "shipments": {}}
        self.g, self.h = goods[:2]
        self.near = self._best(self.g, "metres", 2)
        self.old = self._best(self.h, "expires", 1)[0]
        self.dock = f"dock-{rng.randint(1, 40)}"
        s = {"type": "string"}
        self._tools = {
            "find_pallets": {"description": "Pallets with certain goods.", "parameters": {"type": "object", "properties": {"goods": s}, "required": ["goods"]}},
            "inspect": {"description": "Distance, expiry day and status of a pallet.",
                        "parameters": {"type": "object", "properties": {"pallet": s}, "required": ["pallet"]}},
            "pick": {"description": "Bring a pallet to the packing zone.", "parameters": {"type": "object", "properties": {"pallet": s}, "required": ["pallet"]}},
            "put_away": {"description": "Bring a picked pallet back into storage.",
                         "parameters": {"type": "object", "properties": {"pallet": s}, "required": ["pallet"]}},
            "ship": {"description": "Ship a picked pallet from a dock.",
                     "parameters": {"type": "object", "properties": {"pallet": s, "dock": s}, "required": ["pallet", "dock"]}},
        }
        self._user_messages = [
            f"Pick the two nearest pallets of {self.g}s, and no other pallet.",
            f"Ship the {self.h} pallet that expires first from {self.dock}.",
        ]
        self._message_criteria = [self._picked, self._shipped]
        return (f"{self._user_messages[0]} Tools: {', '.join(self._tools)}; call them with <tool_call>{{\"name\": \"pick\", \"arguments\": "
                f"{{\"pallet\": \"P0000\"}}}}</tool_call>. There is a second job after this one; then <answer>done</answer>. {self.max_turns} turns."), {}

    def _best(self, goods, key, n):
        rows = [(p[key], i) for i, p in self._state["pallets"].items() if p["goods"] == goods]
        return [i for _, i in heapq.nsmallest(n, rows)]

    def _picked(self, state):
        picked = [i for i, p in state.get("pallets", {}).items() if p.get("status") == Status.PICKED.value]
        return sorted(picked) == sorted(self.near)

    def _shipped(self, state):
        return state.get("shipments", {}).get(self.old) == self.dock

    def tool_find_pallets(self, goods):
        name = goods.strip().lower().rstrip("s")
        return ", ".join(i for i, p in self._state["pallets"].items() if p["goods"] == name) or "None in stock."

    def tool_inspect(self, pallet):
        p = self._state["pallets"].get(pallet)
        return f"{pallet}: {p['goods']}, {p['metres']} m away, expires on day {p['expires']}, {p['status']}" if p else "Unknown pallet."

    def _switch(self, pallet, before, after):
        p = self._state["pallets"].get(pallet)
        if not p:
            return "Unknown pallet."
        if p["status"] != before.value:
            return f"This pallet is {p['status']}, but has to be {before.value} for that."
        p["status"] = after.value
        return f"{pallet} is {after.value}."

    def tool_pick(self, pallet):
        return self._switch(pallet, Status.STORED, Status.PICKED)

    def tool_put_away(self, pallet):
        return self._switch(pallet, Status.PICKED, Status.STORED)

    def tool_ship(self, pallet, dock):
        text = self._switch(pallet, Status.PICKED, Status.SHIPPED)
        if text.endswith("is shipped."):
            self._state["shipments"][pallet] = dock
        return text

    def solution(self):
        def look(goods):
            ids = [i for i, p in self._state["pallets"].items() if p["goods"] == goods]
            return [("find_pallets", {"goods": goods})] + [("inspect", {"pallet": i}) for i in ids]

        plan = look(self.g) + [("pick", {"pallet": i}) for i in self.near]
        plan += look(self.h) + [("pick", {"pallet": self.old}), ("ship", {"pallet": self.old, "dock": self.dock})]
        return [f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in plan] + ["<answer>done</answer>"]
