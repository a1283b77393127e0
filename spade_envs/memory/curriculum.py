"""How a designer's environments change from step to step."""

from __future__ import annotations

from .packing import storable
from .records import Count, Stretch
from .remembering import SqliteMemory

NEWEST = 100_000
"""Sources of one skill that are looked at, the newest ones."""


def stretches(memory: SqliteMemory, *, skill: str = "", run: str = "", most: int = 40) -> tuple[Stretch, ...]:
    """Sources by skill and step, gathered in at most ``most`` stretches of steps each.

    Sources without a step are ordered by when they came to the memory.

    Args:
        memory: that is looked into.
        skill: only this one; empty for every skill there is.
        run: only sources of this run; empty for all.
        most: stretches of one skill.

    Raises:
        ValueError: ``most`` is below 1.
        StoreError: the memory cannot be read.
    """
    if most < 1:
        raise ValueError(f"most is {most}; allowed: 1 and more")
    skills = (
        [skill]
        if skill
        else [
            value
            for (value,) in memory.db.run(
                "SELECT value FROM counts WHERE facet = 'skill' AND value <> '' AND sources > 0 ORDER BY value"
            )
        ]
    )
    return tuple(stretch for one in skills for stretch in _of(memory, one, run, most))


def _of(memory: SqliteMemory, skill: str, run: str, most: int) -> list[Stretch]:
    inner = """SELECT id, step, verdict, contract, probes, regret, plain, lines FROM sources
        WHERE skill = ?1 AND (?2 = '' OR run = ?2) ORDER BY id DESC LIMIT ?3"""
    values = (storable(skill), storable(run), NEWEST)
    found = memory.db.run(
        f"SELECT count(*), count(step), min(step), max(step), min(id), max(id) FROM ({inner})", *values
    )
    count, stepped, first_step, last_step, first_id, last_id = found[0]
    if not count:
        return []
    # Where all know their step it is the axis; a mixture has only its order in common.
    axis, first, last = ("step", first_step, last_step) if stepped == count else ("id", first_id, last_id)
    width = max(1, -(-(last - first + 1) // most))
    sql = f"""SELECT ({axis} - ?4) / ?5 AS stretch, contract, count(*), sum(verdict = 'admit'), sum(probes > 0),
        total(CASE WHEN probes > 0 THEN regret END), total(CASE WHEN probes > 0 THEN plain END), sum(lines)
        FROM ({inner}) GROUP BY stretch, contract ORDER BY stretch, contract"""
    gathered: dict[int, list[tuple[str, int, int, int, float, float, int]]] = {}
    for at, *rest in memory.db.run(sql, *values, first, width):
        gathered.setdefault(at, []).append(tuple(rest))
    return [
        _stretch(skill, first + at * width, min(last, first + (at + 1) * width - 1), parts)
        for at, parts in gathered.items()
    ]


def _stretch(skill: str, first: int, last: int, parts: list[tuple[str, int, int, int, float, float, int]]) -> Stretch:
    sources, probed = sum(part[1] for part in parts), sum(part[3] for part in parts)
    return Stretch(
        skill=skill,
        first=first,
        last=last,
        sources=sources,
        admitted=sum(part[2] for part in parts),
        probed=probed,
        regret=sum(part[4] for part in parts) / probed if probed else None,
        plain=sum(part[5] for part in parts) / probed if probed else None,
        lines=sum(part[6] for part in parts) / sources,
        contracts=tuple(Count(part[0], part[1]) for part in parts),
    )
