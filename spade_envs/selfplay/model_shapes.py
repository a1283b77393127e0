"""How large a model is: parameters, adapters and key-value cache, from the numbers of its published configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

BYTES = {"bfloat16": 2, "float16": 2, "float32": 4}
"""Of one number, by type."""


@dataclass(frozen=True, kw_only=True)
class ModelShape:
    """A decoder of the Llama and Qwen kind: grouped-query attention, gated feed-forward layers, no biases.

    >>> f"{SHAPES['Qwen/Qwen3-4B-Instruct-2507'].parameters / 1e9:.2f}"
    '4.02'
    """

    layers: int
    hidden: int
    intermediate: int
    """Width of a feed-forward layer, or of one expert."""
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    tied: bool
    """Whether embedding and output share weights."""
    experts: int = 0
    """Per layer; 0 for a dense model."""
    chosen: int = 0
    """Experts that one token goes through."""

    @property
    def parameters(self) -> int:
        """All weights."""
        return self._count(self.experts or 1)

    @property
    def active(self) -> int:
        """Weights that one token goes through."""
        return self._count(self.chosen or 1)

    @property
    def kv_bytes(self) -> int:
        """Bytes of keys and values of one token in 16 bits: ``2 * layers * kv_heads * head_dim * 2``."""
        return 2 * self.layers * self.kv_heads * self.head_dim * 2

    def lora(self, rank: int) -> int:
        """Weights of adapters of all linear layers, ``rank * (inputs + outputs)`` each; of experts there are none."""
        return self.layers * rank * sum(inputs + outputs for inputs, outputs in self._linear())

    def _linear(self) -> list[tuple[int, int]]:
        queries, keys = self.heads * self.head_dim, self.kv_heads * self.head_dim
        found = [(self.hidden, queries), (self.hidden, keys), (self.hidden, keys), (queries, self.hidden)]
        if not self.experts:
            found += [(self.hidden, self.intermediate)] * 2 + [(self.intermediate, self.hidden)]
        return found

    def _count(self, experts: int) -> int:
        queries, keys = self.heads * self.head_dim, self.kv_heads * self.head_dim
        attention = 2 * self.hidden * (queries + keys) + 2 * self.head_dim
        forward = experts * 3 * self.hidden * self.intermediate + self.hidden * self.experts
        embeddings = self.vocab * self.hidden * (1 if self.tied else 2)
        return self.layers * (attention + forward + 2 * self.hidden) + embeddings + self.hidden


SHAPES: Mapping[str, ModelShape] = {
    "Qwen/Qwen3-4B-Instruct-2507": ModelShape(
        layers=36, hidden=2560, intermediate=9728, heads=32, kv_heads=8, head_dim=128, vocab=151936, tied=True
    ),
    "Qwen/Qwen3-8B": ModelShape(
        layers=36, hidden=4096, intermediate=12288, heads=32, kv_heads=8, head_dim=128, vocab=151936, tied=False
    ),
    "Qwen/Qwen3-30B-A3B-Instruct-2507": ModelShape(
        layers=48,
        hidden=2048,
        intermediate=768,
        heads=32,
        kv_heads=4,
        head_dim=128,
        vocab=151936,
        tied=False,
        experts=128,
        chosen=8,
    ),
}
"""Models of the presets, by name."""


def shape_of(model: str) -> ModelShape | None:
    """The shape of a model of :data:`SHAPES`, or of a folder with a ``config.json``; ``None`` where it is not known.

    >>> shape_of("somebody/a-model") is None
    True
    """
    if model in SHAPES:
        return SHAPES[model]
    try:
        data = json.loads((Path(model) / "config.json").read_text("utf-8"))
        return _read(data) if isinstance(data, dict) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _read(data: Mapping[str, object]) -> ModelShape:
    """Names as transformers has them."""
    heads = _whole(data["num_attention_heads"])
    hidden = _whole(data["hidden_size"])
    experts = _whole(data.get("num_experts") or 0)
    return ModelShape(
        layers=_whole(data["num_hidden_layers"]),
        hidden=hidden,
        intermediate=_whole(data["moe_intermediate_size" if experts else "intermediate_size"]),
        heads=heads,
        kv_heads=_whole(data.get("num_key_value_heads") or heads),
        head_dim=_whole(data.get("head_dim") or hidden // heads),
        vocab=_whole(data["vocab_size"]),
        tied=data.get("tie_word_embeddings") is True,
        experts=experts,
        chosen=_whole(data.get("num_experts_per_tok") or 0),
    )


def _whole(value: object) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is no count")
    return value
