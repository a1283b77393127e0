"""Probes: regret measured by playing the same seeds without and with the hint.

Both arms have the same seeds, sampling, prompts and limits; they differ in the text of the hint alone. When outcomes
are looked at and what they decide is in :mod:`spade_envs.sequential`. An author's ``hint()`` is asked of an instance of
its own for each seed: what the call changes must not reach the instance that is played, or it would tell the arms
apart. An outcome that a server or a deadline has cost is missing. One that the environment has cost is not: it ends the
probe, and the environment is not to be trusted.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import datetime
import json
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence

from .asynchronous import AsyncEnvs
from .client import Client
from .codec import to_json
from .ended import all_of, as_ended
from .episodes import FAULT_STOPS
from .model_player import Agent, ModelPlayer
from .prompts import agent_system
from .rollout import Rollout
from .rollouts import Assignment, play_one
from .seeds import derive_seed, derive_seeds
from .sequential import Decision, band, looks
from .settings import EnvSettings
from .types import ENV_FAULTS, EnvSource, Episode, Fault, FaultKind, Probe, StopReason

NO_HINT = "it has no hint, so that there is nothing to compare"
"""Problem of an environment that cannot be probed for that reason."""

PER_SUBJECT = 8
"""Episodes of one environment at its first look: so many fewer environments are probed at a time than episodes."""


@dataclasses.dataclass(frozen=True)
class Subject:
    """An environment to be probed."""

    source: EnvSource
    env_id: str
    contract: str
    max_turns: int | None = None
    hint: str = ""
    """Static hint; empty asks the author's ``hint()`` in every episode."""


@dataclasses.dataclass(frozen=True, kw_only=True)
class ProbePlan:
    """How environments are probed.

    Raises:
        ValueError: for values out of range.
    """

    agent: Agent = dataclasses.field(default_factory=Agent)
    run_seed: int = 0
    """With the hash of a source it decides every seed: of episodes, and of sampling."""
    most_pairs: int = 64
    """Complete pairs after which nothing more is played: one of :func:`~spade_envs.sequential.looks`."""
    cap_turns: int | None = None
    """Turns of an episode at most; the author's own when lower."""
    graded: bool = False
    """Say that outcomes other than 0 and 1 can occur, even where none has shown."""
    policy_version: str = ""
    """Which weights play."""

    def __post_init__(self) -> None:
        if self.most_pairs not in looks():
            raise ValueError(f"most_pairs must be one of {', '.join(map(str, looks()))}, not {self.most_pairs}")
        if self.cap_turns is not None and self.cap_turns < 1:
            raise ValueError(f"cap_turns must be 1 or more, not {self.cap_turns}")

    def conditions(self) -> str:
        """What two probes must have in common to be compared, besides model and prompt, as JSON text."""
        sampling = to_json(self.agent.sampling)
        del sampling["seed"], sampling["n"]
        more = {"tools": self.agent.tools, "cap_turns": self.cap_turns, "options": dict(self.agent.template_options)}
        return json.dumps({**sampling, **more}, sort_keys=True)


@dataclasses.dataclass(frozen=True)
class Probed:
    """What came of probing one environment."""

    subject: Subject
    probe: Probe | None
    """The measurement; ``None`` where there is none."""
    episodes: tuple[Episode, ...]
    """Everything that was played: for each seed without, then with the hint."""
    fault: Episode | None = None
    """An episode that the environment spoilt: do not trust it."""
    problem: str = ""
    """Why there is no measurement, or why it says little."""


async def probe_one(
    subject: Subject,
    client: Client,
    envs: AsyncEnvs,
    plan: ProbePlan,
    *,
    places: asyncio.Semaphore | None = None,
    heard: Callable[[Episode], None] = lambda episode: None,
) -> Probed:
    """Probe one environment.

    Args:
        subject: what to probe.
        client: an open client.
        envs: where environments live.
        plan: how.
        places: bounds the episodes that are played at the same time.
        heard: told of every episode as it ends.

    Raises:
        SandboxError: this machine cannot isolate the source as required.
    """
    run = _Run(subject, client, envs, plan, places or asyncio.Semaphore(client.settings.concurrency), heard)
    hint = await _first_hint(subject, envs, plan)
    if isinstance(hint, Episode):
        fault = hint.error or Fault(FaultKind.RAISED, "hint", "unknown")
        what = f"its hint() fails ({fault.kind.value}): {fault.message}"
        return Probed(subject, None, (), hint if hint.stop_reason in ENV_FAULTS else None, what)
    if not hint.strip():
        return Probed(subject, None, (), problem=NO_HINT)
    while run.wants():
        await run.play()
    return run.probed()


async def probe_many(
    subjects: Iterable[Subject],
    client: Client,
    envs: AsyncEnvs,
    plan: ProbePlan,
    *,
    heard: Callable[[Episode], None] = lambda episode: None,
) -> AsyncGenerator[Probed, None]:
    """Probe environments, several at a time, and yield each as it is decided; as :func:`probe_one`.

    As many episodes are played at a time as the client sends requests. Leaving the loop early cancels the rest.
    """
    concurrency = client.settings.concurrency
    places = asyncio.Semaphore(concurrency)

    async def work(subject: Subject) -> Probed:
        return await probe_one(subject, client, envs, plan, places=places, heard=heard)

    async with contextlib.aclosing(as_ended(subjects, work, max(1, concurrency // PER_SUBJECT))) as ended:
        async for one in ended:
            yield one


async def has_hint(subject: Subject, envs: AsyncEnvs, plan: ProbePlan) -> bool:
    """Whether there is a hint, static or the author's own; an author's that fails counts as one."""
    hint = await _first_hint(subject, envs, plan)
    return isinstance(hint, Episode) or bool(hint.strip())


async def _first_hint(subject: Subject, envs: AsyncEnvs, plan: ProbePlan) -> str | Episode:
    """The hint of the first episode."""
    return await _hint(subject, envs, plan, derive_seeds(subject.source.sha256, plan.run_seed, 1)[0])


async def _hint(subject: Subject, envs: AsyncEnvs, plan: ProbePlan, seed: int) -> str | Episode:
    """The static hint, or what the author's ``hint()`` says on a seed; an episode that failed when there is none."""
    if subject.hint:
        return subject.hint
    env = envs.make(subject.source, _settings(subject, plan))
    try:
        rollout = Rollout(env.env, seed, player="", env_id=subject.env_id)
        rollout.begun(*await env.reset(seed=seed))
        hint = "" if rollout.over else await asyncio.to_thread(env.env.hint)  # the worker may be busy with others
        if isinstance(hint, Fault):
            return dataclasses.replace(rollout.episode(), stop_reason=FAULT_STOPS[hint.kind], error=hint)
        return rollout.episode() if rollout.over else hint
    finally:
        env.close()


def _settings(subject: Subject, plan: ProbePlan, hint: str = "") -> EnvSettings:
    return EnvSettings(
        contract=subject.contract,
        max_turns=subject.max_turns,
        cap_turns=plan.cap_turns,
        hint=hint,
        hinted=bool(hint),
        tools="text" if plan.agent.tools == "text" else "info",
    )


class _Run:
    """One probe under way."""

    def __init__(
        self,
        subject: Subject,
        client: Client,
        envs: AsyncEnvs,
        plan: ProbePlan,
        places: asyncio.Semaphore,
        heard: Callable[[Episode], None],
    ) -> None:
        self.subject, self.client, self.envs, self.plan = subject, client, envs, plan
        self.places, self.heard = places, heard
        self.system = agent_system(subject.contract)
        self.plain: list[Episode] = []
        self.hinted: list[Episode] = []
        self.problem = ""
        self.unlike = False
        """Whether the arms turned out to differ in more than the hint."""
        self.unspoken = False
        """Whether a context that is too short for the task kept the model from saying anything."""
        self.fault: Episode | None = None

    def decision(self) -> Decision:
        """What the outcomes say so far."""
        plain, hinted = [one.outcome for one in self.plain], [one.outcome for one in self.hinted]
        return band(plain, hinted, graded=self.plan.graded)

    def wants(self) -> bool:
        """Whether there is more to play."""
        done = self.fault is not None or self.problem or self.complete >= self.plan.most_pairs
        return not done and not self.decision().final

    @property
    def complete(self) -> int:
        """Pairs with both outcomes."""
        return sum(
            a.outcome is not None and b.outcome is not None for a, b in zip(self.plain, self.hinted, strict=True)
        )

    async def play(self) -> None:
        """Play as many pairs as the next look needs."""
        complete, played = self.complete, len(self.plain)
        wanted = next(look for look in looks() if look > complete) - complete
        seeds = derive_seeds(self.subject.source.sha256, self.plan.run_seed, played + wanted)[played:]
        episodes = await self._all([(seed, hinted) for seed in seeds for hinted in (False, True)])
        plain, hinted = episodes[::2], episodes[1::2]
        self.plain += plain
        self.hinted += hinted
        self.fault = next((one for one in episodes if one.stop_reason in ENV_FAULTS), None)
        for one, other in zip(plain, hinted, strict=True):
            there = one.outcome is not None and other.outcome is not None
            if self.fault is None and there and not other.observation.startswith(one.observation):
                self.unlike = True
                self.problem = f"its first observation of seed {one.seed} is not the same in both arms"
        if all(one.outcome is None for one in episodes) and self.fault is None:
            last = next((one.detail for one in episodes if one.detail), "they were cancelled")
            self.problem = f"{len(episodes)} episodes in a row have no outcome: {last}"
        if all(map(_unspoken, episodes)):
            self.unspoken = True
            self.problem = f"the model never came to a reply: {episodes[0].detail}"

    async def _all(self, wanted: Sequence[tuple[int, bool]]) -> list[Episode]:
        return await all_of(self._one(seed, hinted=hinted) for seed, hinted in wanted)

    async def _one(self, seed: int, *, hinted: bool) -> Episode:
        # The same sampling seed in both arms: they differ in the hint alone.
        sampling = derive_seed(self.plan.run_seed, "probe", self.subject.source.sha256, seed)
        player = ModelPlayer(self.client, self.plan.agent, system=self.system.text, seed=sampling)
        version = self.plan.policy_version
        async with self.places:
            hint = await _hint(self.subject, self.envs, self.plan, seed) if hinted else ""
            if isinstance(hint, Episode):
                episode = dataclasses.replace(hint, player=player.name, hinted=True, policy_version=version)
            else:
                settings = _settings(self.subject, self.plan, hint)
                episode = await play_one(
                    self.envs, Assignment(self.subject.source, settings, seed, player, self.subject.env_id, version)
                )
                episode = dataclasses.replace(episode, hinted=hinted)
        self.heard(episode)
        return episode

    def probed(self) -> Probed:
        """The result."""
        episodes = tuple(one for pair in zip(self.plain, self.hinted, strict=True) for one in pair)
        if self.fault is not None or self.complete == 0 or self.unlike or self.unspoken:
            why = self.problem or _fault_text(self.fault)
            return Probed(self.subject, None, episodes, self.fault, why)
        decision = self.decision()
        probe = Probe(
            seeds=tuple(one.seed for one in self.plain),
            plain=tuple(one.outcome for one in self.plain),
            hinted=tuple(one.outcome for one in self.hinted),
            regret=decision.regret,
            interval=decision.interval,
            band=decision.band,
            model=self.plan.agent.model or self.client.model or "",
            policy_version=self.plan.policy_version,
            sampling=self.plan.conditions(),
            prompt_sha=self.system.sha256,
            date=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            hint=self.subject.hint,
            reason=decision.reason,
        )
        return Probed(self.subject, probe, episodes, None, self.problem)


def _fault_text(episode: Episode | None) -> str:
    if episode is None:
        return "nothing was played"
    what = episode.error.message if episode.error is not None else episode.stop_reason.value
    return f"it fails on seed {episode.seed} ({episode.stop_reason.value}): {what}"


def _unspoken(episode: Episode) -> bool:
    """Whether an episode ended before the model could say anything: it tells nothing about the environment."""
    return episode.stop_reason is StopReason.CONTEXT_FULL and not episode.turns and not episode.cut


def missing_reasons(episodes: Iterable[Episode]) -> dict[StopReason, int]:
    """How many outcomes are missing, by what cost them.

    >>> missing_reasons([])
    {}
    """
    found: dict[StopReason, int] = {}
    for episode in episodes:
        if episode.outcome is None:
            found[episode.stop_reason] = found.get(episode.stop_reason, 0) + 1
    return found
