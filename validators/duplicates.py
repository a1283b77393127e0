"""Is it there already?"""

from __future__ import annotations

from collections.abc import Iterator

from spade_envs.rules import Complaint, rule
from spade_envs.types import Neighbour, RuleContext, Severity


@rule("duplicates.exact", "static", Severity.ERROR)
def exact(ctx: RuleContext) -> Iterator[Complaint]:
    """No environment with the same code is on the shelf.

    An environment that is there twice is trained on twice as often as meant, and copying one must not pay.

    Syntax trees are compared, without comments, docstrings, annotations and layout; other names make other code. Asked
    when a source is admitted, against the shelf that it goes to (and every shelf on the search path when that is the
    user's own); ``check`` compares with nothing. The same code is an error. The same text again is no finding, it keeps
    its id.

    Change what the environment does, or use the one that the finding names.

    Accepted::

        def close(self):
            return None

    Refused::

        class AddEnv:
            '''Sums.'''
            def reset(self, seed=None):
                rng = random.Random(seed)
                self.a, self.b = rng.randint(1000, 9999), rng.randint(1000, 9999)
                self.tries = 0
                return f"What is {self.a} + {self.b}? Answer as \\\\boxed{{N}}; three tries.", {}
            def step(self, action):
                self.tries += 1  # one more
                won = action == f"\\\\boxed{{{self.a + self.b}}}"
                return "Right." if won else "Wrong.", float(won), won, not won and self.tries >= 3, {}
            def solution(self):
                return [f"\\\\boxed{{{self.a + self.b}}}"]
    """
    for neighbour in ctx.neighbours():
        if neighbour.similarity >= 1.0:
            yield Complaint(f"The same code is there already: {neighbour.name}. Change what it does, or use that.")
            return


@rule("duplicates.near", "static", Severity.WARNING)
def near(ctx: RuleContext) -> Iterator[Complaint]:
    """No admitted environment has nearly the same code.

    Another theme over the same code, or the same code with other names and numbers, teaches little that is new; a
    designer that is paid for each environment learns to write the same one again.

    Asked when a source is admitted or generated, against what the memory knows as admitted; ``check`` compares with
    nothing. What a source repairs or descends from does not count. Tokens are compared, without comments and layout;
    all names, texts and numbers of the author's are alike. From a similarity of 80 per cent on it is a warning, and
    under the limits of self-play an error.

    Change what the environment does, not only what it is about.

    Accepted::

        def close(self):
            return None

    Refused::

        class SubtractEnv:
            def reset(self, seed=None):
                source = random.Random(seed)
                self.apples, self.eaten = source.randint(5000, 9999), source.randint(100, 4999)
                self.turn = 0
                return f"Of {self.apples} apples {self.eaten} are eaten. Left: \\\\boxed{{N}}; four tries.", {}
            def step(self, action):
                self.turn += 1
                right = action == f"\\\\boxed{{{self.apples - self.eaten}}}"
                return "Yes." if right else "No.", float(right), right, not right and self.turn >= 4, {}
            def solution(self):
                return [f"\\\\boxed{{{self.apples - self.eaten}}}"]
    """
    alike = [one for one in ctx.neighbours() if ctx.limits.near_similarity <= one.similarity < 1.0]
    if alike:
        more = f" and {len(alike) - 3} more" if len(alike) > 3 else ""
        named = ", ".join(_named(one) for one in alike[:3])
        message = f"Nearly the same code is there already: {named}{more}. Change what it does, not what it is about."
        yield Complaint(message, severity=None if ctx.limits.near_may_pass else Severity.ERROR)


def _named(neighbour: Neighbour) -> str:
    """Its name and hash, and how similar it is; rounded down, since 100 % is for the same code."""
    name = f"{neighbour.name} ({neighbour.sha256[:12]})" if neighbour.name else neighbour.sha256[:12]
    return f"{name}, {int(neighbour.similarity * 100 + 1e-9)} %"
