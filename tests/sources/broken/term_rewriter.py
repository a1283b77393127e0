# expect: refuse robustness.raises
# defect: the answer is parsed by recursive descent without a depth limit, so a long run of opening parentheses ends in RecursionError
import random
import re


class TermRewriterEnv:
    """Build an expression from given numbers that hits a target."""

    def __init__(self, max_turns=5):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turn = 0
        while True:
            self.numbers = [rng.randint(2, 25) for _ in range(5)]
            a, b, c, d, e = self.numbers
            shape = rng.choice(["(({0}+{1})*{2}-{3})*{4}", "({0}*{1}-{2})*{3}+{4}", "{0}*({1}+{2}*{3})-{4}", "({0}-{1})*{2}*{3}+{4}"])
            self.expression = shape.format(a, b, c, d, e)
            self.target = self._value(self.expression)
            if 300 < self.target < 30000:
                break
        shown = sorted(self.numbers)
        return (
            f"Use each of the numbers {', '.join(map(str, shown))} exactly once, with +, -, * and parentheses, to make {self.target}.\n"
            f"Answer with the expression: \\boxed{{expression}}. {self.max_turns} tries."
        ), {}

    # grammar: sum := product (('+'|'-') product)* ; product := atom ('*' atom)* ; atom := number | '(' sum ')'
    def _value(self, text):
        self.tokens = re.findall(r"[0-9]+|[-+*()]", text)
        value = self._sum()
        if self.tokens:
            raise ValueError("left over")
        return value

    def _sum(self):
        value = self._product()
        while self.tokens and self.tokens[0] in "+-":
            value = value + self._product() if self.tokens.pop(0) == "+" else value - self._product()
        return value

    def _product(self):
        value = self._atom()
        while self.tokens and self.tokens[0] == "*":
            self.tokens.pop(0)
            value *= self._atom()
        return value

    def _atom(self):
        if not self.tokens:
            raise ValueError("ended early")
        token = self.tokens.pop(0)
        if token == "(":
            value = self._sum()
            if not self.tokens or self.tokens.pop(0) != ")":
                raise ValueError("unbalanced")
            return value
        if len(token) > 9 or not token.isdigit():
            raise ValueError("no number")
        return int(token)

    def step(self, action):
        self.turn += 1
        late = self.turn >= self.max_turns
        m = re.search(r"\\boxed\{([-+*() 0-9]+)\}", action)
        if m is None:
            return "Only numbers, + - * and parentheses may occur.", 0.0, False, late, {}
        used = sorted(int(n) for n in re.findall(r"[0-9]+", m.group(1)) if len(n) < 10)
        try:
            value = self._value(m.group(1))
        except ValueError as error:
            return f"That cannot be read: {error}.", 0.0, False, late, {}
        if used != sorted(self.numbers):
            return "Use each number exactly once.", 0.0, False, late, {}
        if value == self.target:
            return "Hit!", 1.0, True, False, {}
        return f"That makes {value}.", 0.0, False, late, {}

    def solution(self):
        return [f"\\boxed{{{self.expression}}}"]
