"""A run from its configuration: everything is opened, run, and closed again."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import filelock

from ..asynchronous import AsyncEnvs
from ..atomic import explained
from ..bulk import Checkers
from ..corpus import Corpus
from ..memory import SqliteMemory
from ..shelf import Shelf
from .board import TensorBoard
from .checkpoint import Checkpoints
from .collect import Collector, Sources
from .config import Config
from .engines import engine_of
from .events import Phase, Result, Watch
from .failures import ConfigError, TrainingError
from .gatekeeper import Gatekeeper
from .loop import Parts, SelfPlay, beginning
from .metrics import METRICS_FILE, MetricsLog, MetricsSink
from .records import Living
from .remember import Rememberer
from .run_folder import forget, note, settle
from .sampling import Renderer, Sampler
from .scripted import Script
from .source_task import SourceTask
from .specs import SpecTask
from .tasks import Task


def train(
    config: Config,
    *,
    watch: Watch = lambda event: None,
    resume: bool = False,
    task: Task | None = None,
    script: Script | None = None,
    sinks: tuple[MetricsSink, ...] = (),
) -> Result:
    """Run self-play.

    Args:
        config: of the run.
        watch: told what happens.
        resume: go on with the run in ``run.folder``; without, the folder must not hold one.
        task: in place of the one that ``design.task`` names.
        script: what the ``scripted`` engine says.
        sinks: where numbers go besides ``metrics.jsonl``.

    Returns:
        What the run came to: ``stopped`` is ``done``, ``interrupted``, or why it could not go on; what was reached is
        kept.

    Raises:
        ConfigError: when it cannot be run so, or the folder holds another run.
        TrainingError: when it cannot begin or be taken up: a checkpoint or model that cannot be read, no server.
        StoreError: when a file of the run cannot be read or written.
        SandboxError: when this machine cannot isolate sources.
    """
    config.check()
    folder = settle(config, resume=resume)
    with alone(folder):
        note(config)
        return asyncio.run(_run(config, folder, Given(watch, resume, task, script, sinks)))


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """One process at a time runs in a folder.

    Raises:
        TrainingError: when another one does.
        StoreError: the folder cannot be written.
    """
    lock = filelock.FileLock(folder / ".lock")
    with explained(f"lock {folder}"):
        try:
            lock.acquire(timeout=0)
        except filelock.Timeout:
            message = f"another run holds the folder {folder}; wait for it, or name another with run.folder"
            raise TrainingError(message) from None
    try:
        yield
    finally:
        lock.release()


async def _run(config: Config, folder: Path, given: Given) -> Result:
    async with contextlib.AsyncExitStack() as stack:
        try:
            play = await _prepared(config, folder, stack, given)
        except Exception:
            await stack.aclose()
            if not given.resume:
                forget(folder)
            raise
        stack.push_async_callback(play.parts.sync.close)
        try:
            return await play.run()
        except (KeyboardInterrupt, asyncio.CancelledError):
            play.save()
            return play.result("interrupted")
        except (TrainingError, OSError) as error:  # a full disk is one of them
            return play.result(str(error))


@dataclass(frozen=True)
class Given:
    """What a caller brings along."""

    watch: Watch
    resume: bool
    task: Task | None
    script: Script | None
    sinks: tuple[MetricsSink, ...]


async def _prepared(config: Config, folder: Path, stack: contextlib.AsyncExitStack, given: Given) -> SelfPlay:
    """A run that is ready to go on."""
    checkpoints = Checkpoints(folder, config.run.keep)
    newest = checkpoints.newest()
    if newest is None and (folder / METRICS_FILE).exists() and (folder / METRICS_FILE).stat().st_size:
        raise TrainingError(
            f"{folder} has numbers of cycles but no checkpoint to go on from; put its checkpoints back, or begin anew "
            "in another folder"
        )
    task = given.task or task_of(config)
    if newest is None and config.engine.warm_up:
        given.watch(Phase(0, "warm-up", 0, config.engine.warm_up))
    engine = await engine_of(config, task, folder, stack, fresh=newest is None, script=given.script)
    collector, rememberer = desks(config, folder, stack, task, engine, given.watch)
    state = beginning(config) if newest is None else checkpoints.load(newest, engine.learner)
    if state.policy_version != engine.learner.policy_version:
        raise TrainingError(
            f"the checkpoint {newest} says policy version {state.policy_version}, and its weights are of version "
            f"{engine.learner.policy_version}: it is damaged; remove it to go on from an older one"
        )
    parts = Parts(
        learner=engine.learner,
        sync=engine.sync,
        collector=collector,
        rememberer=rememberer,
        checkpoints=checkpoints,
        log=MetricsLog(folder / METRICS_FILE, resume_at=state.cycle if given.resume else None),
        sinks=(*given.sinks, *boards_of(config, folder, state.cycle if given.resume else None, stack)),
    )
    play = SelfPlay(config, parts, state, given.watch)
    if newest is None:
        play.save()  # a run that is killed in its first cycle goes on from its first weights
    return play


class Drawing(Protocol):
    """What collecting needs of an engine."""

    @property
    def sampler(self) -> Sampler: ...
    @property
    def renderer(self) -> Renderer: ...
    @property
    def lockstep(self) -> bool: ...


def desks(
    config: Config,
    folder: Path,
    stack: contextlib.AsyncExitStack,
    task: Task,
    engine: Drawing,
    watch: Watch,
) -> tuple[Collector, Rememberer]:
    """What collects cycles and what writes them down; ``stack`` closes what they hold."""
    memory = stack.enter_context(SqliteMemory(Path(config.run.memory) if config.run.memory else folder / "memory.db"))
    checkers = stack.enter_context(Checkers(config.run.jobs, run_seed=config.run.seed))
    sources = Sources(
        task=task,
        sampler=engine.sampler,
        renderer=engine.renderer,
        gate=Gatekeeper(checkers, memory if config.design.novelty == "memory" else None),
        envs=stack.enter_context(AsyncEnvs()),
        memory=memory,
        pool=pool_of(config),
    )
    run = folder.resolve().name
    rememberer = Rememberer(
        memory,
        Shelf(Path(config.run.shelf)) if config.run.shelf else None,
        run=run,
        conditions=conditions_of(config),
        strategy=config.design.strategy,
        samples=config.run.samples,
    )
    return Collector(config, sources, run=run, lockstep=engine.lockstep, watch=watch), rememberer


def boards_of(
    config: Config, folder: Path, resume_at: int | None, stack: contextlib.AsyncExitStack
) -> tuple[MetricsSink, ...]:
    """Where numbers go besides the log.

    Raises:
        ConfigError: when TensorBoard is wanted and not installed.
    """
    if not config.run.tensorboard:
        return ()
    board = TensorBoard(folder / "tensorboard", resume_at=resume_at)
    stack.callback(board.close)
    return (board,)


def task_of(config: Config) -> Task:
    """The task that a configuration names.

    Raises:
        StoreError: when the corpus cannot be read.
    """
    made = config.design
    corpus = None
    if made.corpus:
        corpus = Corpus.open() if made.corpus == "bundled" else Corpus.open(Path(made.corpus))
    return SpecTask() if made.task == "specs" else SourceTask(config, corpus)


def pool_of(config: Config) -> tuple[Living, ...]:
    """Environments of the shelf that ``design.pool`` names, in the order of their names; the shelf is only read.

    Raises:
        ConfigError: when it holds none.
        StoreError: when it cannot be read.
    """
    if config.design.designer != "pool":
        return ()
    shelf = Shelf(Path(config.design.pool))
    found = []
    for entry in shelf.entries():
        card = shelf.read_card(entry.name)
        source = shelf.read_source(entry.name)
        found.append(Living(f"pool.{entry.name}", source, card.contract, card.max_turns, card.skill, -1, entry.env_id))
    if not found:
        raise ConfigError(f"the shelf {config.design.pool} holds no environment; name one that does with design.pool")
    return tuple(found)


def conditions_of(config: Config) -> str:
    """What two probes must have in common to be compared, as JSON text."""
    play = config.play
    return json.dumps(
        {
            "temperature": play.temperature,
            "top_p": play.top_p,
            "top_k": play.top_k,
            "max_tokens": play.max_tokens,
            "context": play.context,
            "cap_turns": play.max_turns,
        },
        sort_keys=True,
    )
