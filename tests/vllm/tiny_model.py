"""A tiny checkpoint and adapters, made on the spot: one token for each byte, random weights, no download."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def make_checkpoint(folder: Path) -> None:
    """Write a model of about 100,000 weights, with its tokenizer."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    words = [*sorted(pre_tokenizers.ByteLevel.alphabet()), *SPECIAL]
    raw = Tokenizer(models.BPE(vocab={word: at for at, word in enumerate(words)}, merges=[], fuse_unk=False))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    raw.decoder = decoders.ByteLevel()
    raw.add_special_tokens(list(SPECIAL))
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=raw,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=["<|im_start|>"],
        chat_template=TEMPLATE,
        model_max_length=1024,
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=64,
        intermediate_size=128,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=32,
        max_position_embeddings=1024,
        tie_word_embeddings=True,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    model = Qwen3ForCausalLM(config).to(torch.float32)
    with torch.no_grad():
        # As initialised, every next token is about equally likely and no test could tell two models apart.
        model.model.embed_tokens.weight.mul_(4.0)
    model.save_pretrained(folder)


def make_adapter(checkpoint: Path, folder: Path, seed: int) -> None:
    """Write a LoRA adapter with random weights that change the model."""
    import torch

    adapted = with_adapter(checkpoint, None)
    torch.manual_seed(seed)
    for name, weights in adapted.named_parameters():
        if "lora_B" in name:
            weights.data = 0.2 * torch.randn_like(weights)
    adapted.save_pretrained(folder)


def with_adapter(checkpoint: Path, folder: Path | None) -> Any:
    """The model with the adapter in ``folder``, or with a new one."""
    import torch
    from peft import LoraConfig, PeftModel, get_peft_model
    from transformers import AutoModelForCausalLM

    model = AutoModelForCausalLM.from_pretrained(checkpoint, dtype=torch.float32)
    if folder is not None:
        return PeftModel.from_pretrained(model, folder)
    return get_peft_model(model, LoraConfig(r=8, lora_alpha=16, target_modules=["q_proj", "v_proj", "up_proj"]))


def logprobs_of(model: Any, prompt: tuple[int, ...], drawn: tuple[int, ...]) -> list[float]:
    """Log probabilities that the model itself gives to drawn tokens."""
    import torch

    torch.set_num_threads(1)
    with torch.no_grad():
        logits = model(torch.tensor([[*prompt, *drawn]])).logits[0].float().log_softmax(-1)
    return [float(logits[len(prompt) - 1 + at, token]) for at, token in enumerate(drawn)]
