"""What whole runs pay: designs that teach nothing earn nothing, and the last designs of a run are trained on too."""

from __future__ import annotations

import dataclasses
import random
from pathlib import Path
from typing import Any

import pytest
from worlds import adding, config, fenced, policy, remembered_checks, right_answer, sometimes

from spade_envs.bulk import Checkers
from spade_envs.selfplay.checkpoint import Checkpoints
from spade_envs.selfplay.runs import train
from spade_envs.selfplay.scripted import ScriptedLearner
from spade_envs.selfplay.steps import AGENT, DESIGNER, StepBatch, Update
from spade_envs.types import EnvSource, Report

KNOWN: dict[Any, Any] = {}
FAIR = adding(0)


@pytest.fixture(autouse=True)
def one_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each source is really checked once, for all runs here."""
    monkeypatch.setattr(Checkers, "submit", remembered_checks(KNOWN))


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> list[StepBatch]:
    """What was trained on, step by step."""
    seen: list[StepBatch] = []
    real = ScriptedLearner.update

    def update(self: ScriptedLearner, batch: StepBatch) -> Update:
        seen.append(batch)
        return real(self, batch)

    monkeypatch.setattr(ScriptedLearner, "update", update)
    return seen


PASSWORD = """
class PasswordEnv:
    def reset(self, seed=None):
        rng = random.Random(seed)
        self.word = "".join(rng.choice("abcdefghij") for _ in range(8))
        return "Say the password as \\\\boxed{WORD}.", {}

    def step(self, action):
        won = action == f"\\\\boxed{{{self.word}}}"
        return "Right." if won else "Wrong.", float(won), True, False, {}

    def solution(self):
        return [f"\\\\boxed{{{self.word}}}"]

    def hint(self):
        return f"The password is {self.word}."
"""
COIN = """
class CoinEnv:
    def reset(self, seed=None):
        self.side = random.Random(seed).choice(["heads", "tails"])
        return "Call the coin: \\\\boxed{heads} or \\\\boxed{tails}.", {}

    def step(self, action):
        won = action == f"\\\\boxed{{{self.side}}}"
        return f"It was {self.side}.", float(won), True, False, {}

    def solution(self):
        return [f"\\\\boxed{{{self.side}}}"]

    def hint(self):
        return "Both sides are equally likely."
"""
ALWAYS = """
class AlwaysEnv:
    def reset(self, seed=None):
        return f"Say anything about {random.Random(seed).randint(1, 10**6)}.", {}

    def step(self, action):
        return "Right.", 1.0, True, False, {}

    def solution(self):
        return ["\\\\boxed{yes}"]

    def hint(self):
        return "Anything will do."
"""
HANGS = FAIR.replace("        won = ", "        while action != self.solution()[0]: pass\n        won = ")


def password(conversation: Any) -> str:
    """The word that the hint tells; without it, nobody knows."""
    return "\\boxed{" + conversation[1][1].rpartition("The password is ")[2].strip(". \n") + "}"


def coin(conversation: Any) -> str:
    """A call that nothing can make better."""
    return "\\boxed{heads}"


def knows(hinted: bool, draw: Any, version: int) -> bool:
    return hinted


def always(hinted: bool, draw: Any, version: int) -> bool:
    return True


CASES = {
    "password": (PASSWORD, knows, password, 0.25),
    "coin": (COIN, always, coin, 0.15),
    "always": (ALWAYS, always, right_answer, 0.0),
    "hangs": (HANGS, sometimes, right_answer, -0.29),
}
"""Source, who wins, what wins, and the most its designer may earn, were it to pass the gate."""


def paid(folder: Path, text: str, wins: Any, answer: Any, batches: list[StepBatch], **changed: Any) -> float:
    """What a designer of one environment earns."""
    made = config(folder, cycles=1, slots=1, plain=16, hinted=16, memory_seeds=0, memory_negatives=0, **changed)
    train(made, script=policy(lambda draw: fenced(text), wins, answer))
    (one,) = [one for one in batches[-1].trajectories if one.role == DESIGNER]
    return one.reward


@pytest.mark.parametrize("case", CASES)
def test_the_gate_refuses_what_teaches_nothing(case: str, tmp_path: Path, batches: list[StepBatch]) -> None:
    text, wins, answer, _ = CASES[case]
    assert paid(tmp_path / "run", text, wins, answer, batches) <= -0.3


@pytest.mark.parametrize("case", CASES)
def test_what_teaches_nothing_earns_nothing_even_past_the_gate(
    case: str, tmp_path: Path, batches: list[StepBatch]
) -> None:
    text, wins, answer, most = CASES[case]
    source = EnvSource(text + "\n")
    KNOWN[(source.text, "answer", "", ())] = Report(source.sha256, contract="answer", max_turns=4)
    try:
        earned = paid(tmp_path / "run", text, wins, answer, batches, novelty="off")
    finally:
        del KNOWN[(source.text, "answer", "", ())]
    assert earned <= most + 1e-9


def test_what_can_be_learnt_earns_something(tmp_path: Path, batches: list[StepBatch]) -> None:
    earned = paid(tmp_path / "run", FAIR, sometimes, right_answer, batches)
    assert earned > 0.25


def test_agents_are_compared_within_their_environment(tmp_path: Path, batches: list[StepBatch]) -> None:
    train(config(tmp_path / "run", cycles=1), script=policy(lambda draw: fenced(adding(draw.seed % 3)), sometimes))
    groups: dict[str, list[float]] = {}
    for one in batches[0].trajectories:
        if one.role == AGENT:
            groups.setdefault(one.group, []).append(one.advantage or 0.0)
    assert groups and all(len(group) == 4 and abs(sum(group)) < 1e-12 for group in groups.values())
    assert all("HINT" not in bytes(t for t in one.token_ids if t < 256).decode() for one in batches[0].trajectories
               if one.role == AGENT), "hinted episodes are measured only"  # fmt: skip


def test_the_last_designs_are_trained_on(tmp_path: Path, batches: list[StepBatch]) -> None:
    made = config(tmp_path / "run", cycles=6, interval=2, delay=2, novelty="off")
    train(made, script=policy(lambda draw: fenced(adding(draw.seed % 5)), sometimes))
    designers = [sum(one.role == DESIGNER for one in batch.trajectories) for batch in batches]
    assert designers == [0, 0, 3, 0, 3, 3], "designs of cycle 4 are due after the end"
    state = Checkpoints(tmp_path / "run", 2).load(tmp_path / "run" / "checkpoints" / "000006", ScriptedLearner(0))
    assert len(state.buffer) == 0


def test_environments_are_played_again_between_designs(tmp_path: Path) -> None:
    drawn: list[str] = []

    def wins(hinted: bool, draw: Any, version: int) -> bool:
        drawn.append(draw.key)
        return sometimes(hinted, draw, version)

    made = config(tmp_path / "run", cycles=4, interval=2, novelty="off")
    train(made, script=policy(lambda draw: fenced(adding(draw.seed % 5)), wins))
    arms = [{tuple(key.split(":")[1:3]) for key in drawn if key.startswith(f"{cycle}:")} for cycle in range(4)]
    assert {arm for _, arm in arms[0]} == {"plain", "hinted"} and {arm for _, arm in arms[1]} == {"plain"}
    assert {key for key, _ in arms[0]} == {key for key, _ in arms[1]} != {key for key, _ in arms[2]}


def test_both_arms_have_the_same_seeds_and_the_same_draws(tmp_path: Path) -> None:
    made = config(tmp_path / "run", cycles=1, slots=1)
    drawn: dict[str, int] = {}

    def wins(hinted: bool, draw: Any, version: int) -> bool:
        drawn[draw.key] = draw.seed
        return sometimes(hinted, draw, version)

    train(made, script=policy(lambda draw: fenced(adding(1)), wins))
    assert len(drawn) == 8 and len(set(drawn.values())) == 4
    assert all(drawn[key] == drawn[key.replace("plain", "hinted")] for key in drawn)
    collected = Checkpoints(tmp_path / "run", 2).draws(0)
    assert collected is not None
    (played,) = collected.played
    arms = [[play.episode for play in arm] for arm in (played.plain, played.hinted)]
    assert [one.seed for one in arms[0]] == [one.seed for one in arms[1]] and len({one.seed for one in arms[0]}) == 4
    assert [one.hinted for arm in arms for one in arm] == [False] * 4 + [True] * 4
    for plain, hinted in zip(*arms, strict=True):
        assert hinted.observation.startswith(plain.observation) and "HINT" in hinted.observation


def test_the_same_seed_runs_the_same_and_another_one_otherwise(tmp_path: Path, batches: list[StepBatch]) -> None:
    for name, seed in (("a/run", 0), ("b/run", 0), ("c/run", 1)):
        (tmp_path / name).parent.mkdir()
        train(config(tmp_path / name, cycles=1, seed=seed), script=policy(_design, sometimes))
    first, again, other = batches
    assert first == again != other
    assert dataclasses.asdict(first) == dataclasses.asdict(again)


def _design(draw: Any) -> str:
    return fenced(adding(random.Random(draw.seed).randrange(8)))
