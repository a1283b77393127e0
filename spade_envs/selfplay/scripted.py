"""An engine without a model: replies come from a function of the prompt, and "weights" are a number.

It runs the whole loop, gate and box in seconds, to the same bits every time: for tests of the loop and for trying out
a configuration. Nothing is learnt.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ..atomic import write_atomic
from ..codec import to_json
from ..types import Stop
from .sampling import Draw, Drawn
from .steps import Learner, Published, StepBatch, Update

END = 256
"""Token that ends the policy's turn."""
SYSTEM, USER, POLICY, PADDING = 257, 258, 259, 260
"""Tokens before what each of them says."""


class ByteRenderer:
    """A token per byte of UTF-8, and one that says who speaks.

    >>> renderer = ByteRenderer()
    >>> renderer.opening("", "Hi"), renderer.text((79, 75, 256))
    ((258, 72, 105, 259), 'OK')
    """

    ends = frozenset({END})
    padding = PADDING

    def opening(self, system: str, user: str) -> tuple[int, ...]:
        """System message, what is said, and the word to the policy."""
        said = (SYSTEM, *_bytes(system)) if system else ()
        return (*said, USER, *_bytes(user), POLICY)

    def following(self, user: str) -> tuple[int, ...]:
        """What is said next, and the word to the policy."""
        return (USER, *_bytes(user), POLICY)

    def text(self, tokens: Sequence[int]) -> str:
        """The bytes as text; what is no UTF-8 becomes a replacement character."""
        return bytes(token for token in tokens if token < END).decode("utf-8", "replace")

    def conversation(self, tokens: Sequence[int]) -> list[tuple[int, str]]:
        """Who said what: the reverse of all of the above.

        >>> ByteRenderer().conversation((258, 72, 105, 259))
        [(258, 'Hi'), (259, '')]
        """
        said: list[tuple[int, list[int]]] = []
        for token in tokens:
            if token in (SYSTEM, USER, POLICY):
                said.append((token, []))
            elif said and token < END:
                said[-1][1].append(token)
        return [(who, self.text(told)) for who, told in said]


def _bytes(text: str) -> tuple[int, ...]:
    return tuple(text.encode("utf-8", "replace"))


Script = Callable[[Sequence[tuple[int, str]], Draw, int], str | Stop]
"""What the policy says to a conversation, given the draw and the version of its weights."""


class ScriptedSampler:
    """A :class:`~spade_envs.selfplay.sampling.Sampler` that asks a script; every token has log-probability -0.1."""

    def __init__(self, script: Script, learner: ScriptedLearner, *, context: int = 1_000_000) -> None:
        self._script, self._learner, self._renderer = script, learner, ByteRenderer()
        self.context = context

    @property
    def policy_version(self) -> int:
        """The learner's."""
        return self._learner.policy_version

    async def draw(self, draw: Draw) -> Drawn | Stop:
        """What the script says, cut at ``max_tokens``."""
        said = self._script(self._renderer.conversation(draw.tokens), draw, self.policy_version)
        if isinstance(said, Stop):
            return said
        tokens = (*_bytes(said), END)[: draw.max_tokens]
        return Drawn(tokens, (-0.1,) * len(tokens), tokens[-1] == END, self.policy_version)

    @contextlib.contextmanager
    def seat(self) -> Iterator[None]:
        """Nobody is waited for."""
        yield


class ScriptedLearner:
    """A :class:`~spade_envs.selfplay.steps.Learner` whose weights are a hash over all that it was trained on."""

    def __init__(self, seed: int) -> None:
        self.policy_version = 0
        self.weights = hashlib.sha256(f"weights {seed}".encode()).hexdigest()

    def update(self, batch: StepBatch) -> Update:
        """Mix the batch into the weights."""
        if not batch.denominators:
            return Update(self.policy_version, {})
        whole = json.dumps([self.weights, to_json(batch)], sort_keys=True, allow_nan=False)
        self.weights = hashlib.sha256(whole.encode()).hexdigest()
        self.policy_version += 1
        gained = math.fsum(one.advantage or 0.0 for one in batch.trajectories)
        return Update(self.policy_version, {"loss": -gained, "gap/mean": 0.0, "gap/max": 0.0})

    def save(self, folder: Path) -> None:
        """One JSON file."""
        data = json.dumps({"policy_version": self.policy_version, "weights": self.weights})
        write_atomic(folder / "weights.json", data.encode("ascii"))

    def load(self, folder: Path) -> None:
        """What :meth:`save` wrote."""
        said = json.loads((folder / "weights.json").read_bytes())
        self.policy_version, self.weights = int(said["policy_version"]), str(said["weights"])


class NoSync:
    """A :class:`~spade_envs.selfplay.steps.WeightSync` for a sampler that looks at the learner itself."""

    def __init__(self, learner: Learner) -> None:
        self._learner = learner

    async def publish(self) -> Published:
        """There is nothing to do."""
        version = self._learner.policy_version
        return Published(version, f"own-v{version}", "")

    async def verify(self, published: Published, gap: float | None) -> Mapping[str, float]:
        """There is nothing that could have been missed."""
        return {}

    async def close(self) -> None:
        """Nothing is held."""
