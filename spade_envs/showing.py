"""Does a finding's reproduction show its fault again? In new processes, through the one play loop."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from .answer_texts import answer_of
from .exploration import unshowable
from .players import WRONG
from .replays import HASH_SEED_WAY, REPLAY_WAYS, USED_WAY
from .sandbox.host import BoxOptions
from .trial import Trial
from .types import EnvSource, Episode, Fault, Finding, Limits, Repro, Severity, StopReason

_BY_EPISODE: tuple[tuple[str, Callable[[Episode], bool]], ...] = (
    ("load.", lambda episode: episode.error is not None),
    ("robustness.", lambda episode: episode.error is not None),
    (
        "contract.observation",
        lambda episode: episode.error is not None or unshowable(episode) is not None or not episode.observation.strip(),
    ),
    ("contract.reward", lambda episode: episode.error is not None or episode.total_reward > 1.0),
    ("contract.", lambda episode: episode.error is not None),
    ("feasibility.retry", lambda episode: not episode.success),
    ("exploits.farming", lambda episode: episode.total_reward > 1.0),
    ("exploits.", lambda episode: episode.success),
    ("interactive.static", lambda episode: len({turn.observation for turn in episode.turns[:-1]}) <= 1),
    ("interactive.one_shot", lambda episode: episode.terminated and len(episode.turns) == 1),
)
"""What the replayed episode of a finding shows, by the beginning of the rule's name; the first one that fits."""
_CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)


def shows_again(source: EnvSource | str, finding: Finding, *, limits: Limits | None = None) -> bool | None:
    """Replay a finding's ``(seed, actions)`` in new processes and look whether its fault shows.

    Args:
        source: the source that the finding is about, or its text.
        finding: a finding of its report.
        limits: as for the check that found it.

    Returns:
        Whether it shows; ``None`` when the finding has no reproduction, or an episode cannot show what it says.

    >>> from spade_envs import validate
    >>> text = "class AEnv:\\n def reset(self, seed=None): return 'x', {}\\n def step(self, a): return 1 / 0\\n"
    >>> {shows_again(text, finding) for finding in validate(text).findings if finding.repro}
    {True}
    """
    if finding.repro is None:
        return None
    taken = source if isinstance(source, EnvSource) else EnvSource(source)
    trial = Trial(taken, limits or Limits(), 0, BoxOptions())
    try:
        trial.start()
        return _shown(trial, finding, finding.repro)
    finally:
        trial.close()


def _shown(trial: Trial, finding: Finding, repro: Repro) -> bool | None:
    name = finding.rule
    if name in ("determinism.replay", "determinism.worn"):
        return _differs(trial, repro, severe=finding.severity is Severity.ERROR)
    if name == "determinism.seed":
        return len({trial.play(seed, repro.actions).observation for seed in trial.seeds}) == 1
    if name.startswith("leak."):
        return _tells(trial, finding, repro)
    if name.startswith("tools.criterion_"):
        return _criterion(trial, name, repro)
    if name == "feasibility.underivable":
        return _asks_for_the_unseen(trial.play(repro.seed, repro.actions)) if repro.actions else None
    if name in ("feasibility.witness", "feasibility.budget", "feasibility.no_witness"):
        return not trial.attempt(repro.seed).won
    if name == "contract.turns":
        winning = trial.attempt(repro.seed).episode
        return _endless(trial.play(repro.seed, [WRONG] * 120)) and (winning is None or _endless(winning))
    if name.startswith("robustness.") and isinstance(trial.hint(repro.seed), Fault):
        return True
    shows = next((look for start, look in _BY_EPISODE if name.startswith(start)), None)
    return None if shows is None else shows(trial.play(repro.seed, repro.actions))


def _differs(trial: Trial, repro: Repro, *, severe: bool) -> bool:
    trial.start_replays()
    base = trial.play(repro.seed, repro.actions)
    for way in (*REPLAY_WAYS, USED_WAY) if severe else (HASH_SEED_WAY,):
        for _ in _worn(trial, repro) if way == USED_WAY else (None,):
            if _trace(trial.replay(repro.seed, repro.actions, way)) != _trace(base):
                return True
    return False


def _worn(trial: Trial, repro: Repro) -> Iterator[None]:
    """Play many episodes on one instance, won and lost ones, as training does; pause after each of the first."""
    for number, seed in enumerate((*trial.seeds, *trial.more_seeds)):
        trial.attempt(seed, used=True)
        if number < 3:
            yield
        trial.quick(seed, ["\\boxed{1}", *repro.actions])
        trial.quick(seed, ["\\boxed{zzz qqq}"] * 8)
    yield


def _endless(episode: Episode) -> bool:
    """Whether it was stopped by somebody else than the environment."""
    return episode.stop_reason is StopReason.PLAYER_STOPPED or "turns_cut" in episode.repairs


def _trace(episode: Episode) -> tuple[object, ...]:
    turns = tuple((turn.observation, turn.reward) for turn in episode.turns)
    return episode.observation, turns, episode.terminated, episode.error and episode.error.kind


def _tells(trial: Trial, finding: Finding, repro: Repro) -> bool | None:
    """Whether the answer of the seed stands in what the rule speaks of."""
    winning = trial.witness(repro.seed)
    answer = answer_of(winning[-1]) if winning else None
    if finding.rule == "leak.hint" or not answer:
        return None
    shown = trial.play(repro.seed, repro.actions)
    texts = [shown.observation, *(turn.observation for turn in shown.turns), *trial.infos(repro.seed, repro.actions)[0]]
    texts.append(json.dumps(trial.schemas(repro.seed), ensure_ascii=False))
    return any(_plain(answer) in _plain(text) for text in texts)


def _plain(text: str) -> str:
    return re.sub(r"[\s\\\"'\[\]{}(),]+", "", text).lower()


def _criterion(trial: Trial, name: str, repro: Repro) -> bool | None:
    looks = [look for look, _ in trial.looks(repro.seed, repro.actions)]
    if not looks:
        return None
    said = looks[-1].criteria
    if name == "tools.criterion_free":
        return "true" in looks[0].criteria
    if name == "tools.criterion_raises":
        return any(text.startswith("raises") for text in said)
    if name == "tools.criterion_stuck":
        return any(text != "true" for text in said)
    return None


def _asks_for_the_unseen(episode: Episode) -> bool:
    """Whether some argument with a digit stands in no text that was shown before its use."""
    seen = episode.observation
    for turn in episode.turns:
        values = [value for call in _CALL.findall(turn.action) for value in _values(call)]
        if any(value not in seen for value in values):
            return True
        seen += "\n" + turn.observation
    return False


def _values(call: str) -> Iterator[str]:
    try:
        data = json.loads(call)
    except ValueError:
        return
    pending: list[object] = [data.get("arguments") if isinstance(data, dict) else None]
    while pending:
        value = pending.pop()
        if isinstance(value, dict):
            pending += value.values()
        elif isinstance(value, list):
            pending += value
        elif isinstance(value, str | int | float) and re.search(r"\d", str(value)) and len(str(value)) > 2:
            yield str(value)
