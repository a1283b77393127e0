"""A loop that only tells events, to look at the command with; ``python tests/selfplay/pretended.py`` shows it."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator

from spade_envs.selfplay.config import Config
from spade_envs.selfplay.events import CycleBegan, CycleEnded, DesignEnded, Event, Phase, Result, Saved, Trouble, Watch
from spade_envs.selfplay.evidence import Design
from spade_envs.selfplay.run_folder import note, settle

KINDS = (Design.ADMITTED, Design.ADMITTED, Design.ADMITTED, Design.STATIC, Design.LOAD, Design.WORTH, Design.HUNG)
BANDS = ("frontier", "trivial", "uncertain", "no_regret")


def cycle_events(config: Config, cycle: int) -> Iterator[Event]:
    """The events of one cycle, as its seed and number have them."""
    chance = random.Random(f"{config.run.seed} {cycle}")
    slots, plays = config.design.slots, config.design.slots * config.play.plain
    yield CycleBegan(cycle)
    for slot in range(slots):
        design = chance.choice(KINDS)
        good = design is Design.ADMITTED
        rule, band = ("" if good else "static.import"), (chance.choice(BANDS) if good else "")
        regret = chance.uniform(-0.1, 0.6) if good else None
        yield DesignEnded(cycle, slot, "optimization", design, rule, regret, band)
        yield Phase(cycle, "check", slot + 1, slots)
    for done in range(0, plays + 1, 8):
        yield Phase(cycle, "play", done, plays)
    if cycle % 5 == 3:
        yield Trouble(cycle, "server: no answer within 600 s from http://127.0.0.1:8000 \x1b[31m[red]")
    plain = min(0.9, 0.2 + cycle / 40)
    yield CycleEnded(
        cycle,
        {
            "regret": 0.3 - cycle / 200,
            "plain": plain,
            "hinted": min(1.0, plain + 0.25),
            "agent/reward": plain,
            "loss": 0.01 / (1 + cycle),
            "gap/mean": 1.2e-6,
            "tokens": 40_000.0 + cycle,
        },
    )


def pretended_loop(pause: float = 0.0) -> Callable[..., Result]:
    """Something to put in the place of the loop."""

    def train(config: Config, *, watch: Watch, resume: bool) -> Result:
        folder = settle(config, resume=resume)
        note(config)
        troubles, cycle, stopped = {"server": 0}, 0, "done"
        try:
            for cycle in range(config.run.cycles):
                for event in cycle_events(config, cycle):
                    troubles["server"] += isinstance(event, Trouble)
                    watch(event)
                    time.sleep(pause)
                watch(Saved(cycle + 1, folder / f"checkpoint-{cycle + 1:05}"))
        except KeyboardInterrupt:
            stopped = "interrupted"
        return Result(cycle + 1, cycle + 1, folder, {k: n for k, n in troubles.items() if n}, stopped)

    return train
