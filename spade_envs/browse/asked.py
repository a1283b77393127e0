"""Query strings to filters and back."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping

from ..memory.records import Filters, Order

LONGEST = 500
"""Characters of a value."""
TEXTS = ("text", "skill", "contract", "verdict", "rule", "band", "made_by", "run", "scale", "pool", "document")
"""Fields of :class:`~spade_envs.memory.records.Filters` that are texts; parameters have their names."""


@dataclasses.dataclass(frozen=True)
class Asked:
    """What a query string asks the table for."""

    filters: Filters
    order: Order
    after: str
    given: Mapping[str, str]
    """Parameters that are set, without ``after``: what links keep."""


def asked(query: Mapping[str, str]) -> Asked:
    """Read a query string; what it does not know it leaves alone.

    Raises:
        ValueError: for a verdict or order that does not exist, an upside-down range, or what should be a number.
    """
    texts = {name: _text(name, query.get(name, "")) for name in TEXTS}
    regret = _range("regret", query, float)
    steps = _range("step", query, int)
    order = query.get("order", "")
    if order and order not in tuple(Order):
        raise ValueError(f"there is no order {order[:80]!r}; allowed: {', '.join(Order)}")
    filters = Filters(
        **texts,
        regret=None if regret is None else (regret[0], regret[1]),
        steps=None if steps is None else (int(steps[0]), int(steps[1])),
        shelved=query.get("shelved", "") == "1",
    )
    names = (*TEXTS, "regret_from", "regret_to", "step_from", "step_to", "shelved", "order")
    given = {name: query[name].strip() for name in names if query.get(name, "").strip()}
    return Asked(filters, Order(order or Order.NEWEST), query.get("after", ""), given)


def _text(name: str, value: str) -> str:
    if len(value) > LONGEST:
        raise ValueError(f"{name} has {len(value)} characters; allowed: {LONGEST}")
    return value.strip()


_ENDS = {"regret": (-1.0, 1.0), "step": (0, 2**53)}
"""What an end that was left open stands for."""


def _range(name: str, query: Mapping[str, str], kind: type[float] | type[int]) -> tuple[float, float] | None:
    given = [query.get(f"{name}_{end}", "").strip() for end in ("from", "to")]
    if not any(given):
        return None
    low, high = (_number(name, text, kind) if text else end for text, end in zip(given, _ENDS[name], strict=True))
    return low, high


def _number(name: str, text: str, kind: type[float] | type[int]) -> float:
    try:
        value = kind(text[:40])
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or abs(value) > _ENDS["step"][1]:
        what = "a whole number" if kind is int else "a number"
        raise ValueError(f"{name} has to be {what}, not {text[:80]!r}")
    return value
