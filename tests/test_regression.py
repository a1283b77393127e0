"""Tests that ``check --write-test`` writes: they fail while the flaw is there, pass without it, and nothing escapes."""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from spade_envs.admission import validate
from spade_envs.cli.regression import write_tests
from spade_envs.rules import EXAMPLE, assemble
from spade_envs.types import EnvSource, Finding, Limits, Report, Repro, Severity

FEW = "witness_seeds=8, more_seeds=0, play_seeds=2, replay_seeds=1, explore_examples=0, floor_more=16"
"""Enough for the flaws below."""
QUICK = f"""\
import functools, spade_envs
from spade_envs.admission import validate
from spade_envs.types import Limits
spade_envs.validate = functools.partial(validate, limits=Limits({FEW}))
"""
LIMITS = Limits(**{name: int(value) for name, value in (pair.split("=") for pair in FEW.split(", "))})  # type: ignore[arg-type]
RAISES = assemble(
    "def step(self, action):\n    self.tries += 1\n    won = int(action[7:-1]) == self.a + self.b\n"
    "    return 'Wrong.', float(won), won, not won and self.tries >= 3, {}\n"
)
TELLS = EXAMPLE.replace("; three tries.", "; three tries. [{self.a + self.b}]")
PAYS = EXAMPLE.replace("won = action ==", "won = action == '\\\\boxed{1}' or action ==")


def finding(rule: str = "load.error", message: str = "It breaks.", actions: tuple[str, ...] = ("a",)) -> Finding:
    return Finding(rule, Severity.ERROR, message, repro=Repro(7, actions))


def written(folder: Path, *findings: Finding, path: Path | None = None, contract: str = "") -> Path:
    source = EnvSource("", contract=contract)
    target = write_tests(folder, path or folder / "env.py", Report("0" * 64, findings), source)
    assert target is not None
    return target


def functions(path: Path) -> dict[str, ast.FunctionDef]:
    """The tests of a written file; there is nothing else in it that runs anything."""
    tree = ast.parse(path.read_bytes())
    assert [type(node) for node in tree.body[:4]] == [ast.Expr, ast.ImportFrom, ast.ImportFrom, ast.Assign]
    found = {node.name: node for node in tree.body[4:] if isinstance(node, ast.FunctionDef)}
    assert len(found) == len(tree.body) - 4 and all(not node.decorator_list for node in found.values())
    return found


def values(test: ast.FunctionDef) -> dict[str, object]:
    """What a test assigns, where that is a literal."""
    assigned = [node for node in test.body if isinstance(node, ast.Assign) and not isinstance(node.value, ast.Call)]
    return {ast.unparse(node.targets[0]): ast.literal_eval(node.value) for node in assigned}


def asserts(test: ast.FunctionDef) -> list[str]:
    return [ast.unparse(node.test) for node in test.body if isinstance(node, ast.Assert)]


# -- what is asked ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "severity", "check"),
    [
        ("load.error", Severity.ERROR, "episode.error is None"),
        ("contract.reward", Severity.ERROR, "episode.error is None"),
        ("contract.reward", Severity.WARNING, ""),
        ("robustness.hangs", Severity.ERROR, "episode.error is None"),
        ("robustness.raises", Severity.WARNING, "episode.error is None"),
        ("feasibility.witness", Severity.ERROR, ""),
        ("exploits.floor", Severity.ERROR, "not episode.success"),
        ("exploits.blind", Severity.WARNING, "not episode.success"),
        ("exploits.farming", Severity.ERROR, "episode.total_reward <= 1.0 + 1e-06"),
        ("leak.info", Severity.ERROR, ""),
    ],
)
def test_what_is_asked_of_the_episode_depends_on_the_rule(
    tmp_path: Path, rule: str, severity: Severity, check: str
) -> None:
    target = written(tmp_path, Finding(rule, severity, "x", repro=Repro(7, ("a",))))
    ((name, test),) = functions(target).items()
    gate = f"{rule!r} not in {{finding.rule for finding in validate(source).findings}}"
    assert asserts(test) == ([check, gate] if check else [gate]) and name == f"test_{rule.replace('.', '_')}"


# -- files -----------------------------------------------------------------------------------------------------


def test_nothing_to_show_is_nothing_written(tmp_path: Path) -> None:
    folder = tmp_path / "tests"
    for findings in ((), (Finding("static.stub", Severity.ERROR, "x", line=3),)):
        assert write_tests(folder, tmp_path / "env.py", Report("0" * 64, findings), EnvSource("")) is None
    assert not folder.exists()


def test_one_test_per_finding_with_a_repro(tmp_path: Path) -> None:
    without = Finding("static.stub", Severity.ERROR, "x")
    target = written(
        tmp_path / "a" / "b", finding("leak.info"), without, finding(actions=("b", "c")), finding("leak.info")
    )
    tests = functions(target)
    assert list(tests) == ["test_leak_info", "test_load_error", "test_leak_info_2"]
    assert [ast.get_docstring(test) for test in tests.values()] == ["It breaks."] * 3
    assert values(tests["test_load_error"]) == {"seed": 7, "actions": ["b", "c"]}
    empty = functions(written(tmp_path, finding(actions=())))["test_load_error"]
    assert values(empty) == {"seed": 7, "actions": []}


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    mine = tmp_path / "test_env.py"
    mine.write_text("mine")
    second, third = written(tmp_path, finding()), written(tmp_path, finding("leak.info"))
    assert [second.name, third.name] == ["test_env_2.py", "test_env_3.py"]
    assert mine.read_text() == "mine" and list(functions(second)) == ["test_load_error"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["test_env.py", "test_env_2.py", "test_env_3.py"]


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("env.py", "env"),
        ("my env-1.v2.py", "my_env_1_v2"),
        ('it\'s "quoted" \\ {braces}.py', "it_s_quoted_braces"),
        ("\u00e9t\u00e9.py", "\u00e9t\u00e9"),
        ("a\nb.py", "a_b"),
        ("---.py", "env"),
    ],
)
def test_the_source_is_found_from_the_test(tmp_path: Path, name: str, stem: str) -> None:
    path = tmp_path / "sources" / name
    path.parent.mkdir()
    path.write_text(EXAMPLE)
    target = written(tmp_path / "tests" / "deep", finding(), path=path)
    assert target.name == f"test_{stem}.py"
    assert runpy.run_path(str(target))["SOURCE"].resolve() == path.resolve()


def test_relative_paths_are_as_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "env.py").write_text(EXAMPLE)
    monkeypatch.chdir(tmp_path)
    target = written(Path("tests"), finding(), path=Path("env.py"))
    monkeypatch.chdir("/")
    assert runpy.run_path(str(tmp_path / target))["SOURCE"].read_text() == EXAMPLE


@pytest.mark.parametrize("contract", ["", "tools"])
def test_the_declared_contract_is_declared_again(tmp_path: Path, contract: str) -> None:
    (test,) = functions(written(tmp_path, finding(), contract=contract)).values()
    (call,) = [node.value for node in test.body if isinstance(node, ast.Assign) and "EnvSource" in ast.unparse(node)]
    assert isinstance(call, ast.Call)
    declared = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
    assert declared == ({"contract": "tools"} if contract else {})


# -- hostile text ----------------------------------------------------------------------------------------------

HOSTILE = {
    "triple quotes": '"""\n\nimport os\nos.abort()\n"""',
    "single triple quotes": "'''\nimport os\n'''",
    "both quotes": "'\"\\'\\\"",
    "a backslash at the end": "x\\",
    "many backslashes": "\\" * 60,
    "lines": "a\nb\r\nc\rd\x0be\x0cf\x85g\u2028h\u2029i",
    "escape codes": "\x1b[31m\x1b]0;title\x07\x00\x7f\x9b",
    "surrogates": "\ud800 \udfff \udcff",
    "marks": "\u202edesrever\u202c \u2066x\u2069 \u200b\ufeff",
    "letters": "\u00e9 \u05e9 \u5317 \U0001f600",
    "formats": "{name} {0} {rule!r} {{}} %s %(x)s",
    "tabs": "\ta\t",
    "long": "x" * 100_000,
    "nothing": "",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_whatever_was_said_stays_in_a_literal(tmp_path: Path, kind: str) -> None:
    text = HOSTILE[kind]
    target = written(tmp_path, finding(message=text, actions=(text, f"\\boxed{{{text}}}", "a")), finding("leak.info"))
    tests = functions(target)
    assert list(tests) == ["test_load_error", "test_leak_info"]
    hit = tests["test_load_error"]
    assert values(hit) == {"seed": 7, "actions": [text, f"\\boxed{{{text}}}", "a"]}
    assert [type(node) for node in hit.body] == [ast.Expr, *[ast.Assign] * 4, *[ast.Assert] * 2]
    assert runpy.run_path(str(target))["SOURCE"] == tmp_path / "env.py"


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_terminal_may_show_the_file(tmp_path: Path, kind: str) -> None:
    text = HOSTILE[kind]
    lines = written(tmp_path, finding(message=text, actions=(text,))).read_bytes().decode("utf-8").split("\n")
    assert all(line.isprintable() for line in lines)
    title = [line for line in lines if line.startswith('    """')]
    assert len(title) == 1 and len(title[0]) < 125
    assert all(line.isascii() for line in lines if line not in title)


# -- failing and passing ---------------------------------------------------------------------------------------


def run(target: Path) -> tuple[int, str]:
    """Exit status and output of pytest on a file, as its finder would run it."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(target.parent),
        str(target),
    ]
    done = subprocess.run(command, cwd=target.parent, capture_output=True, text=True, timeout=200)
    return done.returncode, done.stdout


@pytest.mark.parametrize(
    ("flawed", "rule", "shown"),
    [
        (RAISES, "robustness.raises", "assert episode.error is None"),
        (TELLS, "leak.observation", "assert 'leak.observation' not in"),
        (PAYS, "exploits.", "assert not episode.success"),
    ],
)
def test_it_fails_with_the_flaw_and_passes_without(tmp_path: Path, flawed: str, rule: str, shown: str) -> None:
    path = tmp_path / "sources" / "my env.py"
    path.parent.mkdir()
    path.write_text(flawed)
    report = validate(EnvSource(flawed), limits=LIMITS)
    found = [one for one in report.findings if one.rule.startswith(rule) and one.repro is not None]
    assert found, report.findings
    target = written(tmp_path / "tests", *found, path=path)
    (tmp_path / "tests" / "conftest.py").write_text(QUICK)
    status, output = run(target)
    assert status == 1 and f"{len(found)} failed" in output and shown in output, output
    path.write_text(EXAMPLE)
    status, output = run(target)
    assert status == 0 and f"{len(found)} passed" in output, output
