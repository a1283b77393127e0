"""type(self).__name__, self.__class__, isinstance(x, type)."""
import random
import re


class Shape:
    corners = 0

    def label(self):
        return type(self).__name__.lower()

    def twin(self):
        return self.__class__()


class Triangle(Shape):
    corners = 3


class Square(Shape):
    corners = 4


class Hexagon(Shape):
    corners = 6


class CornersEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.name = self.__class__.__name__
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        kinds = [k for k in (Triangle, Square, Hexagon) if isinstance(k, type) and issubclass(k, Shape)]
        pile = [(rng.choice(kinds)(), rng.randint(3, 40)) for _ in range(6)]
        self.answer = sum(shape.twin().corners * n for shape, n in pile)
        if type(self.answer) is not int:
            raise TypeError(type(self.answer).__name__)
        self.turn = 0
        listing = ", ".join(f"{n} x {shape.label()}" for shape, n in pile)
        return f"{self.name}: a box holds {listing}. How many corners in all? \\boxed{{number}}", {}

    def step(self, action):
        self.turn += 1
        try:
            value = int(re.search(r"\\boxed\{([0-9 ]{1,9})\}", action).group(1))
        except (AttributeError, ValueError) as error:
            return f"Unreadable ({type(error).__name__}).", 0.0, False, self.turn >= self.max_turns, {}
        ok = value == self.answer
        return ("Yes" if ok else "No"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
