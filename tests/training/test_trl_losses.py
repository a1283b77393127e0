"""Loss, gradient and advantages are TRL's, on the same tensors and a real model.

TRL's own code makes the importance ratios and advantages too: only its sampling is replaced by given tokens.
"""

from __future__ import annotations

import logging
import math
import warnings
from typing import Any

import pytest

trl = pytest.importorskip("trl")
import torch  # noqa: E402
from datasets import Dataset  # noqa: E402
from tokenizers import Tokenizer, models  # noqa: E402
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM  # noqa: E402

from spade_envs.selfplay.advantages import advantages  # noqa: E402
from spade_envs.selfplay.logprobs import token_logprobs  # noqa: E402
from spade_envs.selfplay.losses import LossSpec, Rows, policy_loss  # noqa: E402
from spade_envs.selfplay.steps import AGENT, Denominator  # noqa: E402

VOCABULARY, PROMPT, LENGTHS, LONGEST = 64, 5, (12, 7, 9, 3), 12
REWARDS = (1.0, 0.0, 0.25, 1.0)
MODES = ("token_truncate", "token_mask", "sequence_truncate", "sequence_mask")


def tokenizer() -> PreTrainedTokenizerFast:
    words = {f"w{number}": number for number in range(VOCABULARY)}
    built = Tokenizer(models.WordLevel(words, unk_token="w3"))
    return PreTrainedTokenizerFast(tokenizer_object=built, eos_token="w1", pad_token="w0")


def model() -> Qwen3ForCausalLM:
    torch.manual_seed(0)
    shape = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = Qwen3Config(vocab_size=VOCABULARY, num_key_value_heads=1, head_dim=16, pad_token_id=0, **shape)
    made = Qwen3ForCausalLM(config)
    with torch.no_grad():
        made.get_input_embeddings().weight.mul_(8)  # else logits are too flat to tell anything apart
    return made


def trainer(**options: Any) -> Any:
    logging.getLogger("transformers").setLevel(logging.ERROR)
    arguments = trl.GRPOConfig(
        output_dir="unused",
        per_device_train_batch_size=4,
        num_generations=4,
        max_completion_length=LONGEST,
        report_to=[],
        use_cpu=True,
        bf16=False,
        gradient_checkpointing=False,
        disable_dropout=True,
        **options,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = trl.GRPOTrainer(
            model=model(),
            reward_funcs=lambda completions, **_: list(REWARDS),
            args=arguments,
            train_dataset=Dataset.from_dict({"prompt": ["w4 w5"] * 8}),
            processing_class=tokenizer(),
        )
    made.current_gradient_accumulation_steps = 1
    made.model.train()
    return made


def noise(seed: int, size: float) -> torch.Tensor:
    return size * torch.randn(4, LONGEST, generator=torch.Generator().manual_seed(seed))


def scored(theirs: Any, *, moved: bool = True) -> dict[str, Any]:
    """TRL's batch for given completions, with what the environment said in two of them.

    ``moved`` are old log-probabilities that differ from those of the weights now.
    """
    draw = torch.Generator().manual_seed(1)
    prompts = torch.randint(4, VOCABULARY, (4, PROMPT), generator=draw).tolist()
    completions = [torch.randint(4, VOCABULARY, (length,), generator=draw).tolist() for length in LENGTHS]
    said = [[1] * length for length in LENGTHS]
    said[0][4:7], said[2][2:5] = [0] * 3, [0] * 3
    full = [torch.tensor(prompt + completion) for prompt, completion in zip(prompts, completions, strict=True)]
    ids = torch.nn.utils.rnn.pad_sequence(full, batch_first=True)
    seen = torch.nn.utils.rnn.pad_sequence([torch.ones_like(row) for row in full], batch_first=True)
    with torch.no_grad():
        logprobs = theirs._get_per_token_logps_and_entropies(theirs.model, ids, seen, LONGEST)[0]
    sampler = logprobs + noise(2, 0.5)
    drawn = [row[:length].tolist() for row, length in zip(sampler, LENGTHS, strict=True)]
    theirs._generate = lambda _: (prompts, completions, said, ["x"] * 4, drawn, {}, None, None)
    batch: dict[str, Any] = theirs._generate_and_score_completions([{"prompt": "w4 w5"}] * 4)
    batch["ref_per_token_logps"] = logprobs + noise(4, 0.2)
    if moved:
        batch["old_per_token_logps"] = logprobs + noise(3, 0.3)
    return batch


def ours(spec: LossSpec, theirs: Any, batch: dict[str, Any], sampler_BT: torch.Tensor | None) -> torch.Tensor:
    ids = torch.cat([batch["prompt_ids"], batch["completion_ids"]], dim=1)
    seen = torch.cat([batch["prompt_mask"], batch["completion_mask"]], dim=1)
    mask = batch["completion_mask"] * batch["tool_mask"]
    rows = Rows(
        logprobs_BT=theirs._get_per_token_logps_and_entropies(theirs.model, ids, seen, LONGEST)[0],
        mask_BT=mask,
        advantages_B=batch["advantages"],
        roles=[AGENT] * 4,
        episode_tokens=mask.sum(-1).tolist(),
        sampler_BT=sampler_BT,
        old_BT=batch["old_per_token_logps"],
        reference_BT=batch["ref_per_token_logps"],
    )
    return policy_loss(spec, rows, {AGENT: Denominator(int(mask.sum()), 4)}, {AGENT: 1.0}).loss


def compare(theirs: Any, spec: LossSpec, batch: dict[str, Any], sampler_BT: torch.Tensor | None = None) -> None:
    parameters = [parameter for parameter in theirs.model.parameters() if parameter.requires_grad]
    expected = theirs._compute_loss(theirs.model, batch)
    gradients = torch.autograd.grad(expected, parameters)
    found = ours(spec, theirs, batch, sampler_BT)
    assert found.item() == expected.item()
    assert math.isfinite(expected.item()) and abs(expected.item()) > 1e-4
    pairs = zip(torch.autograd.grad(found, parameters), gradients, strict=True)
    assert max((mine - other).abs().max().item() for mine, other in pairs) < 1e-7
    assert max(gradient.abs().max().item() for gradient in gradients) > 1e-3


@pytest.mark.parametrize(
    ("options", "spec"),
    [
        ({"loss_type": "grpo"}, {"loss": "grpo"}),
        ({"loss_type": "bnpo"}, {"loss": "bnpo"}),
        ({"loss_type": "dr_grpo"}, {"loss": "dr_grpo"}),
        ({"loss_type": "dapo"}, {"loss": "dapo"}),
        ({"loss_type": "dapo", "epsilon_high": 0.28}, {"loss": "dapo", "eps_high": 0.28}),
        ({"loss_type": "dapo", "delta": 1.6}, {"loss": "dapo", "delta": 1.6}),
        ({"loss_type": "cispo", "epsilon_high": 1.25}, {"loss": "cispo", "eps_high": 0.25}),
        ({"loss_type": "grpo", "beta": 0.05}, {"loss": "grpo", "kl": 0.05, "kl_ratio": True}),
        ({"loss_type": "dapo", "beta": 0.05, "use_bias_correction_kl": False}, {"loss": "dapo", "kl": 0.05}),
        (
            {"loss_type": "dapo", "beta": 0.05, "delta": 1.3},
            {"loss": "dapo", "kl": 0.05, "kl_ratio": True, "delta": 1.3},
        ),
        (
            {"loss_type": "grpo", "importance_sampling_level": "sequence", "epsilon": 0.03, "epsilon_high": 0.04},
            {"loss": "grpo", "level": "sequence", "eps_low": 0.03, "eps_high": 0.04},
        ),
        (
            {"loss_type": "dr_grpo", "importance_sampling_level": "sequence", "beta": 0.05},
            {"loss": "dr_grpo", "level": "sequence", "kl": 0.05, "kl_ratio": True},
        ),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if "loss_type" in value else "",
)
def test_loss_and_gradient(options: dict[str, Any], spec: dict[str, Any]) -> None:
    coefficient = options.get("beta", 0.0)
    theirs = trainer(**{name: value for name, value in options.items() if name != "beta"})
    batch = scored(theirs)
    theirs.beta = coefficient  # only now, since a trainer that is made with one loads a reference by name
    wanted = {"eps_high": 0.2, "correction": "none", **spec}
    compare(theirs, LossSpec(max_length=LONGEST, **wanted), batch)


@pytest.mark.parametrize("loss", ["grpo", "dapo", "dr_grpo", "bnpo", "cispo"])
@pytest.mark.parametrize("mode", MODES)
def test_corrections(mode: str, loss: str) -> None:
    theirs = trainer(
        loss_type=loss,
        epsilon_high=1.28 if loss == "cispo" else 0.28,
        vllm_importance_sampling_mode=mode,
        vllm_importance_sampling_clip_max=1.5,
    )
    theirs.use_vllm = True  # which the loss asks for; nothing is sampled
    batch = scored(theirs, moved=False)
    ratio, edge = batch["importance_sampling_ratio"], 1.5 if mode.endswith("truncate") else 0.0
    assert (ratio == edge).any() and not (ratio == edge).all()
    spec = LossSpec(max_length=LONGEST, loss=loss, correction=mode, correction_cap=1.5)
    compare(theirs, spec, batch, batch["sampling_per_token_logps"])


def test_advantages() -> None:
    batch = scored(trainer())
    found = advantages(REWARDS, ["a"] * 4, "trl")
    assert batch["advantages"].tolist() == pytest.approx(found, abs=1e-6)


@pytest.mark.parametrize("chunk", [0, 5])
@pytest.mark.parametrize("temperature", [1.0, 0.7])
def test_logprobs_and_entropies(temperature: float, chunk: int) -> None:
    theirs = trainer(temperature=temperature)
    ids = torch.randint(0, VOCABULARY, (2, 16), generator=torch.Generator().manual_seed(5))
    seen = torch.ones_like(ids)
    parameters = list(theirs.model.parameters())
    expected, entropies, _ = theirs._get_per_token_logps_and_entropies(
        theirs.model, ids, seen, LONGEST, compute_entropy=True
    )
    gradients = torch.autograd.grad((expected * noise(6, 1.0)[:2]).sum(), parameters)
    hidden = theirs.model.base_model(input_ids=ids, attention_mask=seen).last_hidden_state[:, -LONGEST - 1 : -1]
    found = token_logprobs(
        hidden.reshape(-1, hidden.shape[-1]),
        theirs.model.get_output_embeddings(),
        ids[:, -LONGEST:].reshape(-1),
        temperature,
        chunk=chunk,
        entropy=True,
    )
    assert found.entropies_N is not None
    assert torch.allclose(found.logprobs_N.view_as(expected), expected, atol=2e-6)
    assert torch.allclose(found.entropies_N.view_as(entropies), entropies, atol=2e-6)
    mine = torch.autograd.grad((found.logprobs_N.view_as(expected) * noise(6, 1.0)[:2]).sum(), parameters)
    assert max((one - other).abs().max().item() for one, other in zip(mine, gradients, strict=True)) < 2e-5
