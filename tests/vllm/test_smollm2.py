"""The client against vLLM with a small real model, which answers in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from real_server import MARKS, serve, using
from small_model import write_checkpoint
from tiny_model import logprobs_of, make_adapter, with_adapter

from spade_envs.asynchronous import AsyncEnvs
from spade_envs.client import ChatRequest, Client, Form, Message, Sampling, Structure, TokensRequest, Tool
from spade_envs.model_player import Agent, ModelPlayer
from spade_envs.probe import Probed, ProbePlan, Subject, probe_one
from spade_envs.rollouts import Assignment, play_many
from spade_envs.settings import EnvSettings
from spade_envs.types import EnvSource, Episode, StopReason

pytestmark = MARKS

FRANCE = (Message("user", "What is the capital of France? Answer in one short sentence."),)
COLD = Sampling(temperature=0.0, max_tokens=32, seed=1)
WARM = Sampling(temperature=1.0, max_tokens=24, seed=5)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """SmolLM2."""
    folder = tmp_path_factory.mktemp("smollm2")
    write_checkpoint(folder)
    return folder


@pytest.fixture(scope="module")
def url(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Base URL of vLLM."""
    with serve(checkpoint, "smollm2", tmp_path_factory.mktemp("log") / "vllm.log", threads=2) as url:
        yield url


def ask(url: str, **options: Any) -> Any:
    """The answer to a question about France."""
    asked = {"messages": FRANCE, "sampling": COLD, **options}
    return using(url, lambda client: client.chat(ChatRequest(**asked)))


def test_it_knows_the_capital_of_france(url: str) -> None:
    answer = ask(url)
    assert "Paris" in answer.text and answer.replies[0].finish_reason == "stop"


def test_a_chat_tells_its_tokens_and_the_models_own_probabilities(url: str, checkpoint: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    answer = ask(url, sampling=WARM, logprobs=True, token_ids=True)
    [reply] = answer.replies
    tokenizer = AutoTokenizer.from_pretrained(checkpoint)
    assert tokenizer.decode(reply.token_ids, skip_special_tokens=True) == reply.text != ""
    shown = tokenizer.decode(answer.prompt_token_ids)
    assert shown.endswith("<|im_start|>assistant\n") and FRANCE[0].content in shown
    model = AutoModelForCausalLM.from_pretrained(checkpoint)
    own = logprobs_of(model, answer.prompt_token_ids, reply.token_ids)
    assert reply.logprobs == pytest.approx(own, abs=1e-3)


def test_token_ids_continue_as_the_chat_does(url: str) -> None:
    chat = ask(url, token_ids=True)
    tokens = using(url, lambda client: client.complete(TokensRequest(prompt=chat.prompt_token_ids, sampling=COLD)))
    assert tokens.replies[0].token_ids == chat.replies[0].token_ids and "Paris" in tokens.text


def test_a_structured_answer_can_be_read(url: str) -> None:
    text = {"type": "string", "pattern": "^[A-Z][a-z]{1,20}$"}
    schema = {"type": "object", "properties": {"city": text, "country": text}, "required": ["city", "country"]}
    structure = Structure(Form.JSON, {**schema, "additionalProperties": False})
    told = (Message("user", "Name the capital of France as JSON with the keys city and country."),)
    answer = ask(url, messages=told, structure=structure, sampling=Sampling(temperature=0.0, max_tokens=96, seed=1))
    assert answer.replies[0].finish_reason == "stop", answer.text
    assert json.loads(answer.text) == {"city": "Paris", "country": "France"}


def test_a_tool_is_called_with_arguments(url: str) -> None:
    city = {"type": "string", "enum": ["Paris", "Oslo"]}
    schema = {"type": "object", "properties": {"city": city}, "required": ["city"], "additionalProperties": False}
    told = (Message("user", "Travel to Oslo."),)
    tool = Tool("travel", "Travel to a city.", schema, strict=True)
    answer = ask(
        url,
        messages=told,
        tools=(tool,),
        tool_choice="required",
        sampling=Sampling(temperature=0.0, max_tokens=128, seed=1),
    )
    calls = answer.replies[0].tool_calls
    assert calls and {call.name for call in calls} == {"travel"}, answer
    assert all(json.loads(call.arguments)["city"] in ("Paris", "Oslo") for call in calls), calls


def test_an_adapter_changes_what_it_says(url: str, checkpoint: Path, tmp_path: Path) -> None:
    make_adapter(checkpoint, tmp_path / "adapter", seed=1)
    prompt = ask(url, token_ids=True).prompt_token_ids

    async def do(client: Client) -> None:
        await client.load_adapter("pol-v1", tmp_path / "adapter")
        request = TokensRequest(prompt=prompt, sampling=WARM, model="pol-v1")
        [changed] = (await client.complete(request)).replies
        own = logprobs_of(with_adapter(checkpoint, tmp_path / "adapter"), prompt, changed.token_ids)
        assert changed.logprobs == pytest.approx(own, abs=1e-3), "the adapter's weights, not others"
        await client.unload_adapter("pol-v1")
        [plain] = (await client.complete(TokensRequest(prompt=prompt, sampling=WARM))).replies
        assert plain.token_ids != changed.token_ids

    using(url, do)


# -- playing ---------------------------------------------------------------------------------------------------

WORDS = EnvSource(
    '''
import random
class WordsEnv:
    """Say the word that is shown."""
    def __init__(self, max_turns=3):
        self.max_turns = max_turns
        self.reset()
    def reset(self, seed=None):
        self.word, self.turn = random.Random(seed).choice(["Paris", "Rome", "Oslo", "Lima", "Cairo"]), 0
        return f"What is the capital of {LANDS[self.word]}? Answer in one short sentence.", {}
    def step(self, action):
        self.turn += 1
        won = self.word in action
        return "Right." if won else "No. Try again. " + "Think of maps. " * 99, float(won), won, self.turn >= 3, {}
    def hint(self):
        return f"It is called {self.word}."
LANDS = {"Paris": "France", "Rome": "Italy", "Oslo": "Norway", "Lima": "Peru", "Cairo": "Egypt"}
'''
)
AGENT = Agent(sampling=Sampling(temperature=0.7, max_tokens=24))


def played(url: str, count: int, agent: Agent, source: EnvSource = WORDS) -> list[Episode]:
    """Episodes of SmolLM2, by seed."""

    async def run(client: Client) -> list[Episode]:
        with AsyncEnvs() as envs:
            players = [ModelPlayer(client, agent, seed=seed) for seed in range(count)]
            todo = [Assignment(source, EnvSettings(contract="answer"), at, player) for at, player in enumerate(players)]
            found = {at: episode async for at, episode in play_many(envs, todo, concurrency=16)}
        assert all(len(answer.replies[0].text) for player in players for answer in player.answers)
        return [found[at] for at in range(count)]

    episodes: list[Episode] = using(url, run)
    return episodes


def test_it_plays_whole_episodes(url: str) -> None:
    episodes = played(url, 16, AGENT)
    reasons = {episode.stop_reason for episode in episodes}
    assert reasons <= {StopReason.TERMINATED, StopReason.TURN_LIMIT, StopReason.NO_EOS, StopReason.CONTEXT_FULL}
    assert any(episode.success for episode in episodes), [episode.turns for episode in episodes]
    assert all(episode.cut for episode in episodes if episode.stop_reason is StopReason.NO_EOS)


def test_a_context_that_fills_up_ends_the_episode_on_our_side(url: str) -> None:
    # A thousand tokens hold two of the environment's long answers at most.
    text = WORDS.text.replace("self.word in action", "'Qwzx' in action")
    never = EnvSource(text.replace("max_turns=3", "max_turns=9").replace("self.turn >= 3", "self.turn >= 9"))
    episodes = played(url, 8, Agent(sampling=Sampling(temperature=0.0, max_tokens=900)), never)
    assert {episode.stop_reason for episode in episodes} == {StopReason.CONTEXT_FULL}
    assert all(1 <= len(episode.turns) <= 3 and "tokens" in episode.detail for episode in episodes)
    assert all("maximum context" not in episode.detail for episode in episodes), "the server had to say so"


def test_regret_is_measured(url: str) -> None:
    async def run(client: Client) -> Probed:
        with AsyncEnvs() as envs:
            plan = ProbePlan(agent=AGENT, most_pairs=8)
            return await probe_one(Subject(WORDS, "lab/env-0001", "answer", 3), client, envs, plan)

    found: Probed = using(url, run)
    assert found.probe is not None and found.fault is None and not found.problem
    assert len(found.probe.seeds) in (4, 8) and found.probe.missing == (0, 0)
    assert sum(filter(None, found.probe.hinted)) >= sum(filter(None, found.probe.plain))
