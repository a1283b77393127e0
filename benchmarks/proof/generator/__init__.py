"""Generates sound environment sources: what a correct gate must accept, written without knowledge of the gate."""

from .catalogue import generate
from .model import GeneratedSource

__all__ = ["GeneratedSource", "generate"]
