"""A library without a memory, for the look of pages until there is one."""

from __future__ import annotations

import dataclasses
import json
import random
import sys
from collections import Counter
from pathlib import Path

from spade_envs.errors import UnknownEnv
from spade_envs.memory.records import (
    Count,
    Everything,
    Facets,
    Family,
    Filters,
    Measured,
    Order,
    Page,
    Relative,
    Row,
    Stretch,
)
from spade_envs.origins import Origin
from spade_envs.shelf import Shelf
from spade_envs.store import bundled_path
from spade_envs.types import (
    EnvSource,
    Episode,
    Finding,
    Neighbour,
    Probe,
    Report,
    Repro,
    Severity,
    StopReason,
    Turn,
    Verdict,
)

MODELS = ("qwen3-30b-a3b", "qwen3-4b", "SmolLM2-135M-Instruct")
BANDS = ("frontier", "uncertain", "no_regret", "trivial", "unreachable")


class FakeLibrary:
    def __init__(self, more: int = 5) -> None:
        shelf, rng = Shelf(bundled_path()), random.Random(3)
        self.all: list[Everything] = []
        self.plays: dict[str, tuple[Episode, ...]] = {}
        for round_ in range(more):
            for entry in shelf.entries():
                source = shelf.read_source(entry.name)
                card = shelf.read_card(entry.name)
                parent = self.all[-12].source.sha256 if round_ else ""
                origin = (
                    Origin(
                        run=f"run-{round_ // 2}",
                        step=round_ * 40 + len(self.all) % 12,
                        scale=rng.choice(("4B", "30B")),
                        pool="spade-pool",
                    )
                    if round_
                    else Origin()
                )
                source = dataclasses.replace(
                    source,
                    text=source.text + ("\n# again" * round_),
                    skill=card.skill,
                    contract=card.contract,
                    hint="Round up: a crate that is not full is a crate too.\nWrite the division first.",
                    parent=parent,
                    document="wikipedia:Crate",
                    made_by=MODELS[round_ % 3] if round_ else "",
                    origin=origin,
                )
                findings: tuple[Finding, ...] = ()
                if round_ and rng.random() < 0.5:
                    findings = (
                        Finding(
                            "feasibility.witness",
                            rng.choice((Severity.ERROR, Severity.UNDECIDED)),
                            "solution() does not win on 4 of 20 seeds: on seed 7 its 1 action(s) end with rewards 0 in all, not terminated. Make the grader and the solution agree.",
                            24,
                            Repro(7, ("\\boxed{12}",)),
                        ),
                        Finding(
                            "robustness.length", Severity.WARNING, "A reply of 100 000 characters takes 0.8 s.", 31
                        ),
                        Finding("leaks.hint", Severity.WARNING, "The hint is longer than the first observation.", None),
                    )
                report = dataclasses.replace(card.report, source_sha256=source.sha256, findings=findings)
                probes = []
                for number in range(rng.choice((0, 1, 3, 6)) if report.verdict is not Verdict.REFUSE else 0):
                    middle = rng.uniform(-0.2, 0.9)
                    probes.append(
                        Probe(
                            (1, 2, 3),
                            (0.0, 0.0, 1.0),
                            (1.0, 1.0, None),
                            middle,
                            (middle - rng.uniform(0.1, 0.4), middle + rng.uniform(0.05, 0.3)),
                            rng.choice(BANDS),
                            rng.choice(MODELS),
                            f"step-{number * 20}",
                            "{}",
                            "ab",
                            f"2026-11-{10 + number:02d}T12:00:00Z",
                            reason="The hint wins 9 of 12 pairs.",
                        )
                    )
                last = probes[-1] if probes else None
                measured = (
                    Measured(
                        len(probes),
                        3 * len(probes),
                        rng.random(),
                        last.regret,
                        last.interval[0],
                        last.interval[1],
                        last.band,
                    )
                    if last
                    else None
                )
                name = source.text.partition("class ")[2].partition("(")[0].partition(":")[0]
                row = Row(
                    len(self.all) + 1,
                    source.sha256,
                    name,
                    source.skill,
                    source.contract,
                    report.verdict,
                    next((f.rule for f in findings if f.severity is not Severity.WARNING), ""),
                    "" if round_ else f"spade/{entry.name}",
                    source.made_by,
                    origin.run,
                    origin.scale,
                    origin.step,
                    parent,
                    source.document,
                    source.text.count("\n") + 1,
                    f"2026-11-{1 + len(self.all) // 3:02d}T09:30:00Z",
                    measured,
                )
                self.all.append(Everything(row, source, origin, (report,), tuple(probes)))
                turns = (
                    Turn(
                        "First I look at the crates. The division gives 900.7.\n\\boxed{900}",
                        "\\boxed{900}",
                        "Not quite: the last crate is missing.",
                        0.0,
                    ),
                    Turn("So it has to be rounded up.\n\\boxed{901}", "\\boxed{901}", "Right.", 1.0),
                )
                self.plays[source.sha256] = tuple(
                    Episode(
                        row.env_id or f"sha256:{source.sha256[:12]}",
                        seed,
                        MODELS[0],
                        "A crate holds 7 bottles. How many crates do 6305 need? \\boxed{N}"
                        + ("\n\nHINT: " + source.hint if seed % 2 else ""),
                        turns[: 1 + seed % 2],
                        bool(seed % 2),
                        not seed % 2,
                        StopReason.TERMINATED if seed % 2 else StopReason.TURN_LIMIT,
                        hinted=bool(seed % 2),
                        policy_version="step-40",
                    )
                    for seed in range(4)
                )

    def _passing(self, filters: Filters) -> list[Everything]:
        kept = []
        for one in reversed(self.all):
            row = one.row
            verdict = row.verdict.value if row.verdict else "unchecked"
            band = row.measured.band if row.measured else "unprobed"
            pairs = (
                (filters.verdict, verdict),
                (filters.band, band),
                *(
                    (getattr(filters, f), getattr(row, f))
                    for f in ("skill", "contract", "rule", "made_by", "run", "scale", "document")
                ),
            )
            if (
                all(wanted in ("", value) for wanted, value in pairs)
                and filters.text.lower() in (one.source.text + row.name).lower()
            ):
                if filters.regret is None or (
                    row.measured and filters.regret[0] <= row.measured.regret <= filters.regret[1]
                ):
                    if not filters.shelved or row.env_id:
                        kept.append(one)
        return kept

    def find(self, filters: Filters, *, order: Order = Order.NEWEST, after: str = "", most: int = 50) -> Page:
        rows = [one.row for one in self._passing(filters)]
        if order is Order.REGRET:
            rows = sorted((r for r in rows if r.measured), key=lambda r: -r.measured.low)
        if order is Order.HARDEST:
            rows = sorted((r for r in rows if r.measured), key=lambda r: r.measured.plain)
        start = int(after or 0)
        return Page(tuple(rows[start : start + most]), str(start + most) if len(rows) > start + most else "")

    def facets(self, filters: Filters) -> Facets:
        rows = [one.row for one in self._passing(filters)]

        def count(read):
            return tuple(Count(v, n) for v, n in Counter(read(r) for r in rows).most_common())

        return Facets(
            len(rows),
            True,
            count(lambda r: r.skill),
            count(lambda r: r.contract),
            count(lambda r: r.verdict.value),
            count(lambda r: r.rule),
            count(lambda r: r.measured.band if r.measured else "unprobed"),
            count(lambda r: r.made_by),
            count(lambda r: r.run),
            count(lambda r: r.scale),
        )

    def everything(self, name: str) -> Everything:
        for one in self.all:
            if one.source.sha256.startswith(name) or (
                one.row.env_id and name in (one.row.env_id, one.row.env_id.split("/")[1])
            ):
                return one
        raise UnknownEnv(f"no environment {name}; the nearest are spade/env-0001, spade/env-0002")

    def family(self, sha256: str) -> Family:
        here = self.everything(sha256)
        up, down, via = [], [], here.source.sha256
        parent = here.row.parent
        while parent:
            found = self.everything(parent)
            up.append(Relative(parent, "parent", found.row, len(up) + 1, via))
            via, parent = parent, found.row.parent
        seeds = [one for one in self.all if one.row.skill != here.row.skill][:3]
        up += [Relative(one.source.sha256, "seed", one.row, 1, sha256) for one in seeds[:2]]
        up += [Relative("ab" * 32, "seed", None, 2, seeds[0].source.sha256)]
        level = [here.source.sha256]
        for depth in range(1, 5):
            found = [one for one in self.all if one.row.parent in level]
            down += [Relative(one.source.sha256, "parent", one.row, depth, one.row.parent) for one in found]
            level = [one.source.sha256 for one in found]
        down += [Relative(one.source.sha256, "seed", one.row, 1, sha256) for one in self.all[-4:-1]]
        return Family(tuple(up), tuple(down), True)

    def episodes(self, sha256: str) -> tuple[Episode, ...]:
        return self.plays[sha256]

    def document(self, identity: str) -> str:
        return "Crate (container)"

    def neighbours(self, sha256: str) -> tuple[Neighbour, ...]:
        return tuple(Neighbour(one.source.sha256, 0.93 - n / 10, one.row.name) for n, one in enumerate(self.all[3:6]))

    def stretches(self, *, skill: str = "", run: str = "", most: int = 40) -> tuple[Stretch, ...]:
        rng = random.Random(1)
        skills = sorted({one.row.skill for one in self.all}) if not skill else [skill]
        return tuple(
            Stretch(
                s,
                i * 10,
                i * 10 + 9,
                12,
                rng.randint(3, 12),
                6,
                None if i == 2 else rng.uniform(0, 0.6),
                rng.random(),
                rng.uniform(60, 140),
                (
                    Count("answer", rng.randint(1, 9)),
                    Count("interactive", rng.randint(1, 9)),
                    Count("tools", rng.randint(1, 9)),
                ),
            )
            for s in skills
            for i in range(12)
        )


if __name__ == "__main__":
    import uvicorn

    from spade_envs.browse.app import application
    from spade_envs.browse.desk import Desk
    from spade_envs.browse.security import Key

    key = Key(token="t" * 43, base="/b")
    uvicorn.run(application(Desk(FakeLibrary(), key.base), key), host="127.0.0.1", port=int(sys.argv[1]))
