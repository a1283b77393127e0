import json
import random

REASONS = ["outside_our_duties", "missing_papers", "fee_unpaid", "already_granted"]
STREETS = ["Mole Street", "Harbour Walk", "Old Dyke", "Tanner Row"]
OUTSIDE = ["a passport for a dog", "a fishing licence for the high seas", "the weather for the weekend", "a divorce"]


class PermitOfficeEnv(ToolUseBaseEnv):
    """Some requests must be declined, with the right reason; deciding twice is not possible."""

    def __init__(self, max_turns=22, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        numbers = rng.sample(range(10000, 99999), 5)
        files = {}
        for n, who in zip(numbers, rng.sample(["Aske", "Birgit", "Conny", "Dagny", "Ebbe", "Frode", "Gerda"], 5)):
            files[f"P-{n}"] = {"applicant": who, "street": rng.choice(STREETS), "papers": rng.random() < 0.6, "paid": rng.random() < 0.6, "decision": None}
        chosen = rng.sample(sorted(files), 3)
        self._state = {"files": files, "letters": {}}
        self.expected, self._user_messages, self._message_criteria = [], [], []
        outside = rng.randrange(3)
        for i, key in enumerate(chosen):
            f = files[key]
            if i == outside:
                verdict = "outside_our_duties"
                self._user_messages.append(f"{f['applicant']} asks us for {rng.choice(OUTSIDE)} under the number of the open file. Decide the file.")
            else:
                verdict = "grant" if f["papers"] and f["paid"] else "missing_papers" if not f["papers"] else "fee_unpaid"
                self._user_messages.append(f"{f['applicant']} wants to put up a stall. Papers must be complete and the fee paid; incomplete papers come first as a reason. Decide the file.")
            self.expected.append((key, f["applicant"], verdict))
            self._message_criteria.append(self._criterion(key, verdict))
        self._tools = {
            "open_file": {"description": "File of an applicant.", "parameters": {"type": "object", "properties": {"applicant": {"type": "string"}}, "required": ["applicant"]}},
            "grant": {"description": "Grant a permit. Final.", "parameters": {"type": "object", "properties": {"file": {"type": "string"}}, "required": ["file"]}},
            "decline": {"description": "Decline a request. Final.", "parameters": {"type": "object", "properties": {
                "file": {"type": "string"}, "reason": {"type": "string", "enum": REASONS}}, "required": ["file", "reason"]}},
        }
        return "Office for street stalls; other matters are not our duty. " + self._user_messages[0] + " After three people: <answer>done</answer>.", {}

    def _criterion(self, key, verdict):
        return lambda state: state.get("files", {}).get(key, {}).get("decision") == verdict

    def tool_open_file(self, applicant):
        for key, f in self._state["files"].items():
            if f["applicant"].lower() == applicant.lower():
                return json.dumps({"file": key, "street": f["street"], "papers": "complete" if f["papers"] else "incomplete", "fee": "paid" if f["paid"] else "open", "decision": f["decision"]})
        return json.dumps({"error": "no file"})

    def _decide(self, file, verdict):
        data = self._state["files"].get(file)
        if data is None:
            return json.dumps({"error": "no such file"})
        if data["decision"]:
            return json.dumps({"error": "decided already"})
        data["decision"] = verdict
        return json.dumps({"file": file, "decision": verdict})

    def tool_grant(self, file):
        return self._decide(file, "grant")

    def tool_decline(self, file, reason):
        return self._decide(file, reason)

    def solution(self):
        out = []
        for key, who, verdict in self.expected:
            out.append({"name": "open_file", "arguments": {"applicant": who}})
            out.append({"name": "grant", "arguments": {"file": key}} if verdict == "grant" else {"name": "decline", "arguments": {"file": key, "reason": verdict}})
        return [f"<tool_call>{json.dumps(c)}</tool_call>" for c in out] + ["<answer>done</answer>"]
