"""Can it be won: by the author's own solution, in the author's own turns, with ids that were shown before?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from spade_envs.answer_texts import as_action
from spade_envs.rules import Complaint, rule
from spade_envs.types import Episode, FaultKind, Repro, RuleContext, Severity, StopReason, WitnessTry

_CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)
_ID = re.compile(r"(?=.*\d)(?=.*[A-Za-z])[\w.:/#-]{3,64}")
_NOT_ID = re.compile(r"\$?[\d,.]+%?[a-zA-Z]{0,3}|\d{4}-\d\d-\d\d(T[\d:.]+Z?)?|\d{1,2}:\d\d\s?([aApP][mM])?")
_ID_PARAMETER = re.compile(r"(^|_)(id|ids|code|key|token|number|no|ref|reference|sku)$")


def _short_of_turns(attempt: WitnessTry) -> bool:
    episode = attempt.episode
    return (
        episode is not None
        and not episode.success
        and episode.stop_reason is StopReason.TURN_LIMIT
        and attempt.planned > len(episode.turns)
    )


def _reported_elsewhere(attempt: WitnessTry) -> bool:
    """Reported by ``contract.*`` already, or cut off by the budget, which the gate reports."""
    if attempt.episode is not None and attempt.episode.stop_reason is StopReason.DEADLINE:
        return True
    fault = attempt.episode.error if attempt.episode else None
    return fault is not None and (fault.kind is FaultKind.BROKE or fault.phase == "reset")


@rule("feasibility.witness", "property", Severity.ERROR)
def witness(ctx: RuleContext) -> Iterator[Complaint]:
    """The author's ``solution()`` wins on every seed.

    What cannot be won teaches nothing, and what some seeds put out of reach punishes right play. This catches graders
    off by one, such goals, and solutions gone stale after the second reset.

    ``solution()`` is called after ``reset(seed)`` on a twin and returns the action texts of a winning episode, which
    are then played on 20 seeds, and on up to 60 more where that is quick. A list (or a generator that is sent each
    observation) is unambiguous: one losing seed is an error. A text may have been misread: if it loses on every seed,
    see ``feasibility.no_witness``. Lack of turns and broken returns are reported by ``feasibility.budget`` and by the
    rules of the contract.

    Trace grader and solution on the seed of the finding. Build the list from what ``reset`` drew, as ``step`` wants it.

    Accepted::

        def solution(self):
            return [f"\\\\boxed{{{self.a + self.b}}}"]

    Refused::

        def solution(self):
            return [f"\\\\boxed{{{self.a + self.b + self.a % 2}}}"]
    """
    attempts = [a for a in ctx.attempts() if a.kind in ("list", "generator", "text")]
    failed = [a for a in attempts if not a.won and not _short_of_turns(a) and not _reported_elsewhere(a)]
    if attempts and all(a.won for a in attempts) and len(attempts) == len(ctx.seeds):
        # Other rules do not look at these seeds: whatever goes wrong on them is told here.
        more = [a for a in _more(ctx) if a.episode is None or a.episode.stop_reason is not StopReason.DEADLINE]
        attempts += more
        failed = [a for a in more if not a.won]
    misread = all(a.kind == "text" for a in attempts) and not any(a.sure for a in failed)
    if not failed or (misread and len(failed) == len(attempts)):
        return
    worst = min(failed, key=lambda a: len(a.episode.turns) if a.episode else 0)
    count = f"{len(failed)} of {len(attempts)} seeds"
    if len(failed) < len(attempts) or worst.fault is not None:
        alone = [ctx.newborn(a.seed) for a in failed[:3]]
        if all(a.won for a in alone):
            message = f"solution() does not win on {count}, and does in a process that has played nothing before"
            yield Complaint(f"{message}, as on seed {worst.seed}. Start every episode from scratch.")
            return
        worst = min((a for a in alone if not a.won), key=lambda a: len(a.episode.turns) if a.episode else 0)
    if worst.fault is not None:
        message = f"solution() failed on {count}: {worst.fault.message}. It must work after every reset."
        yield Complaint(message, worst.fault.line, Repro(worst.seed))
    elif worst.episode is not None:
        end = _end(worst.episode)
        yield Complaint(
            f"solution() does not win on {count}: on seed {worst.seed} its {worst.planned} action(s) end with {end}."
            " Trace the grader and the solution on that seed.",
            worst.episode.error.line if worst.episode.error else None,
            Repro(worst.seed, worst.episode.actions),
        )


def _more(ctx: RuleContext) -> Iterator[WitnessTry]:
    """Further seeds, within a small share of the budget: some faults show on few of them."""
    enough = ctx.budget.left() - ctx.limits.budget_seconds / 40
    for seed in ctx.more_seeds:
        if ctx.budget.left() < max(enough, ctx.limits.budget_seconds / 2):
            return
        yield ctx.attempt(seed, used=True)


def _end(episode: Episode) -> str:
    if episode.error is not None:
        return f"{episode.error.kind.value} ({episode.error.message})"
    rewards = f"rewards {episode.total_reward:g} in all"
    return f"{rewards}, {'terminated' if episode.terminated else 'not terminated'}"


@rule("feasibility.retry", "property", Severity.ERROR, core=False)
def retry(ctx: RuleContext) -> Iterator[Complaint]:
    """A wrong answer leaves the task as it is.

    With several tries at one task, a wrong try must not make the right answer wrong: the agent is punished for it.

    For ``answer``. On up to 40 seeds the right answer of another seed is given first, and then the author's solution.
    It is an error when that loses on some of these seeds, although tries are left, and wins on others.

    Grade without changing what is graded: compare copies, and sort, reverse or pop nothing in place.

    Accepted::

        def step(self, action):
            self.tries += 1
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            return "Right." if won else "Wrong.", float(won), won, not won and self.tries >= 3, {}

    Refused::

        def step(self, action):
            self.tries += 1
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            self.a += self.b % 2
            return "Right." if won else "Wrong.", float(won), won, not won and self.tries >= 3, {}
    """
    if ctx.contract != "answer":
        return
    answers = ctx.experience.answers
    lost = []
    played = 0
    for seed, answer in list(answers.items())[:40]:
        wrong = next((other for other in answers.values() if other != answer), None)
        if wrong is None or ctx.budget.left() < ctx.limits.budget_seconds / 2:
            break
        actions = (as_action(wrong, ctx.contract), *ctx.witness(seed))
        episode = ctx.rushed(seed, actions)
        if len(episode.turns) == len(actions) and episode.turns[0].reward < 1.0:
            played += 1
            lost += [] if episode.success else [(seed, actions)]
    if lost and len(lost) < played and not ctx.play(*lost[0]).success:
        message = f"After a wrong answer the right one does not win any more on {len(lost)} of {played} seeds"
        yield Complaint(f"{message}, as on seed {lost[0][0]}. Keep the task as it is.", repro=Repro(*lost[0]))


@rule("feasibility.no_witness", "property", Severity.UNDECIDED)
def no_witness(ctx: RuleContext) -> Iterator[Complaint]:
    """Somebody can win it: without proof, the source stays undecided.

    A task that nobody can win looks like a hard one, and training on it is wasted: that it can be won must be shown.

    Undecided is a source whose ``solution()`` returns a text that wins on none of 20 seeds under up to 16 readings (a
    text that can be read in one way only, as one number, one box or tagged calls, is judged like a list instead), or
    that has none while a bounded search of what it names finds no win (3 seeds, up to 3 s and 3,000 states each). A win
    found by search alone is a warning: the search reads the hidden state, so it proves that winning is possible, not
    that a player can.

    Return a list of action texts from ``solution()``, each exactly as a player would send it.

    Accepted::

        def solution(self):
            return str(self.a + self.b)

    Refused::

        def solution(self):
            return "add the two numbers"
    """
    attempts = ctx.attempts()
    if any(a.won and a.kind == "search" for a in attempts):
        message = "There is no solution(); a search that reads the hidden state found a win, which proves no more than"
        yield Complaint(f"{message} that winning is possible. Write solution().", severity=Severity.WARNING)
    if any(a.won for a in attempts) or any(_reported_elsewhere(a) or _short_of_turns(a) for a in attempts):
        return
    if all(a.kind in ("none", "search") or (a.kind == "text" and not a.sure) for a in attempts):
        read = any(a.kind == "text" for a in attempts)
        why = (
            "The text of solution() wins on no seed under any reading"
            if read
            else "There is no solution(), and no win was found by search"
        )
        message = f"{why}. Let solution() return the list of winning action texts."
        yield Complaint(message, repro=Repro(ctx.seeds[0]))


@rule("feasibility.underivable", "property", Severity.ERROR)
def underivable(ctx: RuleContext) -> Iterator[Complaint]:
    """A player can know what the witness uses.

    An id that is shown nowhere can only be known by reading the source: no policy finds it, and the reward stays out of
    reach.

    The won episodes of the solution (up to 20 seeds) are read call by call. An id-like argument (letters and digits, or
    a number of 100 or more that is passed as an id) that neither the schemas nor any text shown before contain, whole
    or in parts, is an error if that is so on most seeds. Amounts, dates and times are no ids. Without tools, eight
    seeds must not show the very same texts, at first and in answer to what wins elsewhere, if they are won differently.

    Show it in an observation, in a schema, or in another tool's output first, and let the solution ask that tool.

    Accepted::

        class DeskEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.order = "ORD-" + str(random.Random(seed).randint(1000, 9999))
                self._state, self._expected_answer = {"open": []}, "done"
                text = {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}
                self._tools = {"cancel": {"description": "Cancel an order.", "parameters": text}}
                self._user_messages = [f"Cancel order {self.order}."]
                self._message_criteria = [lambda state: self.order in state["open"]]
                return self._user_messages[0], {}

            def tool_cancel(self, order_id):
                self._state["open"].append(order_id)
                return "cancelled"

            def solution(self):
                call = json.dumps({"name": "cancel", "arguments": {"order_id": self.order}})
                return [f"<tool_call>{call}</tool_call>", "<answer>done</answer>"]

    Refused::

        class DeskEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.order = "ORD-" + str(random.Random(seed).randint(1000, 9999))
                self._state, self._expected_answer = {"open": []}, "done"
                text = {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}
                self._tools = {"cancel": {"description": "Cancel an order.", "parameters": text}}
                self._user_messages = ["Cancel the order."]
                self._message_criteria = [lambda state: self.order in state["open"]]
                return self._user_messages[0], {}

            def tool_cancel(self, order_id):
                self._state["open"].append(order_id)
                return "cancelled"

            def solution(self):
                call = json.dumps({"name": "cancel", "arguments": {"order_id": self.order}})
                return [f"<tool_call>{call}</tool_call>", "<answer>done</answer>"]
    """
    if ctx.contract != "tools":
        yield from _nothing_told(ctx)
        return
    won = [a.episode for a in ctx.attempts() if a.won and a.episode is not None]
    hidden = [(episode, found) for episode in won if (found := _hidden(episode, _schemas(ctx, episode))) is not None]
    codes = [found for _, found in hidden if re.fullmatch(r"(?=.*[A-Za-z])(?=.*\d)[\w-]+", str(found[2]))]
    # Nobody computes a code of letters and digits: where a part of the seeds does not show it, it is lost there.
    if len(hidden) * 2 > len(won) or len(codes) * 4 > len(won):
        episode, (turn, name, value) = hidden[0]
        message = (
            f"The witness passes {name}={value!r}, which no text shown before contains (on {len(hidden)} of {len(won)}"
            " seeds): no player could know it. Show it first."
        )
        yield Complaint(message, repro=Repro(episode.seed, episode.actions[: turn + 1]))


def _nothing_told(ctx: RuleContext) -> Iterator[Complaint]:
    """Different seeds that look alike, whatever is tried, and are won differently: what wins is shown nowhere."""
    winning = {seed: tuple(ctx.witness(seed)) for seed in ctx.seeds}
    asked, probes = ctx.seeds[:8], [winning[seed] for seed in ctx.seeds[8:12]]
    if len({winning[seed] for seed in asked}) < 4 or not all(winning.values()) or len(ctx.seeds) < 12:
        return
    seen = set()
    for seed in asked:
        episodes = [ctx.quick(seed, actions) for actions in probes if actions != winning[seed]]
        if not episodes:
            continue  # what wins on the others wins here as well: nothing was tried that could tell more
        seen.add((episodes[0].observation, *(turn.observation for episode in episodes for turn in episode.turns)))
        if len(seen) > 1 or ctx.budget.left() <= 0:
            return
    if not seen:
        return
    message = (
        f"{len(asked)} seeds show the same texts, also in answer to what wins on other seeds, but are won differently"
    )
    yield Complaint(f"{message}: no player could know how. Show what the answer depends on.", repro=Repro(asked[0]))


def _schemas(ctx: RuleContext, episode: Episode) -> str:
    return json.dumps(list(ctx.schemas(episode.seed)), ensure_ascii=False)


def _hidden(episode: Episode, schemas: str) -> tuple[int, str, Any] | None:
    """Turn, parameter and value of the first id-like argument that nothing shown before contains."""
    shown = f"{schemas}\n{episode.observation}".lower()
    for number, turn in enumerate(episode.turns):
        for body in _CALL.findall(turn.action):
            try:
                arguments = json.loads(body).get("arguments") or {}
            except (ValueError, AttributeError, RecursionError):
                continue
            for name, value in arguments.items() if isinstance(arguments, dict) else ():
                if _id_like(name, value) and not _shown(name, str(value).lower(), shown):
                    return number, name, value
        shown += f"\n{turn.observation}".lower()
    return None


def _shown(name: str, value: str, shown: str) -> bool:
    """Whether a value, or every part with a digit that it is composed of (``/home/user7``), was shown."""
    if value in shown:
        return True
    for separators in (r"[/ ]+", r"[/.:_# -]+"):
        parts = [part for part in re.split(separators, value) if re.search(r"\d", part)]
        if parts != [value] and all(part in shown for part in parts):
            return True
    # Squares and the like ("c4d6") are composed from what is on a board; ids have longer runs of digits.
    return not _ID_PARAMETER.search(name.lower()) and not re.search(r"\d{3}", value)


def _id_like(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, int):
        return abs(value) >= 100 and bool(_ID_PARAMETER.search(name.lower()))
    if not isinstance(value, str) or _NOT_ID.fullmatch(value):
        return False
    return bool(_ID.fullmatch(value))


@rule("feasibility.budget", "property", Severity.ERROR)
def budget(ctx: RuleContext) -> Iterator[Complaint]:
    """The witness fits into the author's own ``max_turns``.

    With too few turns no play wins, however good it is, and every attempt earns the same.

    The solution is played on 20 seeds. If on any of them the turns end before its actions do, and it has not won by
    then, that is an error. Where the environment names no ``max_turns``, the adapter's limit of 100 turns counts.

    Raise ``max_turns`` to what the longest solution takes and some more for looking around, or draw smaller instances.

    Accepted::

        def __init__(self, max_turns=3):
            self.max_turns = max_turns
            self.reset()

    Refused::

        class WalkEnv:
            def __init__(self, max_turns=3):
                self.max_turns = max_turns
                self.reset()

            def reset(self, seed=None):
                self.left, self.turn = random.Random(seed).randint(5, 9), 0
                return f"Walk {self.left} steps, one \\\\boxed{{go}} each.", {}

            def step(self, action):
                self.turn += 1
                self.left -= action == "\\\\boxed{go}"
                won = self.left == 0
                return f"{self.left} left", float(won), won, not won and self.turn >= self.max_turns, {}

            def solution(self):
                return ["\\\\boxed{go}"] * self.left
    """
    short = [a for a in ctx.attempts() if _short_of_turns(a)]
    if short and short[0].episode is not None:
        turns, planned = len(short[0].episode.turns), max(a.planned for a in short)
        message = f"solution() needs {planned} turns, but the environment ends after {turns}. Raise max_turns."
        yield Complaint(message, repro=Repro(short[0].seed, short[0].episode.actions))
