"""State that outlives an episode, seeds that are not used, and what changes from run to run."""

from __future__ import annotations

import ast
import random

from ..operator import operator
from ..trees import blocks, lineage, methods, statements, wrap

REPLAY = "determinism.replay | determinism.worn | feasibility.witness | load.error"
TEXT = "text, info = first if isinstance(first, tuple) else (first, {})\n"


def _retold(tree: ast.Module, extra: str) -> bool:
    """Add something to the first observation."""
    return wrap(tree, "reset", f"first = self.first_reset(ACTION)\n{TEXT}return text + ' ' + {extra}, info")


def _module(tree: ast.Module, text: str) -> None:
    """Put statements before the environment's classes."""
    chain = lineage(tree)
    at = min((tree.body.index(node) for node in chain), default=0)
    tree.body[at:at] = statements(text)


@operator(
    "seed ignored",
    shows="same for every seed | constant wins",
    rules="determinism.seed | exploits.constant | warn determinism.seed",
)
def seed_ignored(tree: ast.Module, rng: random.Random) -> bool:
    """Every episode is the same one."""
    return wrap(tree, "reset", f"return self.first_reset({rng.randrange(1000)})")


@operator(
    "bank of three",
    shows="constant wins | same for every seed",
    rules="exploits.constant | determinism.seed | exploits.floor | warn exploits.constant",
)
def bank_of_three(tree: ast.Module, rng: random.Random) -> bool:
    """There are three instances in all."""
    return wrap(tree, "reset", "return self.first_reset((ACTION or 0) % 3)")


@operator("counter of all episodes", shows="differs", rules=REPLAY)
def global_counter(tree: ast.Module, rng: random.Random) -> bool:
    """A global counts episodes and is shown."""
    _module(tree, "EPISODES = []")
    return wrap(
        tree,
        "reset",
        f"EPISODES.append(1)\nfirst = self.first_reset(ACTION)\n{TEXT}return f'Game {{len(EPISODES)}}. ' + text, info",
    )


@operator("shared generator", shows="differs", rules=REPLAY)
def shared_generator(tree: ast.Module, rng: random.Random) -> bool:
    """A generator made when the module is loaded goes on from episode to episode."""
    _module(tree, "import random\nSHARED = random.Random(11)")
    return _retold(tree, "f'(Lane {SHARED.randint(1, 500)}.)'")


@operator("shared between instances", shows="differs | own solution loses", rules=REPLAY)
def shared_dict(tree: ast.Module, rng: random.Random) -> bool:
    """A class attribute holds what belongs to one episode: the number of turns of all instances together."""
    chain = lineage(tree)
    if not chain:
        return False
    chain[0].body[0:0] = statements("tally = {'turns': 0}") if not ast.get_docstring(chain[0]) else []
    if ast.get_docstring(chain[0]):
        chain[0].body[1:1] = statements("tally = {'turns': 0}")
    forget = "self.tally['turns'] = 0\nreturn self.first_reset(ACTION)"
    body = """
    self.tally["turns"] += 1
    text, reward, *flags, info = self.first_step(ACTION)
    return (f"[turn {self.tally['turns']}] " + text, reward, *flags, info)
    """
    return wrap(tree, "reset", forget) and wrap(tree, "step", body)


@operator("reset forgets to clear", shows="differs | own solution loses", rules=REPLAY)
def not_cleared(tree: ast.Module, rng: random.Random) -> bool:
    """An attribute that turns change is set up only once."""
    found = methods(tree)
    quiet = ("reset", "__init__", "solution", "hint")
    touched = {
        node.attr
        for name, method in found.items()
        if name not in quiet
        for node in ast.walk(method)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    }
    places = [
        (block, at, target.attr)
        for name, method in found.items()
        if name == "reset"
        for block in blocks(method)
        for at, node in enumerate(block)
        if isinstance(node, ast.Assign) and len(node.targets) == 1
        for target in node.targets
        if isinstance(target, ast.Attribute) and target.attr in touched
    ]
    if not places:
        return False
    block, at, name = rng.choice(places)
    kept = statements(f"if not hasattr(self, {name!r}):\n    pass")[0]
    assert isinstance(kept, ast.If)
    kept.body = [block[at]]
    block[at] = kept
    # The constructor's own reset or assignment must not hide it for the first episode only.
    return True


@operator("wears out", shows="own solution loses | differs", rules=REPLAY + " | robustness.raises")
def wears_out(tree: ast.Module, rng: random.Random) -> bool:
    """An instance that was reset several times gives other texts."""
    body = f"""
    self.resets = getattr(self, "resets", 0) + 1
    first = self.first_reset(ACTION)
    {TEXT.strip()}
    return text + (" (Last round!)" if self.resets > {rng.choice((4, 6))} else ""), info
    """
    return wrap(tree, "reset", body)


@operator("remembers the last episode", shows="differs", rules=REPLAY)
def remembers(tree: ast.Module, rng: random.Random) -> bool:
    """What was sent last in one episode is greeted with in the next."""
    body = """
    self.heard = ACTION
    return self.first_step(ACTION)
    """
    return _retold(tree, "getattr(self, 'heard', '')[:40]") and wrap(tree, "step", body)


@operator("order of a set", shows="differs by hash seed", rules="warn determinism.replay")
def set_order(tree: ast.Module, rng: random.Random) -> bool:
    """A set of words is shown in its own order."""
    return _retold(tree, "'Colours: ' + ', '.join({'red', 'blue', 'green', 'ochre', 'teal', 'grey', 'pink'})")


@operator("hash of text", shows="differs by hash seed", rules="warn determinism.replay")
def hash_of_text(tree: ast.Module, rng: random.Random) -> bool:
    """``hash()`` of text is shown."""
    return _retold(tree, "f'(Ticket {hash(text) % 10000}.)'")


@operator("address shown", shows="differs | chat tokens", rules="contract.observation | determinism.replay")
def address_shown(tree: ast.Module, rng: random.Random) -> bool:
    """An object is shown as its default ``repr``."""
    _module(tree, "class Token:\n    pass")
    return _retold(tree, "f'Token: {Token()}'")


@operator("wall clock", shows="differs", rules=REPLAY)
def wall_clock(tree: ast.Module, rng: random.Random) -> bool:
    """The time is shown. In the box time is a function of the seed, so this is sound there."""
    _module(tree, "import time")
    return _retold(tree, "f'Started at {time.time():.3f}.'")


@operator("unseeded generator", shows="differs", rules=REPLAY)
def unseeded(tree: ast.Module, rng: random.Random) -> bool:
    """A generator without a seed. In the box it starts anew at every reset, so this is sound there."""
    _module(tree, "import random")
    return _retold(tree, "f'(Table {random.Random().randint(1, 900)}.)'")


@operator("global random", shows="differs", rules=REPLAY)
def global_random(tree: ast.Module, rng: random.Random) -> bool:
    """The generator of the module ``random``. In the box it starts anew at every reset, so this is sound there."""
    _module(tree, "import random")
    return _retold(tree, "f'(Table {random.randint(1, 900)}.)'")


@operator(
    "task not told",
    shows="same for every seed",
    rules="determinism.seed | feasibility.underivable | contract.observation | exploits.floor",
    contracts="answer",
)
def not_told(tree: ast.Module, rng: random.Random) -> bool:
    """The first observation does not say what is asked."""
    text = rng.choice(("Ready.", "Begin. Answer as \\\\boxed{...}.", "A new problem has been set."))
    return wrap(tree, "reset", f"self.first_reset(ACTION)\nreturn '{text}', {{}}")


@operator(
    "nothing answers", shows="deaf", rules="interactive.static | feasibility.underivable", contracts="interactive"
)
def nothing_answers(tree: ast.Module, rng: random.Random) -> bool:
    """Every turn is answered with the same words."""
    return wrap(
        tree, "step", "text, reward, *flags, info = self.first_step(ACTION)\nreturn ('OK.', reward, *flags, info)"
    )
