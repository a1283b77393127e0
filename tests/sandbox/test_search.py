"""The bounded search for a win: what it tries, what it finds, and where it stops."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest
from language import compiled

from spade_envs.sandbox import mentions, search
from spade_envs.sandbox.instance import Instance

pytestmark = pytest.mark.usefixtures("worker_side")


def made(reset: str, step: str, head: str = "class TryEnv:", more: str = "") -> Instance:
    """An instance of a class with these bodies; ``step`` may set ``won`` and ``over``, and always pays ``pay``."""
    start = f"{head}\n def reset(self, seed=None):\n{textwrap.indent(reset, '  ')}\n def step(self, action):\n"
    begin = "  word = action[7:-1]\n  won = over = False\n  pay = None\n  text = 'ok'\n"
    end = "  return text, float(won) if pay is None else pay, won, over and not won, {}\n"
    code, problems = compiled(f"{start}{begin}{textwrap.indent(step, '  ')}\n{end}{more}")
    assert code is not None, problems
    return Instance(code, {"output_bytes": 1000, "observation_bytes": 10_000, "language": True})


def find(instance: Instance, *, seed: int = 3, seconds: float = 10.0, nodes: int = 1000) -> list[str]:
    return search.find(instance, seed, seconds=seconds, nodes=nodes)


def wins(instance: Instance, actions: list[str], seed: int = 3) -> bool:
    """Whether the actions win in a fresh instance."""
    twin = instance.twin()
    twin.reset(seed)
    last: dict[str, Any] = {}
    for action in actions:
        last = twin.step(action, [])
    return bool(last["terminated"])


# -- whole searches --------------------------------------------------------------------------------------------

CORRIDOR = "self.at = 0\nreturn 'Moves: left, right.', {}"
WALK = "self.at = max(0, self.at + {'left': -1, 'right': 1}.get(word, 0))\ntext = str(self.at)\nwon = self.at == 12"


@pytest.mark.parametrize(
    "reset",
    [
        "self.answer = random.Random(seed).randint(100, 999)\nreturn 'Guess.', {}",
        "self.hidden = {'a': [1, ('x', 'the word')]}\nself.answer = 'the ' + 'word'\nreturn 'Guess.', {}",
    ],
)
def test_a_value_of_the_state_may_be_the_answer(reset: str) -> None:
    instance = made(reset, "won = word == str(self.answer)")
    (action,) = find(instance)
    assert wins(instance, [action])


def test_commands_that_the_text_names_are_combined() -> None:
    instance = made(
        "self.open = False\nreturn 'Commands: open, go, wait.', {}",
        "won = word == 'go' and self.open\nself.open |= word == 'open'",
    )
    assert find(instance) == ["\\boxed{open}", "\\boxed{go}"]


def test_an_argument_is_taken_from_the_text() -> None:
    instance = made("return 'Say `take THING`. You see a lamp here.', {}", "won = word == 'take lamp'\ntext = 'a lamp'")
    assert find(instance) == ["\\boxed{take lamp}"]


def test_rewards_may_add_up_to_a_win() -> None:
    instance = made(
        "self.n = 0\nreturn 'Moves: up, down.', {}",
        "self.n += word == 'up'\npay = 0.25 * (word == 'up')\nwon = self.n == 4\ntext = str(self.n)",
    )
    assert find(instance) == ["\\boxed{up}"] * 4


def test_ending_without_the_reward_is_no_win() -> None:
    instance = made("self.n = 0\nreturn 'Moves: up, down.', {}", "won = word == 'up'\npay = 0.4 * won")
    assert find(instance) == []


def test_a_branch_does_not_spoil_its_neighbours() -> None:
    instance = made(
        "self.bag = {'seal': True}\nself.ready = []\nreturn 'Moves: smash, ready, open.', {}",
        "if word == 'smash': self.bag['seal'] = False\nif word == 'ready': self.ready.append(1)\n"
        "won = word == 'open' and self.bag['seal'] and len(self.ready) == 2\ntext = f'{self.bag} {self.ready}'",
    )
    assert find(instance) == ["\\boxed{ready}", "\\boxed{ready}", "\\boxed{open}"]


def test_states_are_visited_once() -> None:
    """Two moves and twelve steps: over four thousand paths, but only thirteen states."""
    assert find(made(CORRIDOR, WALK), nodes=400) == ["\\boxed{right}"] * 12


def test_a_state_is_more_than_its_text() -> None:
    quiet = WALK.replace("text = str(self.at)\n", "")
    assert find(made(CORRIDOR, quiet), nodes=400) == ["\\boxed{right}"] * 12


@pytest.mark.parametrize("limits", [{"nodes": 20}, {"seconds": 0.0}])
def test_limits_end_it(limits: dict[str, Any]) -> None:
    assert find(made(CORRIDOR, WALK), **limits) == []


def test_nothing_goes_on_after_a_truncation() -> None:
    cut = f"{WALK}\nover = self.at == 11"
    assert find(made(CORRIDOR, cut)) == []


def test_branches_that_fail_are_no_way() -> None:
    broken = f"if word == 'left': raise ValueError\nif word == 'left right': return None\n{WALK}"
    assert find(made(CORRIDOR, broken)) == ["\\boxed{right}"] * 12


def test_the_instance_itself_is_left_alone() -> None:
    instance = made(CORRIDOR, WALK)
    instance.reset(5)
    instance.env.at = 7
    find(instance, nodes=100)
    assert instance.env.at == 7


TOOLS = """
self._tools = {'set': {'parameters': {'type': 'object', 'properties': {
    'level': {'type': 'string', 'enum': ['low', 'high']}, 'on': {'type': 'boolean'}}}}}
self._state = {'name': 'pump'}
self._user_messages = ['Set it.']
self._message_criteria = [lambda state: state.get('set') == ('high', True)]
return 'Set it.', {}"""


def test_tool_calls_are_built_from_schemas() -> None:
    tool = " def tool_set(self, level, on): self._state['set'] = (level, on); return 'set'\n"
    code, problems = compiled(
        f"class TryEnv(ToolUseBaseEnv):\n def reset(self, seed=None):\n{textwrap.indent(TOOLS, '  ')}\n{tool}"
    )
    assert code is not None, problems
    found = find(Instance(code, {"output_bytes": 1000, "observation_bytes": 10_000, "language": True}))
    assert found == [
        '<tool_call>{"name": "set", "arguments": {"level": "high", "on": true}}</tool_call>',
        "<answer>done</answer>",
    ]


# -- its parts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("task", "seen", "expected"),
    [
        ("Say \\boxed{dig}.", "", ["dig"]),
        ("Say `dig` or 'fill it'.", "", ["dig", "fill it"]),
        ("- dig\n2. fill\n* lift up", "", ["dig", "fill", "lift up"]),
        ("Press GO.", "", ["GO"]),
        ("Moves: north, south or west; stay.", "", ["north", "south", "west", "stay"]),
        ("Say \\boxed{open <door>}.", "red blue", ["open red", "open blue"]),
        ("Say \\boxed{move NAME to N}.", "x1", ["move x1 to x1"]),
        ("Say 'a b c d e'.", "", []),
        ("", "nothing here", []),
    ],
)
def test_commands_named_by_texts(task: str, seen: str, expected: list[str]) -> None:
    found = mentions.commands(task, seen)
    assert all(f"\\boxed{{{command}}}" in found for command in expected), found
    assert bool(found) == bool(expected)
    assert len(found) == len(set(found))


def test_no_command_keeps_its_placeholder() -> None:
    found = mentions.commands("Say \\boxed{open <door>}.", "red")
    assert found == ["\\boxed{open red}"]


@pytest.mark.parametrize(
    ("spec", "state", "expected"),
    [
        ({"enum": [*"abcdefghij"]}, [], [*"abcdefgh"]),
        ({"enum": "abc", "type": "boolean"}, [], [True, False]),
        ({"type": "integer"}, ["x", 4, 2.5], [4, 2.5]),
        ({"type": "number"}, ["x"], [1]),
        ({"type": "string"}, [4, "x", "y"], ["x", "y"]),
        ({}, [4], ["x"]),
        (None, [True], ["x"]),
    ],
)
def test_values_of_a_parameter(spec: Any, state: list[Any], expected: list[Any]) -> None:
    assert search._values("p", spec, state) == expected


def test_scalars_of_a_state() -> None:
    state = {"a": 1, "b": [2.5, "text", True, None, "", "x" * 61], "c": {"deep": {"deeper": {"deepest": 9}}}, "d": {1}}
    assert mentions.scalars(state) == ["a", 1, "b", "c", "d", 2.5, "text", "deep", "deeper"]
    assert len(mentions.scalars(list(range(100)))) == 40
    assert mentions.scalars({"a": type("Own", (str,), {})("x")}) == ["a"]


def test_calls_of_odd_schemas_do_no_harm() -> None:
    odd = [None, {}, {"function": {"name": "f"}}, {"function": {"name": "g", "parameters": {"properties": {"n": 3}}}}]
    found = search._calls(object(), odd, "")
    assert found[0] == "<answer>done</answer>" and '<tool_call>{"name": "f", "arguments": {}}</tool_call>' in found
