"""Configurations from TOML and back: nothing unknown, unused or of another type passes, and errors say where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from checkout import ROOT

from spade_envs.errors import StoreError
from spade_envs.selfplay.config import Config
from spade_envs.selfplay.described import descriptions, sections, settings
from spade_envs.selfplay.failures import ConfigError
from spade_envs.selfplay.presets import ABLATIONS, PRESETS, ablated, assembled, preset
from spade_envs.selfplay.reading import Setting, config_text, read_settings, resolved, save_config, toml
from spade_envs.selfplay.run_folder import CHANGEABLE, CONFIG_FILE, kept_config, note, settle


def read(path: Path, text: str) -> Config:
    """The configuration that a file with this text stands for."""
    path.write_text(text, "utf-8")
    return resolved(Config(), read_settings(path))


@pytest.mark.parametrize("name", PRESETS)
def test_there_and_back_is_the_same(name: str, tmp_path: Path) -> None:
    assert read(tmp_path / "run.toml", config_text(PRESETS[name].config)) == PRESETS[name].config


def test_strange_texts_come_back(tmp_path: Path) -> None:
    config = resolved(Config(), [Setting("run.folder", 'a "b" \\ ü 🙂 #c', "here")])
    assert read(tmp_path / "run.toml", config_text(config)) == config


def test_a_part_is_enough(tmp_path: Path) -> None:
    config = read(
        tmp_path / "run.toml", '[train]\nlr = 1\n[design]\nskills = ["optimization"]\nplateau = [0.4, 0.6, 0.25]'
    )
    assert (config.train.lr, type(config.train.lr)) == (1.0, float)
    assert config.design.skills == ("optimization",) and config.run == Config().run


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "[run]\nseed = 1\ncycels = 3",
            "run.toml line 3: there is no run.cycels; did you mean cycles? [run] has folder",
        ),
        ("[train]\n\n  loss_ = 1\nseed = 1", "run.toml line 3: there is no train.loss_; did you mean loss? "),
        ("[train]\nwarm_up = 1", "there is no train.warm_up; did you mean [engine] warm_up? "),
        ("[trian]\nlr = 1", "run.toml line 1: there is no section [trian]; did you mean train? A file has [run], "),
        ("seed = 1\n[run]", "run.toml line 1: seed is outside of a section; did you mean [run] seed? "),
        ("run.seed = -1", "run.toml line 1: run.seed must be a whole number from 0"),
        ("[run]\nseed = '1'", 'run.toml line 2: run.seed must be a whole number, not "1"'),
        ("[run]\nseed = true", "run.seed must be a whole number, not true"),
        ("[run]\nfolder = 3", "run.folder must be a text, not 3"),
        ("[design]\nguard = 0", "design.guard must be true or false, not 0"),
        ("[design]\nskills = 'optimization'", 'design.skills must be a list, such as ["..."], not "optimization"'),
        ("[design]\nskills = [1]", "design.skills must be a text, not 1"),
        ("[train]\nbetas = 0.9", "train.betas must be a list, such as [0.5, 0.5], not 0.9"),
        ("[run]\nseed = 1979-05-27", "run.seed must be a whole number, not datetime.date"),
        ("[train]\nkl_ratio = true", "train.kl_ratio = True is not used with train.kl = 0"),
        ("[run]\nseed = 1\nseed = 2", "is not TOML"),
        ("[run", "is not TOML"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as error:
        read(tmp_path / "run.toml", text)
    assert said in str(error.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not exist"):
        read_settings(tmp_path / "run.toml")


def test_flags_win_over_the_file_and_the_file_over_the_preset() -> None:
    file = [Setting("run.seed", 1, "f"), Setting("run.cycles", 7, "f")]
    config = assembled(preset("tiny-cpu"), file, (), [Setting("run.seed", 2, "--run.seed")])
    assert (config.run.seed, config.run.cycles, config.engine.model) == (2, 7, "tiny")


def test_what_a_preset_sets_and_a_flag_leaves_without_use_is_let_go() -> None:
    config = assembled(preset("paper-games-4b"), (), (), [Setting("design.reward", "learnability", "flag")])
    assert config.design.guard is Config().design.guard
    with pytest.raises(ConfigError, match=r"design\.guard = False is not used"):
        assembled(
            preset("paper-games-4b"),
            [Setting("design.guard", False, "f")],
            ["solve-rate"],
            [Setting("design.guard", False, "f")],
        )


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("ablation", ABLATIONS)
def test_every_ablation_goes_with_every_preset(name: str, ablation: str) -> None:
    pool = [Setting("design.pool", "pool", "flag")] if ablation == "fixed-pool" else []
    if (name, ablation) == ("tiny-cpu", "no-corpus"):
        pytest.skip("it has none")
    assert assembled(preset(name), (), [ablation], pool) != preset(name)


def test_what_is_not_there_has_the_nearest_name() -> None:
    with pytest.raises(ConfigError, match="did you mean tiny-cpu"):
        preset("tiny-cup")
    with pytest.raises(ConfigError, match="did you mean no-memory"):
        ablated(Config(), ["nomemory"])
    with pytest.raises(ConfigError, match="no-corpus changes nothing of this run"):
        ablated(preset("tiny-cpu"), ["no-corpus"])


def test_every_setting_is_described() -> None:
    for section, field in settings():
        assert descriptions().get(f"{section}.{field}"), f"{section}.{field} has no docstring"
    assert all(descriptions()[section].endswith(".") for section in sections())


def test_a_saved_file_is_not_written_over(tmp_path: Path) -> None:
    save_config(Config(), tmp_path / "a.toml")
    with pytest.raises(StoreError, match="is there already and is not overwritten"):
        save_config(preset("tiny-cpu"), tmp_path / "a.toml")
    assert read(tmp_path / "b.toml", (tmp_path / "a.toml").read_text("utf-8")) == Config()


def test_a_run_begins_in_a_folder_of_its_own(tmp_path: Path) -> None:
    config = resolved(Config(), [Setting("run.folder", str(tmp_path / "run"), "flag")])
    assert settle(config, resume=False) == tmp_path / "run"
    assert kept_config(tmp_path / "run") == config
    with pytest.raises(ConfigError, match="has a run; go on with it"):
        settle(config, resume=False)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("text")
    mine = resolved(config, [Setting("run.folder", str(tmp_path / "mine"), "flag")])
    with pytest.raises(ConfigError, match="is not empty"):
        settle(mine, resume=False)
    assert [one.name for one in (tmp_path / "mine").iterdir()] == ["thesis.tex"]


def test_a_run_goes_on_with_its_own_settings(tmp_path: Path) -> None:
    config = resolved(Config(), [Setting("run.folder", str(tmp_path / "run"), "flag")])
    settle(config, resume=False)
    longer = resolved(config, [Setting("run.cycles", 500, "flag"), Setting("run.keep", 9, "flag")])
    settle(longer, resume=True)
    note(longer)
    assert kept_config(tmp_path / "run") == longer
    before = (tmp_path / "run" / CONFIG_FILE).read_bytes()
    other = resolved(longer, [Setting("train.lr", 0.5, "flag"), Setting("run.cycles", 501, "flag")])
    with pytest.raises(ConfigError, match=r"cannot go on with other settings: train.lr was 1e-06, is 0.5; begin"):
        settle(other, resume=True)
    assert (tmp_path / "run" / CONFIG_FILE).read_bytes() == before


def test_a_run_that_is_not_there_does_not_go_on(tmp_path: Path) -> None:
    config = resolved(Config(), [Setting("run.folder", str(tmp_path), "flag")])
    with pytest.raises(ConfigError, match=r"has no config\.toml, so no run to go on with"):
        settle(config, resume=True)
    assert list(tmp_path.iterdir()) == []


def test_what_may_change_is_there() -> None:
    assert {f"{section}.{field}" for section, field in settings()} > CHANGEABLE


def test_the_page_lists_every_setting_with_its_default() -> None:
    text = (ROOT / "docs" / "self-play.md").read_text("utf-8").partition("\n## Settings\n")[2].partition("\n## ")[0]
    listed = []
    for part in text.split("\n### ")[1:]:
        section = part.partition("\n")[0]
        rows = re.findall(r"^\| `(\w+)` \| (.+?) \| .+ \|$", part, flags=re.MULTILINE)
        listed += [(section, field, default.strip("`")) for field, default in rows]
    default = Config()
    expected = [(section, field, toml(getattr(getattr(default, section), field))) for section, field in settings()]
    expected = [
        (section, field, "the six of reasoning" if field == "skills" else text) for section, field, text in expected
    ]
    assert listed == expected
