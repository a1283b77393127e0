"""Oracles of wins that take no understanding, and of rewards that were not earned."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from spade_envs.types import Episode

from ..specimens import Specimen
from .case import Case, Exhibit, Shown, shortest

OFTEN = 0.2
"""Share of seeds above which winning by something fixed is no accident."""
SELDOM = 0.05
"""The same for what takes no thought at all."""
FEW = 12
"""Seeds after which something that has never won is given up."""


def won_by(case: Case, name: str, lists: Iterable[tuple[int, Sequence[str]]], bar: float) -> Exhibit | None:
    shown: list[Shown] = []
    tries = 0
    for seed, actions in lists:
        if tries == FEW and not shown:
            return None
        tries += 1
        episode = case.mutant.play(seed, actions)
        if episode.success:
            shown.append((seed, episode.actions))
    return shortest(name, shown, tries) if len(shown) > bar * tries else None


def mindless(case: Case) -> Exhibit | None:
    """Something wins that depends on nothing: silence, one word for ever, a list of everything."""
    words = ("", "1", "yes", "A", "done", "zzz", "go", "0")
    for word in words:
        for action in dict.fromkeys((case.submit(word), word if word in ("", "go") else case.submit(word))):
            exhibit = won_by(case, "mindless win", ((seed, [action] * 60) for seed in case.seeds), SELDOM)
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
        exhibit = won_by(case, "lax grader", lists, OFTEN) if answers else None
        if exhibit is not None:
            return exhibit
    return None


def crumb(case: Case) -> Exhibit | None:
    """A piece of the right answer wins: its first letter, its last, or anything of its length."""
    answers = {seed: answer for seed, answer in case.original.answers.items() if len(answer) > 1}
    for piece in (lambda a: a[0], lambda a: a[-1], lambda a: "#" * len(a)):
        lists = ((seed, [case.submit(piece(answer))]) for seed, answer in answers.items())
        exhibit = won_by(case, "crumb wins", lists, OFTEN) if answers else None
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
            exhibit = won_by(case, "constant wins", lists, OFTEN)
            if exhibit is not None:
                return exhibit
    return None


def pays(case: Case) -> Exhibit | None:
    """A sum of rewards above 1, earned by doing something again."""
    lists: list[Shown] = []
    for seed in case.seeds[:12]:
        actions = case.original.right[seed]
        lists += [(seed, [step for action in actions for step in (action,) * 3])]
        lists += [(seed, [*([actions[at]] * 12), *actions[at + 1 :]]) for at in (0, len(actions) // 2)]
        lists += [(seed, [*actions[: at + 1], *([actions[at]] * 12)]) for at in range(min(3, len(actions)))]
    episodes: list[tuple[Shown, Episode]] = [(item, case.mutant.play(*item)) for item in [*lists, *case.original.lists]]
    shown = [item for item, episode in episodes if episode.total_reward > 1.0 + 1e-6]
    return shortest("pays twice", shown, len(episodes))


def free(case: Case) -> Exhibit | None:
    """Saying that one is done earns something before anything was done."""
    actions = ("<answer>done</answer>",)
    with Specimen(case.original_text) as original:
        before = [original.play(seed, actions).total_reward for seed in case.seeds[:10]]
    shown: list[Shown] = []
    for seed, earned in zip(case.seeds, before, strict=False):
        if case.mutant.play(seed, actions).total_reward > earned + 1e-9:
            shown.append((seed, actions))
    return shortest("free reward", shown, len(before)) if len(shown) > 2 else None


def true_early(case: Case) -> Exhibit | None:
    """A criterion is true at reset, or when its instruction comes up, which it is not in the original."""
    shown: list[Shown] = []
    if case.original.contract != "tools":
        return None
    with Specimen(case.original_text) as original:
        for seed in case.seeds[:8]:
            actions = case.original.right[seed]
            if _early(case.mutant, seed, actions) - _early(original, seed, actions):
                shown.append((seed, actions))
    return shortest("true before its turn", shown, 8) if len(shown) > 4 else None


def raising(case: Case) -> Exhibit | None:
    """A criterion raises in a state that some play reaches, which the original's does not."""
    shown: list[Shown] = []
    if case.original.contract != "tools":
        return None
    with Specimen(case.original_text) as original:
        for seed, actions in [*list(case.original.right.items())[:4], *case.original.lists[:20]]:
            if _raises(case.mutant, seed, actions) and not _raises(original, seed, actions):
                shown.append((seed, actions))
    return shortest("criterion raises", shown, 24)


def _raises(specimen: Specimen, seed: int, actions: Sequence[str]) -> bool:
    looks = [look for look, _ in specimen.trial.looks(seed, actions)]
    return any(said.startswith("raises") for look in looks for said in look.criteria)


def _early(specimen: Specimen, seed: int, actions: Sequence[str]) -> set[int]:
    """Numbers of criteria that are true at reset, or that hold already when their instruction comes up."""
    looks = [look for look, _ in specimen.trial.looks(seed, actions)]
    found = {at for at, said in enumerate(looks[0].criteria) if said == "true"} if looks else set()
    for before, now in itertools.pairwise(looks):
        at = now.pointer
        if at is not None and at != before.pointer and at < len(now.criteria) and now.criteria[at] == "true":
            found.add(at)
    return found


def needless(case: Case) -> Exhibit | None:
    """The play wins without a call that the original cannot be won without."""
    with Specimen(case.original_text) as original:
        for at in range(case.original.needed - 1):
            lists = [(s, a[:at] + a[at + 1 :]) for s, a in case.original.right.items() if len(a) > at + 1][:6]
            shown: list[Shown] = [item for item in lists if case.mutant.play(*item).success]
            if len(shown) > len(lists) / 2 and not any(original.play(*item).success for item in lists):
                return shortest("step not needed", shown, len(lists))
    return None
