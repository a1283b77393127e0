"""``prompts``: what models are told."""

from __future__ import annotations

import json
from typing import Annotated

from cyclopts import Parameter

from ..corpus import token_counter
from ..encodings import ENCODINGS, encoding
from ..prompts import Prompt, names, prompt
from ..terminal import shown
from . import screen

HASH_SHOWN = 12
"""Digits of a hash in the list."""


def prompts(
    name: Annotated[str, Parameter(name="NAME")] = "",
    /,
    *,
    as_json: Annotated[bool, Parameter(name="--json", negative="")] = False,
) -> int:
    """Print a text that models are told; without a name, list them all with their length and hash.

    What begins with a dollar sign is a field that is filled in.

    Examples:

      spade-envs prompts
      spade-envs prompts designer-tools
      spade-envs prompts hint-answer --json | jq -r .sha256

    Args:
        name: Name of a prompt, as the list prints it.
        as_json: One JSON object per prompt, each on its own line.
    """
    chosen = [prompt(one) for one in ([name] if name else names())]
    counted = ENCODINGS[0] if encoding(ENCODINGS[0]) is not None else "bytes"
    count = token_counter(counted)
    if as_json:
        for one in chosen:
            print(json.dumps(_row(one, counted, count(one.text))))
        return 0
    if name:
        print(chosen[0].text)
        return 0
    out = screen.console()
    unit = "bytes" if counted == "bytes" else "tokens"
    out.print(f"{'name':<30}{unit:>8}  {'sha256':<{HASH_SHOWN}}  fields", style="dim")
    for one in chosen:
        out.print(shown(f"{one.name:<30}", "bold"), end="")
        fields = ", ".join(one.fields)
        out.print(f"{count(one.text):>8,}  {one.sha256[:HASH_SHOWN]}  {fields}".rstrip())
    return 0


def _row(one: Prompt, counted: str, tokens: int) -> dict[str, object]:
    return {
        "name": one.name,
        "sha256": one.sha256,
        "encoding": counted,
        "tokens": tokens,
        "fields": one.fields,
        "text": one.text,
    }
