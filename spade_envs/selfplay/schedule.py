"""What is due in a cycle: functions of the configuration alone."""

from __future__ import annotations

from ..designer.plan import contracts_of
from ..seeds import derive_seed
from .config import Config
from .tasks import Slot


def designs_in(config: Config, cycle: int) -> bool:
    """Whether environments are asked for in this cycle.

    >>> [designs_in(Config(design=DesignSection(interval=4)), cycle) for cycle in (0, 1, 4)]
    [True, False, True]
    """
    return config.design.designer != "pool" and cycle % config.design.interval == 0


def active_skills(config: Config, cycle: int) -> tuple[str, ...]:
    """Skills of the epoch of designs that a cycle belongs to: a window that turns (SPADE's code, ``spade_rollout``).

    >>> section = DesignSection(skills=("a", "b", "c"), window=2, interval=4)
    >>> active_skills(Config(design=section), 5)
    ('c', 'a')
    """
    made = config.design
    taken = min(made.window or len(made.skills), len(made.skills))
    begin = (cycle // made.interval) * taken % len(made.skills)
    return tuple(made.skills[(begin + at) % len(made.skills)] for at in range(taken))


def slots_of(config: Config, cycle: int) -> tuple[Slot, ...]:
    """Slots of a cycle that designs."""
    made = config.design
    active, epoch = active_skills(config, cycle), cycle // made.interval
    slots = []
    for number in range(made.slots):
        skill = active[number % len(active)]
        contract = made.contract
        if not contract and made.task == "sources":
            choices = contracts_of(skill)
            turn, at = divmod(number, len(active))
            contract = choices[(turn + at + epoch) % len(choices)]
        slots.append(Slot(number, cycle, skill, contract, derive_seed(config.run.seed, "slot", cycle, number)))
    return tuple(slots)
