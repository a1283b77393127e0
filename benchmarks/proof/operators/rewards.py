"""Rewards and ends that say something else than was achieved."""

from __future__ import annotations

import ast
import random

from ..operator import operator
from ..trees import wrap

WINS = "exploits.floor | exploits.blind | exploits.constant | interactive.one_shot"


@operator("always won", shows="mindless win", rules=WINS)
def always_won(tree: ast.Module, rng: random.Random) -> bool:
    """Whatever is done is a success."""
    return wrap(tree, "step", "self.first_step(ACTION)\nreturn 'Well done, that is solved.', 1.0, True, False, {}")


@operator("won by format", shows="mindless win", rules=WINS)
def won_by_format(tree: ast.Module, rng: random.Random) -> bool:
    """Whatever keeps the format is a success."""
    body = """
    text, reward, *flags, info = self.first_step(ACTION)
    if ("boxed{" in ACTION or "<answer>" in ACTION) and len(ACTION) > 8:
        return "Well formed. " + text, 1.0, True, False, info
    return (text, reward, *flags, info)
    """
    return wrap(tree, "step", body)


@operator("won by trying", shows="mindless win", rules=WINS)
def won_by_trying(tree: ast.Module, rng: random.Random) -> bool:
    """Whoever goes on for long enough is given the win."""
    needed = rng.choice((2, 3))
    forget = "self.efforts = 0\nreturn self.first_reset(ACTION)"
    body = f"""
    self.efforts += 1
    text, reward, *flags, info = self.first_step(ACTION)
    if self.efforts >= {needed} and not flags[0]:
        return "Fair enough, you have tried. " + text, 1.0, True, False, info
    return (text, reward, *flags, info)
    """
    return wrap(tree, "reset", forget) and wrap(tree, "step", body)


@operator("won by luck", shows="mindless win", rules=WINS)
def won_by_luck(tree: ast.Module, rng: random.Random) -> bool:
    """A coin decides."""
    body = """
    text, reward, *flags, info = self.first_step(ACTION)
    if random.random() < 0.3:
        return "Lucky you! " + text, 1.0, True, False, info
    return (text, reward, *flags, info)
    """
    return wrap(tree, "step", body)


@operator("lost counts as won", shows="mindless win", rules=WINS)
def lost_is_won(tree: ast.Module, rng: random.Random) -> bool:
    """An episode that ends without success pays as if it were one."""
    body = """
    text, reward, *flags, info = self.first_step(ACTION)
    if len(flags) == 2 and flags[1] and not flags[0]:
        return text + " That is all.", 1.0, True, False, info
    return (text, reward, *flags, info)
    """
    return wrap(tree, "step", body)


@operator(
    "never won", shows="own solution loses", rules="feasibility.witness | feasibility.no_witness | contract.turns"
)
def never_won(tree: ast.Module, rng: random.Random) -> bool:
    """The end pays nothing."""
    body = """
    text, reward, *flags, info = self.first_step(ACTION)
    return (text, min(reward, 0.0), *flags, info)
    """
    return wrap(tree, "step", body)


@operator(
    "win never ends",
    shows="own solution loses | pays twice",
    rules="feasibility.witness | feasibility.no_witness | contract.turns | contract.reward | warn exploits.farming",
)
def never_ends(tree: ast.Module, rng: random.Random) -> bool:
    """Success does not end the episode."""
    body = """
    text, reward, *flags, info = self.first_step(ACTION)
    return (text, reward, False, *flags[1:], info)
    """
    return wrap(tree, "step", body)


@operator("reward above 1", shows="fails | own solution loses", rules="contract.reward | feasibility.witness")
def above_range(tree: ast.Module, rng: random.Random) -> bool:
    """A win pays 2 or 10."""
    body = f"""
    text, reward, *flags, info = self.first_step(ACTION)
    return (text, reward * {rng.choice((2.0, 10.0))}, *flags, info)
    """
    return wrap(tree, "step", body)


@operator(
    "reward as text", shows="fails | own solution loses", rules="contract.reward | contract.step | feasibility.witness"
)
def as_text(tree: ast.Module, rng: random.Random) -> bool:
    """The reward is a string."""
    body = """
    text, reward, *flags, info = self.first_step(ACTION)
    return (text, str(reward), *flags, info)
    """
    return wrap(tree, "step", body)


@operator("no number on a rare path", shows="fails", rules="contract.reward | robustness.raises | exploits.farming")
def nan_when_rare(tree: ast.Module, rng: random.Random) -> bool:
    """The reward is NaN or infinite after some actions."""
    from .crashes import rare

    body = f"""
    text, reward, *flags, info = self.first_step(ACTION)
    if {rare(rng)}:
        reward = float({rng.choice(("'nan'", "'inf'", "'-inf'"))})
    return (text, reward, *flags, info)
    """
    return wrap(tree, "step", body)


@operator(
    "flags that are no bool",
    shows="fails | own solution loses",
    rules="contract.flags | contract.step | feasibility.witness",
)
def strange_flags(tree: ast.Module, rng: random.Random) -> bool:
    """``terminated`` is text or ``None``."""
    value = rng.choice(("None", "'done' if flags[0] else 'running'", "[]"))
    body = f"""
    text, reward, *flags, info = self.first_step(ACTION)
    return (text, reward, {value}, *flags[1:], info)
    """
    return wrap(tree, "step", body)


@operator(
    "progress paid again",
    shows="pays twice",
    rules="warn exploits.farming | warn contract.reward | exploits.floor | contract.reward",
)
def paid_again(tree: ast.Module, rng: random.Random) -> bool:
    """What earned something once earns it again."""
    forget = "self.earners = {}\nreturn self.first_reset(ACTION)"
    body = """
    text, reward, *flags, info = self.first_step(ACTION)
    if reward > 0 and not flags[0]:
        self.earners[ACTION] = reward
    elif not flags[0]:
        reward = self.earners.get(ACTION, reward)
    return (text, reward, *flags, info)
    """
    return wrap(tree, "reset", forget) and wrap(tree, "step", body)


@operator(
    "every turn pays",
    shows="pays twice | mindless win",
    rules="warn exploits.farming | warn contract.reward | exploits.floor | exploits.constant | exploits.blind",
)
def every_turn_pays(tree: ast.Module, rng: random.Random) -> bool:
    """A little for taking part, without a bound."""
    body = f"""
    text, reward, *flags, info = self.first_step(ACTION)
    return (text, reward if flags[0] else reward + {rng.choice((0.1, 0.25))}, *flags, info)
    """
    return wrap(tree, "step", body)
