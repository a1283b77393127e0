import random


class SmallShellEnv(ToolUseBaseEnv):
    """A file system in a nested dict; the solution is a list of dicts, as some authors write it."""

    def __init__(self, max_turns=24, **kwargs):
        super().__init__(max_turns=max_turns, **kwargs)

    def reset(self, seed=None):
        rng = random.Random(seed)
        folders = rng.sample(["alpha", "briefs", "crates", "drafts", "errata", "folio"], 4)
        self._state = {"root": {f: {} for f in folders}, "cwd": None}
        for f in folders:
            for n in rng.sample(range(10, 99), 4):
                self._state["root"][f][f"note{n}.txt"] = [rng.choice(["wood", "iron", "wool", "rye"]) for _ in range(rng.randint(2, 9))]
        source, target = rng.sample(folders, 2)
        word = rng.choice(["wood", "iron", "wool", "rye"])
        counts = {n: lines.count(word) for n, lines in self._state["root"][source].items()}
        top = sorted(counts.values())
        if top[-1] == top[-2] or any(n in self._state["root"][target] for n in counts):
            return self.reset(rng.randrange(2**31))
        best = max(counts, key=counts.get)
        rest = sorted(n for n in counts if n != best)
        new = f"{word}-list.txt"
        self.todo = (source, target, best, new, list(counts))
        self._user_messages = [
            f"In the folder {source}, find the file in which the word {word} stands on the most lines, and move it to {target}.",
            f"Give it the name {new} there.",
        ]
        self._message_criteria = [
            lambda s: best in s["root"][target] and sorted(s["root"][source]) == rest,
            lambda s: new in s["root"][target] and best not in s["root"][target] and sorted(s["root"][source]) == rest,
        ]
        s = {"type": "string"}
        self._tools = {
            "cd": {"description": "Enter a folder ('..' leaves it).", "parameters": {"type": "object", "properties": {"path": s}, "required": ["path"]}},
            "ls": {"description": "What is here.", "parameters": {"type": "object", "properties": {}}},
            "cat": {"description": "Lines of a file in the present folder.", "parameters": {"type": "object", "properties": {"file": s}, "required": ["file"]}},
            "mv": {"description": "Move a file of the present folder to another folder.", "parameters": {"type": "object", "properties": {"file": s, "folder": s}, "required": ["file", "folder"]}},
            "rename": {"description": "Rename a file of the present folder.", "parameters": {"type": "object", "properties": {"file": s, "name": s}, "required": ["file", "name"]}},
        }
        return f"{self._user_messages[0]} You start above the folders {', '.join(folders)}. Reply <answer>done</answer> at the end.", {}

    @property
    def here(self):
        return self._state["root"].get(self._state["cwd"]) if self._state["cwd"] else None

    def tool_cd(self, path):
        if path in ("..", "/"):
            self._state["cwd"] = None
            return "/"
        name = path.strip("/").removeprefix("../")
        if name not in self._state["root"]:
            return f"cd: {path[:40]}: no such folder"
        self._state["cwd"] = name
        return "/" + name

    def tool_ls(self):
        return "  ".join(sorted(self.here if self._state["cwd"] else self._state["root"]))

    def tool_cat(self, file):
        if not self.here or file not in self.here:
            return f"cat: {file[:40]}: no such file"
        return "\n".join(self.here[file])

    def tool_mv(self, file, folder):
        goal = self._state["root"].get(folder.strip("/").removeprefix("../"))
        if not self.here or file not in self.here or goal is None or goal is self.here or file in goal:
            return "mv: that cannot be moved"
        goal[file] = self.here.pop(file)
        return f"{file} moved"

    def tool_rename(self, file, name):
        if not self.here or file not in self.here or name in self.here or not name or "/" in name:
            return "rename: that cannot be renamed"
        self.here[name] = self.here.pop(file)
        return f"{file} is now {name[:60]}"

    def solution(self):
        source, target, best, new, names = self.todo
        plan = [{"name": "cd", "arguments": {"path": source}}, {"name": "ls", "arguments": {}}]
        plan += [{"name": "cat", "arguments": {"file": n}} for n in names]
        plan += [{"name": "mv", "arguments": {"file": best, "folder": target}}, {"name": "cd", "arguments": {"path": "../" + target}},
                 {"name": "rename", "arguments": {"file": best, "name": new}}]
        return plan + ["<answer>done</answer>"]

    def hint(self):
        return "Count lines, not words. After the move you have to go to the other folder before you can give the file its new name."
