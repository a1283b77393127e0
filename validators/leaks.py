"""Is the answer told before it is found: in the observation, in feedback, in info, in a schema?"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from spade_envs.answer_texts import as_action, best_slot, holds, is_wordy, shape, tokens
from spade_envs.evidence import association
from spade_envs.players import WRONG
from spade_envs.rules import Complaint, rule
from spade_envs.types import Episode, Repro, RuleContext, Severity, StopReason

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
    found = [_words(texts[seed]) for seed in seeds]
    wanted = [_words(answers[seed]) for seed in seeds]
    if association(len(seeds), lambda i, j: holds(found[i], wanted[j])) <= ctx.limits.leak_rate:
        return None
    hits = [number for number in range(len(seeds)) if holds(found[number], wanted[number])]
    alone = sum(_others(found[number], wanted[number]) <= FEW_OTHERS for number in hits) / len(seeds)
    if max(alone, best_slot(found, wanted)) <= ctx.limits.leak_rate:
        return None
    return seeds[hits[0]]


def _others(text: Sequence[str], answer: Sequence[str]) -> int:
    """Different runs of tokens beside the answer that have its shapes."""
    size = len(answer)
    kinds = [shape(token) for token in text]
    wanted = [shape(token) for token in answer]
    runs = {tuple(text[at : at + size]) for at in range(len(text)) if kinds[at : at + size] == wanted}
    return len(runs - {tuple(answer)})


def _words(text: str) -> list[str]:
    """Tokens without signs: a list is told by its items, however they are set apart."""
    return [token for token in tokens(text) if is_wordy(token)]


def _answers(ctx: RuleContext) -> Mapping[int, str]:
    """Right answers by seed, of the contracts that submit one."""
    known = ctx.experience.answers if ctx.contract in ("answer", "tools") else {}
    return {seed: answer for seed, answer in known.items() if seed in ctx.seeds}


@rule("leak.observation", "property", Severity.ERROR, core=False)
def observation(ctx: RuleContext) -> Iterator[Complaint]:
    """The first observation does not tell the answer.

    An answer that stands in the prompt trains copying, and nothing else.

    Over up to 20 seeds whose answer is known (6 at least): how much more often does a text hold its own seed's answer
    than another seed's? An excess of more than 0.5 is an error, if on most seeds no more than two other pieces of its
    kind stand beside it, or it stands in one and the same place. So options that must be listed are no leak as long as
    the right one stands anywhere among them. For ``answer`` and ``tools``; tool outputs are not looked at.

    Not found without a model: an answer told in another form, as reversed, encoded, spelled out or in parts.

    Take it out; shuffle options. Typical causes are debug output and an example that is the answer.

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

    If a wrong answer is told the right one, a policy learns to answer anything first and to copy then.

    For ``answer``. On up to 20 seeds up to four right answers of other seeds are submitted, which are wrong in a
    natural way, and in another episode three senseless ones. All that is shown before the end is tested as in
    ``leak.observation``, and an error likewise. The closing text may tell the answer: nothing can be won with it any
    more.

    Tell what is wrong (the format, too high, how many are in place) instead of what is right, and keep the answer for
    the text that ends the episode.

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
    asking = [as_action(word, ctx.contract) for word in ("hint", "help", "show", "give up")]
    for tries in (_wrong(ctx, answers), dict.fromkeys(answers, nonsense), dict.fromkeys(answers, asking)):
        # What copied states tell is looked for in new instances before it is told.
        if _told_back(answers, tries, ctx, ctx.rushed) and (complaint := _told_back(answers, tries, ctx, ctx.play)):
            yield complaint
            return


def _told_back(
    answers: Mapping[int, str],
    tries: Mapping[int, list[str]],
    ctx: RuleContext,
    play: Callable[[int, Sequence[str]], Episode],
) -> Complaint | None:
    texts, played = {}, {}
    for seed, actions in tries.items():
        episode = play(seed, actions)
        turns = episode.turns if episode.stop_reason is StopReason.PLAYER_STOPPED else episode.turns[:-1]
        if not episode.success and turns:
            texts[seed], played[seed] = "\n".join(turn.observation for turn in turns), episode.actions
    telling = told(ctx, texts, answers)
    if telling is None:
        return None
    turns = play(telling, played[telling]).turns
    telling_turns = (number for number, turn in enumerate(turns) if _in(turn.observation, answers[telling]))
    first = next(telling_turns, len(turns) - 1)
    message = f"Feedback on a wrong answer tells the right one, {answers[telling]!r}, with tries left. Take it out."
    return Complaint(message, repro=Repro(telling, tuple(played[telling][: first + 1])))


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
    return holds(_words(text), _words(answer))


@rule("leak.info", "property", Severity.ERROR, core=False)
def info(ctx: RuleContext) -> Iterator[Complaint]:
    """``info`` does not hold the answer.

    Trainers log info, wrappers show it, and some loops put it into the prompt: then a policy copies the answer from
    there.

    Info at reset, and for ``answer`` also after up to four wrong answers (the right ones of other seeds), is tested as
    the text is in ``leak.observation``, on up to 20 seeds, and an error likewise. Info that comes with the end of an
    episode may tell the answer.

    Take targets and solutions out of info and keep them on ``self``; counts such as the number of tries may stay.

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
    texts: dict[int, str] = {}
    played: dict[int, Sequence[str]] = {}
    telling = None
    for proof in (False, True):  # what copied states tell is looked for in new instances before it is told
        for seed in answers:
            if ctx.budget.left() <= 0:
                return
            actions = wrong[seed] if ctx.contract == "answer" else []
            infos, episode = ctx.infos(seed, actions, proof=proof)
            kept = infos if episode.stop_reason is StopReason.PLAYER_STOPPED else infos[:-1]
            texts[seed], played[seed] = "\n".join(kept), episode.actions[: len(kept) - 1]
        telling = told(ctx, texts, answers)
        if telling is None:
            return
    if telling is not None:
        seed = telling
        lines = texts[seed].splitlines()
        first = next((number for number, line in enumerate(lines) if _in(line, answers[seed])), 0)
        message = f"info holds the answer, {answers[seed]!r} on seed {seed}. Take it out."
        yield Complaint(message, repro=Repro(seed, tuple(played[seed][:first])))


@rule("leak.schema", "property", Severity.ERROR, core=False)
def schema(ctx: RuleContext) -> Iterator[Complaint]:
    """Tool schemas do not hold the answer of their episode.

    Descriptions, defaults and enumerations are shown before the first call: with the answer in them no tool need be
    used.

    For ``tools``. The schemas shown at reset are tested as the text is in ``leak.observation``, on up to 20 seeds, and
    an error likewise. A fixed list of options is no leak; a description that is made from the instance may be.

    Write descriptions and examples that are the same for every seed, and let outputs of tools tell what the seed
    decides.

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
