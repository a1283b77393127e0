"""Does the hint help without telling? A hint that tells earns its designer full regret for nothing."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Iterator, Sequence

from spade_envs.answer_texts import answer_of, as_action, holds, tokens
from spade_envs.evidence import association
from spade_envs.rules import Complaint, rule
from spade_envs.schema_calls import calls_of
from spade_envs.types import Repro, RuleContext, Severity

from .leaks import told

_PIECE = re.compile(r"[\w.:#/@-]{3,}")
_ANYWAY = frozenset({"answer", "boxed", "done", "tool_call", "name", "arguments", "true", "false", "none", "null"})
"""Words that every hint may use: they name formats."""
MOST_SECRETS = 12


@rule("leak.hint", "property", Severity.ERROR, core=False)
def hint(ctx: RuleContext) -> Iterator[Complaint]:
    """The hint gives the approach, not the answer.

    Regret is the outcome with the hint minus the outcome without it: a hint that tells a password makes a worthless
    environment look like the best one.

    Hints of up to 12 seeds are read. Errors are: the answer, by the test of ``leak.observation``; a value that the
    witness uses or the state holds and that the first observation and the schemas do not show, on most seeds and not by
    chance; in a hint that is the same for all seeds, such a value that nothing shows before the end; and a text of the
    source that no first observation shows and that, submitted alone, wins on two of three seeds.

    Say how to think, and in which format to answer, without using what ``reset`` drew.

    Accepted::

        def hint(self):
            return "Add the ones first and carry. Answer with the number alone, in a box."

    Refused::

        def hint(self):
            return f"The sum ends up at {self.a + self.b}."
    """
    seeds = [seed for seed in ctx.seeds[:12] if ctx.witness(seed)]
    hints = {seed: text for seed in seeds if isinstance(text := ctx.hint(seed), str) and text}
    if not hints:
        return
    answers = {seed: answer for seed, answer in ctx.experience.answers.items() if seed in hints}
    seed = told(ctx, hints, answers)
    if seed is not None:
        yield _complaint(seed, answers[seed])
        return
    # What every seed's hint says alike is no instance's value; then only a password can be told.
    for value_of in (_used, _held) if len(set(hints.values())) > 1 else (_secret,):
        found = _unshown(ctx, hints, value_of)
        if found is not None:
            yield _complaint(*found)
            return
    yield from _password(ctx, hints)


def _complaint(seed: int, value: str) -> Complaint:
    return Complaint(f"The hint tells {value!r} on seed {seed}. Describe the approach instead.", repro=Repro(seed))


def _used(ctx: RuleContext, seed: int) -> set[str]:
    """What the witness uses and the first observation does not show."""
    return {value for value in _arguments(ctx, seed) if not _in(value, _first(ctx, seed))}


def _secret(ctx: RuleContext, seed: int) -> set[str]:
    """What the witness uses and nothing shows before the end."""
    turns = ctx.play(seed, ctx.witness(seed)).turns[:-1]
    later = "\n".join(turn.observation for turn in turns)
    return {value for value in _used(ctx, seed) if not _in(value, later)}


def _held(ctx: RuleContext, seed: int) -> set[str]:
    """Texts and numbers of the hidden state that hold a digit and that the first observation does not show."""
    looks = ctx.looks(seed, ())
    scalars = looks[0][0].scalars if looks else ()
    first = _first(ctx, seed)
    return {value for value in scalars if len(value) >= 3 and re.search(r"\d", value) and not _in(value, first)}


def _arguments(ctx: RuleContext, seed: int) -> set[str]:
    """Arguments of the witness's actions of 3 characters or more: whole, and pieces of them that hold a digit."""
    found: set[str] = set()
    for action in ctx.witness(seed):
        calls = calls_of(action)
        if calls:
            values = [str(value) for call in calls for value in call["arguments"].values()]
        else:
            said = answer_of(action) or ""
            values = [said, said.partition(" ")[2]]
        found |= {value.lower() for value in values}
        found |= {piece for value in values for piece in _pieces(value) if re.search(r"\d", piece)}
    return {value for value in found if len(value) >= 3 and value not in _ANYWAY}


def _first(ctx: RuleContext, seed: int) -> str:
    return ctx.play(seed, ctx.witness(seed)).observation + json.dumps(list(ctx.schemas(seed)), ensure_ascii=False)


def _in(value: str, text: str) -> bool:
    return holds(tokens(text), tokens(value)) or value in text.lower()


def _pieces(text: str) -> list[str]:
    return [piece.strip(".:-/").lower() for piece in _PIECE.findall(text) if piece.lower() not in _ANYWAY]


def _unshown(
    ctx: RuleContext, hints: dict[int, str], values: Callable[[RuleContext, int], set[str]]
) -> tuple[int, str] | None:
    """Seed and value where most hints tell a value of their own episode, and not by chance."""
    said = {seed: tokens(text) for seed, text in hints.items()}
    own: dict[int, set[str]] = {}
    for seed in list(hints)[:12]:
        if ctx.budget.left() <= 0:
            return None
        own[seed] = values(ctx, seed)
    seeds = list(own)
    # A word may stand in a hint by chance: unless it is a password, only what changes with the seed is told.
    every = set() if values is _secret else set.intersection(*own.values())

    def tells(i: int, j: int) -> bool:
        return any(holds(said[seeds[i]], tokens(value)) for value in own[seeds[j]] - every)

    telling = [number for number in range(len(seeds)) if tells(number, number)]
    if len(telling) * 2 <= len(seeds):
        return None
    if values is not _secret and association(len(seeds), tells) <= ctx.limits.leak_rate:
        return None
    seed = seeds[telling[0]]
    return seed, min(value for value in own[seed] - every if holds(said[seed], tokens(value)))


def _password(ctx: RuleContext, hints: dict[int, str]) -> Iterator[Complaint]:
    """Texts of the source that the hint repeats, no observation shows, and that win when submitted."""
    shown = "\n".join(_first(ctx, seed) for seed in list(hints)[:4])
    every = " ".join(dict.fromkeys(list(hints.values())[:4]))
    said = tokens(every)
    constants = {
        node.value for node in ast.walk(ctx.tree) if isinstance(node, ast.Constant) and type(node.value) is str
    }
    secrets = [
        text
        for text in sorted(constants)
        if 3 <= len(text) <= 60 and holds(said, tokens(text)) and not _in(text, shown)
    ]
    for secret in secrets[:MOST_SECRETS]:
        actions: Sequence[str] = [as_action(secret, ctx.contract)]
        wins = [seed for seed in list(hints)[:3] if ctx.play(seed, actions).success]
        if len(wins) >= 2:
            message = f"The hint tells {secret!r}, which wins although no observation shows it: a password."
            yield Complaint(message, repro=Repro(wins[0], tuple(actions)))
            return
