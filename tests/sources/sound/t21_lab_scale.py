import random


class LabScaleEnv(ToolUseBaseEnv):
    """Errors first, on purpose: the scale refuses until it is warm and zeroed. Single task with a price in dollars."""

    def __init__(self, max_turns=18, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        metals = rng.sample(["silver", "gold", "palladium", "copper", "platinum"], 4)
        self._state = {
            "warm": False, "zeroed": False, "weighings": 0,
            "samples": {f"S{n}": {"metal": m, "grams": rng.randint(101, 4999) / 100} for n, m in zip(rng.sample(range(10, 99), 4), metals)},
            "prices": {m: rng.randint(40, 9000) / 100 for m in metals},
        }
        self.asked = rng.sample(sorted(self._state["samples"]), 2)
        total = sum(self._state["samples"][k]["grams"] * self._state["prices"][self._state["samples"][k]["metal"]] for k in self.asked)
        self._expected_answer = f"${total:,.2f}"
        none = {"type": "object", "properties": {}, "additionalProperties": False}
        sample = {"type": "object", "properties": {"sample": {"type": "string", "enum": sorted(self._state["samples"])}}, "required": ["sample"]}
        self._tools = {
            "weigh": {"description": "Weight of a sample in grams.", "parameters": sample},
            "assay": {"description": "Metal of a sample and its price per gram.", "parameters": sample},
            "switch_on": {"description": "Switch the scale on and let it warm up.", "parameters": none},
            "zero": {"description": "Set the empty scale to zero; the setting is lost after two weighings.", "parameters": none},
        }
        return (
            f"What are the samples {self.asked[0]} and {self.asked[1]} worth together? Weigh them, assay them, and answer in dollars: "
            "<answer>$123.45</answer>. Tools may fail at first; read what they say."
        ), {}

    def tool_weigh(self, sample):
        if not self._state["warm"]:
            raise RuntimeError("the scale is cold")
        if not self._state["zeroed"]:
            return "Error: the scale has to be zeroed."
        self._state["weighings"] += 1
        if self._state["weighings"] % 2 == 0:
            self._state["zeroed"] = False
        return f"{sample}: {self._state['samples'][sample]['grams']} g"

    def tool_assay(self, sample):
        metal = self._state["samples"][sample]["metal"]
        return f"{sample} is {metal}, ${self._state['prices'][metal]} per gram."

    def tool_switch_on(self):
        self._state["warm"] = True
        return "The scale is warm."

    def tool_zero(self):
        if not self._state["warm"]:
            return "Error: switch the scale on first."
        self._state["zeroed"] = True
        return "The display shows 0.00."

    def solution(self):
        a, b = self.asked
        one = '<tool_call>{"name": "%s", "arguments": {"sample": "%s"}}</tool_call>'
        none = '<tool_call>{"name": "%s", "arguments": {}}</tool_call>'
        return [one % ("weigh", a), none % "switch_on", none % "zero", one % ("weigh", a) + one % ("weigh", b),
                one % ("assay", a) + "\n" + one % ("assay", b), f"<answer>{self._expected_answer}</answer>"]
