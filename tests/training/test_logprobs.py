"""Chunked log-probabilities are those of all logits at once, in value, gradient and entropy."""

from __future__ import annotations

import pytest
import torch

from spade_envs.selfplay.failures import RewardError
from spade_envs.selfplay.logprobs import token_logprobs

COUNT, WIDTH, VOCABULARY = 23, 16, 300


def given() -> tuple[torch.Tensor, torch.nn.Linear, torch.Tensor, torch.Tensor]:
    torch.manual_seed(0)
    hidden = torch.randn(COUNT, WIDTH, dtype=torch.float32, requires_grad=True)
    head = torch.nn.Linear(WIDTH, VOCABULARY)
    return hidden, head, torch.randint(0, VOCABULARY, (COUNT,)), torch.rand(COUNT) + 0.5


def gradients(value: torch.Tensor, hidden: torch.Tensor, head: torch.nn.Linear) -> list[torch.Tensor]:
    weights = torch.linspace(-1, 1, COUNT)
    return list(torch.autograd.grad((value * weights).sum(), [hidden, head.weight, head.bias]))


@pytest.mark.parametrize("chunk", [0, 1, 7, 23, 100])
@pytest.mark.parametrize("per_token", [True, False])
def test_equal_to_all_logits_at_once(chunk: int, per_token: bool) -> None:
    hidden, head, targets, temperatures = given()
    temperature = temperatures if per_token else 0.6
    divisor = temperatures.unsqueeze(-1) if per_token else torch.tensor(0.6)
    all_logprobs = torch.log_softmax(head(hidden) / divisor, dim=-1)
    expected = all_logprobs[torch.arange(COUNT), targets]
    found = token_logprobs(hidden, head, targets, temperature, chunk=chunk, entropy=True)
    assert torch.allclose(found.logprobs_N, expected, atol=2e-6)
    assert found.entropies_N is not None
    assert torch.allclose(found.entropies_N, -(all_logprobs.exp() * all_logprobs).sum(-1), atol=1e-5)
    assert not found.entropies_N.requires_grad
    pairs = zip(gradients(found.logprobs_N, hidden, head), gradients(expected, hidden, head), strict=True)
    assert all(torch.allclose(mine, other, atol=2e-6) for mine, other in pairs)


def test_no_more_logits_than_a_chunk_has() -> None:
    hidden, head, targets, _ = given()
    seen: list[int] = []

    def counting(part: torch.Tensor) -> torch.Tensor:
        seen.append(len(part))
        logits: torch.Tensor = head(part)
        return logits

    found = token_logprobs(hidden, counting, targets, chunk=10)
    assert seen == [10, 10, 3]
    found.logprobs_N.sum().backward()
    # The backward pass computes each chunk once more, the last one first.
    assert seen == [10, 10, 3, 3, 10, 10]


def test_nothing_of_a_chunk_is_kept_for_the_backward_pass() -> None:
    hidden, head, targets, temperatures = given()
    kept: list[int] = []
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: kept.append(tensor.numel()) or tensor, lambda x: x):
        token_logprobs(hidden, head, targets, temperatures, chunk=10)
    assert max(kept, default=0) < 10 * VOCABULARY


def test_without_a_gradient_there_is_none() -> None:
    hidden, head, targets, _ = given()
    with torch.no_grad():
        found = token_logprobs(hidden, head, targets, chunk=10)
    assert not found.logprobs_N.requires_grad
    assert found.entropies_N is None


def test_all_at_once_computes_nothing_twice() -> None:
    hidden, head, targets, _ = given()
    seen: list[int] = []
    found = token_logprobs(hidden, lambda part: seen.append(len(part)) or head(part), targets, chunk=0)
    found.logprobs_N.sum().backward()
    assert seen == [COUNT]


def test_low_precision_is_summed_in_float32() -> None:
    hidden, head, targets, _ = given()
    low = head.to(torch.bfloat16)
    found = token_logprobs(hidden.to(torch.bfloat16), low, targets, chunk=5)
    expected = torch.log_softmax(low(hidden.to(torch.bfloat16)).float(), dim=-1)[torch.arange(COUNT), targets]
    assert found.logprobs_N.dtype is torch.float32
    assert torch.allclose(found.logprobs_N, expected, atol=2e-6)


def test_no_tokens() -> None:
    hidden, head, targets, temperatures = given()
    found = token_logprobs(hidden[:0], head, targets[:0], temperatures[:0], entropy=True)
    assert found.logprobs_N.shape == (0,)
    found.logprobs_N.sum().backward()


def test_unlike_numbers_of_tokens() -> None:
    hidden, head, targets, temperatures = given()
    with pytest.raises(RewardError, match="came with 22 tokens"):
        token_logprobs(hidden, head, targets[1:])
    with pytest.raises(RewardError, match="Temperatures of shape"):
        token_logprobs(hidden, head, targets, temperatures[1:])
