"""``spade-envs probe --keep-episodes`` and what ``show`` makes of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest
from test_model_player import SUM, model
from test_probe import knowing
from test_probe_cli import admitted, serving

from spade_envs.cli import main
from spade_envs.memory import SqliteMemory
from spade_envs.probe import Probed, Subject
from spade_envs.probe_records import keep_episodes
from spade_envs.types import Episode, StopReason

Capture = pytest.CaptureFixture[str]
__all__ = ["admitted"]


def test_some_episodes_of_each_arm_are_kept_where_that_is_asked_for(
    admitted: Callable[..., str], capsys: Capture
) -> None:
    name = admitted()
    with serving(model(knowing(0, 10))) as url:
        asked = ["probe", name, "--base-url", url, "--max-tokens", "64"]
        assert main([*asked, "--keep-episodes", "9"]) == 2
        assert "--keep-episodes must be 0 to 8, not 9" in capsys.readouterr().err
        assert main(asked) == 0
        with SqliteMemory() as memory:
            assert memory.episodes(SUM.sha256) == ()
        assert main([*asked, "--keep-episodes", "2"]) == 0
    with SqliteMemory() as memory:
        kept = memory.episodes(SUM.sha256)
    assert [(one.hinted, one.success) for one in kept] == [(True, True)] * 2 + [(False, False)] * 2
    capsys.readouterr()
    assert main(["show", name, "--episode"]) == 0
    out = capsys.readouterr().out
    assert "4 episodes are kept, 2 won" in out and "Episode, played by tiny" in out


def test_episodes_without_an_outcome_are_not_kept() -> None:
    lost = Episode("e", 1, "tiny", "What?", (), False, True, StopReason.SERVER_ERROR)
    played = dataclasses.replace(lost, seed=2, stop_reason=StopReason.TURN_LIMIT)
    with SqliteMemory() as memory:
        memory.add_source(SUM)
        probed = Probed(Subject(SUM, "e", "answer", 4, ""), None, (lost, played))
        assert keep_episodes(probed, memory, 1) == 1
        assert memory.episodes(SUM.sha256) == (played,)
