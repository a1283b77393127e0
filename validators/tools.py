"""Do tools keep what their schemas promise?"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator

from spade_envs.answer_texts import as_action, holds, tokens
from spade_envs.rules import Complaint, rule
from spade_envs.schema_calls import Seen, calls_of, functions, parameters, random_call
from spade_envs.types import Repro, RuleContext, Severity

RAISED = re.compile(r"^\W{0,3}(?:Error:\s*)?(?:[A-Za-z_]+\.)*([A-Z]\w*(?:Error|Exception|Interrupt|Iteration))\b")
REJECTED = re.compile(r"^Error: \w+(?: is missing required argument|: argument | has no argument )")
FAILED = re.compile(r"^\W{0,3}(?:error|fail|failed|invalid|unknown|not found|denied|cannot)\b", re.IGNORECASE)
KEY = re.compile(r"KeyError: (['\"]?)(.*?)\1\s*$", re.MULTILINE)
LOOKUPS = frozenset({"KeyError", "IndexError", "ValueError", "LookupError", "StopIteration"})
"""Exceptions that a made-up argument may deserve."""
ROUNDS = 10
"""Random calls of every tool."""


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
            for _ in range(ROUNDS if number == 0 else 3):
                if ctx.budget.left() > ctx.limits.budget_seconds / 3:
                    calls = [random_call(rng.choice([function, *schemas]), seen, rng) for _ in range(rng.randint(0, 3))]
                    episodes.append(ctx.quick(seed, (*calls, random_call(function, seen, rng))))
        for episode in episodes:
            for at, turn in enumerate(episode.turns):
                called = calls_of(turn.action)
                if len(called) == 1:
                    shown = Repro(seed, episode.actions[: at + 1])
                    found.setdefault(called[0]["name"], []).append((turn.observation, shown))
    return found


@rule("tools.schema", "property", Severity.ERROR, core=False)
def schema(ctx: RuleContext) -> Iterator[Complaint]:
    """Tool schemas are valid JSON Schema and fit the methods behind them.

    A model can only call what it is shown: with another name its calls fail, and it learns to avoid the tool.

    The schemas of the first seed are compared with the methods, nothing is called. They must be JSON Schema (draft
    2020-12). Every property must be a parameter of ``tool_<name>`` (``**kwargs`` takes any), every parameter without a
    default must be a property, and every tool needs its method; else it is an error. A parameter that the method needs
    but the schema does not list as required is a warning. Without ``ToolUseBaseEnv`` only the JSON Schema is looked at.

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
    for function in functions(list(ctx.schemas(seed))):
        name = function["name"]
        try:
            Draft202012Validator.check_schema(function.get("parameters") or {})
        except SchemaError as error:
            yield Complaint(
                f"Tool {name}: its parameters are no JSON Schema: {error.message[:200]}.", repro=Repro(seed)
            )
            continue
        if name not in methods:
            continue
        method = methods[name]
        if method is None:
            yield Complaint(f"Tool {name} is offered, but there is no method tool_{name}.", repro=Repro(seed))
            continue
        properties, required = parameters(function)
        strange = [key for key in properties if key not in method.names and not method.takes_any]
        missing = [key for key in method.required if key not in properties]
        if strange or missing:
            what = (
                f"the schema's {strange[0]!r} is no parameter" if strange else f"parameter {missing[0]!r} is not in it"
            )
            message = f"Tool {name}: {what} of tool_{name}({', '.join(method.names)}). Give both the same names."
            yield Complaint(message, repro=Repro(seed))
        elif needed := [key for key in method.required if key not in required]:
            message = f"Tool {name}: tool_{name} needs {needed[0]!r}, but the schema does not list it as required."
            yield Complaint(message, repro=Repro(seed), severity=Severity.WARNING)


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


@rule("tools.unstable", "property", Severity.WARNING, core=False)
def unstable(ctx: RuleContext) -> Iterator[Complaint]:
    """Asking again without a change in between gives the same answer.

    If a tool draws or counts behind the agent's back, what the agent read is not true any more, and it learns to ask
    again.

    On the first seed each call of the witness (the first 20) is made twice in a row. If ``_state`` and the pending
    instruction are the same before, between and after, and the outputs differ, it is a warning. What is kept outside
    ``_state`` is not seen.

    Draw in ``reset`` and not in the tool, let outputs depend on state and arguments alone, and keep counters in
    ``_state``.

    Accepted::

        class BellEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.code = f"B-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {"rung": 0}, self.code
                self._tools = {"ring": {"description": "Ring the bell."}}
                return "Ring, read the code, and submit <answer>CODE</answer>.", {}

            def tool_ring(self):
                self._state["rung"] += 1
                return f"{self.code}, rung {self._state['rung']} times"

            def solution(self):
                return ['<tool_call>{"name": "ring"}</tool_call>', f"<answer>{self.code}</answer>"]

    Refused::

        class BellEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.rng = random.Random(seed)
                self.code = f"B-{self.rng.randint(1000, 9999)}"
                self._state, self._expected_answer = {}, self.code
                self._tools = {"ring": {"description": "Ring the bell."}}
                return "Ring, read the code, and submit <answer>CODE</answer>.", {}

            def tool_ring(self):
                return f"{self.code}, it is {self.rng.randint(10, 30)} degrees"

            def solution(self):
                return ['<tool_call>{"name": "ring"}</tool_call>', f"<answer>{self.code}</answer>"]
    """
    seed = ctx.seeds[0]
    winning = list(ctx.witness(seed)) if ctx.contract == "tools" else []
    done = 0
    while done < len(winning) and ctx.budget.left() > 0:
        # As many calls as the turns allow, each made twice; what is left goes on in another episode.
        doubled = [*winning[:done], *(action for action in winning[done:] for _ in range(2))]
        looks = ctx.looks(seed, doubled)
        for at in range(done + 2, len(looks), 2):
            before, one, two = looks[at - 2], looks[at - 1], looks[at]
            alike = before[0].digest == one[0].digest == two[0].digest and before[0].pointer == two[0].pointer
            if alike and one[1] != two[1] and len(calls_of(doubled[at - 1])) == 1:
                message = f"The same call twice, the state unchanged, answers {one[1][:60]!r}, then {two[1][:60]!r}."
                yield Complaint(f"{message} Answer alike.", repro=Repro(seed, tuple(doubled[:at])))
                return
        done += max(1, (len(looks) - 1 - done) // 2)


@rule("tools.trap", "property", Severity.WARNING, core=False)
def trap(ctx: RuleContext) -> Iterator[Complaint]:
    """A call of a tool that the witness does not use does not spoil the task.

    Where a call spoils the task, exploring is punished beyond repair, which teaches agents not to look.

    On 4 seeds, for every tool that the witness does not use, one call with arguments from its schema is made first,
    then the witness is played. Where that loses, on any of the seeds, it is a warning; the first such tool is named.

    Let the change be undone by another call, refuse it with a sentence, or let it touch only what the task does not
    need.

    Accepted::

        class BellEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.code = f"B-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {}, self.code
                self._tools = {"ring": {"description": "Ring the bell."}, "sell": {"description": "Sell it."}}
                return "Ring, read the code, and submit <answer>CODE</answer>.", {}

            def tool_ring(self):
                return self.code

            def tool_sell(self):
                return "Nobody wants it."

            def solution(self):
                return ['<tool_call>{"name": "ring"}</tool_call>', f"<answer>{self.code}</answer>"]

    Refused::

        class BellEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.code = f"B-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {}, self.code
                self._tools = {"ring": {"description": "Ring the bell."}, "sell": {"description": "Sell it."}}
                return "Ring, read the code, and submit <answer>CODE</answer>.", {}

            def tool_ring(self):
                return self.code

            def tool_sell(self):
                self._expected_answer = "sold"
                return "Sold."

            def solution(self):
                return ['<tool_call>{"name": "ring"}</tool_call>', f"<answer>{self.code}</answer>"]
    """
    if ctx.contract != "tools":
        return
    spoiled: dict[str, list[Repro]] = {}
    for seed in ctx.seeds[:4]:
        winning = list(ctx.witness(seed))
        used = {call["name"] for action in winning for call in calls_of(action)}
        rng, seen = random.Random(seed), Seen()
        seen.add(ctx.play(seed, ()).observation)
        for function in functions(list(ctx.schemas(seed))):
            if function["name"] in used or not winning or len(winning) >= ctx.max_turns or ctx.budget.left() <= 0:
                continue
            actions = (random_call(function, seen, rng), *winning)
            if not ctx.play(seed, actions).success:
                spoiled.setdefault(function["name"], []).append(Repro(seed, actions))
    for name, repros in spoiled.items():
        message = f"One call of {name}, which the solution does not need, makes the solution lose on {len(repros)} of 4"
        yield Complaint(f"{message} seeds. Let it be undone.", repro=repros[0])
        return


@rule("tools.shortcut", "property", Severity.WARNING, core=False)
def shortcut(ctx: RuleContext) -> Iterator[Complaint]:
    """No single call gives away what the witness needs five turns for.

    A policy takes the shortest way: with one call that tells all, the other tools and turns are never learned.

    On up to 4 seeds on which the solution takes five turns or more, every tool is called once, with arguments from its
    schema. If the output holds the answer, and submitting it wins, on more than half of the seeds and on two at least,
    it is a warning.

    Let the tool show less (one record, not the whole table), let it need an id that another tool gives, or ask for a
    value that several outputs make up together.

    Accepted::

        class BellEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.code = f"B-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {}, self.code
                self._tools = {"ring": {"description": "Ring the bell."}}
                return "Ring, read the code, and submit <answer>CODE</answer>.", {}

            def tool_ring(self):
                return self.code

            def solution(self):
                return ['<tool_call>{"name": "ring"}</tool_call>', f"<answer>{self.code}</answer>"]

    Refused::

        class BellEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.code = f"B-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {"rung": 0}, self.code
                self._tools = {"ring": {"description": "Ring the bell."}, "dump": {"description": "Show the notes."}}
                return "Ring four times, read the code, and submit <answer>CODE</answer>.", {}

            def tool_ring(self):
                self._state["rung"] += 1
                return self.code if self._state["rung"] >= 4 else "Go on."

            def tool_dump(self):
                return f"code: {self.code}"

            def solution(self):
                return ['<tool_call>{"name": "ring"}</tool_call>'] * 4 + [f"<answer>{self.code}</answer>"]
    """
    answers = ctx.experience.answers if ctx.contract == "tools" else {}
    found: dict[str, list[Repro]] = {}
    seeds = [seed for seed in ctx.seeds if seed in answers and len(ctx.witness(seed)) >= 5][:4]
    for seed in seeds:
        rng, seen = random.Random(seed), Seen()
        seen.add(ctx.play(seed, ()).observation)
        wanted = tokens(answers[seed])
        for function in functions(list(ctx.schemas(seed))):
            if ctx.budget.left() <= 0:
                return
            call = random_call(function, seen, rng)
            told = ctx.quick(seed, (call,))
            if told.turns and holds(tokens(told.turns[0].observation), wanted):
                actions = (call, as_action(answers[seed], "tools"))
                if ctx.play(seed, actions).success:
                    found.setdefault(function["name"], []).append(Repro(seed, actions))
    for name, repros in found.items():
        if len(repros) * 2 > len(seeds) > 1:
            message = (
                f"One call of {name} shows the answer, though the solution takes {len(ctx.witness(seeds[0]))} turns."
            )
            yield Complaint(f"{message} Let it show less.", repro=repros[0])
            return
