"""Everything a cycle draws from the policy: designs, hints, and episodes in both arms."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..asynchronous import AsyncEnvs
from ..designer.attempts import has_hint
from ..ended import all_of
from ..memory import SqliteMemory
from ..memory.records import Drawn as Shown
from ..memory.seeds import Wanted
from ..rollouts import Assignment, play_one
from ..seeds import derive_seed, derive_seeds
from ..settings import EnvSettings
from ..types import ENV_FAULTS
from .config import Config
from .designing import Desk, design
from .events import Phase, Watch
from .evidence import Design
from .gatekeeper import Gatekeeper
from .records import Collected, Living, Play, Played, Reply, Showing
from .sampling import Renderer, Sampler
from .schedule import designs_in, slots_of
from .steps import AGENT, DESIGNER
from .tasks import Task
from .token_player import Manner, TokenPlayer
from .token_player import Sequence as Tokens

CONCURRENCY = 256
"""Episodes at a time with a server; a sampler that batches has all of them at once."""


@dataclass(frozen=True)
class Sources:
    """What a collector draws on; the run opens and closes it."""

    task: Task
    sampler: Sampler
    renderer: Renderer
    gate: Gatekeeper
    envs: AsyncEnvs
    memory: SqliteMemory
    pool: tuple[Living, ...] = ()
    """Environments that nobody designs, for ``designer = "pool"``."""


class Collector:
    """Collects cycles of one run; everything follows from the configuration, the cycle and what the policy says."""

    def __init__(
        self,
        config: Config,
        sources: Sources,
        *,
        run: str,
        lockstep: bool,
        watch: Watch = lambda event: None,
    ) -> None:
        self.config, self.sources, self.run = config, sources, run
        self.lockstep, self.watch = lockstep, watch
        play, made = config.play, config.design
        self.playing = Manner(
            play.temperature, play.top_p, play.top_k, play.max_tokens, play.context, play.episode_seconds
        )
        self.designing = Manner(
            made.temperature, made.top_p, made.top_k, made.max_tokens, sources.sampler.context, play.episode_seconds
        )

    async def collect(self, cycle: int, living: Sequence[Living]) -> Collected:
        """Collect one cycle.

        Args:
            cycle: its number.
            living: environments of the last cycle.

        Raises:
            SandboxError: this machine cannot isolate sources.
            StoreError: the memory cannot be read.
        """
        version = self.sources.sampler.policy_version
        replies: list[Reply] = []
        showings: tuple[Showing, ...] = ()
        designed = designs_in(self.config, cycle)
        if designed:
            found, showings = await self._designs(cycle)
            replies = [reply for slot in found for reply in slot]
            living = [one for reply in replies if (one := living_of(reply)) is not None]
        elif self.config.design.designer == "pool":
            living = self._from_pool(cycle)
        hinted = designed or self.config.design.designer == "pool"
        played = await self._plays(cycle, living, hinted=hinted)
        held_out = await self._held_out(cycle)
        faulty = {
            one.key
            for one in played
            if any(play.episode.stop_reason in ENV_FAULTS for play in (*one.plain, *one.hinted))
        }
        return Collected(
            cycle=cycle,
            policy_version=version,
            designed=designed,
            replies=tuple(replies),
            showings=showings,
            living=tuple(one for one in living if one.key not in faulty),
            played=tuple(played),
            failed=tuple(one for one in living if one.key in faulty),
            held_out=held_out,
            troubles=_troubles(replies, played),
            tokens=_tokens(replies, played),
        )

    # -- designs ---------------------------------------------------------------------------------------------------

    async def _designs(self, cycle: int) -> tuple[list[tuple[Reply, ...]], tuple[Showing, ...]]:
        made, sources = self.config.design, self.sources
        slots = slots_of(self.config, cycle)
        shown: Sequence[Shown] = [Shown((), (), 0)] * len(slots)
        if made.memory_seeds or made.memory_negatives:
            wanted = [
                Wanted(
                    skill=slot.skill,
                    contract=slot.contract,
                    positives=made.memory_seeds,
                    negatives=made.memory_negatives,
                    strategy=made.strategy,
                    seed=derive_seed(slot.seed, "memory"),
                    run=self.run,
                    slot=slot.number,
                )
                for slot in slots
            ]
            shown = await asyncio.to_thread(sources.memory.draw, wanted, keep=False)
        checked = self._progress(cycle, "design", len(slots))
        desk = Desk(
            task=sources.task,
            sampler=sources.sampler,
            renderer=sources.renderer,
            manner=self.designing,
            gate=sources.gate,
            repairs=made.repairs,
            uniform=made.designer == "uniform",
            run=self.run,
            told=lambda reply: next(checked),
        )
        sources.gate.begin(sources.memory.last)
        found = await design(desk, zip(slots, shown, strict=True), lockstep=self.lockstep)
        showings = tuple(
            Showing(
                slot,
                tuple(one.source.sha256 for one in drawn.positives),
                tuple(one.source.sha256 for one in drawn.negatives),
            )
            for slot, drawn in zip(slots, shown, strict=True)
        )
        return found, showings

    def _from_pool(self, cycle: int) -> list[Living]:
        """As many environments of the pool as a cycle has slots, without repetition until all have had their turn."""
        pool, count = self.sources.pool, min(self.config.design.slots, len(self.sources.pool))
        taken = []
        for at in range(cycle * count, (cycle + 1) * count):
            epoch, place = divmod(at, len(pool))
            order = sorted(
                range(len(pool)), key=lambda one: (derive_seed(self.config.run.seed, "pool", epoch, one), one)
            )
            taken.append(pool[order[place]])
        unlike = {one.key: one for one in taken}
        return list(unlike.values())

    # -- episodes --------------------------------------------------------------------------------------------------

    async def _plays(self, cycle: int, living: Sequence[Living], *, hinted: bool) -> list[Played]:
        """Both arms of every environment: the same seeds, the same draws but for the hint."""
        play, run_seed = self.config.play, self.config.run.seed
        wanted: list[_Wanted] = []
        for one in living:
            arms = (play.plain, play.hinted if hinted and _has_hint(one) else 0)
            seeds = derive_seeds(f"play:{one.source.sha256}:{cycle}", run_seed, -(-max(arms) // play.repeats))
            for hint, count in zip((False, True), arms, strict=True):
                wanted += [_Wanted(one, f"{cycle}", at, seeds[at // play.repeats], hint) for at in range(count)]
        plays = await self._all(wanted, self._progress(cycle, "play", len(wanted)))
        arms_of: dict[str, tuple[list[Play], list[Play]]] = {one.key: ([], []) for one in living}
        for asked, done in zip(wanted, plays, strict=True):
            arms_of[asked.living.key][asked.hinted].append(done)
        return [Played(key, tuple(plain), tuple(hints)) for key, (plain, hints) in arms_of.items()]

    async def _held_out(self, cycle: int) -> tuple[float | None, ...]:
        """Outcomes on environments that no designer has seen; the same seeds every time."""
        every, count = self.config.run.evaluate_every, self.config.run.evaluate_seeds
        if not every or (cycle % every and cycle != self.config.run.cycles - 1):
            return ()
        wanted = []
        for one in self.sources.task.held_out():
            living = Living(f"held-out:{one.name}", one.source, one.source.contract, 0, one.source.skill, -1)
            seeds = derive_seeds(f"held-out:{one.source.sha256}", self.config.run.seed, count)
            wanted += [_Wanted(living, "held-out", at, seed, False) for at, seed in enumerate(seeds)]
        told = self._progress(cycle, "play", len(wanted))
        return tuple(play.episode.outcome for play in await self._all(wanted, told))

    def _progress(self, cycle: int, phase: str, of: int) -> Iterator[None]:
        """Tells of one more that is done each time it is asked."""
        for done in itertools.count(1):
            self.watch(Phase(cycle, phase, min(done, of), of))
            yield

    async def _all(self, wanted: Sequence[_Wanted], told: Iterator[None]) -> list[Play]:
        """Play all; in lockstep everybody sits down before anybody asks."""
        places = asyncio.Semaphore(max(1, len(wanted)) if self.lockstep else CONCURRENCY)
        with contextlib.ExitStack() as stack:
            seats = [stack.enter_context(contextlib.ExitStack()) for _ in wanted]
            if self.lockstep:
                for seat in seats:
                    seat.enter_context(self.sources.sampler.seat())

            async def one(asked: _Wanted, seat: contextlib.ExitStack) -> Play:
                try:
                    async with places:
                        return await self._one(asked)
                finally:
                    seat.close()
                    next(told)

            return await all_of(one(asked, seat) for asked, seat in zip(wanted, seats, strict=True))

    async def _one(self, asked: _Wanted) -> Play:
        living, sources = asked.living, self.sources
        # The same seed of draws in both arms; another for each repeat.
        draws = derive_seed(self.config.run.seed, "policy", living.source.sha256, asked.cycle, asked.at)
        key = f"{asked.cycle}:{living.key}:{'hinted' if asked.hinted else 'plain'}:{asked.at:05d}"
        tokens = Tokens(sources.sampler, sources.renderer, self.playing, key, draws)
        version = str(sources.sampler.policy_version)
        settings = EnvSettings(
            contract=living.contract,
            cap_turns=self.config.play.max_turns,
            hint=living.source.hint if asked.hinted else "",
            hinted=asked.hinted,
            tools="text",
        )
        player = TokenPlayer(tokens, system=sources.task.agent_system(living.contract))
        episode = await play_one(
            sources.envs, Assignment(living.source, settings, asked.seed, player, living.env_id, version)
        )
        group = f"{living.source.sha256[:16]}:{asked.cycle}"
        if self.config.play.group == "seed":
            group += f":{asked.seed}"
        return Play(episode, tokens.trajectory(AGENT, group, episode.stop_reason))


@dataclass(frozen=True)
class _Wanted:
    """One episode to be played."""

    living: Living
    cycle: str
    at: int
    """Place in its arm."""
    seed: int
    hinted: bool


def living_of(reply: Reply) -> Living | None:
    """The environment of a reply that was admitted."""
    if reply.design is not Design.ADMITTED or reply.source is None or reply.report is None:
        return None
    report = reply.report
    return Living(reply.key, reply.source, report.contract, report.max_turns, reply.slot.skill, reply.slot.cycle)


def _failed(played: Played) -> bool:
    return any(play.episode.stop_reason in ENV_FAULTS for play in (*played.plain, *played.hinted))


def _has_hint(living: Living) -> bool:
    return bool(living.source.hint) or has_hint(living.source.text)


def _troubles(replies: Sequence[Reply], played: Sequence[Played]) -> dict[str, int]:
    """What went wrong, counted."""
    found = Counter(f"design.{one.rule}" for one in replies if one.design is Design.UNDECIDED)
    for one in played:
        for play in (*one.plain, *one.hinted):
            if play.episode.outcome is None:
                found[f"episode.{play.episode.stop_reason.value}"] += 1
    return dict(sorted(found.items()))


def _tokens(replies: Sequence[Reply], played: Sequence[Played]) -> dict[str, int]:
    """Tokens that were drawn, by role."""
    designs = [one.trajectory for one in replies]
    plays = [play.trajectory for one in played for play in (*one.plain, *one.hinted)]
    return {
        role: sum(sum(one.loss_mask) for one in some if one is not None)
        for role, some in ((DESIGNER, designs), (AGENT, plays))
    }
