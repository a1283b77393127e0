"""metaclass=ABCMeta and class attributes that hold classes."""
import random
import re
from abc import ABCMeta, abstractmethod


class Gate(metaclass=ABCMeta):
    symbol = "?"

    @abstractmethod
    def compute(self, a, b):
        """Output bit."""


class Nand(Gate):
    symbol = "NAND"

    def compute(self, a, b):
        return 1 - (a & b)


class Xor(Gate):
    symbol = "XOR"

    def compute(self, a, b):
        return a ^ b


class Nor(Gate):
    symbol = "NOR"

    def compute(self, a, b):
        return 1 - (a | b)


class CircuitEnv:
    GATES = (Nand, Xor, Nor)

    def __init__(self, max_turns=3, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        wires = [rng.randint(0, 1) for _ in range(4)]
        lines = [f"w{i} = {bit}" for i, bit in enumerate(wires)]
        for _ in range(12):
            gate = rng.choice(self.GATES)()
            i, j = rng.sample(range(len(wires)), 2)
            lines.append(f"w{len(wires)} = w{i} {gate.symbol} w{j}")
            wires.append(gate.compute(wires[i], wires[j]))
        self.answer = "".join(str(bit) for bit in wires[4:])
        self.tries = 0
        return "\n".join(lines) + "\nGive the bits w4 to w15 as one string, \\boxed{000000000000}.", {}

    def step(self, action):
        self.tries += 1
        m = re.search(r"\\boxed\{\s*([01]{12})\s*\}", action)
        if m and m[1] == self.answer:
            return "All bits are right.", 1.0, True, False, {}
        return "Some bit is wrong.", 0.0, False, self.tries >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
