"""Bare except, except BaseException, try/finally, try/else, raise from."""
import random
import re


class BadInput(ValueError):
    pass


class ScalesEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.log = []
        try:
            self.reset()
        except:
            self.turn = 0
            raise

    def reset(self, seed=None):
        rng = random.Random(seed)
        weights = [rng.randint(2, 50) for _ in range(3)]
        a, b, c = weights
        self.answer = a * 10000 + b * 100 + c
        self.turn = 0
        return (
            f"Three parcels a, b, c (whole kg below 51): a + b = {a + b}, b + c = {b + c}, a + 2 c = {a + 2 * c}. "
            "Give 10000 a + 100 b + c as \\boxed{number}."
        ), {}

    def _parse(self, action):
        try:
            text = re.search(r"\\boxed\{([^{}]*)\}", action).group(1)
            if len(text) > 20:
                raise BadInput("too long")
            value = int(text)
        except AttributeError as error:
            raise BadInput("no box") from error
        except ValueError:
            raise BadInput("no number") from None
        else:
            return value
        finally:
            self.log.append(len(action))

    def step(self, action):
        self.turn += 1
        try:
            value = self._parse(action)
        except BadInput as error:
            return f"Unreadable: {error}.", 0.0, False, self.turn >= self.max_turns, {}
        except BaseException:
            return "Something went wrong.", 0.0, False, self.turn >= self.max_turns, {}
        try:
            assert value == self.answer
        except:
            return "Wrong.", 0.0, False, self.turn >= self.max_turns, {}
        return "Right.", 1.0, True, False, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
