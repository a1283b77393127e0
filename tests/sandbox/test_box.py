"""The box through its real doors: real workers, all layers on unless a test says otherwise."""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import signal
import socket
import struct
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from spade_envs.errors import SandboxError
from spade_envs.rules import EXAMPLE
from spade_envs.sandbox import frames
from spade_envs.sandbox.boxed import BoxedEnv
from spade_envs.sandbox.checked import ResetAnswer, StepAnswer
from spade_envs.sandbox.host import BoxOptions, Worker
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource, Fault, FaultKind, Isolation, Limits

LIMITS = Limits(load_seconds=2.0, reset_seconds=1.0, step_seconds=0.5, grace_seconds=0.5)
PLAIN = BoxOptions(language=False)


def env(step: str, *, reset: str = 'return "go", {}', head: str = "") -> EnvSource:
    """A source with the given bodies."""
    text = (
        f"{head}\nclass TryEnv:\n    def reset(self, seed=None):\n{textwrap.indent(textwrap.dedent(reset), ' ' * 8)}\n"
    )
    return EnvSource(text + f"    def step(self, action):\n{textwrap.indent(textwrap.dedent(step), ' ' * 8)}\n")


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    made = WorkerPool(LIMITS)
    yield made
    made.close()


@pytest.fixture
def plain() -> Iterator[WorkerPool]:
    """Workers without the language layer: a source there may do to its own process what it likes."""
    made = WorkerPool(LIMITS, PLAIN)
    yield made
    made.close()


def spawn(pool: WorkerPool, source: EnvSource) -> BoxedEnv:
    box = pool.spawn(source)
    assert isinstance(box, BoxedEnv), box
    assert isinstance(box.reset(3), ResetAnswer)
    return box


def fault(answer: object) -> FaultKind:
    assert isinstance(answer, Fault), answer
    return answer.kind


def test_an_episode(pool: WorkerPool) -> None:
    box = spawn(pool, EnvSource(EXAMPLE))
    answer = box.step("\\boxed{7}")
    assert answer == StepAnswer("Wrong.", 0.0, False, False, {}, ())


def test_the_worker_holds_neither_gymnasium_nor_this_package(plain: WorkerPool) -> None:
    source = env("import sys\nreturn json.dumps(sorted(sys.modules)), 0.0, False, False, {}", head="import json")
    answer = spawn(plain, source).step("go")
    assert isinstance(answer, StepAnswer)
    modules = json.loads(answer.observation)
    assert "RestrictedPython" in modules
    assert not [name for name in modules if name.split(".")[0] in ("gymnasium", "spade_envs", "numpy", "sympy")]


def test_numpy_loads_only_for_sources_that_use_it(plain: WorkerPool) -> None:
    source = env("import sys\nreturn str('numpy' in sys.modules), 0.0, False, False, {}", head="import numpy as np")
    answer = spawn(plain, source).step("go")
    assert isinstance(answer, StepAnswer) and answer.observation == "True"


def test_the_environment_variables_are_gone(plain: WorkerPool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET_KEY", "s3cret")
    pool = WorkerPool(LIMITS, PLAIN)
    answer = spawn(pool, env("import os\nreturn str(dict(os.environ)), 0.0, False, False, {}")).step("go")
    pool.close()
    assert isinstance(answer, StepAnswer) and "s3cret" not in answer.observation


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("raise ValueError('no')", FaultKind.RAISED),
        ("while True: pass", FaultKind.HUNG),
        ("while True:\n    try:\n        while True: pass\n    except: pass", FaultKind.HUNG),
        ("while True:\n    try:\n        continue\n    finally:\n        continue", FaultKind.HUNG),
        ("return sum(range(10**15)), 0.0, False, False, {}", FaultKind.HUNG),
        ("return 'x' * 10**10, 0.0, False, False, {}", FaultKind.MEMORY),
        ("return 'ok', float('nan'), False, False, {}", FaultKind.BROKE),
        ("return None", FaultKind.BROKE),
        ("return 'x' * 70000, 0.0, False, False, {}", FaultKind.BROKE),
        ("def deep(): return deep()\nreturn deep()", FaultKind.RAISED),
    ],
)
def test_faults_are_typed_and_the_host_goes_on(pool: WorkerPool, body: str, kind: FaultKind) -> None:
    assert fault(spawn(pool, env(body)).step("go")) is kind
    assert isinstance(spawn(pool, EnvSource(EXAMPLE)).step("go"), StepAnswer)


def test_a_raise_tells_its_line(pool: WorkerPool) -> None:
    answer = spawn(pool, env("x = 1\nreturn [][x]")).step("go")
    assert isinstance(answer, Fault) and answer.line == 7 and "IndexError" in answer.message


def test_a_dead_worker_is_replaced(plain: WorkerPool) -> None:
    source = env("import os\nos._exit(7)")
    box = spawn(plain, source)
    answer = box.step("go")
    assert fault(answer) is FaultKind.DIED and "status 7" in str(answer)
    assert fault(box.step("go")) is FaultKind.DIED
    spawn(plain, source)


LIES = [
    "b'\\xff\\xff\\xff\\xff'",  # a frame of 4 GiB announced
    "struct.pack('>I', 3) + b'{{{'",  # no JSON
    "frame({'n': 99, 'ok': {}})",  # an answer to another question
    "frame({'n': 0, 'ok': {'level': 'kernel'}})",
    "frame([1, 2])",
    "frame({'n': N, 'fault': {'kind': 'rm -rf'}})",
    "frame({'n': N, 'ok': {'observation': 7}})",
    "frame({'n': N, 'ok': {'observation': 'x', 'reward': 1e9, 'terminated': False, 'truncated': False,"
    " 'info': {}, 'repairs': []}})",
    "frame({'n': N, 'ok': {'observation': 'x', 'reward': 0, 'terminated': 1, 'truncated': False,"
    " 'info': {}, 'repairs': []}})",
    "struct.pack('>I', 9000) + b'[' * 9000",  # nested beyond any recursion limit
    "struct.pack('>I', 8) + b'{\"n\":NaN}'[:8]",
    "frame({'n': N, 'ok': {}}) * 2",
]


@pytest.mark.parametrize("lie", LIES)
def test_a_lying_worker_is_found_out(plain: WorkerPool, lie: str) -> None:
    """The source writes a frame of its own before the worker can answer."""
    body = f"""
        import os, json, struct
        def frame(value):
            body = json.dumps(value).encode()
            return struct.pack('>I', len(body)) + body
        N = 4
        for fd in range(3, 64):
            try:
                os.write(fd, {lie})
            except OSError:
                pass
        while True:
            pass
    """
    assert fault(spawn(plain, env(body)).step("go")) in (FaultKind.LIED, FaultKind.HUNG)


def test_nobody_reads_a_late_answer_as_the_next_one(plain: WorkerPool) -> None:
    """Two answers to one question: the second must not become the answer to the next."""
    body = """
        import os, json, struct
        flags = {'terminated': True, 'truncated': False}
        answer = {'observation': 'forged', 'reward': 1.0, 'info': {}, 'repairs': [], **flags}
        body = json.dumps({'n': 5, 'ok': answer}).encode()
        for fd in range(3, 64):
            try:
                os.write(fd, struct.pack('>I', len(body)) + body)
            except OSError:
                pass
        return 'honest', 0.0, False, False, {}
    """
    box = spawn(plain, env(body))
    assert fault(box.step("one")) is FaultKind.LIED
    assert fault(box.step("two")) is FaultKind.LIED


def test_one_source_per_worker_and_one_namespace_per_instance(pool: WorkerPool) -> None:
    counting = env("seen.append(action)\nreturn str(len(seen)), 0.0, False, False, {}", head="seen = []")
    first, second = spawn(pool, counting), spawn(pool, counting)
    assert first.worker is second.worker
    assert spawn(pool, EnvSource(EXAMPLE)).worker is not first.worker
    first.step("a")
    answers = [box.step("b") for box in (first, second)]
    assert [answer.observation for answer in answers if isinstance(answer, StepAnswer)] == ["2", "1"]


def test_many_turns_in_one_message(pool: WorkerPool) -> None:
    source = env("if action == 'hang':\n    while True: pass\nreturn action, 0.0, False, False, {}")
    boxes = [spawn(pool, source) for _ in range(4)]
    said = ["a", "hang", "c", "d"]
    answers = pool.step_many([(box, word, ()) for box, word in zip(boxes, said, strict=True)])
    assert fault(answers[1]) is FaultKind.HUNG
    assert [a.observation for a in answers if isinstance(a, StepAnswer)] == ["a", "c", "d"]


def test_randomness_belongs_to_the_instance_and_the_seed(pool: WorkerPool) -> None:
    source = env(
        "import uuid, time\nreturn f'{random.random()} {uuid.uuid4()} {time.time()} {id(self)}', 0.0, False, False, {}"
    )
    one, two = spawn(pool, source), spawn(pool, source)
    first = one.step("x")
    assert two.step("x") == first
    one.reset(3)
    assert one.step("x") == first
    one.reset(4)
    assert one.step("x") != first


def test_too_little_isolation_is_an_error_that_says_what_to_do() -> None:
    worker = Worker("", LIMITS, BoxOptions(seccomp=False))
    with pytest.raises(SandboxError, match=r"'process' here, but 'seccomp' is required.*--isolation process"):
        worker.wait_ready()
    assert worker.dead is not None


@pytest.mark.parametrize(
    ("options", "level"),
    [
        (BoxOptions(), Isolation.KERNEL),
        (BoxOptions(landlock=False), Isolation.SECCOMP),
        (BoxOptions(seccomp=False, landlock=False, require=Isolation.PROCESS), Isolation.PROCESS),
    ],
)
def test_levels(options: BoxOptions, level: Isolation) -> None:
    made = WorkerPool(LIMITS, options)
    assert made.isolation(EnvSource(EXAMPLE)) is level
    assert isinstance(spawn(made, EnvSource(EXAMPLE)).step("x"), StepAnswer)
    made.close()


def test_closing_leaves_no_process_and_no_descriptor() -> None:
    gc.collect()
    before = set(os.listdir("/proc/self/fd"))
    pools = [WorkerPool(LIMITS) for _ in range(3)]
    pids = [spawn(pool, EnvSource(EXAMPLE)).worker._process.pid for pool in pools]
    for pool in pools:
        pool.close()
    assert set(os.listdir("/proc/self/fd")) == before
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


HOST = """
import sys
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource
pool = WorkerPool()
box = pool.spawn(EnvSource(sys.argv[1]))
box.reset(1)
print(box.worker._process.pid, flush=True)
sys.stdin.read()
"""


def test_workers_die_with_their_host() -> None:
    """The host is killed outright; end-of-file on the socket ends the worker."""
    with subprocess.Popen(
        [sys.executable, "-c", HOST, EXAMPLE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as host:
        assert host.stdout is not None
        worker = int(host.stdout.readline())
        handle = os.pidfd_open(worker)
        host.send_signal(signal.SIGKILL)
        host.wait()
    import select

    assert select.select([handle], [], [], 30)[0], "the worker outlived its host"
    os.close(handle)


def _child(connection: socket.socket, pool: WorkerPool) -> None:
    box = pool.spawn(EnvSource(EXAMPLE))
    assert isinstance(box, BoxedEnv)
    answer = box.reset(5)
    connection.sendall(getattr(answer, "observation", "fault").encode())
    connection.close()


def test_a_forked_child_starts_workers_of_its_own(pool: WorkerPool) -> None:
    box = spawn(pool, EnvSource(EXAMPLE))
    ours, theirs = socket.socketpair()
    child = multiprocessing.get_context("fork").Process(target=_child, args=(theirs, pool))
    child.start()
    theirs.close()
    told = ours.recv(4096).decode()
    child.join()
    assert told.startswith("What is")
    assert isinstance(box.step("still mine"), StepAnswer)


def test_threads_share_a_worker(pool: WorkerPool) -> None:
    source = env("return action, 0.0, False, False, {}")
    boxes = [spawn(pool, source) for _ in range(4)]
    wrong: list[object] = []

    def talk(box: BoxedEnv, word: str) -> None:
        for i in range(50):
            answer = box.step(f"{word}{i}")
            if not isinstance(answer, StepAnswer) or answer.observation != f"{word}{i}":
                wrong.append(answer)

    threads = [threading.Thread(target=talk, args=(box, word)) for box, word in zip(boxes, "abcd", strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_frames_refuse_what_json_does_not_know() -> None:
    buffer = frames.Buffer()
    buffer.feed(frames.pack({"x": "é"}) + frames.pack([1])[:3])
    body = buffer.take()
    assert body is not None and frames.unpack(body) == {"x": "é"}
    assert buffer.take() is None and not buffer.empty
    for bad in (b"NaN", b"[Infinity]", b"\xff", b"[" * 100_000, b"1" * 5000):
        with pytest.raises(frames.FrameError):
            frames.unpack(bad)
    for value in (float("nan"), {1, 2}, "\ud800"):
        with pytest.raises(frames.FrameError):
            frames.pack(value)
    buffer = frames.Buffer()
    buffer.feed(struct.pack(">I", frames.LARGEST + 1))
    with pytest.raises(frames.FrameError):
        buffer.take()
