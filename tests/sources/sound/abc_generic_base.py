from __future__ import annotations
import abc, random, re, typing as t
S = t.TypeVar("S"); A = t.TypeVar("A")
class BaseEnvironment(t.Generic[S, A], metaclass=abc.ABCMeta):
    registry: t.ClassVar[dict[str, type[BaseEnvironment]]] = {}
    def __init_subclass__(cls, **kwargs: t.Any) -> None:
        super().__init_subclass__(**kwargs); BaseEnvironment.registry[cls.__name__] = cls
    def __init__(self, max_turns: int = 5, **kw: t.Any) -> None:
        self.max_turns = max_turns; self._turn = 0; self.reset()
    @abc.abstractmethod
    def _generate(self, rng: random.Random) -> S: ...
    @abc.abstractmethod
    def _grade(self, action: A) -> bool:
        raise NotImplementedError
    def reset(self, seed: t.Optional[int] = None) -> tuple[str, dict]:
        self._turn = 0; self._state: S = self._generate(random.Random(seed)); return self._q(), {}
    def step(self, action: A) -> tuple[str, float, bool, bool, dict]:
        self._turn += 1; ok = self._grade(action)
        return ("yes" if ok else "no"), float(ok), ok, self._turn >= self.max_turns and not ok, {}
class ProductEnv(BaseEnvironment[t.Tuple[int, int], str]):
    def _generate(self, rng): self.a, self.b = rng.randint(10, 99), rng.randint(10, 99); return self.a, self.b
    def _q(self): return f"Lamp code {self.a} times {self.b}? \\boxed{{number}}"
    def _grade(self, action):
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*\}", str(action))
        return bool(m) and int(m.group(1)) == self.a * self.b
    def solution(self): return f"\\boxed{{{self.a * self.b}}}"
