"""The memory: every source ever seen, refused ones too, with what the gate and the probes said about it."""

from .memory_v1 import SCHEMA_VERSION, SqliteMemory

__all__ = ["SCHEMA_VERSION", "SqliteMemory"]
