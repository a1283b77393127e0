"""What a model server is, and whether it answers: for whoever sets one up."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..errors import ClientError
from .capabilities import Capabilities, Kind, ServedModel, names_of
from .client import Client
from .counters import Tally
from .failures import Reason, RequestFailed
from .keys import Key
from .requests import ChatRequest, Message, Sampling
from .servers import Servers, base_url, no_model
from .settings import Settings

QUESTION = "Say yes."
"""The one thing that is asked."""
MOST_TOKENS = 8
"""Of the reply."""
SETTINGS = Settings(concurrency=1, attempts=2, deadline_seconds=60.0, reply_bytes=4 * 1024 * 1024)


@dataclass(frozen=True)
class Checkup:
    """What was found out about a server, as far as that came."""

    url: str
    kind: Kind | None = None
    """``None`` where nothing says what it is."""
    version: str | None = None
    models: tuple[ServedModel, ...] = ()
    """Each with its context in tokens, an adapter with that of its model."""
    lacks: tuple[str, ...] = ()
    model: str | None = None
    """The one that was asked."""
    reply: str | None = None
    reasoning: str | None = None
    """What the model thought, where the server tells it apart; all there is where the reply is empty."""
    tokens: int | None = None
    """Of the reply, where the server counts."""
    seconds: float | None = None
    """From the request to the whole reply."""
    trouble: str | None = None
    """Why there is no reply, and what to do; ``None`` where all is well."""


async def check_up(url: str, model: str | None = None, key_variable: str | None = None) -> Checkup:
    """Ask a server what it is, and its model a tiny question. What the server does wrong is data, not an error.

    Args:
        url: a base URL, as for :class:`~spade_envs.client.Client`.
        model: whom to ask; the first model that is no adapter by default.
        key_variable: the environment variable that holds the key.

    Raises:
        ClientError: when ``url`` is none, or the variable holds no key.
    """
    found = Checkup(base_url(url))
    servers = Servers((url,), Key.from_environment(key_variable), SETTINGS, Tally())
    try:
        able = await servers.find()
    except RequestFailed as error:
        return replace(found, trouble=str(error))
    finally:
        await servers.close()
    models = tuple(replace(one, context=able.context_of(one.name)) for one in able.models)
    found = replace(found, kind=able.kind, version=able.version, models=models, lacks=able.lacks())
    try:
        found = replace(found, model=_model(able, model, found.url))
        async with Client(url, found.model, settings=SETTINGS, key_variable=key_variable) as client:
            sampling = Sampling(temperature=0.0, max_tokens=MOST_TOKENS, seed=0)
            answer = await client.chat(ChatRequest(messages=(Message("user", QUESTION),), sampling=sampling))
    except ClientError as error:
        return replace(found, trouble=str(error))
    tokens = answer.usage.completion_tokens if answer.usage else None
    reasoning = answer.replies[0].reasoning
    return replace(found, reply=answer.text, reasoning=reasoning, tokens=tokens, seconds=answer.seconds)


def _model(able: Capabilities, wanted: str | None, url: str) -> str:
    names = [one.name for one in able.models if one.parent is None] if wanted is None else [wanted]
    if not names:
        raise RequestFailed(f"{url} has no model that is no adapter; it has: {names_of(able.models)}", Reason.MODEL)
    if all(one.name != names[0] for one in able.models):
        raise no_model(names[0], url, names_of(able.models))
    return names[0]
