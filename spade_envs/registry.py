"""Shelves to Gymnasium ids, and ids back to environments.

``gymnasium.register`` looks at every registered id each time; specs go straight into its registry instead, with a
collision check of our own. The entry point is a string and the arguments are plain, so that ``EnvSpec.to_json`` and
workers that never imported this package work.
"""

from __future__ import annotations

import dataclasses
import gc
import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium
from gymnasium.envs.registration import EnvSpec

from .errors import UnknownEnv
from .specs import MENU, SOURCE, SOURCE_ID, spec_of
from .store import NAMESPACE, Entry, bundled_path, resolve, search_path

if TYPE_CHECKING:
    from .env import EnvSettings, SpadeEnv
    from .sandbox.host import BoxOptions
    from .sandbox.pool import WorkerPool
    from .types import EnvSource, Isolation
    from .vector import SpadeVectorEnv

_collisions: dict[str, tuple[str, str]] = {}


def register() -> int:
    """Register every environment on the search path; how many are new. Idempotent, and never raises for a shelf.

    An id that is taken by another text is left as it is, with one warning.
    """
    added = 0
    known = gymnasium.registry
    known.setdefault(SOURCE_ID, SOURCE)
    collecting = gc.isenabled()
    gc.disable()  # many small objects, none of which goes away: looking through them takes as long as making them
    try:
        for shelf in search_path():
            for entry in shelf.entries():
                env_id = entry.env_id
                spec = known.get(env_id)
                if spec is None:
                    known[env_id] = spec_of(entry)
                    added += 1
                    if entry.menu:
                        known[env_id + MENU] = spec_of(entry, menu=True)
                elif spec.kwargs.get("sha256") != entry.sha256:
                    _collide(entry, spec)
    finally:
        if collecting:
            gc.enable()
    return added


def _collide(entry: Entry, spec: EnvSpec) -> None:
    if entry.env_id in _collisions:
        return
    mine = str(entry.shelf / entry.name / "env.py")
    taken = _file_of(spec)
    _collisions[entry.env_id] = (taken, mine)
    warnings.warn(f"{entry.env_id} is {taken}; {mine}, another text of the same id, is left out", stacklevel=3)


def _file_of(spec: EnvSpec) -> str:
    name, sha256 = spec.kwargs.get("name"), spec.kwargs.get("sha256")
    if not isinstance(name, str):
        return f"taken by {spec.entry_point}"
    namespace, _, bare = name.rpartition("/")
    for shelf in search_path():
        found = shelf.peek(bare)
        if found is not None and found.sha256 == sha256 and shelf.namespace == (namespace or NAMESPACE):
            return str(shelf.path / bare / "env.py")
    return f"registered with sha256 {sha256}"


def load(
    name: str,
    sha256: str | None = None,
    shelf: str | None = None,
    *,
    hint: bool = False,
    tools: str = "info",
    max_turns: int | None = None,
    isolation: str = "seccomp",
    render_mode: str | None = None,
) -> SpadeEnv:
    """Make the environment behind an id; what ``gym.make`` calls.

    Args:
        name: ``env-0421``, or ``lab/env-0001`` in another namespace than ``spade``.
        sha256: hash of the text meant; another text is refused.
        shelf: folder of a shelf outside the search path.
        hint: append the hint to the first observation.
        tools: ``info`` gives tool schemas in ``info["tools"]`` at reset, ``text`` in the first observation.
        max_turns: a lower turn limit, handed to the author's constructor.
        isolation: least isolation to accept: ``kernel``, ``seccomp`` or ``process``. Bundled environments may also run
            where only ``process`` can be had.
        render_mode: ``None`` or ``ansi``.

    Raises:
        UnknownEnv: no shelf has it; the message names the nearest.
        StoreError: the file on the shelf is not the text that was admitted.
        ValueError: an argument is none of those allowed; or ``hint=True`` for an environment without a hint.
    """
    from .env import SpadeEnv

    source, settings, options = _prepared(
        name, sha256, shelf, hint=hint, tools=tools, max_turns=max_turns, isolation=isolation
    )
    return SpadeEnv(source, settings, render_mode=render_mode, options=options)


def _prepared(
    name: str,
    sha256: str | None,
    shelf: str | None,
    *,
    hint: bool = False,
    tools: str = "info",
    max_turns: int | None = None,
    isolation: str = "seccomp",
) -> tuple[EnvSource, EnvSettings, BoxOptions]:
    """The text behind an id, and how it is played."""
    from .env import EnvSettings
    from .sandbox.host import BoxOptions
    from .types import Isolation

    require = _isolation(isolation)
    _check_turns(max_turns)
    namespace, _, bare = name.rpartition("/")
    place, entry = resolve(bare, sha256, namespace or NAMESPACE, shelf)
    if entry.env_id in _collisions:
        taken, left = _collisions[entry.env_id]
        warnings.warn(f"two texts claim {entry.env_id}: {taken} is played, {left} is not", stacklevel=2)
    card = place.read_card(entry.name)
    source = place.read_source(entry.name)
    if hint and not card.hint and "def hint" not in source.text:
        raise ValueError(f"{entry.env_id} has no hint; make it without hint=True")
    bundled = place.path.resolve() == bundled_path().resolve()
    settings = EnvSettings(
        contract=card.contract,
        max_turns=card.max_turns or None,
        cap_turns=min(max_turns, card.max_turns or max_turns) if max_turns is not None else None,
        hint=card.hint,
        hinted=hint,
        tools=tools,
    )
    return (
        source,
        settings,
        BoxOptions(require=Isolation.PROCESS if bundled and require is Isolation.SECCOMP else require),
    )


def load_vector(
    num_envs: int = 1,
    max_episode_steps: int | None = None,
    *,
    name: str,
    sha256: str | None = None,
    shelf: str | None = None,
    workers: int = 0,
    quarantine: int = 5,
    autoreset_mode: str = "NextStep",
    render_mode: str | None = None,
    **how: Any,
) -> SpadeVectorEnv:
    """Make many environments of one id; what ``gym.make_vec`` calls.

    Args:
        num_envs: how many members.
        max_episode_steps: turns after which an episode is truncated, if the environment's own limit is not lower.
        name, sha256, shelf, render_mode: as in :func:`load`.
        workers: processes the members share; 0 is one per processor, of at least 8 members each.
        quarantine: failed episodes among the last 8 after which the environment is not run any more; 0 never.
        autoreset_mode: ``NextStep``, ``SameStep`` or ``Disabled``.
        how: ``hint``, ``tools``, ``max_turns`` and ``isolation``, as in :func:`load`.

    Raises:
        UnknownEnv, StoreError, ValueError: as :func:`load`; or fewer than one member or worker.
    """
    from .env import SpadeEnv
    from .vector import SpadeVectorEnv

    source, settings, options = _prepared(name, sha256, shelf, **how)
    settings = _limited(settings, max_episode_steps)
    pools = _pools(num_envs, workers, options)
    members = [
        SpadeEnv(source, settings, render_mode=render_mode, pool=pools[at % len(pools)]) for at in range(num_envs)
    ]
    return SpadeVectorEnv(members, pools, quarantine=quarantine, autoreset_mode=autoreset_mode)


def load_file_vector(
    num_envs: int = 1,
    max_episode_steps: int | None = None,
    *,
    path: str | Path | None = None,
    workers: int = 0,
    quarantine: int = 5,
    autoreset_mode: str = "NextStep",
    **how: Any,
) -> SpadeVectorEnv:
    """Make many environments of a file that was not admitted: ``gym.make_vec("spade/source", path=...)``.

    Args:
        num_envs, max_episode_steps, workers, quarantine, autoreset_mode: as in :func:`load_vector`.
        path, how: as in :func:`load_file`.

    Raises:
        SourceError, SandboxError, ValueError: as :func:`load_file`; or fewer than one member or worker.
    """
    from .env import SpadeEnv
    from .vector import SpadeVectorEnv

    first = load_file(path, **how)  # which complains of everything that is wrong with it
    first.close()
    pools = _pools(num_envs, workers, first.pool.options)
    settings = _limited(first.settings, max_episode_steps)
    members = [
        SpadeEnv(first.source, settings, render_mode=first.render_mode, pool=pools[at % len(pools)])
        for at in range(num_envs)
    ]
    return SpadeVectorEnv(members, pools, quarantine=quarantine, autoreset_mode=autoreset_mode)


def _pools(num_envs: int, workers: int, options: BoxOptions) -> list[WorkerPool]:
    """As many pools as there are to be workers."""
    from .sandbox.pool import WorkerPool

    if num_envs < 1 or workers < 0:
        raise ValueError(f"num_envs must be 1 or more and workers 0 or more, not {num_envs} and {workers}")
    count = min(num_envs, workers or max(1, min(os.cpu_count() or 1, num_envs // 8)))
    return [WorkerPool(options=options) for _ in range(count)]


def make_mixed(
    ids: Sequence[str],
    max_episode_steps: int | None = None,
    *,
    quarantine: int = 5,
    autoreset_mode: str = "NextStep",
    **how: Any,
) -> SpadeVectorEnv:
    """A vector environment of one member per id; an id may come several times.

    Args:
        ids: registered ids of ours, such as ``spade/env-0003``.
        max_episode_steps, quarantine, autoreset_mode, how: as in :func:`load_vector`.

    Raises:
        UnknownEnv: an id is not registered, or no id of ours.

    >>> env = make_mixed(["spade/env-0001", "spade/env-0002", "spade/env-0001"])
    >>> observations, infos = env.reset(seed=7)
    >>> len(observations), infos["seed"].tolist()
    (3, [7, 8, 9])
    >>> env.close()
    """
    from .env import SpadeEnv
    from .sandbox.pool import WorkerPool
    from .vector import SpadeVectorEnv

    if isinstance(ids, str):
        raise ValueError(f"make_mixed takes a list of ids: make_mixed([{ids!r}, ...])")
    ids = [env_id.removeprefix("spade_envs:") for env_id in ids]
    ids = [env_id if "/" in env_id else f"{NAMESPACE}/{env_id}" for env_id in ids]
    found = {env_id: _prepared(**_place(env_id), **how) for env_id in dict.fromkeys(ids)}
    pools = {options.require: WorkerPool(options=options) for _, _, options in found.values()}
    members = []
    for env_id in ids:
        source, settings, options = found[env_id]
        members.append(SpadeEnv(source, _limited(settings, max_episode_steps), pool=pools[options.require]))
    return SpadeVectorEnv(members, list(pools.values()), quarantine=quarantine, autoreset_mode=autoreset_mode)


def _place(env_id: str) -> dict[str, Any]:
    spec = gymnasium.registry.get(env_id)
    if spec is None or spec.entry_point != "spade_envs.registry:load":
        raise UnknownEnv(f"{env_id!r} is no registered environment of a shelf; `spade-envs list` shows the ids")
    return {"name": None, "sha256": None, "shelf": None, **spec.kwargs}


def _limited(settings: EnvSettings, max_episode_steps: int | None) -> EnvSettings:
    """The settings with another turn limit, if it is lower."""
    _check_turns(max_episode_steps)
    limits = [limit for limit in (settings.max_turns, max_episode_steps) if limit]
    return dataclasses.replace(settings, max_turns=min(limits, default=None))


def load_menu(
    name: str,
    sha256: str | None = None,
    shelf: str | None = None,
    *,
    size: int = 64,
    length: int = 1024,
    view: str = "bytes",
    numeric_info: bool = False,
    **arguments: Any,
) -> gymnasium.Env[Any, Any]:
    """Make the environment behind an id that ends in ``-menu``: actions by number, observations as an array.

    Args:
        name, sha256, shelf: as for :func:`load`.
        size: entries of the menu, hence numbers to choose from (:class:`spade_envs.wrappers.ActionMenu`).
        length: numbers of an observation.
        view: ``bytes`` (:class:`spade_envs.wrappers.BytesObservation`) or ``ngrams``
            (:class:`spade_envs.wrappers.HashedNgrams`), for libraries whose networks take ``float32`` only.
        numeric_info: leave texts out of ``info`` (:class:`spade_envs.wrappers.NumericInfo`).
        arguments: the keyword arguments of :func:`load`.

    Raises:
        UnknownEnv, StoreError: as for :func:`load`.
        ValueError: an argument is none of those allowed, or the environment takes free answers.
    """
    from .wrappers import ActionMenu, BytesObservation, HashedNgrams, NumericInfo

    if view not in ("bytes", "ngrams"):
        raise ValueError(f"view must be 'bytes' or 'ngrams', not {view!r}")
    env = ActionMenu(load(name, sha256, shelf, **arguments), size=size)
    viewed = BytesObservation(env, length=length) if view == "bytes" else HashedNgrams(env, size=length)
    return NumericInfo(viewed) if numeric_info else viewed


def _isolation(name: str) -> Isolation:
    from .types import Isolation

    if name not in set(Isolation):
        raise ValueError(f"isolation must be one of {', '.join(Isolation)}, not {name!r}")
    return Isolation(name)


def _check_turns(max_turns: int | None) -> None:
    if max_turns is not None and max_turns < 1:
        raise ValueError(f"max_turns must be at least 1, not {max_turns}")


def load_file(
    path: str | Path | None = None,
    *,
    tools: str = "info",
    max_turns: int | None = None,
    isolation: str = "seccomp",
    render_mode: str | None = None,
) -> SpadeEnv:
    """Make an environment of a file that was not admitted, in the box: ``gym.make("spade/source", path=...)``.

    Raises:
        SourceError: the file cannot be read as a source, or the box refuses it; says why.
        SandboxError: this machine cannot isolate it as required.
        ValueError: no path, or an argument is none of those allowed.
    """
    from .env import EnvSettings, SpadeEnv
    from .sandbox.host import BoxOptions
    from .sources import read_source

    if path is None:
        raise ValueError('name the file: gymnasium.make("spade/source", path="my_env.py")')
    source = read_source(path)
    options = BoxOptions(require=_isolation(isolation))
    _check_turns(max_turns)
    env = SpadeEnv(source, EnvSettings(cap_turns=max_turns, tools=tools), render_mode=render_mode, options=options)
    env.preload()
    return env
