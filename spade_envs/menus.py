"""Menus: the actions that an environment offers now, as one list in a stable order, for policies that pick a number.

What texts mark as commands (:mod:`spade_envs.sandbox.mentions`) and what tool schemas allow, with arguments that the
texts show. Texts and schemas are hostile: everything is bounded, and an entry is read as just the action it shows.
"""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .actions import between, read
from .arguments import MOST_TEXT, MOST_VALUES, NUMERIC, Shown
from .episodes import Episode
from .sandbox import mentions
from .schema_calls import Seen, call, calls_of, functions, parameters

SIZE = 64
"""Entries of a menu by default, and of the menus that an admission judges by."""
LONGEST_ENTRY = 400
"""Characters of an entry; longer ones are left out."""
MOST_WORDS = 8
"""Words of a command."""
MOST_FUNCTIONS = 64
MOST_ARGUMENTS = 6
"""Arguments of a function that are filled; one that requires more has no entry."""

Pools = Sequence[Sequence[Any]]
"""Per place of a template, the values that may stand there."""


def menu(task: str, observation: str, tools: object = (), size: int = SIZE) -> tuple[str, ...]:
    """Action texts on offer, at most ``size``; none where there are fewer than two.

    Args:
        task: the first observation.
        observation: the latest one.
        tools: OpenAI tool schemas, as ``info["tools"]`` gives them at reset; where there are any, the menu holds calls.
        size: most entries.

    What the task alone decides comes first and keeps its index: commands without arguments in order of appearance, then
    those whose arguments the task shows. Those filled from the latest observation come last.

    >>> menu("Gauges g1..g3. Say \\\\boxed{read g1} or \\\\boxed{end}.", "Gauge g1 reads 7.")
    ('\\\\boxed{read g1}', '\\\\boxed{end}', '\\\\boxed{read g2}', '\\\\boxed{read g3}')
    """
    known = functions(tools)[:MOST_FUNCTIONS]
    most = 8 * size  # some are left out below, and some come twice
    entries = _calls(task, observation, known) if known else _commands(task, observation, most)
    contract = "tools" if known else "interactive"
    kept: dict[str, None] = {}
    for entry in itertools.islice(entries, 2 * most):
        if len(entry) <= LONGEST_ENTRY and read(entry, contract).text == entry:
            kept.setdefault(entry)
        if len(kept) >= size:
            break
    return tuple(kept) if len(kept) > 1 else ()


def offers_all(episode: Episode, tools: object = (), size: int = SIZE) -> bool:
    """Whether every action of an episode was on the menu of its moment; not for an episode without actions.

    Args:
        episode: one that was played.
        tools, size: as in :func:`menu`.
    """
    latest = episode.observation
    for turn in episode.turns:
        if _plain(turn.action) not in map(_plain, menu(episode.observation, latest, tools, size)):
            return False
        latest = turn.observation
    return bool(episode.turns)


def _plain(action: str) -> str:
    """An action without the freedom that JSON leaves in writing it."""
    calls = calls_of(action)
    return json.dumps(calls, sort_keys=True) if calls else action


def filled(templates: Sequence[Pools]) -> Iterator[tuple[Any, ...]]:
    """Every filling of every template, early values first, so that a cut favours no template.

    >>> list(filled([[["go"], ["n", "s"]], [["get"], ["key"]]]))
    [('go', 'n'), ('get', 'key'), ('go', 's')]
    """
    farthest = max((sum(len(pool) - 1 for pool in pools) for pools in templates), default=-1)
    for total in range(farthest + 1):
        for pools in templates:
            yield from _summing(pools, total)


def _summing(pools: Pools, total: int) -> Iterator[tuple[Any, ...]]:
    """Fillings whose places in the pools add up to ``total``; no branch is entered that has none."""
    if not pools:
        yield from [()] if total == 0 else []
        return
    rest = sum(len(pool) - 1 for pool in pools[1:])
    for at in range(max(0, total - rest), min(total + 1, len(pools[0]))):
        yield from ((pools[0][at], *others) for others in _summing(pools[1:], total - at))


# -- commands ----------------------------------------------------------------------------------------------------


def _commands(task: str, observation: str, most: int) -> Iterator[str]:
    """Boxed commands, at most about ``most``: those of the task with what it shows, then those of both texts."""
    yield from _decided(task, most)
    yield from _entries(_verbs(task, observation), Shown(observation, words=True) | _shown(task))


@functools.lru_cache(maxsize=256)
def _decided(task: str, most: int) -> tuple[str, ...]:
    return tuple(itertools.islice(_entries(_verbs(task, ""), _shown(task)), most))


@functools.lru_cache(maxsize=256)
def _shown(task: str) -> Shown:
    return Shown(task)


def _entries(verbs: Sequence[str], shown: Shown) -> Iterator[str]:
    """Commands without arguments as they stand, then every one with its arguments filled."""
    split = [words for words in map(str.split, verbs) if 0 < len(words) <= MOST_WORDS]
    yield from (_boxed(words) for words in split if not any(map(mentions.is_hole, words[1:])))
    yield from map(_boxed, filled([_pools(words, shown) for words in split]))


def _verbs(task: str, observation: str) -> list[str]:
    """Texts that are commands; what only stands for a command, as in ``\\boxed{command}``, is none."""
    boxes = mentions.boxed(task)
    if len(boxes) > 1:  # then the task lists its commands in boxes, and its other marks are prose
        verbs = [*boxes, *mentions.boxed(observation)]
    else:
        verbs = [verb.partition(". ")[0] for verb in mentions.named(task, observation)]
    usable = (verb for verb in dict.fromkeys(verbs) if verb.isupper() or not mentions.is_hole(verb))
    return [verb for verb in usable if not set(verb) & set("{}\\")][: mentions.MOST_VERBS]


def _boxed(words: Iterable[str]) -> str:
    return f"\\boxed{{{' '.join(words)}}}"


def _pools(words: Sequence[str], shown: Shown) -> Pools:
    """Per word of a command what may stand in its place: the word alone where nothing like it is shown."""
    pools = []
    for place, word in enumerate(words):
        # The first word is the command itself, unless it is a number or a letter, as in "2 5" or "A B".
        fixed = place == 0 and (len(words) == 1 or not (word in NUMERIC or word.isdecimal()))
        found = shown.letters(word) if fixed else shown.like(word)
        pools.append((list(dict.fromkeys(found)) or [word])[:MOST_VALUES])
    return pools


# -- tool calls --------------------------------------------------------------------------------------------------


def _calls(task: str, observation: str, tools: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Calls without arguments, answers that the task spells out, then calls with their arguments filled."""
    first, latest = Seen(), Seen()
    first.add(task[:MOST_TEXT])
    latest.add(task[:MOST_TEXT])
    latest.add(observation[:MOST_TEXT])
    first.texts = first.ids  # words of the task are mostly prose
    templates = [(tool["name"], *parameters(tool)) for tool in tools]
    yield from (call(name, {}) for name, _, required in templates if not required)
    yield from (f"<answer>{answer}</answer>" for answer in between(task[:MOST_TEXT], "<answer>", "</answer>"))
    for seen in (first, latest):
        ready = [_arguments(*template, seen) for template in templates]
        for name, *arguments in filled([pools for pools in ready if pools]):
            yield call(name, dict(pair for pair in arguments if pair))


def _arguments(name: str, properties: dict[str, Any], required: Sequence[str], seen: Seen) -> Pools:
    """The name, then per argument its values as pairs; no pools where an argument that is required has no value."""
    told = list(itertools.islice(properties, MOST_ARGUMENTS))
    if not set(required) <= set(told):
        return []
    pools: list[list[Any]] = [[name]]
    for key in told:
        pairs = [(key, value) for value in _values(properties[key], seen)[:MOST_VALUES]]
        pools.append(pairs if key in required else [(), *pairs])
    return pools if all(pools) else []


def _values(spec: object, seen: Seen) -> list[Any]:
    """Plain values that fit the schema of one argument; none for lists and objects."""
    spec = spec if isinstance(spec, dict) else {}
    listed = spec.get("enum")
    if isinstance(listed, list):
        return [value for value in listed[:MOST_VALUES] if _is_plain(value)]
    kind = spec.get("type")
    if kind == "boolean":
        return [True, False]
    if kind in ("integer", "number"):
        return _numbers(spec, seen, whole=kind == "integer")
    return list(dict.fromkeys([*seen.ids, *seen.texts])) if kind in ("string", None) else []


def _numbers(spec: dict[str, Any], seen: Seen, *, whole: bool) -> list[float]:
    """Small numbers from the minimum on, then those that were seen, within the bounds."""
    low, high = (
        value if _is_plain(value) and not isinstance(value, (str, bool)) else None
        for value in map(spec.get, ("minimum", "maximum"))
    )
    start = int(low or 0)
    numbers = [*range(start, start + 10), *(int(n) if n == int(n) else n for n in seen.numbers)]
    inside = (n for n in numbers if (low is None or n >= low) and (high is None or n <= high))
    return list(dict.fromkeys(n for n in inside if not whole or isinstance(n, int)))


def _is_plain(value: object) -> bool:
    """Whether a value of a schema is a short text or a number of ordinary size."""
    if isinstance(value, str):
        return len(value) <= LONGEST_ENTRY
    return isinstance(value, (bool, int, float)) and abs(value) < 1e15
