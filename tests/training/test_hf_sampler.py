"""Drawing from the learner's own model."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest
import torch

from spade_envs.selfplay.hf_sampler import HfGenerate, Shaping
from spade_envs.selfplay.renderers import CharRenderer
from spade_envs.selfplay.sampling import Draw, Drawn
from spade_envs.selfplay.tiny_model import TinyShape, char_model
from spade_envs.types import Stop, StopReason

CHARS = CharRenderer("0123456789abcdef?= ")
SHAPE = TinyShape(hidden=32, layers=2, head_dim=8, intermediate=64, context=64, sharp=True)


class Held:
    """Weights that nobody changes."""

    def __init__(self) -> None:
        self.model, self.policy_version = char_model(CHARS, seed=3, shape=SHAPE), 7

    def computing(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()


@pytest.fixture(scope="module")
def held() -> Held:
    return Held()


def sampler_of(held: Held, **options: Any) -> HfGenerate:
    return HfGenerate(held, ends=CHARS.ends, padding=0, **{"context": 64, **options})


def draws(count: int, **options: Any) -> list[Draw]:
    """Draws after prompts of different lengths."""
    asked = {"max_tokens": 20, "temperature": 1.0, **options}
    return [
        Draw(key=f"{at:03}", tokens=CHARS.opening("", "0a? "[: at % 4] * (at % 3)), seed=at, **asked)
        for at in range(count)
    ]


def own(held: Held, draw: Draw, tokens: Sequence[int]) -> list[float]:
    """What the model itself gives to drawn tokens, without a cache or a neighbour."""
    with torch.no_grad():
        logits = held.model(torch.tensor([[*draw.tokens, *tokens]])).logits[0].float() / draw.temperature
    values = logits.log_softmax(-1)
    return [float(values[len(draw.tokens) - 1 + at, token]) for at, token in enumerate(tokens)]


@pytest.mark.parametrize("temperature", [1.0, 0.6, 1.7])
def test_log_probabilities_are_the_models_own(held: Held, temperature: float) -> None:
    asked = draws(24, temperature=temperature)
    for draw, drawn in zip(asked, sampler_of(held).generate(asked), strict=True):
        assert isinstance(drawn, Drawn) and drawn.policy_version == 7
        assert drawn.logprobs == pytest.approx(own(held, draw, drawn.tokens), abs=2e-5)
        assert drawn.ended == (drawn.tokens[-1] == 1) and (drawn.ended or len(drawn.tokens) == 20)
        assert 1 not in drawn.tokens[:-1]


def test_neighbours_change_nothing_but_rounding(held: Held) -> None:
    asked = draws(40)
    together = sampler_of(held).generate(asked)
    alone = [sampler_of(held).generate([draw])[0] for draw in asked]
    assert len({len(one.tokens) for one in together if isinstance(one, Drawn)}) > 5, "rows end at different times"
    for one, other in zip(together, alone, strict=True):
        assert isinstance(one, Drawn) and isinstance(other, Drawn)
        assert one.tokens == other.tokens and one.logprobs == pytest.approx(other.logprobs, abs=2e-5)


def test_another_process_draws_the_same_bit_for_bit(held: Held) -> None:
    here = [[list(one.tokens), [value.hex() for value in one.logprobs]] for one in sampler_of(held).generate(draws(16))]
    torch.rand(3)  # the global random state has no say
    done = subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == here


def test_tokens_follow_the_distribution(held: Held) -> None:
    prompt = CHARS.opening("", "0")
    asked = [Draw(f"{at:05}", prompt, at, 1, 1.5) for at in range(6000)]
    found = torch.bincount(
        torch.tensor([one.tokens[0] for one in sampler_of(held, batch=6000).generate(asked)]),
        minlength=CHARS.vocabulary,
    )
    with torch.no_grad():
        wanted = (held.model(torch.tensor([prompt])).logits[0, -1].float() / 1.5).softmax(-1) * len(asked)
    kept = wanted > 5
    statistic = float(((found - wanted)[kept] ** 2 / wanted[kept]).sum())
    assert statistic < 3 * int(kept.sum()), statistic


@pytest.mark.parametrize(
    ("top_p", "top_k", "left"), [(1.0, 0, 4), (1.0, 2, 2), (0.6, 0, 2), (0.5, 0, 1), (0.01, 0, 1), (0.8, 3, 2)]
)
def test_truncated_distributions_are_renormalised(top_p: float, top_k: int, left: int) -> None:
    probabilities = torch.tensor([0.1, 0.5, 0.15, 0.25])
    shaping = Shaping([Draw("", (1,), 0, 1, 1.0, top_p, top_k)] * 1000, torch.device("cpu"))
    tokens, logprobs = shaping.pick(probabilities.log().expand(1000, 4), [at / 1000 for at in range(1000)])
    kept = sorted(probabilities.tolist(), reverse=True)[:left]
    assert set(tokens.tolist()) == {probabilities.tolist().index(value) for value in kept}
    for token in set(tokens.tolist()):
        share = float(probabilities[token]) / sum(kept)
        assert float(logprobs[tokens == token][0].exp()) == pytest.approx(share, abs=1e-6)
        assert int((tokens == token).sum()) == pytest.approx(1000 * share, abs=1.01)


def test_each_row_has_its_own_settings() -> None:
    draws = [Draw("", (1,), 0, 1, temperature, 1.0, top_k) for temperature, top_k in ((1.0, 0), (0.5, 0), (1.0, 1))]
    logits = torch.tensor([[0.0, 1.0]]).expand(3, 2)
    tokens, logprobs = Shaping(draws, torch.device("cpu")).pick(logits, [0.999] * 3)
    assert tokens.tolist() == [1, 1, 1]
    assert logprobs.tolist() == pytest.approx([-0.313262, -0.126928, 0.0], abs=1e-5)
    impossible = torch.tensor([[0.0, -torch.inf]]).expand(3, 2)
    assert Shaping(draws, torch.device("cpu")).pick(impossible, [1 - 2**-53] * 3)[0].tolist() == [0, 0, 0]


def test_what_does_not_fit_is_cut_or_refused(held: Held) -> None:
    sampler = sampler_of(held, context=10)
    [drawn] = sampler.generate([Draw("", (4,) * 7, 5, 20, 1.0)])
    assert isinstance(drawn, Drawn) and len(drawn.tokens) <= 3
    stop = asyncio.run(sampler.draw(Draw("", (4,) * 10, 5, 20, 1.0)))
    assert isinstance(stop, Stop) and stop.reason is StopReason.CONTEXT_FULL


class Counted(HfGenerate):
    """Remembers its batches."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.batches: list[list[str]] = []
        self.most = 1000

    def generate(self, draws: Sequence[Draw]) -> list[Drawn | Stop]:
        self.batches.append([draw.key for draw in draws])
        if len(draws) > self.most:
            raise torch.OutOfMemoryError("too many")
        return super().generate(draws)


def counted(held: Held, **options: Any) -> Counted:
    return Counted(held, ends=CHARS.ends, padding=0, context=64, **options)


async def play(sampler: HfGenerate, draw: Draw, turns: int) -> None:
    with sampler.seat():
        for turn in range(turns):
            # Others are slower, by a different number of rounds of the event loop.
            for _ in range(draw.seed % 4):
                await asyncio.sleep(0)
            await sampler.draw(dataclasses.replace(draw, key=f"{turn}{draw.key}"))


def test_a_batch_begins_when_everyone_seated_has_asked(held: Held) -> None:
    async def run(order: int) -> list[list[str]]:
        sampler = counted(held)
        asked = draws(6, max_tokens=3)[::order]
        # Seats are taken before anyone asks; half leave after one turn.
        await asyncio.gather(*(play(sampler, draw, 1 + draw.seed % 2) for draw in asked))
        return sampler.batches

    first, second = [f"0{at:03}" for at in range(6)], [f"1{at:03}" for at in (1, 3, 5)]
    assert asyncio.run(run(1)) == asyncio.run(run(-1)) == [first, second]


def test_large_gatherings_are_parted(held: Held) -> None:
    async def run() -> Counted:
        sampler = counted(held, batch=4)
        await asyncio.gather(*(play(sampler, draw, 1) for draw in draws(10, max_tokens=3)))
        return sampler

    assert [len(batch) for batch in asyncio.run(run()).batches] == [4, 4, 2]


def test_short_memory_makes_smaller_batches(held: Held) -> None:
    async def run(most: int) -> tuple[list[int], list[Drawn | Stop]]:
        sampler = counted(held)
        sampler.most = most
        found = await asyncio.gather(*(sampler.draw(draw) for draw in draws(8, max_tokens=3)))
        return [len(batch) for batch in sampler.batches], list(found)

    sizes, found = asyncio.run(run(3))
    assert sizes == [8, 4, 2, 2, 2, 2] and all(isinstance(one, Drawn) for one in found)
    sizes, found = asyncio.run(run(0))
    assert all(isinstance(one, Stop) and one.reason is StopReason.SERVER_ERROR for one in found)


def test_someone_who_leaves_or_gives_up_keeps_nobody_waiting(held: Held) -> None:
    async def run() -> list[list[str]]:
        sampler, asked = counted(held), draws(3, max_tokens=3)

        async def leaves() -> None:
            with sampler.seat():
                await asyncio.sleep(0)

        async def gives_up() -> None:
            with sampler.seat(), contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0):
                    await sampler.draw(asked[0])

        await asyncio.gather(leaves(), gives_up(), *(play(sampler, draw, 2) for draw in asked[1:]))
        return sampler.batches

    assert asyncio.run(run()) == [["0001", "0002"], ["1001", "1002"]]


def test_our_own_mistakes_are_not_swallowed(held: Held) -> None:
    async def run() -> None:
        sampler = counted(held)
        await sampler.draw(Draw("", (10**6,), 0, 3, 1.0))

    with pytest.raises(IndexError):
        asyncio.run(run())


if __name__ == "__main__":
    torch.set_num_threads(1)
    found = sampler_of(Held()).generate(draws(16))
    print(json.dumps([[list(one.tokens), [value.hex() for value in one.logprobs]] for one in found]))
