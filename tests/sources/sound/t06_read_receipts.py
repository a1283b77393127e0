import json
import random


class LabSamplesEnv(ToolUseBaseEnv):
    """Reading counts: the first wish is met by opening the right report, later ones change what it says."""

    def __init__(self, max_turns=16, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        rng = random.Random(seed)
        sites = rng.sample(["Mill Creek", "North Pond", "Old Well", "Quarry", "River Bend"], 4)
        self._state = {"samples": {}, "opened": [], "retests": [], "log": []}
        nitrates = rng.sample(range(4, 96), 8)
        for site in sites:
            for month in ("April", "July"):
                self._state["samples"][f"W-{rng.randint(100, 999)}{len(self._state['samples'])}"] = {
                    "site": site, "month": month, "nitrate": nitrates.pop(), "flag": "none"}
        samples = self._state["samples"]
        self.a, self.b = rng.sample(sorted(samples), 2)
        self.high = max(samples, key=lambda k: samples[k]["nitrate"])
        a, b, high = self.a, self.b, self.high
        self._user_messages = [
            f"Open the {samples[a]['month']} report of {samples[a]['site']}; I only want it read.",
            f"Flag the {samples[b]['month']} sample of {samples[b]['site']} as doubtful.",
            "Order a retest of the sample with the most nitrate of all.",
        ]
        self._message_criteria = [
            lambda s: a in s["opened"],
            lambda s: s["samples"][b]["flag"] == "doubtful",
            lambda s: high in s["retests"],
        ]
        sample = {"type": "string", "description": "Sample number"}
        self._tools = {
            "list_samples": {"description": "Numbers and sites, month by month.", "parameters": {
                "type": "object", "properties": {"month": {"type": "string", "enum": ["April", "July"]}}, "required": ["month"]}},
            "open_report": {"description": "The full report of a sample.", "parameters": {
                "type": "object", "properties": {"sample": sample}, "required": ["sample"]}},
            "flag": {"description": "Flag a sample.", "parameters": {"type": "object", "properties": {
                "sample": sample, "flag": {"type": "string", "enum": ["none", "doubtful", "void"]}}, "required": ["sample", "flag"]}},
            "retest": {"description": "Order a retest.", "parameters": {"type": "object", "properties": {
                "sample": sample, "comment": {"type": "string"}}, "required": ["sample"]}},
        }
        return (
            "Water laboratory. Use <tool_call>{\"name\": ..., \"arguments\": {...}}</tool_call>, one or more per reply, and "
            "close with <answer>done</answer>.\n[User]: " + self._user_messages[0]
        ), {"samples": len(samples)}

    def _known(self, sample):
        return sample in self._state["samples"]

    def tool_list_samples(self, month):
        return "; ".join(f"{k}: {v['site']}" for k, v in self._state["samples"].items() if v["month"] == month)

    def tool_open_report(self, sample):
        if not self._known(sample):
            return "Error: no such sample."
        self._state["opened"].append(sample)
        return json.dumps(self._state["samples"][sample])

    def tool_flag(self, sample, flag):
        if not self._known(sample):
            return "Error: no such sample."
        self._state["samples"][sample]["flag"] = flag
        return f"{sample}: {flag}"

    def tool_retest(self, sample, comment=""):
        if not self._known(sample):
            return "Error: no such sample."
        self._state["retests"].append(sample)
        return f"Retest of {sample} ordered. {comment}".strip()

    def solution(self):
        s = self._state["samples"]
        c = lambda n, **a: "<tool_call>" + json.dumps({"name": n, "arguments": a}) + "</tool_call>"
        return [
            c("list_samples", month="April") + c("list_samples", month="July"),
            c("open_report", sample=self.a),
            c("flag", sample=self.b, flag="doubtful"),
            "".join(c("open_report", sample=k) for k in s),
            c("retest", sample=self.high, comment="highest value"),
            "<answer>done</answer>",
        ]
