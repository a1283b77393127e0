"""Templates of several kinds: str.format with attributes and indices, format_map, string.Template, percent."""
import random
import re
import string

STORY = "{who.name} buys {items[0]} pens at {price:>3d} cents and {items[1]} pads at {other:03d} cents."
TASK = string.Template("How many cents does $name pay after a discount of $percent percent of the pens' price?")


class Person:
    def __init__(self, name):
        self.name = name


class Missing(dict):
    def __missing__(self, key):
        return "[" + key + "]"


class ReceiptEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        who = Person(rng.choice(["Ines", "Jan", "Kofi", "Lena"]))
        pens, pads = rng.randint(3, 40), rng.randint(2, 19)
        price, other = 20 * rng.randint(2, 9), rng.randint(90, 240)
        percent = rng.choice([10, 15, 20, 25, 35])
        self.answer = pens * price * (100 - percent) // 100 + pads * other
        self.turn = 0
        parts = [
            STORY.format(who=who, items=[pens, pads], price=price, other=other),
            TASK.substitute(name=who.name, percent=percent),
            "{answer_format} %s".format_map(Missing(answer_format="Answer with")) % "\\boxed{cents}.",
        ]
        return "\n".join(parts), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{([0-9]{1,8})\}", action)
        if m and int(m.group(1)) == self.answer:
            return "{} is {!r}".format(m.group(1), "right"), 1.0, True, False, {}
        return "{0} left, {left}".format("Turns", left=self.max_turns - self.turn), 0.0, False, self.turn >= self.max_turns, {}

    def solution(self):
        return ["\\boxed{{{0}}}".format(self.answer)]
