"""What a mutation operator is."""

from __future__ import annotations

import ast
import dataclasses
import random
from collections.abc import Callable

Change = Callable[[ast.Module, random.Random], bool]
"""Changes a tree in place; ``False`` when there is nothing to change in it."""


@dataclasses.dataclass(frozen=True)
class Operator:
    """One way of breaking a good source."""

    name: str
    """What a designer would have done wrong, in a few words."""
    change: Change
    shows: tuple[str, ...]
    """Names of oracles that can show it, the likeliest first."""
    rules: tuple[str, ...]
    """Rules of the gate that may catch it; ``warn RULE`` where a warning is what is due."""
    contracts: tuple[str, ...] = ("answer", "interactive", "tools")
    """Contracts it applies to."""

    @property
    def warns(self) -> bool:
        """Whether a warning is all that is due."""
        return all(rule.startswith("warn ") for rule in self.rules)


OPERATORS: dict[str, Operator] = {}
"""Every operator by name, in the order of the modules of ``operators``."""


def operator(
    name: str, *, shows: str, rules: str, contracts: str = "answer interactive tools"
) -> Callable[[Change], Change]:
    """Register a function as a mutation operator.

    Args:
        name: as :attr:`Operator.name`.
        shows: names of oracles, separated by ``|``.
        rules: names of rules, separated by ``|``.
        contracts: separated by spaces.
    """

    def register(change: Change) -> Change:
        if name in OPERATORS:
            raise ValueError(f"two operators are named {name!r}")
        OPERATORS[name] = Operator(
            name,
            change,
            tuple(part.strip() for part in shows.split("|")),
            tuple(part.strip() for part in rules.split("|")),
            tuple(contracts.split()),
        )
        return change

    return register
