"""Where shelves are looked for: the bundled one, the user's own, and those named by the environment."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from making import edit, put

from spade_envs import entries as entry_names
from spade_envs import index, shelf, store
from spade_envs.errors import StoreError, UnknownEnv
from spade_envs.store import Shelf, resolve


@pytest.fixture
def bundled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    monkeypatch.setattr(store, "bundled_path", lambda: tmp_path / "bundled")
    return Shelf.create(tmp_path / "bundled", "spade", 1)


def test_bundled_shelf_stops_before_the_users_numbers(bundled: Shelf) -> None:
    edit(bundled.path / "shelf.json", lambda value: value.update(next=999))
    assert put(bundled, 1).name == "env-0999"
    with pytest.raises(StoreError, match="ends at env-0999"):
        put(bundled, 2)


def test_home(data_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert store.home() == data_home
    monkeypatch.setenv("HOME", "/somewhere")
    monkeypatch.setenv("SPADE_ENVS_HOME", "~/envs")
    assert store.home() == Path("/somewhere/envs")
    monkeypatch.setenv("SPADE_ENVS_HOME", "here")
    assert store.home() == Path.cwd() / "here"
    monkeypatch.setenv("SPADE_ENVS_HOME", "")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert store.home() == Path("/data/spade-envs")


def test_search_path_in_order(bundled: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [one.path for one in store.search_path()] == [bundled.path]
        assert not store.home().exists(), "looking must not make anything"
        mine = store.user_shelf()
        more = [Shelf.create(tmp_path / name, name, 1).path for name in ("zoo", "lab")]
        monkeypatch.setenv("SPADE_ENVS_PATH", os.pathsep.join(["", *map(str, [*more, more[0], bundled.path])]))
        assert [one.path for one in store.search_path()] == [bundled.path, mine.path, *more]
    assert put(mine, 1).name == "env-1001"
    assert put(store.user_shelf(), 2).name == "env-1002"


def test_bad_shelves_are_left_out_with_one_warning_each(
    tmp_path: Path, data_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Shelf.create(tmp_path / "bundled", "other", 1)
    monkeypatch.setattr(store, "bundled_path", lambda: tmp_path / "bundled")
    Shelf.create(data_home / "shelf", "spade", 1)
    Shelf.create(tmp_path / "thief", "spade", 2000)
    Shelf.create(tmp_path / "good", "lab", 1)
    Shelf.create(tmp_path / "broken", "zoo", 1).path.joinpath("shelf.json").write_text("{")
    paths = [str(tmp_path / name) for name in ("thief", "missing", "broken", "good")]
    monkeypatch.setenv("SPADE_ENVS_PATH", os.pathsep.join(paths))
    with pytest.warns(UserWarning) as caught:
        assert [one.namespace for one in store.search_path()] == ["lab"]
    texts = [str(warning.message) for warning in caught]
    expected = ["'other', but only 'spade'", "numbers from 1", "'spade' is taken", "is not a shelf", "not JSON"]
    assert len(texts) == len(expected)
    assert all(part in text for part, text in zip(expected, texts, strict=True))
    with pytest.raises(StoreError, match="numbers from 1"):
        store.user_shelf()


def test_resolve(bundled: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(bundled, "b")
    mine = put(store.user_shelf(), "m")
    zoo, lab = (Shelf.create(tmp_path / name, "lab", 1) for name in ("zoo", "lab"))
    first, second = put(zoo, "first"), put(lab, "second")
    monkeypatch.setenv("SPADE_ENVS_PATH", f"{zoo.path}{os.pathsep}{lab.path}")
    assert resolve("env-0001")[0].path == bundled.path
    found, entry = resolve("env-1001", mine.sha256)
    assert (found.path, entry.env_id) == (store.home() / "shelf", "spade/env-1001")
    assert resolve("env-0001", namespace="lab")[1].sha256 == first.sha256
    assert resolve("env-0001", second.sha256, "lab")[0].path == lab.path
    assert resolve("env-0001", shelf=str(lab.path))[1].sha256 == second.sha256
    with pytest.raises(StoreError, match=f"zoo/env-0001/env.py has {first.sha256}; .*lab/env-0001/env.py has"):
        resolve("env-0001", "0" * 64, "lab")
    with pytest.raises(StoreError, match="lab/env-0001 is wanted with sha256 000"):
        resolve("env-0001", "0" * 64, shelf=lab.path)
    with pytest.raises(UnknownEnv, match=r"'spade/env-1002' among 4 environments in .*nearest: spade/env-1001"):
        resolve("env-1002")
    with pytest.raises(UnknownEnv, match=r"'lab/env-0009' among 1 environment in [^,]*lab; nearest: lab/env-0001"):
        resolve("env-0009", shelf=str(lab.path))
    with pytest.raises(StoreError, match="is not a shelf"):
        resolve("env-0001", shelf=str(tmp_path / "missing"))


def test_import_is_light_and_examples_run() -> None:
    slow = "{'jsonschema', 'filelock', 'sqlite3', 'spade_envs.types', 'spade_envs.cards'}"
    code = f"import sys, spade_envs.store; print(sorted({slow} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
    for module in (entry_names, index, shelf):
        result = doctest.testmod(module)
        assert result.attempted and not result.failed
