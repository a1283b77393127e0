"""Is it a Python file with one finished environment class in it?"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spade_envs.rules import Complaint, rule
from spade_envs.sandbox.source import ancestors, classes, environments
from spade_envs.types import RuleContext, Severity

_TODO = re.compile(r"\b(?:TODO|FIXME|XXX)\b")


@rule("static.syntax", "static", Severity.ERROR)
def syntax(ctx: RuleContext) -> Iterator[Complaint]:
    """The source parses, and is neither too long nor nested too deeply.

    A reply cut off by a token limit is the usual reason. The text is parsed inside the box first, since a hostile one
    can exhaust the parser itself. At most 128 KiB and 120 levels of nesting; no null bytes.

    Accepted::

        def solution(self):
            return [f"\\\\boxed{{{self.a + self.b}}}"]

    Refused::

        class AddEnv:
            def reset(self, seed=None):
                self.answer = (1 + 2
    """
    for kind, line, message in ctx.problems:
        if kind == "syntax":
            yield Complaint(f"The source {message}.", line)


@rule("static.class", "static", Severity.ERROR)
def one_class(ctx: RuleContext) -> Iterator[Complaint]:
    """Exactly one class is the environment.

    It defines or inherits ``reset`` and ``step``. Of several, the most derived one is meant; of several of those, the
    one whose name ends in ``Env``. Helper and base classes are welcome. If two are equally good, say which by naming
    one of them ``...Env``, or put the other behind it as a helper without ``step``.

    Accepted::

        class World:
            def reset(self, seed=None):
                self.word = str(random.Random(seed).randint(1000, 9999))
                return f"Say {self.word} backwards, in a \\\\boxed{{}}.", {}

            def step(self, action):
                won = action == f"\\\\boxed{{{self.word[::-1]}}}"
                return "ok", float(won), True, False, {}

        class GreetEnv(World):
            def solution(self):
                return [f"\\\\boxed{{{self.word[::-1]}}}"]

    Refused::

        class World:
            def reset(self, seed=None):
                return "Say hi.", {}

        class Agent:
            def step(self, action):
                return "ok", 1.0, True, False, {}
    """
    found = environments(ctx.tree)
    if len(found) == 1:
        return
    if found:
        lines = classes(ctx.tree)
        listed = ", ".join(f"{name} (line {lines[name].line})" for name in found)
        yield Complaint(f"Several classes could be the environment: {listed}. Name one of them ...Env.")
    else:
        yield Complaint("No class has both reset() and step(). Define one class with these two methods.")


@rule("static.stub", "static", Severity.ERROR)
def stub(ctx: RuleContext) -> Iterator[Complaint]:
    """No method that matters is a placeholder.

    ``reset``, ``step``, ``solution`` and every ``tool_*`` of the environment class must do something: ``pass``, ``...``
    or ``raise NotImplementedError`` alone do not. Abstract bases may have them where a subclass fills them in.
    A TODO comment is a warning.

    Accepted::

        def close(self):
            pass

    Refused::

        def solution(self):
            raise NotImplementedError
    """
    known = {node.name: node for node in ast.walk(ctx.tree) if isinstance(node, ast.ClassDef)}
    seen: set[str] = set()
    for name in environments(ctx.tree)[:1]:
        for base in ancestors(name, classes(ctx.tree)):
            for node in known[base].body if base in known else []:
                if isinstance(node, ast.FunctionDef) and node.name not in seen:
                    seen.add(node.name)
                    if _matters(node.name) and _is_stub(node.body):
                        yield Complaint(f"{node.name}() is a placeholder; write its body.", node.lineno)
    for number, text in enumerate(ctx.source.text.splitlines(), 1):
        comment = text.find("#")
        if comment >= 0 and _TODO.search(text, comment):
            yield Complaint("A TODO is left; finish it or remove the comment.", number, severity=Severity.WARNING)
            return


def _matters(name: str) -> bool:
    return name in ("reset", "step", "solution") or name.startswith("tool_")


def _is_stub(body: list[ast.stmt]) -> bool:
    rest = [node for node in body if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))]
    if not rest:
        return True
    if len(rest) > 1:
        return False
    if isinstance(rest[0], ast.Raise) and rest[0].exc is not None:
        return "NotImplementedError" in ast.unparse(rest[0].exc)
    return isinstance(rest[0], ast.Pass)
