"""Many sources in checking processes: the same reports in order, and every way that a process or the caller may end."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from spade_envs import bulk
from spade_envs.admission import validate
from spade_envs.bulk import AHEAD, Checkers, keep_to, validate_many
from spade_envs.errors import SandboxError, SpadeEnvsError
from spade_envs.sandbox.host import BoxOptions
from spade_envs.types import EnvSource, Isolation, Limits, Severity, Verdict

HERE = Path(__file__).parent
SOUND = (HERE / "sources/sound/singleton_cache_global.py").read_text("utf-8")
SOURCES = {
    "sound": SOUND,
    "broken": (HERE / "sources/broken/a06_caesar.py").read_text("utf-8"),
    "nothing": "",
    "lone surrogate": "x = '\ud800'",
    "null": "x = '\0'\n",
    "too long": "x" * 500_000,
}
ANSWERING = """import hashlib, json, sys  # checks nothing: the report names the text
sys.stdin.reconfigure(encoding="utf-8", errors="surrogatepass")
sys.stdin.readline()
for line in sys.stdin:
    text = json.loads(line)["source"]["text"].encode("utf-8", "surrogatepass")
    print(json.dumps({"report": {"source_sha256": hashlib.sha256(text).hexdigest()}}), flush=True)
"""
ENVIRON = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every checking process that is started."""
    processes: list[Any] = []
    begin = bulk._Process.__init__

    def note(self: Any, hello: dict[str, Any]) -> None:
        begin(self, hello)
        processes.append(self)

    monkeypatch.setattr(bulk._Process, "__init__", note)
    return processes


def test_reports_are_those_of_checks_one_by_one() -> None:
    limits = Limits(source_bytes=131_071)
    found = list(validate_many(SOURCES.values(), jobs=2, run_seed=5, limits=limits))
    alone = [validate(text, run_seed=5, limits=limits) for text in SOURCES.values()]
    assert [replace(one, seconds={}) for one in found] == [replace(one, seconds={}) for one in alone]
    assert [report.source_sha256 for report in found] == [EnvSource(text).sha256 for text in SOURCES.values()]
    assert [report.verdict for report in found] == [Verdict.ADMIT, *[Verdict.REFUSE] * 5]


def test_a_process_that_is_killed_leaves_one_source_undecided(
    started: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    say = bulk._Process._say

    def kill(self: Any, value: dict[str, Any]) -> None:
        doomed = value.get("source", {}).get("skill") == "doomed"
        if doomed:
            os.kill(self._process.pid, signal.SIGSTOP)  # it cannot answer any more
        say(self, value)
        if doomed:
            os.kill(self._process.pid, signal.SIGKILL)

    monkeypatch.setattr(bulk._Process, "_say", kill)
    sources = [EnvSource("x = 1"), EnvSource(SOUND, skill="doomed"), EnvSource("x = 2")]
    first, killed, after = validate_many(sources, jobs=1)
    assert (first.verdict, killed.verdict, after.verdict) == (Verdict.REFUSE, Verdict.UNDECIDED, Verdict.REFUSE)
    (finding,) = killed.findings
    assert (finding.rule, finding.severity) == ("gate.error", Severity.UNDECIDED) and "signal 9" in finding.message
    assert killed.source_sha256 == EnvSource(SOUND).sha256 and len(started) == 2


def test_a_box_that_cannot_be_had_is_an_error() -> None:
    bare = BoxOptions(require=Isolation.SECCOMP, seccomp=False, landlock=False)
    with pytest.raises(SandboxError, match="isolation level 'process'"):
        list(validate_many([SOUND], jobs=2, options=bare))


def test_a_script_needs_no_main_guard(tmp_path: Path) -> None:
    script = tmp_path / "many.py"
    use = "print([one.verdict.value for one in validate_many(['x = 1'], jobs=2)], flush=True)"
    forked = f"if not os.fork():\n    {use}\n    os._exit(0)\nos.wait()\n"
    script.write_text(f"import os\nfrom spade_envs.bulk import validate_many\n{use}\n{forked}")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=ENVIRON, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "['refuse']\n" * 2, "")


def test_checkers_end_with_their_parent() -> None:
    wait = "from spade_envs.bulk import *\nc = Checkers(1)\nc.submit(EnvSource('x = 1')).result()\nprint(1, flush=True)"
    command = [sys.executable, "-c", wait + "\ninput()"]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=ENVIRON) as parent:
        assert parent.stdout is not None and parent.stderr is not None
        assert parent.stdout.readline() == b"1\n"
        parent.kill()
        assert parent.stderr.read() == b"", "read to its end: the process that inherited it is gone"


def test_an_interrupted_command_ends_them_all(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1")
    (tmp_path / "b.py").write_text(f"while True: pass\n{SOUND}")  # takes seconds, until its time limit
    command = [sys.executable, "-m", "spade_envs", "check", str(tmp_path), "--jobs", "2", "--json"]
    with subprocess.Popen(command, stdout=PIPE, stderr=PIPE, text=True, env=ENVIRON) as run:
        assert run.stdout is not None and run.stderr is not None
        assert json.loads(run.stdout.readline())["verdict"] == "refuse"
        run.send_signal(signal.SIGINT)
        assert "Traceback" not in run.stderr.read() and run.stdout.read() == ""
    assert run.returncode == 130


@pytest.mark.parametrize(
    ("answer", "end"), [("print('[1]')", "signal 9"), ("print('{')", "signal 9"), ("sys.exit(3)", "exit status 3")]
)
def test_what_is_no_answer_is_undecided(monkeypatch: pytest.MonkeyPatch, answer: str, end: str) -> None:
    read = "import sys; sys.stdin.readline(); sys.stdin.readline(); "
    wait = "; sys.stdout.flush(); sys.stdin.read()"
    monkeypatch.setattr(bulk, "_SERVE", read + answer + wait)
    (report,) = validate_many(["x"], jobs=1)
    assert report.verdict is Verdict.UNDECIDED and end in report.findings[0].message


def test_the_order_is_kept_and_little_is_read_ahead(monkeypatch: pytest.MonkeyPatch, started: list[Any]) -> None:
    monkeypatch.setattr(bulk, "_SERVE", ANSWERING)
    texts = [f"\ufeff{number} \ud800\r\n\x85\x0c\u2028\r" for number in range(40)]
    left = iter(texts)
    found = validate_many(left, jobs=3)
    assert [next(found).source_sha256, next(left)] == [EnvSource(texts[0]).sha256, texts[3 * AHEAD]]
    rest = texts[1 : 3 * AHEAD] + texts[3 * AHEAD + 1 :]
    assert [one.source_sha256 for one in found] == [EnvSource(text).sha256 for text in rest]
    assert 0 < len(started) <= 3


@pytest.mark.parametrize("how", ["left", "raised", "read"])
def test_nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch, started: list[Any], how: str) -> None:
    monkeypatch.setattr(bulk, "_SERVE", ANSWERING)
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))

    def texts() -> Iterator[str]:
        yield from "abcdefghijkl"
        if how == "raised":
            raise KeyError

    found = validate_many(texts(), jobs=2)
    if how == "raised":
        with pytest.raises(KeyError):
            list(found)
    elif how == "read":
        assert [one.source_sha256 for one in found] == [EnvSource(letter).sha256 for letter in "abcdefghijkl"]
    else:
        next(found)
    del found
    assert started and all(one._process.returncode is not None for one in started)
    started.clear()
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before


def test_stopping_ends_what_is_under_way(monkeypatch: pytest.MonkeyPatch, started: list[Any]) -> None:
    monkeypatch.setattr(bulk, "_SERVE", "import sys; sys.stdin.read()")
    asked, say = threading.Event(), bulk._Process._say

    def note(self: Any, value: dict[str, Any]) -> None:
        say(self, value)
        if "source" in value:
            asked.set()

    monkeypatch.setattr(bulk._Process, "_say", note)
    checkers = Checkers(1)
    first, second = (checkers.submit(EnvSource(text)) for text in "ab")
    asked.wait()
    checkers.stop()
    assert isinstance(first.exception(), SpadeEnvsError) and second.cancelled()
    assert [one._process.returncode for one in started] == [-signal.SIGKILL]


def test_a_process_keeps_to_one_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Any] = []
    monkeypatch.setattr(bulk, "processors", lambda: [2, 5, 7])
    monkeypatch.setattr(os, "sched_setaffinity", lambda process, to: kept.append((process, to)))
    for number in (0, 4, 1_000_001):
        keep_to(number)
    assert kept == [(0, {2}), (0, {5}), (0, {7})]
    with pytest.raises(ValueError, match="jobs must be 0"):
        Checkers(-1)


def test_another_text_than_was_asked_about_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "_SERVE", ANSWERING.replace('["text"]', '["text"][1:]'))
    (report,) = validate_many(["xy"], jobs=1)
    assert report.verdict is Verdict.UNDECIDED and "another text" in report.findings[0].message


def test_requests_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ValueError, match="jobs must be 0"):
        validate_many([], jobs=-1)
    with pytest.raises(ValueError, match="skill"):
        list(validate_many([EnvSource("x = 1", skill=7)], jobs=1))  # type: ignore[arg-type]
    checkers = Checkers(1)
    checkers.close()
    with pytest.raises(SpadeEnvsError, match="were closed"):
        checkers.submit(EnvSource("x = 1"))
