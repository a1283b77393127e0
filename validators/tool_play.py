"""Can an agent rely on what tools told it, explore without harm, and not read the answer in one call?"""

from __future__ import annotations

import random
from collections.abc import Iterator

from spade_envs.answer_texts import as_action, holds, tokens
from spade_envs.rules import Complaint, rule
from spade_envs.schema_calls import Seen, calls_of, functions, random_call
from spade_envs.types import Repro, RuleContext, Severity


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
                self._state, self._expected_answer = {"rung": 0}, self.code
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
