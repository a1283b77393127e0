"""A pretend terminal with a file tree; commands split by shlex."""
import random
import re
import shlex


class TinyShellEnv:
    """Find the file with the newest ticket and move it into the outbox."""

    def __init__(self, max_turns=30, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        folders = rng.sample(["docs", "inbox", "old mail", "reports", "tmp", "work"], 4)
        names = [f"note{n}.txt" for n in rng.sample(range(10, 99), 8)]
        self.files, dates = {}, rng.sample(range(1, 360), 8)
        for name, day in zip(names, dates):
            self.files[f"{rng.choice(folders)}/{name}"] = f"ticket of day {day}"
        self.newest = max(self.files, key=lambda p: int(self.files[p].split()[-1]))
        self.original, self.turn = dict(self.files), 0
        return (
            "A small shell. Commands: ls, ls FOLDER, cat FOLDER/FILE, mv FOLDER/FILE outbox, submit. Quote names with spaces. "
            "Move the file with the latest day into outbox, nothing else, then submit (once). For example \\boxed{ls}.\n$"
        ), {}

    def _run(self, command):
        try:
            words = shlex.split(command)
        except ValueError as error:
            return f"sh: {error}"
        if words == ["ls"]:
            return "\n".join(sorted({path.split("/")[0] for path in self.files}))
        if len(words) == 2 and words[0] == "ls":
            return "\n".join(p.split("/")[1] for p in sorted(self.files) if p.startswith(words[1] + "/")) or "ls: nothing there"
        if len(words) == 2 and words[0] == "cat":
            return self.files.get(words[1], "cat: no such file")
        if len(words) == 3 and words[0] == "mv" and words[1] in self.files and words[2] == "outbox":
            self.files["outbox/" + words[1].split("/")[1]] = self.files.pop(words[1])
            return ""
        return "sh: command not found or bad arguments"

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{([^{}]*)\}", action)
        command = m.group(1).strip() if m else ""
        if command == "submit":
            moved = [p for p in self.files if p.startswith("outbox/")]
            won = len(moved) == 1 and self.files[moved[0]] == self.original[self.newest]
            return ("Accepted." if won else "Rejected."), float(won), True, False, {}
        return f"$ {command}\n{self._run(command)}"[:4000], 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        folders = sorted({p.split("/")[0] for p in self.files})
        look = [f"ls {shlex.quote(f)}" for f in folders] + [f"cat {shlex.quote(p)}" for p in sorted(self.files)]
        plan = ["ls", *look, f"mv {shlex.quote(self.newest)} outbox", "submit"]
        return [f"\\boxed{{{command}}}" for command in plan]
