"""Is it there already?"""

from __future__ import annotations

from collections.abc import Iterator

from spade_envs.rules import Complaint, rule
from spade_envs.types import RuleContext, Severity


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
