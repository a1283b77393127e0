"""Scripted policies for tests of the loop: designers that write what is wanted, agents that win as often as wanted."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from spade_envs.bulk import Checkers
from spade_envs.prompts import agent_system
from spade_envs.selfplay.config import Config, DesignSection, EngineSection, PlaySection, RunSection
from spade_envs.selfplay.sampling import Draw
from spade_envs.selfplay.scripted import SYSTEM, Script
from spade_envs.types import CONTRACTS, EnvSource, Neighbour, Report, Stop

ADD = """
class AddEnv:
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.a, self.b = rng.randint(1000, 9999), rng.randint(1000, 9999)
        return f"What is {self.a} + {self.b} + NUMBER? Answer as \\\\boxed{{N}}.", {}

    def step(self, action):
        won = action == f"\\\\boxed{{{self.a + self.b + NUMBER}}}"
        return "Right." if won else "Wrong.", float(won), True, False, {}

    def solution(self):
        return [f"\\\\boxed{{{self.a + self.b + NUMBER}}}"]

    def hint(self):
        return "Add the first two numbers, then the third."
"""
"""An environment the gate admits; ``NUMBER`` makes as many of it as wanted."""
AGENTS = {agent_system(contract).text for contract in CONTRACTS}

Conversation = Sequence[tuple[int, str]]


def adding(number: int) -> str:
    """Text of one of them."""
    return ADD.replace("NUMBER", str(number))


def fenced(text: str) -> str:
    """A designer's reply that holds a source."""
    return f"Here it is.\n```python\n{text}\n```\n"


def right_answer(conversation: Conversation) -> str:
    """What wins an adding environment."""
    numbers = re.findall(r"-?\d+", conversation[1][1].partition("?")[0])
    return f"\\boxed{{{sum(map(int, numbers))}}}"


def policy(
    design: Callable[[Draw], str | Stop],
    wins: Callable[[bool, Draw, int], bool],
    answer: Callable[[Conversation], str] = right_answer,
) -> Script:
    """A script.

    Args:
        design: the designer's reply.
        wins: whether the agent wins, from: whether it is hinted, the draw, the version of the weights.
        answer: what wins.
    """

    def say(conversation: Conversation, draw: Draw, version: int) -> str | Stop:
        if conversation[0][0] != SYSTEM or conversation[0][1] not in AGENTS:
            return design(draw)
        hinted = "HINT" in conversation[1][1]
        return answer(conversation) if wins(hinted, draw, version) else "\\boxed{0}"

    return say


def learning(draw: Draw) -> str:
    """A designer of many adding environments, and of some that the gate refuses."""
    number = draw.seed % 12
    return fenced("import socket\n") if number % 7 == 6 else fenced(adding(number))


def sometimes(hinted: bool, draw: Draw, version: int) -> bool:
    """Wins more often with the hint, and more with every version."""
    return draw.seed % 10 < 2 + version + (5 if hinted else 0)


def config(folder: Path, **changed: Any) -> Config:
    """A small scripted run; ``changed`` names fields of any section."""
    made = Config(
        run=RunSection(folder=str(folder), cycles=4, jobs=1, samples=1),
        design=DesignSection(slots=3, contract="answer", corpus="", memory_seeds=1, memory_negatives=1),
        play=PlaySection(plain=4, hinted=4, max_turns=4, episode_seconds=20.0),
        engine=EngineSection(engine="scripted"),
    )
    for section in ("run", "design", "play", "train", "engine"):
        one = getattr(made, section)
        mine = {name: value for name, value in changed.items() if hasattr(one, name)}
        made = dataclasses.replace(made, **{section: dataclasses.replace(one, **mine)})
    return made


def remembered_checks(known: dict[Any, Report]) -> Callable[..., Future[Report]]:
    """In place of ``Checkers.submit``: the real gate, asked once for each source and what it is compared with."""
    real = Checkers.submit

    def submit(self: Checkers, source: EnvSource, beside: Sequence[Neighbour] = ()) -> Future[Report]:
        key = (source.text, source.contract, source.hint, tuple(beside))
        if key not in known:
            known[key] = real(self, source, beside).result()
        done: Future[Report] = Future()
        done.set_result(known[key])
        return done

    return submit


def steps(paths: Iterator[Path]) -> list[str]:
    """Names, sorted."""
    return sorted(path.name for path in paths)
