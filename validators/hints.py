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
    environment look like the best one. Refused are the answer in the hint, by the same test as in observations; a
    value that the witness uses and no text shows beforehand; and a text of the source that wins when it is submitted,
    although no observation shows it. Say how to think, and in which format to answer.

    Accepted::

        def hint(self):
            return "Add the ones first and carry. Answer with the number alone, in a box."

    Refused::

        def hint(self):
            return f"The sum ends up at {self.a + self.b}."
    """
    seeds = [seed for seed in ctx.seeds if ctx.witness(seed)]
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
    """Pieces of the witness's arguments that the first observation does not show."""
    return _arguments(ctx, seed) - _shown(ctx, seed)


def _secret(ctx: RuleContext, seed: int) -> set[str]:
    """Pieces of the witness's arguments that nothing shows before the end."""
    episode = ctx.play(seed, ctx.witness(seed))
    told_later = {piece for turn in episode.turns[:-1] for piece in _plain(turn.observation)}
    return _used(ctx, seed) - told_later


def _arguments(ctx: RuleContext, seed: int) -> set[str]:
    found: set[str] = set()
    for action in ctx.witness(seed):
        calls = calls_of(action)
        words = [json.dumps(call["arguments"], ensure_ascii=False) for call in calls] or [answer_of(action) or ""]
        found |= set(_pieces("\n".join(words)))
    return found


def _held(ctx: RuleContext, seed: int) -> set[str]:
    """Pieces of the hidden state that hold a digit and that the first observation does not show."""
    looks = ctx.looks(seed, ())
    shown = _shown(ctx, seed)
    scalars = looks[0][0].scalars if looks else ()
    return {piece for text in scalars for piece in _pieces(text) if re.search(r"\d", piece) and piece not in shown}


def _shown(ctx: RuleContext, seed: int) -> set[str]:
    text = ctx.play(seed, ctx.witness(seed)).observation + json.dumps(list(ctx.schemas(seed)), ensure_ascii=False)
    return _plain(text)


def _plain(text: str) -> set[str]:
    return set(tokens(text)) | set(_pieces(text))


def _pieces(text: str) -> list[str]:
    return [piece.strip(".:-/").lower() for piece in _PIECE.findall(text) if piece.lower() not in _ANYWAY]


def _unshown(
    ctx: RuleContext, hints: dict[int, str], values: Callable[[RuleContext, int], set[str]]
) -> tuple[int, str] | None:
    """Seed and value where most hints tell a value of their own episode, and not by chance."""
    said = {seed: set(_pieces(text)) for seed, text in hints.items()}
    own: dict[int, set[str]] = {}
    for seed in list(hints)[:12]:
        if ctx.budget.left() <= 0:
            return None
        own[seed] = values(ctx, seed)
    seeds = list(own)
    telling = [seed for seed in seeds if own[seed] & said[seed]]
    if len(telling) * 2 <= len(seeds):
        return None
    if values is not _secret:
        # A word may stand in a hint by chance: only what changes with the seed is told.
        every = set.intersection(*own.values())

        def tells(i: int, j: int) -> bool:
            return bool((own[seeds[j]] - every) & said[seeds[i]])

        if association(len(seeds), tells) <= ctx.limits.leak_rate:
            return None
    return telling[0], min(own[telling[0]] & said[telling[0]])


def _password(ctx: RuleContext, hints: dict[int, str]) -> Iterator[Complaint]:
    """Texts of the source that the hint repeats, no observation shows, and that win when submitted."""
    shown: set[str] = set()
    for seed in list(hints)[:4]:
        shown |= _shown(ctx, seed)
    every = " ".join(dict.fromkeys(list(hints.values())[:4]))
    said = tokens(every)
    constants = {
        node.value for node in ast.walk(ctx.tree) if isinstance(node, ast.Constant) and type(node.value) is str
    }
    secrets = [
        text
        for text in sorted(constants)
        if 3 <= len(text) <= 60 and holds(said, tokens(text)) and not set(_pieces(text)) <= shown
    ]
    for secret in secrets[:MOST_SECRETS]:
        actions: Sequence[str] = [as_action(secret, ctx.contract)]
        wins = [seed for seed in list(hints)[:3] if ctx.play(seed, actions).success]
        if len(wins) >= 2:
            message = f"The hint tells {secret!r}, which wins although no observation shows it: a password."
            yield Complaint(message, repro=Repro(wins[0], tuple(actions)))
            return
