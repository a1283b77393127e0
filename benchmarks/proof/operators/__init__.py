"""Every mutation operator. Importing this package fills :data:`benchmarks.proof.operator.OPERATORS`."""

from ..operator import OPERATORS
from . import crashes, criteria, grading, leaks, rewards, state, witnesses

__all__ = ["OPERATORS", "crashes", "criteria", "grading", "leaks", "rewards", "state", "witnesses"]
