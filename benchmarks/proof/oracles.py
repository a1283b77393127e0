"""Oracles: properties that a mutant violates, with a seed and actions that show it. They know no rule of the gate.

Every oracle compares a mutant with what is known of the good source it was made from. None may hold of a good source.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterable, Sequence

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from spade_envs.actions import boxed
from spade_envs.types import Episode

from .specimens import Known, Specimen, trace

OFTEN = 0.2
"""Share of seeds above which winning by something fixed is no accident."""
SELDOM = 0.05
"""The same for what takes no thought at all."""
FEW = 12
"""Seeds after which something that has never won is given up."""


@dataclasses.dataclass(frozen=True)
class Exhibit:
    """One violated property, and what shows it."""

    name: str
    """Name of the property: one of :data:`ORACLES`."""
    seed: int
    actions: tuple[str, ...]
    rate: float
    """Share of the tries that showed it; for faults, the share of varied winning plays."""


@dataclasses.dataclass(frozen=True)
class Case:
    """A mutant beside what is known of its original."""

    original: Known
    original_text: str
    mutant: Specimen

    @property
    def seeds(self) -> tuple[int, ...]:
        """Seeds that are looked at."""
        return self.original.seeds

    def submit(self, answer: str) -> str:
        """An answer as this contract is sent one."""
        return f"<answer>{answer}</answer>" if self.original.contract == "tools" else boxed(answer)


Oracle = Callable[[Case], Exhibit | None]
_Shown = tuple[int, Sequence[str]]


def _first(name: str, shown: Sequence[_Shown], tries: int) -> Exhibit | None:
    """The shortest of those that show a property."""
    if not shown:
        return None
    seed, actions = min(shown, key=lambda item: (len(item[1]), sum(map(len, item[1]))))
    return Exhibit(name, seed, tuple(actions), len(shown) / tries)


# -- the author's own solution --------------------------------------------------------------------------------


def loses(case: Case) -> Exhibit | None:
    """The author's own solution does not win on some seed."""
    shown: list[_Shown] = []
    for seed in case.seeds:
        attempt = case.mutant.attempt(seed)
        if not attempt.won:
            shown.append((seed, attempt.episode.actions if attempt.episode else ()))
    return _first("own solution loses", shown, len(case.seeds))


# -- faults ---------------------------------------------------------------------------------------------------


def fails(case: Case) -> Exhibit | None:
    """A varied winning play makes the environment raise, hang, run out of memory or break the contract."""
    shown: list[_Shown] = []
    costly = 0
    plays: list[_Shown] = [*case.original.right.items(), *case.original.lists]
    for done, (seed, actions) in enumerate(plays, start=1):
        episode = case.mutant.play(seed, actions)
        if episode.error is not None:
            shown.append((seed, episode.actions or actions))
            costly += episode.error.costly
        if costly >= 4:
            return _first("fails", shown, done)
    return _first("fails", shown, len(plays))


def runs_on(case: Case) -> Exhibit | None:
    """It goes on past its own turn limit, or for ever, where the original ends itself."""
    wrong = [case.submit("zzz")] * 110
    seed = case.seeds[0]
    episode = case.mutant.play(seed, wrong)
    with Specimen(case.original_text) as original:
        limit = len(original.play(seed, wrong).turns)
    longer = len(episode.turns) > limit or "max_turns" in " ".join(episode.repairs)
    return Exhibit("runs on", seed, tuple(wrong[: limit + 1]), 1.0) if longer else None


# -- the same twice -------------------------------------------------------------------------------------------


def differs(case: Case) -> Exhibit | None:
    """The same seed and actions give two different episodes: on a used instance, beside another, elsewhere."""
    return _differs(case, "differs", 0)


def differs_by_hash(case: Case) -> Exhibit | None:
    """The same seed and actions give another episode under another ``PYTHONHASHSEED``."""
    return _differs(case, "differs by hash seed", 1)


def _differs(case: Case, name: str, hash_seed: int) -> Exhibit | None:
    shown: list[_Shown] = []
    plays: list[_Shown] = [*list(case.original.right.items())[:8], *case.original.lists[:12]]
    with Specimen(case.mutant.text, hash_seed=hash_seed) as twin:
        for number, (seed, actions) in enumerate(plays):
            episode = case.mutant.play(seed, actions)
            if episode.error is not None and episode.error.costly:
                continue
            others = [twin.play(seed, actions)]
            if not hash_seed:
                neighbour = case.seeds[(number + 1) % len(case.seeds)]
                others += [case.mutant.play(seed, actions, used=True), case.mutant.beside(seed, neighbour, actions)]
                others[2:] = (
                    [] if trace(others[2]) == trace(episode) or len(episode.turns) != len(actions) else others[2:]
                )
            if any(trace(other) != trace(episode) for other in others):
                shown.append((seed, actions))
    return _first(name, shown, len(plays))


def same(case: Case) -> Exhibit | None:
    """The seed changes (nearly) nothing that is seen."""
    firsts = {case.mutant.play(seed, ()).observation for seed in case.seeds[:20]}
    before = {case.original.firsts[seed] for seed in case.seeds[:20]}
    found = len(firsts) == 1 < len(before)
    return Exhibit("same for every seed", case.seeds[0], (), 1.0) if found else None


def deaf(case: Case) -> Exhibit | None:
    """What is observed after the first turn is always the same."""
    texts: set[str] = set()
    episodes = [case.mutant.play(seed, actions) for seed, actions in case.original.lists[:40]]
    for episode in episodes:
        texts |= {turn.observation for turn in episode.turns}
    return Exhibit("deaf", episodes[0].seed, episodes[0].actions, 1.0) if len(texts) == 1 else None


# -- wins that take no understanding --------------------------------------------------------------------------


def _wins(case: Case, name: str, lists: Iterable[tuple[int, Sequence[str]]], bar: float) -> Exhibit | None:
    shown: list[_Shown] = []
    tries = 0
    for seed, actions in lists:
        if tries == FEW and not shown:
            return None
        tries += 1
        episode = case.mutant.play(seed, actions)
        if episode.success:
            shown.append((seed, episode.actions))
    return _first(name, shown, tries) if len(shown) > bar * tries else None


def mindless(case: Case) -> Exhibit | None:
    """Something wins that depends on nothing: silence, one word for ever, a list of everything."""
    words = ("", "1", "yes", "A", "done", "zzz", "go", "0")
    for word in words:
        for action in dict.fromkeys((case.submit(word), word if word in ("", "go") else case.submit(word))):
            exhibit = _wins(case, "mindless win", ((seed, [action] * 60) for seed in case.seeds), SELDOM)
            if exhibit is not None:
                return exhibit
    return None


def lax(case: Case) -> Exhibit | None:
    """The right answer wins in the middle of wrong ones."""
    answers = case.original.answers
    others = list(dict.fromkeys(answers.values()))

    def pile(seed: int, separator: str) -> list[str]:
        wrong = [other for other in others if other != answers[seed]][:8]
        return [case.submit(separator.join(["zzz", *wrong[:4], answers[seed], *wrong[4:], "zzz"]))]

    for separator in (" ", ", "):
        lists = ((seed, pile(seed, separator)) for seed in case.seeds if seed in answers)
        exhibit = _wins(case, "lax grader", lists, OFTEN) if answers else None
        if exhibit is not None:
            return exhibit
    return None


def crumb(case: Case) -> Exhibit | None:
    """A piece of the right answer wins: its first letter, its last, or anything of its length."""
    answers = {seed: answer for seed, answer in case.original.answers.items() if len(answer) > 1}
    for piece in (lambda a: a[0], lambda a: a[-1], lambda a: "#" * len(a)):
        lists = ((seed, [case.submit(piece(answer))]) for seed, answer in answers.items())
        exhibit = _wins(case, "crumb wins", lists, OFTEN) if answers else None
        if exhibit is not None:
            return exhibit
    return None


def constant(case: Case) -> Exhibit | None:
    """What is right for one seed wins on many others."""
    for winner in case.seeds[:5]:
        actions = case.original.right[winner]
        own = case.mutant.attempt(winner).episode
        for list_ in dict.fromkeys((actions, own.actions if own else actions)):
            lists = ((seed, list_) for seed in case.seeds if seed != winner)
            exhibit = _wins(case, "constant wins", lists, OFTEN)
            if exhibit is not None:
                return exhibit
    return None


def pays(case: Case) -> Exhibit | None:
    """A sum of rewards above 1, earned by doing something again."""
    lists: list[_Shown] = []
    for seed in case.seeds[:12]:
        actions = case.original.right[seed]
        lists += [(seed, [step for action in actions for step in (action,) * 3])]
        lists += [(seed, [*([actions[at]] * 12), *actions[at + 1 :]]) for at in (0, len(actions) // 2)]
        lists += [(seed, [*actions[: at + 1], *([actions[at]] * 12)]) for at in range(min(3, len(actions)))]
    episodes: list[tuple[_Shown, Episode]] = [
        (item, case.mutant.play(*item)) for item in [*lists, *case.original.lists]
    ]
    shown = [item for item, episode in episodes if episode.total_reward > 1.0 + 1e-6]
    return _first("pays twice", shown, len(episodes))


def free(case: Case) -> Exhibit | None:
    """Saying that one is done earns something before anything was done."""
    actions = ("<answer>done</answer>",)
    with Specimen(case.original_text) as original:
        before = [original.play(seed, actions).total_reward for seed in case.seeds[:10]]
    shown: list[_Shown] = []
    for seed, earned in zip(case.seeds, before, strict=False):
        if case.mutant.play(seed, actions).total_reward > earned + 1e-9:
            shown.append((seed, actions))
    return _first("free reward", shown, len(before)) if len(shown) > 2 else None


# -- answers that are told ------------------------------------------------------------------------------------


def _told(
    case: Case, name: str, text_of: Callable[[int], str], actions: Callable[[int], Sequence[str]]
) -> Exhibit | None:
    """Whether texts hold their own seed's answer clearly more often than those of other seeds."""
    answers = {seed: answer for seed, answer in case.original.answers.items() if answer.strip()}
    seeds = list(answers)[:20]
    texts = {seed: text_of(seed) for seed in seeds}
    if len(set(answers.values())) < 3 or not seeds:
        return None
    own = [seed for seed in seeds if answers[seed] in texts[seed]]
    crossed = sum(answers[a] in texts[b] for a in seeds for b in seeds if answers[a] != answers[b])
    apart = crossed / max(1, sum(answers[a] != answers[b] for a in seeds for b in seeds))
    shown: list[_Shown] = [(seed, actions(seed)) for seed in own]
    return _first(name, shown, len(seeds)) if len(own) / len(seeds) - apart > 0.6 else None


def tells_first(case: Case) -> Exhibit | None:
    """The first observation or its info tells the answer."""

    def text(seed: int) -> str:
        episode, infos = case.mutant.rollout(seed, ())
        plain = {key: value for key, value in infos[0].items() if key != "seed"}
        return f"{episode.observation}\n{plain}"

    return _told(case, "tells first", text, lambda seed: ())


def tells_after(case: Case) -> Exhibit | None:
    """What a wrong answer is told, or its info, tells the right one."""
    wrong = case.submit("zzz")

    def text(seed: int) -> str:
        episode, infos = case.mutant.rollout(seed, (wrong,))
        if episode.terminated or not episode.turns:
            return ""
        return f"{episode.turns[-1].observation}\n{infos[-1]}"

    return _told(case, "tells after", text, lambda seed: (wrong,))


def tells_hint(case: Case) -> Exhibit | None:
    """The hint tells the answer."""
    return _told(case, "tells by hint", case.mutant.hint, lambda seed: ())


def tells_schema(case: Case) -> Exhibit | None:
    """A tool schema tells the answer."""
    return _told(case, "tells by schema", lambda seed: json.dumps(_tools(case.mutant, seed)), lambda seed: ())


# -- shapes ---------------------------------------------------------------------------------------------------


def _tools(specimen: Specimen, seed: int) -> list[dict[str, object]]:
    offered = specimen.rollout(seed, ())[1][0].get("tools")
    return offered if isinstance(offered, list) else []


def chat_tokens(case: Case) -> Exhibit | None:
    """A text holds a chat model's control tokens or an object's address."""
    for seed, actions in case.original.right.items():
        episode = case.mutant.play(seed, actions)
        texts = "\n".join([episode.observation, *(turn.observation for turn in episode.turns)])
        if re.search(r"<\|\w+\|>|<[\w.]+ object at 0x", texts):
            return Exhibit("chat tokens", seed, actions, 1.0)
    return None


def empty_first(case: Case) -> Exhibit | None:
    """The first observation says nothing."""
    seed = case.seeds[0]
    return None if case.mutant.play(seed, ()).observation.strip() else Exhibit("empty first text", seed, (), 1.0)


def bad_schema(case: Case) -> Exhibit | None:
    """A tool's parameters are no valid JSON Schema."""
    seed = case.seeds[0]
    for tool in _tools(case.mutant, seed):
        function = tool.get("function")
        try:
            Draft202012Validator.check_schema(function.get("parameters", {}) if isinstance(function, dict) else {})
        except SchemaError:
            return Exhibit("bad schema", seed, (), 1.0)
    return None


def unseen_id(case: Case) -> Exhibit | None:
    """Winning takes a value with digits that nothing shown before its use holds."""
    shown: list[_Shown] = []
    for seed in case.seeds[:20]:
        episode = case.mutant.play(seed, case.original.right[seed])
        seen = episode.observation
        for turn in episode.turns:
            values = re.findall(r'"([A-Za-z]+[-_#]?\d[\w-]+)"', turn.action)
            if episode.success and any(value not in seen for value in values):
                shown.append((seed, episode.actions))
                break
            seen += "\n" + turn.observation
    return _first("unseen id", shown, 20) if len(shown) > 10 else None


def needless(case: Case) -> Exhibit | None:
    """The play wins without a call that the original cannot be won without."""
    with Specimen(case.original_text) as original:
        for at in range(case.original.needed - 1):
            lists = [(s, a[:at] + a[at + 1 :]) for s, a in case.original.right.items() if len(a) > at + 1][:6]
            shown: list[_Shown] = [item for item in lists if case.mutant.play(*item).success]
            if len(shown) > len(lists) / 2 and not any(original.play(*item).success for item in lists):
                return _first("step not needed", shown, len(lists))
    return None


ORACLES: dict[str, Oracle] = {
    "own solution loses": loses,
    "fails": fails,
    "differs": differs,
    "same for every seed": same,
    "deaf": deaf,
    "mindless win": mindless,
    "lax grader": lax,
    "crumb wins": crumb,
    "constant wins": constant,
    "free reward": free,
    "tells first": tells_first,
    "tells after": tells_after,
    "tells by hint": tells_hint,
    "tells by schema": tells_schema,
    "chat tokens": chat_tokens,
    "empty first text": empty_first,
    "bad schema": bad_schema,
    "unseen id": unseen_id,
    "step not needed": needless,
    "pays twice": pays,
    "runs on": runs_on,
    "differs by hash seed": differs_by_hash,
}
"""Oracles by the name of the property."""

ASKED = ("step not needed", "unseen id", "tells by schema", "bad schema", "free reward", "deaf")
"""Properties that are looked at only where an operator names them."""
MINOR = ("pays twice", "runs on", "differs by hash seed")
"""Properties whose violation the gate tells and does not refuse."""
