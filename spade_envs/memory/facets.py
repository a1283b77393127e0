"""Which columns of the table ``sources`` are counted by value."""

FACETS = ("skill", "contract", "verdict", "rule", "band", "made_by", "run", "scale", "pool")
"""Columns of ``sources`` whose values are counted as they change."""
