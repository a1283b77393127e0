"""Hints written by a model: what is asked, what is made of the reply, and what is no hint."""

from __future__ import annotations

import asyncio
import pickle
from typing import Any

import pytest
from standin import Handler, StandIn, drop, status, until

from spade_envs.client import Client, Reason, Reply, RequestFailed, Sampling, Settings
from spade_envs.errors import SpadeEnvsError
from spade_envs.hinting import MOST_WORDS, HintError, read_hint, write_hint
from spade_envs.prompts import hint_messages
from spade_envs.types import EnvSource

SOURCE = EnvSource("class AddEnv:\n    secret = 'gorse'\n")
FAST = Settings(backoff_seconds=0.0, attempts=2)


def saying(standin: StandIn, text: str, finish_reason: str = "stop") -> Handler:
    """A server that answers every chat with this text."""

    async def handle(request: Any, body: dict[str, Any]) -> Any:
        return standin.good(body, message={"role": "assistant", "content": text}, finish_reason=finish_reason)

    return handle


def written(text: str, finish_reason: str = "stop", **options: Any) -> tuple[str, dict[str, Any]]:
    """The hint made of a reply, and the body that was sent."""
    standin = StandIn(models=[{"id": "tiny", "max_model_len": 100_000}, {"id": "lora-1", "parent": "tiny"}])
    standin.always = saying(standin, text, finish_reason)

    async def run() -> str:
        async with standin.serve() as url, Client(url, "tiny", settings=FAST) as client:
            return await write_hint(client, SOURCE, "answer", **{"seed": 7, **options})

    return asyncio.run(run()), standin.log[-1]


def reply(text: str, finish_reason: str = "stop") -> Reply:
    return Reply(text=text, finish_reason=finish_reason)


# -- what is asked ---------------------------------------------------------------------------------------------


def test_the_fixed_prompt_is_sent_at_a_low_temperature() -> None:
    hint, body = written("Carry the ones.")
    asked = hint_messages(SOURCE, "answer")
    assert hint == "Carry the ones."
    assert [message["content"] for message in body["messages"]] == [asked.system, asked.user]
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert (body["model"], body["seed"], body["temperature"], body["n"]) == ("tiny", 7, 0.3, 1)


def test_sampling_model_and_reasons_are_taken_over() -> None:
    sampling = Sampling(temperature=0.9, max_tokens=50, seed=1, n=4)
    _, body = written("Carry.", sampling=sampling, model="lora-1", seed=8, refused=("It tells 'gorse'.",))
    assert (body["model"], body["seed"], body["temperature"], body["max_tokens"]) == ("lora-1", 8, 0.9, 50)
    assert body["n"] == 1 and "- It tells 'gorse'." in body["messages"][1]["content"]


# -- what is made of it ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("<think>The answer is 4.</think>\n\nAdd  the\nones.\t", "Add the ones."),
        ("I think a lot</think>Add the ones.", "Add the ones."),
        ("Hint: Add the ones.", "Add the ones."),
        ("**Hint:** Add the ones.", "Add the ones."),
        ("# HINT :\nAdd the ones.", "Add the ones."),
        ('"Add the ones."', "Add the ones."),
        ('Hint: "Add the ones."', "Add the ones."),
        ('"Hint: Add the ones."', "Add the ones."),
        ("“Add the ones.”", "Add the ones."),
        ('"Add" and "carry"', '"Add" and "carry"'),
        ("Use `a` first.", "Use `a` first."),
        ("A hint: add.", "A hint: add."),
        ("Answer in \\boxed{...}.", "Answer in \\boxed{...}."),
        ("Add\x1b[31m\u202e the<|im_end|> ones.", "Add\\x1b[31m\\u202e the< |im_end|> ones."),
        ("Add <think>or not", "Add"),
        (" ".join(["word"] * MOST_WORDS), " ".join(["word"] * MOST_WORDS)),
    ],
)
def test_a_reply_becomes_a_line(text: str, hint: str) -> None:
    assert read_hint(reply(text)) == hint


@pytest.mark.parametrize(
    ("text", "finish_reason", "said"),
    [
        ("", "stop", "holds no hint"),
        ("<think>hm</think>\n ", "stop", "holds no hint"),
        ("<think>hm", "stop", "holds no hint"),
        ("Hint:", "stop", "holds no hint"),
        ('""', "stop", "holds no hint"),
        ("---", "stop", "holds no hint"),
        ("Add the ones.", "length", "cut off"),
        ("```python\nx = 1\n```", "stop", "code block"),
        ("Add.\n~~~\nx\n~~~", "stop", "code block"),
        (" ".join(["word"] * (MOST_WORDS + 1)), "stop", "has 121 words, where at most 120 are allowed"),
    ],
)
def test_what_is_no_hint_is_an_error(text: str, finish_reason: str, said: str) -> None:
    with pytest.raises(HintError, match=said) as caught:
        read_hint(reply(text, finish_reason))
    assert isinstance(caught.value, SpadeEnvsError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301


def test_code_inside_think_text_does_no_harm() -> None:
    assert read_hint(reply("<think>```python\nx\n```</think>Add.")) == "Add."


def test_the_errors_come_through() -> None:
    with pytest.raises(HintError, match="cut off"):
        written("Add the", "length")
    with pytest.raises(ValueError, match="no contract is named 'chess'"):
        asyncio.run(write_hint(Client("http://127.0.0.1:1"), SOURCE, "chess", seed=1))


@pytest.mark.parametrize("wrong", [status(400, "bad"), drop], ids=["refused", "dropped"])
def test_a_request_that_fails_says_why(wrong: Handler) -> None:
    standin = StandIn(models=[{"id": "tiny", "max_model_len": 100_000}])
    standin.always = wrong

    async def run() -> None:
        async with standin.serve() as url, Client(url, settings=FAST) as client:
            await write_hint(client, SOURCE, "tools", seed=1)

    with pytest.raises(RequestFailed) as caught:
        asyncio.run(run())
    assert caught.value.reason in (Reason.REQUEST, Reason.SERVER)


def test_the_deadline_is_kept() -> None:
    async def run() -> None:
        standin = StandIn(models=[{"id": "tiny", "max_model_len": 100_000}])
        standin.always = until(asyncio.Event(), drop)
        async with standin.serve() as url, Client(url, settings=FAST) as client:
            async with asyncio.timeout(60):
                await write_hint(client, SOURCE, "tools", seed=1, deadline_seconds=0.05)

    with pytest.raises(RequestFailed) as caught:
        asyncio.run(run())
    assert caught.value.reason is Reason.DEADLINE
