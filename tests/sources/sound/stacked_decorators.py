"""Robot arm: stacked decorators; the registry attribute must survive functools.wraps."""
import functools, random, re
def command(name):
    def deco(fn):
        fn.command = name
        return fn
    return deco
def logged(fn):
    @functools.wraps(fn)
    def wrapper(self, *a, **k):
        self.calls += 1
        return fn(self, *a, **k)
    return wrapper
class ArmEnv:
    def __init__(self, max_turns=30, **kwargs):
        self.max_turns = max_turns
        self.table = {}
        for n in dir(self):
            m = getattr(self, n)
            if getattr(m, "command", None):
                self.table[m.command] = m
        self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.calls = self.t = 0
        self.x, self.goal = r.randint(0, 9), r.randint(0, 9)
        self.box = False
        return f"Arm at {self.x}; grab the part, carry it to {self.goal}, release it. Commands: {', '.join(sorted(self.table))} as \\boxed{{command}}.", {}
    @logged
    @command("left")
    def _l(self): self.x -= 1; return "ok"
    @logged
    @command("right")
    def _r(self): self.x += 1; return "ok"
    @logged
    @command("grab")
    def _g(self): self.box = True; return "grabbed"
    @logged
    @command("release")
    def _rel(self):
        if self.box and self.x == self.goal: return "win"
        self.box = False; return "dropped"
    def step(self, action):
        self.t += 1; tr = self.t >= self.max_turns
        m = re.fullmatch(r"\s*\\boxed\{(\w+)\}\s*", action)
        out = self.table[m[1]]() if m and m[1] in self.table else "unknown command"
        won = out == "win"
        return f"{out} (at {self.x}, {self.calls} calls)", float(won), won, tr and not won, {}
    def solution(self):
        d = self.goal - self.x
        return ["\\boxed{grab}"] + ["\\boxed{right}" if d > 0 else "\\boxed{left}"] * abs(d) + ["\\boxed{release}"]
