"""A sampler that asks vLLM servers: token ids go in, and token ids with their log-probabilities come out."""

from __future__ import annotations

import contextlib

from ..client import Capabilities, Client, Kind, RequestFailed, Sampling, TokensRequest
from ..model_player import STOPS
from ..types import Stop, StopReason
from .failures import ConfigError
from .sampling import Draw, Drawn

PROCESSED = "processed_logprobs"


class VllmServer:
    """Draws from the adapter that was published last, or from the model itself before there is one.

    The learner divides logits by the temperature; so must the server before it tells log-probabilities, which it does
    with ``--logprobs-mode processed_logprobs`` only.

    Args:
        client: an open client of one or more vLLM servers.
        ends: tokens that end a turn.
        context: most tokens of a sequence; 0 for what the server tells.
        trusted: whether servers that do not tell how they take log-probabilities are believed to do it right; they
            tell when started with ``VLLM_SERVER_DEV_MODE=1``.

    Raises:
        ConfigError: for servers that cannot be used.
    """

    def __init__(self, client: Client, *, ends: frozenset[int], context: int = 0, trusted: bool = False) -> None:
        if client.capabilities.kind is not Kind.VLLM:
            raise ConfigError(f"the servers are of kind {client.capabilities.kind}; engine 'vllm' needs vLLM")
        self._client = client
        self._ends = tuple(sorted(ends))
        self._name = client.model or ""
        self._version = 0
        told = client.capabilities.context_of(self._name)
        if not (context or told):
            raise ConfigError(f"the servers do not tell the context of {self._name!r}; give one")
        self._context = min(context or told or 0, told or context)
        self._trusted = trusted

    @property
    def policy_version(self) -> int:
        """Of the weights published last."""
        return self._version

    @property
    def context(self) -> int:
        """Most tokens of a sequence."""
        return self._context

    @property
    def name(self) -> str:
        """Of the model or adapter it draws from."""
        return self._name

    def switch(self, name: str, version: int) -> None:
        """Draw from another adapter from now on."""
        self._name, self._version = name, version

    def seat(self) -> contextlib.AbstractContextManager[None]:
        """The servers gather requests themselves."""
        return contextlib.nullcontext()

    async def draw(self, draw: Draw) -> Drawn | Stop:
        """Continue a sequence with the weights published last.

        Raises:
            ConfigError: when the server's log-probabilities would not be those of this draw.
        """
        return await self.draw_from(self._name, self._version, draw)

    async def draw_from(self, name: str, version: int, draw: Draw) -> Drawn | Stop:
        """Continue a sequence with a model or adapter by name; as :meth:`draw`."""
        check_logprobs(self._client.capabilities, draw.temperature, draw.top_p, draw.top_k, trusted=self._trusted)
        most = min(draw.max_tokens, self._context - len(draw.tokens))
        if most < 1:
            return Stop(StopReason.CONTEXT_FULL, f"{len(draw.tokens)} of {self._context} tokens are there already")
        sampling = Sampling(
            temperature=draw.temperature,
            top_p=draw.top_p,
            top_k=draw.top_k,
            max_tokens=most,
            seed=draw.seed,
            stop_token_ids=self._ends,
        )
        try:
            answer = await self._client.complete(TokensRequest(prompt=draw.tokens, sampling=sampling, model=name))
        except RequestFailed as error:
            return Stop(STOPS[error.reason], str(error))
        [reply] = answer.replies
        if answer.model != name:
            return Stop(StopReason.SERVER_ERROR, f"asked for {name!r}, the server answered as {answer.model!r}")
        if not reply.token_ids or reply.logprobs is None:
            return Stop(StopReason.SERVER_ERROR, "the server drew no token")
        # Rounding may carry a certain token a little above 0.
        logprobs = tuple(min(0.0, value) for value in reply.logprobs)
        # A model may have ends of its own beside the template's.
        ended = reply.finish_reason == "stop" or reply.token_ids[-1] in self._ends
        return Drawn(reply.token_ids, logprobs, ended, version)


def check_logprobs(able: Capabilities, temperature: float, top_p: float, top_k: int, *, trusted: bool = False) -> None:
    """Refuse sampling whose log-probabilities the server tells wrongly.

    Raises:
        ConfigError: when they are taken before temperature, top-k and top-p, or nobody can tell, and it matters.

    >>> check_logprobs(Capabilities(Kind.VLLM, (), logprobs_mode="raw_logprobs"), 1.0, 1.0, 0)
    >>> check_logprobs(Capabilities(Kind.VLLM, (), logprobs_mode="raw_logprobs"), 0.6, 1.0, 0)
    Traceback (most recent call last):
    spade_envs.selfplay.failures.ConfigError: the server tells raw_logprobs, which are not those of temperature 0.6, ...
    """
    plain = temperature == 1 and top_p == 1 and top_k == 0
    if plain or able.logprobs_mode == PROCESSED or (able.logprobs_mode is None and trusted):
        return
    told = able.logprobs_mode or "nothing about its log-probabilities"
    raise ConfigError(
        f"the server tells {told}, which are not those of temperature {temperature:g}, top_p {top_p:g}, top_k {top_k}; "
        f"start vLLM with --logprobs-mode {PROCESSED} and VLLM_SERVER_DEV_MODE=1, or sample at temperature 1"
    )
