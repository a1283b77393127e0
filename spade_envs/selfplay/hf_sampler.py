"""A sampler without a server: draws from the learner's own model with transformers, in large batches.

Equal draws give equal tokens, bit for bit, on the same machine and in the same batch. A draw's tokens follow from its
own seed: neighbours in a batch change them through rounding only. Needs PyTorch (``spade-envs[train]``).
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import torch
from transformers import DynamicCache

from ..types import Stop, StopReason
from .sampling import Draw, Drawn

_Waiting = tuple[Draw, "asyncio.Future[Drawn | Stop]"]


class Weights(Protocol):
    """Where the weights are: a learner."""

    @property
    def model(self) -> Any:
        """A causal language model of transformers, or PEFT's around one."""

    @property
    def policy_version(self) -> int:
        """Their number."""

    def computing(self) -> contextlib.AbstractContextManager[None]:
        """Held while the model runs: the precision it computes in."""


class HfGenerate:
    """Gathers draws until everyone who is seated has asked, and answers them together.

    While it draws, in a thread of its own, the weights must not change; whoever steps waits for all draws.

    Args:
        weights: whose model draws; always its present weights.
        ends: tokens that end a turn.
        padding: token for places that nobody looks at.
        context: most tokens of a sequence, what is drawn included.
        batch: most sequences at a time; halved for good where memory is short.
    """

    def __init__(self, weights: Weights, *, ends: frozenset[int], padding: int, context: int, batch: int = 256) -> None:
        self._weights = weights
        self._ends = ends
        self._padding = padding
        self._context = context
        self._batch = batch
        self._waiting: list[_Waiting] = []
        self._seated = 0
        self._due = False
        self._drawing: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "sampler", torch.set_num_threads, (torch.get_num_threads(),))

    @property
    def policy_version(self) -> int:
        """The learner's."""
        return self._weights.policy_version

    @property
    def context(self) -> int:
        """Most tokens of a sequence."""
        return self._context

    async def draw(self, draw: Draw) -> Drawn | Stop:
        """Continue a sequence, as soon as all others have asked as well."""
        if len(draw.tokens) >= self._context:
            return Stop(StopReason.CONTEXT_FULL, f"{len(draw.tokens)} of {self._context} tokens are there already")
        future: asyncio.Future[Drawn | Stop] = asyncio.get_running_loop().create_future()
        self._waiting.append((draw, future))
        self._look()
        return await future

    @contextlib.contextmanager
    def seat(self) -> Iterator[None]:
        """Take a seat: no batch starts before its holder asks or leaves."""
        self._seated += 1
        try:
            yield
        finally:
            self._seated -= 1
            self._look()

    def close(self) -> None:
        """End its thread."""
        self._thread.shutdown()

    # -- gathering ---------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """See, once everyone who is ready has run, whether all have asked."""
        if self._waiting and not self._due:
            self._due = True
            asyncio.get_running_loop().call_soon(self._start)

    def _start(self) -> None:
        self._due = False
        self._waiting = [one for one in self._waiting if not one[1].done()]
        if self._waiting and self._drawing is None and len(self._waiting) >= self._seated:
            asked, self._waiting = self._waiting, []
            self._drawing = asyncio.create_task(self._answer(asked))

    async def _answer(self, asked: list[_Waiting]) -> None:
        asked.sort(key=lambda one: one[0].key)
        try:
            while asked:
                now = asked[: self._batch]
                drawn = await self._try([draw for draw, _ in now])
                if drawn is None:
                    continue
                for (_, future), one in zip(now, drawn, strict=True):
                    if not future.done():
                        future.set_result(one)
                asked = asked[len(now) :]
        except BaseException as error:
            for _, future in asked:
                if not future.done():
                    future.set_exception(error) if isinstance(error, Exception) else future.cancel()
            if not isinstance(error, Exception):
                raise
        finally:
            self._drawing = None
            self._look()

    async def _try(self, draws: Sequence[Draw]) -> Sequence[Drawn | Stop] | None:
        """What was drawn; ``None`` when memory was short and the batch is smaller now."""
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, self.generate, draws)
        except torch.OutOfMemoryError as error:
            if len(draws) == 1:
                return [Stop(StopReason.SERVER_ERROR, f"no memory for one sequence: {error}")]
            self._batch = len(draws) // 2
        # Outside of the handler, whose traceback keeps tensors alive.
        torch.cuda.empty_cache()
        return None

    # -- drawing -----------------------------------------------------------------------------------------------

    def generate(self, draws: Sequence[Draw]) -> list[Drawn | Stop]:
        """Continue all sequences together, token by token, in the order given."""
        model, was = self._weights.model, self._weights.model.training
        model.eval()
        try:
            with torch.no_grad(), self._weights.computing():
                return self._generate(model, draws)
        finally:
            model.train(was)

    def _generate(self, model: Any, draws: Sequence[Draw]) -> list[Drawn | Stop]:
        most = [min(draw.max_tokens, self._context - len(draw.tokens)) for draw in draws]
        tokens: list[list[int]] = [[] for _ in draws]
        logprobs: list[list[float]] = [[] for _ in draws]
        chances = [random.Random(draw.seed) for draw in draws]
        ids_BT, mask_BT = self._left_padded(draws, max(most), model.device)
        positions_BT = (mask_BT[:, : ids_BT.shape[1]].cumsum(-1) - 1).clamp_(min=0)
        cache = DynamicCache(config=model.config)
        remembered = _cache_name(model)
        rows = list(range(len(draws)))  # which draw is in which row
        shaping = Shaping(draws, model.device)
        while True:
            seen = cache.get_seq_length() + ids_BT.shape[1]
            logits_BV = model(
                input_ids=ids_BT,
                attention_mask=mask_BT[:, :seen],
                position_ids=positions_BT,
                use_cache=True,
                logits_to_keep=1,
                **{remembered: cache},
            ).logits[:, -1]
            drawn_B, logprob_B = shaping.pick(logits_BV, [chances[row].random() for row in rows])
            alive = []
            for at, (row, token, logprob) in enumerate(zip(rows, drawn_B.tolist(), logprob_B.tolist(), strict=True)):
                if len(tokens[row]) < most[row] and not (tokens[row] and tokens[row][-1] in self._ends):
                    tokens[row].append(token)
                    logprobs[row].append(logprob)
                    if token not in self._ends and len(tokens[row]) < most[row]:
                        alive.append(at)
            if not alive:
                break
            ids_BT, positions_BT = drawn_B[:, None], positions_BT[:, -1:] + 1
            if len(alive) <= len(rows) * 3 // 4:
                # Rows that are done are computed along until they are a quarter: then it pays to move the others.
                rows = [rows[at] for at in alive]
                keep_B = torch.tensor(alive, device=model.device)
                cache.batch_select_indices(keep_B)
                ids_BT, mask_BT, positions_BT = ids_BT[keep_B], mask_BT[keep_B], positions_BT[keep_B]
                shaping.select(keep_B)
        version = self._weights.policy_version
        return [
            Drawn(tuple(ids), tuple(values), ids[-1] in self._ends, version)
            for ids, values in zip(tokens, logprobs, strict=True)
        ]

    def _left_padded(self, draws: Sequence[Draw], more: int, device: Any) -> tuple[torch.Tensor, torch.Tensor]:
        """Tokens (B, T), and a mask (B, T + more) of the places that are looked at."""
        longest = max(len(draw.tokens) for draw in draws)
        missing = [longest - len(draw.tokens) for draw in draws]
        ids = [[self._padding] * gap + list(draw.tokens) for gap, draw in zip(missing, draws, strict=True)]
        mask = [[0] * gap + [1] * (longest - gap + more) for gap in missing]
        return torch.tensor(ids, device=device), torch.tensor(mask, device=device)


class Shaping:
    """Temperature, top-k and top-p of the rows of a batch.

    Args:
        draws: one for each row.
        device: where the logits are.
    """

    def __init__(self, draws: Sequence[Draw], device: Any) -> None:
        self._temperature_B1 = torch.tensor([[draw.temperature] for draw in draws], device=device)
        self._top_p_B1 = torch.tensor([[draw.top_p] for draw in draws], dtype=torch.float64, device=device)
        self._top_k_B1 = torch.tensor([[draw.top_k] for draw in draws], device=device)
        self._filters = any(draw.top_p < 1 or draw.top_k > 0 for draw in draws)

    def select(self, keep_B: torch.Tensor) -> None:
        """Keep some rows."""
        self._temperature_B1 = self._temperature_B1[keep_B]
        self._top_p_B1, self._top_k_B1 = self._top_p_B1[keep_B], self._top_k_B1[keep_B]

    def pick(self, logits_BV: torch.Tensor, chances: Sequence[float]) -> tuple[torch.Tensor, torch.Tensor]:
        """Draw a token in each row by inverting the distribution's cumulative sum at that row's chance in [0, 1).

        Returns:
            Tokens (B,), and the logarithms of their probabilities (B,), float32, under the distribution drawn from.
        """
        shaped_BV = logits_BV.float() / self._temperature_B1
        if self._filters:
            shaped_BV = self._filtered(shaped_BV)
        logprobs_BV = shaped_BV.log_softmax(-1)
        # Doubles, so that the order in which a device adds up decides nothing.
        sums_BV = logprobs_BV.double().exp().cumsum(-1)
        total_B1 = sums_BV[:, -1:]
        at_B1 = torch.tensor(chances, dtype=torch.float64, device=logits_BV.device)[:, None] * total_B1
        at_B1 = torch.minimum(at_B1, torch.nextafter(total_B1, torch.zeros_like(total_B1)))
        drawn_B1 = torch.searchsorted(sums_BV, at_B1, right=True)
        return drawn_B1[:, 0], logprobs_BV.gather(1, drawn_B1)[:, 0]

    def _filtered(self, shaped_BV: torch.Tensor) -> torch.Tensor:
        """Minus infinity for tokens that are neither among the ``top_k`` most probable nor in the smallest set with
        probability ``top_p``; at least one token stays."""
        sorted_BV, order_BV = torch.sort(shaped_BV, dim=-1, descending=True, stable=True)
        ranks_V = torch.arange(shaped_BV.shape[1], device=shaped_BV.device)
        out_BV = (self._top_k_B1 > 0) & (ranks_V >= self._top_k_B1)
        # vLLM, too, takes top-p of what top-k has left.
        probs_BV = sorted_BV.masked_fill(out_BV, -torch.inf).double().softmax(-1)
        out_BV |= (self._top_p_B1 < 1) & (probs_BV.cumsum(-1) - probs_BV >= self._top_p_B1)
        out_BV[:, 0] = False
        return shaped_BV.masked_fill(torch.zeros_like(out_BV).scatter(1, order_BV, out_BV), -torch.inf)


def _cache_name(model: Any) -> str:
    """What this release of transformers calls the argument for keys and values of earlier tokens."""
    inner = model.get_base_model() if hasattr(model, "get_base_model") else model
    return "cache" if "cache" in inspect.signature(inner.forward).parameters else "past_key_values"
