"""Private class attributes, mangled names, and private attributes of other objects."""
import random
import re


class _Node:
    __slots__ = ("_name", "_next", "_toll")

    def __init__(self, name, toll):
        self._name, self._toll, self._next = name, toll, None


class TollRoadEnv:
    _LETTERS = "KLMNPQRSTV"
    __secret_factor = 3

    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.__turns = 0
        self._answer = None
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        nodes = [_Node(letter, rng.randint(2, 19)) for letter in rng.sample(self._LETTERS, 7)]
        for node in nodes:
            node._next = rng.choice([other for other in nodes if other is not node])
        self.__turns = 0
        here, paid, self._hops = nodes[0], 0, rng.randint(5, 9)
        for _ in range(self._hops):
            paid += here._toll
            here = here._next
        self._answer = paid * self.__secret_factor
        rows = "\n".join(f"{node._name}: toll {node._toll}, road leads to {node._next._name}" for node in nodes)
        return (
            f"{rows}\nA lorry starts at {nodes[0]._name} and pays the toll each time it leaves a place; it makes "
            f"{self._hops} moves. Lorries pay {self.__secret_factor} times the toll. Total paid? \\boxed{{number}}"
        ), {}

    def step(self, action):
        self.__turns += 1
        m = re.search(r"\\boxed\{\s*(\d{1,6})\s*\}", action, re.ASCII)
        if m and int(m.group(1)) == self._answer:
            return "Correct", 1.0, True, False, {}
        return "Not correct", 0.0, False, self.__turns >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self._answer}}}"]
