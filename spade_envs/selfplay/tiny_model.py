"""Language models of less than a few million weights, made on the spot from a seed: no download, no file.

The architecture is Qwen3's, so that whatever trains and serves large models takes them as well. They know nothing.
Needs PyTorch and transformers (``spade-envs[train]``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

from .renderers import CharRenderer

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""Chat template of the byte-level model."""
_SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")


@dataclass(frozen=True, kw_only=True)
class TinyShape:
    """Sizes of a tiny model: by default about half a million weights beside the embeddings."""

    hidden: int = 128
    layers: int = 3
    heads: int = 4
    kv_heads: int = 2
    head_dim: int = 32
    intermediate: int = 256
    context: int = 1024
    """Longest sequence, in tokens."""
    sharp: bool = False
    """Whether embeddings are made 8 times and projections 4 times as large as usual. As usual, every token is about
    as likely as any other, and no low-rank adapter can change that."""


def tiny_model(vocabulary: int, shape: TinyShape, *, end: int, padding: int, seed: int) -> Qwen3ForCausalLM:
    """A float32 model with random weights that follow from ``seed``; the global random state is left alone.

    Args:
        vocabulary: number of tokens.
        shape: sizes.
        end: token that ends a turn.
        padding: token for places that nobody looks at.
        seed: of the weights.
    """
    config = Qwen3Config(
        vocab_size=vocabulary,
        hidden_size=shape.hidden,
        intermediate_size=shape.intermediate,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.kv_heads,
        head_dim=shape.head_dim,
        max_position_embeddings=shape.context,
        tie_word_embeddings=True,
        eos_token_id=end,
        pad_token_id=padding,
        bos_token_id=None,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = Qwen3ForCausalLM(config).to(torch.float32)
    if shape.sharp:
        _sharpen(model)
    return model.eval()


def char_model(renderer: CharRenderer, *, seed: int, shape: TinyShape | None = None) -> Qwen3ForCausalLM:
    """A model with one token per character of the renderer's alphabet."""
    [end] = renderer.ends
    return tiny_model(renderer.vocabulary, shape or TinyShape(), end=end, padding=renderer.padding, seed=seed)


def byte_model(*, seed: int, shape: TinyShape | None = None) -> tuple[Qwen3ForCausalLM, PreTrainedTokenizerFast]:
    """A model with one token per byte, and its tokenizer with a ChatML template."""
    chosen = shape or TinyShape()
    tokenizer = byte_tokenizer(chosen.context)
    end, padding = tokenizer.eos_token_id, tokenizer.pad_token_id
    return tiny_model(len(tokenizer), chosen, end=end, padding=padding, seed=seed), tokenizer


def byte_tokenizer(context: int = 1024, template: str = CHATML, special: tuple[str, ...] = _SPECIAL) -> Any:
    """A tokenizer with one token per byte and a chat template.

    Args:
        context: longest sequence, in tokens.
        template: chat template, in Jinja's notation.
        special: special tokens: padding first, end of turn last.
    """
    words = [*sorted(pre_tokenizers.ByteLevel.alphabet()), *special]
    raw = Tokenizer(models.BPE(vocab={word: at for at, word in enumerate(words)}, merges=[], fuse_unk=False))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    raw.decoder = decoders.ByteLevel()
    raw.add_special_tokens(list(special))
    return PreTrainedTokenizerFast(
        tokenizer_object=raw,
        eos_token=special[-1],
        pad_token=special[0],
        additional_special_tokens=list(special[1:-1]),
        chat_template=template,
        model_max_length=context,
    )


def _sharpen(model: Qwen3ForCausalLM) -> None:
    with torch.no_grad():
        model.model.embed_tokens.weight.mul_(8.0)
        for name, weights in model.named_parameters():
            if name.endswith("_proj.weight"):
                weights.mul_(4.0)
