"""Oracles of plays that go wrong: lost, failed, different the second time, deaf, endless."""

from __future__ import annotations

from ..specimens import Specimen, trace
from .case import Case, Exhibit, Shown, shortest


def loses(case: Case) -> Exhibit | None:
    """The author's own solution does not win on some seed."""
    shown: list[Shown] = []
    for seed in case.seeds:
        attempt = case.mutant.attempt(seed)
        if not attempt.won:
            shown.append((seed, attempt.episode.actions if attempt.episode else ()))
    return shortest("own solution loses", shown, len(case.seeds))


def loses_later(case: Case) -> Exhibit | None:
    """The author's own solution does not win where instance and solution were used before."""
    shown: list[Shown] = []
    with Specimen(case.mutant.text) as used:
        for seed in case.seeds[:12]:
            attempt = used.trial.attempt(seed, used=True)
            if not attempt.won:
                shown.append((seed, attempt.episode.actions if attempt.episode else ()))
    return shortest("own solution loses later", shown, 12)


def fails(case: Case) -> Exhibit | None:
    """A varied winning play makes the environment raise, hang, run out of memory or break the contract."""
    shown: list[Shown] = []
    costly = 0
    plays: list[Shown] = [*case.original.right.items(), *case.original.lists]
    for done, (seed, actions) in enumerate(plays, start=1):
        episode = case.mutant.play(seed, actions)
        if episode.error is not None:
            shown.append((seed, episode.actions or actions))
            costly += episode.error.costly
        if costly >= 4:
            return shortest("fails", shown, done)
    return shortest("fails", shown, len(plays))


def runs_on(case: Case) -> Exhibit | None:
    """It goes on past its own turn limit, or for ever, where the original ends itself."""
    wrong = [case.submit("zzz")] * 110
    seed = case.seeds[0]
    episode = case.mutant.play(seed, wrong)
    with Specimen(case.original_text) as original:
        limit = len(original.play(seed, wrong).turns)
    longer = len(episode.turns) > limit or "turns_cut" in episode.repairs
    return Exhibit("runs on", seed, tuple(wrong[: limit + 1]), 1.0) if longer else None


def differs(case: Case) -> Exhibit | None:
    """The same seed and actions give two different episodes: on a used instance, beside another, elsewhere."""
    return differing(case, "differs", 0)


def differs_by_hash(case: Case) -> Exhibit | None:
    """The same seed and actions give another episode under another ``PYTHONHASHSEED``."""
    return differing(case, "differs by hash seed", 1)


def differing(case: Case, name: str, hash_seed: int) -> Exhibit | None:
    shown: list[Shown] = []
    plays: list[Shown] = [*list(case.original.right.items())[:8], *case.original.lists[:12]]
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
    return shortest(name, shown, len(plays))


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
