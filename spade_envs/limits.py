"""Every threshold of the gate and every limit of the box, in one place."""

from __future__ import annotations

import dataclasses
import time


@dataclasses.dataclass(frozen=True)
class Limits:
    """Thresholds the gate decides by. ``Limits()`` is the default; :meth:`selfplay` is stricter."""

    source_bytes: int = 128 * 1024
    """Longest source, in UTF-8 bytes."""
    nesting: int = 120
    """Deepest nesting of the syntax tree."""
    load_seconds: float = 5.0
    """Wall time for executing the source and constructing the environment."""
    reset_seconds: float = 5.0
    """Wall time for one ``reset`` or one ``solution()``."""
    step_seconds: float = 2.0
    """Wall time for one ``step``."""
    search_seconds: float = 3.0
    """Wall time for the bounded search for a witness, per seed."""
    grace_seconds: float = 1.0
    """How long after its own soft limit a worker may still answer before it is killed."""
    memory_mb: int = 512
    """Heap a worker may use, in MiB (RLIMIT_DATA)."""
    observation_bytes: int = 64 * 1024
    """Longest observation, in UTF-8 bytes."""
    output_bytes: int = 64 * 1024
    """Most that loading or resetting may print, in characters."""
    max_turns: int = 100
    """Turns before the adapter truncates an environment that names no ``max_turns`` of its own."""
    budget_seconds: float = 60.0
    """Wall time for checking one source."""
    witness_seeds: int = 20
    """Seeds on which the witness must win."""
    replay_seeds: int = 3
    """Seeds on which replays are compared."""
    play_seeds: int = 4
    """Seeds on which the scripted weak players play."""
    poke_episodes: int = 24
    """Episodes in which commands and tools are poked at with wrong arguments."""
    search_nodes: int = 3000
    """States the bounded search may visit, per seed."""
    shrink_replays: int = 40
    """Replays spent on making a counterexample shorter."""
    more_seeds: int = 60
    """Further seeds on which the witness must win, as far as the budget allows."""
    far_seeds: int = 240
    """Seeds on which a list is tried that seems to win by heart."""
    explore_lists: int = 190
    """Action lists drawn at random to find faults on rare paths."""
    explore_examples: int = 40
    """Action lists drawn by Hypothesis after one that shows a fault, to shrink it; with 0 nothing is explored."""
    floor_episodes: int = 16
    """Episodes of every weak player."""
    floor_more: int = 64
    """Episodes of a weak player that had any success."""
    floor_rate: float = 0.05
    """Success rate that no mindless player (idle, echo, junk, constant, every option at once) may exceed."""
    guess_rate: float = 0.10
    """Success rate that no single guess may exceed."""
    listed_rate: float = 0.50
    """Success rate that neither listed commands nor random tool calls may exceed."""
    again_rate: float = 0.75
    """Success rate that guessing until the tries are used up may not exceed."""
    constant_rate: float = 0.20
    """Share of seeds on which one fixed action list may win."""
    leak_rate: float = 0.50
    """Excess of P(answer in its own text) over P(answer in another seed's text) that counts as telling it."""
    alpha: float = 0.05
    """Level of the statistical tests, shared among the weak players."""
    tools_may_repeat: bool = True
    """Whether a tools environment may have one instance, or be won by one fixed action list."""
    near_similarity: float = 0.8
    """Similarity of the code, in [0, 1], from which two sources are near-duplicates."""
    near_may_pass: bool = True
    """Whether a near-duplicate of what is known is admitted, with a warning."""

    @classmethod
    def selfplay(cls) -> Limits:
        """Stricter limits for training, where a designer learns to press against each of them."""
        return cls(
            load_seconds=2.0,
            reset_seconds=2.0,
            step_seconds=1.0,
            budget_seconds=30.0,
            tools_may_repeat=False,
            near_may_pass=False,
        )


class WallBudget:
    """Wall time left for a check."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left, possibly negative."""
        return self._end - time.monotonic()
