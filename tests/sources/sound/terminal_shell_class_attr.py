import random, shlex
class FileSystem:
    def __init__(self): self.tree = {"/": {}}
    def open(self, path): return self.tree.get(path)
    def compile(self, x): return x
    def exec(self, cmd): return "ran " + cmd
class ShellEnv:
    help = "Commands: ls, cat FILE, submit WORD"
    def __init__(self, max_turns=8): self.max_turns = max_turns; self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.fs = FileSystem(); self.word = "".join(r.choices("abcdef", k=6)); self.t = 0
        self.fs.tree["/"]["secret.txt"] = self.word; self.fs.exec("boot"); self.fs.compile(3); self.fs.open("/")
        return f"A shell. {self.help} Each as \\boxed{{command}}. Submit the word in secret.txt.", {}
    def step(self, action):
        self.t += 1
        a = action[7:-1] if action.startswith("\\boxed{") and action.endswith("}") else action
        try: parts = shlex.split(a)
        except ValueError as e: parts = ["?", str(e)]
        out, win = "command not found", False
        if parts and parts[0] == "ls": out = " ".join(self.fs.tree["/"])
        elif len(parts) == 2 and parts[0] == "cat": out = self.fs.tree["/"].get(parts[1], f"cat: {parts[1]}: No such file")
        elif len(parts) == 2 and parts[0] == "submit": win = parts[1] == self.word; out = "accepted" if win else "rejected"
        return f"$ {a}\n{out}", float(win), win, not win and self.t >= self.max_turns, {}
    def solution(self): return ["ls", "cat secret.txt", f"submit {self.word}"]
