import json
import random


class ArchiveSessionEnv(ToolUseBaseEnv):
    """Error recovery: every tool wants a session, a session expires after three uses, and errors say what to do."""

    def __init__(self, max_turns=20, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        super().reset(seed)
        self._rng = random.Random(seed)
        rng = self._rng
        self._state = {"sessions": {}, "files": {}, "labels": {}}
        kinds = ["deed", "letter", "map", "plan", "will"]
        for number in rng.sample(range(1000, 9999), 10):
            self._state["files"][f"F{number}"] = {"kind": rng.choice(kinds), "year": rng.randint(1700, 1949)}
        files = self._state["files"]
        self.oldest = min(files, key=lambda k: (files[k]["year"], k))
        self.kind = files[self.oldest]["kind"]
        same = [k for k in files if files[k]["kind"] == self.kind]
        for k in same:
            if k != self.oldest and files[k]["year"] == files[self.oldest]["year"]:
                files[k]["year"] += 1
        self._expected_answer = "done"
        self._user_messages = [
            f"Label the oldest {self.kind} in the archive 'restore'.",
            "Thank you. Put the label 'scan' on that same file instead.",
        ]
        target = self.oldest
        self._message_criteria = [
            lambda s: s["labels"].get(target) == "restore",
            lambda s: s["labels"].get(target) == "scan",
        ]
        s = {"type": "string"}
        self._tools = {
            "login": {"description": "Open a session; gives a token for three uses.", "parameters": {"type": "object", "properties": {}}},
            "find": {"description": "Files of a kind with their years.", "parameters": {
                "type": "object", "properties": {"token": s, "kind": {"type": "string", "enum": kinds}}, "required": ["token", "kind"]}},
            "label": {"description": "Set the label of a file.", "parameters": {
                "type": "object", "properties": {"token": s, "file": s, "label": {"type": "string", "enum": ["restore", "scan", "lend"]}},
                "required": ["token", "file", "label"]}},
        }
        return (
            "You work at an archive terminal. Write calls as <tool_call>{\"name\": \"login\", \"arguments\": {}}</tool_call>. "
            "All tools but login need a valid token. When both requests are met: <answer>done</answer>.\n" + self._user_messages[0]
        ), {}

    def _use(self, token):
        left = self._state["sessions"].get(token, 0)
        if left <= 0:
            return "Error: token unknown or used up; call login again."
        self._state["sessions"][token] = left - 1
        return ""

    def tool_login(self):
        token = f"tk-{self._rng.randrange(16 ** 6):06x}"
        self._state["sessions"][token] = 3
        return f"token {token}, good for three uses"

    def tool_find(self, token, kind):
        rows = [f"{k} ({f['year']})" for k, f in self._state["files"].items() if f["kind"] == kind]
        return self._use(token) or ", ".join(rows) or "none"

    def tool_label(self, token, file, label):
        problem = self._use(token)
        if problem:
            return problem
        if file not in self._state["files"]:
            return "Error: no such file."
        self._state["labels"][file] = label
        return f"{file} is labelled {label}."

    def solution(self):
        def call(tool, **kw):
            return "<tool_call>" + json.dumps({"name": tool, "arguments": kw}) + "</tool_call>"

        observation = yield call("login")
        token = observation.split()[1].rstrip(",")
        yield call("find", token=token, kind=self.kind)
        yield call("label", token=token, file=self.oldest, label="restore")
        yield call("label", token=token, file=self.oldest, label="scan")
        yield "<answer>done</answer>"
