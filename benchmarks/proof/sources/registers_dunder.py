# __getitem__ / __setitem__ / __eq__ / __repr__ data methods, operator module, undo stack; interactive puzzle
import operator
import random
import re


class Registers:
    """Three registers modulo 1000."""

    NAMES = "xyz"

    def __init__(self, values):
        self._v = dict(zip(self.NAMES, values))

    def __getitem__(self, name):
        return self._v[name]

    def __setitem__(self, name, value):
        self._v[name] = value % 1000

    def __iter__(self):
        return iter(self._v.values())

    def __len__(self):
        return len(self._v)

    def __eq__(self, other):
        return isinstance(other, Registers) and tuple(self) == tuple(other)

    def __hash__(self):
        return hash(tuple(self))

    def __repr__(self):
        return ", ".join(f"{k} = {v}" for k, v in self._v.items())

    def copy(self):
        return Registers(tuple(self))


OPS = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}


class CalculatorEnv:
    def __init__(self, max_turns=30):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        self.undo = []
        while True:
            self.now = Registers(rng.sample(range(2, 60), 3))
            self.program, goal, seen = [], self.now.copy(), [self.now.copy()]
            while len(self.program) < 5:
                op, (a, b) = rng.choice(sorted(OPS)), rng.sample("xyz", 2)
                then = goal.copy()
                then[a] = OPS[op](goal[a], goal[b])
                if then not in seen:
                    goal = then
                    seen.append(then.copy())
                    self.program.append(f"{op} {a} {b}")
            if all(start != end for start, end in zip(self.now, goal)):
                break
        self.goal = goal
        return (
            f"A calculator with three registers, all modulo 1000: {self.now!r}.\n\\boxed{{add x y}} sets x to x + y, \\boxed{{sub x y}} to "
            f"x - y, \\boxed{{mul x y}} to x * y (two different registers each time), \\boxed{{undo}} takes the last operation back.\n"
            f"Reach {self.goal!r}, all at once; five operations suffice. {self.max_turns} turns."
        ), {}

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{\s*(?:(undo)|(add|sub|mul)\s+([xyz])\s+([xyz]))\s*\}", action)
        if not m or (m.group(2) and m.group(3) == m.group(4)):
            return f"Send \\boxed{{add x y}}, sub, mul, or \\boxed{{undo}}. {self.now!r}", 0.0, False, late, {}
        if m.group(1):
            if not self.undo:
                return f"Nothing to undo. {self.now!r}", 0.0, False, late, {}
            self.now = self.undo.pop()
        else:
            _, op, a, b = m.groups()
            self.undo.append(self.now.copy())
            self.now[a] = OPS[op](self.now[a], self.now[b])
        if self.now == self.goal:
            return f"Reached: {self.now!r}.", 1.0, True, False, {"operations": len(self.undo)}
        return f"{self.now!r}", 0.0, False, late, {"operations": len(self.undo)}

    def solution(self):
        return [f"\\boxed{{{line}}}" for line in self.program]

    def hint(self):
        return "Work backwards: sums and differences can be reversed, and the register that was written last depends on the others."
