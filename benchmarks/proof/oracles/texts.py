"""Oracles of what is told: answers that should not be, ids that should, and texts of no use."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from ..specimens import Specimen
from .case import Case, Exhibit, Shown, shortest


def told(
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
    shown: list[Shown] = [(seed, actions(seed)) for seed in own]
    return shortest(name, shown, len(seeds)) if len(own) / len(seeds) - apart > 0.6 else None


def tells_first(case: Case) -> Exhibit | None:
    """The first observation or its info tells the answer."""

    def text(seed: int) -> str:
        episode, infos = case.mutant.rollout(seed, ())
        plain = {key: value for key, value in infos[0].items() if key != "seed"}
        return f"{episode.observation}\n{plain}"

    return told(case, "tells first", text, lambda seed: ())


def tells_after(case: Case) -> Exhibit | None:
    """What a wrong answer is told, or its info, tells the right one."""
    wrong = case.submit("zzz")

    def text(seed: int) -> str:
        episode, infos = case.mutant.rollout(seed, (wrong,))
        if episode.terminated or not episode.turns:
            return ""
        return f"{episode.turns[-1].observation}\n{infos[-1]}"

    return told(case, "tells after", text, lambda seed: (wrong,))


def tells_hint(case: Case) -> Exhibit | None:
    """The hint tells the answer."""
    return told(case, "tells by hint", case.mutant.hint, lambda seed: ())


def tools_of(specimen: Specimen, seed: int) -> list[dict[str, object]]:
    offered = specimen.rollout(seed, ())[1][0].get("tools")
    return offered if isinstance(offered, list) else []


def tells_schema(case: Case) -> Exhibit | None:
    """A tool schema tells the answer."""
    return told(case, "tells by schema", lambda seed: json.dumps(tools_of(case.mutant, seed)), lambda seed: ())


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
    for tool in tools_of(case.mutant, seed):
        function = tool.get("function")
        try:
            Draft202012Validator.check_schema(function.get("parameters", {}) if isinstance(function, dict) else {})
        except SchemaError:
            return Exhibit("bad schema", seed, (), 1.0)
    return None


def tool_fails(case: Case) -> Exhibit | None:
    """A call of the author's own solution is answered with an error, which the original does not do."""
    if case.original.contract != "tools":
        return None
    shown: list[Shown] = []
    with Specimen(case.original_text) as original:
        for seed in case.seeds[:8]:
            episode = case.mutant.attempt(seed).episode
            before = original.play(seed, case.original.right[seed])
            known = any("Error:" in turn.observation for turn in before.turns)
            if episode and not known and any("Error:" in turn.observation for turn in episode.turns):
                shown.append((seed, episode.actions))
    return shortest("tool fails", shown, 8)


def unseen_id(case: Case) -> Exhibit | None:
    """Winning takes a value with digits that nothing shown before its use holds."""
    if case.original.contract != "tools":
        return None
    shown: list[Shown] = []
    for seed in case.seeds[:20]:
        episode = case.mutant.play(seed, case.original.right[seed])
        seen = episode.observation
        for turn in episode.turns:
            values = re.findall(r'"([A-Za-z]+[-_#]?\d[\w-]+)"', turn.action)
            if episode.success and any(value not in seen for value in values):
                shown.append((seed, episode.actions))
                break
            seen += "\n" + turn.observation
    return shortest("unseen id", shown, 20) if len(shown) > 10 else None
