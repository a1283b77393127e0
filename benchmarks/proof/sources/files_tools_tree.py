# plain class with get_tools / execute_tool returning strings; recursion over a nested dict; hashlib; generator function
import hashlib
import json
import random
import re


def walk(tree, prefix=""):
    """Depth-first generator of (path, text)."""
    for name in sorted(tree):
        node = tree[name]
        if isinstance(node, dict):
            yield from walk(node, f"{prefix}{name}/")
        else:
            yield prefix + name, node


class DocumentTreeEnv:
    """Find the value of a configuration key which is spread over files that include one another."""

    NAMES = ["alpha", "basic", "core", "delta", "extra", "field", "green", "host", "inner", "junior"]

    def __init__(self, max_turns=18):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        self.turn = 0
        rng = random.Random(seed)
        self.tree = {}
        paths = []
        for d in rng.sample(self.NAMES, 3):
            self.tree[d] = {}
            for e in rng.sample(self.NAMES, 2):
                self.tree[d][e] = {}
                for f in rng.sample(self.NAMES, 2):
                    paths.append(f"{d}/{e}/{f}.cfg")
        rng.shuffle(paths)
        self.chain = paths[:rng.randint(5, 7)]
        self.parts = [rng.randint(10, 999) for _ in self.chain]
        for i, p in enumerate(paths):
            if p in self.chain:
                target = self.chain[i + 1] if i + 1 < len(self.chain) else "nothing"
                value = self.parts[i]
            else:
                target, value = rng.choice(paths), rng.randint(10, 999)
            self._put(p, f"# rev {hashlib.sha256(f'{seed}{p}'.encode()).hexdigest()[:8]}\nweight = {value}\nincludes = {target}\n")
        total = 0
        for k, part in enumerate(self.parts, 1):
            total += k * part
        self.total = total
        return (f"Start at {self.chain[0]} and follow the includes to the end. Multiply the weight of the first file by 1, that of the second "
                "by 2, and so on; what is the sum? Call <tool_call>{\"name\": \"cat\", \"arguments\": {\"path\": \"a/b/c.cfg\"}}</tool_call> "
                "or ls with a path (an empty one is the root). When you know, send <answer>N</answer>; two wrong answers are forgiven. "
                f"{self.max_turns} turns."), {"files": len(paths)}

    def _put(self, path, text):
        d, e, f = path.split("/")
        self.tree[d][e][f] = text
        self.wrong = 0

    def _node(self, path):
        node = self.tree
        for part in [p for p in path.split("/") if p]:
            if not isinstance(node, dict) or part not in node:
                return None
            node = node[part]
        return node

    def get_tools(self):
        path = {"type": "object", "properties": {"path": {"type": "string", "description": "separated by slashes"}}, "required": ["path"]}
        return [{"type": "function", "function": {"name": "ls", "description": "Names in a folder.", "parameters": path}},
                {"type": "function", "function": {"name": "cat", "description": "Text of a file.", "parameters": path}}]

    def execute_tool(self, name, arguments=None):
        path = arguments.get("path") if isinstance(arguments, dict) else None
        if name not in ("ls", "cat"):
            return "Error: the tools are ls and cat."
        if not isinstance(path, str):
            return f"Error: {name} takes one argument, path, a string."
        node = self._node(path[:200])
        if node is None:
            return "Error: no such path."
        if name == "ls":
            return "\n".join(sorted(node)) if isinstance(node, dict) else "Error: this is a file."
        return "Error: this is a folder." if isinstance(node, dict) else node

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        outputs = []
        for text in re.findall(r"<tool_call>(.*?)</tool_call>", action, re.S):
            try:
                data = json.loads(text)
            except (ValueError, RecursionError):
                data = None
            if isinstance(data, dict) and isinstance(data.get("name"), str):
                outputs.append(self.execute_tool(data["name"], data.get("arguments")))
            else:
                outputs.append('Error: a tool call is JSON, {"name": ..., "arguments": {...}}.')
        if outputs:
            return "\n".join(outputs), 0.0, False, late, {}
        m = re.search(r"<answer>\s*([0-9]{1,9})\s*</answer>", action)
        if not m:
            return "Send <tool_call>{...}</tool_call> or <answer>N</answer> with a whole number.", 0.0, False, late, {}
        if int(m.group(1)) == self.total:
            return "Correct.", 1.0, True, False, {"files": len(list(walk(self.tree)))}
        self.wrong += 1
        if self.wrong > 2:
            return "Wrong for the third time.", 0.0, True, False, {}
        return "Wrong.", 0.0, False, late, {}

    def solution(self):
        calls = [json.dumps({"name": "cat", "arguments": {"path": p}}) for p in self.chain]
        return [f"<tool_call>{c}</tool_call>" for c in calls] + [f"<answer>{self.total}</answer>"]

    def hint(self):
        return "Note each weight with its place in the chain; not every file belongs to it."
