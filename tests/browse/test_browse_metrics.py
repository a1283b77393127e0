"""Curves of a run, from a file that may be half written or hold what is no number."""

from __future__ import annotations

from pathlib import Path

import pytest

from spade_envs.browse.metrics import LONGEST_LINE, MOST_KEYS, MOST_POINTS, Metrics
from spade_envs.errors import StoreError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "metrics.jsonl"


def test_numbers_by_key(path: Path) -> None:
    path.write_text('{"step": 0, "reward": 0.5, "note": "x", "on": true}\n{"step": 1, "reward": 1, "loss": 2e-3}\n')
    metrics = Metrics(path)
    assert metrics.keys() == ("reward", "loss")
    assert metrics.curve("reward").points == ((0.0, 0.5), (1.0, 1.0))
    assert metrics.curve("loss").points == ((1.0, 0.002),)
    assert metrics.curve("there is none").points == ()


def test_a_half_written_line_is_read_once_it_is_whole(path: Path) -> None:
    path.write_text('{"step": 0, "a": 1}\n{"step": 1, "a"')
    metrics = Metrics(path)
    assert metrics.curve("a").points == ((0.0, 1.0),) and metrics.skipped == 0
    with path.open("a") as file:
        file.write(': 2}\n{"step": 2')
    assert metrics.curve("a").points == ((0.0, 1.0), (1.0, 2.0)) and metrics.skipped == 0


def test_what_is_no_finite_number_is_a_gap(path: Path) -> None:
    lines = ["NaN", "Infinity", "null", "1e999", "1" + "0" * 400]
    path.write_text(
        '{"step": 0, "a": 1}\n' + "".join(f'{{"step": {n}, "a": {text}}}\n' for n, text in enumerate(lines, 1))
    )
    assert Metrics(path).curve("a").points == ((0.0, 1.0), *((float(n), None) for n in range(1, 6)))


def test_a_key_that_is_never_a_number_is_none(path: Path) -> None:
    path.write_text('{"step": 0, "a": NaN, "b": null}\n')
    assert Metrics(path).keys() == ()


@pytest.mark.parametrize(
    "line",
    ["nonsense", "[1, 2]", '{"a": 1}', '{"step": "x", "a": 1}', '{"step": NaN, "a": 1}', "[" * 100_000, "\ufffd{"],
)
def test_lines_that_cannot_be_read_are_skipped(path: Path, line: str) -> None:
    path.write_text(f'{line}\n\n{{"step": 1, "a": 1}}\n')
    metrics = Metrics(path)
    assert metrics.keys() == ("a",) and metrics.skipped == 1


def test_bytes_that_are_no_text_are_skipped(path: Path) -> None:
    path.write_bytes(b'\xff\xfe\x00\n{"step": 1, "a": 1}\n')
    assert Metrics(path).keys() == ("a",)


def test_an_endless_line_is_skipped(path: Path) -> None:
    path.write_text('{"step": 0, "b": "' + "x" * (2 * LONGEST_LINE) + '"}\n{"step": 1, "a": 1}\n')
    metrics = Metrics(path)
    assert metrics.keys() == ("a",) and metrics.skipped == 1


def test_a_step_that_comes_again_counts_as_it_came_last(path: Path) -> None:
    path.write_text('{"step": 1, "a": 1}\n{"step": 2, "a": 2}\n{"step": 1, "a": 5}\n')
    assert Metrics(path).curve("a").points == ((1.0, 5.0), (2.0, 2.0))


def test_a_file_that_was_replaced_is_read_anew(path: Path) -> None:
    path.write_text('{"step": 1, "a": 1}\n' * 3)
    metrics = Metrics(path)
    assert metrics.keys() == ("a",)
    path.write_text('{"step": 1, "b": 1}\n')
    assert metrics.keys() == ("b",)


def test_curves_have_no_more_points_than_show(path: Path) -> None:
    path.write_text("".join(f'{{"step": {n}, "a": {n}}}\n' for n in range(5000)))
    curve = Metrics(path).curve("a")
    assert len(curve.points) == MOST_POINTS and curve.steps == 5000
    assert curve.points[0][0] == curve.points[0][1] and curve.points[-1][0] > 4990


def test_hostile_keys_are_bounded(path: Path) -> None:
    path.write_text("".join(f'{{"step": {n}, "k{n}": 1}}\n' for n in range(MOST_KEYS + 50)))
    assert len(Metrics(path).keys()) == MOST_KEYS


def test_a_file_that_is_not_there_is_an_error_that_says_so(path: Path) -> None:
    with pytest.raises(StoreError, match="name the file the trainer writes"):
        Metrics(path).keys()
