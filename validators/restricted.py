"""Does it stay within the language an environment may be written in?"""

from __future__ import annotations

from collections.abc import Iterator

from spade_envs.rules import Complaint, rule
from spade_envs.types import RuleContext, Severity


@rule("static.restricted", "static", Severity.ERROR)
def restricted(ctx: RuleContext) -> Iterator[Complaint]:
    """Nothing reaches for the interpreter: no frames, code objects, class internals, ``exec`` or files.

    A source that reaches the interpreter can change its own grades or what trains on it; its rewards mean nothing then.

    The syntax tree is compared with fixed lists before anything is run, and every place found is an error. Names are
    refused exactly, never by prefix: ``self.f_score``, ``evaluate`` and ``co_authors`` are ordinary names.
    ``type(x).__name__``, ``super().__init__``, ``self.__dict__``, ``getattr``, ``eval`` of arithmetic, ABCMeta,
    operators and the usual dunder methods are fine. ``async`` code and ``except*`` are not: an environment answers at
    once.

    Write the wanted thing directly: a variable by its name, code instead of ``exec``, data in the source instead of
    ``open``. What the box refuses, no environment needs.

    Accepted::

        def close(self):
            self.__dict__.update(name=type(self).__name__)

    Refused::

        def close(self):
            self.world = ().__class__.__base__.__subclasses__()
    """
    for kind, line, message in ctx.problems:
        if kind == "restricted":
            yield Complaint(f"{message[:1].upper()}{message[1:]}.", line)
