"""What Gymnasium sees, with the real box behind it."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env
from hypothesis import given
from hypothesis import strategies as st

import spade_envs
from spade_envs.admission import admit
from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.errors import RenderModeError, SourceError, StoreError, UnknownEnv
from spade_envs.players import Junk, Scripted
from spade_envs.registry import register
from spade_envs.rollout import play
from spade_envs.rules import EXAMPLE
from spade_envs.sandbox.host import BoxOptions
from spade_envs.shelf import Shelf
from spade_envs.spaces import UnicodeText
from spade_envs.specs import spec_of
from spade_envs.store import bundled_path
from spade_envs.trial import Trial
from spade_envs.types import EnvSource, Limits, StopReason

BUNDLED = [entry.env_id for entry in Shelf(bundled_path()).entries()]
LIMITS = Limits(load_seconds=2.0, reset_seconds=1.0, step_seconds=0.5, grace_seconds=0.5)


def made(text: str, settings: EnvSettings | None = None) -> SpadeEnv:
    return SpadeEnv(EnvSource(text), settings, limits=LIMITS)


@pytest.mark.parametrize("env_id", BUNDLED)
def test_check_env_without_a_warning(env_id: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(env_id)
        check_env(env.unwrapped)
        env.close()


@pytest.mark.parametrize("env_id", BUNDLED)
def test_bundled_environments_are_won_by_their_witness_and_not_by_junk(env_id: str) -> None:
    shelf = Shelf(bundled_path())
    source = shelf.read_source(env_id.rpartition("/")[2])
    trial = Trial(source, Limits(), 0, BoxOptions())
    env = gymnasium.make(env_id).unwrapped
    assert isinstance(env, SpadeEnv)
    for seed in range(10):
        episode = play(env, Scripted(trial.witness(seed), "witness"), seed, env_id=env_id)
        assert episode.success and episode.outcome == 1.0
        assert not play(env, Junk(seed), seed).success
    trial.close()
    env.close()


def test_a_spec_in_json_makes_the_environment_in_a_process_that_never_imported_us(tmp_path: Path) -> None:
    spec = gymnasium.spec("spade/env-0001")
    assert EnvSpec.from_json(spec.to_json()) == spec
    code = (
        "import sys, gymnasium\n"
        "assert 'spade_envs' not in sys.modules\n"
        "env = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(sys.argv[1]))\n"
        "print(env.reset(seed=11)[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, spec.to_json()], capture_output=True, text=True, cwd=tmp_path)
    env = gymnasium.make("spade/env-0001")
    assert done.stdout == env.reset(seed=11)[0] + "\n", done.stderr
    env.close()


def test_module_prefixed_ids_work_anywhere(tmp_path: Path) -> None:
    code = "import gymnasium; print(gymnasium.make('spade_envs:spade/env-0002').reset(seed=1)[1]['seed'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout == "1\n", done.stderr


def test_seeds_are_recorded_and_repeatable() -> None:
    env = made(EXAMPLE)
    first, info = env.reset(seed=5)
    unseeded, other = env.reset()
    assert info["seed"] == 5 and 0 <= other["seed"] < 2**31
    assert env.reset(seed=other["seed"])[0] == unseeded != first
    assert env.reset(seed=2**40)[1]["seed"] == 0
    env.close()


def test_faults_truncate_and_the_next_episode_is_fine() -> None:
    text = EXAMPLE.replace("self.tries += 1", "self.tries += 1\n        if 'bug' in action: raise KeyError(action)")
    env = made(text)
    env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step("bug")
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert info["stop_reason"] == "env_raised" and "KeyError" in info["error"] and "failed" in observation
    assert env.step("more")[1:4] == (0.0, False, True)
    episode = play(env, Scripted(["bug"]), 1)
    assert episode.stop_reason is StopReason.ENV_RAISED and episode.outcome is None
    assert play(env, Scripted(["\\boxed{0}"]), 1).outcome == 0.0
    env.close()


def test_a_reset_that_fails_is_told_and_truncates() -> None:
    env = made(EXAMPLE.replace("rng = random", "1 / 0; rng = random"))
    _, info = env.reset(seed=1)
    assert info["stop_reason"] == "env_raised"
    assert env.step("x")[2:4] == (False, True)
    env.close()


def test_nothing_happens_after_the_end() -> None:
    env = made(EXAMPLE)
    env.reset(seed=1)
    for _ in range(3):
        last = env.step("\\boxed{0}")
    assert last[2:4] == (False, True) and last[4]["stop_reason"] == "turn_limit"
    after = env.step("\\boxed{0}")
    assert after[1:4] == (0.0, False, True) and "reset()" in after[0]
    env.close()


def test_the_adapter_ends_what_never_ends() -> None:
    endless = EXAMPLE.replace("not won and self.tries >= 3", "False")
    text = endless.replace("self.tries = 0", "self.tries = 0; self.max_turns = 5")
    env = made(text)
    episode = play(env, Scripted(["x"] * 50), 1)
    assert len(episode.turns) == 5 and episode.stop_reason is StopReason.TURN_LIMIT and "turns_cut" in episode.repairs
    env.close()


def test_max_turns_can_be_lowered() -> None:
    env = gymnasium.make("spade/env-0002", max_turns=2)
    env.reset(seed=1)
    assert env.step("a")[3] is False
    assert env.step("b")[3] is True
    env.close()


def test_hint_and_tools_in_the_first_observation() -> None:
    plain, hinted = gymnasium.make("spade/env-0003"), gymnasium.make("spade/env-0003", hint=True, tools="text")
    bare, info = plain.reset(seed=2)
    told, _ = hinted.reset(seed=2)
    assert told.startswith(bare) and "\n\nHINT: " in told and "<tool_call>" in told
    names = [tool["function"]["name"] for tool in info["tools"]]
    assert names and all(name in told for name in names)
    assert json.loads(json.dumps(info)) == info
    for env in (plain, hinted):
        env.close()


@pytest.mark.parametrize(
    ("kwargs", "says"),
    [({"tools": "yaml"}, "tools"), ({"max_turns": 0}, "max_turns"), ({"isolation": "vm"}, "isolation")],
)
def test_wrong_arguments_say_what_is_allowed(kwargs: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        gymnasium.make("spade/env-0001", **kwargs)


@pytest.mark.parametrize("env_id", ["spade/env-0001", "spade/env-0002-menu"])
def test_a_render_mode_that_is_none_is_a_type_error_too(env_id: str) -> None:
    # stable_baselines3.common.env_util.make_vec_env asks for this one, and tries again without after a TypeError.
    for kind in (TypeError, ValueError, RenderModeError):
        with pytest.raises(kind, match="render_mode must be None or 'ansi', not 'rgb_array'"):
            gymnasium.make(env_id, render_mode="rgb_array")


def test_actions_must_be_text_and_reset_comes_first() -> None:
    env = made(EXAMPLE)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step("x")
    env.reset(seed=1)
    with pytest.raises(TypeError, match="raw reply"):
        env.step(7)  # type: ignore[arg-type]
    env.close()


def test_a_file_can_be_tried_without_admission(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(EXAMPLE)
    env = gymnasium.make("spade/source", path=str(path))
    assert "What is" in env.reset(seed=1)[0]
    env.close()
    path.write_text("import os\n" + EXAMPLE)
    with pytest.raises(SourceError, match=r"'os' is not available.*line 1"):
        gymnasium.make("spade/source", path=str(path))
    path.write_text("def f(:\n")
    with pytest.raises(SourceError, match=r"does not parse.*line 1"):
        gymnasium.make("spade/source", path=str(path))
    with pytest.raises(OSError, match="no-such"):
        gymnasium.make("spade/source", path=str(tmp_path / "no-such.py"))


def test_an_edited_file_is_refused(tmp_path: Path) -> None:
    shelf = Shelf.create(tmp_path / "lab", "lab", 1)
    done = admit(EXAMPLE, shelf)
    spec = spec_of(shelf.get("env-0001"), off_path=True)
    gymnasium.make(spec).close()
    (tmp_path / "lab" / "env-0001" / "env.py").write_text(EXAMPLE.replace("three", "four"))
    with pytest.raises(StoreError, match="edited"):
        gymnasium.make(spec)
    assert done.env_id == "lab/env-0001"


def test_unknown_names_name_the_nearest() -> None:
    with pytest.raises(UnknownEnv, match="env-0011"):
        gymnasium.make(EnvSpec("spade/env-0119", entry_point="spade_envs.registry:load", kwargs={"name": "env-0119"}))
    with pytest.raises(gymnasium.error.NameNotFound):
        gymnasium.make("spade/env-0999")


def test_foreign_shelves_and_collisions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shelves = [Shelf.create(tmp_path / name, "col", 1) for name in ("a", "b")]
    admit(EXAMPLE, shelves[0])
    admit(EXAMPLE.replace("Right", "Yes"), shelves[1])
    monkeypatch.setenv("SPADE_ENVS_PATH", f"{shelves[0].path}:{shelves[1].path}")
    with pytest.warns(UserWarning, match=r"a/env-0001.*b/env-0001"):
        assert register() == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert register() == 0
    with pytest.warns(UserWarning, match="two texts claim col/env-0001"):
        env = gymnasium.make("col/env-0001")
    assert env.unwrapped.source.text == EXAMPLE
    env.close()
    del gymnasium.registry["col/env-0001"]


@given(st.text(max_size=200))
def test_the_space_contains_any_text(text: str) -> None:
    assert text in UnicodeText(200)
    assert text + "x" * 200 not in UnicodeText(199)


def test_the_space_samples_within_itself() -> None:
    space = UnicodeText(50, seed=3)
    samples = [space.sample() for _ in range(50)]
    assert all(sample in space and sample.isprintable() for sample in samples) and len(set(samples)) > 40
    assert UnicodeText(50, seed=3).sample() == samples[0]
    assert space == UnicodeText(50) != UnicodeText(51)
    assert 7 not in space


def test_several_in_one_sync_vector() -> None:
    envs = gymnasium.make_vec("spade/env-0001", num_envs=3, vectorization_mode="sync")
    observations, _ = envs.reset(seed=4)
    singles = [gymnasium.make("spade/env-0001").reset(seed=4 + i)[0] for i in range(3)]
    assert list(observations) == singles
    envs.close()


def test_version_is_the_packages() -> None:
    import importlib.metadata

    assert spade_envs.__version__ == importlib.metadata.version("spade-envs")
