"""Playing outside the gate: what a finding's repro shows, and the author's own solution."""

from __future__ import annotations

from typing import Any

import pytest

from spade_envs.admission import validate
from spade_envs.env import SEEDS, EnvSettings
from spade_envs.reproduction import play_witness, reproduce
from spade_envs.rules import assemble
from spade_envs.sandbox import pool
from spade_envs.sandbox.host import BoxOptions, Worker
from spade_envs.types import EnvSource, FaultKind, Limits, StopReason

RAISES = assemble(
    "def step(self, action):\n    self.tries += 1\n    won = int(action[7:-1]) == self.a + self.b\n"
    "    return 'Wrong.', float(won), won, not won and self.tries >= 3, {}\n"
)
ECHO = "class EchoEnv:\n def reset(self, seed=None): return f'seed {seed}', {}\n def step(self, action): return END\n"
SAYS = ECHO.replace("END", "action, 0.0, False, False, {}")


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[Worker]:
    """Every worker that is started."""
    started: list[Worker] = []

    def start(*args: Any) -> Worker:
        started.append(Worker(*args))
        return started[-1]

    monkeypatch.setattr(pool, "Worker", start)
    return started


# -- reproduce -------------------------------------------------------------------------------------------------


def test_the_repro_of_a_finding_shows_its_fault(workers: list[Worker]) -> None:
    report = validate(RAISES, limits=Limits(witness_seeds=4, play_seeds=2, search_seconds=0.2))
    (finding,) = [finding for finding in report.findings if finding.rule == "robustness.raises"]
    assert finding.repro is not None
    episode = reproduce(RAISES, finding.repro.seed, finding.repro.actions)
    assert episode.error is not None and episode.error.kind is FaultKind.RAISED and episode.error.phase == "step"
    assert "ValueError" in episode.error.message and episode.error.message in finding.message
    assert episode.stop_reason is StopReason.ENV_RAISED and episode.outcome is None
    assert all(worker.dead is not None for worker in workers)


def test_it_plays_the_actions_of_the_seed_until_the_end(workers: list[Worker]) -> None:
    episode = reproduce(SAYS, 12, ["a", "\\boxed{b} and \\boxed{c}"])
    assert (episode.observation, episode.seed, episode.error) == ("seed 12", 12, None)
    assert [turn.observation for turn in episode.turns] == ["a", "\\boxed{c}"]
    assert episode.actions == ("a", "\\boxed{b} and \\boxed{c}") and episode.stop_reason is StopReason.PLAYER_STOPPED
    short = reproduce(ECHO.replace("END", "action, 1.0, action == 'b', False, {}"), 1, ["a", "b", "c"])
    assert short.actions == ("a", "b") and short.success
    assert len(workers) == 2 and all(worker.dead is not None for worker in workers)


def test_without_actions_it_only_resets() -> None:
    assert reproduce(SAYS, 5).turns == () and reproduce(SAYS, SEEDS + 5).observation == "seed 5"
    broken = reproduce(SAYS.replace("return f'seed {seed}', {}", "raise KeyError(seed)"), 7, ["a"])
    assert broken.error is not None and (broken.error.phase, broken.error.message) == ("reset", "KeyError: 7")
    assert broken.turns == ()


@pytest.mark.parametrize("text", ["class", "import os\n" + SAYS, "x = 1"])
def test_a_source_that_does_not_load_is_an_episode_too(text: str, workers: list[Worker]) -> None:
    episode = reproduce(text, 1, ["a"])
    assert episode.error is not None and episode.error.phase == "load" and episode.turns == ()
    assert all(worker.dead is not None for worker in workers)


def test_the_declared_contract_reads_the_actions() -> None:
    reply = "So <answer>7</answer>, \\boxed{8}."
    read = {
        contract: reproduce(EnvSource(SAYS, contract=contract), 1, [reply]).turns[0].action
        for contract in ("tools", "answer")
    }
    assert read == {"tools": "<answer>7</answer>", "answer": "\\boxed{8}"}


def test_the_box_is_built_as_asked() -> None:
    text = "import os\n" + ECHO.replace("END", "str(os.getpid() > 0), 0.0, False, False, {}")
    episode = reproduce(text, 1, ["a"], options=BoxOptions(language=False))
    assert episode.error is None and episode.turns[0].observation == "True"


# -- the witness -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "solution",
    [
        "return [f'\\\\boxed{{{self.a + self.b}}}']",
        "return str(self.a + self.b)",
        "yield f'\\\\boxed{{{self.a + self.b}}}'",
    ],
    ids=["list", "text", "generator"],
)
def test_the_witness_wins(solution: str, workers: list[Worker]) -> None:
    source = EnvSource(assemble(f"def solution(self):\n    {solution}\n"))
    first, second = (play_witness(source, seed, env_id="spade/x") for seed in (3, 4))
    assert first.success and second.success and first.actions != second.actions
    assert (first.seed, first.player, first.env_id) == (3, "witness", "spade/x")
    assert workers and all(worker.dead is not None for worker in workers)


def test_a_witness_is_searched_where_there_is_none() -> None:
    text = ECHO.replace("{seed}", "{seed}: say open or `shut`").replace("END", "'', 1.0, action == GOAL, False, {}")
    episode = play_witness(EnvSource(text.replace("GOAL", "'\\\\boxed{shut}'")), 3)
    assert episode.success and len(episode.turns) == 1


def test_without_a_witness_nothing_is_played() -> None:
    episode = play_witness(EnvSource(assemble("def solution(self):\n    return ['no']\n")), 3)
    assert episode.turns == () and not episode.success and episode.error is None and "What is" in episode.observation


def test_settings_decide_how_it_is_played() -> None:
    slow = assemble("def solution(self):\n    return ['a', 'b', f'\\\\boxed{{{self.a + self.b}}}']\n")
    source = EnvSource(slow.replace("self.tries >= 3", "self.tries >= 9"), hint="Add them.")
    assert play_witness(source, 3).success
    cut = play_witness(source, 3, settings=EnvSettings("answer", max_turns=2, hint="Add them.", hinted=True))
    assert len(cut.turns) == 2 and cut.stop_reason is StopReason.TURN_LIMIT and cut.hinted
    assert "Add them." in cut.observation
