"""A memory with something of everything in it, and the page over it on a real port."""

from __future__ import annotations

import contextlib
import dataclasses
import random
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import uvicorn

from spade_envs.browse.app import application
from spade_envs.browse.desk import Desk
from spade_envs.browse.library import Library
from spade_envs.browse.security import Key
from spade_envs.memory import SqliteMemory
from spade_envs.memory.upkeep import rebuild
from spade_envs.origins import Origin
from spade_envs.shelf import Shelf
from spade_envs.store import bundled_path
from spade_envs.types import EnvSource, Episode, Finding, Probe, Report, Repro, Severity, StopReason, Turn

MODELS = ("qwen3-30b-a3b", "qwen3-4b", "SmolLM2-135M-Instruct")
BANDS = ("frontier", "uncertain", "no_regret", "trivial", "unreachable")
HINT = "Round up: a crate that is not full is a crate too.\nWrite the division down first."
FINDINGS = (
    Finding(
        "feasibility.witness",
        Severity.ERROR,
        "solution() does not win on 4 of 20 seeds: on seed 7 its 1 action(s) end with rewards 0 in all, not "
        "terminated. Make the grader and the solution agree.",
        24,
        Repro(7, ("\\boxed{12}",)),
    ),
    Finding("robustness.length", Severity.WARNING, "A reply of 100,000 characters takes 0.8 s.", 31),
    Finding("leaks.hint", Severity.WARNING, "The hint is longer than the first observation."),
)
ATTACK = (
    "\x1b[31m\u202eevil\u2066\u200b\x00</script><script>window.acted = 1</script>"
    "\"'><img src=x onerror='window.acted = 1'>{{ 7 * 7 }}"
)
"""Text that acts wherever it is not shown as text."""
LONG = "x" * 1_000_000


def stock(memory: SqliteMemory, rounds: int = 4) -> None:
    """The bundled shelf, and in each further round a descendant of every source of the round before."""
    rebuild(memory, [Shelf(bundled_path())])
    chance = random.Random(3)
    memory.add_document("wikipedia:Crate", "crate.md", "Crate (container)")
    shelf = Shelf(bundled_path())
    parents = [shelf.read_source(entry.name) for entry in shelf.entries()]
    cards = [shelf.read_card(entry.name) for entry in shelf.entries()]
    for number in range(1, rounds):
        made = []
        for at, (parent, card) in enumerate(zip(parents, cards, strict=True)):
            source = _descendant(parent, number, at, chance)
            source = dataclasses.replace(source, skill=card.skill, contract=card.contract)
            memory.add_source(source)
            memory.add_lineage(source.sha256, [parents[(at + 5) % len(parents)].sha256, parents[at - 1].sha256])
            findings = FINDINGS if chance.random() < 0.4 else FINDINGS[1:2] if chance.random() < 0.3 else ()
            report = dataclasses.replace(card.report, source_sha256=source.sha256, findings=findings)
            memory.add_report(report)
            if not findings:
                for one in range(chance.choice((0, 1, 4))):
                    memory.add_probe(source.sha256, probe(chance, one))
                for seed in range(4):
                    memory.add_episode(source.sha256, episode(source, seed))
            made.append(source)
        parents = made


def _descendant(parent: EnvSource, number: int, at: int, chance: random.Random) -> EnvSource:
    origin = Origin(
        run=f"run-{number // 2}", step=number * 40 + at, scale=chance.choice(("4B", "30B")), pool="spade-pool"
    )
    return EnvSource(
        f"{parent.text}\n# round {number}\n",
        hint=HINT,
        parent=parent.sha256,
        document="wikipedia:Crate" if at % 2 else "",
        made_by=MODELS[number % 3],
        origin=origin,
    )


def probe(chance: random.Random, number: int) -> Probe:
    """A measurement like any."""
    plain = tuple(float(chance.random() < 0.4) for _ in range(8))
    hinted = tuple(float(chance.random() < 0.8) for _ in range(8))
    regret = (sum(hinted) - sum(plain)) / 8
    return Probe(
        seeds=tuple(range(8)),
        plain=plain,
        hinted=hinted,
        regret=regret,
        interval=(max(-1.0, regret - 0.3), min(1.0, regret + 0.25)),
        band=chance.choice(BANDS),
        model=chance.choice(MODELS),
        policy_version=f"step-{20 * number}",
        sampling="{}",
        prompt_sha="ab",
        date=f"2026-11-{10 + number:02d}T12:00:00Z",
        hint=HINT,
        reason="Enough pairs were played.",
    )


def episode(source: EnvSource, seed: int) -> Episode:
    """Won with the hint on odd seeds, and not without it on even ones."""
    won = bool(seed % 2)
    turns = (
        Turn("The division gives 900.7.\n\\boxed{900}", "\\boxed{900}", "Not quite: a crate is missing.", 0.0),
        Turn("So it has to be rounded up.\n\\boxed{901}", "\\boxed{901}", "Right.", 1.0),
    )
    first = "A crate holds 7 bottles. How many crates do 6305 need? \\boxed{N}"
    return Episode(
        env_id=f"sha256:{source.sha256[:12]}",
        seed=seed,
        player=MODELS[0],
        observation=f"{first}\n\nHINT: {source.hint}" if won else first,
        turns=turns[: 1 + won],
        terminated=won,
        truncated=not won,
        stop_reason=StopReason.TERMINATED if won else StopReason.TURN_LIMIT,
        hinted=won,
        policy_version="step-40",
    )


def attack(memory: SqliteMemory, long: str = "") -> str:
    """A source whose every text is hostile; its hash."""
    text = ATTACK + long
    body = f'class Evil{ATTACK!r}:\n    """{text}"""\n    def solution(self): return []\n'
    origin = Origin(pool=text, path=text, run=text, step=7, scale=text, recipe=text, difficulty=text, claimed=text)
    source = EnvSource(body, text, "answer", text, "", text, text, origin)
    memory.add_source(source)
    memory.add_document(text, text, text)
    memory.add_lineage(source.sha256, ["ab" * 32])
    findings = tuple(
        Finding(text, severity, text, line, Repro(3, (text, text)))
        for severity, line in zip(Severity, (2, 3, None), strict=True)
    )
    memory.add_report(Report(source.sha256, findings, not_reached=(text,), contract="answer", witness_kind=text))
    chance = random.Random(1)
    said = {"model": text, "policy_version": text, "date": text, "hint": text, "reason": text, "band": text}
    memory.add_probe(source.sha256, dataclasses.replace(probe(chance, 1), **said))  # type: ignore[arg-type]
    memory.add_episode(
        source.sha256,
        Episode(
            text, 3, text, text, (Turn(text, text + "!", text, 1.0),), True, False, StopReason.TERMINATED,
            hinted=True, policy_version=text, detail=text, cut=text,
        ),
    )  # fmt: skip
    memory.shelve(source.sha256, text[:500])
    return source.sha256


@dataclasses.dataclass(frozen=True)
class Served:
    """A page that answers."""

    key: Key
    port: int
    memory: SqliteMemory

    def url(self, path: str = "/") -> str:
        """The whole address of ``path``."""
        return f"http://127.0.0.1:{self.port}{self.key.base}{path}"

    @property
    def door(self) -> str:
        """The address with the key in it."""
        return self.url(f"/?token={self.key.token}")


@contextlib.contextmanager
def serving(memory: SqliteMemory, port: int = 0, metrics: Path | None = None) -> Iterator[Served]:
    """The page over ``memory`` on a port of its own."""
    key = Key()
    with socket.create_server(("127.0.0.1", port)) as listening:
        config = uvicorn.Config(
            application(Desk(Library(memory), key.base, metrics), key), log_level="warning", lifespan="on", ws="none"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield Served(key, listening.getsockname()[1], memory)
        finally:
            server.should_exit = True
            thread.join(20)


if __name__ == "__main__":
    with SqliteMemory(Path(sys.argv[1])) as opened:
        if not opened.db.run("SELECT 1 FROM sources LIMIT 1"):
            stock(opened)
            attack(opened)
            attack(opened, LONG)
        with serving(opened, int(sys.argv[2])) as served:
            print(served.door, flush=True)
            threading.Event().wait()
