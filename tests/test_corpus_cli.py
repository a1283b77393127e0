"""``spade-envs corpus``, and the documents that come with the package."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from spade_envs.cli import main
from spade_envs.corpus import Corpus, Sampler, token_counter
from spade_envs.corpus.documents import Document

HOSTILE = "\x1b[31m\u202eevil[red]\x07"


@pytest.fixture(autouse=True)
def bytes_for_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    """No encoding at hand, whatever lies on this machine."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "")
    token_counter.cache_clear()


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    good = [json.dumps({"text": f"# Document {number}\n\n{'x' * number}"}) for number in range(300)]
    path.write_text("\n".join([*good, '{"body": 1}', "{" + HOSTILE]))
    return path


# -- the command -----------------------------------------------------------------------------------------------


def test_a_corpus_is_summed_up(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", str(rows)]) == 0
    out = capsys.readouterr().out
    for part in ("jsonl", "documents 300", "in a sample of 200", "1 not JSON, 1 no text field", "rows.jsonl:301"):
        assert part in out, part
    assert "body, in rows without a text" in out
    assert out.count("            Document ") == 5
    assert main(["corpus", str(rows), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["documents"] == 300 and facts["tokens"]["encoding"] == "bytes"
    assert {one["reason"]: one["rows"] for one in facts["skipped"]} == {"not JSON": 1, "no text field": 1}
    assert facts["fingerprint"] == Corpus.open(rows).fingerprint


def test_documents_are_sampled_by_seed(rows: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", str(rows), "--sample", "3", "--seed", "7", "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    sampler = Sampler(Corpus.open(rows), 7)
    assert [one["text"] for one in told] == [next(sampler).text for _ in range(3)]
    assert main(["corpus", str(rows), "--sample", "3", "--seed", "7"]) == 0
    out = capsys.readouterr().out
    assert all(f"{one['name']}\n{one['text']}\n" in out for one in told)


def test_mistakes_end_with_2(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["corpus", str(tmp_path / "nothing.jsonl")]) == 2
    assert "does not exist" in capsys.readouterr().err
    (tmp_path / "other.jsonl").write_text('{"body": "x"}')
    assert main(["corpus", str(tmp_path / "other.jsonl")]) == 2
    assert "fields found: body" in capsys.readouterr().err
    assert main(["corpus", str(rows), "--sample", "-1"]) == 2
    assert "at least 0" in capsys.readouterr().err


@pytest.mark.parametrize("more", [[], ["--sample", "1"], ["--json"], ["--sample", "1", "--json"]])
def test_hostile_documents_are_harmless_on_a_terminal(more: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": HOSTILE, HOSTILE: 1}) + "\n" + json.dumps({HOSTILE: 1}))
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "spade_envs", "corpus", str(tmp_path / "a.jsonl"), *more]
    env = {**os.environ, "TERM": "xterm-256color"}
    with subprocess.Popen(command, stdout=follower, stderr=follower, stdin=subprocess.DEVNULL, env=env) as process:
        os.close(follower)
        seen = b""
        try:
            while data := os.read(leader, 65536):
                seen += data
        except OSError:  # the terminal closes with its last writer
            pass
        assert process.wait() == 0
    text = seen.decode()
    assert "evil[red]" in text
    assert "\u202e" not in text and "\x07" not in text and "\x1b[31m" not in text


def test_a_title_is_short_and_found_in_any_text() -> None:
    for text, title in (("\n\n## Tides ##\nx", "Tides"), ("x" * 100, "x" * 79 + "…"), ("# \n\nx", "")):
        assert Document(text, "", "").title == title


# -- the documents that come with the package ------------------------------------------------------------------


def test_the_bundled_documents_are_many_short_and_different() -> None:
    corpus = Corpus.open()
    documents = list(corpus)
    assert len(documents) >= 60
    assert not corpus.report.skipped
    assert len({document.title for document in documents}) == len({document.sha256 for document in documents})
    for document in documents:
        assert document.text.startswith("# ") and document.text.replace("\n", "").isprintable(), document.name
        assert 120 <= len(document.text.split()) <= 300, document.name


def test_bundled_documents_have_little_in_common() -> None:
    """Eight words in a row are shared by no two of them."""
    seen: dict[tuple[str, ...], str] = {}
    for document in Corpus.open():
        words = document.text.lower().split()
        for run in {tuple(words[at : at + 8]) for at in range(len(words) - 7)}:
            assert run not in seen, f"{document.name} and {seen[run]}: {' '.join(run)}"
            seen[run] = document.name
