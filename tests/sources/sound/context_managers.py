"""contextlib managers, with statements, pprint, html and StringIO in memory."""
import contextlib
import html
import io
import pprint
import random
import re


class Tally:
    def __init__(self):
        self.level = self.total = 0

    @contextlib.contextmanager
    def box(self, weight):
        self.level += 1
        self.total += weight * self.level
        try:
            yield self
        finally:
            self.level -= 1


class NestingEnv:
    def __init__(self, max_turns=4, **kwargs):
        self.max_turns = max_turns
        self.reset()

    def _fill(self, rng, tally, out, depth=0):
        for _ in range(rng.randint(1, 3)):
            weight = rng.randint(2, 19)
            with tally.box(weight):
                out.write(f"{'  ' * depth}<{weight}>\n")
                if depth < 3 and rng.random() < 0.7:
                    self._fill(rng, tally, out, depth + 1)

    def reset(self, seed=None):
        rng, tally = random.Random(seed), Tally()
        with io.StringIO() as out, contextlib.suppress(ZeroDivisionError):
            while tally.total < 60:
                self._fill(rng, tally, out)
            listing = html.unescape(html.escape(out.getvalue()))
            1 / 0
        self.answer, self.turn = tally.total, 0
        note = pprint.pformat({"levels": 4})
        return (
            f"Boxes inside boxes ({note}), indented by level, with their weights:\n{listing}"
            "A box costs its weight times its level; the outermost have level 1. Total cost? \\boxed{number}"
        ), {}

    def step(self, action):
        self.turn += 1
        m = re.search(r"\\boxed\{\s*([0-9]{1,6})\s*\}", action)
        ok = bool(m) and int(m.group(1)) == self.answer
        return ("Correct" if ok else "Wrong"), float(ok), ok, not ok and self.turn >= self.max_turns, {}

    def solution(self):
        return [f"\\boxed{{{self.answer}}}"]
