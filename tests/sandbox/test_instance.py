"""One instance inside the worker: how it is made, which calls go where, and what its solution says."""

from __future__ import annotations

import types
from typing import Any

import pytest
from language import compiled

from spade_envs.sandbox.answers import Broke
from spade_envs.sandbox.boxed import BoxedEnv
from spade_envs.sandbox.checked import StepAnswer
from spade_envs.sandbox.instance import DEFAULT_TURNS, Instance
from spade_envs.sandbox.pool import WorkerPool
from spade_envs.types import EnvSource

pytestmark = pytest.mark.usefixtures("worker_side")

BODY = (
    "\n def reset(self, seed=None): return str(seed), {}\n def step(self, action): return action, 0.0, False, False, {}"
)


def made(text: str, **options: Any) -> Instance:
    code, problems = compiled(text)
    assert code is not None, problems
    return Instance(code, {"output_bytes": 1000, "observation_bytes": 10_000, "language": True, **options})


@pytest.mark.parametrize(
    ("initialise", "asked", "turns"),
    [
        ("", None, None),
        ("def __init__(self, max_turns): self.max_turns = max_turns", None, DEFAULT_TURNS),
        ("def __init__(self, max_turns=7): self.max_turns = max_turns", None, 7),
        ("def __init__(self, max_turns=7): self.max_turns = max_turns", 3, 3),
        ("def __init__(self, *, max_turns): self.max_turns = max_turns", 3, 3),
        ("def __init__(self, **more): self.max_turns = more['max_turns']", 3, 3),
        ("def __init__(self): self.max_turns = 7", 3, 3),
        ("def __init__(self): self.other = 7", 3, None),
        ("def __init__(self): self.max_turns = '7'", None, None),
        ("def __init__(self): self.max_turns = True", None, None),
        ("def __init__(self): self.max_turns = -1", None, None),
        ("max_turns = 5", None, 5),
    ],
)
def test_the_turn_limit_is_the_authors_unless_a_lower_one_is_asked_for(
    initialise: str, asked: int | None, turns: int | None
) -> None:
    instance = made(f"class TryEnv:\n {initialise or 'pass'}{BODY}", max_turns=asked)
    assert instance.reset(1)["max_turns"] == turns


@pytest.mark.parametrize("parameters", ["size", "size, max_turns=3", "*, size", "max_turns, size, more=1"])
def test_other_arguments_must_have_defaults(parameters: str) -> None:
    with pytest.raises(Broke, match="it needs size"):
        made(f"class TryEnv:\n def __init__(self, {parameters}): pass{BODY}")
    made(
        f"class TryEnv:\n def __init__(self, {parameters.replace('size', '*args', 1)}): pass{BODY}".replace(
            "*, *a", "*a"
        )
    )


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        (f"class A: {BODY}", "A"),
        (f"class A: {BODY}\nclass B(A): pass", "B"),
        (f"class A: {BODY}\nclass BEnv: {BODY}", "BEnv"),
        (f"class AEnv: {BODY}\nclass BEnv: {BODY}", ""),
        (f"class A: {BODY}\nclass B: {BODY}", ""),
        ("class A:\n def reset(self): pass", ""),
        (f"def make():\n class A: pass\n return A\nHidden = make()\nclass B: {BODY}", "B"),
    ],
)
def test_which_class_is_the_environment(text: str, chosen: str) -> None:
    if chosen:
        assert made(text).cls.__name__ == chosen
    else:
        with pytest.raises(Broke, match="exactly one class"):
            made(text)


def test_a_reset_gets_its_seed_however_it_takes_it() -> None:
    for parameters, seen in (("seed=None", "5"), ("seed", "5"), ("*, seed", "5"), ("**more", "5"), ("", "none")):
        body = (
            "locals_ = 1\n  return str(" + ({"**more": "more['seed']", "": "'none'"}.get(parameters, "seed")) + "), {}"
        )
        head = f"class TryEnv:\n def reset(self{', ' if parameters else ''}{parameters}):\n  {body}\n"
        assert made(f"{head} def step(self, action): pass").reset(5)["observation"] == seen


# -- calls -----------------------------------------------------------------------------------------------------

CALLS = [f'<tool_call>{{"name": "t", "arguments": {{"n": {n}}}}}</tool_call>' for n in (1, 2, 3)]
HANDMADE = """
class TryEnv:
 def reset(self, seed=None):
  self.seen = []
  return "go", {{}}
 def step(self, action):
  self.seen.append(action)  # {mention}
  return f"step {{len(self.seen)}}", 0.5 * (len(self.seen) == 2), len(self.seen) == 2, False, {{}}
 def execute_tool(self, name, arguments):
  return {{"output": f"{{name}} {{sorted(arguments.items())}}"}}
"""


def test_several_calls_go_one_by_one_until_the_end() -> None:
    instance = made(HANDMADE.format(mention="tool_call"))
    instance.reset(1)
    answer = instance.step("\n".join(CALLS), CALLS)
    assert (answer["observation"], answer["reward"], answer["terminated"]) == ("step 1\nstep 2", 0.5, True)
    assert instance.env.seen == CALLS[:2]
    instance.reset(1)
    assert instance.step(CALLS[0], CALLS[:1])["observation"] == "step 1"


def test_calls_go_to_execute_tool_only_where_step_does_not_read_them() -> None:
    for mention, seen in (("tool_call", "step 1"), ("nothing", "t [('n', 1)]")):
        pool = WorkerPool()
        box = pool.spawn(EnvSource(HANDMADE.format(mention=mention)))
        assert isinstance(box, BoxedEnv)
        box.reset(1)
        answer = box.step(CALLS[0], (CALLS[0],))
        assert isinstance(answer, StepAnswer) and answer.observation == seen
        pool.close()


@pytest.mark.parametrize("call", ["{", "[]", '{"name": 7}', '{"name": "t", "arguments": []}', "[" * 9000])
def test_calls_that_are_none_are_told_to_the_player(call: str) -> None:
    instance = made(HANDMADE.format(mention="nothing"))
    instance.executes = True
    instance.reset(1)
    assert "must be JSON" in instance.step("", [f"<tool_call>{call}</tool_call>"])["observation"]


def test_a_second_episode_of_a_tools_environment_starts_like_the_first() -> None:
    text = """
class TryEnv(ToolUseBaseEnv):
 def reset(self, seed=None):
  self._tools = {"t": {"parameters": {"properties": {"n": {}}}}}
  self._user_messages, self._message_criteria = ["one", "two"], [lambda s: True, lambda s: False]
  return f"{self.turn_count} {len(self._call_history)} {self._current_msg}", {}
 def tool_t(self, n):
  return "done"
"""
    instance = made(text)
    for _ in range(2):
        assert instance.reset(1)["observation"] == "0 0 0"
        instance.step(CALLS[0], CALLS[:1])
        assert (len(instance.env._call_history), instance.env._current_msg) == (1, 1)


# -- the solution ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        ("return ['a', 7, 2.5]", {"kind": "list", "actions": ["a", "7", "2.5"]}),
        ("return ('a',)", {"kind": "list", "actions": ["a"]}),
        ("return map(str, [1, 2])", {"kind": "list", "actions": ["1", "2"]}),
        ("return [{'name': 't', 'arguments': {'n': 1}}]", {"kind": "list", "actions": [CALLS[0]]}),
        ("return 'text'", {"kind": "text", "text": "text", "expected": None}),
        ("return 42", {"kind": "text", "text": "42", "expected": None}),
        ("return None", {"kind": "none"}),
        ("yield 'a'", {"kind": "generator"}),
        ("self._expected_answer = 9\n  return 'x'", {"kind": "text", "text": "x", "expected": "9"}),
    ],
)
def test_what_a_solution_says(body: str, wanted: dict[str, Any]) -> None:
    instance = made(f"class TryEnv:{BODY}\n def solution(self):\n  {body}")
    instance.reset(1)
    assert instance.solution(1) == wanted
    assert made(f"class TryEnv:{BODY}").solution(1) == {"kind": "none"}


def test_a_solution_is_asked_of_a_twin_and_a_generator_of_the_instance() -> None:
    solution = "\n def solution(self):\n  self.touched = 1\n  return ['a']"
    instance = made(f"class TryEnv:{BODY}{solution}")
    instance.reset(1)
    instance.solution(1)
    assert not hasattr(instance.env, "touched")
    instance = made(f"class TryEnv:{BODY}" + solution.replace("return ['a']", "self.got = yield 'a'\n  yield 3"))
    instance.reset(1)
    instance.solution(1)
    told = [instance.advance(None), instance.advance("seen"), instance.advance("more"), instance.advance("more")]
    assert told == [{"action": "a"}, {"action": "3"}, {"action": None}, {"action": None}]
    assert instance.env.got == "seen"


def test_instances_share_no_code() -> None:
    """Or the interpreter finds in it what it has noted for another instance, and notes its own, again and again."""

    def held(code: types.CodeType) -> list[types.CodeType]:
        return [code, *(one for part in code.co_consts if isinstance(part, types.CodeType) for one in held(part))]

    text = "class E:" + BODY.replace("return str(seed), {}", "return (lambda: [str(i) for i in [seed]][0])(), {}")
    code, _ = compiled(text)
    assert code is not None
    one, two = (Instance(code, {"output_bytes": 1000, "observation_bytes": 100, "language": True}) for _ in range(2))
    for method in ("reset", "step"):
        mine, other = (held(getattr(instance.cls, method).__code__) for instance in (one, two))
        assert len(mine) == (3 if method == "reset" else 1), "a lambda and the list inside it"
        assert mine == other and not {id(part) for part in mine} & {id(part) for part in other}
    assert one.reset(1)["observation"] == "1"
