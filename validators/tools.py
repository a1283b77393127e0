"""Do tools keep what their schemas promise?"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

from spade_envs.rules import Complaint, rule
from spade_envs.sandbox.checked import ToolParameters
from spade_envs.schema_calls import Seen, calls_of, functions, parameters, random_call
from spade_envs.types import Repro, RuleContext, Severity

RAISED = re.compile(r"^\W{0,3}(?:Error:\s*)?(?:[A-Za-z_]+\.)*([A-Z]\w*(?:Error|Exception|Interrupt|Iteration))\b")
REJECTED = re.compile(r"^Error: \w+(?: is missing required argument|: argument | has no argument )")
FAILED = re.compile(r"^\W{0,3}(?:error|fail|failed|invalid|unknown|not found|denied|cannot)\b", re.IGNORECASE)
KEY = re.compile(r"KeyError: (['\"]?)(.*?)\1\s*$", re.MULTILINE)
LOOKUPS = frozenset({"KeyError", "IndexError", "ValueError", "LookupError", "StopIteration"})
"""Exceptions that a made-up argument may deserve."""
ROUNDS = 5
"""Episodes with two random calls of every tool."""


def _own_doing(text: str, repro: Repro) -> bool:
    """Whether the call failed for a reason that no argument explains: another exception, or a key nobody passed."""
    match = RAISED.match(text[:300])
    if match is None:
        return False
    if match.group(1) != "KeyError":
        return match.group(1) not in LOOKUPS
    key = KEY.search(text[:300])
    passed = json.dumps([call["arguments"] for call in calls_of(repro.actions[-1])], ensure_ascii=False)
    return key is not None and key.group(2) not in passed


def _outputs(ctx: RuleContext) -> dict[str, list[tuple[str, Repro]]]:
    """Per tool what its calls gave: alone in a turn, made up from the schema and what was seen, or the witness's."""
    found: dict[str, list[tuple[str, Repro]]] = {}
    for number, seed in enumerate(ctx.seeds[:3]):
        schemas = functions(list(ctx.schemas(seed)))
        rng = random.Random(seed)
        seen = Seen()
        winning = ctx.play(seed, ctx.witness(seed))
        for text in (winning.observation, *(turn.observation for turn in winning.turns)):
            seen.add(text)
        looks = ctx.looks(seed, ())
        seen.texts = [*(looks[0][0].scalars if looks else ())][:80] + seen.texts
        episodes = [winning]
        for function in schemas:
            found.setdefault(function["name"], [])
            for _ in range(ROUNDS if number == 0 else 2):
                if ctx.budget.left() > ctx.limits.budget_seconds / 3:
                    calls = []
                    for _ in range(2):
                        others = rng.choices([function, *schemas], k=rng.randint(0, 3))
                        calls += [random_call(other, seen, rng) for other in (*others, function)]
                    episodes.append(ctx.quick(seed, calls))
        for episode in episodes:
            for at, turn in enumerate(episode.turns):
                called = calls_of(turn.action)
                if len(called) == 1:
                    shown = Repro(seed, episode.actions[: at + 1])
                    found.setdefault(called[0]["name"], []).append((turn.observation, shown))
    return found


def _other_parameters(seed: int, function: dict[str, Any], method: ToolParameters | None) -> Iterator[Complaint]:
    """Where a schema and the method behind it name their parameters differently."""
    name = function["name"]
    if method is None:
        yield Complaint(f"Tool {name} is offered, but there is no method tool_{name}.", repro=Repro(seed))
        return
    properties, required = parameters(function)
    strange = [key for key in properties if key not in method.names and not method.takes_any]
    missing = [key for key in method.required if key not in properties]
    if strange or missing:
        what = f"the schema's {strange[0]!r} is no parameter" if strange else f"parameter {missing[0]!r} is not in it"
        message = f"Tool {name}: {what} of tool_{name}({', '.join(method.names)}). Give both the same names."
        yield Complaint(message, repro=Repro(seed))
    elif needed := [key for key in method.required if key not in required]:
        message = f"Tool {name}: tool_{name} needs {needed[0]!r}, but the schema does not list it as required."
        yield Complaint(message, repro=Repro(seed), severity=Severity.WARNING)


def _other_names(ctx: RuleContext, seed: int, function: dict[str, Any]) -> Iterator[Complaint]:
    """Arguments that the author's own solution passes and that the schema does not know."""
    schema = function.get("parameters")
    if not isinstance(schema, dict) or schema.get("additionalProperties") is True or "properties" not in schema:
        return
    for action in ctx.witness(seed):
        for call in calls_of(action):
            given = call["arguments"] if isinstance(call.get("arguments"), dict) else {}
            strange = [key for key in given if key not in schema["properties"]]
            if call.get("name") == function["name"] and strange:
                message = f"Tool {function['name']}: solution() passes {strange[0]!r}, which its schema does not have."
                yield Complaint(f"{message} Give both the same names.", repro=Repro(seed))
                return


@rule("tools.schema", "property", Severity.ERROR, core=False)
def schema(ctx: RuleContext) -> Iterator[Complaint]:
    """Tool schemas are valid JSON Schema and fit the methods behind them.

    A model can only call what it is shown: with another name its calls fail, and it learns to avoid the tool.

    The schemas of the first seed are compared with the methods, nothing is called. There must be one at least, and they
    must be JSON Schema (draft 2020-12). Every property must be a parameter of ``tool_<name>`` (``**kwargs`` takes any),
    every parameter without a default must be a property, and every tool needs its method; else it is an error. A
    parameter that the method needs but the schema does not list as required is a warning. What is required must be a
    property. Without ``ToolUseBaseEnv`` the schemas are compared with the calls of the author's solution instead.

    Give both the same names, list what has no default as ``required``, and give the rest a default.

    Accepted::

        class BellEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.code = f"B-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {}, self.code
                bell = {"type": "object", "properties": {"times": {"type": "integer"}}, "required": ["times"]}
                self._tools = {"ring": {"description": "Ring the bell.", "parameters": bell}}
                return "Ring twice, read the code, and submit <answer>CODE</answer>.", {}

            def tool_ring(self, times):
                return self.code if times == 2 else "Nothing happens."

            def solution(self):
                call = '<tool_call>{"name": "ring", "arguments": {"times": 2}}</tool_call>'
                return [call, f"<answer>{self.code}</answer>"]

    Refused::

        class BellEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.code = f"B-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {}, self.code
                bell = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": []}
                self._tools = {"ring": {"description": "Ring the bell.", "parameters": bell}}
                return "Ring twice, read the code, and submit <answer>CODE</answer>.", {}

            def tool_ring(self, times=2):
                return self.code if times == 2 else "Nothing happens."

            def solution(self):
                return ['<tool_call>{"name": "ring"}</tool_call>', f"<answer>{self.code}</answer>"]
    """
    if ctx.contract != "tools":
        return
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import SchemaError

    seed = ctx.seeds[0]
    looks = ctx.looks(seed, ())
    methods = looks[0][0].tools if looks else {}
    offered = list(functions(list(ctx.schemas(seed))))
    if not offered:
        message = "It is declared as tools and offers no tool at reset: declare what it is, or leave the contract out."
        yield Complaint(message, repro=Repro(seed))
    for function in offered:
        name = function["name"]
        try:
            Draft202012Validator.check_schema(function.get("parameters") or {})
        except SchemaError as error:
            yield Complaint(
                f"Tool {name}: its parameters are no JSON Schema: {error.message[:200]}.", repro=Repro(seed)
            )
            continue
        properties, required = parameters(function)
        if unlisted := [key for key in required if key not in properties]:
            message = f"Tool {name}: its schema requires {unlisted[0]!r}, which is not among its properties."
            yield Complaint(message, repro=Repro(seed))
            continue
        if name not in methods:
            yield from _other_names(ctx, seed, function)
            continue
        yield from _other_parameters(seed, function, methods[name])


@rule("tools.broken", "property", Severity.ERROR, core=False)
def broken(ctx: RuleContext) -> Iterator[Complaint]:
    """Every tool works for some call.

    A tool that never works wastes turns, and teaches a policy not to try tools.

    On 3 seeds every tool is called, 10 times on the first and 3 on the others, after up to three other calls, with
    arguments from its enumerations, from what was seen and from the state; calls of the witness count too. Of 3 calls
    or more, raising on every one is an error, unless bad arguments may explain them all (a ValueError, or a failed
    look-up of what was passed). One that never succeeds (its text always begins like an error) is a warning: perhaps it
    needs a call that nobody made.

    Play the call of the finding and mend what raises; set in ``reset`` what the tool reads; answer a failed look-up
    with a sentence.

    Accepted::

        class BellEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.code = f"B-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {}, self.code
                self._tools = {"ring": {"description": "Ring the bell."}, "polish": {"description": "Polish it."}}
                return "Ring, read the code, and submit <answer>CODE</answer>.", {}

            def tool_ring(self):
                return self.code

            def tool_polish(self):
                return "It shines."

            def solution(self):
                return ['<tool_call>{"name": "ring"}</tool_call>', f"<answer>{self.code}</answer>"]

    Refused::

        class BellEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.code = f"B-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {}, self.code
                self._tools = {"ring": {"description": "Ring the bell."}, "polish": {"description": "Polish it."}}
                return "Ring, read the code, and submit <answer>CODE</answer>.", {}

            def tool_ring(self):
                return self.code

            def tool_polish(self):
                return self.shine + 1

            def solution(self):
                return ['<tool_call>{"name": "ring"}</tool_call>', f"<answer>{self.code}</answer>"]
    """
    if ctx.contract != "tools":
        return
    for name, outputs in _outputs(ctx).items():
        # A call that never reached the tool (an argument missing, or of another type) tells nothing about it.
        outputs = [output for output in outputs if not REJECTED.match(output[0])]
        kinds = [match.group(1) if (match := RAISED.match(text[:300])) else "" for text, _ in outputs]
        if len(outputs) < 3:
            continue
        shown = min((repro for _, repro in outputs), key=lambda repro: len(repro.actions))
        if all(kinds) and any(_own_doing(*output) for output in outputs):
            kind = next(kind for kind, output in zip(kinds, outputs, strict=True) if _own_doing(*output))
            message = f"Tool {name} raises on every one of {len(outputs)} calls, as with {kind}. Make it work."
            yield Complaint(message, repro=shown)
        elif all(kind or FAILED.match(text[:300]) for kind, (text, _) in zip(kinds, outputs, strict=True)):
            message = f"Tool {name} answers every one of {len(outputs)} calls with an error."
            yield Complaint(message, repro=shown, severity=Severity.WARNING)
