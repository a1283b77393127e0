"""Weak players: each wins where it should, loses where it should, and depends on its seed alone."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

import pytest

from spade_envs.answer_texts import answer_of
from spade_envs.env import EnvSettings, SpadeEnv
from spade_envs.rollout import play
from spade_envs.sandbox.host import BoxOptions
from spade_envs.schema_calls import calls_of
from spade_envs.trial import Trial
from spade_envs.types import EnvSource, Episode, Limits, Player, StopReason
from spade_envs.weak import CONSTANTS, MOST_COMMANDS, MOST_GUESSES, RUN, SMALL, Experience, weak_player

GUESSERS = ("visible candidate", "small number", "other answer")
NAMES = (*GUESSERS, "constants", "idle", "echo", "junk", "constant yes", "constant ", "every option", "first command",
         "random command", "random call")  # fmt: skip
NONE = Experience("answer", {}, {})


def source(reset: str, step: str, head: str = "class TryEnv:", more: str = "") -> str:
    """An environment: ``step`` has ``word``, the inside of the box, and sets ``won``."""
    body = f"def reset(self, seed=None):\n{textwrap.indent(reset, '    ')}\n"
    if step:
        begin = "    word = action[7:-1]\n    text = 'no'\n"
        body += f"def step(self, action):\n{begin}{textwrap.indent(step, '    ')}\n"
        body += "    return text, float(won), won, False, {}\n"
    return f"{head}\n{textwrap.indent(body + more, '    ')}"


STRICT = {
    "answer": source(
        "self.key = random.Random(seed).randint(10 ** 8, 10 ** 9)\nreturn 'Which number between 1 and 9?', {}",
        "won = word == str(self.key)",
    ),
    "interactive": source(
        "self.n = 0\nreturn 'Commands: left, right, open.', {}",
        "self.n = self.n + 1 if word == ('open' if self.n % 2 else 'right up') else 0\nwon = self.n == 20",
    ),
    "tools": source(
        "self._expected_answer = str(random.Random(seed).randint(10 ** 8, 10 ** 9))\n"
        "self._tools = {'count': {'parameters': {'properties': {'level': {'enum': ['low', 'high']}}}}}\n"
        "return 'Ask.', {}",
        "",
        head="class TryEnv(ToolUseBaseEnv):",
        more="def tool_count(self, level='low'):\n    return level\n",
    ),
}
OPTIONS = (
    "rng = random.Random(seed)\n"
    "names = rng.sample(['Ann', 'Bo', 'Cy', 'Dee', 'Eve', 'Flo', 'Gus', 'Hal', 'Ida', 'Jo', 'Kim', 'Lee'], 4)\n"
    "self.right = rng.choice(names)\nreturn 'Who is it: ' + ' or '.join(names) + '?', {}"
)
NUMBER = "self.right = random.Random(seed).randint(0, 20)\nreturn 'How many?', {}"
SWITCH = (
    STRICT["tools"]
    .replace("return 'Ask.'", "self.max_turns = 60\n        return 'Ask.'")
    .replace("return level\n", "self._expected_answer = 'done' if level == 'high' else 'x'\n        return level\n")
)
BEATEN = {
    "idle": ("interactive", source("self.n = 0\nreturn 'Wait.', {}", "self.n += 1\nwon = self.n == 90")),
    "echo": ("answer", source("return 'It is 5 {or} 7.', {}", "won = word == 'It is 5 (or) 7.'")),
    "junk": ("answer", source("return 'Say something.', {}", "won = 'sure' in action")),
    "constant yes": (
        "answer",
        source("self.n = 0\nreturn 'Yes or no?', {}", "self.n += word == 'yes'\nwon = self.n == 30"),
    ),
    "every option": ("answer", source(OPTIONS, "won = self.right in word")),
    "visible candidate": ("answer", source(OPTIONS, "won = word == self.right")),
    "small number": ("answer", source(NUMBER, "won = word == str(self.right)")),
    "other answer": ("answer", source("return 'Which colour is it?', {}", "won = word == 'teal'")),
    "first command": (
        "interactive",
        source("self.n = 0\nreturn 'Commands: go, wait.', {}", "self.n += word == 'go'\nwon = self.n == 50"),
    ),
    "random command": (
        "interactive",
        source("self.n = 0\nreturn 'Commands: go, wait.', {}", "self.n += 'go' in word\nwon = self.n == 5"),
    ),
    "random call": ("tools", SWITCH),
}
FIRSTS = {at: f"Who is it: {names}?" for at, names in enumerate(("Ann or Bo", "Cy or Dee", "Eve or Flo"), 10**6)}
EXPERIENCES = {
    "every option": Experience("answer", FIRSTS, {10**6: "Ann", 10**6 + 1: "Dee", 10**6 + 2: "Eve"}),
    "other answer": Experience("answer", {}, {10**6: "red", 10**6 + 1: "teal", 10**6 + 2: "blue"}),
}
EXPERIENCES["visible candidate"] = EXPERIENCES["every option"]


@pytest.fixture(scope="module")
def boxes() -> Iterator[dict[str, SpadeEnv]]:
    """Environments by text, each in one worker for the whole file."""
    made: dict[str, SpadeEnv] = {}
    yield made
    for env in made.values():
        env.close()


def played(boxes: dict[str, SpadeEnv], text: str, contract: str, player: Player, seed: int) -> Episode:
    if text not in boxes:
        boxes[text] = SpadeEnv(EnvSource(text), EnvSettings(contract), limits=Limits())
    episode = play(boxes[text], player, seed)
    assert episode.error is None, episode.error
    return episode


# -- all of them -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("contract", STRICT)
@pytest.mark.parametrize("name", NAMES)
def test_none_wins_what_takes_understanding(boxes: dict[str, SpadeEnv], name: str, contract: str) -> None:
    answers = {10**6: "123456789", 10**6 + 1: "987654321", 10**6 + 2: "555555555"}
    experience = Experience(contract, {10**6: "Which number?"}, answers if contract != "interactive" else {})
    lengths = []
    for seed in (0, 1, 2):
        player = weak_player(name, seed, experience)
        assert player.name == name
        episode = played(boxes, STRICT[contract], contract, player, seed)
        assert not episode.success and episode.player == name
        assert episode.stop_reason in (StopReason.PLAYER_STOPPED, StopReason.TURN_LIMIT)
        again = played(boxes, STRICT[contract], contract, weak_player(name, seed, experience), seed)
        assert again.actions == episode.actions, "its seed alone decides"
        assert played(boxes, STRICT[contract], contract, player, seed).actions == episode.actions, "begin() starts over"
        lengths.append(len(episode.turns))
    assert max(lengths) <= 100


@pytest.mark.parametrize("name", BEATEN)
def test_each_wins_what_it_is_there_to_win(boxes: dict[str, SpadeEnv], name: str) -> None:
    contract, text = BEATEN[name]
    experience = EXPERIENCES.get(name, Experience(contract, {}, {}))
    won = [played(boxes, text, contract, weak_player(name, seed, experience), seed).success for seed in range(8)]
    assert sum(won) >= (4 if name in ("junk", "random call") else 8), won
    if name != "every option":  # an echo holds every option too
        others = [other for other in ("idle", "echo") if other != name]
        assert not any(played(boxes, text, contract, weak_player(o, 0, experience), 0).success for o in others)


def test_seeds_make_a_difference(boxes: dict[str, SpadeEnv]) -> None:
    experience = Experience("answer", {}, {10**6 + number: str(number) for number in range(30)})
    for name in ("junk", "every option", "small number", "other answer", "random command"):
        text = STRICT["interactive" if name == "random command" else "answer"]
        said = {played(boxes, text, "answer", weak_player(name, seed, experience), 3).actions for seed in range(4)}
        assert len(said) == 4, name


def test_there_is_no_player_of_another_name() -> None:
    with pytest.raises(ValueError, match=r"'strong'.*idle, echo, .*random call"):
        weak_player("strong", 0, NONE)


# -- one by one ------------------------------------------------------------------------------------------------


def said(player: Player, *observations: str, **info: object) -> list[str]:
    """Replies to observations, the last of them again and again until it stops."""
    player.begin(observations[0], info)
    replies: list[str] = []
    while len(replies) < 300:
        reply = player.act(observations[min(len(replies), len(observations) - 1)])
        if reply is None:
            return replies
        replies.append(reply)
    raise AssertionError("never stops")


@pytest.mark.parametrize("contract", ["answer", "interactive", "tools"])
def test_constants_are_said_again_and_again(contract: str) -> None:
    for text in CONSTANTS:
        replies = said(weak_player(f"constant {text}", 1, Experience(contract, {}, {})), "x", "y")
        assert len(replies) > 10 and len(set(replies)) == 1 and answer_of(replies[0]) == text
        assert ("<answer>" in replies[0]) == (contract == "tools")


def test_constants_are_tried_one_by_one_from_another_one_on_each_seed() -> None:
    tried = [[answer_of(reply) for reply in said(weak_player("constants", seed, NONE), "x")] for seed in range(20)]
    count = len(CONSTANTS)
    assert all(sorted(map(str, one[:count])) == sorted(CONSTANTS) and one[count:] == one[:-count] for one in tried)
    assert {one[0] for one in tried} == set(CONSTANTS)


OTHERS = {seed: f"{word}{seed}" for seed, word in enumerate(("Ann", "Bo", "Cy", "Dee", "Eve", "Flo"), 11)}


@pytest.mark.parametrize("name", GUESSERS)
@pytest.mark.parametrize("contract", ["answer", "interactive", "tools"])
def test_guessers_never_guess_twice(name: str, contract: str) -> None:
    answers = {**OTHERS, 30: "Ann11", 31: "Ann11", 32: "A, B", 33: "B, A", 34: "7"}
    observation = " ".join([*OTHERS.values(), "A B C 1 2 3 Ann11 A B", *map(str, range(80))])
    for seed in range(20):
        player = weak_player(name, seed, Experience(contract, {}, answers))
        guesses = [answer_of(reply) for reply in said(player, observation)]
        assert len(guesses) == len(set(guesses)) > 1 and len(guesses) <= MOST_GUESSES
        assert None not in guesses


def test_small_numbers_are_all_guessed() -> None:
    guesses = [answer_of(reply) for reply in said(weak_player("small number", 4, NONE), "How many?")]
    assert sorted(map(int, guesses)) == list(range(SMALL + 1)) and guesses != sorted(guesses, key=int)  # type: ignore[arg-type]


def test_other_answers_are_those_of_other_seeds() -> None:
    experience = Experience("answer", {}, {1: "own", 2: "red", 3: "blue"})
    assert sorted(said(weak_player("other answer", 1, experience), "x")) == ["\\boxed{blue}", "\\boxed{red}"]
    assert said(weak_player("other answer", 1, Experience("answer", {}, {1: "own"})), "x") == []


def test_candidates_have_the_shape_of_other_answers() -> None:
    seen = "Ann saw Bo at 12 in ROOM 7."

    def guesses(answer: str) -> set[str | None]:
        player = weak_player("visible candidate", 1, Experience("answer", {}, {9: answer, 1: "x"}))
        return set(map(answer_of, said(player, seen)))

    assert guesses("44") == {"12", "7"}
    assert guesses("Zoe") == {"Ann", "Bo"}
    assert guesses("1, 2") == {"12, 7", "7, 12"}
    assert guesses("1 -> 2 -> 3") == {"12 -> 7", "7 -> 12"}
    assert guesses("44.5") == set()
    assert guesses("?") == {"Ann", "saw", "Bo", "at", "12", "in", "7"}, "any piece, where answers tell no shape"
    # What every telling holds is no candidate, as long as enough others are.
    many = "Pick 1 2 3 from 44 and 55."
    experience = Experience("answer", {10: "Pick 1 2 3 from 8.", 11: "Pick 1 2 3 from 9."}, {9: "8"})
    found = set(map(answer_of, said(weak_player("visible candidate", 1, experience), many)))
    assert found == {"44", "55"}


def test_every_option_holds_the_right_answer_in_the_middle() -> None:
    experience = Experience("answer", {10: "Ann, Bo"}, {**OTHERS, 5: "Right1"})
    for seed_text in ("Ann11 Bo12 Cy13", "nothing to see"):
        forms = [answer_of(reply) or "" for reply in said(weak_player("every option", 5, experience), seed_text)]
        assert RUN in forms and len(forms) == 4
        listed = [form for form in forms if "Right1" in form]
        assert len(listed) == 2
        for form in listed:
            items = re.split(r",? ", form)
            assert 0 < items.index("Right1") < len(items) - 1 and items.count("Right1") == 1
            assert items[0] == "Ann11" and items[-1] == "Bo12" and {"Cy13", "Dee14", "Eve15", "Flo16"} <= set(items)


def test_every_manner_comes_first_for_some_seed() -> None:
    """Where one try is all there is, only the first counts."""
    experience = Experience("answer", {}, OTHERS)
    firsts = [said(weak_player("every option", seed, experience), "Ann11 Bo12")[0] for seed in range(4)]
    assert len(set(firsts)) == 4 and sum(RUN in first for first in firsts) == 1
    assert {"," in first for first in firsts} == {"\n" in first for first in firsts} == {True, False}


def test_every_option_without_any_runs_through_numbers() -> None:
    (reply,) = said(weak_player("every option", 5, Experience("tools", {}, {})), "...")
    assert reply == f"<answer>{RUN}</answer>"


def test_forms_are_cut_to_what_an_environment_is_given() -> None:
    experience = Experience("answer", {}, {seed: f"W{seed}{'x' * 900}" for seed in range(40)})
    assert all(len(reply) < 7100 for reply in said(weak_player("every option", 50, experience), "W1 W2"))


def test_the_first_command_is_given_again_and_again() -> None:
    replies = said(weak_player("first command", 3, NONE), "Commands: go, wait.", "You may wait.")
    assert replies == ["\\boxed{go}"] * MOST_COMMANDS
    assert said(weak_player("first command", 3, NONE), "\u5317") == ["\\boxed{1}"] * MOST_COMMANDS


def test_random_commands_come_from_the_task_and_the_latest_observation() -> None:
    replies = set(said(weak_player("random command", 3, NONE), "Commands: go, wait.", "Or `stop` here."))
    assert replies == {"\\boxed{go}", "\\boxed{wait}", "\\boxed{stop}"}


def test_commands_have_their_holes_filled() -> None:
    task = "Say \\boxed{open DOOR}. A lamp."
    first = said(weak_player("first command", 3, NONE), task, "red blue")
    assert set(first[1:]) == {"\\boxed{open red}"} and "DOOR" not in first[1]
    drawn = set(said(weak_player("random command", 3, NONE), task, "red blue"))
    assert {"\\boxed{open red}", "\\boxed{open blue}", "\\boxed{open lamp}"} <= drawn
    assert all(reply.startswith("\\boxed{open ") for reply in drawn)


def test_random_calls_take_arguments_from_schemas_and_observations() -> None:
    properties = {"id": {"type": "string"}, "n": {"type": "integer", "minimum": 3}}
    tools = [{"function": {"name": "take", "parameters": {"properties": properties, "required": ["id", "n"]}}}]
    replies = said(weak_player("random call", 1, Experience("tools", {}, {9: "other"})), "See ORD-17.", tools=tools)
    calls = [call for reply in replies for call in calls_of(reply)]
    assert len(replies) == MOST_COMMANDS and 0.6 < len(calls) / len(replies) < 1
    assert {call["name"] for call in calls} == {"take"} and all(call["arguments"]["n"] >= 3 for call in calls)
    assert "ORD-17" in {call["arguments"]["id"] for call in calls}
    assert {answer_of(reply) for reply in replies if not calls_of(reply)} & {"done", "other", "ORD-17", "See"}
    for odd in (None, "tools", [None, {}], 3):
        assert not any(calls_of(reply) for reply in said(weak_player("random call", 1, NONE), "See.", tools=odd))


# -- through a trial -------------------------------------------------------------------------------------------


def test_a_trial_samples_them_with_what_it_knows() -> None:
    solution = "def solution(self):\n    return ['\\\\boxed{' + self.right + '}']\n"
    text = source(OPTIONS, "won = word == self.right", more=solution)
    trial = Trial(EnvSource(text), Limits(witness_seeds=6), 0, BoxOptions())
    try:
        assert all(attempt.won for attempt in trial.attempts())
        seed = trial.seeds[0]
        episode = trial.sample("visible candidate", seed)
        assert episode.player == "visible candidate" and episode.seed == seed and episode.success
        assert trial.sample("visible candidate", seed) is episode
        assert trial.sample("other answer", seed) is not episode and trial.sample("idle", seed).actions[0] == ""
        with pytest.raises(ValueError, match="no weak player"):
            trial.sample("strong", seed)
    finally:
        trial.close()
