"""Do the criteria of a multi-turn task follow its instructions?"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator, Sequence

from spade_envs.rules import Complaint, rule
from spade_envs.sandbox.checked import Look
from spade_envs.schema_calls import Seen, calls_of, functions, random_call
from spade_envs.types import Repro, RuleContext, Severity


def _looks(ctx: RuleContext) -> Iterator[tuple[int, Sequence[str], Sequence[tuple[Look, str]]]]:
    """Seed, actions and looks of the witness, on the first seeds."""
    if ctx.contract != "tools":
        return
    for seed in ctx.seeds[:8]:
        attempt = ctx.attempt(seed)
        actions = attempt.episode.actions if attempt.episode is not None else ()
        looks = ctx.looks(seed, actions)
        if not looks or not looks[0][0].criteria:
            return
        yield seed, actions, looks


@rule("tools.criterion_free", "property", Severity.ERROR, core=False)
def free(ctx: RuleContext) -> Iterator[Complaint]:
    """Criteria are false at reset.

    A criterion that holds before anything was done pays for nothing: its instruction is passed with the next call.

    All criteria are asked at reset, about a copy of ``_state``, on 8 seeds. An error when at least half of them are
    true on most seeds, a warning for fewer, or when one is true on some seeds only.

    Require the change that was asked for: that something was done, not that something else is absent. Draw instances in
    which it is still to be done.

    Accepted::

        class BinEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.label = f"BIN-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {"emptied": []}, "done"
                text = {"type": "object", "properties": {"bin_id": {"type": "string"}}, "required": ["bin_id"]}
                self._tools = {"empty": {"parameters": text}}
                self._user_messages = [f"Empty bin {self.label}."]
                self._message_criteria = [lambda state: self.label in state["emptied"]]
                return self._user_messages[0], {}

            def tool_empty(self, bin_id):
                self._state["emptied"].append(bin_id)
                return "emptied"

            def solution(self):
                call = json.dumps({"name": "empty", "arguments": {"bin_id": self.label}})
                return [f"<tool_call>{call}</tool_call>", "<answer>done</answer>"]

    Refused::

        class BinEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.label = f"BIN-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {"full": [], "emptied": []}, "done"
                text = {"type": "object", "properties": {"bin_id": {"type": "string"}}, "required": ["bin_id"]}
                self._tools = {"empty": {"parameters": text}}
                self._user_messages = [f"Empty bin {self.label}."]
                self._message_criteria = [lambda state: self.label not in state["full"]]
                return self._user_messages[0], {}

            def tool_empty(self, bin_id):
                self._state["emptied"].append(bin_id)
                return "emptied"

            def solution(self):
                call = json.dumps({"name": "empty", "arguments": {"bin_id": self.label}})
                return [f"<tool_call>{call}</tool_call>", "<answer>done</answer>"]
    """
    seen = [(seed, looks[0][0].criteria) for seed, _, looks in _looks(ctx)]
    if not seen:
        return
    counts = [sum(one == "true" for one in criteria) for _, criteria in seen]
    often = [number for number in range(len(seen[0][1])) if _often_true(number, [c for _, c in seen])]
    total = len(seen[0][1])
    if often:
        which = ", ".join(str(number + 1) for number in often)
        message = f"Of {total} criteria, number {which} hold at reset already. Require the change that was asked for."
        severity = None if len(often) * 2 >= total else Severity.WARNING
        yield Complaint(message, repro=Repro(seen[0][0]), severity=severity)
    elif any(counts):
        seed = next(seed for (seed, _), count in zip(seen, counts, strict=True) if count)
        message = f"On some seeds a criterion holds at reset already, as on {seed}. Draw instances where it does not."
        yield Complaint(message, repro=Repro(seed), severity=Severity.WARNING)


def _often_true(number: int, rows: Sequence[Sequence[str]]) -> bool:
    return sum(number < len(row) and row[number] == "true" for row in rows) * 2 > len(rows)


@rule("tools.criterion_raises", "property", Severity.ERROR, core=False)
def raises(ctx: RuleContext) -> Iterator[Complaint]:
    """The pending criterion answers on every state that is reached.

    ``ToolUseBaseEnv`` takes a criterion that raises for false: a mistake in it looks like work not done, and goes
    unpaid.

    On 8 seeds the pending criterion is asked at reset, after every action of the witness, after 8 random calls, and
    after a part of the witness and 8 more. The first that raises is an error. Where the source itself asks its criteria
    inside a ``try``, nothing is asked: a criterion that raises is taken for false, as the source does.

    Use ``state.get(key, default)``, or set every key in ``reset``, and keep the type of a value the same throughout.

    Accepted::

        class BinEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.label = f"BIN-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {}, "done"
                text = {"type": "object", "properties": {"bin_id": {"type": "string"}}, "required": ["bin_id"]}
                self._tools = {"empty": {"parameters": text}}
                self._user_messages = [f"Empty bin {self.label}."]
                self._message_criteria = [lambda state: state.get("last") == self.label]
                return self._user_messages[0], {}

            def tool_empty(self, bin_id):
                self._state["last"] = bin_id
                return "emptied"

            def solution(self):
                call = json.dumps({"name": "empty", "arguments": {"bin_id": self.label}})
                return [f"<tool_call>{call}</tool_call>", "<answer>done</answer>"]

    Refused::

        class BinEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.label = f"BIN-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {}, "done"
                text = {"type": "object", "properties": {"bin_id": {"type": "string"}}, "required": ["bin_id"]}
                self._tools = {"empty": {"parameters": text}}
                self._user_messages = [f"Empty bin {self.label}."]
                self._message_criteria = [lambda state: state["last"] == self.label]
                return self._user_messages[0], {}

            def tool_empty(self, bin_id):
                self._state["last"] = bin_id
                return "emptied"

            def solution(self):
                call = json.dumps({"name": "empty", "arguments": {"bin_id": self.label}})
                return [f"<tool_call>{call}</tool_call>", "<answer>done</answer>"]
    """
    if _catches(ctx.tree):
        return
    for seed, actions, looks in _looks(ctx):
        rng, seen = random.Random(seed), Seen()
        for text in (*looks[0][0].scalars, *(text for _, text in looks)):
            seen.add(text)
        schemas = functions(list(ctx.schemas(seed)))
        made_up = [random_call(rng.choice(schemas), seen, rng) for _ in range(16)] if schemas else []
        begun = [*actions[: rng.randint(1, max(1, len(actions) - 1))], *made_up[8:]]
        lists = (made_up[:8], begun)
        for played, shown in ((actions, looks), *((tried, ctx.looks(seed, tried)) for tried in lists)):
            for turn, (look, _) in enumerate(shown):
                at = look.pointer or 0
                pending = look.criteria[at] if look.pointer is not None and at < len(look.criteria) else ""
                if pending.startswith("raises "):
                    message = f"Criterion {at + 1} raises {pending.removeprefix('raises ')}"
                    repro = Repro(seed, tuple(played[:turn]))
                    yield Complaint(f"{message} after {turn} action(s). Use .get() with a default.", repro=repro)
                    return


def _catches(tree: ast.Module) -> bool:
    """Whether the source itself asks its criteria inside a ``try``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            inside = list(ast.walk(node))
            asks = any(isinstance(n, ast.Attribute) and n.attr == "_message_criteria" for n in inside)
            if asks and node.name != "reset" and any(isinstance(n, ast.Try) for n in inside):
                return True
    return False


@rule("tools.criterion_order", "property", Severity.ERROR, core=False)
def order(ctx: RuleContext) -> Iterator[Complaint]:
    """Doing what one instruction asks does not fulfil the next.

    If an instruction is passed without doing it, the agent is paid for work it was never asked for, and reading is not
    learned.

    The witness is played on 8 seeds, and all criteria are asked after each action. Errors, on most seeds: a criterion,
    false at reset, that holds already when its instruction comes up, so that it is passed with the next call, whatever
    that is; and an instruction that is passed although its criterion was true at no moment.

    Not found without a model that reads the instruction: a criterion that asks for less than it says.

    Let each criterion need its own change (a count that grows, a note that only this step leaves), and ask it before
    going on.

    Accepted::

        class BinEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.label = f"BIN-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {"log": []}, "done"
                text = {"type": "object", "properties": {"bin_id": {"type": "string"}}, "required": ["bin_id"]}
                self._tools = {"empty": {"parameters": text}, "wash": {"parameters": text}}
                self._user_messages = [f"Empty bin {self.label}.", f"Wash bin {self.label}."]
                self._message_criteria = [self.did("empty"), self.did("wash")]
                return self._user_messages[0], {}

            def did(self, verb):
                return lambda state: (verb, self.label) in state["log"]

            def tool_empty(self, bin_id):
                self._state["log"].append(("empty", bin_id))
                return "emptied"

            def tool_wash(self, bin_id):
                self._state["log"].append(("wash", bin_id))
                return "washed"

            def solution(self):
                calls = [json.dumps({"name": n, "arguments": {"bin_id": self.label}}) for n in ("empty", "wash")]
                return [*(f"<tool_call>{call}</tool_call>" for call in calls), "<answer>done</answer>"]

    Refused::

        class BinEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.label = f"BIN-{random.Random(seed).randint(1000, 9999)}"
                self._state, self._expected_answer = {"log": []}, "done"
                text = {"type": "object", "properties": {"bin_id": {"type": "string"}}, "required": ["bin_id"]}
                self._tools = {"empty": {"parameters": text}, "wash": {"parameters": text}}
                self._user_messages = [f"Empty bin {self.label}.", f"Wash bin {self.label}.", f"Empty it again."]
                self._message_criteria = [self.did("empty"), self.did("wash"), self.did("empty")]
                return self._user_messages[0], {}

            def did(self, verb):
                return lambda state: (verb, self.label) in state["log"]

            def tool_empty(self, bin_id):
                self._state["log"].append(("empty", bin_id))
                return "emptied"

            def tool_wash(self, bin_id):
                self._state["log"].append(("wash", bin_id))
                return "washed"

            def solution(self):
                names = ("empty", "wash", "empty")
                calls = [json.dumps({"name": n, "arguments": {"bin_id": self.label}}) for n in names]
                return [*(f"<tool_call>{call}</tool_call>" for call in calls), "<answer>done</answer>"]
    """
    yield from _skipped(*_transitions(ctx))


def _skipped(early: dict[int, list[Repro]], unmet: dict[int, list[Repro]], total: int) -> Iterator[Complaint]:
    for at, repros in sorted(unmet.items()):
        if len(repros) * 2 > total:
            message = f"Instruction {at + 1} is passed while its criterion is false, on {len(repros)} of {total} seeds."
            yield Complaint(f"{message} Ask the criterion before going on.", repro=repros[0])
            return
    for at, repros in sorted(early.items()):
        if len(repros) * 2 > total:
            message = (
                f"Criterion {at + 1} holds before its instruction comes up, on {len(repros)} of {total} seeds: that"
                " instruction is passed without doing it. Let each criterion need its own change."
            )
            yield Complaint(message, repro=repros[0])
            return


def _transitions(ctx: RuleContext) -> tuple[dict[int, list[Repro]], dict[int, list[Repro]], int]:
    """By number: criteria that held when their instruction came up; instructions passed unmet; and the seeds seen."""
    early: dict[int, list[Repro]] = {}
    unmet: dict[int, list[Repro]] = {}
    total = 0
    for seed, actions, looks in _looks(ctx):
        total += 1
        at_reset = looks[0][0].criteria
        met: set[int] = set()
        for turn, (look, _) in enumerate(looks[1:], 1):
            at, before = look.pointer, looks[turn - 1][0].pointer
            met |= {number for number, one in enumerate(look.criteria) if one != "false"}
            if at is None or before is None or at == before:
                continue
            repro = Repro(seed, tuple(actions[:turn]))
            if at in range(1, len(look.criteria)) and look.criteria[at] == "true" != at_reset[at]:
                early.setdefault(at, []).append(repro)
            if at == before + 1 and before not in met and len(calls_of(actions[turn - 1])) == 1:
                unmet.setdefault(before, []).append(repro)
    return early, unmet, total


@rule("tools.criterion_stuck", "property", Severity.ERROR, core=False)
def stuck(ctx: RuleContext) -> Iterator[Complaint]:
    """Every criterion comes true under the author's own solution.

    An instruction whose criterion never comes true is the end of the task: nobody gets past it, and nothing is ever
    paid.

    On those of 8 seeds on which the solution does not win, all criteria are asked at reset and after each of its
    actions. One that is true at no moment is an error: it tells why the solution loses. Where the solution wins,
    nothing is asked.

    Compare what the tools write with what the criterion reads. Typical causes are a misspelt key, a number compared
    with a text, and a value that no tool writes.

    Accepted::

        class BinEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.label = random.Random(seed).randint(1000, 9999)
                self._state, self._expected_answer = {"emptied": []}, "done"
                text = {"type": "object", "properties": {"bin_id": {"type": "integer"}}, "required": ["bin_id"]}
                self._tools = {"empty": {"parameters": text}}
                self._user_messages = [f"Empty bin {self.label}."]
                self._message_criteria = [lambda state: self.label in state["emptied"]]
                return self._user_messages[0], {}

            def tool_empty(self, bin_id):
                self._state["emptied"].append(bin_id)
                return "emptied"

            def solution(self):
                call = json.dumps({"name": "empty", "arguments": {"bin_id": self.label}})
                return [f"<tool_call>{call}</tool_call>", "<answer>done</answer>"]

    Refused::

        class BinEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.label = random.Random(seed).randint(1000, 9999)
                self._state, self._expected_answer = {"emptied": []}, "done"
                text = {"type": "object", "properties": {"bin_id": {"type": "string"}}, "required": ["bin_id"]}
                self._tools = {"empty": {"parameters": text}}
                self._user_messages = [f"Empty bin {self.label}."]
                self._message_criteria = [lambda state: self.label in state["emptied"]]
                return self._user_messages[0], {}

            def tool_empty(self, bin_id):
                self._state["emptied"].append(bin_id)
                return "emptied"

            def solution(self):
                call = json.dumps({"name": "empty", "arguments": {"bin_id": str(self.label)}})
                return [f"<tool_call>{call}</tool_call>", "<answer>done</answer>"]
    """
    for seed, actions, looks in _looks(ctx):
        if ctx.attempt(seed).won:
            continue
        rows = [look.criteria for look, _ in looks]
        met = {number for row in rows for number, one in enumerate(row) if one == "true"}
        never = [number for number in range(len(rows[-1])) if number not in met]
        if never:
            message = f"Criterion {never[0] + 1} of {len(rows[-1])} is true at no moment of the author's solution."
            yield Complaint(f"{message} Compare what the tools write.", repro=Repro(seed, tuple(actions)))
            return
