"""How a source is played, and which words of its info are ours."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

RESERVED = frozenset({"seed", "tools", "stop_reason", "success", "error", "final_obs", "final_info"})
"""Keys of info that are ours to say; the last two are those of vector environments."""


@dataclasses.dataclass(frozen=True)
class EnvSettings:
    """How a source is played, and which words of its info are ours."""

    contract: str = ""
    """``answer``, ``interactive`` or ``tools``; empty asks the environment whether it offers tools."""
    max_turns: int | None = None
    """Turns before truncation; ``None`` takes the author's own, or ``limits.max_turns``."""
    cap_turns: int | None = None
    """A lower limit handed to the author's constructor, for training."""
    hint: str = ""
    """Static hint; empty asks the author's ``hint()``."""
    hinted: bool = False
    """Append the hint to the first observation."""
    again: bool = False
    """Begin an episode of a seed seen before from a copy of the state after its reset, where that can be copied: for
    explorations, whose findings are played again without it."""
    tools: str = "info"
    """Where tool schemas go: ``info`` (``info["tools"]`` at reset) or ``text`` (into the first observation)."""


def own_info(info: dict[str, Any]) -> dict[str, Any]:
    """What the environment says, less the keys that are ours to say."""
    if RESERVED.isdisjoint(info):
        return info
    return {key: value for key, value in info.items() if key not in RESERVED}


def listed(tools: Sequence[dict[str, Any]]) -> str:
    """What is added to a first observation that shows its tools; nothing where there are none."""
    if not tools:
        return ""
    lines = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)
    return f"\n\nTools (call one as <tool_call>{{...}}</tool_call>):\n{lines}"
