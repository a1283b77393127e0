"""A few designs and episodes of each cycle as Markdown, for people to read.

What models and environments say is hostile: control characters become visible, a fence is longer than any run of
backticks inside, and tokens that part messages get a space, so that a page may be shown or fed on safely.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..atomic import write_atomic
from ..prompts.fences import harmless
from ..seeds import derive_seed
from ..types import Episode
from .evidence import Design

LONGEST_TEXT = 12_000
"""Characters of one text that are shown; the rest is counted."""
SAMPLES = "samples"
"""Folder of the pages, in that of the run."""

_RUN = re.compile(r"`{3,}")


@dataclass(frozen=True)
class DesignText:
    """One designer reply, as it is shown."""

    slot: int
    skill: str
    design: Design
    reply: str
    hint: str = ""
    findings: tuple[str, ...] = ()
    """What the gate said, ``rule: message``."""
    plain: tuple[float | None, ...] = ()
    hinted: tuple[float | None, ...] = ()
    reward: float | None = None


def sample_page(
    cycle: int, designs: Sequence[DesignText], episodes: Sequence[Episode], *, count: int, seed: int
) -> str:
    """Markdown of a cycle: ``count`` designs, admitted and refused by turns, and ``count`` episodes of each arm.

    Episodes come in pairs of one environment and seed where there are any. What is shown follows from ``seed``.
    """
    chance = random.Random(derive_seed(seed, SAMPLES, cycle))
    lines = [f"# Cycle {cycle}", ""]
    for one in _chosen(designs, count, chance):
        lines += [*_design(one), ""]
    for episode in _paired(episodes, count, chance):
        lines += [*_episode(episode), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def write_samples(
    folder: Path, cycle: int, designs: Sequence[DesignText], episodes: Sequence[Episode], *, count: int, seed: int
) -> str:
    """Write :func:`sample_page` to ``samples/cycle-00012.md`` in the folder of the run; one that is there, of a cycle
    that is run again, is replaced.

    Returns:
        What went wrong, in words, or nothing: samples never end a run.
    """
    if count == 0:
        return ""
    path = folder / SAMPLES / f"cycle-{cycle:05}.md"
    page = sample_page(cycle, designs, episodes, count=count, seed=seed)
    try:
        path.parent.mkdir(exist_ok=True)
        write_atomic(path, page.encode("utf-8", "backslashreplace"), durable=False)
    except OSError as error:
        return f"samples of cycle {cycle} could not be written to {path}: {error.strerror or error}"
    return ""


def _chosen(designs: Sequence[DesignText], count: int, chance: random.Random) -> list[DesignText]:
    """Some of the admitted and some of the rest, by turns, in the order of slots."""
    mixed = chance.sample(designs, len(designs))
    good = [one for one in mixed if one.design is Design.ADMITTED]
    bad = [one for one in mixed if one.design is not Design.ADMITTED]
    taken: list[DesignText] = []
    while len(taken) < count and (good or bad):
        for pile in (good, bad):
            if pile and len(taken) < count:
                taken.append(pile.pop())
    return sorted(taken, key=lambda one: one.slot)


def _paired(episodes: Sequence[Episode], count: int, chance: random.Random) -> list[Episode]:
    by_start: dict[tuple[str, int], dict[bool, Episode]] = {}
    for episode in episodes:
        by_start.setdefault((episode.env_id, episode.seed), {}).setdefault(episode.hinted, episode)
    starts = chance.sample(sorted(by_start), len(by_start))
    # Pairs first: a sort is stable, so chance decides among equals.
    starts.sort(key=lambda start: -len(by_start[start]))
    return [by_start[start][arm] for start in starts[:count] for arm in sorted(by_start[start])]


def _design(one: DesignText) -> Iterator[str]:
    yield f"## Design {one.slot}: {_inline(one.skill)}, {one.design.value}"
    yield ""
    if one.plain or one.hinted:
        yield f"- plain: {_outcomes(one.plain)}"
        yield f"- hinted: {_outcomes(one.hinted)}"
    if one.reward is not None:
        yield f"- reward: {one.reward:+.3f}"
    for finding in one.findings:
        yield f"- {_inline(finding)}"
    if one.hint:
        yield f"- hint: {_inline(one.hint)}"
    yield from _block(one.reply)


def _episode(episode: Episode) -> Iterator[str]:
    arm = "hinted" if episode.hinted else "plain"
    outcome = "missing" if episode.outcome is None else f"{episode.outcome:+.2f}"
    yield f"## Episode of {_inline(episode.env_id)}, seed {episode.seed}, {arm}: {outcome}, {episode.stop_reason.value}"
    yield from _block(episode.observation)
    for number, turn in enumerate(episode.turns, 1):
        yield f"**{number}.** the agent said"
        yield from _block(turn.reply)
        yield f"and saw, with reward {turn.reward:g},"
        yield from _block(turn.observation)
    if episode.cut:
        yield "cut off before its end:"
        yield from _block(episode.cut)


def _block(text: str) -> Iterator[str]:
    """A fenced block that the text cannot leave."""
    body = harmless(text[:LONGEST_TEXT])
    fence = "`" * (1 + max((len(run.group()) for run in _RUN.finditer(body)), default=2))
    yield ""
    yield f"{fence}text"
    yield body
    yield fence
    if len(text) > LONGEST_TEXT:
        yield f"… and {len(text) - LONGEST_TEXT} more characters"
    yield ""


def _inline(text: str) -> str:
    """One line of code, with nothing that ends it."""
    body = " ".join(harmless(text[:600]).replace("`", "'").split())
    return f"`{body}`" if body else "`(nothing)`"


def _outcomes(values: Sequence[float | None]) -> str:
    return ", ".join("missing" if value is None else f"{value:g}" for value in values) or "not played"
