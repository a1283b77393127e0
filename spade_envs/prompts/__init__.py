"""What models are told: texts beside this file, one ``NAME.md`` each, and what is filled into them.

A text is data. What was asked of a model is known from the hash of its text, and a text is changed without code.
"""

from __future__ import annotations

from .fences import fenced
from .filled import (
    DIFFICULTIES,
    BadExample,
    Design,
    Messages,
    agent_system,
    designer_messages,
    hint_messages,
)
from .repairs import repair_text
from .texts import Prompt, names, prompt

__all__ = [
    "DIFFICULTIES",
    "BadExample",
    "Design",
    "Messages",
    "Prompt",
    "agent_system",
    "designer_messages",
    "fenced",
    "hint_messages",
    "names",
    "prompt",
    "repair_text",
]
