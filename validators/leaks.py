"""Is the answer told before it is found: in the observation, in feedback, in info, in a schema?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from spade_envs.answer_texts import as_action, best_slot, holds, shape, tokens
from spade_envs.evidence import association
from spade_envs.players import WRONG
from spade_envs.rules import Complaint, rule
from spade_envs.types import Repro, RuleContext, Severity, StopReason

FEWEST = 6
"""Seeds with an answer that a test needs at least."""
FEW_OTHERS = 2
"""So many other pieces of the answer's shape beside it still leave it told."""


def told(ctx: RuleContext, texts: Mapping[int, str], answers: Mapping[int, str]) -> int | None:
    """A seed whose text tells its own answer, when texts do so on most seeds, by a permutation test; else ``None``.

    A text that lists the answer among others of its kind does not tell it, unless it always stands in the same place.
    """
    seeds = [seed for seed in texts if answers.get(seed) and texts[seed]]
    if len(seeds) < FEWEST:
        return None
    found = [tokens(texts[seed]) for seed in seeds]
    wanted = [tokens(answers[seed]) for seed in seeds]
    if association(len(seeds), lambda i, j: holds(found[i], wanted[j])) <= ctx.limits.leak_rate:
        return None
    hits = [number for number in range(len(seeds)) if holds(found[number], wanted[number])]
    alone = sum(_others(found[number], wanted[number]) <= FEW_OTHERS for number in hits) / len(seeds)
    if max(alone, best_slot(found, wanted)) <= ctx.limits.leak_rate:
        return None
    return seeds[hits[0]]


def _others(text: Sequence[str], answer: Sequence[str]) -> int:
    """Different tokens of the answer's shape beside it."""
    if len(answer) != 1:
        return 0
    kind = shape(answer[0])
    return len({token for token in text if token != answer[0] and shape(token) == kind})


def _answers(ctx: RuleContext) -> Mapping[int, str]:
    """Right answers by seed, of the contracts that submit one."""
    known = ctx.experience.answers if ctx.contract in ("answer", "tools") else {}
    return {seed: answer for seed, answer in known.items() if seed in ctx.seeds}


@rule("leak.observation", "property", Severity.ERROR, core=False)
def observation(ctx: RuleContext) -> Iterator[Complaint]:
    """The first observation does not tell the answer.

    Over 20 seeds: how much more often does a text hold its own seed's answer than another seed's? Options that must be
    listed are no leak as long as the right one stands anywhere among them. Typical causes are debug output and an
    example that is the answer. For ``answer`` and ``tools``; a ``tools`` answer may be in tool outputs.

    Accepted::

        def reset(self, seed=None):
            rng = random.Random(seed)
            numbers = [rng.randint(100, 999) for _ in range(30)]
            self.a, self.b, self.tries = sorted(numbers)[7], 0, 0
            return f"Which is the eighth smallest of {numbers}? Answer as \\\\boxed{{N}}.", {}

    Refused::

        def reset(self, seed=None):
            rng = random.Random(seed)
            self.a, self.b, self.tries = rng.randint(1000, 9999), rng.randint(1000, 9999), 0
            debug = f"[answer={self.a + self.b}]"
            return f"What is {self.a} + {self.b}? Answer as \\\\boxed{{N}}. {debug}", {}
    """
    answers = _answers(ctx)
    seed = told(ctx, ctx.experience.firsts, answers)
    if seed is not None:
        message = f"The first observation tells the answer, {answers[seed]!r} on seed {seed}. Take it out."
        yield Complaint(message, repro=Repro(seed))


@rule("leak.feedback", "property", Severity.ERROR, core=False)
def feedback(ctx: RuleContext) -> Iterator[Complaint]:
    """Feedback on a wrong answer does not tell the right one while there are tries left.

    Right answers of other seeds are submitted, which are wrong in a natural way. The closing text may tell the answer:
    nothing can be won with it any more.

    Accepted::

        def step(self, action):
            self.tries += 1
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            over = not won and self.tries >= 3
            return f"It was {self.a + self.b}." if over else "Wrong.", float(won), won, over, {}

    Refused::

        def step(self, action):
            self.tries += 1
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            return f"Expected {self.a + self.b}.", float(won), won, not won and self.tries >= 3, {}
    """
    if ctx.contract != "answer":
        return
    answers = _answers(ctx)
    nonsense = [WRONG, as_action("12", ctx.contract), "I do not know."]
    for tries in (_wrong(ctx, answers), dict.fromkeys(answers, nonsense)):
        yield from _told_back(ctx, answers, tries)


def _told_back(ctx: RuleContext, answers: Mapping[int, str], tries: Mapping[int, list[str]]) -> Iterator[Complaint]:
    texts, played = {}, {}
    for seed, actions in tries.items():
        episode = ctx.play(seed, actions)
        turns = episode.turns if episode.stop_reason is StopReason.PLAYER_STOPPED else episode.turns[:-1]
        if not episode.success and turns:
            texts[seed], played[seed] = "\n".join(turn.observation for turn in turns), episode.actions
    telling = told(ctx, texts, answers)
    if telling is not None:
        seed = telling
        turns = ctx.play(seed, played[seed]).turns
        first = next(number for number, turn in enumerate(turns) if _in(turn.observation, answers[seed]))
        message = f"Feedback on a wrong answer tells the right one, {answers[seed]!r}, with tries left. Take it out."
        yield Complaint(message, repro=Repro(seed, tuple(played[seed][: first + 1])))


def _wrong(ctx: RuleContext, answers: Mapping[int, str]) -> dict[int, list[str]]:
    """By seed, right answers of other seeds that are no part of its own."""
    seeds = list(answers)
    found = {}
    for number, seed in enumerate(seeds):
        others = [answers[other] for other in seeds[number + 1 :] + seeds[:number]]
        wrong = [answer for answer in dict.fromkeys(others) if not _in(answer, answers[seed])]
        found[seed] = [as_action(answer, ctx.contract) for answer in wrong[:4]]
    return found


def _in(text: str, answer: str) -> bool:
    return holds(tokens(text), tokens(answer))


@rule("leak.info", "property", Severity.ERROR, core=False)
def info(ctx: RuleContext) -> Iterator[Complaint]:
    """``info`` does not hold the answer.

    Trainers log info, wrappers show it, and some loops put it into the prompt. Tested like the first observation, at
    reset and after wrong answers.

    Accepted::

        def step(self, action):
            self.tries += 1
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            return "Right." if won else "Wrong.", float(won), won, self.tries >= 3, {"tries": self.tries}

    Refused::

        def step(self, action):
            self.tries += 1
            won = action == f"\\\\boxed{{{self.a + self.b}}}"
            over = not won and self.tries >= 3
            return "Right." if won else "Wrong.", float(won), won, over, {"target": self.a + self.b}
    """
    answers = _answers(ctx)
    wrong = _wrong(ctx, answers)
    texts, played = {}, {}
    for seed in answers:
        actions = wrong[seed] if ctx.contract == "answer" else []
        infos, episode = ctx.infos(seed, actions), ctx.play(seed, actions)
        kept = infos if episode.stop_reason is StopReason.PLAYER_STOPPED else infos[:-1]
        texts[seed], played[seed] = "\n".join(kept), episode.actions[: len(kept) - 1]
    telling = told(ctx, texts, answers)
    if telling is not None:
        seed = telling
        lines = texts[seed].splitlines()
        first = next((number for number, line in enumerate(lines) if _in(line, answers[seed])), 0)
        message = f"info holds the answer, {answers[seed]!r} on seed {seed}. Take it out."
        yield Complaint(message, repro=Repro(seed, tuple(played[seed][:first])))


@rule("leak.schema", "property", Severity.ERROR, core=False)
def schema(ctx: RuleContext) -> Iterator[Complaint]:
    """Tool schemas do not hold the answer of their episode.

    Descriptions, defaults and enumerations are shown before the first call. A fixed list of options is no leak; a
    description that is made from the instance may be.

    Accepted::

        class PriceEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.price = random.Random(seed).randint(1000, 9999)
                self._state, self._expected_answer = {}, str(self.price)
                self._tools = {"price": {"description": "Price of the lot.", "parameters": {}}}
                return "What does the lot cost? Submit <answer>N</answer>.", {}

            def tool_price(self):
                return str(self.price)

            def solution(self):
                return ['<tool_call>{"name": "price"}</tool_call>', f"<answer>{self.price}</answer>"]

    Refused::

        class PriceEnv(ToolUseBaseEnv):
            def reset(self, seed=None):
                self.price = random.Random(seed).randint(1000, 9999)
                self._state, self._expected_answer = {}, str(self.price)
                self._tools = {"price": {"description": f"Price, such as {self.price}.", "parameters": {}}}
                return "What does the lot cost? Submit <answer>N</answer>.", {}

            def tool_price(self):
                return str(self.price)

            def solution(self):
                return ['<tool_call>{"name": "price"}</tool_call>', f"<answer>{self.price}</answer>"]
    """
    if ctx.contract != "tools":
        return
    answers = _answers(ctx)
    shown = {seed: json.dumps(list(ctx.schemas(seed)), ensure_ascii=False) for seed in answers}
    seed = told(ctx, shown, answers)
    if seed is not None:
        message = f"The tool schemas hold the answer, {answers[seed]!r} on seed {seed}. Take it out."
        yield Complaint(message, repro=Repro(seed))
