from fractions import Fraction
import random
import re


class UrnEnv:
    """Probability as an exact fraction; any equal fraction or a decimal to six places is accepted."""

    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        self.turns_used = 0
        self.red, self.blue, self.green = rng.randint(4, 11), rng.randint(4, 11), rng.randint(4, 11)
        self.kind = rng.choice(["none", "same", "one"])
        n = self.red + self.blue + self.green
        total = n * (n - 1) * (n - 2)
        if self.kind == "none":
            rest = n - self.red
            self.answer = Fraction(rest * (rest - 1) * (rest - 2), total)
            question = "that no marble drawn is red"
        elif self.kind == "same":
            self.answer = sum(Fraction(c * (c - 1) * (c - 2), total) for c in (self.red, self.blue, self.green))
            question = "that all three marbles have one colour"
        else:
            self.answer = Fraction(6 * self.red * self.blue * self.green, total)
            question = "that the three marbles have three different colours"
        obs = (
            f"An urn holds {self.red} red, {self.blue} blue and {self.green} green marbles. Three are drawn without putting any back.\n"
            f"What is the probability {question}? Give an exact fraction such as \\boxed{{3/20}}; three tries."
        )
        return obs, {}

    def _value(self, text):
        text = text.replace("\\dfrac", "\\frac").replace(" ", "").strip("$")
        m = re.fullmatch(r"\\frac\{([0-9]{1,12})\}\{([0-9]{1,12})\}", text) or re.fullmatch(r"([0-9]{1,12})/([0-9]{1,12})", text)
        try:
            if m:
                return Fraction(int(m.group(1)), int(m.group(2)))
            if re.fullmatch(r"0?\.[0-9]{6,20}", text):
                return Fraction(text)
        except ZeroDivisionError:
            return None
        return None

    def step(self, action):
        self.turns_used += 1
        over = self.turns_used >= self.max_turns
        inner = action[len("\\boxed{"):-1] if action.startswith("\\boxed{") and action.endswith("}") else ""
        value = self._value(inner)
        if value is None:
            return "A fraction in a box, please: \\boxed{3/20}.", 0.0, False, over, {}
        if abs(value - self.answer) <= Fraction(1, 10**6):
            return "Yes, that is the probability.", 1.0, True, False, {}
        if value > 1:
            return "No probability is above one.", 0.0, False, over, {}
        return f"{value} (in lowest terms) is not it.", 0.0, False, over, {}

    def solution(self):
        return [f"\\boxed{{{self.answer.numerator}/{self.answer.denominator}}}"]

    def hint(self):
        return "Count ordered draws: the number of good ones over n times n minus one times n minus two. Keep it as a fraction."
