"""The pages are true: what they list exists, and what they show runs.

In ``README.md`` and ``docs/*.md`` every fenced ``python`` and ``console`` block is run, in order, in one folder per
page. A ``python`` block whose first line is ``# name.py`` is saved under that name instead. In a ``console`` block a
line ``$ command`` is run; ``# exit N`` after it says that it ends with N; lines below it are what it prints, with
``...`` for what varies, and may be left out. Other fences (``text``, ``sh``) are not run.
"""

from __future__ import annotations

import doctest
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from checkout import ROOT, files, python_files

PAGES = [path for path in files() if path == "README.md" or re.fullmatch(r"docs/[^/]+\.md", path)]

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_NAMED = re.compile(r"# ([\w-]+\.py)\n")
_EXIT = re.compile(r"\s+# exit (\d+)$")
_LISTED = re.compile(r"^  ([\w./-]+) {2,}\S", re.MULTILINE)


# -- blocks that run -------------------------------------------------------------------------------------------


def blocks(page: str) -> list[tuple[str, str]]:
    """Language and text of every fenced block of a page."""
    return _BLOCK.findall((ROOT / page).read_text("utf-8"))


def commands(block: str) -> Iterator[tuple[str, int, str]]:
    """Command, expected exit code and expected output ('' for any) of a console block."""
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        code = _EXIT.search(line)
        yield _EXIT.sub("", line), int(code.group(1)) if code else 0, output.strip("\n")


def run(command: list[str], folder: Path) -> tuple[int, str]:
    """Run a command as a reader would; exit code and output."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        env={**os.environ, "PATH": path},
    )
    return done.returncode, done.stdout


@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_runs(page: str, tmp_path: Path) -> None:
    folder = tmp_path / "reader"
    folder.mkdir()
    for language, text in blocks(page):
        named = _NAMED.match(text)
        if language == "python" and named:
            (folder / named.group(1)).write_text(text, "utf-8")
        elif language == "python":
            code, said = run([sys.executable, "-c", text], folder)
            assert code == 0, f"{page}: this block fails\n{text}\n{said}"
        elif language == "console":
            for command, expected, output in commands(text):
                code, said = run(["bash", "-c", command], folder)
                assert code == expected, f"{page}: {command} ended with {code}, not {expected}\n{said}"
                check_output(f"{page}: {command}", output, said)


def check_output(where: str, expected: str, said: str) -> None:
    """Compare what a page shows with what was printed, when it shows anything."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    same = not expected or doctest.OutputChecker().check_output(f"{expected}\n", said, flags)
    assert same, f"{where} prints\n{said}\nbut the page shows\n{expected}"


def test_there_are_blocks_to_run() -> None:
    assert all(any(language in ("python", "console") for language, _ in blocks(page)) for page in PAGES), PAGES
    unknown = {language for page in PAGES for language, _ in blocks(page)} - {"python", "console", "text", "sh", "json"}
    assert not unknown, f"unknown fences {unknown}"


def test_fences_are_even() -> None:
    for page in PAGES:
        fences = re.findall(r"^```", (ROOT / page).read_text("utf-8"), flags=re.MULTILINE)
        assert len(fences) == 2 * len(blocks(page)), f"{page}: a fence is open, or has no language"


# -- what pages list -------------------------------------------------------------------------------------------


def test_the_readme_lists_every_source_file() -> None:
    listed = _LISTED.findall((ROOT / "README.md").read_text("utf-8").partition("## Files")[2])
    expected = set(python_files("spade_envs", "validators"))
    expected |= {path for path in files() if path.startswith("spade_envs/") and path.endswith((".json", ".typed"))}
    named = {path for path in listed if not path.endswith("/")}
    assert named == expected, f"missing {sorted(expected - named)}, gone {sorted(named - expected)}"
    assert len(listed) == len(set(listed)), "a file is listed twice"


def test_the_readme_lists_every_folder_at_the_top() -> None:
    text = (ROOT / "README.md").read_text("utf-8").partition("## Files")[2]
    folders = {path.partition("/")[0] for path in files() if "/" in path}
    missing = [folder for folder in sorted(folders) if not re.search(rf"^  {re.escape(folder)}/ ", text, re.MULTILINE)]
    assert not missing, f"README.md does not say what {missing} is for"


def test_the_page_on_the_gate_lists_every_rule() -> None:
    from spade_envs.admission import rules

    text = (ROOT / "docs" / "the-gate.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \| (\w+) \|", text, flags=re.MULTILINE))
    assert rows == {rule.name: rule.severity.value for rule in rules().values()}


def test_the_page_on_writing_lists_every_module() -> None:
    from spade_envs.sandbox import names

    text = (ROOT / "docs" / "writing-an-environment.md").read_text("utf-8").partition("## What may be imported")[2]
    rows = [row for row in text.splitlines() if row.startswith("|")]
    told = {word for row in rows for part in re.findall(r"`([^`]+)`", row) for word in part.split()}
    modules = {module.partition(".")[0] for module in (*names.MODULES, *names.SPECIAL_MODULES)} - {"__future__"}
    missing = (modules | names.INJECTED_MODULES) - told
    assert not missing, f"docs/writing-an-environment.md does not list {sorted(missing)}"


def test_the_readme_lists_every_command() -> None:
    from spade_envs.cli import app

    text = (ROOT / "README.md").read_text("utf-8").partition("## Commands")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `([a-z]+)[^`]*` \|", text, flags=re.MULTILINE)
    assert listed == [name for name in app if not name.startswith("-")]


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        text = (ROOT / page).read_text("utf-8")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (ROOT / page).parent.joinpath(target).exists(), f"{page} links to {target}"


# -- examples in docstrings ------------------------------------------------------------------------------------


def modules_with_examples() -> Iterator[str]:
    """Modules of ours whose text holds ``>>>``."""
    for path in python_files("spade_envs", "validators"):
        if re.search(r"^\s*>>> ", (ROOT / path).read_text("utf-8"), re.MULTILINE):
            parts = path.removesuffix(".py").removesuffix("/__init__").split("/")
            yield ".".join(parts if parts[0] == "spade_envs" else ["spade_envs", *parts])


@pytest.mark.parametrize("name", sorted(modules_with_examples()))
def test_examples_in_docstrings_are_true(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert tried > 0, f"{name}: no example was found"
    assert failed == 0, f"{name}: {failed} of {tried} examples fail; the output above says which"
