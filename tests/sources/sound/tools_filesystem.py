"""In-memory file system with cd/ls/cat/mv, single task."""
import json
import random


class VirtualFileSystemEnv(ToolUseBaseEnv):
    def __init__(self, max_turns=12, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn_count = 0
        users = [f"user{i}" for i in rng.sample(range(1, 9), 3)]
        self.who = rng.choice(users)
        self.fname = rng.choice(["report", "notes", "ledger"]) + str(rng.randint(10, 99)) + ".txt"
        self.secret = str(rng.randint(10000, 99999))
        tree = {u: {"docs": {}, "pics": {"img.png": "binary"}} for u in users}
        for u in users:
            tree[u]["docs"][self.fname if u == self.who else "todo.txt"] = f"total={self.secret if u == self.who else rng.randint(10000, 99999)}"
        self._state = {"home": tree}
        path = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
        self._tools = {"ls": {"description": "List a directory, e.g. /home", "parameters": path},
                       "cat": {"description": "Print a file.", "parameters": path}}
        self._expected_answer = self.secret
        return f"Somewhere under /home a user keeps a file called {self.fname}. Which total does it state? Submit <answer>NUMBER</answer>.", {}

    def _resolve(self, path):
        node = self._state
        for part in [p for p in str(path).split("/") if p]:
            if not isinstance(node, dict) or part not in node:
                return None
            node = node[part]
        return node

    def tool_ls(self, path):
        node = self._resolve(path)
        if node is None:
            return f"ls: cannot access '{path}': No such file or directory"
        if isinstance(node, str):
            return path
        return "  ".join(sorted(node))

    def tool_cat(self, path):
        node = self._resolve(path)
        if not isinstance(node, str):
            return "cat: no such file"
        return node

    def solution(self):
        steps = [("ls", "/home"), ("ls", f"/home/{self.who}/docs"), ("cat", f"/home/{self.who}/docs/{self.fname}")]
        out = []
        for name, path in steps:
            out.append("<tool_call>" + json.dumps({"name": name, "arguments": {"path": path}}) + "</tool_call>")
        out.append(f"<answer>{self.secret}</answer>")
        return out
