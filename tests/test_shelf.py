"""Shelves: numbers, bytes, edits by people and strangers, and the derived index."""

from __future__ import annotations

import dataclasses
import json
import os
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from making import edit, header, make_card, make_source, names, put

from spade_envs import atomic, cards, store
from spade_envs import entries as entry_names
from spade_envs.codec import to_json
from spade_envs.entries import read_entries, read_entry
from spade_envs.errors import SourceError, StoreError, UnknownEnv
from spade_envs.store import Shelf
from spade_envs.types import Card, EnvSource, Finding, Origin, Report, Repro, Severity

SCHEMA = json.loads((Path(store.__file__).with_name("card.schema.json")).read_bytes())


@pytest.fixture
def lab(tmp_path: Path) -> Shelf:
    return Shelf.create(tmp_path / "deep" / "lab", "lab", 1)


# Adding and reading


def test_round_trip_is_exact(lab: Shelf) -> None:
    source = dataclasses.replace(make_source("a"), hint="né", parent="0" * 64, document="doc", contract="tools")
    finding = Finding("static.size", Severity.WARNING, "large\ud800", 3, Repro(7, ("x", "\\boxed{1}")))
    report = Report(source.sha256, (finding,), ("probe",), {"load": 0.25}, versions={"python": "3.11"})
    card = make_card(source, hint=source.hint, parent="0" * 64, document="doc", contract="tools", floor=0.05)
    card = dataclasses.replace(card, report=report, name="whatever")
    added = lab.add(source, card)
    assert added == dataclasses.replace(card, name="env-0001")
    again = Shelf(lab.path)
    assert again.read_card("env-0001") == added
    assert again.read_source("env-0001") == source
    assert (lab.path / "env-0001" / "env.py").read_bytes() == source.text.encode("utf-8")
    assert sorted(path.name for path in (lab.path / "env-0001").iterdir()) == ["card.json", "env.py"]
    entry = again.get("env-0001")
    assert entry.env_id == "lab/env-0001"
    assert (entry.sha256, entry.skill, entry.contract) == (source.sha256, "logical-deduction", "tools")
    assert (entry.max_turns, entry.menu, entry.shelf) == (5, True, lab.path)
    assert again.find(source.sha256) == entry
    assert again.find("0" * 64) is None


def test_numbers_grow_and_are_never_reused(lab: Shelf) -> None:
    assert [put(lab, i).name for i in range(3)] == ["env-0001", "env-0002", "env-0003"]
    shutil.rmtree(lab.path / "env-0003")
    assert names(lab) == ["env-0001", "env-0002"]
    assert put(lab, "new").name == "env-0004"
    # A folder above "next", brought by hand or by version control, is stepped over.
    shutil.copytree(lab.path / "env-0004", lab.path / "env-0020")
    with pytest.warns(UserWarning, match=r"env-0020.*not the name of its folder"):
        assert put(lab, "newer").name == "env-0021"
    assert header(lab.path) == {"namespace": "lab", "first": 1, "next": 22}


def test_names_beyond_four_digits_sort_by_number(tmp_path: Path) -> None:
    big = Shelf.create(tmp_path / "big", "lab", 9999)
    assert [put(big, i).name for i in range(2)] == ["env-9999", "env-10000"]
    assert names(Shelf(big.path)) == ["env-9999", "env-10000"]
    full = Shelf.create(tmp_path / "full", "lab", entry_names.MAX_NUMBER)
    put(full, 1)
    with pytest.raises(StoreError, match="full"):
        put(full, 2)
    assert len(full.entries()) == 1


def test_same_source_keeps_its_card(lab: Shelf) -> None:
    first = put(lab, "a")
    assert put(lab, "a", hint="another") == first
    assert header(lab.path)["next"] == 2


@pytest.mark.parametrize("name", ["env-0002", "../env-0001", "env-00001", "env-0001\n", "", "env-٠٠٠١"])
def test_unknown_names(lab: Shelf, name: str) -> None:
    put(lab, 1)
    for read in (lab.get, lab.read_card, lab.read_source):
        with pytest.raises(UnknownEnv, match=r"among 1 environment in .*nearest: lab/env-0001"):
            read(name)
    assert lab.peek(name) is None


def test_add_refuses_what_does_not_belong_together(lab: Shelf) -> None:
    source, other = make_source(1), make_source(2)
    with pytest.raises(StoreError, match="pass its own"):
        lab.add(source, make_card(other))
    with pytest.raises(StoreError, match="source_sha256"):
        lab.add(source, make_card(source, report=Report(other.sha256)))
    with pytest.raises(SourceError, match="surrogate at character 1"):
        bad = EnvSource("#\ud800")
        lab.add(bad, make_card(bad))
    with pytest.raises(SourceError, match="at most"):
        large = EnvSource("#" * (atomic.MAX_BYTES + 1))
        lab.add(large, make_card(large))
    for changes in ({"contract": "quiz"}, {"floor": float("nan")}, {"max_turns": 3.0}, {"made": "yesterday"}):
        with pytest.raises(StoreError, match=next(iter(changes)) if "floor" not in changes else "JSON"):
            lab.add(source, make_card(source, **changes))
    assert header(lab.path)["next"] == 1
    assert lab.entries() == ()


# What people and strangers do to files


def test_edited_source_is_refused(lab: Shelf) -> None:
    card = put(lab, 1)
    path = lab.path / "env-0001" / "env.py"
    path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n"))
    found = EnvSource(path.read_bytes().decode()).sha256
    with pytest.raises(StoreError, match=f"found sha256 {found}, expected {card.sha256}.*admit"):
        lab.read_source("env-0001")
    path.write_bytes(b"\xff")
    with pytest.raises(StoreError, match="not UTF-8"):
        lab.read_source("env-0001")
    path.unlink()
    with pytest.raises(StoreError, match="does not exist"):
        lab.read_source("env-0001")


def test_strange_files_neither_block_nor_fill_the_memory(lab: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    put(lab, 1)
    path = lab.path / "env-0001" / "env.py"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(StoreError, match="not a regular file"):
        lab.read_source("env-0001")
    path.unlink()
    path.write_bytes(b"#" * 5000)
    monkeypatch.setattr(atomic, "MAX_BYTES", 4999)
    with pytest.raises(StoreError, match="larger than 4999"):
        lab.read_source("env-0001")


EDITS: list[tuple[str, object, str]] = [
    ("name", "env-1", r"\$\.name"),
    ("name", "env-0002", r"\$\.name is 'env-0002', but its folder is 'env-0001'"),
    ("sha256", "A" * 64, r"\$\.sha256"),
    ("sha256", "a" * 64 + "\n", r"\$\.sha256"),
    ("sha256", "a" * 64, r"\$\.report\.source_sha256"),
    ("skill", "a\x1b[31mb", r"\$\.skill: 'a\\x1b"),
    ("contract", "quiz", r"\$\.contract: 'quiz' is not one of \['answer', 'interactive', 'tools'\]"),
    ("hint", None, r"\$\.hint"),
    ("max_turns", 0, r"\$\.max_turns: 0 is less than the minimum of 1"),
    ("max_turns", 5.0, r"\$\.max_turns"),
    ("menu", 1, r"\$\.menu"),
    ("witness_kind", "oracle", r"\$\.witness_kind"),
    ("instances", -1, r"\$\.instances"),
    ("floor", 1.5, r"\$\.floor"),
    ("floor", True, r"\$\.floor"),
    ("parent", "mum", r"\$\.parent"),
    ("made", "2026-01-31T12:00:00+02:00", r"\$\.made"),
    ("verdict", "admit", r"'verdict' was unexpected.*; allowed: contract, document, fingerprint, floor"),
    ("report", {}, r"\$\.report: '.*' is a required property"),
    ("report.isolation", "hope", r"\$\.report\.isolation"),
    ("report.seconds", {"load": -1}, r"\$\.report\.seconds\.load"),
    ("report.versions", {"python": 3}, r"\$\.report\.versions\.python"),
    ("report.versions", {"a\x1b[31m": 3}, r"\$\.report\.versions"),
    ("report.verdict", "admit", r"\$\.report: .*'verdict'"),
    ("report.findings", [{"rule": "a.b"}], r"\$\.report\.findings\[0\]"),
]


@pytest.mark.parametrize(("key", "value", "message"), EDITS, ids=[f"{i}-{e[0]}" for i, e in enumerate(EDITS)])
def test_edited_card_is_refused(lab: Shelf, key: str, value: object, message: str) -> None:
    put(lab, 1)
    *into, last = key.split(".")
    path = lab.path / "env-0001" / "card.json"
    edit(path, lambda card: (card[into[0]] if into else card).update({last: value}))
    with pytest.raises(StoreError, match=message) as caught:
        lab.read_card("env-0001")
    assert str(caught.value).isprintable()
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301


@pytest.mark.parametrize("text", ["", "{", '{"floor": NaN}', "[" * 100_000, "\x00", "\ufeff{}"])
def test_card_that_is_no_json(lab: Shelf, text: str) -> None:
    put(lab, 1)
    (lab.path / "env-0001" / "card.json").write_text(text)
    with pytest.raises(StoreError, match="not JSON"):
        lab.read_card("env-0001")


LATER = {
    Card: {"fingerprint", "origin"},
    Report: {"floor", "menu"},
    Origin: {field.name for field in dataclasses.fields(Origin)},
}


def test_a_card_without_the_later_fields_is_read() -> None:
    old = to_json(make_card(make_source(1), name="env-0001"))
    del old["fingerprint"], old["origin"], old["report"]["floor"], old["report"]["menu"]
    card = cards.parse_card(json.dumps(old).encode(), Path("env-0001/card.json"))
    assert (
        card.fingerprint == "" and card.origin == Origin() and card.report.floor is None and card.report.menu is False
    )


def test_schema_is_valid_and_names_every_field() -> None:
    import jsonschema

    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    places = {Card: SCHEMA, Report: SCHEMA["$defs"]["report"], Finding: SCHEMA["$defs"]["finding"]}
    places |= {Repro: SCHEMA["$defs"]["repro"], Origin: SCHEMA["$defs"]["origin"]}
    for cls, place in places.items():
        fields = [f.name for f in dataclasses.fields(cls)]
        assert sorted(place["properties"]) == sorted(fields)
        # Cards made before these fields existed stay good.
        assert sorted(place.get("required", [])) == sorted(set(fields) - LATER.get(cls, set()))
        assert place["additionalProperties"] is False
    card = make_card(make_source(1), name="env-0001")
    assert json.loads(cards.card_bytes(card)) == to_json(card)


# The index


@pytest.mark.parametrize(
    "spoil",
    [
        lambda path: path.unlink(),
        lambda path: path.write_text("{"),
        lambda path: path.write_text("[]"),
        lambda path: path.write_text("[" * 100_000),
        lambda path: edit(path, lambda value: value.update(next=2)),
        lambda path: edit(path, lambda value: value.pop("entries")),
        lambda path: edit(path, lambda value: value["entries"].pop()),
        lambda path: edit(path, lambda value: value["entries"].reverse()),
        lambda path: edit(path, lambda value: value["entries"][0].update(name="../../etc")),
        lambda path: edit(path, lambda value: value["entries"][0].update(name="env-0002")),
        lambda path: edit(path, lambda value: value["entries"][0].update(sha256="0")),
        lambda path: edit(path, lambda value: value["entries"][0].update(sha256="0" * 64 + "\n" + "0" * 64)),
        lambda path: edit(path, lambda value: value["entries"][0].update(sha256="\u0660" * 64)),
        lambda path: edit(path, lambda value: value["entries"][0].update(sha256="A" * 64)),
        lambda path: edit(path, lambda value: value["entries"][0].update(sha256="a " * 32)),
        lambda path: edit(path, lambda value: value["entries"][1].update(fingerprint="f")),
        lambda path: edit(path, lambda value: value["entries"][1].update(fingerprint=7)),
        lambda path: edit(path, lambda value: value["entries"][0].pop("menu")),
        lambda path: edit(path, lambda value: value["entries"][0].update(max_turns=0)),
        lambda path: edit(path, lambda value: value["entries"][0].update(contract=[])),
        lambda path: edit(path, lambda value: value["entries"][0].update(max_turns=True)),
        lambda path: edit(path, lambda value: value["entries"][0].update(menu=0)),
        lambda path: edit(path, lambda value: value["entries"][0].update(skill=None)),
        lambda path: edit(path, lambda value: value["entries"].__setitem__(0, 1)),
    ],
)
def test_index_is_made_again(lab: Shelf, spoil: Callable[[Path], object]) -> None:
    put(lab, 1)
    put(lab, 2)
    path = lab.path / "index.json"
    good, entries = path.read_bytes(), lab.entries()
    spoil(path)
    assert lab.entries() == entries
    assert path.read_bytes() == good


def test_index_is_used_when_it_fits_and_rebuilt_on_demand(lab: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    put(lab, 1)
    edit(lab.path / "env-0001" / "card.json", lambda card: card.update(skill="optimization"))
    opened = []
    real = os.open
    monkeypatch.setattr(os, "open", lambda path, *rest: opened.append(Path(path).name) or real(path, *rest))
    assert lab.entries()[0].skill == "logical-deduction"
    assert opened == ["shelf.json", "index.json"]
    assert lab.rebuild_index()[0].skill == "optimization"
    assert lab.entries()[0].skill == "optimization"


def test_broken_card_is_left_out_and_explained(lab: Shelf) -> None:
    put(lab, 1)
    put(lab, 2)
    card = lab.path / "env-0001" / "card.json"
    good = card.read_bytes()
    edit(card, lambda value: value.update(contract="quiz"))
    (lab.path / "index.json").unlink()
    (lab.path / "env-0003").mkdir()
    with pytest.warns(UserWarning) as caught:
        assert names(lab) == ["env-0002"]
    assert [("env-0001" in str(w.message), "env-0003" in str(w.message)) for w in caught] == [
        (True, False),
        (False, True),
    ]
    with pytest.raises(StoreError, match="quiz"):
        lab.get("env-0001")
    card.write_bytes(good)
    (lab.path / "env-0003").rmdir()
    assert names(lab) == ["env-0001", "env-0002"]


# The shelf itself


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '{"namespace": "lab", "first": 1}',
        '{"namespace": "lab", "first": 1, "next": 1, "last": 2}',
        '{"namespace": "a/b", "first": 1, "next": 1}',
        '{"namespace": "lab\\n", "first": 1, "next": 1}',
        '{"namespace": "lab", "first": 0, "next": 1}',
        '{"namespace": "lab", "first": true, "next": 1}',
        '{"namespace": "lab", "first": 5, "next": 4}',
        '{"namespace": "lab", "first": 1, "next": 1.0}',
    ],
)
def test_broken_header(tmp_path: Path, text: str) -> None:
    (tmp_path / "shelf.json").write_text(text)
    for read in (lambda: Shelf(tmp_path).namespace, Shelf(tmp_path).entries, lambda: put(Shelf(tmp_path), 1)):
        with pytest.raises(StoreError, match=r"shelf\.json.*(restore|allowed)"):
            read()
    with pytest.raises(StoreError):
        Shelf.create(tmp_path, "lab", 1)
    assert (tmp_path / "shelf.json").read_text() == text


def test_create(tmp_path: Path) -> None:
    made = Shelf.create(tmp_path / "a" / "b", "lab", 5)
    assert put(made, 1).name == "env-0005"
    assert names(Shelf.create(made.path, "lab", 1)) == ["env-0005"]
    assert header(made.path) == {"namespace": "lab", "first": 5, "next": 6}
    with pytest.raises(StoreError, match="shelf of 'lab', not 'other'"):
        Shelf.create(made.path, "other", 5)
    with pytest.raises(StoreError, match="namespace"):
        Shelf.create(tmp_path / "c", "a:b", 5)
    # A lost shelf.json must not bring used numbers back.
    (made.path / "shelf.json").unlink()
    assert header(Shelf.create(made.path, "lab", 1).path)["next"] == 6


def test_paths_that_cannot_be_a_shelf(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    for action in (lambda: Shelf.create(file, "lab", 1), lambda: put(Shelf(file), 1), Shelf(file).entries):
        with pytest.raises(StoreError, match=r"is a file|a file is there"):
            action()
    with pytest.raises(StoreError, match="a part of the path is a file"):
        Shelf.create(file / "below", "lab", 1)
    for missing in (tmp_path / "missing", tmp_path / "no" / "parent"):
        with pytest.raises(StoreError, match="is not a shelf"):
            put(Shelf(missing), 1)
        assert not missing.exists()
    assert file.read_text() == "mine"


def test_the_quick_reader_reads_what_the_slow_one_does(lab: Shelf) -> None:
    put(lab, 1)
    put(lab, 2)
    lines = json.loads((lab.path / "index.json").read_bytes())["entries"]
    del lines[1]["fingerprint"]
    wanted = tuple(read_entry(line, "lab", lab.path) for line in lines)
    assert read_entries(lines, "lab", lab.path) == wanted and read_entries([], "lab", lab.path) == ()
