import random, heapq, itertools
class _Node:
    _ids = itertools.count()
    def __init__(self, v): self.__v = v; self._next = None
    def value(self): return self.__v
    def __lt__(self, o): return self._Node__v < o.value() if False else self.value() < o.value()
class LinkedEnv:
    def __init__(self): self.max_turns = 3; self.reset()
    def reset(self, seed=None):
        r = random.Random(seed); vals = [r.randint(0, 99) for _ in range(5)]
        head = None
        for v in reversed(vals):
            n = _Node(v); n._next = head; head = n
        self.head, self.turns = head, 0
        heap = []
        cur = head
        while cur: heapq.heappush(heap, cur); cur = cur._next
        self.third = [heapq.heappop(heap) for _ in range(3)][-1].value()
        return f"List: {vals}. What is the third smallest (counting repeats)? \\boxed{{N}}", {}
    def step(self, a):
        self.turns += 1
        ok = a == f"\\boxed{{{self.third}}}"
        return str(ok), float(ok), ok, not ok and self.turns >= 3, {}
    def solution(self): return f"\\boxed{{{self.third}}}"
