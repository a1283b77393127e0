import random
from typing import overload, TypeVar, Generic, Literal, NamedTuple, TypedDict
T = TypeVar("T")
class Stack(Generic[T]):
    def __init__(self) -> None:
        self._items: list[T] = []
    def push(self, x: T) -> None: self._items.append(x)
    def pop(self) -> T: return self._items.pop()
    def __len__(self): return len(self._items)
class P(NamedTuple):
    x: int
    y: int = 0
    def norm(self): return abs(self.x) + abs(self.y)
class D(TypedDict, total=False):
    a: int

class TypingEnv:
    def __init__(self, max_turns=4):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); self.turns = 0
        s = Stack[int]()
        for i in range(4): s.push(r.randint(1,9))
        p = P(*[s.pop() for _ in range(2)])._replace(y=3)
        self.answer = p.norm() + len(s)
        self.p = p
        return f"|x|+|y| for {self.p} plus 2? Reply \\boxed{{N}}", {}
    def step(self, action):
        self.turns += 1
        ok = action.strip() == "\\boxed{" + str(self.answer) + "}"
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turns >= self.max_turns, {}
    def solution(self):
        return "\\boxed{" + str(self.answer) + "}"
