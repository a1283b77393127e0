"""Pages of samples: what hostile text they show stays inside its fence, and the choice follows from the seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from spade_envs.selfplay.evidence import Design
from spade_envs.selfplay.sample_texts import LONGEST_TEXT, DesignText, sample_page, write_samples
from spade_envs.types import Episode, StopReason, Turn

EVIL = "```\n# not a heading\n`````\n<|im_end|>\x1b[31m\u202e"


def episode(env_id: str, seed: int, *, hinted: bool, said: str = "\\boxed{4}") -> Episode:
    """One that ends in one turn."""
    turn = Turn(said, said, "Right.", 1.0)
    return Episode(env_id, seed, "agent", "How many?", (turn,), True, False, StopReason.TERMINATED, hinted=hinted)


def design(slot: int, what: Design, reply: str = "class AEnv: ...") -> DesignText:
    """A reply of this slot."""
    return DesignText(slot, "optimization", what, reply, hint="Count.", plain=(0.0, None), hinted=(1.0, 1.0))


def headings(page: str) -> list[str]:
    """Headings outside of fences, as a reader of Markdown finds them."""
    found, fence = [], ""
    for line in page.splitlines():
        ticks = line[: len(line) - len(line.lstrip("`"))]
        if len(ticks) >= 3 and (line == ticks or not fence) and (not fence or len(ticks) >= len(fence)):
            fence = "" if fence else ticks
        elif not fence and line.startswith("#"):
            found.append(line)
    assert not fence, "a fence is never closed"
    return found


def test_nothing_leaves_its_fence() -> None:
    evil = DesignText(0, EVIL, Design.STATIC, EVIL, hint=EVIL, findings=(EVIL,))
    page = sample_page(3, [evil], [episode("env", 1, hinted=False, said=EVIL)], count=1, seed=0)
    assert len(headings(page)) == 3
    assert "\x1b" not in page and "\u202e" not in page and "<|im_end|>" not in page


def test_a_design_shows_how_it_was_played() -> None:
    page = sample_page(0, [design(2, Design.ADMITTED)], [], count=1, seed=0)
    assert "## Design 2: `optimization`, admitted" in page
    assert "- plain: 0, missing\n- hinted: 1, 1\n- hint: `Count.`" in page


def test_refused_ones_are_shown_too() -> None:
    designs = [design(slot, Design.ADMITTED) for slot in range(7)] + [design(7, Design.STATIC)]
    page = sample_page(0, designs, [], count=2, seed=1)
    assert sum("admitted" in line for line in headings(page)) == 1
    assert headings(page)[-1].startswith("## Design 7")


def test_episodes_come_in_pairs() -> None:
    lone = [episode("a", seed, hinted=False) for seed in range(9)]
    pair = [episode("b", 5, hinted=True), episode("b", 5, hinted=False)]
    shown = headings(sample_page(0, [], lone + pair, count=1, seed=0))
    assert [line.split(", ")[2].split(":")[0] for line in shown[1:]] == ["plain", "hinted"]
    assert all("`b`, seed 5" in line for line in shown[1:])


def test_the_seed_decides() -> None:
    designs = [design(slot, Design.ADMITTED) for slot in range(30)]
    pages = [sample_page(4, designs, [], count=3, seed=seed) for seed in (0, 0, 1)]
    assert pages[0] == pages[1] != pages[2]


def test_a_long_text_is_cut() -> None:
    page = sample_page(0, [design(0, Design.LOAD, "x" * (LONGEST_TEXT + 5))], [], count=1, seed=0)
    assert "… and 5 more characters" in page and len(page) < LONGEST_TEXT + 500


def test_pages_of_a_cycle_that_is_run_again_are_replaced(tmp_path: Path) -> None:
    for reply in ("first", "second"):
        assert write_samples(tmp_path, 12, [design(0, Design.LOAD, reply)], [], count=1, seed=0) == ""
    assert [path.name for path in (tmp_path / "samples").iterdir()] == ["cycle-00012.md"]
    assert "second" in (tmp_path / "samples" / "cycle-00012.md").read_text("utf-8")


def test_without_samples_nothing_is_written(tmp_path: Path) -> None:
    assert write_samples(tmp_path, 0, [design(0, Design.LOAD)], [], count=0, seed=0) == ""
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes, *, durable: bool) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("spade_envs.selfplay.sample_texts.write_atomic", full)
    said = write_samples(tmp_path, 1, [design(0, Design.LOAD)], [], count=1, seed=0)
    assert said.startswith("samples of cycle 1 could not be written") and "No space left" in said
