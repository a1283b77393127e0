# expect: refuse tools.schema | tools.broken
# defect: the schema of order_retest requires "priority", which the method does not take, so every legal call of it fails
import json
import random


class BloodLabEnv(ToolUseBaseEnv):
    """Laboratory desk: find the sample that breaks the limits and release or block samples."""

    LIMITS = {"iron": (40, 160), "glucose": (60, 140), "calcium": (80, 105)}

    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns)

    def reset(self, seed=None):
        rng = random.Random(seed)
        donors = rng.sample(["D. Abbott", "E. Basso", "F. Conti", "G. Dietz", "H. Evers", "I. Frank"], 4)
        samples = [f"S{n}" for n in rng.sample(range(2000, 9999), 4)]
        bad = rng.sample(samples, 1)[0]
        self._state = {"samples": {}}
        for sample, donor in zip(samples, donors):
            values = {k: rng.randint(lo + 2, hi - 2) for k, (lo, hi) in self.LIMITS.items()}
            if sample == bad:
                marker = rng.choice(sorted(self.LIMITS))
                values[marker] = self.LIMITS[marker][1] + rng.randint(1, 9)
            self._state["samples"][sample] = {"donor": donor, "values": values, "status": "new", "comment": ""}
        self.bad = bad
        self.good = rng.choice([s for s in samples if s != bad])
        good_donor = self._state["samples"][self.good]["donor"]
        self._user_messages = [
            "One of the samples of " + ", ".join(donors) + " has a value outside the limits. Block it.",
            f"Release the sample of {good_donor}.",
        ]
        self._message_criteria = [
            lambda s: s["samples"][self.bad]["status"] == "blocked",
            lambda s: s["samples"][self.good]["status"] == "released",
        ]
        sample = {"sample_id": {"type": "string"}}
        priority = {"priority": {"type": "string", "enum": ["routine", "stat"]}}

        def spec(description, properties, required):
            return {"description": description, "parameters": {"type": "object", "properties": properties, "required": required}}

        self._tools = {
            "find_sample": spec("Sample number of a donor.", {"donor": {"type": "string"}}, ["donor"]),
            "read_values": spec("Measured values of a sample.", sample, ["sample_id"]),
            "read_limits": spec("Lower and upper limits.", {}, []),
            "set_status": spec("Release or block.", {**sample, "status": {"type": "string", "enum": ["released", "blocked"]}}, ["sample_id", "status"]),
            "order_retest": spec("Have a sample measured again.", {**sample, **priority}, ["sample_id", "priority"]),
        }
        return "Blood laboratory. Send <answer>done</answer> at the end.\n" + self._user_messages[0], {}

    def tool_find_sample(self, donor):
        return ", ".join(k for k, s in self._state["samples"].items() if s["donor"] == donor) or "No such donor."

    def tool_read_values(self, sample_id):
        entry = self._state["samples"].get(sample_id)
        return json.dumps(entry["values"]) if entry else "No such sample."

    def tool_read_limits(self):
        return json.dumps(self.LIMITS)

    def tool_set_status(self, sample_id, status):
        if sample_id not in self._state["samples"]:
            return "No such sample."
        self._state["samples"][sample_id]["status"] = status
        return f"{sample_id} {status}."

    def tool_order_retest(self, sample_id):
        if sample_id not in self._state["samples"]:
            return "No such sample."
        return "Measured again, with the same values."

    def solution(self):
        samples = self._state["samples"]
        calls = [
            [("read_limits", {})] + [("find_sample", {"donor": entry["donor"]}) for entry in samples.values()],
            [("read_values", {"sample_id": key}) for key in samples],
            [("set_status", {"sample_id": self.bad, "status": "blocked"})],
            [("set_status", {"sample_id": self.good, "status": "released"})],
        ]
        turns = ["".join(f"<tool_call>{json.dumps({'name': n, 'arguments': a})}</tool_call>" for n, a in turn) for turn in calls]
        return turns + ["<answer>done</answer>"]
