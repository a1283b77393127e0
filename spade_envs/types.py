"""The words of the package: frozen dataclasses that cross modules, and the seams parts fit into.

All of them go to JSON and back with :func:`spade_envs.codec.to_json` and :func:`spade_envs.codec.from_json`.
"""

from __future__ import annotations

import ast
import dataclasses
import enum
import functools
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from .contract import CONTRACTS
from .episodes import (
    ENV_FAULTS,
    FAULT_STOPS,
    SUCCESS_REWARD,
    Episode,
    Fault,
    FaultKind,
    Probe,
    Stop,
    StopReason,
    Trajectory,
    Turn,
    WitnessTry,
)
from .limits import Limits
from .origins import Origin

if TYPE_CHECKING:
    from .sandbox.checked import Look
    from .weak import Experience

__all__ = [
    "CONTRACTS",
    "ENV_FAULTS",
    "FAULT_STOPS",
    "SUCCESS_REWARD",
    "AsyncPlayer",
    "Blind",
    "Budget",
    "Card",
    "EnvSource",
    "Episode",
    "Fault",
    "FaultKind",
    "Finding",
    "Isolation",
    "Limits",
    "Memory",
    "Neighbour",
    "Origin",
    "Player",
    "Probe",
    "Report",
    "Repro",
    "Rule",
    "RuleContext",
    "Severity",
    "Stop",
    "StopReason",
    "Trajectory",
    "Turn",
    "Verdict",
    "WitnessTry",
]


class Severity(enum.StrEnum):
    """How much a finding weighs."""

    ERROR = "error"
    UNDECIDED = "undecided"
    WARNING = "warning"


class Verdict(enum.StrEnum):
    """The decision over one source."""

    ADMIT = "admit"
    REFUSE = "refuse"
    UNDECIDED = "undecided"


class Isolation(enum.StrEnum):
    """How much stands between a source and the machine; ``kernel`` is the strongest."""

    PROCESS = "process"
    SECCOMP = "seccomp"
    KERNEL = "kernel"

    @property
    def rank(self) -> int:
        """0 for ``process``, 1 for ``seccomp``, 2 for ``kernel``."""
        return list(Isolation).index(self)


@dataclasses.dataclass(frozen=True)
class EnvSource:
    """The Python text a designer wrote, with what is known about it."""

    text: str
    skill: str = ""
    """Which skill it exercises, e.g. ``logical-deduction``; empty when unknown."""
    contract: str = ""
    """Declared contract; empty means detect it."""
    hint: str = ""
    """Privileged text shown only in the hinted arm."""
    parent: str = ""
    """sha256 of the source this one repairs or descends from."""
    document: str = ""
    """Identity of the document it was grounded on."""
    made_by: str = ""
    """Model or person that wrote it."""
    origin: Origin = dataclasses.field(default=Origin())

    @functools.cached_property
    def sha256(self) -> str:
        """Hex digest of the UTF-8 bytes: the identity of a source."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()

    @classmethod
    def from_reply(cls, reply: str, *, skill: str = "", made_by: str = "") -> EnvSource:
        """Take the last complete fenced code block outside think text of a model's reply.

        Raises:
            SourceError: when the reply holds no complete block; the message says what it does hold.

        >>> EnvSource.from_reply("Here:\\n```python\\nx = 1\\n```\\nDone.").text
        'x = 1\\n'
        """
        from .actions import last_code_block

        return cls(text=last_code_block(reply), skill=skill, made_by=made_by)


@dataclasses.dataclass(frozen=True)
class Repro:
    """A pair that shows a fault again: reset with ``seed``, then play ``actions``."""

    seed: int
    actions: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True)
class Finding:
    """One complaint of one rule."""

    rule: str
    """Stable name ``stage.rule``, explained by ``spade-envs explain``."""
    severity: Severity
    message: str
    """What is wrong and what to change, in one or two sentences."""
    line: int | None = None
    repro: Repro | None = None


@dataclasses.dataclass(frozen=True)
class Report:
    """Everything the gate says about one source. The verdict is computed, never set."""

    source_sha256: str
    findings: tuple[Finding, ...] = ()
    not_reached: tuple[str, ...] = ()
    """Rules that did not run: an earlier stage refused, or the budget ended."""
    seconds: dict[str, float] = dataclasses.field(default_factory=dict)
    """Wall seconds per stage."""
    isolation: Isolation = Isolation.PROCESS
    """Isolation the check really ran under."""
    versions: dict[str, str] = dataclasses.field(default_factory=dict)
    contract: str = ""
    """Contract detected, when the source got that far."""
    witness_kind: str = ""
    """How the witness was found: ``list``, ``generator``, ``text``, ``search`` or empty."""
    max_turns: int = 0
    """The author's own turn limit, or the adapter's."""
    instances: int = 0
    """Different first observations seen over the witness seeds."""
    floor: float | None = None
    """Success rate of the best weak player, in [0, 1]; ``None`` when it was not measured."""
    menu: bool = False
    """Whether the winning witness took every action from the menu of its moment, on all seeds (see ``menus``)."""

    @property
    def verdict(self) -> Verdict:
        """Any error refuses; else anything undecided is undecided; else admit."""
        severities = {finding.severity for finding in self.findings}
        if Severity.ERROR in severities:
            return Verdict.REFUSE
        return Verdict.UNDECIDED if Severity.UNDECIDED in severities else Verdict.ADMIT


@dataclasses.dataclass(frozen=True)
class Card:
    """The document beside a source on a shelf (``card.schema.json``)."""

    name: str
    """Name on its shelf, e.g. ``env-0421``; the gymnasium id is ``<namespace>/<name>``."""
    sha256: str
    skill: str
    contract: str
    hint: str
    max_turns: int
    menu: bool
    """Whether a menu of what the texts and schemas offer is enough to win: then ``<id>-menu`` is registered."""
    witness_kind: str
    instances: int
    floor: float | None
    """Success rate of the best weak player; ``None`` until measured."""
    parent: str
    document: str
    made_by: str
    report: Report
    made: str
    """ISO 8601 date of admission, UTC."""
    fingerprint: str = ""
    """Hash of the code without comments and layout (``fingerprints.fingerprint``); empty on older cards."""
    neighbours: tuple[Neighbour, ...] = ()
    """Most similar sources that were known when it was admitted, at most 5, the nearest first."""
    origin: Origin = dataclasses.field(default=Origin())


@dataclasses.dataclass(frozen=True)
class Neighbour:
    """A similar source already known."""

    sha256: str
    similarity: float
    """1.0 for the same code, else the estimated Jaccard similarity of token shingles, below 1."""
    name: str = ""


class Budget(Protocol):
    """Wall time left for a check."""

    def left(self) -> float:
        """Seconds left, possibly negative."""


@runtime_checkable
class Player(Protocol):
    """Whatever picks actions in a rollout."""

    @property
    def name(self) -> str: ...

    def begin(self, observation: str, info: Mapping[str, object]) -> None:
        """A new episode starts with this observation."""

    def act(self, observation: str) -> str | None:
        """The next raw reply, or ``None`` to stop."""


@runtime_checkable
class AsyncPlayer(Protocol):
    """A player that has to be waited for, such as a model behind a server."""

    @property
    def name(self) -> str: ...

    def begin(self, observation: str, info: Mapping[str, object]) -> None:
        """A new episode starts with this observation."""

    async def act(self, observation: str) -> str | Stop:
        """The next raw reply, or why there is none."""


@runtime_checkable
class Blind(Protocol):
    """A player whose next replies do not depend on what it will see: they can be sent together."""

    def ahead(self, most: int) -> Sequence[str]:
        """Up to ``most`` next replies; none when it has to look first, or has no more."""


class RuleContext(Protocol):
    """What a rule may use. Everything that runs the source runs it in the box."""

    @property
    def source(self) -> EnvSource: ...
    @property
    def tree(self) -> ast.Module:
        """The syntax tree; empty for a source that does not parse."""

    @property
    def problems(self) -> Sequence[tuple[str, int | None, str]]:
        """What compiling in the box complained about: ``syntax`` or ``restricted``, line, message."""

    @property
    def candidates(self) -> Sequence[str]:
        """Classes that could be the environment."""

    @property
    def limits(self) -> Limits: ...
    @property
    def seeds(self) -> Sequence[int]:
        """Seeds derived from the source and the run seed; as many as ``limits.witness_seeds``."""

    @property
    def more_seeds(self) -> Sequence[int]:
        """Further seeds, ``limits.more_seeds`` of them."""

    @property
    def far_seeds(self) -> Sequence[int]:
        """Seeds for a suspicion that takes many of them, ``limits.far_seeds``."""

    @property
    def budget(self) -> Budget: ...
    @property
    def contract(self) -> str:
        """``answer``, ``interactive`` or ``tools``; declared, or seen."""

    @property
    def max_turns(self) -> int:
        """Turn limit in force."""

    def newborn(self, seed: int) -> WitnessTry:
        """The author's solution for ``seed`` in a process that has played nothing before."""

    def witness(self, seed: int) -> Sequence[str]:
        """Actions that should win on ``seed``; empty when none was found."""

    def play(self, seed: int, actions: Sequence[str] | Player) -> Episode:
        """One boxed episode."""

    def strange_wins(self) -> Sequence[Episode]:
        """Episodes that exploration won in another way than the witness."""

    def plays(self) -> Sequence[Episode]:
        """Episodes of the scripted weak players and of the witness, played once for all rules."""

    def attempts(self) -> Sequence[WitnessTry]:
        """The author's solution on every seed, or what the search found instead."""

    def replay(self, seed: int, actions: Sequence[str], way: str) -> Episode:
        """Play an episode again in one of ``trial.REPLAY_WAYS``."""

    def attempt(self, seed: int, *, used: bool = False) -> WitnessTry:
        """The author's solution for one seed, read and played; with ``used``, on an instance that was used before."""

    def quick(self, seed: int, actions: Sequence[str]) -> Episode:
        """As ``play``, on an instance that was used before: cheaper, and right where replays agree."""

    def rushed(self, seed: int, actions: Sequence[str]) -> Episode:
        """As ``quick``, from a copied state, which is cheaper still; in a fresh instance where it shows a fault."""

    def sample(self, name: str, seed: int) -> Episode:
        """An episode of the weak player of this name (``weak.weak_player``)."""

    @property
    def experience(self) -> Experience:
        """First observations and right answers by seed."""

    def infos(self, seed: int, actions: Sequence[str], *, proof: bool = True) -> tuple[Sequence[str], Episode]:
        """Info of an episode as JSON text, at reset and after each turn; and the episode, as ``play`` or ``rushed``."""

    def schemas(self, seed: int) -> Sequence[object]:
        """Tool schemas shown at reset."""

    def looks(self, seed: int, actions: Sequence[str]) -> Sequence[tuple[Look, str]]:
        """State and observation at reset and after each action; shorter when the episode ends or a look fails."""

    def hint(self, seed: int) -> str | Fault:
        """The hint of an episode; perhaps empty."""

    def hint_fault(self) -> tuple[int, Fault] | None:
        """Seed and fault of an author's ``hint()`` that fails, on the first seeds."""

    def neighbours(self) -> Sequence[Neighbour]:
        """Known sources most similar to this one."""


class Rule(Protocol):
    """One check: a callable with a name, a stage and a severity."""

    @property
    def name(self) -> str: ...
    @property
    def stage(self) -> str:
        """``static``, ``load`` or ``property``."""

    @property
    def severity(self) -> Severity: ...

    def __call__(self, ctx: RuleContext) -> Iterable[Finding]: ...


class Memory(Protocol):
    """Everything ever seen, and how the designer draws from it."""

    def add_source(self, source: EnvSource) -> None: ...
    def add_report(self, report: Report) -> None: ...
    def add_probe(self, sha256: str, probe: Probe) -> None: ...
    def sample_seeds(self, count: int, *, skill: str = "", seed: int = 0) -> Sequence[EnvSource]:
        """Sources to build on, drawn with ``seed``."""
