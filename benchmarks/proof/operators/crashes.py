"""What breaks, hangs or leaves the contract, mostly on a path that is seldom taken."""

from __future__ import annotations

import ast
import random

from ..operator import operator
from ..trees import wrap

_RARE = (
    "len(ACTION) > 160",
    "'-' in ACTION and any(c.isdigit() for c in ACTION)",
    "ACTION.count(',') >= 3",
    "not ACTION.replace('\\\\boxed{', '').strip('} ')",
    "any(ord(c) > 126 for c in ACTION)",
    "'0' in ACTION and len(ACTION) < 12",
    "ACTION.count(' ') > 5",
    "'zzz' in ACTION",
)
"""Conditions on an action that an ordinary player seldom meets, and a careless one does."""


def rare(rng: random.Random) -> str:
    """One of these conditions, as an expression of ``ACTION``."""
    return rng.choice(_RARE)


def _when_rare(tree: ast.Module, rng: random.Random, deed: str) -> bool:
    return wrap(tree, "step", f"if {rare(rng)}:\n    {deed}\nreturn self.first_step(ACTION)")


FAILS = "fails | own solution loses"


@operator("raises on a rare action", shows=FAILS, rules="robustness.raises | feasibility.witness")
def raises_when_rare(tree: ast.Module, rng: random.Random) -> bool:
    """An action that was not thought of raises."""
    error = rng.choice(("KeyError(ACTION)", "IndexError('list index out of range')", "ValueError('bad action')"))
    return _when_rare(tree, rng, f"raise {error}")


@operator("hangs on a rare action", shows=FAILS, rules="robustness.hangs | feasibility.witness")
def hangs_when_rare(tree: ast.Module, rng: random.Random) -> bool:
    """An action that was not thought of is worked on for ever."""
    return _when_rare(tree, rng, "\n    ".join(("n = 1", "while n > 0:", "    n += 1")))


@operator("raises when repeated", shows=FAILS, rules="robustness.raises | feasibility.witness")
def raises_when_repeated(tree: ast.Module, rng: random.Random) -> bool:
    """The same action twice in a row raises."""
    forget = "self.before = None\nreturn self.first_reset(ACTION)"
    body = """
    if ACTION == self.before:
        raise KeyError(ACTION)
    self.before = ACTION
    return self.first_step(ACTION)
    """
    return wrap(tree, "reset", forget) and wrap(tree, "step", body)


@operator("raises late", shows=FAILS, rules="robustness.raises | feasibility.witness")
def raises_late(tree: ast.Module, rng: random.Random) -> bool:
    """The third turn that does not win raises."""
    forget = "self.misses = 0\nreturn self.first_reset(ACTION)"
    body = """
    outcome = self.first_step(ACTION)
    self.misses += outcome[1] <= 0
    return [outcome][self.misses // 3] if self.misses == 3 else outcome
    """
    return wrap(tree, "reset", forget) and wrap(tree, "step", body)


@operator(
    "memory grows",
    shows=FAILS,
    rules="robustness.raises | robustness.hangs | load.memory | feasibility.witness | exploits.floor",
)
def memory_grows(tree: ast.Module, rng: random.Random) -> bool:
    """Every turn keeps twice as much as the one before."""
    forget = "self.kept = [0] * 1000000\nreturn self.first_reset(ACTION)"
    body = "self.kept = self.kept * 4\nreturn self.first_step(ACTION)"
    return wrap(tree, "reset", forget) and wrap(tree, "step", body)


@operator("no text on a rare path", shows=FAILS, rules="contract.observation | contract.step | robustness.raises")
def no_text_when_rare(tree: ast.Module, rng: random.Random) -> bool:
    """The observation is ``None``, a number or a list."""
    return _when_rare(tree, rng, f"return {rng.choice(('None', '0', '[]'))}, 0.0, False, False, {{}}")


@operator(
    "short tuple on a rare path",
    shows=FAILS,
    rules="contract.step | contract.flags | contract.reward | robustness.raises",
)
def short_tuple_when_rare(tree: ast.Module, rng: random.Random) -> bool:
    """A return statement has fewer values than the others."""
    value = rng.choice(("'Invalid action.'", "('Invalid action.', 0.0)", "('Invalid action.', 0.0, False)", "None"))
    return _when_rare(tree, rng, f"return {value}")


@operator("endless text on a rare path", shows=FAILS, rules="contract.observation | contract.step | robustness.raises")
def long_text_when_rare(tree: ast.Module, rng: random.Random) -> bool:
    """An observation of some hundred thousand letters."""
    return _when_rare(tree, rng, "return 'invalid action, ' * 20000, 0.0, False, False, {}")


@operator("info that is no dict", shows=FAILS, rules="contract.info | contract.step")
def strange_info(tree: ast.Module, rng: random.Random) -> bool:
    """Info is a list or ``None``."""
    body = f"""
    text, reward, *flags, info = self.first_step(ACTION)
    return (text, reward, *flags, {rng.choice(("None", "[]", "'ok'"))})
    """
    return wrap(tree, "step", body)


@operator("chat tokens in the text", shows="chat tokens", rules="contract.observation")
def chat_tokens(tree: ast.Module, rng: random.Random) -> bool:
    """An observation that would end the turn of a chat model."""
    body = """
    text, reward, *flags, info = self.first_step(ACTION)
    return (text + "<|im_end|>\\n<|im_start|>assistant", reward, *flags, info)
    """
    return wrap(tree, "step", body)


@operator("empty first text", shows="empty first text", rules="contract.observation | contract.reset")
def empty_first(tree: ast.Module, rng: random.Random) -> bool:
    """The first observation is empty."""
    return wrap(tree, "reset", "self.first_reset(ACTION)\nreturn '', {}")


@operator(
    "reset raises on some seeds",
    shows="own solution loses",
    rules="load.error | feasibility.witness | robustness.raises | contract.reset | determinism.replay",
)
def reset_raises(tree: ast.Module, rng: random.Random) -> bool:
    """Some seeds cannot be set up."""
    every = rng.choice((5, 7, 11))
    body = f"""
    if (ACTION or 0) % {every} == {rng.randrange(every)}:
        raise ValueError('empty range for randrange()')
    return self.first_reset(ACTION)
    """
    return wrap(tree, "reset", body)


@operator("raises after the end", shows=FAILS, rules="robustness.raises | determinism.replay | load.error")
def reset_once(tree: ast.Module, rng: random.Random) -> bool:
    """A second reset of one instance, after an episode was won, raises."""
    forget = """
    if getattr(self, "won_before", False):
        raise RuntimeError("already solved")
    return self.first_reset(ACTION)
    """
    body = """
    text, reward, *flags, info = self.first_step(ACTION)
    self.won_before = bool(flags[0])
    return (text, reward, *flags, info)
    """
    return wrap(tree, "reset", forget) and wrap(tree, "step", body)
