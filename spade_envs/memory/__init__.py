"""The memory: every source ever seen, refused ones too, with what the gate and the probes said about it."""

from .records import (
    Count,
    Drawn,
    Everything,
    Facets,
    Family,
    Filters,
    Measured,
    Negative,
    Order,
    Page,
    Relative,
    Row,
    Stretch,
)
from .remembering import SqliteMemory
from .schema import VERSION as SCHEMA_VERSION

__all__ = [
    "SCHEMA_VERSION",
    "Count",
    "Drawn",
    "Everything",
    "Facets",
    "Family",
    "Filters",
    "Measured",
    "Negative",
    "Order",
    "Page",
    "Relative",
    "Row",
    "SqliteMemory",
    "Stretch",
]
