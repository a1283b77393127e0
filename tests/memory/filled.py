"""A memory with known contents."""

from __future__ import annotations

from spade_envs.memory import SqliteMemory
from spade_envs.types import EnvSource, Finding, Origin, Probe, Report, Severity

SKILLS = ("logical-deduction", "optimization", "tool-selection")
RULES = ("static.size", "feasibility.witness")


def named(number: int, **about: str) -> EnvSource:
    """A source of its own, whose facts follow from its number."""
    text = f"class Thing{number}Env:\n    # the {'crimson' if number % 2 else 'azure'} one\n    pass\n"
    origin = Origin("pool-a", f"f{number}.py", f"run-{number % 2}", number // 10, "4B" if number % 3 else "30B")
    facts = {"skill": SKILLS[number % 3], "contract": "answer", "made_by": f"model-{number % 2}", **about}
    return EnvSource(text, origin=origin, **facts)


def said(source: EnvSource, number: int) -> Report:
    """Every third is refused, by one rule or another."""
    if number % 3:
        return Report(source.sha256, contract="answer")
    rule = RULES[number % 2]
    return Report(source.sha256, (Finding(rule, Severity.ERROR, "no", 1),), contract="answer")


def measured(wins: tuple[int, int], pairs: int, band: str = "frontier") -> Probe:
    """So many pairs, the first of each arm won."""
    plain = tuple(float(at < wins[0]) for at in range(pairs))
    hinted = tuple(float(at < wins[1]) for at in range(pairs))
    regret = (wins[1] - wins[0]) / pairs
    return Probe(tuple(range(pairs)), plain, hinted, regret, (-1.0, 1.0), band, "m", "v", "{}", "", "2026-01-31")


def fill(memory: SqliteMemory, count: int = 60) -> list[EnvSource]:
    """Sources of which every third is refused."""
    sources = [named(number) for number in range(count)]
    assert memory.add_many((one, said(one, number)) for number, one in enumerate(sources)) == count
    return sources
