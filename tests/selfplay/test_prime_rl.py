"""prime-rl's episodes, on stand-ins for verifiers 0.4.0 and its environment ``proposer_solver``."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import sys
import types
from collections.abc import AsyncIterator, Sequence
from typing import Any, Generic, TypeVar

import pydantic
import pytest

from spade_envs.adapters import prime_rl
from spade_envs.selfplay.failures import ConfigError

ConfigT = TypeVar("ConfigT")


class AgentConfig(pydantic.BaseModel):
    max_turns: int | None = None


class EnvConfig(pydantic.BaseModel):
    proposer: AgentConfig = AgentConfig()
    solver: AgentConfig = AgentConfig()
    n: int = 4
    train_proposer: bool = True
    train_solver: bool = True


class Env(Generic[ConfigT]):
    def __init__(self, config: ConfigT) -> None:
        self.config = config


@dataclasses.dataclass
class TaskData:
    idx: int | None = None
    prompt: str | None = None
    system_prompt: str | None = None


@dataclasses.dataclass
class Task:
    data: TaskData


@dataclasses.dataclass
class Trace:
    last_reply: str | None = None
    rewards: dict[str, float] = dataclasses.field(default_factory=dict)
    agent: Any = dataclasses.field(default_factory=lambda: types.SimpleNamespace(trainable=True))

    def record_reward(self, name: str, value: float) -> None:
        self.rewards[name] = value


@dataclasses.dataclass
class Segment:
    last_reply: str = ""
    terminated: bool = False


class Seat:
    """An agent: says ``replies`` in turn, and is at its limit after them."""

    def __init__(self, *replies: str) -> None:
        self.replies = replies
        self.trainable = True
        self.traces: list[Trace] = []
        self.heard: list[list[str]] = []
        self.tasks: list[Any] = []

    async def run(self, task: Any) -> Trace:
        self.traces.append(Trace(self.replies[0]))
        return self.traces[-1]

    @contextlib.asynccontextmanager
    async def interaction(self, task: Task) -> AsyncIterator[Any]:
        trace, heard, left = Trace(), [], list(self.replies)
        self.traces.append(trace)
        self.heard.append(heard)
        self.tasks.append(task)

        async def turn(message: str) -> Segment:
            heard.append(message)
            await asyncio.sleep(0)
            return Segment(left.pop(0)) if left else Segment(terminated=True)

        yield types.SimpleNamespace(turn=turn, trace=trace)


class Guessing:
    """Won by the reply ``number + 1``; the hint tells it."""

    def __init__(self, number: int, hinted: bool) -> None:
        self.number = number
        self.observation = f"guess {number + 1 if hinted else '?'}"
        self.outcome: float | None = 0.0

    async def answer(self, reply: str) -> str | None:
        if reply == "lost":
            self.outcome = None
            return None
        self.outcome = float(reply == str(self.number + 1))
        return None if self.outcome else "no"


class Design:
    system = "You play."

    def __init__(self) -> None:
        self.begun: list[tuple[int, bool]] = []

    async def play(self, number: int, *, hinted: bool) -> Guessing:
        self.begun.append((number, hinted))
        return Guessing(number, hinted)


class Desk:
    def __init__(self, found: Any) -> None:
        self.found = found
        self.paid: list[tuple[Sequence[float | None], Sequence[float | None]]] = []

    async def admit(self, reply: str) -> Any:
        assert reply == "source"
        return self.found

    def pay(self, admitted: Any, plain: Sequence[float | None], hinted: Sequence[float | None]) -> float | None:
        self.paid.append((plain, hinted))
        return 0.75


def seats(plain: Seat, hinted: Seat) -> Any:
    return types.SimpleNamespace(proposer=Seat("source"), solver=plain, hinted=hinted)


VERIFIERS = types.SimpleNamespace(Env=Env, AgentConfig=AgentConfig, Task=Task, TaskData=TaskData)


def test_an_episode_designs_plays_both_arms_and_pays() -> None:
    design, agents = Design(), seats(Seat("0", "1"), Seat("1", "2", "3"))
    desk = Desk(design)
    asyncio.run(prime_rl.run_episode(desk, VERIFIERS, None, agents, 3))
    assert desk.paid == [([1.0, 0.0, 0.0], [1.0, 1.0, 1.0])]
    assert sorted(design.begun) == [(number, hinted) for number in range(3) for hinted in (False, True)]
    assert agents.proposer.traces[0].rewards == {"regret": 0.75}
    assert [trace.rewards for trace in agents.solver.traces] == [{"outcome": 1.0}, {"outcome": 0.0}, {"outcome": 0.0}]
    assert agents.solver.heard == [["guess ?", "no"], ["guess ?", "no", "no"], ["guess ?", "no", "no"]]
    assert agents.hinted.heard[2][0] == "guess 3"
    assert agents.solver.tasks[1] == Task(TaskData(1, None, "You play."))


def test_a_missing_outcome_is_no_reward_of_zero() -> None:
    agents = seats(Seat("lost"), Seat("1"))
    desk = Desk(Design())
    asyncio.run(prime_rl.run_episode(desk, VERIFIERS, None, agents, 1))
    assert desk.paid == [([None], [1.0])]
    (trace,) = agents.solver.traces
    assert trace.rewards == {} and not trace.agent.trainable


@pytest.mark.parametrize(("found", "rewards", "trained"), [(-0.8, {"design": -0.8}, True), (None, {}, False)])
def test_refused_designs_are_paid_and_undecided_ones_no_sample(
    found: float | None, rewards: dict[str, float], trained: bool
) -> None:
    agents = seats(Seat(), Seat())
    asyncio.run(prime_rl.run_episode(Desk(found), VERIFIERS, None, agents, 2))
    (trace,) = agents.proposer.traces
    assert trace.rewards == rewards and trace.agent.trainable is trained
    assert not agents.solver.traces and not agents.hinted.traces


def test_the_environment_has_a_third_seat_that_is_not_trained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "verifiers", types.ModuleType("verifiers"))
    monkeypatch.setitem(sys.modules, "verifiers.v1", VERIFIERS)
    monkeypatch.setitem(sys.modules, "proposer_solver", types.SimpleNamespace(ProposerSolverEnvConfig=EnvConfig))
    desk = Desk(Design())
    env, config = prime_rl.environment(desk)
    assert issubclass(config, EnvConfig) and isinstance(config().hinted, AgentConfig)
    agents = seats(Seat("1"), Seat("1"))
    made = env(config(n=2, train_solver=False))
    asyncio.run(made.setup(agents))
    assert [agents.proposer.trainable, agents.solver.trainable, agents.hinted.trainable] == [True, False, False]
    asyncio.run(made.run(None, agents))
    assert len(desk.paid) == 1 and len(desk.paid[0][0]) == 2


def test_without_verifiers_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "verifiers.v1", None)
    with pytest.raises(ConfigError, match="proposer_solver is in environments"):
        prime_rl.environment(Desk(None))
