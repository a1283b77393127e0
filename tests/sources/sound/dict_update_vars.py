"""self.__dict__.update and vars(self)."""
import random
import re


class Settings:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)

    def total(self):
        return sum(v for k, v in vars(self).items() if not k.startswith("_"))


class RecipeEnv:
    def __init__(self, **kwargs):
        self.max_turns = 4
        self.__dict__.update({k: v for k, v in kwargs.items() if k == "max_turns"})
        self.reset()

    def reset(self, seed=None):
        rng = random.Random(seed)
        recipe = Settings(flour=rng.randint(100, 600), sugar=rng.randint(20, 200), butter=rng.randint(30, 250))
        people, guests = rng.randint(2, 6), rng.randint(7, 30)
        self.__dict__.update(answer=recipe.total() * people * guests, turn=0)
        text = ", ".join(f"{value} g {key}" for key, value in sorted(vars(recipe).items()))
        return (
            f"A cake for one guest takes {text}. Each of {guests} guests brings {people - 1} friends, who eat as much. "
            "How many grams of ingredients are needed for all of them? \\boxed{number}"
        ), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,9})\s*(?:g)?\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        return ("ok" if ok else "no"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
