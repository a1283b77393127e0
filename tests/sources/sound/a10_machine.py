import random


class TinyMachineEnv(object):
    """Trace a tiny stack machine; old style four-tuple and a solution given as one text."""

    def __init__(self, max_turns=2):
        self.max_turns = max_turns
        self.turns_left = max_turns
        self.reset()

    def _run(self, code):
        stack = []
        for token in code:
            if isinstance(token, int):
                stack.append(token)
            elif token == "dup":
                stack.append(stack[-1])
            elif token == "swap":
                stack[-1], stack[-2] = stack[-2], stack[-1]
            elif token == "over":
                stack.append(stack[-2])
            else:
                b, a = stack.pop(), stack.pop()
                stack.append({"add": a + b, "sub": a - b, "mul": a * b}[token] % 9973)
        return stack

    def _generate(self, rng):
        code, depth = [rng.randint(2, 99), rng.randint(2, 99)], 2
        for _ in range(rng.randint(11, 16)):
            options = ["dup", "over", "swap", rng.randint(2, 99)]
            if depth > 2:
                options += ["add", "sub", "mul", "mul"]
            op = rng.choice(options)
            depth += {"add": -1, "sub": -1, "mul": -1, "swap": 0}.get(op, 1)
            code.append(op)
        while depth > 1:
            code.append(rng.choice(["add", "sub", "mul"]))
            depth -= 1
        return code

    def reset(self, seed=None):
        rng = random.Random(seed)
        while True:
            self.code = self._generate(rng)
            self.value = self._run(self.code)[0]
            if self.value > 200:
                break
        self.turns_left = self.max_turns
        return (
            "A stack machine reads words from left to right. A number is pushed. dup copies the top, over copies the second "
            "from the top onto the top, swap exchanges the two topmost. add, sub, mul take b from the top, then a, and push "
            "a+b, a-b or a*b modulo 9973 (never negative).\nProgram: " + " ".join(map(str, self.code)) +
            f"\nOne number remains. Answer \\boxed{{number}}; {self.max_turns} tries."
        ), {}

    def step(self, action):
        self.turns_left -= 1
        right = action.strip() == "\\boxed{%d}" % self.value
        if right:
            return "Halted with your number.", 1, True, {}
        if self.turns_left <= 0:
            return "Out of tries.", 0, True, {"timeout": True}
        return "The machine ends with another number.", 0, False, {}

    def solution(self):
        return f"\\boxed{{{self.value}}}"
