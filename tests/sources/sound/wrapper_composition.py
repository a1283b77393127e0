import random, re
class ProductLogic:
    def __init__(self): self.a = self.b = 0
    def reset(self, seed): rng = random.Random(seed); self.a, self.b = rng.randint(10, 99), rng.randint(10, 99)
    def grade(self, n): return n == self.a * self.b
class ProductEnv:
    def __init__(self, max_turns=5): self.__logic = ProductLogic(); self.__turn = 0; self.max_turns = max_turns; self.reset()
    a = property(lambda self: self.__logic.a)
    b = property(lambda self: self.__logic.b)
    def reset(self, seed=None): self.__logic.reset(seed); self.__turn = 0; return self._q(), {}
    def __getattr__(self, name):
        if name.startswith("_"): raise AttributeError(name)
        return getattr(self.__logic, name)
    def step(self, action):
        self.__turn += 1; ok = self._grade(action)
        return ("yes" if ok else "no"), float(ok), ok, self.__turn >= self.max_turns and not ok, {}
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
