# recursion over a bill of materials, tool-use single answer, lru_cache per call, string formatting noise
import functools
import json
import random

WORDS = "axle bracket cage damper elbow flange gear hub idler joint knob latch motor nozzle oiler piston rotor shaft".split()


class BillOfMaterialsEnv(ToolUseBaseEnv):
    """How much does one machine weigh / cost?  Explode the bill of materials via the parts API."""

    def __init__(self, max_turns=40, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        codes = [f"{w.upper()}-{rng.randint(10, 99)}" for w in rng.sample(WORDS, 14)]
        self._state = {"parts": {}, "queries": 0}
        for i, code in enumerate(codes):
            below = codes[i + 1:]
            if i < 6:
                children = rng.sample(below[:6], rng.randint(2, 3))
                self._state["parts"][code] = {"needs": {c: rng.randint(1, 5) for c in children}, "labour": rng.randint(3, 40), "price": None}
            else:
                self._state["parts"][code] = {"needs": {}, "labour": 0, "price": rng.randint(2, 95)}
        self.root, self.copies = codes[0], rng.randint(2, 9)
        self._tools = {
            "components": {"description": "Components of an assembly with quantities, or a note that the part is bought.",
                           "parameters": {"type": "object", "properties": {"part": {"type": "string"}}, "required": ["part"]}},
            "unit_price": {"description": "Price of bought parts, any number of them at once.",
                           "parameters": {"type": "object", "properties": {"parts": {"type": "array", "items": {"type": "string"}}},
                                          "required": ["parts"]}},
            "labour_cost": {"description": "Cost of putting one assembly together (without its components).",
                            "parameters": {"type": "object", "properties": {"part": {"type": "string"}}, "required": ["part"]}},
        }
        self._expected_answer = str(self.copies * self._cost(self.root))
        return (f"What do {self.copies} pieces of {self.root} cost, components and labour of all levels included? "
                "Tools: components(part), unit_price(parts), labour_cost(part), called as "
                "<tool_call>{\"name\": \"components\", \"arguments\": {\"part\": \"...\"}}</tool_call>, several per turn if you like. "
                f"Finish with <answer>NUMBER</answer>. Turn limit {self.max_turns}."), {}

    def _cost(self, root):
        parts = self._state["parts"]

        @functools.lru_cache(maxsize=None)
        def cost(code):
            p = parts[code]
            return p["price"] if p["price"] is not None else p["labour"] + sum(n * cost(c) for c, n in p["needs"].items())

        return cost(root)

    def tool_components(self, part):
        p = self._state["parts"].get(part)
        self._state["queries"] += 1
        if p is None:
            return f"unknown part {part[:30]!r}"
        return "\n".join(f"{n} x {c}" for c, n in p["needs"].items()) or "bought part, no components"

    def tool_unit_price(self, parts):
        lines = []
        for code in parts[:30]:
            p = self._state["parts"].get(code) if isinstance(code, str) else None
            lines.append(f"{str(code)[:30]}: " + ("unknown" if p is None else "made in house" if p["price"] is None else str(p["price"])))
        return "\n".join(lines) or "name at least one part"

    def tool_labour_cost(self, part):
        p = self._state["parts"].get(part)
        return "unknown part" if p is None else str(p["labour"]) if p["needs"] else "bought part, no labour"

    def _reachable(self):
        seen, stack = [], [self.root]
        while stack:
            code = stack.pop()
            if code not in seen:
                seen.append(code)
                stack.extend(self._state["parts"][code]["needs"])
        return seen

    def solution(self):
        out, bought = [], []
        for code in self._reachable():
            calls = [{"name": "components", "arguments": {"part": code}}]
            if self._state["parts"][code]["needs"]:
                calls.append({"name": "labour_cost", "arguments": {"part": code}})
            else:
                bought.append(code)
            out.append("\n".join(f"<tool_call>{json.dumps(c)}</tool_call>" for c in calls))
        out.append(f"<tool_call>{json.dumps({'name': 'unit_price', 'arguments': {'parts': bought}})}</tool_call>")
        return out + [f"<answer>{self._expected_answer}</answer>"]

    def hint(self):
        return "Go down level by level, then compute costs from the bought parts upwards; shared parts are needed several times."
