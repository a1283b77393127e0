"""A ``gymnasium`` for sources that subclass ``gym.Env``: the base class and inert spaces, without the library."""

from __future__ import annotations

import types
from typing import Any

from . import numpy_facade
from .streams import Streams

_SPACES = ("Box Dict Discrete Graph MultiBinary MultiDiscrete OneOf Sequence Text Tuple").split()


class Space:
    """Remembers what it was made with; contains everything."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args = args
        vars(self).update(kwargs)
        if args:
            self.n = self.nvec = self.spaces = self.shape = args[0]
            vars(self).update(kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self.args[0][key]

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def contains(self, x: Any) -> bool:
        """Always true: the environment's own checks decide."""
        return True

    __contains__ = contains

    def seed(self, seed: Any = None) -> list[Any]:
        """Inert."""
        return [seed]

    def sample(self, mask: Any = None) -> Any:
        """Spaces here are declarations; nothing samples from them."""
        raise NotImplementedError("spaces are declarations only here; draw from self.np_random or random")


def module(name: str, own: Streams) -> types.ModuleType:
    """Build ``gymnasium``, ``gym`` or one of their submodules for one instance."""
    top = types.ModuleType(name.split(".")[0])
    spaces = types.ModuleType("gymnasium.spaces")
    vars(spaces).update({space: type(space, (Space,), {"__module__": "gymnasium"}) for space in _SPACES}, Space=Space)
    env = _env_class(own)
    seeding = types.ModuleType("gymnasium.utils.seeding")
    vars(seeding).update(np_random=lambda seed=None: (_generator(own, seed), seed))
    utils = types.ModuleType("gymnasium.utils")
    vars(utils).update(seeding=seeding)
    registration = types.ModuleType("gymnasium.envs.registration")
    vars(registration).update(register=lambda *args, **kwargs: None)
    envs = types.ModuleType("gymnasium.envs")
    vars(envs).update(registration=registration)
    core = types.ModuleType("gymnasium.core")
    vars(core).update(Env=env, ObsType=Any, ActType=Any)
    vars(top).update(
        Env=env, Space=Space, spaces=spaces, utils=utils, envs=envs, core=core, register=registration.register
    )
    parts: types.ModuleType = top
    for part in name.split(".")[1:]:
        parts = getattr(parts, part)
    return parts


def _generator(own: Streams, seed: Any) -> Any:
    numpy_module = numpy_facade.module(own)
    return numpy_module.random.default_rng(seed)


def _env_class(own: Streams) -> type:
    class Env:
        metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012  # gymnasium's own spelling
        render_mode: str | None = None
        reward_range = (-float("inf"), float("inf"))
        spec = None
        action_space: Any = None
        observation_space: Any = None
        _np_random: Any = None

        def __class_getitem__(cls, item: Any) -> Any:
            return cls

        @property
        def np_random(self) -> Any:
            if self._np_random is None:
                self._np_random = _generator(own, None)
            return self._np_random

        @np_random.setter
        def np_random(self, value: Any) -> None:
            self._np_random = value

        @property
        def unwrapped(self) -> Any:
            return self

        def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
            if seed is not None:
                self._np_random = _generator(own, seed) if numpy_facade.available() else None

        def step(self, action: Any) -> Any:
            raise NotImplementedError("step() is not defined")

        def render(self) -> Any:
            return None

        def close(self) -> None:
            return None

    Env.__module__ = "gymnasium"
    Env.__qualname__ = "Env"
    return Env
