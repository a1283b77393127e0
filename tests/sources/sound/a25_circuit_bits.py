# Old Gym manners: reset gives a bare string, step a 4-tuple.
import random

GATES = {
    "AND": lambda a, b: a & b,
    "OR": lambda a, b: a | b,
    "XOR": lambda a, b: a ^ b,
    "NAND": lambda a, b: 1 - (a & b),
    "NOR": lambda a, b: 1 - (a | b),
}


class CircuitBitsEnv:
    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        value = {f"x{i}": rng.randint(0, 1) for i in range(6)}
        text = ["Inputs: " + ", ".join(f"{k}={v}" for k, v in value.items())]
        wires = list(value)
        for i in range(16):
            gate = rng.choice(["AND", "OR", "XOR", "XOR", "NAND", "NOR"])
            a, b = rng.sample(wires[-9:], 2)
            name = f"g{i}"
            value[name] = GATES[gate](value[a], value[b])
            text.append(f"{name} = {gate}({a}, {b})")
            wires.append(name)
        outputs = wires[-10:]
        self.bits = "".join(str(value[w]) for w in outputs)
        self.tries = 0
        text.append(f"Write the values of {outputs[0]} to {outputs[-1]} as ten bits, \\boxed{{bbbbbbbbbb}}. {self.max_turns} tries.")
        return "\n".join(text)

    def step(self, action):
        self.tries += 1
        done = self.tries >= self.max_turns
        bits = "".join(c for c in action.replace("\\boxed", "") if c not in " {},")
        if len(bits) != 10 or not set(bits) <= {"0", "1"}:
            return "Ten bits are needed.", 0.0, done, {}
        if bits == self.bits:
            return "The lamp row agrees.", 1.0, True, {}
        return "The lamp row looks different.", 0.0, done, {}

    def solution(self):
        return [f"\\boxed{{{self.bits}}}"]
