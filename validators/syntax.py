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

    What Python cannot read gives no episode to train on. A reply cut off by a token limit is the usual reason.

    The text alone is looked at, and parsed inside the box first, since a hostile one can exhaust the parser itself.
    Errors are: text that does not parse or compile, over 128 KiB, over 120 levels of nesting in the syntax tree, null
    bytes, lone surrogates, and a parser that runs out of time or memory. There is no warning, and no other rule runs
    after it.

    Write the file to its end, as UTF-8. Split deep expressions into steps, and compute large tables instead of writing
    them out.

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

    What is trained on must not be a guess: with two candidates, training may play the one that nobody has checked.

    The text is read, nothing is run. A candidate defines or inherits ``reset`` and ``step`` (or ``reset`` alone, below
    ``ToolUseBaseEnv``). The most derived ones are meant; of several, those whose name ends in ``Env``; of still
    several, those with a ``solution``. None left, or more than one, is an error. Helper and base classes are welcome.

    Define one class with both methods. If two are equally good, say which by naming one of them ``...Env``, or turn the
    other into a helper without ``step``.

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

    A placeholder looks like an environment, but raises or pays for nothing: training on it is wasted.

    The text of the environment class and its bases is read, nothing is run. ``reset``, ``step``, ``solution`` and every
    ``tool_*`` must do something: ``pass``, ``...``, a docstring or ``raise NotImplementedError`` alone are errors. The
    most derived definition counts, so abstract bases may have them where a subclass fills them in. The first TODO,
    FIXME or XXX behind a ``#`` is a warning.

    Write the body, or remove the method and whatever offers it. Do what the comment asks for, or delete it.

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
