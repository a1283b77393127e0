"""Run by ``test_lockdown`` in processes of its own: a worker that locks itself and attacks, and a host it attacks.

Three processes, so that an attack that works kills the host and not the tests: pytest -> host -> worker. The
worker loads the modules under test by path, as members of a package made on the spot, and answers in lines of
JSON over one socket. x86_64 only: attacks are raw system calls.
"""

import contextlib
import ctypes
import decimal
import errno
import fcntl
import importlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import types

NOBODY = 65534
MEMORY_MB = 400
VICTIM = "the pid of the host"
SCRATCH = b"/tmp/spade-envs-hostile-marker"
CALLS = {
    "unshare": (272, 0x10000000), "setns": (308, 0, 0), "ptrace": (101, 16, VICTIM, 0, 0), "bpf": (321, 0, 0, 0),
    "process_vm_readv": (310, VICTIM, 0, 0, 0, 0, 0), "io_uring_setup": (425, 4, 0), "keyctl": (250, 0, -3, 0),
    "userfaultfd": (323, 1), "perf_event_open": (298, 0, 0, -1, -1, 0), "personality": (135, 0x400000),
    "prctl": (157, 4, 1, 0, 0, 0), "seccomp": (317, 2, 0, 0), "prlimit": (302, 0, 7, 0, 0), "clone3": (435, 0, 0),
    "vfork": (58,), "sendmsg": (46, 3, 0, 0), "recvmsg": (47, 3, 0, 0), "sendto": (44, 3, 0, 0, 0, 0, 0),
    "dup": (32, 0), "ioctl": (16, 0, 0x8901, 0), "mount": (165, 0, 0, 0, 0, 0), "pidfd_open": (434, VICTIM, 0),
    "tkill": (200, VICTIM, 0), "rt_sigqueueinfo": (129, VICTIM, 9, 0), "setuid": (105, 0), "chroot": (161, 0),
    "newfstatat": (262, -100, 0, 0, 0), "openat2": (437, -100, 0, 0, 0), "open_by_handle_at": (304, 0, 0, 0),
    "memfd_create": (319, 0, 0), "execveat": (322, 0, 0, 0, 0, 0x1000), "reboot": (169, 0, 0, 0, 0),
    "shared memory": (9, 0, 4096, 3, 0x21, -1, 0), "growing memory": (9, 0, 4096, 3, 0x122, -1, 0),
    "executable memory": (9, 0, 4096, 7, 0x22, -1, 0), "futex PI": (202, 0, 6, 0, 0, 0, 0),
    "madvise HWPOISON": (28, 0, 4096, 100), "shmget": (29, 0, 4096, 0o1600), "mq_open": (240, 0, 0, 0, 0),
    "x86 modify_ldt": (154, 0, 0, 0), "arch_prctl": (158, 0x1003, 0), "sched_setscheduler": (144, 0, 0, 0),
}  # fmt: skip
"""Name -> number and arguments."""


def syscall(*args: int) -> int:
    call = ctypes.CDLL(None, use_errno=True).syscall
    call.argtypes = [ctypes.c_long] * len(args)
    call.restype = ctypes.c_long
    result = call(*args)
    if result == -1:
        raise OSError(ctypes.get_errno(), "refused")
    return result


def load(folder: str, name: str) -> types.ModuleType:
    if "boxed" not in sys.modules:
        package = types.ModuleType("boxed")
        package.__path__ = [folder]
        sys.modules["boxed"] = package
    return importlib.import_module(f"boxed.{name}")


def attacks(victim: int, keep: int) -> dict:
    """Name -> what is tried. ``victim`` is the host's pid, ``keep`` the one descriptor that stays open."""

    def own_and_signal() -> None:
        tried = ((fcntl.F_SETOWN, victim), (10, signal.SIGKILL), (fcntl.F_SETFL, os.O_ASYNC))  # 10: F_SETSIG
        outcomes = [attempt(lambda c=c, a=a: fcntl.fcntl(keep, c, a)) for c, a in tried]
        if outcomes != ["EPERM"] * 3:
            raise AssertionError(outcomes)
        raise PermissionError(errno.EPERM, "all three refused")

    def executable_later() -> None:
        page = syscall(9, 0, 4096, 3, 0x22, -1, 0)
        syscall(10, page, 4096, 5)

    table = {
        "read a file": lambda: os.open("/etc/passwd", os.O_RDONLY),
        "draw entropy": lambda: os.urandom(8),
        "list a folder": lambda: os.listdir("/"),
        "create a file": lambda: os.open(SCRATCH, os.O_CREAT | os.O_WRONLY),
        "remove a file": lambda: os.unlink(SCRATCH),
        "stat": lambda: os.stat("/"),
        "TCP": lambda: socket.socket(),
        "UDP": lambda: socket.socket(type=socket.SOCK_DGRAM),
        "unix socket": lambda: socket.socketpair(),
        "bind": lambda: socket.socket().bind(("127.0.0.1", 0)),
        "pipe": os.pipe,
        "fork": lambda: os.fork() or os._exit(77),
        "exec": lambda: os.execv("/bin/true", ["true"]),
        "kill 0": lambda: os.kill(victim, 0),
        "kill 9": lambda: os.kill(victim, 9),
        "kill all": lambda: os.kill(-1, 0),
        "tgkill": lambda: syscall(234, victim, victim, 9),
        "tgkill with a high half": lambda: syscall(234, os.getpid() | 1 << 32, os.getpid(), 0),
        "fcntl owner and signal": own_and_signal,
        "executable memory later": executable_later,
        "thread": lambda: threading.Thread(target=int).start(),
    }
    for name, call in CALLS.items():
        table[name] = lambda call=call: syscall(*(victim if arg == VICTIM else arg for arg in call))
    return table


def attempt(trial) -> str:
    """What came of a trial: an errno's name, an exception's, or ``done``."""
    try:
        trial()
    except OSError as error:
        return errno.errorcode.get(error.errno, str(error))
    except RuntimeError as error:  # "can't start new thread" hides the errno
        return "EPERM" if "thread" in str(error) else repr(error)
    except BaseException as error:
        return repr(error) if isinstance(error, AssertionError) else type(error).__name__
    return "done"


def memory() -> dict:
    """Outcomes of allocations: a large one under the limit, one above, small ones until the limit, one after."""

    def leak() -> None:
        held = []
        with contextlib.suppress(MemoryError):
            while len(held) <= MEMORY_MB:
                held.append(bytearray(1 << 20))
        if len(held) > MEMORY_MB:
            raise AssertionError(len(held))

    return {
        "under": attempt(lambda: bytearray(200 << 20)),
        "above": attempt(lambda: bytearray((MEMORY_MB - 5) << 20)),  # with what the interpreter has already
        "leak": attempt(leak),
        "again": attempt(lambda: bytearray(200 << 20)),
    }


def writable(keep: int) -> list:
    """Descriptors a byte can be written to, the kept one aside."""
    return [fd for fd in range(1024) if fd != keep and attempt(lambda fd=fd: os.write(fd, b"x")) != "EBADF"]


def timer() -> None:
    fired = []
    signal.signal(signal.SIGALRM, lambda *_: fired.append(1))
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(0.05)
    assert fired
    signal.alarm(0)


def legitimate(numpy, math_verify) -> dict:
    """Ordinary work: name -> outcome."""
    table = {
        "integers": lambda: 3**5000 % 1000007,
        "lists": lambda: sorted(random.Random(1).sample(range(10**5), 10**5)),
        "regex": lambda: re.compile(r"(\w+)@(\w+)\.com").findall("a@b.com " * 100),
        "json": lambda: json.loads(json.dumps({"a": [1.5, None, "é"]})),
        "decimal": lambda: decimal.Decimal(2).sqrt(),
        "clocks": lambda: (time.time(), time.monotonic(), time.process_time(), time.localtime()),
        "timer": timer,
        "lock with a timeout": lambda: threading.Semaphore(0).acquire(timeout=0.01),
        "deep recursion": lambda: re.compile("(" * 80 + ")" * 80),
    }
    if numpy:
        table["numpy"] = lambda: numpy.linalg.svd(numpy.random.default_rng(0).random((200, 200)) @ numpy.eye(200))
    if math_verify:
        parse = math_verify.parse
        table["math_verify"] = lambda: bool(math_verify.verify(parse(r"$\frac{1}{2}$"), parse("0.5"))) or 1 / 0
    return {name: attempt(trial) for name, trial in table.items()}


def outer_filter(seccomp, refused: list) -> None:
    """A filter around everything that refuses some calls: what an old container does to Landlock."""
    body = [seccomp.Instruction(0x20, 0, 0, 0)]
    for number in refused:
        body += [seccomp.Instruction(0x15, 0, 1, number), seccomp.Instruction(0x06, 0, 0, 0x00050001)]
    body.append(seccomp.Instruction(0x06, 0, 0, 0x7FFF0000))
    original, seccomp.program = seccomp.program, lambda arch, pid: body
    syscall(157, 38, 1, 0, 0, 0)
    seccomp.install()
    seccomp.program = original


def worker(folder: str, config: dict) -> None:
    lockdown, seccomp = load(folder, "lockdown"), load(folder, "seccomp")
    numpy = math_verify = None
    if config["mode"] in ("legitimate", "threaded BLAS"):
        with contextlib.suppress(ImportError):
            import numpy.random
        with contextlib.suppress(ImportError):
            import math_verify

            math_verify.parse(r"$\frac{1}{2}$")
    keep, victim = config["fd"], os.getppid()
    os.dup2(os.pipe()[1], 900)  # a pipe and a high number, open and writable until the lock
    os.read(keep, 1)  # the host has become who it must be
    if config["drop"]:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    waiting, seen = threading.Event(), []
    if config["mode"] == "thread":
        other = threading.Thread(target=lambda: (waiting.wait(), seen.append(attempt(lambda: os.open("/", 0)))))
        other.start()
    if config["mode"] == "broken":
        seccomp.install = lambda: None
    if config["outer"]:
        outer_filter(seccomp, config["outer"])
    request = lockdown.LockRequest(
        memory_mb=MEMORY_MB,
        cpu_seconds=config["cpu"],
        keep_fd=keep,
        landlock=config["landlock"],
        seccomp=config["seccomp"],
    )
    started = time.perf_counter()
    report = lockdown.lock(request)
    answer = {**vars(report), "notes": list(report.notes), "ms": (time.perf_counter() - started) * 1e3}
    if config["mode"] == "attack":
        answer["writable"] = writable(keep)
        answer["attacks"] = {name: attempt(trial) for name, trial in attacks(victim, keep).items()}
    elif config["mode"] == "legitimate":
        answer["work"], answer["memory"] = legitimate(numpy, math_verify), memory()
    elif config["mode"] == "thread":
        waiting.set()
        other.join()
        answer["thread"] = seen
    elif config["mode"] == "threaded BLAS" and numpy:
        numpy.linalg.svd(numpy.random.default_rng(0).random((400, 400)) @ numpy.eye(400))
    elif config["mode"] == "x32":
        syscall(0x40000000 | 39)
    elif config["mode"] == "spin":
        while True:
            pass
    elif config["mode"] == "open":
        answer["open"] = attempt(lambda: os.open("/", 0))
    os.write(keep, json.dumps(answer).encode() + b"\n")
    os.read(keep, 1)
    os._exit(0)


def host(folder: str, config: dict) -> None:
    """Start a worker, watch its memory as its host does, poke its socket (armed with a signal or not), report."""
    ours, theirs = socket.socketpair()
    command = [sys.executable, "-s", "-P", *sys.orig_argv[3:5], "worker", folder]
    environ = {"OPENBLAS_NUM_THREADS": "2" if config["mode"] == "threaded BLAS" else "1"}
    config["fd"] = theirs.fileno()
    with subprocess.Popen([*command, json.dumps(config)], pass_fds=[theirs.fileno()], env=environ) as child:
        theirs.close()
        if config["drop"]:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
            # PR_SET_DUMPABLE, which a change of user clears: be as open to attack as any process.
            syscall(157, 4, 1, 0, 0, 0)
        ours.sendall(b"g")
        lines = ours.makefile("rb")
        line = lines.readline()
        resident = 0
        if line:
            with open(f"/proc/{child.pid}/statm") as file:
                resident = int(file.read().split()[1])
            ours.sendall(b"x")
    answer = json.loads(line) if line else {}
    print(json.dumps({**answer, "returncode": child.returncode, "resident": resident}))


if __name__ == "__main__":
    {"host": host, "worker": worker}[sys.argv[1]](sys.argv[2], json.loads(sys.argv[3]))
