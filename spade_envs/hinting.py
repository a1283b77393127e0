"""Hints written by a model that reads the source.

The prompt is fixed and the reply is no part of a designer's trajectory, so that a designer cannot earn regret by what
it writes into a hint. Temperature and time limit are those of SPADE (arXiv 2608.19197).
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from .actions import strip_think
from .client import ChatRequest, Client, Message, Reply, Sampling
from .errors import SpadeEnvsError
from .prompts import hint_messages
from .prompts.fences import harmless
from .types import EnvSource

MOST_WORDS = 120
"""Words of a hint at most."""
SAMPLING = Sampling(temperature=0.3, max_tokens=4096)
"""How hints are drawn; the tokens leave room for think text."""

_LABEL = re.compile(r"^[*_#\s]*hint[*_\s]*:[*_\s]*", re.IGNORECASE)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "`": "`"}


class HintError(SpadeEnvsError, ValueError):
    """A model's reply holds no usable hint; the message says what it holds. Another seed may help."""


async def write_hint(
    client: Client,
    source: EnvSource,
    contract: str,
    *,
    model: str | None = None,
    seed: int,
    sampling: Sampling | None = None,
    refused: Sequence[str] = (),
    deadline_seconds: float = 120.0,
) -> str:
    """A hint for an environment: at most 120 words on one line, about the approach and the answer format.

    Args:
        client: of the model that writes it, opened.
        source: of the environment; untrusted.
        contract: of the environment, as the gate found it.
        model: name of the model or adapter; ``None`` for the client's.
        seed: of the draw.
        sampling: how tokens are drawn; ``None`` for :data:`SAMPLING`. Its seed and number of replies are replaced.
        refused: what the gate said about earlier hints.
        deadline_seconds: for the request with all its attempts.

    Raises:
        RequestFailed: when there is no reply.
        HintError: when the reply holds no usable hint: it is empty, cut off, above 120 words, or code.
        ValueError: for a contract that does not exist.
    """
    asked = hint_messages(source, contract, refused)
    request = ChatRequest(
        messages=(Message("system", asked.system), Message("user", asked.user)),
        sampling=dataclasses.replace(sampling or SAMPLING, seed=seed, n=1),
        model=model,
        deadline_seconds=deadline_seconds,
    )
    return read_hint((await client.chat(request)).replies[0])


def read_hint(reply: Reply) -> str:
    """The hint in a reply: no think text, one line, without quotes around it or a label before it.

    Raises:
        HintError: when there is none that can be used.

    >>> read_hint(Reply(text="<think>easy</think>Hint: \\"Add the ones\\n first.\\"", finish_reason="stop"))
    'Add the ones first.'
    """
    if reply.finish_reason == "length":
        raise HintError("the reply was cut off before the hint ended; allow more max_tokens")
    text = strip_think(reply.text)
    if "```" in text or "~~~" in text:
        raise HintError("the reply holds a code block, where one paragraph of plain text is wanted; ask again")
    text = _unwrapped(" ".join(harmless(text).split()))
    if not any(letter.isalnum() for letter in text):
        raise HintError("the reply holds no hint, only think text, marks or nothing; ask again")
    words = len(text.split())
    if words > MOST_WORDS:
        raise HintError(f"the hint has {words} words, where at most {MOST_WORDS} are allowed; ask again")
    return text


def _unwrapped(text: str) -> str:
    """Labels and pairs of quotes taken off, until there is neither."""
    while True:
        inner = _LABEL.sub("", text, count=1).strip()
        if len(inner) >= 2 and _QUOTES.get(inner[0]) == inner[-1] and inner[0] not in inner[1:-1]:
            inner = inner[1:-1].strip()
        if inner == text:
            return text
        text = inner
